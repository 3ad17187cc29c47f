// Package runtime_test runs the scripts about collection, stacks, threads and introspection.
package runtime_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// oneIn scripts one builds its programs in short tests.
const oneIn = 2

func TestScripts(t *testing.T) { scripttest.RunMixed(t, "runtime", oneIn) }

func TestLongScripts(t *testing.T) {
	longtest.Only(t)
	scripttest.RunLongMixed(t, "runtime", oneIn)
}
