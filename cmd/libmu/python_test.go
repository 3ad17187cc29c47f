package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// unittest runs tests of the package in Python.
func unittest(t *testing.T, interpreter string, modules ...string) {
	t.Helper()
	dir := install(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, interpreter, append([]string{"-B", "-m", "unittest"}, modules...)...)
	cmd.Dir = filepath.Join("..", "..", "python", "tests")
	cmd.Env = append(os.Environ(), "UVM2GO_LIBMU="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "\nOK\n") {
		t.Errorf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}

// pythonTests are the modules with the tests of the package in Python. That about processes takes longer than all others.
func pythonTests(t *testing.T) (quick []string, processes string) {
	files, err := filepath.Glob("../../python/tests/test_*.py")
	if err != nil || len(files) < 6 {
		t.Fatal(err, files)
	}
	for _, f := range files {
		quick = append(quick, strings.TrimSuffix(filepath.Base(f), ".py"))
	}
	processes = "test_library"
	at := slices.Index(quick, processes)
	return slices.Delete(quick, at, at+1), processes
}

// python returns an interpreter for the package, which is for 3.9 and later.
func python(t *testing.T, name string) string {
	t.Helper()
	interpreter, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("there is no %s", name)
	}
	if exec.Command(interpreter, "-c", "import sys; sys.exit(sys.version_info < (3, 9))").Run() != nil {
		t.Skipf("%s is older than 3.9", name)
	}
	return interpreter
}

func TestLongPythonPackage(t *testing.T) {
	longtest.Only(t)
	quick, processes := pythonTests(t)
	for _, name := range []string{"python3", "pypy3"} {
		t.Run(name, func(t *testing.T) {
			interpreter := python(t, name)
			unittest(t, interpreter, quick...)
			unittest(t, interpreter, processes)
		})
	}
}
