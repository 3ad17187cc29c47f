package gotree

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// reader makes a tree from Go text, for tests. It knows the statements that are rewritten.
type reader struct {
	t      *testing.T
	labels map[string]*Label
}

// read makes the tree of the body of a function.
func read(t *testing.T, body string) *Block {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {\n"+body+"\n}", 0)
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	r := &reader{t, map[string]*Label{}}
	return r.block(f.Decls[0].(*ast.FuncDecl).Body)
}

func (r *reader) label(id *ast.Ident) *Label {
	if id == nil {
		return nil
	}
	if r.labels[id.Name] == nil {
		r.labels[id.Name] = &Label{Name: id.Name}
	}
	return r.labels[id.Name]
}

func (r *reader) block(b *ast.BlockStmt) *Block {
	out := &Block{}
	for _, s := range b.List {
		r.stmt(out, s)
	}
	return out
}

func (r *reader) stmt(out *Block, s ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		out.Add(r.block(s))
	case *ast.LabeledStmt:
		out.Mark(r.label(s.Label))
		r.stmt(out, s.Stmt)
	case *ast.BranchStmt:
		switch s.Tok {
		case token.GOTO:
			out.Goto(r.label(s.Label))
		default:
			r.t.Fatalf("%s in a test", s.Tok)
		}
	case *ast.IfStmt:
		var els *Block
		if b, ok := s.Else.(*ast.BlockStmt); ok {
			els = r.block(b)
		}
		if id, ok := s.Cond.(*ast.Ident); ok && id.Name == "likely" {
			out.IfLikely(r.expr(s.Cond), r.block(s.Body), els)
			break
		}
		out.If(r.expr(s.Cond), r.block(s.Body), els)
	case *ast.SwitchStmt:
		var cases []Case
		for _, c := range s.Body.List {
			c := c.(*ast.CaseClause)
			cases = append(cases, Case{Keys: r.exprs(c.List), Body: r.block(&ast.BlockStmt{List: c.Body})})
		}
		out.Switch(r.expr(s.Tag), cases)
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			out.DefineAll(r.exprs(s.Lhs), []*Type{Uint64}, r.exprs(s.Rhs))
		} else {
			out.SetAll(r.exprs(s.Lhs), r.exprs(s.Rhs))
		}
	case *ast.ExprStmt:
		out.Do(r.expr(s.X))
	case *ast.ReturnStmt:
		out.Return(r.exprs(s.Results)...)
	case *ast.EmptyStmt:
	default:
		r.t.Fatalf("%T in a test", s)
	}
}

func (r *reader) exprs(l []ast.Expr) (out []Expr) {
	for _, x := range l {
		out = append(out, r.expr(x))
	}
	return out
}

var tokens = map[token.Token]Op{token.LSS: Less, token.GEQ: GreaterEq, token.EQL: Equal, token.ADD: Add, token.LAND: AndAnd}

// expr makes an expression; names that begin with f are floats, others integers.
func (r *reader) expr(x ast.Expr) Expr {
	switch x := x.(type) {
	case *ast.Ident:
		if x.Name[0] == 'f' {
			return &Ident{x.Name, Float}
		}
		return &Ident{x.Name, Int}
	case *ast.BasicLit:
		return &Num{V: uint64(x.Value[0] - '0')}
	case *ast.BinaryExpr:
		return &Binary{Op: tokens[x.Op], X: r.expr(x.X), Y: r.expr(x.Y)}
	case *ast.CallExpr:
		return &Call{F: r.expr(x.Fun), Args: r.exprs(x.Args)}
	}
	r.t.Fatalf("%T in a test", x)
	return nil
}

