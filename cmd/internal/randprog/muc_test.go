package randprog_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// TestMuc checks that programs that are written in the form of muc and read again are the same programs, and that they
// behave the same if all types and constants are written in place.
func TestMuc(t *testing.T) { checkMuc(t, 0, 12) }

func TestLongMuc(t *testing.T) {
	longtest.Only(t)
	checkMuc(t, 12, 132)
}

func checkMuc(t *testing.T, from, to int64) {
	t.Helper()
	inPlace := 0
	for seed := from; seed < to; seed++ {
		for k, prog := range []randprog.Program{randprog.Generate(seed, "@p."), randprog.GenerateOld(seed, "@p.")} {
			what := fmt.Sprintf("seed %d, generator %d", seed, k)
			text := []byte(randprog.Bundle([]randprog.Program{prog}))
			source := func(text []byte) transpile.Source { return transpile.Source{Name: "p.uir", Text: text} }
			load := func(text []byte) *transpile.Program {
				p, diags := transpile.Load([]transpile.Source{source(text)}, transpile.Options{Strict: true})
				if diags.HasErrors() {
					t.Fatalf("%s: %v\n%s", what, diags.Err(), text)
				}
				return p
			}
			write := func(p *transpile.Program, name string) []byte {
				_, form := transpile.Dialects.Form(name)
				out, err := p.Write(form)
				if err != nil {
					t.Fatalf("%s: %v\n%s", what, err, text)
				}
				return out
			}
			muc := write(load(text), "muc")
			if d := transpile.Dialects.Of(source(muc)); d.FormOf(source(muc)).Name != "muc" {
				t.Fatalf("%s: the form is not recognised:\n%s", what, muc)
			}
			if k == 0 { // where everything has a name; others are named anew
				if got, want := sorted(write(load(muc), "uir")), sorted(write(load(text), "uir")); got != want {
					t.Fatalf("%s: got\n%s\nwant\n%s\n%s", what, got, want, muc)
				}
				if again := write(load(muc), "muc"); sorted(again) != sorted(muc) {
					t.Fatalf("%s: written again\n%s\nwant\n%s", what, again, muc)
				}
			}
			p := load(text)
			forget(p.IR)
			nameless := write(p, "muc")
			inPlace += strings.Count(string(nameless), ">> ")
			forms := [][]byte{muc, nameless}
			if strings.Contains(string(text), "@uvm.meta.cur_") { // shows IDs, of which there are fewer without names
				forms = forms[:1]
			}
			wantStatus, want := runs(t, what, source(write(load(text), "uir")))
			for _, muc := range forms {
				if status, got := runs(t, what, source(muc)); status != wantStatus || lines.ReplaceAllString(got, "") != lines.ReplaceAllString(want, "") {
					t.Fatalf("%s: got %s %s\nwant %s %s\n%s", what, status, got, wantStatus, want, muc)
				}
			}
		}
	}
	if inPlace == 0 {
		t.Error("no constants in place")
	}
}

// lines are the places in traces, which differ.
var lines = regexp.MustCompile(` \(p\.uir:\d+\)`)

// sorted is a bundle with the definitions before its functions in alphabetical order, and not aligned. The order of
// types is not that of their definitions.
func sorted(text []byte) string {
	defs, funcs, _ := strings.Cut(string(text), "\n\n.funcdef")
	var list []string
	for line := range strings.Lines(defs) {
		list = append(list, strings.Join(strings.Fields(line), " "))
	}
	slices.Sort(list)
	return strings.Join(list, "\n") + funcs
}

// forget removes the names of types, signatures and constants.
func forget(p *ir.Program) {
	for name, e := range p.Entities {
		switch e := e.(type) {
		case ir.TypeID:
			if !strings.HasPrefix(name, "@uvm.") {
				p.Types.At(e).Name = ""
				delete(p.Entities, name)
				delete(p.TypeIDs, name)
			}
		case *ir.Const:
			e.Name = ""
			delete(p.Entities, name)
		}
	}
	p.Consts = nil
}
