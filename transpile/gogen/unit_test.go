package gogen_test

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/osr"
)

// TestUnit: the tables of a unit ask the running program for its functions and cells, and say which bodies are for
// which functions. Calls go through the records of the running program. A loop has a function of its own. The output
// is valid Go, also for a program that inspects frames.
func TestUnit(t *testing.T) {
	text, err := os.ReadFile("testdata/unit/unit.ir")
	if err != nil {
		t.Fatal(err)
	}
	from := token.NewFileSet()
	imports := types.Config{Importer: importer.ForCompiler(from, "source", nil)}
	generate := func(inspect bool) []byte {
		p, diags := transpile.Load([]transpile.Source{{Name: "unit.ir", Text: text}},
			transpile.Options{Unit: true, Introspect: inspect, Optimize: 1, SingleFile: true, Loops: []osr.Entry{{Func: 2, Head: 1, Params: []int{1, 0}}}})
		if p == nil {
			t.Fatal(diags.Err())
		}
		files, err := p.Generate()
		if err != nil || len(files) != 1 {
			t.Fatal(len(files), err)
		}
		f, err := parser.ParseFile(from, "unit.go", files[0].Data, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := imports.Check("unit", from, []*ast.File{f}, nil); err != nil {
			t.Errorf("inspect %t: %v", inspect, err)
		}
		return files[0].Data
	}
	const golden = "testdata/unit/unit.golden"
	got := generate(false)
	generate(true)
	if *update {
		if err := os.WriteFile(golden, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: not as in %s (go test -run TestUnit -update):\n%s", err, golden, got)
	}
}
