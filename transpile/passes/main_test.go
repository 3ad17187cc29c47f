package passes_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain makes garbage collections rare: with hundreds of small programs, they would otherwise take a
// third of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
