package examples_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An exampleRunner runs bundles with flags and compares with want.txt.
type exampleRunner func(t *testing.T, bundles []string, flags ...string)

// quick returns the flags to run an example outside of long tests, which build all: one in twelve is built, the
// others run on the engine for live code, which takes a tenth of the time.
func quick(number int) []string {
	if number%12 == 0 {
		return []string{"-O1"}
	}
	return []string{"-live"}
}

// dialectExamples calls do for each example of a dialect that has a folder of its own here. The last line of
// want.txt is the exit status.
func dialectExamples(t *testing.T, dialect, ending string,
	do func(t *testing.T, uvm2go executable, number int, name string, bundles []string, run exampleRunner)) {
	t.Helper()
	uvm2go := command(t)
	wants, err := filepath.Glob(filepath.Join(dialect, "*", "want.txt"))
	if err != nil || len(wants) < 8 {
		t.Fatalf("%d examples found, %v", len(wants), err)
	}
	for i, want := range wants {
		dir := filepath.Dir(want)
		name := filepath.Base(dir)
		bundles := []string{filepath.Join(dir, name+ending)}
		if later := filepath.Join(dir, "later"+ending); exists(later) {
			bundles = append(bundles, later)
		}
		wanted, err := os.ReadFile(want)
		if err != nil {
			t.Fatal(err)
		}
		run := func(t *testing.T, bundles []string, flags ...string) {
			t.Helper()
			var out, errs bytes.Buffer
			status := uvm2go.run(t, append(append([]string{"run"}, flags...), bundles...), &out, &errs)
			fmt.Fprintf(&out, "exit %d\n", status)
			wanted := wanted
			if strings.HasSuffix(bundles[0], ".uir.uir") { // Mu text has a different keyword from the text of 2014
				wanted = bytes.ReplaceAll(wanted, []byte("=stack\n"), []byte("=stackref\n"))
			}
			if !bytes.Equal(out.Bytes(), wanted) {
				t.Errorf("got:\n%s\nwant:\n%s\nstandard error:\n%s", &out, wanted, &errs)
			}
		}
		do(t, uvm2go, i, name, bundles, run)
	}
}
