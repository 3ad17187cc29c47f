package tidy_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/gogen/tidy"
)

// same compares with go/format where Format does not refuse.
func same(t *testing.T, src string) (ok bool) {
	t.Helper()
	want, err := format.Source([]byte(src))
	if err != nil {
		t.Fatalf("%v in\n%s", err, src)
	}
	got, ok := tidy.Format([]byte(src))
	if ok && !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s\nof\n%s", got, want, src)
	}
	return ok
}

func body(stmts ...string) string {
	return "package p\n\nfunc f() {\n" + strings.Join(stmts, "\n") + "\n}\n"
}

// TestKnown is about what generated code has.
func TestKnown(t *testing.T) {
	for _, s := range []string{
		"fp := t.SP",
		"if fp+48 > t.Limit {\nif fp = t.GrowRefs(48, o); fp == 0 {\nreturn\n}\n}",
		"*(*uint32)(unsafe.Pointer(fp+4)) = 0x10006",
		"*(*uint64)(unsafe.Add(unsafe.Pointer(o), 104 + 24 * rt.Is64)) = v[2*i]",
		"x := a+b*c - -d",
		"x := a&^b | ^c& ^d + e/ *p",
		"x = y - -1 + +2 ^ ^3",
		"x := a & &b[0]",
		"return (n+n)",
		"return ((n+n)), (a)",
		"if ((a+b) == (c)) {\ng((a*b), (c+d)-1)\n} else if (!b) {\n} else {\nh((a+b))\n}",
		"for i := 0;i < n+1;i++ {\ng(i)\n}",
		"for {\nbreak\n}",
		"switch a+b {\ncase 1+2, 3:\ng()\ncase 4:\ndefault:\ng()\ng()\n}",
		"goto l\nl:\n{\nx++\n}\nm:\n{}",
		"{}\nif a {}",
		"var a, b [(n+7)/8]uint64",
		"var a []*T = []*T{x+1, {F: a+b*c, G: []int{1, 2}}}",
		"a, b = a + 1, b * 2 + 1",
		"a[i+1], b = a[i], 1",
		"a[i + 1]++\nx <<= a|b",
		`s := "a+b \" // c" + 'a' + '\''`,
		"x := 1e-3 + 0x1p-2*0x1e-1",
		"//line a.uir:3\ng(a, b...)\n//line a.uir:4",
		"x := atomics.Load[uint64](p + 8)",
		"x := (*(*call3)(unsafe.Pointer(&f)))(t, a-1)",
		"x := uint64(int64(a)>>(b&63)) | c<<3",
		"x := a == b && c+1 < d || !e",
		"if h := rt.LeaveStack(t, a+b);h.Yield != nil {\ng()\n}",
	} {
		if !same(t, body(s)) {
			t.Errorf("refused: %s", s)
		}
	}
	for _, s := range []string{
		"// Code generated.\n\npackage p\nvar a int\nvar b = c+d\n\n\nvar e int\nfunc f() {\n}\n",
		"package p\n// f is f.\n//line a.uir:1\nfunc f(a *T, b [4]int) (r0 int) {\nreturn 1\n}\n//line x:1\n\n\n// g is g.\nfunc g() {\n}\n//line x:1\n",
		"package p\nvar a = [...]T{\n{A: a+b*c},\n&x.y,\n1+2*3,\n}\nvar b = []T{\n}\n",
		"package p\nvar a = [...]rt.T{}\nvar b = T{a+b, f(a+b, c), -1}\nfunc init() {\na[1].b = &c[2]\n}",
	} {
		if !same(t, s) {
			t.Errorf("refused: %s", s)
		}
	}
}

