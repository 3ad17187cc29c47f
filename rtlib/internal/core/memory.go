package core

import (
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
)

// Operations on many elements. Counts of elements are unsigned; if the count is 0, nothing
// is checked.

// MemMove copies n elements of a size, with padding, from one address to another. The
// memory may overlap.
//
//go:norace
//go:nocheckptr
func MemMove(t *Ctx, to, from uintptr, n uint64, size uintptr, where string) {
	bytes := span(t, min(to, from), n, size, where)
	switch {
	case bytes == 0:
	case bytes == 16 && Unaligned:
		lo, hi := *(*uint64)(unsafe.Pointer(from)), *(*uint64)(unsafe.Pointer(from + 8))
		*(*uint64)(unsafe.Pointer(to)), *(*uint64)(unsafe.Pointer(to + 8)) = lo, hi
	case bytes <= 2:
		last := *(*byte)(unsafe.Pointer(from + bytes - 1))
		*(*byte)(unsafe.Pointer(to)) = *(*byte)(unsafe.Pointer(from))
		*(*byte)(unsafe.Pointer(to + bytes - 1)) = last
	default:
		copy(unsafe.Slice((*byte)(unsafe.Pointer(to)), bytes), unsafe.Slice((*byte)(unsafe.Pointer(from)), bytes))
	}
}

// MemClear makes n elements of a size zero.
//
//go:norace
//go:nocheckptr
func MemClear(t *Ctx, to uintptr, n uint64, size uintptr, where string) {
	if bytes := span(t, to, n, size, where); bytes != 0 {
		clear(unsafe.Slice((*byte)(unsafe.Pointer(to)), bytes))
	}
}

// MemClearWords is MemClear for programs with several threads, which see each element either
// unchanged or as zero.
//
//go:norace
//go:nocheckptr
func MemClearWords(t *Ctx, to uintptr, n uint64, size uintptr, where string) {
	bytes := span(t, to, n, size, where)
	p, end := to, to+bytes
	switch a := to | bytes; {
	case a%8 == 0:
		for ; p < end; p += 8 {
			*(*uint64)(unsafe.Pointer(p)) = 0
		}
	case a%4 == 0:
		for ; p < end; p += 4 {
			*(*uint32)(unsafe.Pointer(p)) = 0
		}
	case a%2 == 0:
		for ; p < end; p += 2 {
			*(*uint16)(unsafe.Pointer(p)) = 0
		}
	default:
		for ; p < end; p++ {
			*(*uint8)(unsafe.Pointer(p)) = 0
		}
	}
}

// MemRepeat copies the first of n elements of a size to the others.
//
//go:norace
//go:nocheckptr
func MemRepeat(t *Ctx, to uintptr, n uint64, size uintptr, where string) {
	bytes := span(t, to, n, size, where)
	if bytes == 0 {
		return
	}
	all := unsafe.Slice((*byte)(unsafe.Pointer(to)), bytes)
	for done := size; done < bytes; done *= 2 {
		copy(all[done:], all[:done])
	}
}

// span is the number of bytes of n elements at an address. If the address is NULL or does not
// have that many, the program fails.
func span(t *Ctx, at uintptr, n uint64, size uintptr, where string) uintptr {
	switch bytes := uintptr(n) * size; {
	case bytes == 0 && n == 0 || size == 0:
		return 0
	case at < NullZone:
		Fail(t, NullRef, where, "")
		return 0
	case uint64(uintptr(n)) != n || size != 1 && bytes/size != uintptr(n) || at+bytes < at:
		Fail(t, Bounds, where, "more elements than there is memory")
		return 0
	default:
		return bytes
	}
}

// ThreadCell returns the thread's own copy of the thread-local cell at an address. The copy is
// made at the first call, with the content of that cell.
//
//go:norace
//go:nocheckptr
func ThreadCell(t *Ctx, ty *Type, cell, size uintptr, where string) uintptr {
	th := thread.Of(t).Th
	if p := th.Cells[cell]; p != 0 {
		return p
	}
	p := made(t.New(ty), ty, 0)
	if p == 0 {
		Fail(t, OutOfMemory, where, "")
	}
	if th.Cells == nil {
		th.Cells = map[uintptr]uintptr{}
	}
	if size != 0 {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(p)), size), unsafe.Slice((*byte)(unsafe.Pointer(cell)), size))
	}
	th.Cells[cell] = p
	return p
}
