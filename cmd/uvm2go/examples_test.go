package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExamples runs every example and compares with its want.txt: built with
// and without the optimising passes, and on the reference interpreter.
func TestExamples(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dirs, err := filepath.Glob(filepath.Join("..", "..", "examples", "*", "want.txt"))
	if err != nil || len(dirs) < 12 {
		t.Fatalf("%d examples found, %v", len(dirs), err)
	}
	for _, want := range dirs {
		dir := filepath.Dir(want)
		name := filepath.Base(dir)
		bundle := filepath.Join(dir, name+".uir")
		if _, err := os.Stat(bundle); err != nil || strings.HasPrefix(name, "native_") {
			continue // an example with a client of its own, or see TestNativeExamples
		}
		wanted, err := os.ReadFile(want)
		if err != nil {
			t.Fatal(err)
		}
		modes := [][]string{{"-O0"}, {"-O1"}}
		if !slowOnInterpreter[name] {
			modes = append(modes, []string{"-interp"})
		}
		for _, mode := range modes {
			t.Run(name+mode[0], func(t *testing.T) {
				var out, errs bytes.Buffer
				args := append(append([]string{"run"}, mode...), bundle)
				status := runChild(t, args, &out, &errs)
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

// slowOnInterpreter are examples that do too much work for the interpreter.
var slowOnInterpreter = map[string]bool{"gcbench": true, "tailcalls": true, "nbody": true}
