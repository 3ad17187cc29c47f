package testscripts

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// notLive are areas whose scripts run no programs, or say how that is done.
var notLive = []string{"check_", "warn_", "cli_", "lexis_"}

// TestLongLive runs the scripts with each `uvm2go run` on the engine for live code, if the program does
// without C and -sanitize.
func TestLongLive(t *testing.T) {
	longtest.Only(t)
	live(t, func(f string) bool { return !hasPrefix(f, notLive) })
}

// liveSample are areas whose programs are small and use much of the engine.
var liveSample = []string{"agg_", "exc_", "flow_", "int_", "meta_", "tailcall_", "trap_"}

// TestLive is TestLongLive for some areas.
func TestLive(t *testing.T) {
	live(t, func(f string) bool { return hasPrefix(f, liveSample) })
}

// live runs the wanted scripts.
func live(t *testing.T, wanted func(file string) bool) {
	t.Helper()
	all, err := filepath.Glob("*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := slices.DeleteFunc(all, func(f string) bool { return !wanted(f) })
	if len(files) < 20 {
		t.Fatalf("only %d scripts found", len(files))
	}
	scripttest.RunLive(t, files)
}
