package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile"
)

// A directive is a go:generate line that runs the command: its output is a file of the package whose
// folder that is.
type directive struct {
	pkg  string // "" if go generate does not run the command
	test bool   // the line stands in a test file
}

// generator looks for go generate in the environment.
func generator() directive {
	file, line := os.Getenv("GOFILE"), os.Getenv("GOLINE")
	if file == "" || line == "" {
		return directive{}
	}
	return directive{pkg: os.Getenv("GOPACKAGE"), test: strings.HasSuffix(file, "_test.go")}
}

// file names the Go file that is made of a bundle: NAME_ENDING.go, as other generators do, which no
// name of a system at the end of NAME turns into a build constraint.
func (d directive) file(bundle string) string {
	name := programName(bundle)
	if strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
		name = "x" + name // the go command passes over such files
	}
	ending := filepath.Ext(bundle)
	endings := transpile.Dialects.Endings()
	for _, a := range transpile.Dialects.Archives() {
		endings = append(endings, a.Ending)
	}
	if !slices.Contains(endings, ending) {
		ending = endings[0]
	}
	name += "_" + strings.TrimPrefix(ending, ".")
	if d.test {
		name += "_test"
	}
	return name + ".go"
}
