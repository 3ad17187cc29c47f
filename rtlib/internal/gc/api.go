package gc

import "time"

// Init reads UVM_HEAP, UVM_STACK and UVMDEBUG (cli.md, "Run-time environment") and
// prepares the heap of the program. The error is for the user: print it and exit.
func Init() error { return nil }

// RegisterTypes assigns IDs to the types of a program and makes them known to the
// collector. It may be called again for types that are loaded later.
func RegisterTypes(types []*Type) {}

// RegisterGlobals adds cells of the data segment to the roots.
func RegisterGlobals(cells []Global) {}

// RegisterRoots adds a function that is called in each collection, the world stopped,
// and passes every root it knows to visit: any address that a SlotIRef may hold.
func RegisterRoots(roots func(visit func(addr uintptr))) {}

// RegisterKind installs the hooks of a kind of objects other than Plain. mark is called
// once in each collection for each such object that is reachable, with its payload
// word, and passes what the Go side's counterpart refers to to v; calls for different
// objects may come from different goroutines at once. dead is called with the payload
// word of each such object found unreachable, the world still stopped; it may free
// contexts but not allocate. Either may be nil.
func RegisterKind(k Kind, mark func(word uint64, v *Visitor), dead func(word uint64)) {}

// Visitor takes roots during a collection.
type Visitor struct{}

// Ctx visits the frames, alloca cells, exception and transfer references of a stack.
func (v *Visitor) Ctx(c *Ctx) {}

// Addr visits one root: any address that a SlotIRef may hold.
func (v *Visitor) Addr(addr uintptr) {}

// NewCtx returns the context of a new, empty Mu stack, nil when there is no address
// space for it.
func NewCtx() *Ctx { return nil }

// Free gives back the context of a dead stack, its frames and alloca cells. No thread
// may be bound to it.
func (c *Ctx) Free() {}

// Grow is the slow path of pushing a frame of size bytes: a pending safepoint, the step
// to another segment, or overflow. It returns where the frame starts; or 0 with
// Thrown = 1, Exc = 0 and Overflow set.
func (c *Ctx) Grow(size uintptr) uintptr { return 0 }

// GrowRefs is Grow for functions with reference arguments that are rooted nowhere else.
func (c *Ctx) GrowRefs(size uintptr, refs ...uintptr) uintptr { return 0 }

// Safepoint lets a pending collection happen; what a poll calls when Poll is not 0.
func (c *Ctx) Safepoint() {}

// Depth counts the frames.
func (c *Ctx) Depth() int { return 0 }

// Frames calls yield with the address of each frame, oldest first.
func (c *Ctx) Frames(yield func(fp uintptr) bool) {}

// New allocates an object and returns its payload address; 0 when the heap is exhausted.
func (c *Ctx) New(t *Type) uintptr { return 0 }

// NewSlow is New for when the window has no room, and for types aligned to 16 or more.
func (c *Ctx) NewSlow(t *Type) uintptr { return 0 }

// NewHybrid allocates a hybrid with n variable elements; 0 when that is impossible.
func (c *Ctx) NewHybrid(t *Type, n uint64) uintptr { return 0 }

// NewKind allocates an object of a type whose Kind is not Plain and stores its payload
// word. Such objects are made in no other way.
func (c *Ctx) NewKind(t *Type, word uint64) uintptr { return 0 }

// Alloca pushes a zeroed cell on the alloca stack; 0 when the stack is exhausted.
func (c *Ctx) Alloca(t *Type) uintptr { return 0 }

// AllocaHybrid is Alloca for a hybrid with n variable elements.
func (c *Ctx) AllocaHybrid(t *Type, n uint64) uintptr { return 0 }

// AllocaMark returns the height of the alloca stack.
func (c *Ctx) AllocaMark() Mark { return Mark(c.AP) }

// AllocaRelease pops all cells pushed since m was taken.
func (c *Ctx) AllocaRelease(m Mark) {}

// Thread is a Mu thread as the collector sees it. It is running (it may touch the heap,
// and a collection waits until it comes to a safepoint) or safe (blocked, in native code,
// in the client: it does not touch the heap, and collections go on without it).
type Thread struct{}

// NewThread registers a thread, in the state safe and bound to no stack.
func NewThread() *Thread { return nil }

// Bind makes c the stack that the thread executes, nil for none. The allocation window
// moves along. The thread must be running.
func (th *Thread) Bind(c *Ctx) {}

// EnterSafe makes a running thread safe.
func (th *Thread) EnterSafe() {}

// LeaveSafe makes a safe thread running; it waits while the world is stopped.
func (th *Thread) LeaveSafe() {}

// Exit unregisters a thread, which must be safe.
func (th *Thread) Exit() {}

// Collect collects now. c is the context of the calling thread, which must be running;
// nil when the caller is not a running Mu thread.
func Collect(c *Ctx, reason string) {}

// HeapStats is what Stats returns.
type HeapStats struct {
	Collections uint64
	PauseTotal  time.Duration
	PauseMax    time.Duration
	Allocated   uint64 // bytes since the start, headers included
	Live        uint64 // bytes found live by the last collection
	Heap        uint64 // bytes of memory that the heap holds now
	Limit       uint64 // the most it may hold
}

// Stats returns figures about the heap.
func Stats() HeapStats { return HeapStats{} }

// TrapTrace and StackTrace are the UVMDEBUG keys traptrace and stacktrace, for the layers
// that implement them. Set by Init.
var TrapTrace, StackTrace bool
