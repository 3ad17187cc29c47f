//go:build !plan9 && !wasip1

package scripttest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// run runs scripts of the module in the folder root. Lines that begin with [long] or [race] count only
// if long is true. The variables come on top of those that all scripts get.
func run(t *testing.T, root string, files []string, long bool, variables map[string]string) {
	t.Helper()
	p := params(t, root, files, long, variables)
	p.UpdateScripts = *Update
	testscript.Run(t, p)
}

func params(tb testing.TB, root string, files []string, long bool, variables map[string]string) testscript.Params {
	tb.Helper()
	env := map[string]string{
		"GOCACHE":    GoEnv(tb, "GOCACHE"),
		"GOMODCACHE": GoEnv(tb, "GOMODCACHE"),
		"GOFLAGS":    FastBuild(os.Getenv("GOFLAGS")),
		"GOPROXY":    "off",
		// Programs built by run are kept between scripts, but not between test runs.
		"XDG_CACHE_HOME":  tb.TempDir(),
		"UVM2GO_TESTDATA": absolute(tb, filepath.Join(root, "cmd", "uvm2go", "testdata")),
		"UVM2GO_EXAMPLES": absolute(tb, filepath.Join(root, "examples")),
	}
	if d := os.Getenv("UVMDEBUG"); d != "" {
		env["UVMDEBUG"] = d
	}
	for k, v := range variables {
		env[k] = v
	}
	dir := tb.TempDir()
	lib := sync.OnceValues(func() (string, error) { return nativeLib(dir, env["UVM2GO_TESTDATA"]) })
	return testscript.Params{
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			for k, v := range env {
				e.Setenv(k, v)
			}
			return nil
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "cgo":
				return GoEnv(tb, "CGO_ENABLED") == "1", nil
			case "libffi":
				return hasLibffi(), nil
			case "long":
				return long, nil
			case "live":
				return env["UVM2GO_RUN"] == "live", nil
			case "race":
				// Go's library is compiled once more for it. The go command refuses the flag where
				// there is no race detector.
				return long && exec.Command("go", "list", "-race", "unsafe").Run() == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status,
			"nativelib": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) > 0 {
					ts.Fatalf("usage: nativelib")
				}
				path, err := lib()
				ts.Check(err)
				ts.Setenv("LIBN", path)
			},
		},
	}
}

// hasLibffi reports whether programs of the scripts find libffi, the shared library.
func hasLibffi() bool {
	if runtime.GOOS == "darwin" {
		return true
	}
	for _, dir := range []string{"/lib*", "/lib/*", "/usr/lib*", "/usr/lib/*", "/usr/local/lib"} {
		if found, _ := filepath.Glob(dir + "/libffi.so.[678]"); len(found) > 0 {
			return true
		}
	}
	return false
}

// nativeLib makes a shared library of native.c in a folder. All scripts have the same one: where a
// library is decides whether the go command compiles anew what needs cgo.
func nativeLib(dir, testdata string) (string, error) {
	lib := filepath.Join(dir, "libn.so")
	if out, err := exec.Command("gcc", "-shared", "-fPIC", "-pthread", "-o", lib, filepath.Join(testdata, "native.c")).CombinedOutput(); err != nil {
		return "", fmt.Errorf("gcc: %w\n%s", err, out)
	}
	return lib, nil
}

// status N command args... runs a command and wants its exit status to be N.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command args...")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		ts.Fatalf("status: %v", err)
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var x *exec.ExitError
		if !errors.As(err, &x) {
			ts.Fatalf("%v", err)
		}
		got = x.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func absolute(tb testing.TB, path string) string {
	tb.Helper()
	p, err := filepath.Abs(path)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}
