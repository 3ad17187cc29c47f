//go:build unix

package ended

import (
	"os/exec"
	"syscall"
)

// Together makes the end of a command's context end the processes that it started as well.
func Together(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
