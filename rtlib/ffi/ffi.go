//go:build cgo

package ffi

/*
#include <stdint.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

extern void uvmCallback(uintptr_t frame);
extern void uvmWake(void);

// What generated C code needs of the runtime; it has the same struct.
static struct {
	void (*back)(uintptr_t);
	void (*wake)(void);
	uint32_t *stopping;
	int32_t fences; // the collector makes no fence: C code must
} uvm_lib = { uvmCallback, uvmWake, 0, 1 };

static uintptr_t uvm_entry(void) { return (uintptr_t)&uvm_lib; }

static void uvm_setup(uintptr_t stopping, int32_t fences) {
	uvm_lib.stopping = (uint32_t *)stopping;
	uvm_lib.fences = fences;
}

// The fence of all running threads at once, where the system has it.
#if defined(__linux__) && defined(SYS_membarrier)
static int uvm_register(void) { return syscall(SYS_membarrier, 1 << 4, 0, 0) == 0; }
static void uvm_barrier(void) { syscall(SYS_membarrier, 1 << 3, 0, 0); }
#else
static int uvm_register(void) { return 0; }
static void uvm_barrier(void) {}
#endif
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
	C.uvm_setup(C.uintptr_t(gc.StoppingAddr()), fences)
}
