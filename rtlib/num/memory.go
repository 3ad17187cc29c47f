package num

import (
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// LoadU128 reads an int of more than 64 bits, in the machine's byte order.
//
//go:norace
//go:nocheckptr
func LoadU128(p uintptr) U128 {
	w := (*[2]uint64)(unsafe.Pointer(p))
	if mem.BigEndian {
		return U128{Lo: w[1], Hi: w[0]}
	}
	return U128{Lo: w[0], Hi: w[1]}
}

// StoreU128 writes an int of more than 64 bits, in the machine's byte order.
//
//go:norace
//go:nocheckptr
func StoreU128(p uintptr, x U128) {
	w := (*[2]uint64)(unsafe.Pointer(p))
	if mem.BigEndian {
		w[1], w[0] = x.Lo, x.Hi
	} else {
		w[0], w[1] = x.Lo, x.Hi
	}
}
