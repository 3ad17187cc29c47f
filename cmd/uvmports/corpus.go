package main

import (
	"fmt"
	"path"
	"strings"

	"github.com/uvm2go/uvm2go/cmd/internal/corpus"
	"github.com/uvm2go/uvm2go/transpile"
)

// A program holds sources and the options of their translation.
type program struct {
	files []transpile.Source
	opt   transpile.Options
}

// A job is a run of a program.
type job struct {
	name  string // as in the table
	prog  program
	args  []string
	env   []string // variables for the program
	stdin []byte
}

// key returns a text that is different for different programs.
func (p *program) key() string {
	return fmt.Sprintf("%q %q %q %q", p.files, p.opt.Images, p.opt.Later, p.opt.Key())
}

// examples returns runs of the single-file programs in the examples of a module.
func examples(root string) ([]job, error) {
	found, err := corpus.Glob(root, "examples/*/*.uir", "examples/ial/*/*.ial", "examples/tvm/*/*.tvm", "examples/uvm2014/*/*.uir")
	var list []job
	for _, b := range found {
		list = append(list, job{name: b.Name, prog: program{
			files: []transpile.Source{{Name: path.Base(b.Name), Text: b.Sources[0].Text}},
			opt:   transpile.Options{Optimize: 1, Lines: true},
		}})
	}
	return list, err
}

// sample returns n elements of a list, evenly spread, or all if n is 0.
func sample(list []job, n int) []job {
	if n <= 0 || n >= len(list) {
		return list
	}
	var out []job
	for i := range n {
		out = append(out, list[i*len(list)/n])
	}
	return out
}

// generate makes the Go code of a program. why is the reason if it is not tried: programs that need C, or
// that the translator does not accept, are not tried.
func (p *program) generate() (code map[string][]byte, why string) {
	loaded, _ := transpile.Load(p.files, p.opt)
	if loaded == nil {
		return nil, "not accepted"
	}
	files, err := loaded.Generate()
	if err != nil {
		return nil, "not accepted"
	}
	code = map[string][]byte{}
	for _, f := range files {
		if strings.Contains(string(f.Data), `import "C"`) || strings.Contains(string(f.Data), "rtlib/ffi") {
			return nil, "needs C"
		}
		code[f.Name] = f.Data
	}
	return code, ""
}
