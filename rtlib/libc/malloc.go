package libc

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// The allocator behind malloc.
//
// A block is a header of 16 bytes and the memory after it, which is aligned to 16
// bytes. Blocks of up to maxSmall bytes are in classes, four to each doubling, so
// that at most a fifth is wasted. Each class has a list of free blocks with its own
// lock and takes memory from the system in chunks, which it never gives back. Larger
// blocks are regions of the system, given back when they are freed.
//
// The header has the class, and a seal that shows whether there is a block at all and
// whether it is in use: free and realloc of anything else are a Misuse.

// header is before each block.
type header struct {
	size uint64 // of the memory, in its class or region
	seal uint32 // inUse or idle, mixed with the address
	kind uint32 // number of the class, or large
}

const (
	headerSize = unsafe.Sizeof(header{})
	align      = 16
	maxSmall   = 128 << 10
	large      = ^uint32(0)
	inUse      = 0x6d61a10c
	idle       = 0x6d61f3ee
)

// classCount is the number of classes: sizes 16, 32, 48, 64 and then four to
// each doubling up to maxSmall.
const classCount = 4 + 4*11

// arenas is the free memory of each class.
var arenas [classCount]struct {
	sync.Mutex
	free uintptr // first free block, linked through its first word
	next uintptr // uncarved rest of the newest chunk
	end  uintptr
	_    [64]byte // keeps neighbours off the cache line
}

// regions are the large blocks in use.
var regions struct {
	sync.Mutex
	at map[uintptr]mem.Region
}

// classOf is the class of blocks that hold n bytes, 0 < n <= maxSmall.
func classOf(n uint64) uint32 {
	if n <= 64 {
		return uint32((n - 1) / 16)
	}
	top := uint(bits.Len64(n-1)) - 1 // n is in (1<<top, 2<<top]
	return uint32(4 + 4*(top-6) + uint((n-1)>>(top-2)&3))
}

// classSize is the number of bytes that blocks of a class hold.
func classSize(c uint32) uint64 {
	if c < 4 {
		return uint64(c+1) * 16
	}
	return uint64(4+c%4+1) << (c/4 + 3)
}

//go:norace
//go:nocheckptr
func headerOf(p uintptr) *header { return (*header)(unsafe.Pointer(p - headerSize)) }

// seal combines a state with an address, so that stale copies of a header are
// recognized.
func seal(p uintptr, state uint32) uint32 { return state ^ uint32(p>>4)*0x9e3779b1 }

// grab finds a block of n bytes, not cleared, and reports whether it is fresh
// from the system and so zero. It returns 0 if there is no memory.
//
//go:norace
//go:nocheckptr
func grab(n uint64) (p uintptr, fresh bool) {
	if n > maxSmall {
		return grabLarge(n), true
	}
	c := classOf(max(n, 1))
	a := &arenas[c]
	a.Lock()
	defer a.Unlock()
	if p = a.free; p != 0 {
		a.free = *(*uintptr)(unsafe.Pointer(p))
		headerOf(p).seal = seal(p, inUse)
		return p, false
	}
	step := headerSize + uintptr(classSize(c))
	if a.end-a.next < step {
		chunk := max(mem.PageSize, 8*step)
		r, ok := obtain(chunk)
		if !ok {
			return 0, false
		}
		a.next, a.end = uintptr(r.Base), uintptr(r.End())
	}
	p = a.next + headerSize
	a.next += step
	*headerOf(p) = header{classSize(c), seal(p, inUse), c}
	return p, true
}

func grabLarge(n uint64) uintptr {
	if n > uint64(^uintptr(0)>>1)-mem.PageSize {
		return 0
	}
	r, ok := obtain(uintptr(n) + headerSize)
	if !ok {
		return 0
	}
	p := uintptr(r.Base) + headerSize
	*headerOf(p) = header{uint64(r.Size - headerSize), seal(p, inUse), large}
	regions.Lock()
	defer regions.Unlock()
	if regions.at == nil {
		regions.at = map[uintptr]mem.Region{}
	}
	regions.at[p] = r
	return p
}

// wholePages rounds a size up to large pages if that wastes little.
func wholePages(n uintptr) uintptr {
	if full := (n + mem.HugePage - 1) &^ (mem.HugePage - 1); full >= n && full-n <= n/4 {
		return full
	}
	return n
}

// obtain takes zeroed memory from the system, with large pages as far as it fills them.
func obtain(n uintptr) (mem.Region, bool) {
	n = wholePages(n)
	page := uintptr(mem.PageSize)
	if n >= mem.HugePage {
		page = mem.HugePage
	}
	r, err := mem.Reserve(n, page)
	if err != nil {
		return r, false
	}
	if !mem.Commit(r.Base, r.Size) {
		r.Release()
		return r, false
	}
	if full := r.Size &^ (mem.HugePage - 1); full > 0 {
		mem.Huge(r.Base, full)
	}
	return r, true
}

// check finds the header of a block in use.
func check(name string, p uintptr) *header {
	if p < nullZone || p%align != 0 {
		panic(&Misuse{name, "invalid pointer"})
	}
	switch h := headerOf(p); h.seal {
	case seal(p, inUse):
		return h
	case seal(p, idle):
		panic(&Misuse{name, "block was freed already"})
	default:
		panic(&Misuse{name, "invalid pointer"})
	}
}

// Malloc is malloc: aligned to 16, not NULL for 0 bytes.
func Malloc(e Errno, n uint64) uintptr {
	p, _ := grab(n)
	if p == 0 {
		e.Set(eNOMEM)
	}
	return p
}

// Calloc is calloc.
func Calloc(e Errno, count, size uint64) uintptr {
	hi, n := bits.Mul64(count, size)
	if hi != 0 {
		e.Set(eNOMEM)
		return 0
	}
	p, fresh := grab(n)
	if p == 0 {
		e.Set(eNOMEM)
	} else if !fresh {
		Memset(p, 0, n)
	}
	return p
}

// Free is free.
//
//go:norace
//go:nocheckptr
func Free(p uintptr) {
	if p == 0 {
		return
	}
	h := check("free", p)
	if h.kind == large {
		regions.Lock()
		r, ok := regions.at[p]
		delete(regions.at, p)
		regions.Unlock()
		if !ok {
			panic(&Misuse{"free", "invalid pointer"})
		}
		r.Release()
		return
	}
	a := &arenas[h.kind]
	a.Lock()
	defer a.Unlock()
	if h.seal != seal(p, inUse) {
		panic(&Misuse{"free", "block was freed already"})
	}
	h.seal = seal(p, idle)
	*(*uintptr)(unsafe.Pointer(p)) = a.free
	a.free = p
}

// Realloc is realloc; with 0 bytes it frees and returns NULL, as in glibc.
func Realloc(e Errno, p uintptr, n uint64) uintptr {
	if p == 0 {
		return Malloc(e, n)
	}
	h := check("realloc", p)
	if n == 0 {
		Free(p)
		return 0
	}
	if n <= h.size && n > h.size/2 {
		return p
	}
	q := Malloc(e, n)
	if q != 0 {
		Memcpy(q, p, min(n, h.size))
		Free(p)
	}
	return q
}

// UsableSize is malloc_usable_size.
func UsableSize(p uintptr) uint64 {
	if p == 0 {
		return 0
	}
	return check("malloc_usable_size", p).size
}
