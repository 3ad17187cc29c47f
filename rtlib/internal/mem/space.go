package mem

import (
	"fmt"
	"syscall"
)

// PageSize is the unit of addresses and sizes for Reserve and Commit, in bytes. It is at
// least the size of a page on every system that Go runs on.
const PageSize = 64 << 10

// HugePage is the unit for Huge, in bytes: the size of a large page on most machines. Where
// large pages are in use, touching a byte takes this much memory.
const HugePage = 2 << 20

// SystemPage is the size of a page of this system in bytes, the unit for Discard.
var SystemPage = uintptr(syscall.Getpagesize())

// The system-dependent part, one file each:
//
//	Lazy                whether memory is taken only when it is touched; if not, Reserve
//	                    takes all of it at once and Discard gives nothing back
//	reserve(at, n)      n bytes of address space: at an address if that is not 0, the space is free
//	                    and the system supports it, else anywhere
//	unreserve(a, n)     gives address space back
//	Commit(a, n)        makes reserved memory usable, zero at first; once for each byte
//	Huge(a, n)          asks for large pages, where much memory is used at random: programs
//	                    wait less for the processor to find out where pages are
//	Discard(a, n)       makes committed memory zero and lets the system have it back
//	physicalMemory()    bytes of memory of the machine, 0 when unknown

// Region is a piece of reserved address space.
type Region struct {
	Base Address
	Size uintptr

	raw     Address // the address that the system returned, before alignment
	rawSize uintptr
}

// End returns the address after the region.
func (r Region) End() Address { return r.Base.Add(r.Size) }

// Contains reports whether a lies in the region.
func (r Region) Contains(a Address) bool { return a.Sub(r.Base) < r.Size }

// Reserve reserves size bytes of address space aligned to align, a power of two and
// at least PageSize. Nothing may be touched before Commit.
func Reserve(size, align uintptr) (Region, error) { return reserveAt(0, size, align) }

func reserveAt(at Address, size, align uintptr) (Region, error) {
	size = (size + PageSize - 1) &^ (PageSize - 1)
	rawSize := size + align
	if size == 0 || rawSize < size || int(rawSize) < 0 {
		return Region{}, fmt.Errorf("cannot reserve %d bytes of address space", size)
	}
	raw, err := reserve(at, rawSize)
	if err != nil {
		return Region{}, fmt.Errorf("cannot reserve %d bytes of address space: %w", size, err)
	}
	return Region{Base: raw.AlignUp(align), Size: size, raw: raw, rawSize: rawSize}, nil
}

// ReserveUpTo is Reserve of at most size bytes: if that much is not available it tries
// half, and so on down to least.
func ReserveUpTo(size, least, align uintptr) (Region, error) {
	for {
		r, err := Reserve(size, align)
		if err == nil || size <= least {
			return r, err
		}
		size = max(size/2, least)
	}
}

// ReserveBelow is Reserve, aligned to a page, of size bytes below an address: directly below it or, if there is
// no room, twice as far with each try. On a system where the address cannot be chosen, the last try takes any
// address.
func ReserveBelow(limit Address, size uintptr) (Region, error) {
	size = (size + PageSize - 1) &^ (PageSize - 1)
	var high []Region // regions that are not below, kept so that they are not returned again
	defer func() {
		for _, r := range high {
			r.Release()
		}
	}()
	for step, last := size+PageSize, false; !last; step *= 2 {
		at := Address(0)
		if last = step >= uintptr(limit) || step > ^uintptr(0)/2; !last {
			at = (limit - Address(step)) &^ (PageSize - 1)
		}
		r, err := reserveAt(at, size, PageSize)
		if err != nil {
			return Region{}, err
		}
		if r.End() <= limit {
			return r, nil
		}
		high = append(high, r)
	}
	return Region{}, fmt.Errorf("cannot reserve %d bytes below %#x", size, limit)
}

// Release gives the region back. No address in it may be used any more.
func (r Region) Release() {
	if r.rawSize != 0 {
		unreserve(r.raw, r.rawSize)
	}
}

// PhysicalMemory returns the bytes of memory of the machine, 0 if unknown.
func PhysicalMemory() uint64 { return physicalMemory() }
