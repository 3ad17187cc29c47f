//go:build !plan9

// Package ended tells how a process ended, and makes processes end that a command has started. It does not start any.
package ended

import (
	"os"
	"syscall"
)

// Signal returns the number and the name of the signal that ended a process, or 0 if no signal did.
func Signal(state *os.ProcessState) (int, string) {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return int(ws.Signal()), ws.Signal().String()
	}
	return 0, ""
}
