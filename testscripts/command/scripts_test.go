// Package command_test runs the scripts about the command's flags, files and diagnostics.
package command_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

func TestScripts(t *testing.T) { scripttest.Run(t, "command") }

func TestLongScripts(t *testing.T) {
	longtest.Only(t)
	scripttest.RunLong(t, "command")
}
