//go:build !unix

package ended

import "os/exec"

// Together does nothing on this system: the end of a command's context ends only the command.
func Together(*exec.Cmd) {}
