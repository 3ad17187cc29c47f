package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

func parse(src string) (*Module, *diag.List) {
	set := diag.NewSet()
	f, err := set.Add("t.tvm", []byte(src))
	if err != nil {
		panic(err)
	}
	errs := diag.NewList(set)
	errs.MaxErrors = -1
	return Parse(f, errs), errs
}

// show writes a module as nested lists.
func show(m *Module) string {
	var b strings.Builder
	for _, g := range m.Globals {
		fmt.Fprintf(&b, "%s %s", g.Name.Text, [...]string{"global", "define", "recursive", "base", "function"}[g.Kind])
		if g.Extern {
			b.WriteString(" extern")
		}
		if g.Const {
			b.WriteString(" const")
		}
		for w, l := range linkages {
			if l == g.Linkage {
				b.WriteString(" " + w)
			}
		}
		if g.Kind == Recursive {
			b.WriteString(" (" + showParams(g.Params, g.Phantoms) + ")")
		}
		b.WriteString(g.Derived.Text + g.Offset.Text)
		for _, e := range []*Expr{g.Type, g.Value, g.Fn} {
			if e != nil {
				b.WriteString(" " + showExpr(e))
			}
		}
		if g.Body != nil {
			for _, k := range g.Body.Blocks {
				fmt.Fprintf(&b, " [%s(%s)%v:", k.Name.Text, k.Dom.Text, k.Landing)
				for _, s := range k.Stmts {
					b.WriteString(" " + s.Name.Text + "=")
					if s.Phi != nil {
						b.WriteString("phi " + showExpr(s.Phi.Type))
						for _, e := range s.Phi.Edges {
							b.WriteString(" " + e.From.Text + ">" + showExpr(e.Value))
						}
						continue
					}
					b.WriteString(showExpr(s.Value))
				}
				b.WriteString("]")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func showParams(list []*Param, phantoms int) string {
	var words []string
	for i, p := range list {
		if i == phantoms && i > 0 {
			words = append(words, "|")
		}
		words = append(words, fmt.Sprintf("%s:%s", p.Name.Text, strings.Repeat("!", int(p.Attrs))+showExpr(p.Type)))
	}
	return strings.Join(words, " ")
}

func showExpr(e *Expr) string {
	switch e.Kind {
	case Use:
		return e.Text
	case Lit:
		return e.Int.String()
	case Exists:
		return "{exists " + showParams(e.Params, 0) + " > " + showExpr(e.Result) + "}"
	case FnType:
		return "{" + e.Conv.String() + fmt.Sprint(e.SRet) + " " + showParams(e.Params, e.Phantoms) + " > " + strings.Repeat("!", int(e.ResultAttrs)) + showExpr(e.Result) + "}"
	}
	if len(e.Args) == 0 {
		return e.Text
	}
	s := "(" + e.Text
	for _, a := range e.Args {
		s += " " + showExpr(a)
	}
	return s + ")"
}

// TestGrammar has texts and their trees (docs/tvm.md, "Text").
func TestGrammar(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"%a = define #i1;", "%a define #i1"},
		{"%a=define(add %x-y %b%c);", "%a define (add %x-y %b %c)"},
		{"%0 = add #i1 #ub2;", "%0 define (add #i1 #ub2)"},
		{"%s = array i8 #up4; // one\n/* two\nlines */ %t=#i1;", "%s define (array i8 #up4)\n%t define #i1"},
		{"%a = define pointer struct i32;", "%a define (pointer struct i32)"},
		{"%a = define pointer (struct i32);", "%a define (pointer (struct i32))"},
		{"%a = define const #i1;", "%a define (constant #i1)"},
		{"%a = define pointer const;", "%a define (pointer constant)"},
		{"%a = define fp-x86-80;", "%a define fp-x86-80"},
		{"%a = global i32;", "%a global i32"},
		{"%a = extern global const export i32 #i1;", "%a global extern const export i32 #i1"},
		{"%a = global const (const #i1) #i1;", "%a global const (constant #i1) #i1"},
		{"%a = global odr type i32;", "%a global odr type i32"},
		{"%r = recursive > struct i32;", "%r recursive () (struct i32)"},
		{"%r = recursive (%a : type | %b : i32) > (struct i32);", "%r recursive (%a:type | %b:i32) (struct i32)"},
		{"%r = recursive (%n : i32) > i32 > add %n #i1;", "%r recursive (%n:i32) i32 (add %n #i1)"},
		{"%b = base %D %O > struct i32;", "%b base%D%O (struct i32)"},
		{"%b = define %base;", "%b define %base"},
		{"%f = function (i32, : llvm_byval i64, %x : llvm_inreg llvm_byval array i8 #up4) > llvm_inreg empty;",
			"%f function {false :i32 :!i64 %x:!!!(array i8 #up4) > !!empty}"},
		{"%f = import function cc_c sret (%function : type | pointer %function) > empty;",
			"%f function import {cc_ctrue %function:type | :(pointer %function) > empty}"},
		{"%f = function cc_x86_fastcall (|) > empty;", "%f function {cc_x86_fastcallfalse  > empty}"},
		{"%e = define exists (%t : type, i32) > (pointer %t);", "%e define {exists %t:type :i32 > (pointer %t)}"},
		{"%f = local function () > i32 { return #i1; };", "%f function local {false  > i32} [()false: =(return #i1)]"},
		{"%f = private function () > i32 { %a = %b; i32; #i1; block %x: phi i32: > #i1, %y > (add %a %b); landing_pad %y(%x): return %a; };",
			"%f function private {false  > i32} [()false: %a=%b =i32 =#i1] [%x()false: =phi i32 >#i1 %y>(add %a %b)] [%y(%x)true: =(return %a)]"},
		{"%a = true;%b = (((true)));", "%a define true\n%b define true"},
	} {
		m, errs := parse(tt.src)
		if got := strings.TrimSpace(show(m)); got != tt.want || errs.HasErrors() || m.Bad {
			t.Errorf("%s\ngives %s\nwant  %s\n%v", tt.src, got, tt.want, errs.Err())
		}
	}
}

// TestNumbers checks literals of every type and form.
func TestNumbers(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"#i432098", "i32 432098"}, {"#up4", "uiptr 4"}, {"#i-102", "i32 -102"}, {"#ub255", "ui8 255"},
		{"#ix7fffffff", "i32 2147483647"}, {"#lx-10", "i64 -16"}, {"#i4294967295", "i32 -1"}, {"#ui-1", "ui32 4294967295"},
		{"#b-128", "i8 -128"}, {"#s1", "i16 1"}, {"#p-1", "iptr -1"}, {"#us65535", "ui16 65535"}, {"#ul18446744073709551615", "ui64 18446744073709551615"},
		{"#q-170141183460469231731687303715884105728", "i128 -170141183460469231731687303715884105728"},
		{"#uqxFFffFFffFFffFFffFFffFFffFFffFFff", "ui128 340282366920938463463374607431768211455"},
		{"#i000", "i32 0"}, {"#i-0", "i32 0"}, {"#i" + strings.Repeat("0", 500) + "7", "i32 7"},
		{"#b-129", "!bad number #b-129: it does not fit i8"}, {"#b256", "!bad number #b256: it does not fit i8"},
		{"#i4294967296", "!bad number #i4294967296: it does not fit i32"},
		{"#4", "!bad number #4: wanted b, s, i, l, q or p for the type, or u and one of these"},
		{"#u4", "!bad number #u4: wanted b, s, i, l, q or p for the type, or u and one of these"},
		{"#i", "!bad number #i: it has no digits"}, {"#ix", "!bad number #ix: it has no digits"}, {"#i-", "!bad number #i-: it has no digits"},
		{"#i12a", "!bad number #i12a: 'a' is no digit of base 10"}, {"#ix1g", "!bad number #ix1g: 'g' is no digit of base 16"},
		{"#i--1", "!bad number #i--1: '-' is no digit of base 10"},
	} {
		n, err := ParseNumber(tt.src)
		got := fmt.Sprintf("%s %s", n.Type, n.Value())
		if err != nil {
			got = "!" + err.Error()
		} else if again, err := ParseNumber(n.String()); err != nil || again != n {
			t.Errorf("%s is written %s", tt.src, n)
		}
		if got != tt.want {
			t.Errorf("%s is %s, want %s", tt.src, got, tt.want)
		}
	}
	if _, err := ParseNumber("#q" + strings.Repeat("9", 1_000_000)); err == nil {
		t.Error("a number of a million digits fits")
	}
}

