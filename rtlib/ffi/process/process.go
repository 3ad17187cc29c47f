//go:build cgo

package process

/*
#cgo linux LDFLAGS: -ldl
#include <stdlib.h>
#include "program_gen.h"
#include "open.h"
*/
import "C"

import (
	"errors"
	"os"
	"sync"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/ffi"
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// used makes the process one that calls C.
var used = sync.OnceValue(func() error {
	if d, err := gc.ParseDebug(os.Getenv("UVMDEBUG")); err == nil {
		gc.NoLibffi = d.NoLibffi // the runtime itself reads it when the program starts
	}
	if err := ffi.OpenLibffi(uintptr(C.uvm_get_dlopen())); err != nil {
		return err
	}
	ffi.Agree(uintptr(C.uvm_get_layout()))
	ffi.Heed(uintptr(C.uvm_init(C.uintptr_t(ffi.Entry()), C.uint32_t(core.Pools()))))
	ffi.Late(func(native, f, callee, cif, result, args uintptr) {
		C.uvm_call_late(C.uintptr_t(native), C.uintptr_t(f), C.uintptr_t(callee), C.uintptr_t(cif), C.uintptr_t(result), C.uintptr_t(args))
	}, uintptr(C.uvm_get_enter_late()), uintptr(C.uvm_get_dlopen()), uintptr(C.uvm_get_before()), uintptr(C.uvm_get_after()))
	C.uvm_open_usual()
	return nil
})

// Use lets the process call C. It must be called before the program or bundle that does is given to the engine. all says
// that functions of C are called even where the runtime has them in Go. The error completes the sentence "calling
// it ...": C cannot be called, and the process goes on as if there were no C.
func Use(all bool) error {
	if err := used(); err != nil {
		return err
	}
	core.PreferC(all)
	return nil
}

// Open adds a shared library, in which symbols are looked up after those added before, and before those of the C
// library. A name without a folder is found as the dynamic linker finds it.
func Open(file string) error {
	name := C.CString(file)
	defer C.free(unsafe.Pointer(name))
	if why := C.uvm_open_symbols(name); why != nil {
		return errors.New(C.GoString(why))
	}
	return nil
}
