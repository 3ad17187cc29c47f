package examples_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// TestExamples2014 runs the examples in µVM IR of 2014: interpreted, built, under stress of
// the collector, and interpreted in binary form and as Mu text. The last line of want.txt is
// the exit status.
func TestExamples2014(t *testing.T) {
	examples2014(t, func(t *testing.T, uvm2go executable, name string, bundles []string, run runner2014) {
		t.Run(name, func(t *testing.T) {
			run(t, bundles, "-interp", "-strict")
			run(t, bundles)
			t.Setenv("UVMDEBUG", "gcstress=1,gcverify=1,clobberfree=1")
			run(t, bundles)
		})
		if len(bundles) > 1 {
			return // later ones refer to the first by name
		}
		for _, form := range []string{"uirb", "uir"} {
			t.Run(name+"."+form, func(t *testing.T) {
				var out, errs bytes.Buffer
				if status := uvm2go.run(t, []string{"convert", "-to", form, bundles[0]}, &out, &errs); status != 0 {
					t.Fatal(errs.String())
				}
				file := filepath.Join(t.TempDir(), name+".uir."+form)
				if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
				if form == "uir" && strings.Contains(out.String(), "PHI") {
					t.Errorf("not Mu text:\n%s", &out)
				}
				run(t, []string{file}, "-interp", "-strict")
			})
		}
	})
}

// TestLongExamples2014 builds them without the optimising passes.
func TestLongExamples2014(t *testing.T) {
	longtest.Only(t)
	examples2014(t, func(t *testing.T, _ executable, name string, bundles []string, run runner2014) {
		t.Run(name, func(t *testing.T) { run(t, bundles, "-O0") })
	})
}

// A runner2014 runs bundles with flags and compares with want.txt.
type runner2014 func(t *testing.T, bundles []string, flags ...string)

// examples2014 calls do for each of these examples.
func examples2014(t *testing.T, do func(t *testing.T, uvm2go executable, name string, bundles []string, run runner2014)) {
	t.Helper()
	uvm2go := command(t)
	wants, err := filepath.Glob(filepath.Join("uvm2014", "*", "want.txt"))
	if err != nil || len(wants) < 8 {
		t.Fatalf("%d examples found, %v", len(wants), err)
	}
	for _, want := range wants {
		dir := filepath.Dir(want)
		name := filepath.Base(dir)
		bundles := []string{filepath.Join(dir, name+".uir")}
		if later := filepath.Join(dir, "later.uir"); exists(later) {
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
			if strings.HasSuffix(bundles[0], ".uir.uir") { // Mu text has another keyword
				wanted = bytes.ReplaceAll(wanted, []byte("=stack\n"), []byte("=stackref\n"))
			}
			if !bytes.Equal(out.Bytes(), wanted) {
				t.Errorf("got:\n%s\nwant:\n%s\nstandard error:\n%s", &out, wanted, &errs)
			}
		}
		do(t, uvm2go, name, bundles, run)
	}
}
