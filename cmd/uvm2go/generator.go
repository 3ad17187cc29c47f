package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile"
)

// A directive is a go:generate line that runs the command. The output is a file of the package in that
// folder.
type directive struct {
	pkg  string // "" if the command was not started by go generate
	test bool   // the line is in a test file
}

// generator returns the directive that started the command, from the environment variables that go generate sets.
func generator() directive {
	file, line := os.Getenv("GOFILE"), os.Getenv("GOLINE")
	if file == "" || line == "" {
		return directive{}
	}
	return directive{pkg: os.Getenv("GOPACKAGE"), test: strings.HasSuffix(file, "_test.go")}
}

// file returns the name of the Go file that is made from a bundle: NAME_ENDING.go, as with other
// generators. Because of the ending, the name of a system at the end of NAME is no build constraint.
func (d directive) file(bundle string) string {
	name := programName(bundle)
	if strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
		name = "x" + name // the go command ignores such files
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
