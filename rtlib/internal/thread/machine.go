package thread

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/stack"
)

// Machine is all the threads and stacks of a process. They are in groups.
type Machine struct {
	// Body runs what a new stack runs, s.Entry, its arguments in s.X; or raises the exception
	// that s.Ctx already holds. When it returns the stack ends, and the thread with it.
	Body func(s *Stack)

	// Swap swaps from s to the stack that ref refers to, or fails: what Leave cannot do itself.
	Swap func(s *Stack, ref uintptr, pass, list uint32, flags Flags, site unsafe.Pointer)

	// Thrown makes an error of the exception that left what a Go caller ran on s.
	Thrown func(s *Stack) error

	// NewTransfer makes the transfer area of a thread, nil for a bare one; the layer above
	// may embed it in something larger.
	NewTransfer func() *Transfer

	// Fault gets what s panicked with, on the panicking goroutine before it unwinds. If it
	// returns, the thread ends, with the error.
	Fault func(s *Stack, r any) error

	// Orphan gets the error of a thread that ended with one and has no Go caller.
	Orphan func(g *Group, err error)

	// Freeing, if not nil, is called before the context of a dead stack is given back.
	Freeing func(c *gc.Ctx)

	// Broken is called at a safepoint of a thread that is to end what it executes, see gc.Break.
	Broken func(s *Stack)

	// Deadlock is called on one of the threads when all wait.
	Deadlock func(th *Thread)

	// Detect switches the detection of deadlocks on: nothing but Mu threads wakes any.
	Detect atomic.Bool

	MaxTransfer int // entries of a Transfer; set before the first thread

	// Own is the group of threads and stacks that no thread makes, except home stacks; set before the first thread.
	Own *Group

	stackType, threadType, cursorType *gc.Type

	stacks      table[Stack]
	threadTable table[Thread]
	cursors     table[Cursor]

	made  atomic.Int64 // stacks made since the last collection that was caused by their number
	alive atomic.Int64 // stacks made and not dead
	most  int64        // stacks that Mu code may have, see NewStack

	budget budget     // of stacks and threads that Mu code makes
	tasks  taskBudget // of threads that Mu code makes

	mu      sync.Mutex
	threads []*Thread // guarded by mu; in collections the world is stopped
	number  uint32    // of the newest thread; guarded by mu

	counts atomic.Uint64 // started threads << 32 + those that wait without timeout
	futex  [futexBuckets]bucket
}

// A program may have a stack for each stackShare bytes that UVM_HEAP allows for objects, but
// minStacks in any case. Suspended, a stack takes 3 KB without a goroutine and 6 KB with one
// (docs/language.md, "Limits").
const (
	stackShare = 4 << 10
	minStacks  = 4096
)

// NewMachine makes a machine and registers its objects and roots with the heap, which must
// be initialised. The program's types must have been registered before.
func NewMachine(maxTransfer int) (*Machine, error) {
	m := &Machine{
		MaxTransfer: maxTransfer,
		most:        int64(max(gc.Stats().Limit/stackShare, minStacks)),
		stackType:   &gc.Type{Name: "stackref", Size: 16, Align: 8, Kind: gc.StackObject},
		threadType:  &gc.Type{Name: "threadref", Size: 8, Align: 8, Kind: gc.ThreadObject},
		cursorType:  &gc.Type{Name: "framecursorref", Size: 8, Align: 8, Kind: gc.CursorObject},
	}
	if err := gc.RegisterTypes([]*gc.Type{m.stackType, m.threadType, m.cursorType}); err != nil {
		return nil, err
	}
	m.Own = &Group{}
	m.Init(m.Own)
	gc.RegisterRoots(m.roots)
	gc.Broken = func(c *gc.Ctx) { m.Broken(Of(c)) }
	gc.RegisterKind(gc.StackObject, m.markStack, m.deadStack)
	gc.RegisterKind(gc.ThreadObject, nil, m.deadThread)
	gc.RegisterKind(gc.CursorObject, m.markCursor, m.deadCursor)
	return m, nil
}

