package examples_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// TestExamplesIAL runs the examples in IAL: interpreted, built, and under stress of the collector.
func TestExamplesIAL(t *testing.T) {
	dialectExamples(t, "ial", ".ial", func(t *testing.T, _ executable, name string, bundles []string, run exampleRunner) {
		t.Run(name, func(t *testing.T) {
			run(t, bundles, "-interp", "-strict")
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
		t.Run(name, func(t *testing.T) { run(t, bundles, "-O0") })
	})
}
