//go:build cgo

package ffi

/*
#include <stdint.h>
#include <stdlib.h>

extern void uvmCallback(uintptr_t frame);

static uintptr_t uvm_entry(void) { return (uintptr_t)uvmCallback; }
*/
import "C"

import (
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib"
)

// Entry is the address of the C function that generated C code calls with the address
// of an rtlib.CFrame.
func Entry() uintptr { return uintptr(C.uvm_entry()) }

//export uvmCallback
func uvmCallback(frame C.uintptr_t) {
	rtlib.Callback((*rtlib.CFrame)(unsafe.Pointer(uintptr(frame))))
}

func init() {
	rtlib.SetExit(func(status int) { C.exit(C.int(status)) })
}
