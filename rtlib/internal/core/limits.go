package core

import (
	"fmt"
	"runtime"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// What Go needs of the system besides memory. Where it gets less, it ends the process.
const (
	goFiles    = 3 // it waits for timers and files with two, and the runtime reads limits through another
	leastTasks = 3 // more threads of the system, to run Mu code on one processor
	fewTasks   = 2 // for each processor; with less, Go is to use fewer processors
)

// checkLimits adapts Go to the limits of the process, and refuses those under which it would end the process.
func checkLimits() error {
	if limit, ok := mem.FreeFiles(goFiles); !ok {
		return fmt.Errorf("cannot open %d more files (limit %d): Go waits for timers and files with them; raise the limit (ulimit -n)", goFiles, limit)
	}
	few := uint64(fewTasks * runtime.GOMAXPROCS(0))
	left := mem.Tasks(max(leastTasks, few))
	if left < leastTasks {
		return fmt.Errorf("cannot start %d more threads (limit of the user or the control group: %d are left); raise the limit (ulimit -u, pids.max)", leastTasks, left)
	}
	if left < few {
		runtime.GOMAXPROCS(max(1, int(left)/fewTasks))
	}
	return nil
}
