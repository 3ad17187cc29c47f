package gotree

import (
	"go/ast"
	"go/format"
	"go/parser"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestPrecedence: there are parentheses where Go needs them, and nowhere else.
func TestPrecedence(t *testing.T) {
	a, b, c := &Ident{Name: "a"}, &Ident{Name: "b"}, &Ident{Name: "c"}
	bin := func(op Op, x, y Expr) Expr { return &Binary{Op: op, X: x, Y: y} }
	for _, tt := range []struct {
		x    Expr
		want string
	}{
		{bin(Add, bin(Add, a, b), c), "a + b + c"},
		{bin(Add, a, bin(Add, b, c)), "a + (b + c)"},
		{bin(Mul, bin(Add, a, b), c), "(a + b) * c"},
		{bin(Add, bin(Mul, a, b), c), "a*b + c"},
		{bin(Sub, a, &Unary{Op: '-', X: b}), "a - -b"},
		{bin(And, a, &Unary{Op: '^', X: b}), "a & ^b"},
		{bin(Div, a, &Star{X: b}), "a / *b"},
		{&Unary{Op: '!', X: bin(Less, a, b)}, "!(a < b)"},
		{&Unary{Op: '!', X: &Call{F: a, Args: []Expr{b}}}, "!a(b)"},
		{&Dot{X: &Star{X: a}, Name: "F"}, "(*a).F"},
		{&Star{X: &Dot{X: a, Name: "F"}}, "*a.F"},
		{&Star{X: &Conv{T: PtrTo(Uint64), X: a}}, "*(*uint64)(a)"},
		{&Call{F: a, Args: []Expr{bin(Add, a, b), c}}, "a(a+b, c)"},
		{&Call{F: a, Args: []Expr{bin(Add, a, b)}}, "a(a + b)"},
		{&Index{X: a, I: bin(Add, b, c)}, "a[b+c]"},
		{&Conv{T: Uint64, X: bin(Shl, a, b)}, "uint64(a << b)"},
		{bin(Shr, &Conv{T: Int64, X: bin(Shl, a, &Num{V: 12})}, &Num{V: 12}), "int64(a<<12) >> 12"},
		{&Lit{T: Named("T"), Elems: []Elem{{"A", a}, {"B", &Num{V: 0x10000, Hex: true}}}}, "T{A: a, B: 0x10000}"},
	} {
		if got := String(tt.x); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}

// TestNot: the negation of an order comparison of floating-point numbers is no order comparison, because of NaNs.
func TestNot(t *testing.T) {
	i, j, f := &Ident{"i", Int}, &Ident{"j", Int}, &Ident{"f", Float}
	c := &Call{F: &Ident{Name: "c"}, K: Bool}
	for _, tt := range []struct {
		x    Expr
		want string
	}{
		{&Binary{Op: LessEq, X: i, Y: j}, "i > j"},
		{&Binary{Op: Less, X: i, Y: &Num{V: 2}}, "i >= 2"},
		{&Binary{Op: LessEq, X: f, Y: f}, "!(f <= f)"},
		{&Binary{Op: Less, X: &Call{F: &Ident{Name: "g"}}, Y: &Num{V: 1}}, "!(g() < 1)"},
		{&Binary{Op: Equal, X: f, Y: f}, "f != f"},
		{&Unary{Op: '!', X: c}, "c()"},
		{c, "!c()"},
		{&Binary{Op: AndAnd, X: c, Y: &Binary{Op: Equal, X: i, Y: j}}, "!c() || i != j"},
		{True, "false"},
	} {
		if got := String(Not(tt.x)); got != tt.want {
			t.Errorf("not %s: %s, want %s", String(tt.x), got, tt.want)
		}
	}
}

// TestGofmt: random expressions are laid out as gofmt does, and are read back as what was meant.
func TestGofmt(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		x := random(r, 5)
		text := String(x)
		y, err := parser.ParseExpr(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got, want := spell(y), full(x); got != want {
			t.Fatalf("%s is read as %s, want %s", text, got, want)
		}
		src, err := format.Source([]byte("x = " + text))
		if err != nil || string(src) != "x = "+text {
			t.Fatalf("%s, gofmt has %s (%v)", text, src, err)
		}
	}
}

// random is an expression of some depth.
func random(r *rand.Rand, depth int) Expr {
	if depth == 0 || r.IntN(6) == 0 {
		return []Expr{&Ident{Name: "a"}, &Num{V: 7}, &Qual{Pkg: "rt", Name: "Is64"}}[r.IntN(3)]
	}
	sub := func() Expr { return random(r, depth-1) }
	switch r.IntN(9) {
	case 0:
		return &Unary{Op: "-!&"[r.IntN(3)], X: &Ident{Name: "b"}}
	case 1:
		return &Star{X: &Ident{Name: "p"}}
	case 2:
		return &Call{F: &Ident{Name: "f"}, Args: []Expr{sub(), sub()}[:r.IntN(3)]}
	case 3:
		return &Index{X: &Ident{Name: "x"}, I: sub()}
	case 4:
		return &Conv{T: Uint64, X: sub()}
	case 5:
		return &Dot{X: &Ident{Name: "s"}, Name: "F"}
	}
	return &Binary{Op: Op(1 + r.IntN(int(AndNot))), X: sub(), Y: sub()}
}

// full is an expression with all parentheses.
func full(x Expr) string {
	switch x := x.(type) {
	case *Binary:
		return "(" + full(x.X) + string(ops[x.Op].text) + full(x.Y) + ")"
	case *Unary:
		return "(" + string(x.Op) + full(x.X) + ")"
	case *Star:
		return "(*" + full(x.X) + ")"
	case *Dot:
		return full(x.X) + ".F"
	case *Index:
		return full(x.X) + "[" + full(x.I) + "]"
	case *Conv:
		return "uint64(" + full(x.X) + ")"
	case *Call:
		var l []string
		for _, a := range x.Args {
			l = append(l, full(a))
		}
		return full(x.F) + "(" + strings.Join(l, ",") + ")"
	}
	return String(x)
}

// spell is full of what Go's parser made.
func spell(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return spell(x.X)
	case *ast.BinaryExpr:
		return "(" + spell(x.X) + x.Op.String() + spell(x.Y) + ")"
	case *ast.UnaryExpr:
		return "(" + x.Op.String() + spell(x.X) + ")"
	case *ast.StarExpr:
		return "(*" + spell(x.X) + ")"
	case *ast.SelectorExpr:
		return spell(x.X) + "." + x.Sel.Name
	case *ast.IndexExpr:
		return spell(x.X) + "[" + spell(x.Index) + "]"
	case *ast.CallExpr:
		var l []string
		for _, a := range x.Args {
			l = append(l, spell(a))
		}
		return spell(x.Fun) + "(" + strings.Join(l, ",") + ")"
	case *ast.Ident:
		return x.Name
	case *ast.BasicLit:
		return x.Value
	}
	return "?"
}

// TestFile prints a file with positions: each line of code is at that of its statement, the
// way back says the next line of the file itself, and the first use of each package is known.
func TestFile(t *testing.T) {
	at := func(n int) Pos { return Pos{File: "a.uir", Line: n} }
	body := &Block{At: at(4)}
	body.Define("x", Uint64, &Num{V: 1})
	body.At = at(5)
	then := body.Sub()
	then.Do(&Call{F: &Qual{Pkg: "rt", Name: "Stop"}})
	body.If(&Binary{Op: Equal, X: &Ident{Name: "x"}, Y: &Num{}}, then, nil)
	body.At = at(6)
	body.Return(&Conv{T: UnsafePtr, X: &Unary{Op: '&', X: &Ident{Name: "x"}}})
	code := Print([]Decl{
		&Func{At: at(3), Comment: "f is @f.", Name: "f", Sig: &Sig{Results: []Param{{T: UnsafePtr}}}, Body: body},
		&Func{Name: "g", Sig: &Sig{}, Body: &Block{}},
		&VarDecl{Name: "v", T: Uint64, Apart: true},
	}, true)
	const head = `// Generated.

package p

import (
	"unsafe"

	rt "example.com/rtlib"
)
`
	const want = head + `
// f is @f.
//
//line a.uir:3
func f() unsafe.Pointer {
	var x uint64 = 1
	if x == 0 {
//line a.uir:5
		rt.Stop()
	}
//line a.uir:6
	return unsafe.Pointer(&x)
}

//line code.go:25

func g() {
}

var v uint64
`
	got := string(code.Under([]byte(head), "code.go"))
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if src, err := format.Source([]byte(got)); err != nil || string(src) != got {
		t.Errorf("gofmt: %v\n%s", err, src)
	}
	var uses []string
	for _, u := range code.Uses {
		name := u.Pkg + "." + u.Name
		if !strings.HasPrefix(string(code.Text[u.At:]), name) {
			t.Errorf("%s is not at %d", name, u.At)
		}
		uses = append(uses, name)
	}
	if want := []string{"unsafe.Pointer", "rt.Stop"}; !slices.Equal(uses, want) {
		t.Errorf("first uses %q, want %q", uses, want)
	}
	if l := strings.Split(got, "\n"); !strings.HasPrefix(l[23], "//line code.go") {
		t.Errorf("the way back is %q", l[23])
	}
}

// TestLabelBeforeCase: between a label and the next case Go requires a statement.
func TestLabelBeforeCase(t *testing.T) {
	l := &Label{Name: "end", uses: 2}
	body := func(list ...Stmt) *Block { return &Block{List: list} }
	sw := &Switch{X: &Ident{"x", Int}, Cases: []Case{
		{Keys: []Expr{&Num{V: 1}}, Body: body(&Goto{L: l}, &Mark{L: l}, &Reads{})},
		{Keys: []Expr{&Num{V: 2}}, Body: body(&Mark{L: &Label{Name: "unused"}})},
		{Body: body(&Goto{L: l}, &Mark{L: l})},
	}}
	code := Print([]Decl{&Func{Name: "f", Sig: &Sig{}, Body: body(sw)}}, false)
	text := "package p\n" + string(code.Text)
	if done, err := format.Source([]byte(text)); err != nil || string(done) != text {
		t.Errorf("not what gofmt writes, %v:\n%s", err, text)
	}
	if !strings.Contains(text, "end:\n\t\t;\n\tcase 2:") {
		t.Errorf("no statement after the label:\n%s", text)
	}
}
