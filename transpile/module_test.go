package transpile

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/uvm2go/uvm2go/transpile/gogen"
)

// oldRuntime and newRuntime stand for the runtimes of two versions.
var (
	oldRuntime = fstest.MapFS{
		"rtlib/rt.go":        {Data: []byte("package rtlib\n")},
		"rtlib/gone.go":      {Data: []byte("package rtlib\n")},
		"rtlib/rt_test.go":   {Data: []byte("package rtlib\n")},
		"rtlib/testdata/x":   {Data: []byte("x")},
		"rtlib/internal/x.s": {Data: []byte("// x\n")},
	}
	newRuntime = fstest.MapFS{"rtlib/rt.go": {Data: []byte("package rtlib // new\n")}, "rtlib/internal/y.s": {Data: []byte("// y\n")}}
)

func generatedFile(name, text string) gogen.File {
	return gogen.File{Name: name, Data: []byte(generatedMark + "\n\npackage main\n\n" + text)}
}

// TestWriteModule checks which files of a folder are replaced, removed and left alone, and that
// nothing is written if a file of somebody else would have to be replaced.
func TestWriteModule(t *testing.T) {
	first := &Module{Path: "uvm2go.local/p", Runtime: oldRuntime,
		Files: []gogen.File{generatedFile("code.go", "func main() {}\n"), generatedFile("code2.go", "")},
		Libs:  []gogen.File{{Name: "libx.so", Data: []byte("1")}, {Name: "liby.a", Data: []byte("2")}}}
	second := &Module{Path: "uvm2go.local/q", Runtime: newRuntime,
		Files: []gogen.File{generatedFile("code.go", "func main() { /* new */ }\n")},
		Libs:  []gogen.File{{Name: "libx.so", Data: []byte("3")}}}
	dir := filepath.Join(t.TempDir(), "gen")
	own := map[string]string{"mine.go": "package main\n", "notes.txt": "keep\n", "lib/libmine.a": "mine", "uvm2go/README": "mine"}
	if err := first.Write(dir); err != nil {
		t.Fatal(err)
	}
	for name, text := range own {
		writeFile(t, filepath.Join(dir, name), text)
	}
	if err := second.Write(dir); err != nil {
		t.Fatal(err)
	}
	want := []string{"code.go", "go.mod", "lib/libmine.a", "lib/libx.so", "lib/uvm2go.txt", "mine.go", "notes.txt",
		"uvm2go/README", "uvm2go/go.mod", "uvm2go/rtlib/internal/y.s", "uvm2go/rtlib/rt.go"}
	got := tree(t, dir)
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, want) {
		t.Errorf("got %q\nwant %q", names, want)
	}
	for name, text := range own {
		if got[name] != text {
			t.Errorf("%s is %q now", name, got[name])
		}
	}
	if got["lib/libx.so"] != "3" || !strings.Contains(got["go.mod"], "module uvm2go.local/q") || !strings.Contains(got["uvm2go/rtlib/rt.go"], "new") {
		t.Errorf("files of the first module are still there: %q", got)
	}
	// The third time nothing changes, and without libraries their files are removed.
	if err := second.Write(dir); err != nil {
		t.Fatal(err)
	}
	second.Libs = nil
	if err := second.Write(dir); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, dir); got["lib/libx.so"] != "" || got["lib/libmine.a"] != "mine" {
		t.Errorf("libraries: %q", got)
	}
}

