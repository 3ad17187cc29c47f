//go:build !plan9

// Package ended tells how a process that was run has ended. It runs none.
package ended

import (
	"os"
	"syscall"
)

// Signal returns the number and the name of the signal that ended a process, 0 if it was none.
func Signal(state *os.ProcessState) (int, string) {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return int(ws.Signal()), ws.Signal().String()
	}
	return 0, ""
}
