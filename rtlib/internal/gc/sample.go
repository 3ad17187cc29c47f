package gc

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// Samples of allocations, for profiles (UVMDEBUG=memprofile). Only allocations that come to NewSlow can be sampled: an
// object is more likely to be the one that has no room in the window the larger it is, so each byte has the same chance.
// Between two samples a thread uses up a random number of bytes, SampleEvery on average.

// SampleEvery is the average number of bytes between two samples, unless UVMDEBUG says another.
const SampleEvery = 1 << 20

// sampleDepth is the number of Go frames that a sample has.
const sampleDepth = 128

// A Site is a type and a stack with which objects were allocated. The numbers are estimates.
type Site struct {
	Type           *Type
	Stack          []uintptr // as runtime.Callers gives them, from the caller of the allocator on
	Objects, Bytes float64   // allocated
	Live           float64   // objects that the last collection has found alive or that are newer
	LiveBytes      float64
}

// sampled has the samples of a heap.
type sampled struct {
	every float64

	mu    sync.Mutex
	sites map[uint64][]*Site // by a hash; guarded by mu
	list  []*Site            // guarded by mu
	alive []sampledObject    // guarded by mu
}

type sampledObject struct {
	at     mem.Address
	site   *Site
	number float64 // of objects that it stands for
	size   float64
}

// use takes bytes off those that the thread may use up before the next sample, and reports whether an object of n bytes
// among them is to be one.
func (th *Thread) use(bytes uintptr) bool {
	s := th.h.samples
	if s == nil {
		return false
	}
	if !th.sampling {
		th.sampling, th.unsampled = true, s.every*rand.ExpFloat64()
	}
	if th.unsampled -= float64(bytes); th.unsampled > 0 {
		return false
	}
	th.unsampled = s.every * rand.ExpFloat64()
	return true
}

// add adds a sample of n bytes.
func (s *sampled) add(p mem.Address, n uintptr, t *Type, stack []uintptr) {
	size := float64(n)
	number := 1 / -math.Expm1(-size/s.every)
	hash := uint64(14695981039346656037) // FNV
	for _, pc := range stack {
		hash = (hash ^ uint64(pc)) * 1099511628211
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var site *Site
	for _, x := range s.sites[hash] {
		if x.Type == t && slices.Equal(x.Stack, stack) {
			site = x
		}
	}
	if site == nil {
		site = &Site{Type: t, Stack: slices.Clone(stack)}
		s.sites[hash] = append(s.sites[hash], site)
		s.list = append(s.list, site)
	}
	site.Objects += number
	site.Bytes += number * size
	site.Live += number
	site.LiveBytes += number * size
	s.alive = append(s.alive, sampledObject{p, site, number, size})
}

// sample is add for an object that the caller's caller makes.
func (c *Ctx) sample(p mem.Address, n uintptr) {
	var pcs [sampleDepth]uintptr
	t := (*c.h.layouts.Load())[mem.Load32(p-headerSize+lowHalf)].typ
	c.h.samples.add(p, n, t, pcs[:runtime.Callers(4, pcs[:])])
}

// sweep takes away the objects that a collection has not marked. The world is stopped.
func (s *sampled) sweep(marked func(mem.Address) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.alive = slices.DeleteFunc(s.alive, func(x sampledObject) bool {
		if marked(x.at) {
			return false
		}
		x.site.Live -= x.number
		x.site.LiveBytes -= x.number * x.size
		return true
	})
}

// Sites returns the samples of the program so far.
func Sites() []Site { return program.sites() }

func (h *heap) sites() []Site {
	s := h.samples
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Site
	for _, x := range s.list {
		out = append(out, *x)
	}
	return out
}
