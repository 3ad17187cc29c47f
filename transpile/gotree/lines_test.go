package gotree

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// tableOf reads the table of a function, and returns the position of each line of a file.
func tableOf(t *testing.T, file *ast.File) func(line int) Pos {
	var parts []string
	ast.Inspect(file.Decls[len(file.Decls)-1], func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok {
			s, err := strconv.Unquote(l.Value)
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, s)
		}
		return true
	})
	first, rest, _ := strings.Cut(strings.Join(parts, ""), "\n")
	at, err := strconv.Atoi(first)
	if err != nil {
		t.Fatalf("%q: %v", parts, err)
	}
	lines := map[int]Pos{}
	var p Pos
	for row := range strings.Lines(rest) {
		f := strings.SplitN(strings.TrimSuffix(row, "\n"), " ", 3)
		down, err := strconv.Atoi(f[0])
		line, err2 := strconv.Atoi(f[1])
		if err != nil || err2 != nil {
			t.Fatalf("row %q", row)
		}
		for range down {
			lines[at] = p
			at++
		}
		if p.Line = line; len(f) > 2 {
			p.File = f[2]
		}
	}
	return func(line int) Pos {
		if line >= at {
			return p
		}
		return lines[line]
	}
}

// TestLineTable: in a function with a table, calls, conversions and accesses in random expressions, and the statement that
// follows, are on lines that have their positions, without directives. Operators with two operands may be on a line with a
// neighbour's. The text is laid out as gofmt does, but for the indentation of lines that are broken.
func TestLineTable(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	broken, all, wrong := 0, map[string]int{}, map[string]int{}
	for range 3000 {
		b := &Block{At: Pos{File: "own.uir", Line: 50}}
		x := random(r, 4)
		scatter(r, x)
		b.Set(&Ident{Name: "v"}, x)
		b.Do(&Call{F: &Ident{Name: "f"}})
		code := Print([]Decl{&Func{At: b.At, Name: "f", Lines: "table", Sig: &Sig{}, Body: b}}, true)
		text := code.Under([]byte("package p\n\nimport \"unsafe\"\n"), "p.go")
		if strings.Contains(string(text), "line own") || strings.Contains(string(text), "line two") {
			t.Fatalf("directives in\n%s", text)
		}
		src, err := format.Source(text)
		if err != nil || strings.ReplaceAll(string(src), "\t", "") != strings.ReplaceAll(string(text), "\t", "") {
			t.Fatalf("%s\ngofmt has\n%s (%v)", text, src, err)
		}
		files := token.NewFileSet()
		y, err := parser.ParseFile(files, "p.go", text, 0)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		table := tableOf(t, y)
		body := y.Decls[1].(*ast.FuncDecl).Body.List
		var got []Pos
		at := func(p token.Pos) { got = append(got, table(files.Position(p).Line)) }
		walkGo(body[0].(*ast.AssignStmt).Rhs[0], at)
		at(body[1].Pos())
		i := 0
		check := func(kind string, want Pos) {
			if all[kind]++; got[i] != want {
				if kind == "statement" {
					t.Fatalf("%s\n%s %d has %v, want %v", text, kind, i, got[i], want)
				}
				wrong[kind]++
			}
			i++
		}
		walkKinds(x, func(kind string, from *Pos) {
			if from == nil {
				from = &b.At
			}
			check(kind, *from)
		})
		check("statement", b.At)
		broken += files.Position(body[1].Pos()).Line - files.Position(body[0].Pos()).Line - 1
	}
	for kind, n := range all {
		if most := map[string]int{"*gotree.Binary": n / 2}[kind]; wrong[kind] > max(most, n/15) {
			t.Errorf("%d positions of %d wrong: %s", wrong[kind], n, kind)
		}
	}
	if broken < 1000 {
		t.Errorf("%d lines broken", broken)
	}
}

// walkKinds is walk that says what each is.
func walkKinds(x Expr, fn func(kind string, from *Pos)) {
	var kinds []string
	var note func(Expr)
	note = func(x Expr) {
		if _, ok := x.(*Type); ok {
			return
		}
		if b, ok := x.(*Binary); ok {
			note(b.X)
			kinds = append(kinds, fmt.Sprintf("%T", x))
			note(b.Y)
			return
		}
		if origin(x) != nil {
			kinds = append(kinds, fmt.Sprintf("%T", x))
		}
		if _, ok := x.(*Unary); ok {
			return
		}
		if _, ok := x.(*Star); ok {
			return
		}
		parts(x, note)
	}
	note(x)
	i := 0
	walk(x, func(from *Pos) {
		fn(kinds[i], from)
		i++
	})
}

// TestCrowded: a function has a table if it has many directives and many blocks.
func TestCrowded(t *testing.T) {
	fn := func(lines, branches int) *Func {
		b := &Block{At: Pos{File: "a.uir", Line: 1}}
		for i := range lines {
			b.At.Line = 2 + 3*i
			b.Set(x, &Num{V: 1})
		}
		for range branches {
			b.If(x, b.Sub(), nil)
		}
		return &Func{At: Pos{File: "a.uir", Line: 1}, Name: "f", Sig: &Sig{}, Body: b}
	}
	for _, tt := range []struct {
		lines, branches int
		want            bool
	}{{20, 20, false}, {10 * crowd, 20, false}, {20, crowd / 8, false}, {2 * crowd, 2 * crowd, true}} {
		if got := Crowded(fn(tt.lines, tt.branches)); got != tt.want {
			t.Errorf("%d lines, %d branches: %v", tt.lines, tt.branches, got)
		}
	}
}