// TestKeptRuntime writes modules that share a runtime: the go command sees the same as with a copy, and other
// sources are kept in another folder.
func TestKeptRuntime(t *testing.T) {
	root := filepath.Join(t.TempDir(), "with space")
	withLive := func(sources fstest.MapFS) fstest.MapFS {
		sources = maps.Clone(sources)
		sources["rtlib/live/live.go"] = &fstest.MapFile{Data: []byte("package live\n")}
		return sources
	}
	oldRuntime, newRuntime := withLive(oldRuntime), withLive(newRuntime)
	kept, err := KeepRuntime(root, 1, newRuntime)
	if err != nil {
		t.Fatal(err)
	}
	again, err := KeepRuntime(root, 1, newRuntime)
	if err != nil || again != kept {
		t.Errorf("kept in %s, then in %s, %v", kept, again, err)
	}
	if old, err := KeepRuntime(root, 1, oldRuntime); err != nil || old == kept {
		t.Errorf("another runtime is kept in %s too, %v", old, err)
	}
	m := &Module{Path: "uvm2go.local/p", Runtime: newRuntime, Files: []gogen.File{generatedFile("code.go", "func main() {}\n")}}
	copied, shared := t.TempDir(), t.TempDir()
	if err := m.Write(copied); err != nil {
		t.Fatal(err)
	}
	m.Kept = kept
	if err := m.Write(shared); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "code.go", "uvm2go/go.mod", "uvm2go/rtlib/rt.go"} {
		a, err := os.ReadFile(filepath.Join(copied, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(shared, filepath.FromSlash(name))); err != nil || string(a) != string(b) {
			t.Errorf("%s: copied %q, shared %q, %v", name, a, b, err)
		}
	}
	if link, err := os.Readlink(filepath.Join(shared, "uvm2go")); runtime.GOOS != "windows" && (err != nil || link != kept) {
		t.Errorf("the runtime is a link to %q, %v", link, err)
	}
}

// A folder that go.mod could not name as it is gets quotes.
func TestModuleSource(t *testing.T) {
	for source, want := range map[string]string{"/a/b-1.2_c@v1": "/a/b-1.2_c@v1", "/a b": `"/a b"`, "/a,b": `"/a,b"`, "/a//b": `"/a//b"`} {
		dir := t.TempDir()
		if err := (&Module{Path: "uvm2go.local/p", Source: source}).Write(dir); err != nil {
			t.Fatal(err)
		}
		if text, _ := os.ReadFile(filepath.Join(dir, "go.mod")); !strings.HasSuffix(string(text), "=> "+want+"\n") {
			t.Errorf("%s: %s", source, text)
		}
	}
}

// TestWriteModuleForeign puts a file of somebody else's in the way, one at a time.
func TestWriteModuleForeign(t *testing.T) {
	m := &Module{Path: "uvm2go.local/p", Runtime: oldRuntime,
		Files: []gogen.File{generatedFile("code.go", "func main() {}\n")}, Libs: []gogen.File{{Name: "libx.so", Data: []byte("1")}}}
	for _, name := range []string{"go.mod", "code.go", "uvm2go/go.mod", "uvm2go/rtlib/rt.go", "lib/uvm2go.txt", "lib/libx.so"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			p := filepath.Join(dir, filepath.FromSlash(name))
			writeFile(t, p, "module mine // "+generatedMark+"\n")
			err := m.Write(dir)
			var foreign *ForeignError
			if !errors.As(err, &foreign) || foreign.Name != p {
				t.Errorf("got %v, want an error that names %s", err, p)
			}
			if got := tree(t, dir); len(got) != 1 {
				t.Errorf("written all the same: %q", got)
			}
		})
	}
	// A folder in the place of a file is not ours either.
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "code.go"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := m.Write(dir); err == nil || len(tree(t, dir)) != 0 {
		t.Errorf("got %v and %q", err, tree(t, dir))
	}
}

func TestWriteFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.go")
	for i, step := range []struct {
		before string // "-" leaves the file as it is
		ok     bool
	}{{"-", true}, {"-", true}, {"", true}, {"package mine\n", false}, {generatedMark, true}, {generatedMark + "\r\nold", true}, {generatedMark + "x\n", false}} {
		if step.before != "-" {
			writeFile(t, name, step.before)
		}
		f := generatedFile("", strings.Repeat("//\n", i))
		err := WriteFile(name, f.Data)
		if (err == nil) != step.ok {
			t.Errorf("step %d: %v", i, err)
		}
		got, _ := os.ReadFile(name)
		if step.ok && string(got) != string(f.Data) || !step.ok && string(got) != step.before {
			t.Errorf("step %d: the file is %q", i, got)
		}
	}
	if left, _ := filepath.Glob(name + "?*"); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// TestModulePath runs go list on modules named by ModulePath, and compares the list of names that Go
