package examples_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// TestExamplesTVM runs the examples in TVM: interpreted, built or on the engine for live code; and
// each must be formatted.
func TestExamplesTVM(t *testing.T) {
	dialectExamples(t, "tvm", ".tvm", func(t *testing.T, uvm2go executable, number int, name string, bundles []string, run exampleRunner) {
		t.Run(name, func(t *testing.T) {
			formatted(t, uvm2go, bundles[0])
			run(t, bundles, "-interp", "-strict")
			run(t, bundles, "-interp", "-O0")
			run(t, bundles, quick(number)...)
		})
	})
}

// TestLongExamplesTVM builds them all, at both levels.
func TestLongExamplesTVM(t *testing.T) {
	longtest.Only(t)
	dialectExamples(t, "tvm", ".tvm", func(t *testing.T, _ executable, _ int, name string, bundles []string, run exampleRunner) {
		t.Run(name, func(t *testing.T) {
			run(t, bundles)
			run(t, bundles, "-O0")
		})
	})
}