// TestRefused is about what gofmt would change in ways that this package does not
// know.
func TestRefused(t *testing.T) {
	for _, s := range []string{
		body("x := 1 // one"), body("// one\nx := 1"), body("", "x := 1"), body("x := f(1,\n2)"), body("x := []int{\n1,\n}"),
		body("x := func() int {\nreturn 1\n}"), body("x := `a\n  b`"), body("x := a[b+1:c]"), body("x := f(func() { g(1+2) })"), body("var (\na int\n)"),
		body("x := []int{a+b,}"), body("go f(a+b)"), body("x := y.(T) + 1"), body("const a = 1+1"),
		"package p\ntype t struct {\na int\nbcd string\n}\n", "package p\nvar a = T{\nA: 1,\nBcd: 2,\n}\n", "package p\n\nvar (\na = 1\nbcd = 2\n)\n",
		"package p\n\n// # Head\nfunc f() {\n}\n", "package p\n\n// one\n// - two\nfunc f() {\n}\n", "package p\nfunc f() { g() }\n",
		"//go:build a\npackage p\n", "package p\nimport \"b\"\nimport \"a\"\n", "package p\n/* a */ var b int\n", "package p\nvar x int; var y int\n",
	} {
		if same(t, s) {
			t.Errorf("not refused: %s", s)
		}
	}
	for _, s := range []string{"package p\nfunc f() {", "}", "package p\nfunc f() {\n}}\n", "a", "package p\nvar a = (\n", body("x := \"a + b"), body("x := a +"), body("if a+b"), body("if (a {"), body("}", "}"), body("else {")} {
		tidy.Format([]byte(s)) // no panic
	}
}

// random makes expressions with the operators in any order, and blanks or none.
type random struct{ *rand.Rand }

func (r random) pick(s ...string) string { return s[r.IntN(len(s))] }

func (r random) expr(depth int) string {
	if depth == 0 {
		return r.pick("a", "b", "12", "c.d", "e[1]", "*p", "-q", "^r", "f()", "rt.Is64", "&s.t", `"x+y"`)
	}
	x, y := r.expr(r.IntN(depth)), r.expr(r.IntN(depth))
	switch r.IntN(12) {
	case 0:
		return "(" + x + ")"
	case 1:
		return "((" + x + "))"
	case 2:
		return "f(" + x + ")"
	case 3:
		return "g.h(" + x + ", " + y + ")"
	case 4:
		return "m[" + x + "]"
	case 5:
		return "*(*uint64)(unsafe.Pointer(" + x + "))"
	case 6:
		return "T{A: " + x + ", B: " + y + "}"
	case 7:
		return r.pick("-", "^", "!") + "(" + x + ")"
	}
	blank := r.pick("", " ", " ")
	op := r.pick("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "&^", "==", "<", ">=", "&&", "||")
	if blank == "" && strings.ContainsAny(y[:1], "*-^&!") {
		blank = " " // other tokens otherwise
	}
	return x + blank + op + blank + y
}

func TestRandom(t *testing.T) {
	r := random{rand.New(rand.NewPCG(1, 2))}
	refused := 0
	const n = 20000
	for range n {
		var s string
		x, y, z := r.expr(4), r.expr(4), r.expr(3)
		switch r.IntN(7) {
		case 0:
			s = "x := " + x
		case 1:
			s = "x, y = " + x + ", " + y
		case 2:
			s = "return " + x + ", " + y
		case 3:
			s = "if f(" + x + ") {\n}"
		case 4:
			s = "f(" + x + ", " + y + ", " + z + ")"
		case 5:
			s = "m[" + x + "] += " + y
		case 6:
			s = "switch f(" + x + ") {\ncase " + y + ":\n}"
		}
		if !same(t, body(s)) {
			refused++
			t.Logf("refused: %s", s)
		}
		if t.Failed() {
			return
		}
	}
	if refused > 0 {
		t.Errorf("%d of %d refused", refused, n)
	}
}

// TestSources takes all functions of this module without their indentation. Most
// have something that is refused; the others must come out as they are.
func TestSources(t *testing.T) {
	known, all := 0, 0
	err := filepath.Walk(filepath.Join("..", "..", ".."), func(path string, info os.FileInfo, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, src, parser.SkipObjectResolution)
		if err != nil {
			return nil // a test's example of bad Go
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			var b strings.Builder
			fmt.Fprintf(&b, "package p\n\n")
			for l := range strings.Lines(string(src[set.Position(fn.Pos()).Offset:set.Position(fn.End()).Offset])) {
				b.WriteString(strings.TrimLeft(l, "\t"))
			}
			all++
			if same(t, b.String()) {
				known++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if known < all/5 {
		t.Errorf("only %d of %d functions known", known, all)
	}
}

func BenchmarkFormat(b *testing.B) {
	src := []byte("package p\n" + strings.Repeat("func f() {\nif int64(n) <= int64(0) {\nx := *(*uint64)(unsafe.Add(unsafe.Pointer(o), 104+24*rt.Is64))\ny := a + b*c\ng(y, x)\n}\n}\n", 1000))
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, ok := tidy.Format(src); !ok {
			b.Fatal("refused")
		}
	}
}
