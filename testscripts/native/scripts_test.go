// Package native_test runs the scripts about C, and Go programs around generated code.
package native_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

func TestScripts(t *testing.T) { scripttest.RunSampled(t, "native") }

func TestLongScripts(t *testing.T) {
	longtest.Only(t)
	scripttest.RunLongSampled(t, "native")
}
