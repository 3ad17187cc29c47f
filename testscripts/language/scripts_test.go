// Package language_test runs the scripts about the instructions of Mu.
package language_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

func TestScripts(t *testing.T) { scripttest.RunMixed(t, "language") }

func TestLongScripts(t *testing.T) {
	longtest.Only(t)
	scripttest.RunLongMixed(t, "language")
}
