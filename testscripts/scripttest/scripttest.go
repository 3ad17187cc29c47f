// Package scripttest runs testscripts/*.txtar: it has the groups that they are run in, the
// environment, the conditions and the command status (testscripts/README.md). A separate test
// package runs each group, so that none comes near the ten minutes that the go command allows a
// package, even on a slow machine.
package scripttest

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// Long matches a line of a script that depends on whether long tests are on.
var Long = regexp.MustCompile(`(?m)^\[!?(long|race)\] `)

// FastBuild adds flags to GOFLAGS for tests that build programs. One leaves symbols and debugging
// information out, which take the linker as long as all the rest. The other leaves the names of
// folders out: so all modules that have a copy of the runtime share what is compiled of it.
func FastBuild(flags string) string { return strings.TrimSpace(flags + " -trimpath -ldflags=-s") }

// OwnCache gives a test a cache of its own for what uvm2go keeps, but not for what the go command
// compiles, whose cache lies in the same folder unless told otherwise.
func OwnCache(t *testing.T) {
	t.Helper()
	t.Setenv("GOCACHE", GoEnv(t, "GOCACHE"))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
}

// GoEnv gives a variable of the go command.
func GoEnv(tb testing.TB, name string) string {
	tb.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		tb.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
