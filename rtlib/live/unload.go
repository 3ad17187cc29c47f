package live

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// Unreachable bundles are unloaded: those all of whose functions have other bodies, when a
// collection has found no frame of theirs. When Go's collector has found that nothing refers to one, such as
// a stack that has not started, the names and IDs of its versions, and of what is in these, go as well. Those of its
// definitions stay.

// loaded are the bundles that were loaded. Frames on shadow stacks refer to their code, where Go's collector does
// not see it; all other references to it are Go pointers.
var loaded struct {
	mu   sync.Mutex
	list []*program // guarded by mu
	next int        // how long the list is when it is gone through; guarded by mu

	collect bool // a collection would find that most of them are of no use; guarded by mu
}

// minLoaded is the least number of bundles for which unloading is worthwhile.
const minLoaded = 1 << 10

// use records the use of a bundle.
type use struct {
	seen atomic.Uint64 // the number, from 1, of the last collection that has found a frame
	old  uint64        // the first collection after its functions had other bodies, 0 as long as they have not
}

// keep keeps a bundle that was loaded, and gives up others. The world is stopped.
func keep(p *program) {
	loaded.mu.Lock()
	defer loaded.mu.Unlock()
	loaded.list = append(loaded.list, p)
	runtime.AddCleanup(p, core.Abandon, p.remains)
	watchHeat()
	if len(loaded.list) < max(loaded.next, minLoaded) {
		return
	}
	last := core.Collections()
	waiting := 0
	loaded.list = slices.DeleteFunc(loaded.list, func(p *program) bool {
		over := p.over(last)
		if !over && p.use.old > last {
			waiting++
		}
		return over
	})
	n := len(loaded.list)
	if loaded.collect = waiting > n/2; loaded.collect {
		loaded.next = n + 1 // after the collection
	} else {
		loaded.next = 2 * n
	}
}

// collect runs the collection that keep waits for, in programs that load much and allocate little. No lock is held.
func collect(t *core.Ctx) {
	loaded.mu.Lock()
	now := loaded.collect
	loaded.collect = false
	loaded.mu.Unlock()
	if now {
		core.Collect(t)
	}
}

func init() { core.Engine.Loaded, core.Engine.Gone = collect, giveUp }

// giveUp gives up all bundles of a VM that is gone. The world is stopped.
func giveUp(vm *core.VM) {
	forgetAllBuilt(vm)
	loaded.mu.Lock()
	defer loaded.mu.Unlock()
	loaded.list = slices.DeleteFunc(loaded.list, func(p *program) bool {
		if p.vm == vm {
			p.remains.Keep() // they go with the VM
		}
		return p.vm == vm
	})
}

// over reports whether nothing can reach a bundle; last is the last collection.
func (p *program) over(last uint64) bool {
	if p.keepsHooks() {
		return false
	}
	for fn, f := range p.functions {
		if fn.Current() != nil && fn.Open() && f.to.Live == f.rec.Live {
			return false
		}
	}
	if p.use.old == 0 {
		p.use.old = last + 1
	}
	return last >= p.use.old && p.use.seen.Load() < last
}
