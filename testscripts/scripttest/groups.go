package scripttest

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// Update says that tests rewrite what they expect.
var Update = flag.Bool("update", false, "rewrite the expected output in scripts, listings and clients")

// Groups has the areas of each group: the parts of the scripts' names in front of the first
// underscore. The test package of a group is the folder of its name in testscripts.
var Groups = map[string][]string{
	// flags, files, diagnostics
	"command": {"cli", "check", "warn", "lexis", "line"},
	// instructions of Mu, one function at a time
	"language": {"int", "cmp", "fp", "conv", "flow", "call", "tailcall", "exc", "agg", "mem", "atomic", "global",
		"const", "tagref64", "comm", "type", "wp", "trap", "error", "sanitize", "regress", "bundle"},
	// collection, stacks, threads, introspection, whole programs, the text of the representation
	"runtime": {"gc", "stack", "thread", "futex", "litmus", "meta", "run", "hail", "entry", "exit", "ir"},
	// C, and Go programs around the generated code
	"native": {"native", "several", "embed", "client"},
	// languages and forms other than Mu IR of 2016
	"dialects": {"old", "ial", "tvm", "muc"},
}

// Run runs the scripts of a group, without the lines for long tests unless these are on. The
// test is in folder testscripts/GROUP.
func Run(t *testing.T, group string) { runGroup(t, scripts(t, group)) }

// RunLong runs those scripts of a group that have more to do in long tests.
func RunLong(t *testing.T, group string) {
	t.Helper()
	runGroup(t, slices.DeleteFunc(scripts(t, group), func(file string) bool { return !hasLong(t, file) }))
}

// hasLong reports whether a script has lines for long tests.
func hasLong(t *testing.T, file string) bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return Long.Match(text)
}

// oneIn scripts one builds its programs in short tests.
const oneIn = 24

// Of so many scripts one runs in short tests of RunSampled, which is for a group whose programs need C or are Go
// programs, so that the engine cannot run them.
const sampled = 3

// RunSampled is Run with one script in three.
func RunSampled(t *testing.T, group string) {
	t.Helper()
	some, _ := split(scripts(t, group), sampled)
	runGroup(t, some)
}

// RunLongSampled runs the scripts that RunSampled leaves out, and those that have more to do in long tests.
func RunLongSampled(t *testing.T, group string) {
	t.Helper()
	some, others := split(scripts(t, group), sampled)
	runGroup(t, append(others, slices.DeleteFunc(some, func(file string) bool { return !hasLong(t, file) })...))
}

// RunMixed is Run, but only one script in oneIn builds programs. The others run them on the engine for live code, which
// takes a small part of the time.
func RunMixed(t *testing.T, group string) {
	t.Helper()
	built, live := split(scripts(t, group), oneIn)
	path := Path(Command(t))
	root := filepath.Join("..", "..")
	run(t, root, built, longtest.On(), map[string]string{"PATH": path})
	run(t, root, live, false, map[string]string{"UVM2GO_RUN": "live", "PATH": path})
}

// RunLongMixed runs what RunMixed leaves out: the scripts that build no programs there, those that have more to do
// in long tests, and on the engine those that build programs there.
func RunLongMixed(t *testing.T, group string) {
	t.Helper()
	built, live := split(scripts(t, group), oneIn)
	run(t, filepath.Join("..", ".."), built, false, map[string]string{"UVM2GO_RUN": "live", "PATH": Path(Command(t))})
	runGroup(t, append(live, slices.DeleteFunc(built, func(file string) bool { return !hasLong(t, file) })...))
}

// split divides scripts into one in n and the others.
func split(files []string, n int) (some, others []string) {
	for i, f := range files {
		if i%n == 0 {
			some = append(some, f)
		} else {
			others = append(others, f)
		}
	}
	return some, others
}

func runGroup(t *testing.T, files []string) {
	t.Helper()
	run(t, filepath.Join("..", ".."), files, longtest.On(), map[string]string{"PATH": Path(Command(t))})
}

// RunUnder runs scripts, without the lines for long tests, with a value of UVMDEBUG. The test is in folder
// testscripts.
func RunUnder(t *testing.T, debug string, files []string) {
	t.Helper()
	run(t, "..", files, false, map[string]string{"UVMDEBUG": debug, "PATH": Path(Command(t))})
}

// scripts are the files of a group.
func scripts(t *testing.T, group string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("..", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := slices.DeleteFunc(all, func(file string) bool { return !slices.Contains(Groups[group], Area(file)) })
	if len(files) == 0 {
		t.Fatalf("no scripts of group %s", group)
	}
	return files
}

// Area is the area of a script: its name up to the first underscore.
func Area(file string) string {
	area, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txtar"), "_")
	return area
}

// Command returns the path of an executable of uvm2go that exists as long as the test. The runtime has been
// compiled for the programs that it is to build. Packages share one link: the go command leaves the executable in its
// cache as it is if nothing has changed.
func Command(tb testing.TB) string {
	tb.Helper()
	CompileRuntime(tb)
	dir, unlock := lock(tb)
	defer unlock()
	suffix := GoEnv(tb, "GOEXE")
	linked := filepath.Join(dir, "uvm2go-tests"+suffix)
	if out, err := exec.Command("go", "build", "-ldflags=-s", "-o", linked, "github.com/uvm2go/uvm2go/cmd/uvm2go").CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(linked)
	if err != nil {
		tb.Fatal(err)
	}
	exe := filepath.Join(tb.TempDir(), "uvm2go"+suffix)
	if err := writeExecutable(exe, text); err != nil {
		tb.Fatal(err)
	}
	return exe
}

// Path is the variable PATH with the folder of an executable in front.
func Path(exe string) string {
	return filepath.Dir(exe) + string(filepath.ListSeparator) + os.Getenv("PATH")
}

// Status runs a command and gives its exit status.
func Status(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Run()
	var x *exec.ExitError
	if errors.As(err, &x) {
		return x.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0
}
