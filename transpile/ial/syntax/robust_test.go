package syntax

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// sample has one of everything, without faults.
const sample = `// sample
[a:b] type T align 8
{
    field instance int32 x; field static T&[] s;
    [c:d] field thread void(int8[], U{3}*) cdecl* f;
}
type U { field int8 'y z'; }
field global n/T[4]* g (n, 'b c');
field thread int8 t;
data d (1, -2, 0x3);
function ssa nothrow int32 f(noescape T*, [x:y] uint) stdcall
{
    register float64 r; register T& s;
    block entry unwind h
    {
        r = load.f64 (-1.5e+3);
        [k:v] volatile field.set s, r (T:x);
        r = load.ui8a (1, 2, 3);
        jump.cond r (h, entry);
    }
    block h { r = phi (r, s); r = load.size (int8[2]{3}); ffi (libc, puts); }
}
entry f; thread exit n/f; module entry f;
`

// After an error the rest of the text is still read.
func TestRecovery(t *testing.T) {
	src := `type A { field int8; field int8 ok; }
type B align { field int8 x; }
type C field int8 x; field int8; }
field global int8;
field global int8 later;
function f() { register int8 r; block entry { nop nop; } }
function void g(int8 a) { register int8; register int8 ok;
    block entry { bad; x = copy; leave; }
    block { nop }
    block last { leave
    register int8 outside;
    block l2 { x = ari.add (1); nop;
function void h() {
    nop;
    block entry { [m] nop; jump (); fence 1; leave; } }
data d 1;
data ok (1, x);
thread g;
} ;
entry g
`
	f, errs := parse(src)
	var got []string
	for _, d := range errs.All() {
		got = append(got, strings.TrimPrefix(errs.Set().Position(d.Pos).String(), "t.ial:"))
	}
	want := "1:20 2:14 3:8 3:32 4:18 6:16 6:51 7:22 7:40 8:19 8:28 9:11 9:17 11:5 12:28 13:1 14:5 15:21 15:34 15:43 16:8 17:13 18:8 19:1 19:3 21:1"
	if strings.Join(got, " ") != want {
		for _, d := range errs.All() {
			t.Log(errs.Format(d))
		}
		t.Errorf("\n got %s\nwant %s", strings.Join(got, " "), want)
	}
	names := func(list []Name) string { return join(list, func(n Name) string { return n.Text }) }
	var types, fields, funcs, data []Name
	for _, d := range f.Types {
		types = append(types, d.Name)
	}
	for _, d := range f.Fields {
		fields = append(fields, d.Name)
	}
	for _, d := range f.Funcs {
		funcs = append(funcs, d.Name)
	}
	for _, d := range f.Data {
		data = append(data, d.Name)
	}
	if got := names(types) + " | " + names(fields) + " | " + names(funcs) + " | " + names(data); got != "A, B, C | , later | , g, h | d, ok" {
		t.Errorf("read %s", got)
	}
	if !f.Lost || !f.Types[0].Lost || f.Types[1].Lost || !f.Funcs[1].Lost {
		t.Error("what may be missing is not known")
	}
}

// A text that ends anywhere gives errors, and no panic.
func TestTruncated(t *testing.T) {
	if _, errs := parse(sample); errs.HasErrors() {
		t.Fatal(errs)
	}
	for i := range len(sample) {
		f, errs := parse(sample[:i])
		if f.Bad != errs.HasErrors() || errs.Errors() > 2 {
			t.Errorf("%q: Bad is %v: %v", sample[:i], f.Bad, errs)
		}
		if f, errs := parse(sample[i:]); f.Bad != errs.HasErrors() {
			t.Errorf("%q: Bad is %v", sample[i:], f.Bad)
		}
	}
}

// One missing, doubled or replaced token gives few errors.
func TestSlips(t *testing.T) {
	text := Scan(sample)
	most := 0
	for i, tok := range text.Tokens[:len(text.Tokens)-1] {
		for _, with := range []string{"", "; ", "{ ", "} ", "( ", ") ", "5 ", "x ", sample[tok.Off:tok.End] + " " + sample[tok.Off:tok.End]} {
			src := sample[:tok.Off] + with + sample[tok.End:]
			_, errs := parse(src)
			if n := errs.Errors(); n > most {
				most = n
				if n > 8 {
					t.Errorf("token %d, %q instead of %q: %d errors: %v", i, with, sample[tok.Off:tok.End], n, errs)
				}
			}
		}
	}
}

