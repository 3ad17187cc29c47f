package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/gogen"
)

// readC reads the C files of -c for the module of the program, and makes the program one for cgo. They include headers of
// their own folders.
func (in *input) readC() (list []gogen.File, err error) {
	for i, name := range in.cSources.vals {
		if err := linkableName(name); err != nil { // so it needs no quoting in C
			return nil, err
		}
		abs, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(abs)
		if err != nil {
			return nil, err
		}
		ext := filepath.Ext(name)
		if !strings.Contains(" .c .s .S ", " "+ext+" ") {
			return nil, fmt.Errorf("%s: want a file of C (.c) or assembler code (.s, .S)", name)
		}
		if ext == ".c" { // messages and debuggers show the file itself
			text = append(fmt.Appendf(nil, "#line 1 \"%s\"\n", filepath.ToSlash(abs)), text...)
		}
		list = append(list, gogen.File{Name: fmt.Sprintf("extra%d%s", i, ext), Data: text})
		in.opt.Cgo = true
		in.opt.CgoFlags = append(in.opt.CgoFlags, "CFLAGS: "+quoteFlag("-I"+filepath.ToSlash(filepath.Dir(abs))))
	}
	return list, nil
}
