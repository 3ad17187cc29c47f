package syntax

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// TestOutline reads bodies one at a time, in any order, and compares them with those that Parse reads.
func TestOutline(t *testing.T) {
	const text = `
.typedef @i64 = int<64>
.const @list <@l> = { @a @b } // } in a comment
.funcsig @s = (@i64) -> (@i64)
.funcdef @one VERSION %v <@s> { %e(<@i64> %x): RET %x }
.funcdef @two VERSION %v <@s> { // a brace {
	%e(<@i64> %x):
		SWITCH <@i64> %x %d(%x) { @a %e(%x) @b %d(@c) }
	%d(<@i64> %y) [%exc]: // }}}
		%z = ADD <@i64> %y @a
		RET %z
}
.funcdef @three VERSION %v <@s>{%e(<@i64> %x):[%n]TRAP<>EXC(%e(%x)%e(%x))KEEPALIVE(%x)}
.const @a <@i64> = 1 .funcdecl @four <@s>
`
	files := diag.NewSet()
	f, err := files.Add("t.uir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	errs := diag.NewList(files)
	whole := Parse(f, NewSymbols(), errs, 0)
	if errs.HasErrors() {
		t.Fatal(errs)
	}
	o, ok := ReadOutline(f, NewSymbols(), 0)
	if !ok || len(o.Defs) != len(whole.Defs) {
		t.Fatalf("%d definitions, %v", len(o.Defs), ok)
	}
	spelled := func(b *Bundle, d *FuncDef) string {
		var out strings.Builder
		Fprint(&out, &Bundle{File: b.File, Syms: b.Syms, Defs: []Def{d}})
		return out.String()
	}
	for _, i := range []int{5, 4, 3, 5, 3, 4} {
		want, d := whole.Defs[i].(*FuncDef), o.Defs[i].(*FuncDef)
		if !o.Read(d) {
			t.Fatalf("definition %d: errors", i)
		}
		if d.FuncHead.Off != want.Off || d.Open != want.Open || d.Close != want.Close || spelled(o.Bundle, d) != spelled(whole, want) {
			t.Errorf("got\n%s\nwant\n%s", spelled(o.Bundle, d), spelled(whole, want))
		}
	}
}

// TestOutlineRefuses reads texts with errors, which Parse is to report.
func TestOutlineRefuses(t *testing.T) {
	const head = ".funcsig @s = () -> () .funcdef @f VERSION %v <@s> "
	for _, text := range []string{
		".typedef @i64",
		head,
		head + "{ %e(): RET ",
		head + "{ %e(): RET } }",
		head + "{ %e(): RET .funcdef @g VERSION %v <@s> { %e(): RET }",
		head + "{ %e(): RET { } }",
		head + "{ }",
		head + "{ %e(): SWITCH <@i> %x %d() { @a %e() ",
		head + "{ %e(): RET // }",
		head + "{ %e(): RET } } .typedef @i = int<1>",
	} {
		files := diag.NewSet()
		f, err := files.Add("t.uir", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		o, ok := ReadOutline(f, NewSymbols(), 0)
		for _, d := range o.Defs {
			if d, is := d.(*FuncDef); ok && is {
				ok = o.Read(d)
			}
		}
		errs := diag.NewList(files)
		if Parse(f, NewSymbols(), errs, 0); ok || !errs.HasErrors() {
			t.Errorf("%s: outline %v, parsed %v", text, ok, errs.Err())
		}
	}
}
