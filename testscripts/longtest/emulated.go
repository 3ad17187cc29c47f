package longtest

import (
	"os"
	"runtime"
)

// ExecVariable is the variable of the environment that has the command to put before the executable of
// a test when it is started again, as for go test -exec. It is set where an emulator runs tests
// (docs/ports.md).
const ExecVariable = "UVM2GO_EXEC"

// Emulated reports whether an emulator runs the test.
func Emulated() bool { return os.Getenv(ExecVariable) != "" }

// HidesFaults reports whether an access to a bad address does not tell the address: on ppc64 and ppc64le the
// kernel passes it in the register DAR, on arm in a field of the signal's context. QEMU leaves both zero, so
// Go takes each such access for one through nil.
func HidesFaults() bool { return hidesFaults(runtime.GOARCH) }

func hidesFaults(arch string) bool {
	return Emulated() && (arch == "ppc64" || arch == "ppc64le" || arch == "arm")
}

// slowdown is how many times slower than the machine an emulator is, about.
const slowdown = 16

// Rounds is how often a test repeats what it does n times on a machine: a sixteenth under an emulator,
// at least once. It is for repetitions that look for what only happens sometimes, such as a reordering
// of accesses; a test that tries each of some cases tries them all.
func Rounds(n int) int {
	if Emulated() {
		return max(n/slowdown, 1)
	}
	return n
}
