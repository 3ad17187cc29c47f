package mem

import (
	"syscall"
	"unsafe"
)

// Lazy tells whether memory is taken only when it is touched.
const Lazy = true

const (
	memCommit     = 0x1000
	memReserve    = 0x2000
	memDecommit   = 0x4000
	memRelease    = 0x8000
	pageNoAccess  = 0x01
	pageReadWrite = 0x04
)

var (
	kernel32             = syscall.NewLazyDLL("kernel32.dll")
	virtualAlloc         = kernel32.NewProc("VirtualAlloc")
	virtualFree          = kernel32.NewProc("VirtualFree")
	globalMemoryStatusEx = kernel32.NewProc("GlobalMemoryStatusEx")
)

func reserve(at Address, n uintptr) (Address, error) {
	a, _, err := virtualAlloc.Call(uintptr(at), n, memReserve, pageNoAccess)
	if a == 0 && at != 0 {
		a, _, err = virtualAlloc.Call(0, n, memReserve, pageNoAccess)
	}
	if a == 0 {
		return 0, err
	}
	return Address(a), nil
}

func unreserve(a Address, n uintptr) { virtualFree.Call(uintptr(a), 0, memRelease) }

// Commit makes reserved memory usable.
func Commit(a Address, n uintptr) bool {
	p, _, _ := virtualAlloc.Call(uintptr(a), n, memCommit, pageReadWrite)
	return p != 0
}

// Huge does nothing: the system chooses the size of pages itself.
func Huge(a Address, n uintptr) {}

// Discard makes committed memory zero and gives it back to the system.
func Discard(a Address, n uintptr) {
	if ok, _, _ := virtualFree.Call(uintptr(a), n, memDecommit); ok == 0 || !Commit(a, n) {
		Clear(a, n) // faults if the system took the memory and cannot provide it again
	}
}

func physicalMemory() uint64 {
	var status struct {
		length, load               uint32
		totalPhys, availPhys       uint64
		totalPage, availPage       uint64
		totalVirtual, availVirtual uint64
		availExtended              uint64
	}
	status.length = uint32(unsafe.Sizeof(status))
	if ok, _, _ := globalMemoryStatusEx.Call(uintptr(unsafe.Pointer(&status))); ok == 0 {
		return 0
	}
	return status.totalPhys
}
