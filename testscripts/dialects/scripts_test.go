// Package dialects_test runs the scripts about languages other than Mu IR of 2016.
package dialects_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// oneIn scripts one builds its programs in short tests.
const oneIn = 4

func TestScripts(t *testing.T) { scripttest.RunMixed(t, "dialects", oneIn) }

func TestLongScripts(t *testing.T) {
	longtest.Only(t)
	scripttest.RunLongMixed(t, "dialects", oneIn)
}
