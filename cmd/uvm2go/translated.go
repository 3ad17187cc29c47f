package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/gogen"
)

// Build and run accept the output of "uvm2go BUNDLE", so that it can come through a pipe. (The go
// command does not read Go from a pipe.)
//
//	uvm2go bundle.uir | uvm2go build -

// late lists the flags that still have an effect on a translated program.
var late = []string{"o", "v", "x", "n", "trap", "lib"}

// checkTranslated reports an error if a command does not accept the translated program s, one of n inputs.
func (e *env) checkTranslated(in *input, s transpile.Source, n int) int {
	if !in.takesGo {
		return e.errorf("%s: this is Go source that uvm2go has made; only build and run take it", s.Name)
	}
	if n > 1 {
		return e.errorf("%s: a translated program must be the only input", s.Name)
	}
	early := ""
	in.set.Visit(func(f *flag.Flag) {
		if early == "" && !slices.Contains(late, f.Name) {
			early = f.Name
		}
	})
	if early != "" {
		return e.errorf("-%s: %s has been translated already", early, s.Name)
	}
	f, err := parser.ParseFile(token.NewFileSet(), s.Name, s.Text, parser.PackageClauseOnly)
	if err != nil {
		return e.inputError(err)
	}
	if name := f.Name.Name; name != "main" {
		return e.inputError(fmt.Errorf("%s: package %s is no program; import it and use go build", s.Name, name))
	}
	return statusOK
}

// buildTranslated makes an executable from a translated program.
func (e *env) buildTranslated(in *input, s transpile.Source, out string) int {
	said, err := e.buildFiles(goBuild{files: []gogen.File{{Name: "main.go", Data: s.Text}}, libs: in.opt.Libs}, out)
	if err == nil {
		return statusOK
	}
	if why := e.environmentFault(err, said, out); why != "" {
		return e.errorf("%s", why)
	}
	return e.inputError(fmt.Errorf("%s: go build failed (%v); was it translated by another version of uvm2go?\n%s", s.Name, err, said))
}

// sourceDir replaces ${SRCDIR} in #cgo directives, because the program is not built in the folder of its source.
func sourceDir(s transpile.Source) ([]byte, error) {
	dir, err := filepath.Abs(filepath.Dir(s.Name))
	if s.Name == stdinName {
		dir, err = os.Getwd()
	}
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for line := range bytes.Lines(s.Text) {
		if bytes.HasPrefix(line, []byte("#cgo ")) {
			line = []byte(strings.ReplaceAll(string(line), "${SRCDIR}", filepath.ToSlash(dir)))
		}
		b.Write(line)
	}
	return b.Bytes(), nil
}
