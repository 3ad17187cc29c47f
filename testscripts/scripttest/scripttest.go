// Package scripttest runs testscripts/*.txtar: it has the groups that they are run in, the
// environment, the conditions and the command status (testscripts/README.md). Each group
// is run by a test package of its own, so that none takes much of the ten minutes that the
// go command allows a package, however slow the machine.
package scripttest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Long matches a line of a script that depends on whether long tests are on.
var Long = regexp.MustCompile(`(?m)^\[!?(long|race)\] `)

// Params are those of a run of some scripts of the module in the folder root. Lines that
// begin with [long] or [race] count only if long is true. The variables come on top of those that
// all scripts get.
func Params(tb testing.TB, root string, files []string, long bool, variables map[string]string) testscript.Params {
	tb.Helper()
	env := map[string]string{
		"GOCACHE":    GoEnv(tb, "GOCACHE"),
		"GOMODCACHE": GoEnv(tb, "GOMODCACHE"),
		"GOFLAGS":    BareLink(os.Getenv("GOFLAGS")),
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
			case "long":
				return long, nil
			case "race":
				// Go's library is compiled once more for it. The go command refuses the flag where
				// there is no race detector.
				return long && exec.Command("go", "list", "-race", "unsafe").Run() == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
	}
}

// BareLink adds a flag to GOFLAGS that leaves symbols and debugging information out of
// programs. To write them takes the linker as long as all the rest, and a test of programs
// is mostly links.
func BareLink(flags string) string { return strings.TrimSpace(flags + " -ldflags=-s") }

// OwnCache gives a test a cache of its own for what uvm2go keeps, but not for what the go command
// compiles, whose cache lies in the same folder unless told otherwise.
func OwnCache(t *testing.T) {
	t.Helper()
	t.Setenv("GOCACHE", GoEnv(t, "GOCACHE"))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
}

// GoEnv gives a variable of the go command.
func GoEnv(tb testing.TB, name string) string {
	tb.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		tb.Fatal(err)
	}
	return strings.TrimSpace(string(out))
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
