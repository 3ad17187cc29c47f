package core

import (
	"sync"
	"sync/atomic"
)

// SetWatchpoint enables or disables the watchpoint with an ID; an ID that no code uses is
// accepted (docs/language.md, "Traps and watchpoints").
func (vm *VM) SetWatchpoint(id uint32, on bool) {
	var flag uint32
	if on {
		flag = 1
	}
	ws := &vm.watches
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.on == nil {
		ws.on = map[uint32]uint32{}
	}
	ws.on[id] = flag
	set := func(w *Watch) { atomic.StoreUint32(&w.On, flag) }
	if vm == first {
		eachLinkedWatch(id, set)
	}
	for _, w := range ws.live[id] {
		set(w)
	}
}

// watches are the flags of a VM in code that was loaded at run time, and the states of all IDs that were set,
// for code that will be loaded.
type watches struct {
	mu   sync.Mutex
	on   map[uint32]uint32   // guarded by mu
	live map[uint32][]*Watch // guarded by mu
}

// add enters the flag of a watchpoint in code that is being loaded.
func (ws *watches) add(w *Watch) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.live == nil {
		ws.live = map[uint32][]*Watch{}
	}
	w.On = ws.on[w.ID]
	ws.live[w.ID] = append(ws.live[w.ID], w)
}

// drop forgets the flags of code that was loaded.
func (ws *watches) drop() {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.live = nil
}

// eachLinkedWatch calls f for the flags of an ID in the packages; each package that uses the ID has its own flag.
func eachLinkedWatch(id uint32, f func(w *Watch)) {
	for _, p := range packages {
		if p.Unit {
			continue // its flags are those of the VM that it was compiled for
		}
		for i := range p.Watchpoints {
			if w := &p.Watchpoints[i]; w.ID == id {
				f(w)
			}
		}
	}
}

// SetWatchpoint is VM.SetWatchpoint for code.
func SetWatchpoint(t *Ctx, id uint32, on bool) { vmOf(t).SetWatchpoint(id, on) }
