// Package runtime_test runs the scripts about collection, stacks, threads and introspection.
package runtime_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

func TestScripts(t *testing.T) { scripttest.Run(t, "runtime") }

func TestLongScripts(t *testing.T) {
	longtest.Only(t)
	scripttest.RunLong(t, "runtime")
}
