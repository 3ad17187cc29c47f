// Package runtime_test runs the scripts about collection, stacks, threads, introspection, whole programs, and the text of the representation.
package runtime_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

func TestScripts(t *testing.T) { scripttest.RunMixed(t, "runtime") }

func TestLongScripts(t *testing.T) {
	longtest.Only(t)
	scripttest.RunLongMixed(t, "runtime")
}
