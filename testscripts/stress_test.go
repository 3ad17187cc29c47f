// Package testscripts holds the conformance scripts; see README.md. The command's
// own tests run them as they are. The test here runs those that execute programs
// once more, with a collection at every allocation, a check of the whole heap
// after each, and freed memory overwritten.
package testscripts

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/uvm2go/uvm2go/internal/longtest"
)

const stress = "gcstress=1,gcverify=1,clobberfree=1"

// noPrograms are areas whose scripts run no programs, or set UVMDEBUG
// themselves, or allocate millions of objects.
var noPrograms = []string{"check_", "warn_", "cli_", "hail_errors", "lexis_", "gc_", "litmus_", "thread_poll"}

func TestLongUnderStress(t *testing.T) {
	longtest.Only(t)
	flag.Parse()
	bin := t.TempDir()
	exe := filepath.Join(bin, "uvm2go")
	if out, err := exec.Command("go", "build", "-o", exe, "../cmd/uvm2go").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	all, err := filepath.Glob("*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, f := range all {
		if !hasPrefix(f, noPrograms) {
			files = append(files, f)
		}
	}
	if len(files) < 40 {
		t.Fatalf("only %d scripts found", len(files))
	}
	data, err := filepath.Abs(filepath.Join("..", "cmd", "uvm2go", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"UVM2GO_TESTDATA": data,
		"GOPROXY": "off", "XDG_CACHE_HOME": t.TempDir(), "UVMDEBUG": stress,
		"GOFLAGS": os.Getenv("GOFLAGS"), "GOCACHE": goEnv(t, "GOCACHE"), "GOMODCACHE": goEnv(t, "GOMODCACHE")}
	testscript.Run(t, testscript.Params{
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			for k, v := range env {
				e.Setenv(k, v)
			}
			e.Setenv("PATH", bin+string(filepath.ListSeparator)+e.Getenv("PATH"))
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "cgo" {
				return goEnv(t, "CGO_ENABLED") == "1", nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}

func hasPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
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

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