// TestErrors has texts with errors and all messages about them.
func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want []string
	}{
		{"%a", []string{"1:3: bad global: wanted =, found end of file"}},
		{"% = define #i1;", []string{"1:1: bad name: % is alone"}},
		{"%a = define # ;", []string{"1:13: bad number: # is alone"}},
		{"%a = define #i1 %b = define #i2;", []string{"1:17: bad definition: wanted ;, found %b"}},
		{"%a = define $;\n%b = define;\n%c = define #i1;", []string{"1:13: bad character $", "2:12: bad definition: wanted an expression, found ;"}},
		{"%a = define add #i9999999999 #b1000;", []string{"1:17: bad number #i9999999999: it does not fit i32", "1:30: bad number #b1000: it does not fit i8"}},
		{"%a = phi;", []string{"1:6: bad global: wanted global, define, recursive, base, function or an expression, found the keyword phi"}},
		{"%a = define (add #i1;", []string{"1:21: bad definition: wanted ), found ;"}},
		{"%a = define #i1; /* ", []string{"1:18: bad comment: it has no end"}},
		{"%a = base %b > i32;", []string{"1:14: bad base: wanted the name of the offset, found >"}},
		{"%f = function (i32,) > i32;", []string{"1:20: bad function: wanted another parameter, found )"}},
		{"%f = function (i32 | i32 | i32) > i32;", []string{"1:26: bad function: wanted , or ), found |"}},
		{"%e = define exists (i32 | i32) > i32;", []string{"1:25: bad definition: wanted , or ), found |"}},
		{"%f = function () > i32 {\n  %a = ;\n  return $;\nblock %: return #i1;\n};\n%g = 3;", []string{
			"2:8: bad statement: wanted an expression, found ;", "3:10: bad character $", "4:7: bad name: % is alone"}},
		{"%f = function () > i32 {\n  phi i32 > #i1;\n  phi i32: #i1;\n};", []string{
			"2:11: bad phi: wanted :, found >", "3:12: bad phi: wanted > and a value, found #i1"}},
		{"%f = function () > i32 {\n  return #i1;\n%g = define #i1;\n%h = ;", []string{
			"3:6: bad statement: wanted an expression, found the keyword define", "4:6: bad statement: wanted an expression, found ;", "4:7: bad statement: wanted }, found end of file"}},
	} {
		m, errs := parse(tt.src)
		var got []string
		for _, d := range errs.All() {
			got = append(got, strings.TrimPrefix(errs.Format(d), "t.tvm:"))
		}
		if fmt.Sprint(got) != fmt.Sprint(tt.want) || !m.Bad {
			t.Errorf("%s\ngives %q\nwant  %q", tt.src, got, tt.want)
		}
	}
}

