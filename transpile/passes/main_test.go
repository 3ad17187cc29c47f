package passes_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets garbage collections be rare: there are hundreds of small programs, and a third of the
// time would go into collections.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
