package gc

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/uvm2go/uvm2go/internal/lexis/size"
	"github.com/uvm2go/uvm2go/rtlib/internal/immix"
	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// Options are what the environment can set.
type Options struct {
	HeapLimit   uint64 // most bytes of objects; 0: half of the machine's memory
	StackBudget uint64 // bytes of shadow and alloca stack of one Mu stack; 0: 64 MB
	Debug       Debug
}

const (
	smallSize = immix.MaxSmall

	defaultBudget = 64 << 20

	minBudget = 4 << 10
	minHeap   = 1 << 20

	// With more live objects gcstress collects after a part of as many allocations.
	stressedObjects = 5_000
	stressShare     = 50

	// Limits where memory cannot be mapped, or addresses are scarce.
	unmappedHeap = 128 << 20
	narrowHeap   = 512 << 20
	unknownHeap  = 2 << 30
)

// heap is all the state of a managed heap.
type heap struct {
	opts  Options
	space *immix.Space
	world world

	stacks stackMemory

	trigger atomic.Uint64 // Space.Fresh at which to collect
	stride  atomic.Uint64 // allocations between collections by gcstress, if more than it says
	relaxed bool          // it was reported that such collections are rarer; with the world stopped
	seq     atomic.Uint32 // collections done
	gcMu    sync.Mutex    // held by the one who collects
	holders []sync.Locker // see RegisterHolder; guarded by gcMu

	layouts atomic.Pointer[[]layout] // by type ID; replaced under mu

	mu      sync.Mutex
	globals []Global            // guarded by mu
	roots   []*rootSet          // guarded by mu
	kinds   [numKinds]kindHooks // guarded by mu
	special []mem.Address       // objects of a Kind other than Plain; guarded by mu

	finals []*Finals // in use; guarded by mu

	stats HeapStats // guarded by mu

	samples *sampled // nil if nothing is sampled; set before any allocation

	parallelFrom uintptr // bytes found alive after which several goroutines mark; changed in tests

	fail func(message string) // stops the program; replaced in tests
}

type kindHooks struct {
	mark func(word uint64, v *Visitor)
	dead func(word uint64)
}

// program is the heap of the program. What is registered before Init is kept.
var program = newHeap()

func newHeap() *heap {
	h := &heap{fail: stop, parallelFrom: parallelLive}
	h.world.init()
	l := make([]layout, FirstTypeID)
	h.layouts.Store(&l)
	return h
}

// stop ends the program because the heap is corrupt.
func stop(message string) {
	fmt.Fprintf(os.Stderr, "uvm: heap corrupt: %s\n", message)
	os.Exit(2)
}

// Init reads UVM_HEAP, UVM_STACK and UVMDEBUG (docs/commands.md, "Environment") and prepares
// the heap of the program. Limits in o that are not 0 override those of the environment. The
// error is for the user: print it and exit.
func Init(o Options) error {
	var err error
	if o.Debug, err = ParseDebug(os.Getenv("UVMDEBUG")); err != nil {
		return err
	}
	if o.HeapLimit == 0 {
		if o.HeapLimit, err = size.Env("UVM_HEAP"); err != nil {
			return err
		}
	}
	if o.StackBudget == 0 {
		if o.StackBudget, err = size.Env("UVM_STACK"); err != nil {
			return err
		}
	}
	return InitWith(o)
}

// InitWith is Init with options from the caller instead of the environment. Calling it
// again, with no thread registered, replaces the heap: everything must be registered
// anew.
func InitWith(o Options) error {
	if program.space != nil {
		program.close()
		program = newHeap()
	}
	TrapTrace, StackTrace = o.Debug.TrapTrace, o.Debug.StackTrace
	LiveTrace, Tier1, Tier2, NoLibffi = o.Debug.Live, o.Debug.Tier1, o.Debug.Tier2, o.Debug.NoLibffi
	Profiles = o.Debug.Profiles
	return program.init(o)
}

