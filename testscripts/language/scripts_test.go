// Package language_test runs the scripts about the instructions of Mu.
package language_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// oneIn scripts one builds its programs in short tests.
const oneIn = 2

func TestScripts(t *testing.T) { scripttest.RunMixed(t, "language", oneIn) }

func TestLongScripts(t *testing.T) {
	longtest.Only(t)
	scripttest.RunLongMixed(t, "language", oneIn)
}
