// Package made tells files that tools of this project, or those of Go, have made from all others: only the former may be
// replaced.
package made

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// A Kind is a kind of files that are written.
type Kind struct {
	Name string                 // with an article, as messages have it
	is   func(r io.Reader) bool // reports whether a file is of the kind
}

// New describes another kind of files: name has an article, and is tells them by their content.
func New(name string, is func(r io.Reader) bool) Kind { return Kind{name, is} }

// Check returns an error if a file must not be replaced by one of the kind: it exists, is a regular file, is not empty, and
// of another kind. A symbolic link counts as what it leads to.
func (k Kind) Check(name string) error {
	st, err := os.Stat(name)
	switch {
	case err == nil && st.IsDir():
		return fmt.Errorf("%s is a folder, not %s", name, k.Name)
	case err != nil || !st.Mode().IsRegular() || st.Size() == 0:
		return nil // whoever writes it reports what is wrong
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if !k.is(f) {
		return fmt.Errorf("%s: this file is not %s; it is left as it is", name, k.Name)
	}
	return nil
}

// Create opens a file of the kind for writing, if Check allows that.
func (k Kind) Create(name string) (*os.File, error) {
	if err := k.Check(name); err != nil {
		return nil, err
	}
	return os.Create(name)
}

// begins is the test for files that begin with one of several texts.
func begins(texts ...string) func(r io.Reader) bool {
	longest := 0
	for _, t := range texts {
		longest = max(longest, len(t))
	}
	return func(r io.Reader) bool {
		b := head(r, longest)
		for _, t := range texts {
			if bytes.HasPrefix(b, []byte(t)) {
				return true
			}
		}
		return false
	}
}

// head is the beginning of a file, at most n bytes.
func head(r io.Reader, n int) []byte {
	b := make([]byte, n)
	n, _ = io.ReadFull(r, b)
	return b[:n]
}
