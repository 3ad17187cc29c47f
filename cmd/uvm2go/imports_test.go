package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const modulePrefix = "github.com/uvm2go/uvm2go"

// An importer holds the imports of a package.
type importer struct {
	code map[string]bool // imports of ordinary files, for any platform
	test map[string]bool // imports of test files
}

// TestImports checks which packages import which (docs/internals.md, "Packages"). It reads
// all files, whatever their build constraints.
func TestImports(t *testing.T) {
	pkgs := importsOf(t, filepath.Join("..", ".."))
	if len(pkgs) < 20 {
		t.Fatalf("%d packages found", len(pkgs))
	}
	rules := []struct {
		about string
		// broken reports whether a direct import of imp by pkg breaks the rule.
		broken func(pkg, imp string, test bool) bool
	}{
		{"what translator and runtime share needs the standard library alone", func(pkg, imp string, test bool) bool {
			return !test && below(pkg, "internal") && !below(imp, "internal") && !standard(imp)
		}},
		{"the translator and the runtime know each other by name only", func(pkg, imp string, test bool) bool {
			return !test && (below(pkg, "transpile") && below(imp, "rtlib") || compiled(pkg) && below(imp, "transpile"))
		}},
		{"readers do not import one another", func(pkg, imp string, test bool) bool {
			a, b := reader(pkg), reader(imp)
			return a != "" && b != "" && a != b
		}},
		{"the tree of Go knows nothing but Go", func(pkg, imp string, test bool) bool {
			return pkg == "transpile/gotree" && !standard(imp) && imp != "internal/lexis/lex"
		}},
		{"jennifer is the business of gogen", func(pkg, imp string, test bool) bool {
			return strings.HasPrefix(imp, "github.com/dave/jennifer") && pkg != "transpile/gogen"
		}},
		{"the protocol of editors is the business of one package", func(pkg, imp string, test bool) bool {
			return strings.HasPrefix(imp, "github.com/sourcegraph/jsonrpc2") && pkg != "cmd/internal/lsp"
		}},
		{"what editors know is not linked into programs", func(pkg, imp string, test bool) bool {
			return !test && (imp == "transpile/lang" || below(imp, "transpile/lang")) && !strings.HasSuffix(pkg, "/lang") && pkg != "transpile/lang/langs" && !below(pkg, "cmd")
		}},
		{"a plan is made before any Go", func(pkg, imp string, test bool) bool {
			return !test && pkg == "transpile/lower/plan" && (imp == "transpile/gotree" || below(imp, "transpile/lower"))
		}},
		{"bodies do not know how tables and files are made", func(pkg, imp string, test bool) bool {
			return !test && below(pkg, "transpile/lower") && (imp == "transpile/gogen" || pkg != "transpile/lower" && imp == "transpile/lower")
		}},
		{"tables do not look at how bodies are laid out", func(pkg, imp string, test bool) bool {
			return !test && pkg == "transpile/gogen" && imp == "transpile/lower/plan"
		}},
		{"C is in three places", func(pkg, imp string, test bool) bool {
			return imp == "C" && !below(pkg, "rtlib/ffi") && pkg != "rtlib/live/libmu" && pkg != "rtlib/libc/internal/fixture/ctest"
		}},
		{"the runtime needs nothing but the standard library and the shared parsers", func(pkg, imp string, test bool) bool {
			return !test && compiled(pkg) && !below(imp, "rtlib") && !below(imp, "internal/lexis") && !standard(imp)
		}},
		{"what Go clients see is for them alone", func(pkg, imp string, test bool) bool {
			return !test && compiled(pkg) && (imp == "rtlib" || imp == "rtlib/mu" || imp == "rtlib/native")
		}},
		{"an oracle shares nothing with what it judges", func(pkg, imp string, test bool) bool {
			return pkg == "transpile/interp" && (below(imp, "rtlib") || imp == "transpile/gogen" ||
				below(imp, "transpile/lower") || imp == "transpile/passes")
		}},
		{"the representation knows no reader and no back end", func(pkg, imp string, test bool) bool {
			return !test && pkg == "transpile/ir" && !standard(imp) && imp != "transpile/diag" && imp != "internal/lexis/canon" && imp != "internal/lexis/notation" && imp != "internal/lexis/symbol"
		}},
		{"facts are read, not made, by what follows", func(pkg, imp string, test bool) bool {
			return !test && pkg == "transpile/facts" && !standard(imp) && imp != "transpile/ir" && imp != "transpile/analysis"
		}},
		{"Go's profilers are linked into programs that ask for them", func(pkg, imp string, test bool) bool {
			return !test && compiled(pkg) && (imp == "runtime/pprof" || imp == "runtime/trace" || imp == "rtlib/profiling") && pkg != "rtlib/profiling"
		}},
		{"the engine for live code is for clients, who say so, and makes no Go", func(pkg, imp string, test bool) bool {
			makesGo := []string{"transpile", "transpile/gogen", "transpile/gotree", "transpile/resume", "transpile/interp"}
			return compiled(pkg) && below(imp, "rtlib/live") ||
				!test && below(pkg, "rtlib/live") && (slices.Contains(makesGo, imp) || below(imp, "transpile/lower"))
		}},
		{"commands are not libraries", func(pkg, imp string, test bool) bool {
			return below(imp, "cmd") && !below(pkg, "cmd")
		}},
	}
	for pkg, p := range pkgs {
		for _, r := range rules {
			for imp := range p.code {
				if r.broken(pkg, imp, false) {
					t.Errorf("%s: %s imports %s", r.about, pkg, imp)
				}
			}
			for imp := range p.test {
				if r.broken(pkg, imp, true) {
					t.Errorf("%s: a test of %s imports %s", r.about, pkg, imp)
				}
			}
		}
	}
	// These rules must hold for indirect imports too.
	for _, apart := range [][2]string{{"transpile", "rtlib"}, {"rtlib", "transpile"}} {
		for pkg := range pkgs {
			if !below(pkg, apart[0]) || below(pkg, "rtlib/live") {
				continue
			}
			for dep := range closure(pkgs, pkg) {
				if below(dep, apart[1]) {
					t.Errorf("%s depends on %s", pkg, dep)
				}
			}
		}
	}
}

