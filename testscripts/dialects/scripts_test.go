// Package dialects_test runs the scripts about languages other than Mu IR of 2016.
package dialects_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

func TestScripts(t *testing.T) { scripttest.RunMixed(t, "dialects") }

func TestLongScripts(t *testing.T) {
	longtest.Only(t)
	scripttest.RunLongMixed(t, "dialects")
}
