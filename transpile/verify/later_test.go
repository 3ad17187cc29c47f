package verify_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

const laterText = `program 65560 2
later "b.uir" "00" names @h
func @f: (int<64>) -> (int<64>) !65540
func @h: (int<64>) -> (int<64>) !65541
func @f.v2: (int<64>) -> (int<64>) of @f 0
func @h.v1: (int<64>) -> (int<64>) of @h 0

version @f.v1 of @f !65550 {
^entry.0(%x.1: int<64>):
  ret %x.1
}

version @f.v2 of @f.v2 !65553 {
^entry.0(%x.1: int<64>):
  ret %x.1
}

version @h.v1 of @h.v1 !65556 {
^entry.0(%x.1: int<64>):
  ret %x.1
}
`

// TestImplementations checks the implementations for the versions of later bundles.
func TestImplementations(t *testing.T) {
	parse := func() *ir.Program {
		p, err := ir.Parse(nil, "later", []byte(laterText))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if err := verify.Err(verify.Program(parse())); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		change func(p *ir.Program, f, h, fImpl, hImpl *ir.Function)
		want   string
	}{
		{"of another", func(_ *ir.Program, f, h, fi, _ *ir.Function) { fi.Of = h }, "is not among the implementations of @h"},
		{"listed elsewhere", func(_ *ir.Program, f, _, _, hi *ir.Function) { f.Impls = append(f.Impls, hi) }, "has an implementation that is of another function"},
		{"signature", func(p *ir.Program, _, _, fi, _ *ir.Function) { fi.Sig = p.Types.Sig(nil, nil) }, "implements @f of another signature"},
		{"versions", func(_ *ir.Program, _, _, fi, _ *ir.Function) { fi.Versions = nil }, "an implementation has one version, got 0"},
		{"no bundle", func(p *ir.Program, _, _, _, _ *ir.Function) { p.Later[0].Impls = p.Later[0].Impls[:1] }, "an implementation is of one later bundle, got 0"},
		{"nested", func(_ *ir.Program, f, h, fi, hi *ir.Function) { fi.Impls, hi.Of = []*ir.Function{hi}, fi }, "implements @f.v2, which is an implementation"},
		{"copy of a copy", func(_ *ir.Program, f, h, _, hi *ir.Function) { f.CopyOf, h.CopyOf = h, f }, "is a copy of @h, which is a copy, or an implementation"},
		{"copy of nothing", func(_ *ir.Program, f, _, _, _ *ir.Function) { f.CopyOf = &ir.Function{Name: "@none"} }, "@none"},
	} {
		p := parse()
		test.change(p, p.Funcs[0], p.Funcs[1], p.Funcs[2], p.Funcs[3])
		err := verify.Err(verify.Program(p))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}
