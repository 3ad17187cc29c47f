// Package examples_test runs the examples and compares their output with the expected one.
package examples_test

import (
	"bytes"
	"os"
	"os/exec"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// An executable is the command uvm2go.
type executable string

// command builds uvm2go for the time of a test.
func command(t *testing.T) executable {
	t.Helper()
	scripttest.OwnCache(t)
	return executable(scripttest.Command(t))
}

// run runs the command as a user would, with an empty standard input, and returns its exit
// status.
func (exe executable) run(t *testing.T, args []string, stdout, stderr *bytes.Buffer) int {
	t.Helper()
	cmd := exec.Command(string(exe), args...)
	cmd.Env = append(os.Environ(), "GOFLAGS="+scripttest.FastBuild(os.Getenv("GOFLAGS")))
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return scripttest.Status(t, cmd)
}
