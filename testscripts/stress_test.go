// Package testscripts holds the conformance scripts; see README.md. The packages in its
// folders run groups of them as they are (package scripttest). The test here runs those that
// execute programs once more, with a collection at every allocation, a check of the whole heap
// after each, and freed memory overwritten.
package testscripts

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

const stress = "gcstress=1,gcverify=1,clobberfree=1"

// noPrograms are areas whose scripts run no programs, or set UVMDEBUG
// themselves, or allocate millions of objects.
var noPrograms = []string{"check_", "warn_", "cli_", "hail_errors", "lexis_", "gc_", "litmus_", "thread_poll"}

func TestLongUnderStress(t *testing.T) {
	longtest.Only(t)
	all, err := filepath.Glob("*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, f := range all {
		if !hasPrefix(f, noPrograms) {
			files = append(files, f)
		}
	}
	if len(files) < 40 {
		t.Fatalf("only %d scripts found", len(files))
	}
	scripttest.RunUnder(t, stress, files)
}

func hasPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
