package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// executable returns the name of the file that build writes: out itself, or a file with the name that
// program returns in the folder out or, if out is empty, in the working folder. An existing file is replaced
// only if a compiler made it.
func executable(out string, program func() string) (string, error) {
	name := out
	if name == "" {
		name = program()
	}
	st, err := os.Stat(name)
	switch {
	case err == nil && st.IsDir() && out == "":
		return "", fmt.Errorf("%s is a folder: -o FILE names the executable", name)
	case err == nil && st.IsDir():
		name = filepath.Join(name, program())
	case out != "" && os.IsPathSeparator(out[len(out)-1]):
		if err := os.MkdirAll(out, 0o777); err != nil {
			return "", err
		}
		name = filepath.Join(name, program())
	}
	if !replaceable(name) {
		return "", fmt.Errorf("%s: this file is no executable; it is left as it is", name)
	}
	return name, nil
}

// objects are the first bytes of the files that go build replaces: executables, objects and archives of every system.
var objects = [][]byte{
	[]byte("\x7fELF"), []byte("MZ"), []byte("\x00asm"), []byte("!<arch>\n"), []byte("<bigaf>\n"),
	[]byte("\xfe\xed\xfa\xce"), []byte("\xfe\xed\xfa\xcf"), []byte("\xce\xfa\xed\xfe"), []byte("\xcf\xfa\xed\xfe"),
	[]byte("\x00\x00\x01\xeb"), []byte("\x00\x00\x8a\x97"), []byte("\x00\x00\x06\x47"), // Plan 9
	[]byte("\x01\xdf"), []byte("\x01\xf7"), // AIX
}

// replaceable reports whether a file is missing, empty, made by a compiler, or not a regular file
// (such as a device), so that nothing is lost if it is replaced.
func replaceable(name string) bool {
	st, err := os.Stat(name)
	if err != nil || !st.Mode().IsRegular() || st.Size() == 0 {
		return err != nil || !st.IsDir()
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 8)
	n, _ := f.Read(head)
	for _, o := range objects {
		if bytes.HasPrefix(head[:n], o) {
			return true
		}
	}
	return false
}
