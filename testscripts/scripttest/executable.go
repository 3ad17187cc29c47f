//go:build !wasip1

package scripttest

import (
	"os"
	"syscall"
)

// writeExecutable writes a file that can be run at once. A process that was started while the file is open for
// writing would have it open too, and then nobody could run it.
func writeExecutable(file string, data []byte) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(file, data, 0o777)
}
