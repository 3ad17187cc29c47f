package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/scripttest"
	"github.com/uvm2go/uvm2go/testscripts/self"
)

// runChild runs the command as another process, as a user would, with an empty
// standard input.
func runChild(t *testing.T, args []string, stdout, stderr *bytes.Buffer) int {
	t.Helper()
	scripttest.CompileRuntime(t)
	cmd := self.Command(t.Context(), t, args...)
	cmd.Env = append(cmd.Env, childEnv+"=1", "GOFLAGS="+scripttest.FastBuild(os.Getenv("GOFLAGS")))
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return scripttest.Status(t, cmd)
}

// childEnv makes the test binary behave as the command.
const childEnv = "UVM2GO_TEST_CHILD"
