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
	all, err := filepath.Glob("*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := slices.DeleteFunc(all, func(f string) bool { return hasPrefix(f, notLive) })
	if len(files) < 20 {
		t.Fatalf("only %d scripts found", len(files))
	}
	scripttest.RunLive(t, files)
}
