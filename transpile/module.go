package transpile

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/uvm2go/uvm2go/transpile/gogen"
)

// A Module is a Go module of generated files with the runtime beside it, so that go build works
// there without a network.
type Module struct {
	Path    string // of the module, see ModulePath
	Files   []gogen.File
	Runtime fs.FS        // the runtime's sources, by their folders in the module uvm2go
	Libs    []gogen.File // native libraries, which get a folder below
	Live    bool         // has the engine for live code even if none of the files imports it
	Version string       // under which it requires uvm2go, "" for v0.0.0
	Source  string       // folder with the sources of uvm2go, which are not copied then; "" for Runtime
	Kept    string       // folder of KeepRuntime, which has Runtime; it is not copied where there are symbolic links
}

// WriteModule turns the folder dir into a Module without native libraries. For errors see Write.
func WriteModule(dir, path string, files []gogen.File, runtime fs.FS) error {
	return (&Module{Path: path, Files: files, Runtime: runtime}).Write(dir)
}

// LibDir is the folder for native libraries in a module.
const LibDir = "lib"

// Folders and files of a module, beside the generated ones.
const (
	goMod      = "go.mod"
	runtimeDir = "uvm2go"
	libList    = LibDir + "/uvm2go.txt"
)

// Write turns the folder dir into the module. Existing files with the same content are not touched, so
// that build caches stay valid. Files of an earlier Write are replaced, or removed if the module no
// longer has them. If any other file would be replaced, Write returns a ForeignError and writes nothing.
func (m *Module) Write(dir string) error {
	if err := CheckFolder(dir); err != nil {
		return err
	}
	if m.link(dir) {
		linked := *m
		linked.Source = "./" + runtimeDir
		m = &linked
	}
	w, err := m.plan(dir)
	if err != nil {
		return err
	}
	if err := w.check(); err != nil {
		return err
	}
	return w.write()
}

// plan lists the files. Those by which the next Write recognizes the folders as its own come first, in
// case this one is interrupted.
func (m *Module) plan(dir string) (*writer, error) {
	w := &writer{dir: dir}
	again := w.marked(goMod)
	w.generated(goMod, "module "+m.Path+"\n\ngo 1.26\n\nrequire github.com/uvm2go/uvm2go "+cmp.Or(m.Version, "v0.0.0")+
		"\n\nreplace github.com/uvm2go/uvm2go => "+modString(cmp.Or(m.Source, "./"+runtimeDir))+"\n")
	if m.Source == "" {
		if err := m.planRuntime(w); err != nil {
			return nil, err
		}
	}
	if err := m.planLibs(w); err != nil {
		return nil, err
	}
	for _, f := range m.Files {
		w.add(f.Name, f.Data, w.marked(f.Name))
	}
	if again {
		return w, w.removeBut(".", func(name string) bool { return strings.HasSuffix(name, ".go") && w.marked(name) })
	}
	return w, nil
}

// link links the kept runtime into a new module, and reports whether it could. The executable says where its runtime
// was, so the folder has the name that a copy has.
func (m *Module) link(dir string) bool {
	return m.Kept != "" && os.Symlink(m.Kept, filepath.Join(dir, runtimeDir)) == nil
}

// modString is a path as go.mod has it.
func modString(file string) string {
	file = filepath.ToSlash(file)
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/-_.@:~+", r)
	}
	if strings.Contains(file, "//") || strings.ContainsFunc(file, func(r rune) bool { return !plain(r) }) {
		return strconv.Quote(file)
	}
	return file
}

// liveDir is the engine for live code, which needs much of the translator. Only programs that may get new code
// while they run use it.
const liveDir = "rtlib/live"

// engineNeeds lists the folders of the translator that the engine needs, as their imports say.
func engineNeeds(sources fs.FS) (map[string]bool, error) {
	seen := map[string]bool{}
	work := []string{liveDir}
	for len(work) > 0 {
		dir := work[len(work)-1]
		work = work[:len(work)-1]
		files, err := fs.ReadDir(sources, dir)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if below := path.Join(dir, f.Name()); f.IsDir() && !hasGo(sources, below) {
				seen[below] = true // embedded
			}
			if f.IsDir() || path.Ext(f.Name()) != ".go" || strings.HasSuffix(f.Name(), "_test.go") {
				continue
			}
			text, err := fs.ReadFile(sources, path.Join(dir, f.Name()))
			if err != nil {
				return nil, err
			}
			g, err := parser.ParseFile(token.NewFileSet(), f.Name(), text, parser.ImportsOnly)
			if err != nil {
				return nil, err
			}
			for _, i := range g.Imports {
				of, _ := strconv.Unquote(i.Path.Value)
				if below, ok := strings.CutPrefix(of, path.Dir(RuntimePath)+"/"); ok && strings.HasPrefix(below, "transpile/") && !seen[below] {
					seen[below] = true
					work = append(work, below)
				}
			}
		}
	}
	for dir := range maps.Clone(seen) {
		for ; dir != "."; dir = path.Dir(dir) { // and the folders above it
			seen[dir] = true
		}
	}
	return seen, nil
}

