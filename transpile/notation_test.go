package transpile_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// TestResults prints the results of a call in the notation of a dialect, interpreted and translated.
func TestResults(t *testing.T) {
	const text = `func @f: () -> (int<8> int<8> struct<int<8> array<int<8> 2>> int<100>)
version @f.v of @f {
^e():
  ret 255:int<8> 255:int<8> {255:int<8> {255:int<8> 254:int<8>}:array<int<8> 2>}:struct<int<8> array<int<8> 2>> -1:int<100>
}
`
	src := transpile.Source{Name: "a.ir", Text: []byte(text)}
	p, diags := transpile.Load([]transpile.Source{src}, transpile.Options{Call: "@f", SingleFile: true})
	if p == nil {
		t.Fatal(diags.Err())
	}
	f, _, err := p.CallArgs()
	if err != nil {
		t.Fatal(err)
	}
	if n := p.CallResults(f); n != nil {
		t.Errorf("without a notation of the dialect: got %v", n)
	}
	d := *p.Dialect
	d.Results = func(*ir.Program, *ir.Function) []ir.Notation {
		unsigned := ir.Notation{Unsigned: true}
		return []ir.Notation{unsigned, {}, {Parts: []ir.Notation{{}, {Parts: []ir.Notation{unsigned}}}}, unsigned}
	}
	p.Dialect = &d
	vals, _, err := interp.Call(p.IR, "@f", nil, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := interp.Results(p.IR, "@f", vals, p.CallResults(f)...)
	if want := "255 -1 {-1 [255 254]} 1267650600228229401496703205375"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("interpreted: got %v, %v, want %s", got, err, want)
	}
	files, err := p.Generate()
	if err != nil {
		t.Fatal(err)
	}
	want := "[]rt.Notation{{Unsigned: true}, {}, {Parts: []rt.Notation{{}, {Parts: []rt.Notation{{Unsigned: true}}}}}, {Unsigned: true}})"
	if len(files) != 1 || !bytes.Contains(files[0].Data, []byte(want)) {
		t.Errorf("the generated code lacks %s", want)
	}
}
