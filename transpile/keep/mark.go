package keep

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path/filepath"
	"strings"
)

// markFile is the file by which this package knows its folders. Its text names the key of
// the folder, so a copy under another name is not taken for the original.
const markFile = ".uvm2go-kept"

func markText(key string) string {
	return "Made by uvm2go as " + key + ". It removes this folder when it has not been used for long.\n"
}

// marked reports whether name is a folder of this package: one with a mark for its own
// name or, as long as it is temporary, for any key.
func (s store) marked(name string) bool {
	st, err := s.Lstat(name)
	if err != nil || !st.IsDir() {
		return false
	}
	text, ok := s.markOf(name)
	if !ok {
		return false
	}
	if !temporary(name) {
		return text == markText(name)
	}
	key, ok := strings.CutPrefix(text, "Made by uvm2go as ")
	key, _, _ = strings.Cut(key, ".")
	return ok && text == markText(key)
}

// markOf returns the text of a folder's mark, if it has a regular file of that name.
func (s store) markOf(name string) (string, bool) {
	name = filepath.Join(name, markFile)
	st, err := s.Lstat(name)
	if err != nil || !st.Mode().IsRegular() {
		return "", false
	}
	f, err := s.Open(name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 1000))
	return string(text), err == nil
}

// begin makes a temporary folder for a key, with the mark in it, and returns its name.
func (s store) begin(key string) (string, error) {
	tmp := newName()
	if err := s.Mkdir(tmp, 0o755); err != nil {
		return "", err
	}
	if err := s.WriteFile(filepath.Join(tmp, markFile), []byte(markText(key)), 0o644); err != nil {
		s.remove(tmp)
		return "", err
	}
	return tmp, nil
}

// newName returns a name for a temporary folder. One part of the name follows from the
// other, so that a folder without a mark, because its process was killed when it had just
// been made or was almost removed, is known by its name.
func newName() string {
	var b [8]byte
	rand.Read(b[:])
	n := hex.EncodeToString(b[:])
	return tempPrefix + n + "-" + nameSum(n)
}

const tempPrefix = "new-"

func nameSum(n string) string {
	sum := sha256.Sum256([]byte("temporary folder of uvm2go " + n))
	return hex.EncodeToString(sum[:8])
}

// temporary reports whether newName has made a name.
func temporary(name string) bool {
	rest, ok := strings.CutPrefix(name, tempPrefix)
	n, sum, _ := strings.Cut(rest, "-")
	return ok && len(n) == 16 && sum == nameSum(n)
}
