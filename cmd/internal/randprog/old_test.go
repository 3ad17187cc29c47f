package randprog_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// TestOld checks that programs in µVM IR of 2014 are strictly valid and do not fail, and that they
// behave the same in binary form, as text written from the binary form, and as Mu text.
func TestOld(t *testing.T) {
	checkOld(t, 0, 40)
	checkOld(t, 774, 775) // where Mu text gives an unnamed value the name that a trap shows for another value
}

func TestLongOld(t *testing.T) {
	longtest.Only(t)
	checkOld(t, 40, 300)
}

// TestOldOrder checks that the translation of a function does not depend on the functions read before it,
// whose memory the reader reuses: apart from IDs, it is the same with the functions in reverse order.
func TestOldOrder(t *testing.T) {
	ids := regexp.MustCompile(` !\d+`)
	bodies := func(text string) map[string]string {
		p, diags := transpile.Load([]transpile.Source{{Name: "p.uir", Text: []byte(text)}}, transpile.Options{Strict: true})
		if diags.HasErrors() {
			t.Fatal(diags.Err())
		}
		m := map[string]string{}
		for _, f := range p.IR.Funcs {
			for _, v := range f.Versions {
				var b strings.Builder
				ir.PrintVersion(&b, p.IR, v)
				m[v.Name] = ids.ReplaceAllString(b.String(), "")
			}
		}
		return m
	}
	for seed := range int64(60) {
		text := randprog.Bundle([]randprog.Program{randprog.GenerateOld(seed, "@p.")})
		var defs, funcs []string
		for _, part := range strings.SplitAfter(text, "\n}\n") {
			at := strings.Index(part, ".funcdef")
			if at < 0 {
				at = len(part)
			}
			defs = append(defs, part[:at])
			funcs = append(funcs, part[at:])
		}
		slices.Reverse(funcs)
		want, got := bodies(text), bodies(strings.Join(defs, "")+strings.Join(funcs, ""))
		if len(want) < 3 || len(got) != len(want) {
			t.Fatalf("seed %d: %d functions, reversed %d", seed, len(want), len(got))
		}
		for name, body := range want {
			if got[name] != body {
				t.Fatalf("seed %d, reversed:\n%s\nwant\n%s", seed, got[name], body)
			}
		}
	}
}

// TestOldIDs checks that all entities have the same IDs in text and in the binary form made from it.
func TestOldIDs(t *testing.T) {
	_, form := transpile.Dialects.Form("uirb")
	numbers := func(text []byte, names map[string]bool) string {
		p, diags := transpile.Load([]transpile.Source{{Name: "p.uir", Text: text}}, transpile.Options{Strict: true})
		if diags.HasErrors() {
			t.Fatal(diags.Err())
		}
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(p.IR.Entities)) {
			switch e := p.IR.Entities[name].(type) {
			case ir.TypeID:
				if len(names) == 0 || names[name] {
					fmt.Fprintln(&b, name, p.IR.TypeIDs[name])
				}
			case *ir.Const:
				if len(names) == 0 || names[name] {
					fmt.Fprintln(&b, name, e.ID)
				}
			case *ir.Global:
				fmt.Fprintln(&b, name, e.ID)
			case *ir.Function:
				fmt.Fprintln(&b, name, e.ID)
				for _, v := range e.Versions {
					for i := range v.Blocks {
						fmt.Fprintf(&b, "\n%s %d:", v.Blocks[i].Name, v.Blocks[i].ID)
						for _, id := range v.Blocks[i].Insts {
							fmt.Fprintf(&b, " %d", v.Insts[id].ID)
						}
					}
				}
			}
		}
		if len(names) == 0 {
			for name := range p.IR.Entities {
				names[name] = true
			}
		}
		return b.String()
	}
	for seed := range int64(40) {
		text := []byte(randprog.Bundle([]randprog.Program{randprog.GenerateOld(seed, "@p.")}))
		bin, diags := form.Convert(dialect.Source{Name: "p.uir", Text: text}, dialect.Options{})
		if diags.HasErrors() {
			t.Fatal(diags.Err())
		}
		names := map[string]bool{}
		if got, want := numbers(text, names), numbers(bin, names); got != want {
			t.Fatalf("seed %d: got\n%s\nwant\n%s\n%s", seed, got, want, text)
		}
	}
}

func checkOld(t *testing.T, from, to int64) {
	t.Helper()
	form := func(name string) *dialect.Form {
		_, f := transpile.Dialects.Form(name)
		return f
	}
	for seed := from; seed < to; seed++ {
		text := []byte(randprog.Bundle([]randprog.Program{randprog.GenerateOld(seed, "@p.")}))
		src := transpile.Source{Name: "p.uir", Text: text}
		convert := func(to string, src transpile.Source) transpile.Source {
			out, diags := form(to).Convert(src, dialect.Options{Strict: true})
			if diags.HasErrors() {
				t.Fatalf("seed %d, to %s: %v\n%s", seed, to, diags.Err(), text)
			}
			return transpile.Source{Name: "p." + to, Text: out}
		}
		want := ""
		check := func(way string, src transpile.Source) {
			status, got := runs(t, fmt.Sprintf("seed %d, %s", seed, way), src)
			if want == "" {
				if want = got; status != "0 <nil>" || !strings.Contains(got, "trap p.run.v1.") {
					t.Fatalf("seed %d: %s, %s\n%s", seed, status, got, text)
				}
			} else if got != want || status != "0 <nil>" {
				t.Fatalf("seed %d, %s: got %s, %s\nwant %s\n%s", seed, way, status, got, want, text)
			}
		}
		check("text", src)
		bin := convert("uirb", src)
		check("binary", bin)
		check("text of binary", convert("uir2014", bin))
		p, _ := transpile.Load([]transpile.Source{src}, transpile.Options{Strict: true})
		mu, err := p.Write(form("uir"))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		check("mu", transpile.Source{Name: "p.uir", Text: mu})
	}
}