// compiled reports whether a package is part of the runtime that compiled programs are linked with.
func compiled(pkg string) bool { return below(pkg, "rtlib") && !below(pkg, "rtlib/live") }

// importsOf reads the imports of all packages of the module, by path within it.
func importsOf(t *testing.T, root string) map[string]*importer {
	t.Helper()
	pkgs := map[string]*importer{}
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(dir)
		if pkgs[pkg] == nil {
			pkgs[pkg] = &importer{map[string]bool{}, map[string]bool{}}
		}
		set := pkgs[pkg].code
		if strings.HasSuffix(name, "_test.go") {
			set = pkgs[pkg].test
		}
		for _, s := range f.Imports {
			imp, err := strconv.Unquote(s.Path.Value)
			if err != nil {
				return err
			}
			set[local(imp)] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pkgs
}

// local shortens the path of a package of the module, "." for its root.
func local(imp string) string {
	if imp == modulePrefix {
		return "."
	}
	return strings.TrimPrefix(imp, modulePrefix+"/")
}

// below reports whether a package of the module is dir or below it.
func below(pkg, dir string) bool { return pkg == dir || strings.HasPrefix(pkg, dir+"/") }

// standard reports whether a path is one of the standard library.
func standard(imp string) bool {
	first, _, _ := strings.Cut(imp, "/")
	return imp == "C" || imp != "." && !strings.Contains(first, ".") && !slices.Contains(ownTop, first)
}

// ownTop are the folders of the module that hold packages.
var ownTop = []string{"cmd", "transpile", "rtlib", "internal", "examples", "atomicsmodel"}

// reader returns the name of the reader that a package belongs to, or "".
func reader(pkg string) string {
	for _, r := range []string{"mu", "uvm2014", "ial", "psi", "tvm"} {
		if below(pkg, "transpile/"+r) {
			return r
		}
	}
	return ""
}

// closure returns all packages that the ordinary files of a package import, directly or indirectly.
func closure(pkgs map[string]*importer, pkg string) map[string]bool {
	seen := map[string]bool{}
	work := []string{pkg}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if pkgs[p] == nil {
			continue
		}
		for imp := range pkgs[p].code {
			if !seen[imp] {
				seen[imp] = true
				work = append(work, imp)
			}
		}
	}
	return seen
}
