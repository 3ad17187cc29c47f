package examples_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// ialThreads is the example whose threads only C can start.
const ialThreads = "threads"

// TestExamplesIAL runs the examples in IAL: interpreted, built, under stress of the collector; and each must
// be formatted.
func TestExamplesIAL(t *testing.T) {
	dialectExamples(t, "ial", ".ial", func(t *testing.T, uvm2go executable, name string, bundles []string, run exampleRunner) {
		t.Run(name, func(t *testing.T) {
			formatted(t, uvm2go, bundles[0])
			if name != ialThreads {
				run(t, bundles, "-interp", "-strict")
			} else if scripttest.GoEnv(t, "CGO_ENABLED") != "1" {
				t.Skip("needs cgo")
			}
			run(t, bundles)
			t.Setenv("UVMDEBUG", "gcstress=1,gcverify=1,clobberfree=1")
			run(t, bundles)
		})
	})
}

// TestLongExamplesIAL builds them without the optimising passes.
func TestLongExamplesIAL(t *testing.T) {
	longtest.Only(t)
	dialectExamples(t, "ial", ".ial", func(t *testing.T, _ executable, name string, bundles []string, run exampleRunner) {
		t.Run(name, func(t *testing.T) {
			if name == ialThreads && scripttest.GoEnv(t, "CGO_ENABLED") != "1" {
				t.Skip("needs cgo")
			}
			run(t, bundles, "-O0")
		})
	})
}

// formatted reports a file that fmt would change.
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