// init reserves the memory of the heap.
func (h *heap) init(o Options) error {
	if slices.ContainsFunc(o.Debug.Profiles, func(p Profile) bool { return p.Key == memProfile }) {
		h.samples = &sampled{every: float64(cmp.Or(o.Debug.SampleEvery, SampleEvery)), sites: map[uint64][]*Site{}}
	}
	if o.HeapLimit == 0 {
		o.HeapLimit = defaultHeap()
	}
	o.HeapLimit = max(min(o.HeapLimit, mostHeap(mem.PhysicalMemory())), minHeap)
	if bits.UintSize == 32 {
		o.HeapLimit = min(o.HeapLimit, 2<<30)
	}
	if o.StackBudget == 0 {
		o.StackBudget = defaultBudget
	}
	o.StackBudget = min(max(o.StackBudget, minBudget), 1<<30)
	scarce, err := h.reserve(&o)
	if err != nil {
		return err
	}
	if scarce {
		// Go's stack is about as large, and is copied to a larger place when it grows.
		o.StackBudget = min(o.StackBudget, max(o.HeapLimit/16, 1<<20))
	}
	if err = h.stacks.init(uintptr(o.StackBudget), scarce); err != nil {
		return err
	}
	h.opts = o
	h.stats.Limit = o.HeapLimit
	h.trigger.Store(minTrigger)
	return nil
}

// reserve makes the space of objects. Where there is not enough address space for the limit,
// scarce is true and the limit becomes what there is room for.
func (h *heap) reserve(o *Options) (scarce bool, err error) {
	most, err := spaceOfObjects()
	if err != nil {
		return false, err
	}
	if most > 0 {
		h.space, err = immix.New(immix.Options{Limit: uintptr(o.HeapLimit), Space: most, Clobber: o.Debug.ClobberFree})
		if err == nil {
			limit := uint64(h.space.Limit())
			scarce, o.HeapLimit = limit < o.HeapLimit, min(limit, o.HeapLimit)
			return scarce, nil
		}
	}
	for ; ; o.HeapLimit = max(o.HeapLimit/2, minHeap) {
		h.space, err = immix.New(immix.Options{Limit: uintptr(o.HeapLimit), Clobber: o.Debug.ClobberFree})
		if err == nil && scarce && o.HeapLimit >= 2*minHeap {
			// Half of it must do, or a quarter: stacks, Go's own heap and C need the rest.
			h.space.Release()
			if o.HeapLimit /= 2; o.HeapLimit < 256<<20 {
				o.HeapLimit = max(o.HeapLimit/2, minHeap)
			}
			h.space, err = immix.New(immix.Options{Limit: uintptr(o.HeapLimit), Clobber: o.Debug.ClobberFree})
		}
		if err == nil || o.HeapLimit == minHeap {
			return scarce, err
		}
		scarce = true
	}
}

// defaultHeap is half of the machine's memory, or what is known to be safe.
func defaultHeap() uint64 {
	if !mem.Lazy {
		return unmappedHeap
	}
	n := mem.PhysicalMemory() / 2
	if n == 0 {
		n = unknownHeap
	}
	if bits.UintSize == 32 {
		n = min(n, narrowHeap)
	}
	return n
}

// mostHeap is the largest heap for a machine with that much memory, which is 0 if it is not known. The system kills a
// program that fills the memory before it can report that its heap is exhausted.
func mostHeap(memory uint64) uint64 {
	if memory == 0 {
		return math.MaxUint64
	}
	return memory - memory/8
}

// close gives the memory of the heap back. Nothing of it may be used any more.
func (h *heap) close() {
	h.space.Release()
	h.stacks.release()
}

// RegisterTypes assigns IDs to the types of a program, FirstTypeID and up in the order
// of the first table, and makes them known to the collector. It may be called again for
// types that are loaded later. Descriptors that contradict themselves are an error.
func RegisterTypes(types []*Type) error { return program.registerTypes(types) }

func (h *heap) registerTypes(types []*Type) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := *h.layouts.Load() // what is appended stands behind what others see; so that many calls take linear time
	var faults []error
	for _, t := range types {
		l, err := compile(t)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		t.ID = uint32(len(all))
		t.total = t.FixedSize()
		all = append(all, l)
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	h.layouts.Store(&all)
	return nil
}

// RegisterGlobals adds cells of the data segment to the roots.
func RegisterGlobals(cells []Global) { program.registerGlobals(cells) }

