package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){"uvm2go": main})
}

// TestScripts runs testscripts/*.txtar, each in a folder of its own. See the
// README there.
func TestScripts(t *testing.T) {
	cache := goEnv(t, "GOCACHE")
	mod := goEnv(t, "GOMODCACHE")
	// Programs built by run are kept between scripts, but not between test runs.
	programs := t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "..", "testscripts"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("GOCACHE", cache)
			e.Setenv("GOMODCACHE", mod)
			e.Setenv("GOFLAGS", os.Getenv("GOFLAGS"))
			e.Setenv("GOPROXY", "off")
			e.Setenv("XDG_CACHE_HOME", programs)
			e.Setenv("UVM2GO_TESTDATA", absolute(t, "testdata"))
			e.Setenv("UVM2GO_EXAMPLES", absolute(t, filepath.Join("..", "..", "examples")))
			if d := os.Getenv("UVMDEBUG"); d != "" {
				e.Setenv("UVMDEBUG", d)
			}
			return nil
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "cgo":
				return goEnv(t, "CGO_ENABLED") == "1", nil
			case "race": // the go command refuses the flag where there is no race detector
				return exec.Command("go", "list", "-race", "unsafe").Run() == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
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

func goEnv(t testing.TB, name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out[:len(out)-1])
}

func absolute(t *testing.T, path string) string {
	p, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
