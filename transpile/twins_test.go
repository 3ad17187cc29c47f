package transpile_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
)

// Kernels in text of 2014 give the same Go as in Mu text, except for names and positions. Only
// the function with the trap that shows the result differs: a TRAP of 2014 may throw.
func TestTwins2014(t *testing.T) {
	_, form := transpile.Dialects.Form("uir2014")
	for _, k := range []string{"fib", "sieve", "nbody", "binarytrees", "richards"} {
		name := filepath.Join("..", "cmd", "uvmbench", "kernels", k, k+".uir")
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		program := func(dialect string, text []byte) *transpile.Program {
			p, diags := transpile.Load([]transpile.Source{{Name: "k.uir", Text: text}}, transpile.Options{Dialect: dialect, Optimize: 1})
			if p == nil {
				t.Fatalf("%s: %v", k, diags.Err())
			}
			return p
		}
		old, err := program("mu", text).Write(form)
		if err != nil {
			t.Fatal(err)
		}
		want, got := bodies(t, program("mu", text)), bodies(t, program("uvm2014", old))
		if len(want) < 3 || len(got) != len(want) {
			t.Errorf("%s: %d functions and %d", k, len(want), len(got))
		}
		for f, body := range want {
			if f == "main_2" { // the Go of @main
				continue
			}
			if got[f] != body {
				t.Errorf("%s: %s differs:\n%s\nin text of 2014:\n%s", k, f, body, got[f])
			}
		}
	}
}

// bodies are the functions of a program by name, with local names in the order of their use,
// and without the texts of errors.
func bodies(t *testing.T, p *transpile.Program) map[string]string {
	t.Helper()
	files, err := p.Generate()
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	m := map[string]string{}
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".go") {
			continue
		}
		tree, err := parser.ParseFile(fset, f.Name, f.Data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				m[d.Name.Name] = normal(t, d)
			}
		}
	}
	return m
}

// normal is a function with its local variables numbered. Their declarations are left out: only
// the number of variables of each type counts.
func normal(t *testing.T, d *ast.FuncDecl) string {
	t.Helper()
	local := map[string]bool{}
	var declared []string
	names := func(list []*ast.Ident, typ ast.Expr) {
		for _, n := range list {
			local[n.Name] = true
			declared = append(declared, types.ExprString(typ))
		}
	}
	for _, f := range d.Type.Params.List {
		names(f.Names, f.Type)
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			typ := n.Type
			if typ == nil { // a constant
				typ = ast.NewIdent("_")
			}
			names(n.Names, typ)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, x := range n.Lhs {
					names([]*ast.Ident{x.(*ast.Ident)}, ast.NewIdent("_"))
				}
			}
		case *ast.LabeledStmt:
			local[n.Label.Name] = true
		}
		return true
	})
	numbers := map[string]string{}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				n.Value = `""`
			}
		case *ast.DeclStmt:
			return false
		case *ast.Ident:
			if local[n.Name] {
				if numbers[n.Name] == "" {
					numbers[n.Name] = fmt.Sprintf("x%d", len(numbers))
				}
				n.Name = numbers[n.Name]
			}
		}
		return true
	})
	d.Body.List = slices.DeleteFunc(d.Body.List, func(s ast.Stmt) bool { _, ok := s.(*ast.DeclStmt); return ok })
	var b bytes.Buffer
	if err := format.Node(&b, token.NewFileSet(), &ast.FuncDecl{Name: d.Name, Type: d.Type, Body: d.Body}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(declared)
	return fmt.Sprint(declared, "\n", b.String())
}