// TestShape shows each rewrite of control flow.
func TestShape(t *testing.T) {
	for _, tt := range []struct{ name, before, after string }{
		{"lone braces", "{ a := g(); h(a) }; { b := g(); h(b) }", "a := g(); h(a); b := g(); h(b)"},
		{"a loop with a condition", "{ i = 0 }; loop: { if i == 9 { return }; g(i); i = i + 1; goto loop }",
			"i = 0; for i != 9 { g(i); i++ }; return"},
		{"a condition whose opposite is no comparison", "loop: { if f1 < f2 { return }; g(); goto loop }", "for !(f1 < f2) { g() }; return"},
		{"what is done when a loop ends", "loop: { if i < 9 { g(i); i = i + 1; goto loop }; h(i); return }", "for i < 9 { g(i); i++ }; h(i); return"},
		{"a condition in the middle", "loop: { x := g(); if x == 0 { return }; h(x); goto loop }", "for { x := g(); if x == 0 { return }; h(x) }"},
		{"a condition at the end", "{ loop: { g(); if i < 9 { goto loop }; h(); return } }", "for { g(); if i >= 9 { h(); return } }"},
		{"the way out by a label", "{ loop: { if i == 9 { goto end }; if g() == 0 { goto end }; h(); goto loop }; end: { return } }",
			"for i != 9 { if g() == 0 { break }; h() }; return"},
		{"the end of a loop in its braces", "{ loop: { { if i == 9 { goto end }; x := g(); if x == 0 { goto end }; goto loop }; end: { h(); return } } }",
			"for i != 9 { x := g(); if x == 0 { break } }; h(); return"},
		{"a loop in a loop", "outer: { if i == 9 { return }; inner: { if j == 9 { i = i + 1; goto outer }; if g() == 0 { goto outer }; j = j + 1; goto inner } }",
			"outer: for i != 9 { for j != 9 { if g() == 0 { continue outer }; j++ }; i++ }; return"},
		{"many ways back stay jumps", "loop: { switch x { case 1: g(); goto loop; case 2: h(); goto loop; case 3: goto loop; case 4: goto loop; case 5: goto loop; default: return } }",
			"loop: switch x { case 1: g(); goto loop; case 2: h(); goto loop; case 3: goto loop; case 4: goto loop; case 5: goto loop; default: return }"},
		{"a break in a switch", "{ loop: { switch x { case 1: goto end; default: g(); goto loop } }; end: { h(); return } }",
			"loop: for { switch x { case 1: break loop; default: g() } }; h(); return"},
		{"else", "{ if i < 1 { g(); goto join }; h() }; join: { k(); return }", "if i < 1 { g() } else { h() }; k(); return"},
		{"else if", "{ if i == 1 { g(); goto join }; if i == 2 { h(); goto join }; k() }; join: { return }",
			"if i == 1 { g() } else if i == 2 { h() } else { k() }; return"},
		{"a branch that leaves first", "{ if i == 1 { g(); goto join }; h(); return }; join: { k(); return }", "if i != 1 { h(); return }; g(); k(); return"},
		{"a switch that ends where its cases go", "{ switch i { case 1: g(); goto join; default: h(); goto join } }; join: { return }", "switch i { case 1: g(); default: h() }; return"},
		{"a jump over a declaration", "{ if i == 1 { if j == 1 { goto join }; g() }; x := h(); k(x) }; join: { return }",
			"var x uint64; if i == 1 { if j == 1 { goto join }; g() }; x = h(); k(x); join: return"},
		{"a loop that is jumped back into", "{ if i == 1 { k(); goto b } }; a: { g(); if i == 2 { goto a }; h() }; b: { if i == 3 { return }; k(); goto a }",
			"if i == 1 { k(); goto b }; a: for { g(); if i != 2 { h(); break } }; b: if i == 3 { return }; k(); goto a"},
		{"what a loop declares is read when it ends", "loop: { x := g(); { if x == 0 { goto end }; goto loop }; end: { h(x); return } }",
			"for { x := g(); if x != 0 { continue }; h(x); return }"},
		{"the way out goes back into the loop", "loop: { { if i == 1 { goto end }; if i == 2 { goto mid } }; mid: { g(); if i == 3 { goto loop }; return }; end: { h(); goto mid } }",
			"for { if i == 1 { goto end }; if i == 2 {\n}; mid: g(); if i == 3 { continue }; return; end: h(); goto mid }"},
		{"a rare branch returns", "if likely { a := g(); h(a) } else { k() }; if i == 1 { h() }; return",
			"if !likely { k(); if i == 1 { h() }; return }; a := g(); h(a); if i == 1 { h() }; return"},
		{"a rare branch goes on with the loop", "loop: { if i == 9 { return }; if likely { g() } else { h() }; i = i + 1; goto loop }",
			"for i != 9 { if !likely { h(); i++; continue }; g(); i++ }; return"},
		{"the second of two rare branches is copied as it is", "if likely { g() } else { h() }; if likely { a() } else { b() }; return",
			"if !likely { h(); if likely { a() } else { b() }; return }; g(); if !likely { b(); return }; a(); return"},
		{"a rare branch at the end of another branch", "loop: { if i == 9 { return }; if i == 1 { if likely { g() } else { h() }; goto loop }; k(); goto loop }",
			"for i != 9 { if i == 1 { if !likely { h(); continue }; g() } else { k() } }; return"},
		{"a rare branch in front of a loop", "if likely { g() } else { h() }; loop: { if i == 9 { return }; k(); goto loop }",
			"if likely { g() } else { h() }; for i != 9 { k() }; return"},
		{"a rare branch in front of a label", "{ if likely { g() } else { h() }; if i == 1 { goto end }; if j == 1 { goto mid }; k() }; mid: { g() }; end: { return }",
			"if likely { g() } else { h() }; if i == 1 { goto end }; if j != 1 { k() }; g(); end: return"},
		{"a rare branch that leaves", "if likely { g() } else { return }; h(); return", "if likely { g() } else { return }; h(); return"},
		{"a rare branch with much behind it", "if likely { g() } else { h() }; " + strings.Repeat("k(); ", maxApart) + "return",
			"if likely { g() } else { h() }; " + strings.Repeat("k(); ", maxApart) + "return"},
		{"two ways into a loop", "{ if i == 1 { goto b } }; a: { g(); goto b }; b: { h(); if i == 2 { return }; goto a }",
			"if i == 1 { goto b }; a: g(); b: h(); if i == 2 { return }; goto a"},
	} {
		b := read(t, tt.before)
		Shape(b)
		if got, want := Body(b), unshaped(t, tt.after); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, want)
		}
	}
}

