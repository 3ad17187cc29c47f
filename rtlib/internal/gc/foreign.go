package gc

import "unsafe"

// C code that a thread calls changes the thread's state itself, because a store in C is
// cheaper than EnterSafe and LeaveSafe: it needs no fence. The pattern is still "write mine,
// then read yours" on both sides (see the top of thread.go); the fence on the side of the
// threads is replaced by one that the collector makes all of them execute, Barrier, between
// its own write and read. Who uses these must set Barrier, or fence in C.

// Barrier, if not nil, makes every OS thread of the process that is running execute a
// memory fence. It is set before the first thread.
var Barrier func()

// Addresses for C.
const (
	SafeState    = stateSafe
	RunningState = stateRunning
)

// StateAddr is where the thread's state is, a uint32: C stores SafeState and then wakes
// the collector if Stopping is set, and later RunningState.
func (th *Thread) StateAddr() uintptr { return uintptr(unsafe.Pointer(&th.state)) }

// StoppingAddr is where it says that the world is to stop, a uint32 that is not 0 then.
func StoppingAddr() uintptr { return uintptr(unsafe.Pointer(&program.world.stopping)) }

// WakeCollector makes the collector look at the states again.
func WakeCollector() {
	w := &program.world
	w.mu.Lock()
	w.cond.Broadcast()
	w.mu.Unlock()
}

// Resume is the rest of LeaveSafe after C has stored RunningState.
func (th *Thread) Resume() {
	if program.world.stopping.Load() != 0 {
		th.LeaveSafe()
	}
}