// roots visits what threads hold: the world is stopped.
func (m *Machine) roots(visit func(addr uintptr)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, th := range m.threads {
		visit(th.obj)
		visit(th.Local)
		visit(th.Kept)
		for _, c := range th.Cells {
			visit(c)
		}
		visit(th.wait.addr.Load())
		th.pins.each(visit)
		for _, r := range th.X.R[:th.X.Live] {
			visit(r)
		}
		for _, s := range th.homes {
			visit(s.obj) // a Go caller waits for the outcome of the thread
		}
		if s := th.cur; s != nil {
			visit(s.obj)
			for _, r := range s.Held {
				visit(r)
			}
			if h := s.guest.host; h != nil && s.co == nil {
				visit(h.obj)
			}
		}
	}
}

func (m *Machine) markStack(word uint64, v *gc.Visitor) {
	s := m.stacks.get(word)
	if s == nil || s.state.Dead() {
		return
	}
	v.Ctx(s.Ctx)
	for _, r := range s.Held {
		v.Addr(r)
	}
}

// deadStack kills an unreachable stack (docs/language.md, "Stacks and threads").
func (m *Machine) deadStack(word uint64) {
	s := m.stacks.get(word)
	m.stacks.drop(word)
	if s == nil {
		return
	}
	s.obj = 0
	s.state.Unhold() // whatever cursors there are, nobody has them
	m.Kill(s)
}

func (m *Machine) deadThread(word uint64) {
	m.threadTable.drop(word)
}

// groupOf is the group of the thread that runs t, Own if t is nil.
func (m *Machine) groupOf(t *gc.Ctx) *Group {
	if t == nil {
		return m.Own
	}
	return Of(t).Group
}

// Wait blocks until no started thread of Own is left.
func (m *Machine) Wait() { <-m.Own.Idle() }

// Threads returns the number of threads of Own that were started and have not ended.
func (m *Machine) Threads() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.Own.started
}

// Stacks returns the number of stacks that are not dead.
func (m *Machine) Stacks() int { return int(m.alive.Load()) }

// Full returns the most stacks that Mu code may have if there are that many, else 0.
func (m *Machine) Full() int64 {
	if m.alive.Load() < m.most {
		return 0
	}
	return m.most
}

// Spares returns the number of worker goroutines without a stack.
func (m *Machine) Spares() int { return stack.Spares() }

const (
	chunkBits = 12
	chunkSize = 1 << chunkBits
	maxChunks = 1 << 14
)

// table gives numbers to stacks or threads: what the objects in the heap that stand for
// them hold. Numbers start at 1. A look-up takes no lock; the number of a live object is
// never given to another.
type table[T any] struct {
	chunks [maxChunks]atomic.Pointer[[chunkSize]*T]

	mu   sync.Mutex
	next uint64   // guarded by mu
	free []uint64 // guarded by mu
}

// put gives p a number; 0 when there are no more.
func (t *table[T]) put(p *T) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	var n uint64
	if k := len(t.free); k > 0 {
		n = t.free[k-1]
		t.free = t.free[:k-1]
	} else {
		if t.next+1 >= maxChunks*chunkSize {
			return 0
		}
		t.next++
		n = t.next
		if c := &t.chunks[n>>chunkBits]; c.Load() == nil {
			c.Store(new([chunkSize]*T))
		}
	}
	t.chunks[n>>chunkBits].Load()[n%chunkSize] = p
	return n
}

// get returns what has number n.
func (t *table[T]) get(n uint64) *T {
	if n>>chunkBits >= maxChunks {
		return nil
	}
	c := t.chunks[n>>chunkBits].Load()
	if c == nil {
		return nil
	}
	return c[n%chunkSize]
}

// each calls f for all that have numbers. The world is stopped.
func (t *table[T]) each(f func(p *T)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.next>>chunkBits + 1 {
		if c := t.chunks[i].Load(); c != nil {
			for _, p := range c {
				if p != nil {
					f(p)
				}
			}
		}
	}
}

// drop takes the number n back.
func (t *table[T]) drop(n uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.chunks[n>>chunkBits].Load()[n%chunkSize] = nil
	t.free = append(t.free, n)
}
