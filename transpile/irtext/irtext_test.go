package irtext_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/irtext"
)

func TestRecognize(t *testing.T) {
	for text, want := range map[string]dialect.Evidence{
		"program 65540 1\n":                  dialect.Certain,
		"#!/bin/uvm2go image\nprogram 1 1\n": dialect.Certain,
		"#!/bin/sh\ntrue\n":                  dialect.None,
		"\n// by hand\nfunc @f: () -> ()\n":  dialect.Certain,
		"type @t = int<8>":                   dialect.Certain,
		"global @g: int<8>":                  dialect.Certain,
		".typedef @t = int<8>":               dialect.None,
		"// func @f\n.funcsig @s = () -> ()": dialect.None,
		"type S { }":                         dialect.None,
		"function void main () { }":          dialect.None,
		"":                                   dialect.None,
		"globals @g":                         dialect.None,
		"const int32 x;":                     dialect.None,
	} {
		if got := irtext.Dialect.Recognize([]byte(text)); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

// TestLoad checks that a loaded program is verified, and that everything in it has the
// entity id that a reader would have assigned.
func TestLoad(t *testing.T) {
	load := func(text string) (*ir.Program, string) {
		files := diag.NewSet()
		diags := diag.NewList(files)
		p, ok := irtext.Dialect.Load(files, []dialect.Source{{Name: "p.ir", Text: []byte(text)}}, dialect.Options{}, diags)
		var b strings.Builder
		diags.Print(&b)
		if ok == diags.HasErrors() {
			t.Errorf("ok is %v, but\n%s", ok, b.String())
		}
		return p, b.String()
	}
	p, errs := load("func @f: () -> ()\ntype @t = int<8>\nversion @f.v of @f {\n^e():\n  ret\n}\n")
	if errs != "" {
		t.Fatal(errs)
	}
	v := p.Funcs[0].Current()
	if p.TypeIDs["@t"] == 0 || p.Funcs[0].ID == 0 || v.ID == 0 || v.Blocks[0].ID != v.ID+1 || v.Insts[1].ID != v.ID+2 || p.NextID != v.ID+3 {
		t.Errorf("ids: type %d, function %d, version %d, block %d, instruction %d, next %d", p.TypeIDs["@t"], p.Funcs[0].ID, v.ID, v.Blocks[0].ID, v.Insts[1].ID, p.NextID)
	}
	if _, errs := load("#!/bin/uvm2go image\nfunc @f: () -> ()\n"); errs != "" {
		t.Error(errs)
	}
	for text, want := range map[string]string{
		"#!/bin/uvm2go image\nglobal @g: x\n":                              "p.ir:2:12: ",
		"func @f: () -> ()\nversion @f.v of @f {\n^e():\n}\n":              "has no instructions",
		"func @f: () -> (int<8>)\nversion @f.v of @f {\n^e():\n  ret\n}\n": "p.ir:4:3: @f.v.e+0: ret wants 1 operand, got none|ret wants",
		"global @g: int<8>\nglobal @h: ref<int<4097>>\n":                   "p.ir:2:16: int<4097>: an int has 1 to 128 bits",
		"type @t = struct<@u int<8>>\ntype @u = struct<@t>":                "p.ir:1:6: @t: contains itself|p.ir:2:6: @u: contains itself",
		"type @s = struct.step1.align16<int<8> ref<int<8>>>\n":             "p.ir:1:6: @s: field 1 has a reference, but is not aligned",
		"func @f: (int<8>) -> (void)\n":                                    "p.ir:1:10: (int<8>) -> (void): a signature wants types of values",
		"func @f: int<8>\n":                                                "p.ir:1:16: @f: want a signature",
		"global @g: array<int<8> 2> = bytes \"abc\"":                       "3 bytes",
	} {
		_, errs := load(text)
		ok := false
		for w := range strings.SplitSeq(want, "|") {
			ok = ok || strings.Contains(errs, w)
		}
		if !ok {
			t.Errorf("%q: got %q, want %q", text, errs, want)
		}
	}
}
