//go:build cgo

package ffi

/*
#cgo linux LDFLAGS: -ldl
#include <stdint.h>
#include <stdlib.h>

uintptr_t uvm_entry(void);
void uvm_setup(uintptr_t stopping, int32_t fences);
int uvm_register(void);
void uvm_barrier(void);
void uvm_catch(void);
*/
import "C"

import (
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// Entry is the address of the struct through which generated C code calls back.
func Entry() uintptr { return uintptr(C.uvm_entry()) }

//export uvmCallback
func uvmCallback(frame C.uintptr_t) {
	rtlib.Callback((*rtlib.CFrame)(unsafe.Pointer(uintptr(frame))))
}

//export uvmWake
func uvmWake() { gc.WakeCollector() }

func init() {
	rtlib.SetC(setup, func(status int) { C.exit(C.int(status)) })
}

// setup is called when the heap is there and no thread has started.
func setup() {
	fences := C.int32_t(1)
	if C.uvm_register() != 0 {
		fences = 0
		gc.Barrier = func() { C.uvm_barrier() }
	}
	C.uvm_catch()
	C.uvm_setup(C.uintptr_t(gc.StoppingAddr()), fences)
}
