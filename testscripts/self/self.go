// Package self runs the executable of a test again, or another of its port, as another process. It works under an emulator,
// too, if the variable UVM2GO_EXEC has the command to put before executables, as for go test -exec
// (docs/ports.md).
package self

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// Command runs the test's own executable, with the environment of the test. The test is skipped where
// there are no processes.
func Command(ctx context.Context, tb testing.TB, args ...string) *exec.Cmd {
	tb.Helper()
	if runtime.GOARCH == "wasm" {
		tb.Skip("no processes on wasm")
	}
	exe, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	return Other(ctx, tb, exe, args...)
}

// Other is Command for another executable that was built for the port of the test.
func Other(ctx context.Context, tb testing.TB, exe string, args ...string) *exec.Cmd {
	tb.Helper()
	if runtime.GOARCH == "wasm" {
		tb.Skip("no processes on wasm")
	}
	argv := append(append(strings.Fields(os.Getenv(longtest.ExecVariable)), exe), args...)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = os.Environ()
	return cmd
}
