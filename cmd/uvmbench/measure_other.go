//go:build !unix

package main

import (
	"os"
	"os/exec"
)

// peakRSS returns 0, because the system does not provide the value.
func peakRSS(*os.ProcessState) int64 { return 0 }

// endTogether does nothing on this system.
func endTogether(*exec.Cmd) {}
