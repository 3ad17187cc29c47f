package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
)

// TestNoDialectByName: the command knows dialects, their forms and file endings from the registry
// alone.
func TestNoDialectByName(t *testing.T) {
	names := append(transpile.Dialects.Names(), transpile.Dialects.FormNames()...)
	names = append(names, transpile.Dialects.Endings()...)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if s, err := strconv.Unquote(l.Value); err == nil && slices.Contains(names, s) {
					t.Errorf("%s names %s", fset.Position(l.Pos()), l.Value)
				}
			}
			return true
		})
	}
}
