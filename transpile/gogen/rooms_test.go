package gogen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestRooms: package rtlib/rt exports only names that generated code uses, and neither rt nor
// rtlib exports names that only rtlib/ffi needs (the rooms in the documentation of rtlib).
func TestRooms(t *testing.T) {
	words := map[string]bool{} // string literals of the generator
	generator := parsed(t, ".")
	for _, dir := range []string{"", "/node", "/plan", "/repr"} {
		generator = append(generator, parsed(t, "../lower"+dir)...)
	}
	for _, f := range generator {
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if s, err := strconv.Unquote(l.Value); err == nil {
					words[s] = true
				}
			}
			return true
		})
	}
	shown := exportedOf(t, "../../rtlib/rt")
	if len(shown) < 150 {
		t.Fatalf("%d names in rtlib/rt", len(shown))
	}
	for name := range shown {
		if !words[name] {
			t.Errorf("rt.%s: generated code never uses it", name)
		}
	}
	client := exportedOf(t, "../../rtlib")
	for _, name := range []string{"Ctx", "NewThreadCtx", "CloseThreadCtx", "Error", "Exception"} {
		if !client[name] {
			t.Errorf("a client does not find rtlib.%s", name)
		}
	}
	src, err := os.ReadFile("../../rtlib/ffi/ffi.go")
	if err != nil {
		t.Fatal(err)
	}
	ffi := regexp.MustCompile(`\bcore\.([A-Z]\w*)`).FindAllSubmatch(src, -1)
	if len(ffi) == 0 {
		t.Error("rtlib/ffi uses nothing of package core")
	}
	for _, m := range ffi {
		if name := string(m[1]); shown[name] || client[name] {
			t.Errorf("core.%s, which rtlib/ffi needs, is visible elsewhere", name)
		}
	}
}

// parsed reads the Go files of a folder, without tests.
func parsed(t *testing.T, dir string) (files []*ast.File) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if name := e.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			f, err := parser.ParseFile(token.NewFileSet(), dir+"/"+name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
	}
	return files
}

// exportedOf has the names that the package in a folder exports.
func exportedOf(t *testing.T, dir string) map[string]bool {
	names := map[string]bool{}
	add := func(id *ast.Ident) {
		if id.IsExported() {
			names[id.Name] = true
		}
	}
	for _, f := range parsed(t, dir) {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(d.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						add(s.Name)
					case *ast.ValueSpec:
						for _, n := range s.Names {
							add(n)
						}
					}
				}
			}
		}
	}
	return names
}
