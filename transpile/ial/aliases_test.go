package ial

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
)

func TestAliases(t *testing.T) {
	const text = "field global int8 f (n, g); field thread int8 t (n, t); function int32 main() { register int32 r; block entry { return r; } } entry main;"
	load := func(srcs ...dialect.Source) string {
		set := diag.NewSet()
		diags := diag.NewList(set)
		if _, ok := Load(set, srcs, dialect.Options{}, diags); ok == diags.HasErrors() {
			t.Errorf("Load gives %v: %v", ok, diags.Err())
		}
		got := ""
		for _, d := range diags.All() {
			got += diags.Format(d) + "\n"
		}
		return got
	}
	m := dialect.Source{Name: "m.ial", Unit: "m", Text: []byte(text)}
	if got, want := load(m), `m.ial:1:19: field f stands for n/g, and module n is not part of the program
m.ial:1:47: field t stands for n/t, and module n is not part of the program
`; got != want {
		t.Errorf("got %s", got)
	}
	if got := load(m, dialect.Source{Name: "n.ial", Unit: "n", Text: []byte("field global int8 g; field thread int8 t;")}); got != "" {
		t.Errorf("got %s", got)
	}
}
