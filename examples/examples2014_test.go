package examples_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// TestExamples2014 runs the examples in µVM IR of 2014: interpreted, built or
// on the engine for live code, under stress of the collector, and interpreted in binary form and as Mu text. The last line of want.txt is
// the exit status.
func TestExamples2014(t *testing.T) {
	dialectExamples(t, "uvm2014", ".uir", func(t *testing.T, uvm2go executable, number int, name string, bundles []string, run exampleRunner) {
		t.Run(name, func(t *testing.T) {
			flags := quick(number)
			run(t, bundles, "-interp", "-strict")
			run(t, bundles, flags...)
			t.Setenv("UVMDEBUG", "gcstress=1,gcverify=1,clobberfree=1")
			run(t, bundles, flags...)
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

// TestLongExamples2014 builds all these examples, at both levels.
func TestLongExamples2014(t *testing.T) {
	longtest.Only(t)
	dialectExamples(t, "uvm2014", ".uir", func(t *testing.T, _ executable, _ int, name string, bundles []string, run exampleRunner) {
		t.Run(name, func(t *testing.T) {
			run(t, bundles)
			run(t, bundles, "-O0")
		})
	})
}
