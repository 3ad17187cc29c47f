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

const (
	stress = "gcstress=1,gcverify=1,clobberfree=1"
	// sparse is for programs that allocate hundreds of thousands of objects.
	sparse = "gcstress=100,gcverify=1,clobberfree=1"
)

// noPrograms are areas whose scripts run no programs, or set UVMDEBUG themselves.
var noPrograms = []string{"check_", "warn_", "cli_", "hail_errors", "lexis_", "gc_"}

// allocating are scripts for sparse.
var allocating = []string{"gc_pressure", "gc_native_threads", "thread_poll"}

func TestLongUnderStress(t *testing.T) {
	longtest.Only(t)
	all, err := filepath.Glob("*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var often, seldom []string
	for _, f := range all {
		switch {
		case hasPrefix(f, allocating):
			seldom = append(seldom, f)
		case !hasPrefix(f, noPrograms):
			often = append(often, f)
		}
	}
	if len(often) < 40 || len(seldom) < len(allocating) {
		t.Fatalf("only %d and %d scripts found", len(often), len(seldom))
	}
	t.Run("stress", func(t *testing.T) { scripttest.RunUnder(t, stress, often) })
	t.Run("sparse", func(t *testing.T) { scripttest.RunUnder(t, sparse, seldom) })
}

func hasPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
