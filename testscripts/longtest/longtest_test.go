package longtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestSwitch checks that the variable decides.
func TestSwitch(t *testing.T) {
	for value, want := range map[string]bool{"": false, "1": true} {
		t.Setenv(Variable, value)
		skipped := true
		t.Run("value "+value, func(t *testing.T) {
			defer func() { skipped = t.Skipped() }()
			Only(t)
		})
		if On() != want || skipped == want {
			t.Errorf("%s=%s: on %t, skipped %t", Variable, value, On(), skipped)
		}
	}
}

// TestNames checks all tests of the module: those behind the switch are the ones whose
// names begin with TestLong, so that the command for them runs them all; and there is
// no second switch.
func TestNames(t *testing.T) {
	root := filepath.Join("..", "..")
	fset := token.NewFileSet()
	found := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if calls(fn.Body, "testing", "Short") {
				t.Errorf("%s: %s asks for -short; testscripts/longtest is the switch", path, fn.Name.Name)
			}
			named := strings.HasPrefix(fn.Name.Name, "TestLong")
			if named {
				found++
			}
			if first := len(fn.Body.List) > 0 && calls(fn.Body.List[0], "longtest", "Only"); first != named {
				t.Errorf("%s: %s: named TestLong: %t; begins with longtest.Only: %t", path, fn.Name.Name, named, first)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 10 {
		t.Errorf("%d long tests found", found)
	}
}

// calls reports whether a function of a package is called within a node.
func calls(n ast.Node, pkg, name string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if s, ok := c.Fun.(*ast.SelectorExpr); ok {
				x, ok := s.X.(*ast.Ident)
				found = found || ok && x.Name == pkg && s.Sel.Name == name
			}
		}
		return !found
	})
	return found
}
