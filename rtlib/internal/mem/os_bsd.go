//go:build dragonfly || freebsd || netbsd || openbsd

package mem

import (
	"encoding/binary"
	"runtime"
	"syscall"
	"unsafe"
)

// Lazy tells whether memory is taken only when it is touched.
const Lazy = true

// reserve maps memory that can be used immediately: package syscall has no mprotect here, and
// untouched pages cost nothing.
func reserve(_ Address, n uintptr) (Address, error) {
	b, err := syscall.Mmap(-1, 0, int(n), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return 0, err
	}
	return Address(uintptr(unsafe.Pointer(unsafe.SliceData(b)))), nil
}

func unreserve(a Address, n uintptr) { syscall.Munmap(Bytes(a, n)) }

// Commit makes reserved memory usable. Here it already is.
func Commit(a Address, n uintptr) bool { return true }

// Huge does nothing: the system chooses the size of pages itself.
func Huge(a Address, n uintptr) {}

// Discard makes committed memory zero and gives it back to the system. Pages given up by
// MADV_FREE keep their content until the system takes them, so they are cleared first.
func Discard(a Address, n uintptr) {
	Clear(a, n)
	if runtime.GOOS != "openbsd" { // openbsd has no system calls by number
		syscall.Syscall(syscall.SYS_MADVISE, uintptr(a), n, syscall.MADV_FREE)
	}
}

func physicalMemory() uint64 {
	name := "hw.physmem"
	if runtime.GOOS == "netbsd" {
		name = "hw.physmem64"
	}
	s, err := syscall.Sysctl(name)
	if err != nil {
		return 0
	}
	var b [8]byte // Sysctl takes the value for a string and drops a zero at its end
	copy(b[:], s)
	return binary.NativeEndian.Uint64(b[:])
}