// TestDeep checks that nesting is bounded, whatever nests.
func TestDeep(t *testing.T) {
	for _, open := range []string{"(", "(add ", "(function (", "exists (x : ", "(exists () > ", "(function () > "} {
		_, errs := parse("%a = define " + strings.Repeat(open, 100_000))
		if n := len(errs.All()); n == 0 || n > 3 {
			t.Errorf("%s...: %d errors", open, n)
		}
		_, errs = parse("%a = define " + strings.Repeat("(add #i1 ", 900) + "#i1" + strings.Repeat(")", 900) + ";")
		if err := errs.Err(); err != nil {
			t.Error(err)
		}
	}
}

// TestMany checks that a text of another kind gives a bounded number of errors.
func TestMany(t *testing.T) {
	_, errs := parse(strings.Repeat("%a = $;\n", 2*maxErrors))
	if n := len(errs.All()); n != maxErrors {
		t.Errorf("%d errors", n)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("%a = function (%t : type | x) > i32 { %a = phi i32: > #i1; block %b(%c): return (add #i1 #i2); };")
	f.Add("%r = recursive () > T > v; %b = base %D %O > struct; % # #x /* ")
	f.Fuzz(func(t *testing.T, src string) {
		if m, errs := parse(src); m.Bad != errs.HasErrors() {
			t.Fatalf("Bad is %v, errors: %v", m.Bad, errs.Err())
		}
	})
}
