package assemble

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// repeat writes a text for each number below n.
func repeat(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

// growing are programs that take more than linear time if something is examined again for each use.
var growing = []struct {
	name string
	text func(n int) string
	ok   bool
}{
	{"chain of structures", func(n int) string {
		return repeat(n, func(i int) string { return fmt.Sprintf("type T%d { field T%d t; }\n", i, i+1) }) + fmt.Sprintf("type T%d { }", n)
	}, true},
	{"structures of two", func(n int) string {
		return repeat(n, func(i int) string { return fmt.Sprintf("type T%d { field T%d t; field T%d{2} u; }\n", i, i+1, i+1) }) + fmt.Sprintf("type T%d { }", n)
	}, true},
	{"circle of structures", func(n int) string {
		return repeat(n, func(i int) string { return fmt.Sprintf("type T%d { field T%d t; }\n", i, (i+1)%n) })
	}, false},
	{"chain of aliases", func(n int) string {
		return repeat(n, func(i int) string { return fmt.Sprintf("field global int8 f%d (m, f%d);\n", i, i+1) }) + fmt.Sprintf("field global int8 f%d;", n)
	}, true},
	{"chain of aliases from the end", func(n int) string {
		return "field global int8 f0;" + repeat(n, func(i int) string { return fmt.Sprintf("field global int8 f%d (m, f%d);\n", i+1, i) })
	}, true},
	{"circle of aliases", func(n int) string {
		return repeat(n, func(i int) string { return fmt.Sprintf("field global int8 f%d (m, f%d);\n", i, (i+1)%n) })
	}, false},
	{"aliases of one", func(n int) string {
		return "field global int8 f;" + repeat(n, func(i int) string { return fmt.Sprintf("field global int8 f%d (m, f);\n", i) })
	}, true},
	{"unknown names", func(n int) string {
		return repeat(n, func(i int) string { return fmt.Sprintf("type T%d { field U%d u; }\n", i, i) })
	}, false},
}

func TestLinear(t *testing.T) {
	for _, tt := range growing {
		steps := func(n int) int {
			set := diag.NewSet()
			diags := diag.NewList(set)
			a := &assembler{prog: &module.Program{Files: set}, diags: diags, known: map[string]*unit{}}
			a.load([]Unit{{Module: "m", Sources: []dialect.Source{{Name: "m.ial", Text: []byte(tt.text(n))}}}})
			if diags.HasErrors() == tt.ok {
				t.Errorf("%s: %v", tt.name, diags.Err())
			}
			return a.steps
		}
		one, two := steps(1000), steps(2000)
		if one == 0 || two > 2*one+200 {
			t.Errorf("%s: %d steps for 1000, %d for 2000", tt.name, one, two)
		}
	}
}

// An alias of an alias stands for the field at the end, whatever the order.
func TestAliasChain(t *testing.T) {
	p, errs := load("field global int8 a (m, b); field global int8 b (m, c); field global int8 c; field global int8 d (m, b); field global int8 e (x, y); field global int8 f (m, e);")
	if errs != "" {
		t.Fatal(errs)
	}
	fs := p.Modules[0].Fields
	for i, want := range []int{2, 2, 2, 2, 4, 4} {
		if fs[i].Root() != fs[want] {
			t.Errorf("field %s stands for %s", fs[i].Name, fs[i].Root().Name)
		}
	}
}
