package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/uvm2go/uvm2go/internal/lexis/made"
	"github.com/uvm2go/uvm2go/transpile"
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
		if err := transpile.CheckFolder(filepath.Clean(out)); err != nil {
			return "", err
		}
		if err := os.MkdirAll(out, 0o777); err != nil {
			return "", err
		}
		name = filepath.Join(name, program())
	}
	return name, made.Executable.Check(name)
}