func (h *heap) registerGlobals(cells []Global) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.globals = append(h.globals, cells...)
}

// DropGlobals takes cells out of the roots: those for which drop is true.
func DropGlobals(drop func(g *Global) bool) {
	h := program
	h.mu.Lock()
	defer h.mu.Unlock()
	h.globals = slices.DeleteFunc(h.globals, func(g Global) bool { return drop(&g) })
}

// RegisterRoots adds a function that is called in each collection, the world stopped,
// and passes every root it knows to visit: any address that a SlotIRef may hold. remove undoes
// RegisterRoots; a running thread must not call it.
func RegisterRoots(roots func(visit func(addr uintptr))) (remove func()) {
	return program.registerRoots(roots)
}

// rootSet is a function of RegisterRoots.
type rootSet struct {
	visit func(visit func(addr uintptr))
}

func (h *heap) registerRoots(roots func(visit func(addr uintptr))) (remove func()) {
	r := &rootSet{roots}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.roots = append(h.roots, r)
	return func() {
		h.gcMu.Lock() // each visit of a collection sees the same
		defer h.gcMu.Unlock()
		h.mu.Lock()
		defer h.mu.Unlock()
		h.roots = slices.DeleteFunc(h.roots, func(x *rootSet) bool { return x == r })
	}
}

// RegisterHolder adds a lock that is held during each collection, from when the world is stopped until all
// is done. Code that is not on a thread takes it to change what a function of RegisterRoots visits, so that all
// visits of a collection see the same; no thread waits for anything while it holds the lock.
func RegisterHolder(l sync.Locker) {
	program.gcMu.Lock()
	defer program.gcMu.Unlock()
	program.holders = append(program.holders, l)
}

// DropHolder undoes RegisterHolder.
func DropHolder(l sync.Locker) {
	program.gcMu.Lock()
	defer program.gcMu.Unlock()
	program.holders = slices.DeleteFunc(program.holders, func(x sync.Locker) bool { return x == l })
}

// Limits are the options with which the heap was made.
func Limits() Options { return program.opts }

// RegisterKind installs the hooks of a kind of objects other than Plain. mark is called
// once in each collection for each such object that is reachable, with its payload
// word, and passes what the Go side's counterpart refers to to v; calls for different
// objects may come from different goroutines at once. dead is called with the payload
// word of each such object found unreachable, the world still stopped; it may free
// contexts but not allocate or collect. Either may be nil.
//
// A thread's current context is a root whether or not there is an object for its stack,
// and it does not keep that object: if the hook of dead must not be called for stacks
// that are bound and threads that run, visit their objects in a function given to
// RegisterRoots.
func RegisterKind(k Kind, mark func(word uint64, v *Visitor), dead func(word uint64)) {
	program.registerKind(k, mark, dead)
}

func (h *heap) registerKind(k Kind, mark func(word uint64, v *Visitor), dead func(word uint64)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.kinds[k] = kindHooks{mark, dead}
}

// sizeOf is the immix.SizeFunc of the heap.
func (h *heap) sizeOf(p mem.Address) (n uintptr, filler bool) {
	header := mem.Load64(p)
	id := uint32(header)
	if id == fillerID {
		return max(uintptr(header>>32)&^7, 8), true
	}
	l := *h.layouts.Load()
	if int(id) >= len(l) || l[id].typ == nil {
		h.fail(fmt.Sprintf("header %#x at %#x has no type", header, p))
		return headerSize, true
	}
	return h.sizeAs(p, header, &l[id]), false
}

// sizeAs returns the bytes of the object with the header word at p, rounded up to 8.
func (h *heap) sizeAs(p mem.Address, header uint64, l *layout) uintptr {
	if l.typ.VarStride == 0 {
		return l.size
	}
	n, _ := hybridSize(l.typ, h.lengthAt(p, header))
	return n
}

// lengthAt returns the number of variable elements of the hybrid with the header word at p.
func (h *heap) lengthAt(p mem.Address, header uint64) uint64 {
	n := header >> 32
	if n == longLength {
		if o, ok := h.space.LargeOf(p); ok {
			return o.Length
		}
	}
	return n
}
