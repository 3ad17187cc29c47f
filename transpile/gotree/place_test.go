package gotree

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestPlace: in random expressions with parts from other lines, Go's parser sees operators, calls and
// conversions at the positions that they are from, and the statement that follows, too. The text is
// laid out as gofmt does.
func TestPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	v := &Ident{Name: "v"}
	for range 5000 {
		b := &Block{At: Pos{File: "own.uir", Line: 50}}
		x := random(r, 4)
		scatter(r, x)
		b.Set(v, x)
		b.Set(v, &Num{V: 1})
		text := Print([]Decl{&Func{At: b.At, Name: "f", Sig: &Sig{}, Body: b}}, true).Text
		file := append([]byte("package p\n"), text...)
		if src, err := format.Source(file); err != nil || string(src) != string(file) {
			t.Fatalf("%s, gofmt has %s (%v)", file, src, err)
		}
		files := token.NewFileSet()
		y, err := parser.ParseFile(files, "p.go", file, parser.ParseComments)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		body := y.Decls[0].(*ast.FuncDecl).Body.List
		var got []Pos
		at := func(p token.Pos) {
			q := files.Position(p)
			got = append(got, Pos{File: q.Filename, Line: q.Line})
		}
		walkGo(body[0].(*ast.AssignStmt).Rhs[0], at)
		at(body[1].Pos())
		var want []Pos
		walk(x, func(from *Pos) {
			if from == nil {
				from = &b.At
			}
			want = append(want, *from)
		})
		if want = append(want, b.At); !slices.Equal(got, want) {
			t.Fatalf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestColumns: code of the same line in which traces show other columns, or another copy, has another spelling of the file;
// code that no trace shows goes with any.
func TestColumns(t *testing.T) {
	b := &Block{}
	for _, at := range []Pos{
		{File: "d/a", Line: 1}, {File: "d/a", Line: 2, Column: 1, Marked: true}, {File: "d/a", Line: 3, Free: true}, {File: "d/a", Line: 4},
		{File: "d/a", Line: 5, Row: 2, Marked: true}, {File: "d/a", Line: 6, Row: 2, Column: 3, Marked: true, Free: true},
		{File: "d/a", Line: 7, Row: 2, Marked: true}, {File: "d/a", Line: 8, Row: 1, Free: true},
	} {
		b.At = at
		b.Do(&Call{F: &Ident{Name: "f"}})
	}
	var got []string
	for line := range strings.Lines(string(Print([]Decl{&Func{Name: "f", Sig: &Sig{}, Body: b}}, true).Text)) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "//line "):
			got = append(got, strings.TrimPrefix(line, "//line "))
		case line == "f()":
			got = append(got, "f")
		}
	}
	const want = "d/a:1 f d/.///.///.//a:2 f f d/a:4 f d/.///././/a:5 f f f d/a:8 f"
	if got := strings.Join(got, " "); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// scatter places some parts of an expression, the inner ones first.
func scatter(r *rand.Rand, x Expr) {
	switch x := x.(type) {
	case *Binary:
		scatter(r, x.X)
		scatter(r, x.Y)
	case *Index:
		scatter(r, x.I)
	case *Conv:
		scatter(r, x.X)
	case *Call:
		for _, a := range x.Args {
			scatter(r, a)
		}
	}
	if r.IntN(2) == 0 {
		Place(x, Pos{File: []string{"own.uir", "two.uir"}[r.IntN(5)/4], Line: 1 + r.IntN(60)})
	}
}

// walk calls fn with the position of each operator, call and conversion, in the order of the text.
func walk(x Expr, fn func(*Pos)) {
	switch x := x.(type) {
	case *Binary:
		walk(x.X, fn)
		fn(x.from)
		walk(x.Y, fn)
	case *Unary:
		fn(x.from)
	case *Star:
		fn(x.from)
	case *Index:
		fn(x.from)
		walk(x.I, fn)
	case *Conv:
		fn(x.from)
		walk(x.X, fn)
	case *Call:
		fn(x.from)
		for _, a := range x.Args {
			walk(a, fn)
		}
	}
}

// walkGo is walk for what Go's parser made.
func walkGo(x ast.Expr, fn func(token.Pos)) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		walkGo(x.X, fn)
	case *ast.BinaryExpr:
		walkGo(x.X, fn)
		fn(x.OpPos)
		walkGo(x.Y, fn)
	case *ast.UnaryExpr:
		fn(x.OpPos)
	case *ast.StarExpr:
		fn(x.Star)
	case *ast.IndexExpr:
		fn(x.Pos())
		walkGo(x.Index, fn)
	case *ast.CallExpr:
		fn(x.Pos())
		for _, a := range x.Args {
			walkGo(a, fn)
		}
	}
}
