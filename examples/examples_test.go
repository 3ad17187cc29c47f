package examples_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// TestExamples runs every example and compares its output with want.txt: built or on the engine for live code, as quick has
// it, and on the reference interpreter.
func TestExamples(t *testing.T) {
	runExamples(t, func(number int) []string { return append(quick(number), "-interp") })
}

// TestLongExamples builds all examples, at both levels.
func TestLongExamples(t *testing.T) {
	longtest.Only(t)
	runExamples(t, func(int) []string { return []string{"-O0", "-O1"} })
}

// runExamples runs each example in the modes that its number is given.
func runExamples(t *testing.T, modes func(number int) []string) {
	t.Helper()
	uvm2go := command(t)
	dirs, err := filepath.Glob("*/want.txt")
	if err != nil || len(dirs) < 12 {
		t.Fatalf("%d examples found, %v", len(dirs), err)
	}
	for number, want := range dirs {
		dir := filepath.Dir(want)
		name := filepath.Base(dir)
		bundle := filepath.Join(dir, name+".uir")
		if _, err := os.Stat(bundle); err != nil || strings.HasPrefix(name, "native_") || slices.Contains(builders, name) {
			continue // an example with a client of its own, or see TestNativeExamples and TestBuilders
		}
		wanted, err := os.ReadFile(want)
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range modes(number) {
			if mode == "-interp" && slowOnInterpreter[name] {
				continue
			}
			t.Run(name+mode, func(t *testing.T) {
				var out, errs bytes.Buffer
				status := uvm2go.run(t, []string{"run", mode, bundle}, &out, &errs)
				if status != 0 || errs.Len() > 0 {
					t.Errorf("status %d, standard error:\n%s", status, &errs)
				}
				if !bytes.Equal(out.Bytes(), wanted) {
					t.Errorf("got:\n%s\nwant:\n%s", &out, wanted)
				}
			})
		}
	}
}

// slowOnInterpreter lists examples that do too much work for the interpreter.
var slowOnInterpreter = map[string]bool{"gcbench": true, "tailcalls": true, "nbody": true}
