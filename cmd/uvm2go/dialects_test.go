package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
)

// dialectOwners are the folders of the dialects, relative to the root of the repository.
var dialectOwners = []string{"transpile/mu", "transpile/irtext", "transpile/uvm2014", "transpile/ial", "transpile/tvm"}

// knowDialects lists files and folders outside the dialects that may contain the name of a dialect, import
// its reader, or contain an ending of its files or the spelling of its names, each with the reason. An entry
// that is no longer needed must be removed.
var knowDialects = map[string]string{
	// where the dialects are registered
	"transpile/dialects":          "the list of the readers",
	"transpile/lang/langs":        "the list of what editors know of each dialect",
	"transpile/ir/opgen":          "the table of operations has what each dialect calls them",
	"transpile/ir/op_gen.go":      "made from that table",
	"transpile/ir/entities.go":    "types that every program of Mu has, with the IDs that its API gives them",
	"transpile/internal/textform": "the text of both generations of Mu",

	// the text form of the representation, which is a separate language (docs/ir.md)
	"transpile/ir/names.go":      "the marks of names of the representation",
	"transpile/ir/parse.go":      "the text of the representation",
	"transpile/ir/parsebody.go":  "the text of the representation",
	"transpile/ir/parseconst.go": "the text of the representation",
	"transpile/ir/parsedef.go":   "the text of the representation",
	"transpile/ir/parseimage.go": "the text of the representation",
	"transpile/ir/parsetok.go":   "the text of the representation",
	"transpile/ir/parsetype.go":  "the text of the representation",
	"transpile/ir/print.go":      "the text of the representation",
	"transpile/ir/printbody.go":  "the text of the representation",

	// what compilers make is a program of Mu
	"transpile/front": "makes the tree of a bundle of Mu",

	// Mu's API, with which a running program of any dialect can load text
	"transpile/declare.go":              "the interpreter loads declarations in Mu text",
	"transpile/hail.go":                 "the interpreter loads HAIL scripts, which belong to Mu",
	"rtlib/live/bundle.go":              "text that nothing else tells is Mu text",
	"rtlib/live/other.go":               "errors in text of all dialects look like those in Mu text",
	"rtlib/live/builder.go":             "the IR builder of Mu's API",
	"rtlib/live/builderargs.go":         "the IR builder of Mu's API",
	"rtlib/live/irbuilder.go":           "the IR builder of Mu's API",
	"rtlib/live/nodebuilder.go":         "the IR builder of Mu's API",
	"rtlib/live/libmu/nodes.go":         "the IR builder of Mu's API",
	"rtlib/live/imports.go":             "text in Mu may name what the running program has",
	"rtlib/live/vm.go":                  "an engine without a program begins with what every program of Mu has",
	"rtlib/internal/core/names.go":      "the mark of global names, see transpile/ir/names.go",
	"rtlib/internal/core/declare.go":    "declarations in Mu text may not define names of Mu",
	"rtlib/internal/core/meta.go":       "types that every program of Mu has",
	"rtlib/internal/core/typestring.go": "the names of these types, which all VMs have",
	"transpile/ir/shape.go":             "a letter of shapes, not a sigil",
	"transpile/gotree/expr.go":          "Go's remainder, not a sigil",
	"transpile/interp/libcformat.go":    "formats of printf, not a sigil",
	"rtlib/libc/format.go":              "formats of printf, not a sigil",
	"cmd/uvm2go/unit.go":                "versions of modules, not a sigil",

	// the C library of Mu's API
	"cmd/internal/muapi/entries": "package mu is Mu's API",
	"cmd/internal/muinstall":     "the linker's name of the library, and its spelling of folders",

	// tools for tests and measurements, which generate or change programs
	"cmd/internal/randprog": "makes random programs in each dialect",
	"cmd/internal/mutate":   "changes text of both generations of Mu",
	"cmd/internal/litmus":   "writes names as litmus tests have them",
	"cmd/internal/player":   "makes calls of the builder for Mu text",
	"cmd/internal/oracle":   "compares random programs",
	"cmd/internal/reduce":   "changes text of each dialect in ways that suit it",
	"cmd/internal/synth":    "makes large programs in Mu text",
	"cmd/internal/scale":    "makes programs of several sizes",
	"cmd/internal/samego":   "makes a large program in Mu text",
	"cmd/uvmbench":          "measures kernels, which it has in each dialect",
	"cmd/uvmfuzz":           "has a flag for random programs in each dialect",
	"cmd/uvmports":          "lists the examples, by the endings of their dialects",
}

// TestNoDialectByName checks that code shared by the dialects takes dialects, their forms and file endings
// only from the registry, and leaves the sigils of names to the writers. knowDialects has the exceptions.
func TestNoDialectByName(t *testing.T) {
	names := append(transpile.Dialects.Names(), transpile.Dialects.FormNames()...)
	endings := transpile.Dialects.Endings()
	for _, a := range transpile.Dialects.Archives() {
		endings = append(endings, a.Ending, a.Bundle, a.Image, a.Info)
	}
	known := func(l *ast.BasicLit) bool {
		s, err := strconv.Unquote(l.Value)
		switch {
		case err != nil:
			return false
		case l.Kind == token.CHAR:
			return s == "@" || s == "%"
		case l.Kind != token.STRING:
			return false
		case strings.Trim(s, "@%") == "" && s != "":
			return true
		}
		return strings.HasPrefix(s, "@") || slices.Contains(names, s) ||
			slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(s, e) })
	}
	reader := func(s *ast.ImportSpec) bool {
		p, _ := strconv.Unquote(s.Path.Value)
		p, ok := strings.CutPrefix(p, modulePrefix+"/")
		return ok && slices.ContainsFunc(dialectOwners, func(o string) bool { return p == o || strings.HasPrefix(p, o+"/") })
	}
	used := map[string]bool{}
	fset := token.NewFileSet()
	look := func(file, name string) {
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		imports := map[*ast.BasicLit]bool{}
		found := func(n ast.Node, what string) {
			for p := name; p != "."; p = path.Dir(p) {
				if knowDialects[p] != "" {
					used[p] = true
					return
				}
			}
			t.Errorf("%s:%d: %s knows a dialect", name, fset.Position(n.Pos()).Line, what)
		}
		for _, s := range f.Imports {
			imports[s.Path] = true
			if reader(s) {
				found(s, s.Path.Value)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && !imports[l] && known(l) {
				found(l, l.Value)
			}
			return true
		})
	}
	root := filepath.Join("..", "..")
	for _, top := range []string{"cmd", "transpile", "rtlib"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, err := filepath.Rel(root, file)
			name = filepath.ToSlash(name)
			switch {
			case d.IsDir() && (d.Name() == "testdata" || d.Name() == "fixture" || slices.Contains(dialectOwners, name)):
				return filepath.SkipDir
			case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
				look(file, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for p := range knowDialects {
		if !used[p] {
			t.Errorf("%s needs no exception", p)
		}
	}
}