// hostile are texts that a careless parser needs much time or stack for.
var hostile = []struct {
	name string
	text func(n int) string
}{
	{"pointers", func(n int) string { return "type T { field int8" + strings.Repeat("*", n) + " x; }" }},
	{"vectors", func(n int) string { return "type T { field int8" + strings.Repeat("[2]", n) + " x; }" }},
	{"results", func(n int) string { return "type T { field int8" + strings.Repeat("()", n) + " x; }" }},
	{"parameters", func(n int) string { return "type T { field " + strings.Repeat("int8(", n) + " x; }" }},
	{"closed parameters", func(n int) string {
		return "type T { field " + strings.Repeat("int8(", n) + "int8" + strings.Repeat(")", n) + " x; }"
	}},
	{"parameters and suffixes", func(n int) string {
		return "type T { field " + strings.Repeat("int8***(", n) + "int8" + strings.Repeat(")", n) + " x; }"
	}},
	{"brackets", func(n int) string { return strings.Repeat("[", n) }},
	{"braces", func(n int) string { return strings.Repeat("{", n) + strings.Repeat("}", n) }},
	{"types without end", func(n int) string { return strings.Repeat("type T { ", n) }},
	{"functions without end", func(n int) string { return strings.Repeat("function void f() { block entry { ", n) }},
	{"heads without end", func(n int) string { return strings.Repeat("function void f(", n) }},
	{"blocks without braces", func(n int) string { return "function void f() { " + strings.Repeat("block b nop; ", n) }},
	{"blocks without names", func(n int) string { return "function void f() { " + strings.Repeat("block ", n) }},
	{"types without braces", func(n int) string { return strings.Repeat("type T x y z ", n) }},
	{"attributes", func(n int) string { return "function " + strings.Repeat("pure ", n) + "void f() { }" }},
	{"equals signs", func(n int) string { return "function void f() { block b { " + strings.Repeat("x = ", n) }},
	{"open quotes", func(n int) string { return strings.Repeat("\\'\n", n) }},
	{"quotes", func(n int) string { return strings.Repeat("'\n", n) }},
	{"semicolons", func(n int) string { return strings.Repeat(";", n) }},
	{"commas", func(n int) string { return "data d (" + strings.Repeat(",", n) }},
	{"literals", func(n int) string { return "data d (" + strings.Repeat("1,", n) + "1);" }},
	{"long literal", func(n int) string { return "data d (" + strings.Repeat("1", n) + ");" }},
	{"glued literals", func(n int) string { return "data d (" + strings.Repeat("1x.", n) + ");" }},
	{"long name", func(n int) string { return "type " + strings.Repeat("x", n) + " { field }" }},
	{"bad bytes", func(n int) string { return strings.Repeat("\xff ", n) }},
	{"metadata", func(n int) string { return "[" + strings.Repeat("a:b, ", n) + "c:d] type T { }" }},
	{"functions", func(n int) string { return strings.Repeat("function void f() { block entry { r = copy a; } } ", n) }},
}

// work parses a text and returns the number of steps and the errors.
func work(src string) (int, *diag.List) {
	set := diag.NewSet()
	f, err := set.Add("t.ial", []byte(src))
	if err != nil {
		panic(err)
	}
	errs := diag.NewList(set)
	p := newParser(f, errs)
	p.file()
	return p.steps + scan(src, math.MaxInt).steps, errs
}

func TestLinear(t *testing.T) {
	for _, tt := range hostile {
		const n = 3000
		one, errs := work(tt.text(n))
		two, _ := work(tt.text(2 * n))
		if two > 2*one+100 {
			t.Errorf("%s: %d steps, %d for twice the text", tt.name, one, two)
		}
		for _, d := range errs.All() {
			if len(d.Msg) > 2000 || !utf8.ValidString(d.Msg) {
				t.Errorf("%s: message of %d bytes", tt.name, len(d.Msg))
			}
		}
	}
}

func TestDepth(t *testing.T) {
	texts := func(n int) []string {
		return []string{
			"int8" + strings.Repeat("*", n), "int8" + strings.Repeat("[]", n), "int8" + strings.Repeat("{1}", n), "void" + strings.Repeat("()", n),
			strings.Repeat("int8(", n) + "int8" + strings.Repeat(")", n),
			strings.Repeat("int8(", n/2) + "int8" + strings.Repeat(")*", n/2),
			"int8" + strings.Repeat("*", n/2) + "(int8" + strings.Repeat("*", n-1) + ")",
		}
	}
	for i, typ := range texts(MaxDepth) {
		if _, errs := parse("field global " + typ + " x;"); errs.HasErrors() {
			t.Errorf("text %d of the greatest depth: %v", i, errs)
		}
	}
	for i, typ := range texts(MaxDepth + 2) {
		_, errs := parse("field global " + typ + " x;\nfield global int8 y")
		if errs.Errors() != 2 || !strings.Contains(errs.Error(), "bad type: it nests more than 1000 levels deep") {
			t.Errorf("text %d that is too deep: %v", i, errs.Err())
		}
	}
}

func TestTooManyErrors(t *testing.T) {
	_, errs := parse(strings.Repeat("x;\n", 2*maxErrors))
	all := errs.All()
	if len(all) != maxErrors+1 || all[maxErrors].Msg != "too many syntax errors, the rest of the file was not read" {
		t.Errorf("%d errors, the last: %s", len(all), all[len(all)-1].Msg)
	}
}

// //line comments set the places of the lines that follow.
func TestLineDirectives(t *testing.T) {
	_, errs := parse("type T { }\n//line a/b.src:10:5\nx;\n  y;\n//line :20\nz;\n")
	var got []string
	for _, d := range errs.All() {
		got = append(got, errs.Set().Position(d.Pos).String())
	}
	if want := "[a/b.src:10:5 a/b.src:11:3 a/b.src:20:1]"; fmt.Sprint(got) != want {
		t.Errorf("got %v", got)
	}
}
