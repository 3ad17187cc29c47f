package bundletest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// client copies testdata/client to a separate module, like that of a project that
// requires this module.
func client(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "client"))); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	own := "module example.com/client\n\nrequire github.com/uvm2go/uvm2go v0.0.0\n\nreplace github.com/uvm2go/uvm2go => " + root + "\n"
	mod = regexp.MustCompile(`(?m)^module .*$`).ReplaceAllLiteral(mod, []byte(own))
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"go.mod": mod, "go.sum": sum} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// goTest runs the tests of a client and returns their output.
func goTest(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"test"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// ownCaches uses temporary folders instead of the user's cache folder, except for Go's build cache, and builds
// without symbols.
func ownCaches(t *testing.T) {
	t.Helper()
	scripttest.OwnCache(t)
	t.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -ldflags=-s"))
}

// TestClient runs the tests of a module outside of this one, as docs/bundletest.md
// shows them.
func TestClient(t *testing.T) {
	ownCaches(t)
	dir := client(t)
	out, err := goTest(t, dir, "-v", ".")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"TestFac/a_b_c", "TestFac/none", "TestFac/a_b_c/gcstress=1", "TestCall", "TestScripts/fac"} {
		if !strings.Contains(out, "--- PASS: "+name+" ") {
			t.Errorf("no %s in\n%s", name, out)
		}
	}

	// A passing result is cached until the bundle changes, though another process reads the bundle.
	if out, err = goTest(t, dir, "-run", "Fac|Call", "."); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	bundle := filepath.Join(dir, "fac.uir")
	text, err := os.ReadFile(bundle)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("%y     = MUL <@i64> %product %x"), []byte("%y     = ADD <@i64> %product %x"), 1)
	if err := os.WriteFile(bundle, text, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err = goTest(t, dir, "-run", "Fac|Call", ".")
	if err == nil {
		t.Fatalf("passes with a wrong bundle:\n%s", out)
	}
	for _, want := range []string{"fac=7", "want:\n", "fac=6", `@fac of 10 is "56\n"`, "TestFac/a_b_c/gcstress=1"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// TestDocumented checks that the documentation shows the client's tests as they are.
func TestDocumented(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "bundletest.md"))
	if err != nil {
		t.Fatal(err)
	}
	for name, kind := range map[string]string{"fac_test.go": "go", "testdata/fac.txtar": "txtar"} {
		text, err := os.ReadFile(filepath.Join("testdata", "client", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(doc, []byte("```"+kind+"\n"+string(text)+"```\n")) {
			t.Errorf("docs/bundletest.md does not show %s as it is", name)
		}
	}
}

// fakeEnv is an environment like that of testscript.
type fakeEnv map[string]string

func (e fakeEnv) Getenv(key string) string { return e[key] }
func (e fakeEnv) Setenv(key, value string) { e[key] = value }

// TestSetup checks that a script finds the command and the caches of the user who runs
// it, although it has another home folder.
func TestSetup(t *testing.T) {
	ownCaches(t)
	e := fakeEnv{"PATH": "before", "HOME": "/no-home"}
	if err := Setup(e); err != nil {
		t.Fatal(err)
	}
	path, rest, _ := strings.Cut(e["PATH"], string(os.PathListSeparator))
	if rest != "before" || path != filepath.Dir(Tool(t)) {
		t.Errorf("PATH is %q", e["PATH"])
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil || e[name] != strings.TrimSpace(string(out)) {
			t.Errorf("%s is %q, want %s (%v)", name, e[name], out, err)
		}
	}
	if !filepath.IsAbs(e["UVM2GO_CACHE"]) || e["HOME"] != "/no-home" {
		t.Errorf("UVM2GO_CACHE is %q, HOME %q", e["UVM2GO_CACHE"], e["HOME"])
	}
}
