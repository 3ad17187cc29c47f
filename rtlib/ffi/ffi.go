//go:build cgo

package ffi

/*
#cgo linux LDFLAGS: -ldl
#include <stdint.h>
#include <stdlib.h>

uintptr_t uvm_entry(void);
uint32_t uvm_entry_size(void);
int uvm_register(void);
void uvm_barrier(void);
void uvm_catch(void);
void uvm_exit(int status);
void uvm_follow(void);
uintptr_t uvm_self(void);
*/
import "C"

import (
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// Heed takes the address of a uint32 in C. The runtime sets it, from now on, when there is more to do
// as a thread leaves or enters Go, and treats the process as one that calls C. Generated code calls it before the
// program starts.
//
//go:norace
//go:nocheckptr
func Heed(notice uintptr) {
	gc.AddNotice((*atomic.Uint32)(unsafe.Pointer(notice)))
	core.SetC(setup, func(status int) { C.uvm_exit(C.int(status)) }, func() uintptr { return uintptr(C.uvm_self()) })
}

// Agree takes the address of a core.CLayout in C and ends the process if the structs that it describes differ from
// those of the runtime. Generated code calls it before Heed.
//
//go:norace
//go:nocheckptr
func Agree(layout uintptr) {
	core.AgreeC(*(*core.CLayout)(unsafe.Pointer(layout)), uint32(C.uvm_entry_size()))
}

// Entry is the address of the struct through which generated C code calls back.
func Entry() uintptr { return uintptr(C.uvm_entry()) }

//export uvmCallback
//go:norace
//go:nocheckptr
func uvmCallback(frame C.uintptr_t) {
	core.Callback((*core.CFrame)(unsafe.Pointer(uintptr(frame))))
}

//export uvmResume
//go:norace
//go:nocheckptr
func uvmResume(native C.uintptr_t) {
	(*gc.Native)(unsafe.Pointer(uintptr(native))).Resume()
}

//export uvmThreadGone
func uvmThreadGone(self C.uintptr_t) { core.ThreadGone(uintptr(self)) }

//export uvmWake
func uvmWake() { gc.WakeCollector() }

// setup is called when the heap exists and no thread has started.
func setup() {
	if C.uvm_register() != 0 {
		gc.SetBarrier(func() { C.uvm_barrier() })
	}
	C.uvm_catch()
	C.uvm_follow()
}
