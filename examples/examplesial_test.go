package examples_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// ialThreads is the example whose threads only C can start.
const ialThreads = "threads"

// TestExamplesIAL runs the examples in IAL: interpreted, built or on the engine for live code, under stress
// of the collector; and each must be formatted.
func TestExamplesIAL(t *testing.T) {
	dialectExamples(t, "ial", ".ial", func(t *testing.T, uvm2go executable, number int, name string, bundles []string, run exampleRunner) {
		t.Run(name, func(t *testing.T) {
			formatted(t, uvm2go, bundles[0])
			flags := quick(number)
			if name != ialThreads {
				run(t, bundles, "-interp", "-strict")
			} else if withoutCgo(t, uvm2go, bundles[0]); scripttest.GoEnv(t, "CGO_ENABLED") != "1" {
				return
			} else {
				flags = nil // only a program that is built calls C
			}
			run(t, bundles, flags...)
			t.Setenv("UVMDEBUG", "gcstress=1,gcverify=1,clobberfree=1")
			run(t, bundles, flags...)
		})
	})
}

// TestLongExamplesIAL builds all these examples, at both levels.
func TestLongExamplesIAL(t *testing.T) {
	longtest.Only(t)
	dialectExamples(t, "ial", ".ial", func(t *testing.T, _ executable, _ int, name string, bundles []string, run exampleRunner) {
		t.Run(name, func(t *testing.T) {
			if name != ialThreads || scripttest.GoEnv(t, "CGO_ENABLED") == "1" {
				run(t, bundles)
				run(t, bundles, "-O0")
			}
		})
	})
}

// withoutCgo checks that a program that needs C is refused if cgo is not available.
func withoutCgo(t *testing.T, uvm2go executable, file string) {
	t.Helper()
	t.Run("without cgo", func(t *testing.T) {
		t.Setenv("CGO_ENABLED", "0")
		var out, errs bytes.Buffer
		status := uvm2go.run(t, []string{"run", file}, &out, &errs)
		if status != 1 || out.Len() > 0 || !strings.Contains(errs.String(), "is not available without cgo") {
			t.Errorf("status %d, %s%s", status, &out, &errs)
		}
	})
}

// formatted reports an error if fmt would change a file.
func formatted(t *testing.T, uvm2go executable, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), filepath.Base(file))
	if err := os.WriteFile(copied, text, 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if status := uvm2go.run(t, []string{"fmt", copied}, &out, &errs); status != 0 || !bytes.Equal(out.Bytes(), text) {
		t.Errorf("fmt %s: status %d, %s\n%s", file, status, &errs, &out)
	}
}
