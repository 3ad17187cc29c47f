package gogen_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/scripttest"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/osr"
)

// TestUnit: the tables of a unit ask the running program for its functions and cells, and say which bodies are for
// which functions. Calls go through the records of the running program. A loop has a function of its own. The output
// is valid Go, also for a program that inspects frames.
func TestUnit(t *testing.T) {
	opt := transpile.Options{Loops: []osr.Entry{{Func: 2, Head: 1, Params: []int{1, 0}}}}
	checkUnit(t, "unit", opt)
	opt.Introspect = true
	unitOf(t, "unit", opt)
}

// TestUnitNatives: a unit of a program made for cgo calls C with functions in its own preamble, which call those of the
// program before and after. It asks the program for the addresses of symbols. Symbols that are natives in Go there are
// called by address.
func TestUnitNatives(t *testing.T) {
	checkUnit(t, "native", transpile.Options{UnitC: true, GoNatives: []string{"mine"}})
}

// checkUnit compares a unit with the file NAME.golden.
func checkUnit(t *testing.T, name string, opt transpile.Options) {
	golden, got := "testdata/unit/"+name+".golden", unitOf(t, name, opt)
	if *scripttest.Update {
		if err := os.WriteFile(golden, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: not as in %s (go test -run TestUnit -update):\n%s", err, golden, got)
	}
}

// unitOf is the unit made of the file NAME.ir, which must be valid Go.
func unitOf(t *testing.T, name string, opt transpile.Options) []byte {
	text, err := os.ReadFile("testdata/unit/" + name + ".ir")
	if err != nil {
		t.Fatal(err)
	}
	opt.Unit, opt.Optimize, opt.SingleFile = true, 1, true
	p, diags := transpile.Load([]transpile.Source{{Name: name + ".ir", Text: text}}, opt)
	if p == nil {
		t.Fatal(diags.Err())
	}
	files, err := p.Generate()
	if err != nil || len(files) != 1 {
		t.Fatal(len(files), err)
	}
	from := token.NewFileSet()
	f, err := parser.ParseFile(from, "unit.go", files[0].Data, 0)
	if err != nil {
		t.Fatal(err)
	}
	imports := types.Config{Importer: scripttest.Importer(t, from), FakeImportC: true}
	if _, err := imports.Check("unit", from, []*ast.File{f}, nil); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return files[0].Data
}