// unshaped is Go text that gofmt has laid out, as Body prints it.
func unshaped(t *testing.T, text string) string {
	t.Helper()
	text = strings.NewReplacer("{ ", "{\n", " }", "\n}", "; ", "\n", ": ", ":\n", "\n} else {", "\n} else {").Replace(text)
	src, err := format.Source([]byte("package p\n\nfunc f() {\n" + text + "\n}\n"))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	_, body, _ := strings.Cut(string(src), "func f() {\n")
	var b strings.Builder
	for l := range strings.Lines(strings.TrimSuffix(body, "}\n")) {
		b.WriteString(strings.TrimPrefix(l, "\t"))
	}
	return b.String()
}

// TestExpand puts what a label does in the place of jumps to it.
func TestExpand(t *testing.T) {
	b := read(t, "if i == 1 { goto out }; g(); if i == 2 { goto out }; out: return")
	b.List = b.List[:len(b.List)-2]
	var l *Label
	l = b.List[0].(*If).Then.List[0].(*Goto).L
	Expand(b, l, func(out *Block) { out.Do(&Call{F: &Ident{Name: "h"}}); out.Return() })
	if got, want := Body(b), "if i == 1 {\n\th()\n\treturn\n}\ng()\nif i == 2 {\n\th()\n\treturn\n}\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
