package front_test

import (
	"bytes"
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

// Names of values may be any words of the author's language. All executors and text forms have them.
func TestNamesOfAnotherLanguage(t *testing.T) {
	w := newWorld()
	b := w.function()
	loop, body, done := b.Block("loop"), b.Block("body"), b.Block("done")
	n, sum := b.Var("n", w.i64), b.Var("list->sum", w.i64)
	b.Entry.Set(n, b.Args[0])
	b.Entry.Set(sum, w.Int(w.i64, 1))
	b.Entry.Branch(loop)
	loop.Trap()
	loop.Keep(loop.Get(n), loop.Get(sum))
	loop.Branch2(loop.Cmp(front.EQ, w.i64, loop.Get(n), w.Int(w.i64, 0)), front.To(done), front.To(body))
	body.Set(sum, body.Name(body.Bin(front.Add, w.i64, body.Get(sum), body.Get(n)), "list__sum"))
	body.Set(n, body.Bin(front.Sub, w.i64, body.Get(n), w.Int(w.i64, 1)))
	body.Branch(loop)
	done.Ret(done.Get(sum))
	m := w.Func("@main", w.Sig(nil, nil)).Body(at(20)).Entry
	r := m.CallFunc(w.FuncNamed("@f"), w.Int(w.i64, 1))
	m.Trap()
	m.Keep(m.Name(r[0], "größe'"))
	m.Ret()
	const want = "trap f+2 n=1 list->sum=1\ntrap f+2 n=0 list->sum=2\ntrap main+2 größe'=2\n"
	var out bytes.Buffer
	if status, err := w.Run("", &out, &out); err != nil || status != 0 || out.String() != want {
		t.Fatalf("status %d, %v, %s", status, err, out.String())
	}
	for _, form := range []string{"uir", "muc", "uir2014", "ir"} {
		text, err := w.Text(form)
		if err != nil {
			t.Fatal(err)
		}
		_, f := transpile.Dialects.Form(form)
		p, diags := transpile.Load([]transpile.Source{{Name: "again" + f.Ending, Text: text}}, transpile.Options{})
		if p == nil {
			t.Fatalf("%s: %v\n%s", form, diags.Err(), text)
		}
		var called []string
		for _, f := range p.IR.Funcs {
			v := f.Current()
			for i := range v.Insts {
				for _, k := range v.Insts[i].Keep {
					called = append(called, p.IR.CalledOr(v, k))
				}
			}
		}
		slices.Sort(called)
		if got := strings.Join(called, " "); got != "größe' list->sum n" {
			t.Errorf("%s: %s\n%s", form, got, text)
		}
	}
	q, err := w.Translation(transpile.Options{Optimize: 1})
	if err != nil {
		t.Fatal(err)
	}
	files, err := q.Generate()
	if err != nil {
		t.Fatal(err)
	}
	code := ""
	for _, f := range files {
		code += string(f.Data)
	}
	if !strings.Contains(code, "list__sum uint64") {
		t.Errorf("no variable of Go is called like list->sum:\n%s", code)
	}
	b.Entry.Name(w.Int(w.i64, 3), "no name")
	b.Entry.Name(b.Entry.Bin(front.Add, w.i64, b.Args[0], b.Args[0]), "two words")
	if err := w.Check(); err == nil || !strings.Contains(err.Error(), `"two words" is no name in @f.v1.entry: a name is one word`) {
		t.Error(err)
	}
}
