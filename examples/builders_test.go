package examples_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// builders are the examples that make code with the IR builder, which the interpreter does not have. They may
// read a session.txt.
var builders = []string{"rpn", "tracer"}

// TestBuilders runs them compiled and on the engine for live code.
func TestBuilders(t *testing.T) { runBuilders(t, "-O1", "-live") }

// TestLongBuilders does so without the optimising passes.
func TestLongBuilders(t *testing.T) {
	longtest.Only(t)
	runBuilders(t, "-O0")
}

func runBuilders(t *testing.T, modes ...string) {
	t.Helper()
	uvm2go := command(t)
	for _, name := range builders {
		want, err := os.ReadFile(filepath.Join(name, "want.txt"))
		if err != nil {
			t.Fatal(err)
		}
		session, err := os.ReadFile(filepath.Join(name, "session.txt"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		for _, mode := range modes {
			t.Run(name+mode, func(t *testing.T) {
				cmd := exec.Command(string(uvm2go), "run", mode, filepath.Join(name, name+".uir"))
				cmd.Env = append(os.Environ(), "GOFLAGS="+scripttest.FastBuild(os.Getenv("GOFLAGS")))
				var out, errs bytes.Buffer
				cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(session), &out, &errs
				if status := scripttest.Status(t, cmd); status != 0 || errs.Len() > 0 {
					t.Errorf("status %d, standard error:\n%s", status, &errs)
				}
				if !bytes.Equal(out.Bytes(), want) {
					t.Errorf("got:\n%s\nwant:\n%s", &out, want)
				}
			})
		}
	}
}

// TestTracer checks that the tracing interpreter has the same results with and without traces, and
// that there are no traces without them.
func TestTracer(t *testing.T) {
	traced, err := os.ReadFile("tracer/want.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if status := command(t).run(t, []string{"run", "-live", "tracer/tracer.uir", "--", "x"}, &out, &errs); status != 0 || errs.Len() > 0 {
		t.Errorf("status %d, standard error:\n%s", status, &errs)
	}
	result, _, _ := bytes.Cut(traced, []byte("\n"))
	if want := string(result) + "\n0\n999999\n"; out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", &out, want)
	}
}
