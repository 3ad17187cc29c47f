// Package ended tells how a process ended. It does not start processes.
package ended

import "os"

// Signal returns 0: Plan 9 has notes instead of signals, and they have no numbers.
func Signal(*os.ProcessState) (int, string) { return 0, "" }
