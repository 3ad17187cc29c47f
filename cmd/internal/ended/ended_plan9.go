// Package ended tells how a process that was run has ended. It runs none.
package ended

import "os"

// Signal returns 0: Plan 9 has notes, which have no number.
func Signal(*os.ProcessState) (int, string) { return 0, "" }
