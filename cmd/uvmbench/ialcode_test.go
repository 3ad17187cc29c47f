package main

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/cfg"

	"github.com/uvm2go/uvm2go/transpile"
)

// ialCode returns the Go of the functions of the IAL twins, by kernel and name.
func ialCode(t *testing.T) map[string]map[string]*ast.FuncDecl {
	t.Helper()
	ks, err := loadKernels()
	if err != nil {
		t.Fatal(err)
	}
	code := map[string]map[string]*ast.FuncDecl{}
	for _, k := range ks {
		if k.source(twinIAL).text == nil {
			continue
		}
		srcs, err := k.written(twinIAL, "dir", sizeFull)
		if err != nil {
			t.Fatal(err)
		}
		p, diags := transpile.Load(srcs, transpile.Options{Optimize: 1, SingleFile: true})
		if diags.Err() != nil {
			t.Fatal(diags.Err())
		}
		files, err := p.Generate()
		if err != nil {
			t.Fatal(err)
		}
		funcs := map[string]*ast.FuncDecl{}
		for _, file := range files {
			if !strings.HasSuffix(file.Name, ".go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file.Name, file.Data, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok {
					funcs[fn.Name.Name] = fn
				}
			}
		}
		code[k.name] = funcs
	}
	return code
}

// TestIALDeadStores checks that no value is assigned to a register variable and then not read.
func TestIALDeadStores(t *testing.T) {
	functions := 0
	for kernel, funcs := range ialCode(t) {
		for name, fn := range funcs {
			for _, x := range deadStores(fn.Body) {
				t.Errorf("%s: %s: %s is assigned, but not read", kernel, name, x)
			}
			functions++
		}
	}
	if functions < 20 {
		t.Errorf("only %d functions", functions)
	}
	// Check that the test finds dead stores.
	f, err := parser.ParseFile(token.NewFileSet(), "", `package p
func f(a int) int {
	var x, y int
	x = a
	y = 0
	for y < a {
		y = y + 1
		x = y
		if y == 7 {
			x = 8
			goto end
		}
	}
	return x
end:
	return y
}`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(deadStores(f.Decls[0].(*ast.FuncDecl).Body), " "); got != "x" {
		t.Errorf("dead stores of %q, want of x", got)
	}
}

// deadStores returns the variables with assignments whose values are not read, once for each assignment.
func deadStores(body *ast.BlockStmt) []string {
	local := map[*ast.Object]bool{}
	taken := map[*ast.Object]bool{} // variables whose addresses are taken
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if n.Obj != nil && n.Obj.Kind == ast.Var && n.Obj.Pos() >= body.Pos() && n.Obj.Pos() < body.End() {
				local[n.Obj] = true
			}
		case *ast.UnaryExpr:
			if x, ok := n.X.(*ast.Ident); ok && n.Op == token.AND {
				taken[x.Obj] = true
			}
		}
		return true
	})
	g := cfg.New(body, func(*ast.CallExpr) bool { return true })
	live := make([]map[*ast.Object]bool, len(g.Blocks)) // live variables at the beginning of each block
	// walk goes through a block from its end, with the variables that are live there.
	walk := func(b *cfg.Block, dead func(*ast.Ident)) map[*ast.Object]bool {
		now := map[*ast.Object]bool{}
		for _, s := range b.Succs {
			for x := range live[s.Index] {
				now[x] = true
			}
		}
		for i := len(b.Nodes) - 1; i >= 0; i-- {
			stored := map[*ast.Ident]bool{}
			if a, ok := b.Nodes[i].(*ast.AssignStmt); ok && (a.Tok == token.ASSIGN || a.Tok == token.DEFINE) {
				for _, l := range a.Lhs {
					if x, ok := l.(*ast.Ident); ok && local[x.Obj] {
						stored[x] = true
						if !now[x.Obj] && !taken[x.Obj] && dead != nil {
							dead(x)
						}
					}
				}
				for x := range stored {
					delete(now, x.Obj)
				}
			}
			ast.Inspect(b.Nodes[i], func(n ast.Node) bool {
				if x, ok := n.(*ast.Ident); ok && local[x.Obj] && !stored[x] {
					now[x.Obj] = true
				}
				return true
			})
		}
		return now
	}
	for changed := true; changed; {
		changed = false
		for i := len(g.Blocks) - 1; i >= 0; i-- {
			if now := walk(g.Blocks[i], nil); len(now) != len(live[i]) {
				live[i], changed = now, true
			}
		}
	}
	var names []string
	for _, b := range g.Blocks {
		if b.Live {
			walk(b, func(x *ast.Ident) { names = append(names, x.Name) })
		}
	}
	return names
}

// TestIALInnerLoops checks that the loops in which sieve and matmul spend their time neither test
// indices nor load lengths.
func TestIALInnerLoops(t *testing.T) {
	element := regexp.MustCompile(`\*\(\*(uint8|float64)\)\(unsafe\.Add\(nil, \w+\+uintptr\(\w+\)(\*8)?(\+16)?\)\) = `)
	length := regexp.MustCompile(`\*\(\*uint64\)\(unsafe\.Add\(nil, \w+\)\)`)
	code := ialCode(t)
	for _, tt := range []struct {
		kernel, name string
		loops        int // number of loops that store elements without tests
	}{{"sieve", "sieve_sieve", 2}, {"matmul", "matmul_multiply", 1}} {
		loops := 0
		ast.Inspect(code[tt.kernel][tt.name], func(n ast.Node) bool {
			f, ok := n.(*ast.ForStmt)
			if !ok {
				return true
			}
			text := own(t, f)
			if !element.MatchString(text) || strings.Contains(text, "rt.FailIndex") {
				return true
			}
			loops++
			if length.MatchString(text) {
				t.Errorf("%s: a length is loaded in\n%s", tt.name, text)
			}
			tests := strings.Count(text, "if ")
			if f.Cond != nil {
				tests++
			}
			if tests > 4 {
				t.Errorf("%s: %d tests, want 4, one for each copy of the body, in\n%s", tt.name, tests, text)
			}
			return true
		})
		if loops < tt.loops {
			t.Errorf("%s: %d loops store elements without tests, want %d", tt.name, loops, tt.loops)
		}
	}
}

// own returns the text of a loop without the loops in it.
func own(t *testing.T, f *ast.ForStmt) string {
	bodies := map[*ast.ForStmt][]ast.Stmt{}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if x, ok := n.(*ast.ForStmt); ok {
			bodies[x], x.Body.List = x.Body.List, nil
		}
		return true
	})
	var b strings.Builder
	err := format.Node(&b, token.NewFileSet(), f)
	for x, list := range bodies {
		x.Body.List = list
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