// hasGo reports whether a folder has Go files.
func hasGo(sources fs.FS, dir string) bool {
	l, err := fs.Glob(sources, dir+"/*.go")
	return err == nil && len(l) > 0
}

// Folders with C for programs that are not made from bundles: a process without generated code, and the library libmu, which
// is one.
const (
	processDir = "rtlib/ffi/process"
	libmuDir   = liveDir + "/libmu"
)

// within reports whether a path is a folder or below it.
func within(name, dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }

// planRuntime copies the runtime's sources without tests and packages that only tests use. The folder is ours if
// its go.mod is.
func (m *Module) planRuntime(w *writer) error {
	mod := runtimeDir + "/" + goMod
	ours := w.marked(mod)
	w.generated(mod, "module github.com/uvm2go/uvm2go\n\ngo 1.26\n")
	dirs := []string{}
	libmu := m.imports(RuntimePath + "/live/libmu")
	program, live := m.isProgram(), m.Live || libmu || m.imports(RuntimePath+"/live")
	var needs map[string]bool
	if live {
		var err error
		if needs, err = engineNeeds(m.Runtime); err != nil {
			return err
		}
		needs[liveDir] = true
	}
	err := fs.WalkDir(m.Runtime, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "testdata" || d.Name() == "fixture" || d.Name() == "opgen" || !libmu && (name == processDir || name == libmuDir) || (name == liveDir || within(name, "transpile")) && !needs[name] {
				return fs.SkipDir
			}
			if name != "." {
				dirs = append(dirs, runtimeDir+"/"+name)
			}
			if name == clientAPI && program && !live {
				return fs.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(name, "_test.go") {
			return nil
		}
		b, err := fs.ReadFile(m.Runtime, name)
		w.add(runtimeDir+"/"+name, b, ours)
		return err
	})
	if err != nil || !ours {
		return err
	}
	for _, d := range dirs {
		// Files of an earlier version would be compiled too.
		err := w.removeBut(d, func(name string) bool { return slices.Contains([]string{".go", ".s", ".c", ".h"}, path.Ext(name)) })
		if err != nil {
			return err
		}
	}
	return nil
}

// clientAPI is the folder of the client API of Mu. It is for Go programs that import a translated package,
// so a module whose files are a program does not need it.
const clientAPI = "rtlib/mu"

// isProgram reports whether the files are package main.
func (m *Module) isProgram() bool {
	return slices.ContainsFunc(m.Files, func(f gogen.File) bool {
		g, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Data, parser.PackageClauseOnly)
		return err == nil && g.Name.Name == "main"
	})
}

// imports reports whether one of the files imports a package.
func (m *Module) imports(pkg string) bool {
	return slices.ContainsFunc(m.Files, func(f gogen.File) bool {
		g, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Data, parser.ImportsOnly)
		return err == nil && slices.ContainsFunc(g.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == strconv.Quote(pkg) })
	})
}

// planLibs copies native libraries and writes a list of them: the files in the list are ours.
func (m *Module) planLibs(w *writer) error {
	listed := map[string]bool{}
	if w.marked(libList) {
		b, err := os.ReadFile(w.path(libList))
		if err != nil {
			return err
		}
		for l := range strings.Lines(string(b)) {
			listed[LibDir+"/"+strings.TrimSuffix(l, "\n")] = true
		}
	} else if len(m.Libs) == 0 {
		return nil
	}
	names := ""
	for _, l := range m.Libs {
		names += l.Name + "\n"
	}
	w.generated(libList, names)
	for _, l := range m.Libs {
		w.add(LibDir+"/"+l.Name, l.Data, listed[LibDir+"/"+l.Name])
	}
	return w.removeBut(LibDir, func(name string) bool { return listed[name] })
}
