package front_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/front"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// places are those of the version, blocks and instructions of @f.
func places(p *ir.Program) (list []string) {
	for _, f := range p.Funcs {
		if f.Name != "@f" {
			continue
		}
		v := f.Current()
		list = append(list, p.Files.Position(f.Pos).String())
		for b := range v.Blocks {
			list = append(list, p.Files.Position(v.Blocks[b].Pos).String())
			for _, id := range v.Blocks[b].Insts {
				list = append(list, p.Files.Position(v.Insts[id].Pos).String())
			}
		}
	}
	return list
}

// Text has the positions of the program in all forms, with columns smaller than the usual indentation, and larger ones.
func TestTextKeepsPlaces(t *testing.T) {
	w := newWorld()
	pos := func(file string, line, col int) front.Pos { return front.Pos{File: file, Line: line, Col: col} }
	b := w.Func("@f", w.one).Body(pos("dir/prog.lang", 10, 12))
	b.At(pos("dir/prog.lang", 11, 1))
	x := b.Entry.Name(b.Entry.Bin(front.Add, w.i64, b.Args[0], b.Args[0]), "a_long_name")
	b.At(pos("other.lang", 3, 40))
	y := b.Entry.Bin(front.Mul, w.i64, x, x)
	b.At(pos("other.lang", 3, 5))
	next := b.Block("next")
	v := b.Var("v", w.i64)
	b.Entry.Set(v, y)
	b.Entry.Branch(next)
	b.At(pos("/abs/new\nline.lang", 7, 2))
	next.Ret(next.Get(v))
	q, err := w.IR()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"dir/prog.lang:10:12", "dir/prog.lang:10:12", "dir/prog.lang:11:1", "other.lang:3:40", "other.lang:3:5", "other.lang:3:5", `/abs/new\nline.lang:7:2`}
	if got := places(q); !slices.Equal(got, want) {
		t.Fatalf("the program has %q, want %q", got, want)
	}
	for _, form := range []string{"uir", "uir2014", "ir"} {
		text, err := w.Text(form)
		if err != nil {
			t.Fatal(err)
		}
		_, f := transpile.Dialects.Form(form)
		p, diags := transpile.Load([]transpile.Source{{Name: "again" + f.Ending, Text: text}}, transpile.Options{})
		if p == nil {
			t.Fatalf("%s: %v\n%s", form, diags.Err(), text)
		}
		got := places(p.IR)
		if form == "uir2014" { // the parameter of a block becomes a PHI, which is none of its instructions
			got = slices.DeleteFunc(got, func(s string) bool { return strings.HasPrefix(s, "again") })
		}
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], `\\`, `\`)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q\n%s", form, got, want, text)
		}
	}
}
