package gotree

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// outsideTree has a text wherever a tree can have one, except in operators and numbers.
func outsideTree(s string) []Decl {
	id := &Ident{Name: s}
	ty := Named(s)
	l := &Label{Name: s, uses: 1}
	b := &Block{At: Pos{File: s, Line: 3}}
	b.Add(&Var{Names: []string{s, s}, T: ty, X: id})
	b.Define(s, ty, &Call{F: &Dot{X: id, Name: s}, Args: []Expr{&Str{V: s}, &Qual{Pkg: s, Name: s}}})
	b.Consts([]ConstRow{{Name: s, X: &Str{V: s, Raw: true}}})
	body := &Block{At: Pos{File: s + "2", Line: 4}}
	body.Goto(l)
	b.Range(s, id, body)
	b.Add(&Reads{Name: s})
	b.Mark(l)
	y := Expr(&Binary{Op: Add, X: id, Y: &Index{X: id, I: &Str{V: s}}})
	Place(y, Pos{File: s + "3", Line: 5})
	b.Set(id, &Binary{Op: Add, X: id, Y: y})
	b.Return(&Lit{T: ty, Elems: []Elem{{Key: s, X: id}}})
	sig := &Sig{Params: []Param{{Name: s, T: ty}}, Results: []Param{{Name: s, T: ty}}}
	return []Decl{
		&Func{At: Pos{File: s, Line: 1}, Comment: s, Directives: []Directive{NoInline, NoRace, NoCheckPtr}, Name: s, Sig: sig, Body: b},
		&TypeDecl{Comment: s, Name: s, T: &Struct{Fields: []Param{{Name: s, T: ty}, {T: ty}}}},
		&VarDecl{Comment: s, Name: s, T: ty, X: &Str{V: s, Raw: true}, Apart: true},
		&ConstDecl{Names: []string{s, s}},
	}
}

// checkOutside parses a printed tree and compares what it declares with the tree.
func checkOutside(t *testing.T, s string) {
	t.Helper()
	code := Print(outsideTree(s), true)
	text := code.Under([]byte("package p\n"), s)
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "p.go", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%q: %v\n%s", s, err, text)
	}
	var decls, directives []string
	var values []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			decls = append(decls, "func")
			if got, want := len(d.Body.List), 7; got != want {
				t.Errorf("%q: %d statements, want %d\n%s", s, got, want, text)
			}
		case *ast.GenDecl:
			decls = append(decls, d.Tok.String()+strconv.Itoa(len(d.Specs)))
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			v, _ := strconv.Unquote(l.Value)
			values = append(values, v)
		}
		return true
	})
	for _, g := range f.Comments {
		for _, c := range g.List {
			if !strings.HasPrefix(c.Text, "// ") && c.Text != "//" && !strings.HasPrefix(c.Text, "//line ") && !strings.HasPrefix(c.Text, "/*line ") {
				directives = append(directives, c.Text)
			}
		}
	}
	if want := []string{"func", "type1", "var1", "const2"}; !slices.Equal(decls, want) {
		t.Errorf("%q: declarations %v, want %v\n%s", s, decls, want, text)
	}
	if want := []string{"//go:noinline", "//go:norace", "//go:nocheckptr"}; !slices.Equal(directives, want) {
		t.Errorf("%q: directives %q, want %q\n%s", s, directives, want, text)
	}
	if want := []string{s, s, s, s}; !slices.Equal(values, want) {
		t.Errorf("%q: constants %q, want %q\n%s", s, values, want, text)
	}
	if len(f.Imports) > 0 {
		t.Errorf("%q: imports\n%s", s, text)
	}
}

var outsideTexts = []string{"plain", "a b", "two\nlines", "x\nfunc init() { println() }\n//", "*/ func init() {} /*", "*/\nimport \"os\"\n/*", "a\r\n//go:linkname a b\n",
	"`+f()+`", `"+f()+"`, "\\", "\\n", "\x00", "\xff", "a\u2028", "\ufeff", "é", "func", "1x", "a:5", ":5:6", "//line x.go:1", "\n//export f\n", "(", "{", "}\n}\n", "*", "/", "\t"}

// A text from outside stays in its place: the printed file declares what the tree does, and string constants
// have their value.
func TestOutside(t *testing.T) {
	for _, s := range outsideTexts {
		checkOutside(t, s)
	}
}

func FuzzOutside(f *testing.F) {
	for _, s := range outsideTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s != "" && s != "_" { // without a name, or with that one, some nodes are others
			checkOutside(t, s)
		}
	})
}

func TestOutsideSlots(t *testing.T) {
	for _, c := range []struct {
		in   Slot
		text string
		want string
	}{
		{InName, "x_1", "x_1"}, {InName, "", "_"}, {InName, "range", "range_"}, {InName, "a\nb", "a_0ab_"}, {InName, "1", "_31_"}, {InName, "é", "_c3_a9_"},
		{InComment, "@f\nx", `@f\nx`}, {InComment, "x */", "x */"}, {InComment, "a\xff\u2028", `a\xff\u2028`},
		{InFlags, "LDFLAGS: -lm", "LDFLAGS: -lm"}, {InFlags, "a\n#cgo b */", `a\n#cgo b *\x2f`},
		{InPreamble, "#include <x.h>\n\tint a; // */\n", "#include <x.h>\n\tint a; // *\\\n/\n"}, {InPreamble, "a\x00\r", `a\x00\r`},
		{InString, "a\n`\"", `"a\n` + "`" + `\""`}, {InRaw, "a\nb", "`a\nb`"}, {InRaw, "a`", "\"a`\""}, {InRaw, "a\r", `"a\r"`}, {InRaw, "\ufeff", `"\ufeff"`},
	} {
		if got := string(Outside(nil, c.in, c.text)); got != c.want {
			t.Errorf("slot %d, %q: got %s, want %s", c.in, c.text, got, c.want)
		}
	}
}

// Only outside.go makes text that the printer writes of a string: elsewhere no string becomes a word, and append
// adds none to the output.
func TestWords(t *testing.T) {
	set := token.NewFileSet()
	for _, name := range []string{"print.go", "printexpr.go", "printstmt.go", "place.go"} {
		f, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if fn, ok := c.Fun.(*ast.Ident); ok && (fn.Name == "word" || fn.Name == "append" && c.Ellipsis.IsValid() && !plainAppend(c)) {
				t.Errorf("%s: text of a string is written", set.Position(c.Pos()))
			}
			return true
		})
	}
}

// plainAppend reports whether a call of append is one of these: constants, words, code that has been printed already.
func plainAppend(c *ast.CallExpr) bool {
	switch x := c.Args[1].(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return x.Name == "s" || x.Name == "head" // the word of str, the head of Under
	case *ast.SliceExpr:
		sel, ok := x.X.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Text"
	}
	return false
}
