package main

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// TestUnchecked checks that functions of the runtime that convert numbers to pointers are excluded from
// the race detector and the pointer checks that come with it, because these do not know about Mu memory
// (package race of the runtime). Function literals cannot be excluded.
func TestUnchecked(t *testing.T) {
	const root = "../../rtlib"
	fset := token.NewFileSet()
	compiled := scripttest.Importer(t, fset)
	functions := 0
	for _, dir := range []string{".", "rt", "atomics", "ffi", "native", "internal/core", "internal/gc", "internal/immix", "internal/mem", "internal/stack", "internal/thread", "mu"} {
		pkg, err := build.ImportDir(filepath.Join(root, dir), 0)
		if err != nil {
			t.Fatal(err)
		}
		var files []*ast.File
		for _, name := range append(pkg.GoFiles, pkg.CgoFiles...) {
			f, err := parser.ParseFile(fset, filepath.Join(pkg.Dir, name), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		conf := types.Config{Importer: compiled, FakeImportC: true, Error: func(error) {}} // C's types are not known
		conf.Check(pkg.ImportPath, fset, files, info)
		for _, f := range files {
			for _, d := range f.Decls {
				marked := false
				if fn, ok := d.(*ast.FuncDecl); ok {
					functions++
					marked = isMarked(fn)
				}
				inspect(d, marked, func(n ast.Node, marked bool) {
					if !marked && fromNumber(n, info) {
						t.Errorf("%s: a function that makes a pointer of a number is not marked //go:norace and //go:nocheckptr", fset.Position(n.Pos()))
					}
				})
			}
		}
	}
	if functions < 500 {
		t.Errorf("%d functions seen", functions)
	}
}

// inspect calls f for the nodes of a declaration, and with false for those of function literals.
func inspect(root ast.Node, marked bool, f func(n ast.Node, marked bool)) {
	ast.Inspect(root, func(n ast.Node) bool {
		if l, ok := n.(*ast.FuncLit); ok && n != root {
			inspect(l, false, f)
			return false
		}
		f(n, marked)
		return true
	})
}

// isMarked reports whether a function has both directives.
func isMarked(fn *ast.FuncDecl) bool {
	text := ""
	if fn.Doc != nil {
		for _, c := range fn.Doc.List {
			text += c.Text + "\n"
		}
	}
	return strings.Contains(text, "//go:norace\n") && strings.Contains(text, "//go:nocheckptr\n")
}

// fromNumber reports whether a node converts a number to a pointer.
func fromNumber(n ast.Node, info *types.Info) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	to, arg := info.Types[call.Fun], info.Types[call.Args[0]]
	if !to.IsType() || arg.Type == nil {
		return false
	}
	p, ok := to.Type.Underlying().(*types.Basic)
	a, ok2 := arg.Type.Underlying().(*types.Basic)
	return ok && ok2 && p.Kind() == types.UnsafePointer && a.Kind() == types.Uintptr
}
