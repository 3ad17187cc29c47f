//go:build unix

package main

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// peakRSS returns the peak resident set of a process that has ended, in kilobytes.
func peakRSS(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(u.Maxrss) / 1024 // in bytes on this system
	}
	return int64(u.Maxrss)
}

// endTogether makes a timeout of a command end the processes that it started as well.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