// keeps for itself with the toolchain that runs the test.
func TestModulePath(t *testing.T) {
	names := []string{"sort", "strings", "hash", "main", "cmd", "all", "std", "go", "C", "v2", "con", "Nul", "lpt1",
		"-x", "_", "internal", "vendor", "unsafe", "toolchain", "x.y", "ä", "a b", "", "uvm2go", "testdata", "x~1", "calc"}
	for _, name := range names {
		for _, program := range []bool{true, false} {
			dir := t.TempDir()
			path := ModulePath(name, program)
			f := gogen.File{Name: "x.go", Data: []byte(generatedMark + "\n\npackage x\n")}
			if err := WriteModule(dir, path, []gogen.File{f}, oldRuntime); err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(dir, "cmd", "main.go"), "package main\n\nimport x \""+path+"\"\n\nvar _ = x.X\n\nfunc main() {}\n")
			list := exec.Command("go", "list", "-deps", "./...")
			list.Dir = dir
			list.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
			if out, err := list.CombinedOutput(); err != nil || !slices.Contains(strings.Fields(string(out)), path) {
				t.Errorf("%q makes module %s: %v\n%s", name, path, err, out)
			}
		}
	}
	if got := ModulePath("calc", false); got != "calc" {
		t.Errorf("package calc makes module %s", got)
	}
	out, err := exec.Command("go", "list", "std", "cmd").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range strings.Fields(string(out)) {
		if first, _, _ := strings.Cut(p, "/"); !slices.Contains(taken, first) {
			t.Errorf("%s is taken", first)
		}
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// tree reads all files below a folder, by name.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		files[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A module with the engine for live code gets the sources that it needs, and no others.
func TestLiveNeeds(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", `{{.ImportPath}}{{$p := .ImportPath}}{{range .EmbedFiles}} {{$p}}/{{.}}{{end}}`,
		RuntimePath+"/live").Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, pkg := range strings.Fields(string(out)) {
		dir, ok := strings.CutPrefix(pkg, "github.com/uvm2go/uvm2go/transpile/")
		if path.Ext(dir) != "" { // an embedded file
			dir = path.Dir(dir)
		}
		if ok {
			want = append(want, dir)
		}
	}
	got, err := engineNeeds(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range want {
		if !got["transpile/"+dir] {
			t.Errorf("%s is needed", dir)
		}
	}
	for dir := range got { // or leads to one that is
		if path.Base(dir) == "testdata" || !within(dir, "transpile") {
			continue
		}
		if !slices.ContainsFunc(want, func(w string) bool { return within("transpile/"+w, dir) }) {
			t.Errorf("%s is not needed", dir)
		}
	}
}

// Only a module that imports libmu gets its sources, and those of the C code that it needs.
func TestLibmuSources(t *testing.T) {
	sources := fstest.MapFS{}
	for _, name := range []string{"rtlib/live/live.go", "rtlib/live/libmu/doc.go", "rtlib/live/libmu/vm.c", "rtlib/ffi/ffi.go", "rtlib/ffi/process/process.go", "rtlib/mu/mu.go"} {
		sources[name] = &fstest.MapFile{Data: []byte("package x\n")}
	}
	for imports, want := range map[string]bool{"live": false, "live/libmu": true} {
		dir := t.TempDir()
		m := &Module{Path: "uvm2go.local/p", Runtime: sources, Files: []gogen.File{generatedFile("code.go", "import _ \""+RuntimePath+"/"+imports+"\"\nfunc main() {}\n")}}
		if err := m.Write(dir); err != nil {
			t.Fatal(err)
		}
		got := tree(t, dir)
		for _, name := range []string{"live/libmu/doc.go", "live/libmu/vm.c", "ffi/process/process.go"} {
			if _, ok := got["uvm2go/rtlib/"+name]; ok != want {
				t.Errorf("a module that imports %s has %s: %v, want %v", imports, name, ok, want)
			}
		}
		for _, name := range []string{"live/live.go", "ffi/ffi.go", "mu/mu.go"} {
			if _, ok := got["uvm2go/rtlib/"+name]; !ok {
				t.Errorf("a module that imports %s has no %s", imports, name)
			}
		}
	}
}
