package libmu

/*
#include "libmu.h"
#include <stdlib.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// An entry is a call of a function of the API.
type entry struct {
	name string
	err  error

	cvm     *C.uvm_vm // nil if it is not known
	cctx    *C.uvm_ctx
	vm      *vm
	ctx     *client
	builder *builder
}

// enter begins a call of a function of a context. leave must follow.
func enter(c *C.uvm_ctx, name string) (e entry) {
	e.name = name
	if c == nil {
		e.err = fail(mu.BadArg, "the context is NULL")
		return e
	}
	e.cvm = c.vm
	if !atomic.CompareAndSwapUint32((*uint32)(&c.state), C.UVM_IDLE, C.UVM_BUSY) {
		e.err = errBusy
		if atomic.LoadUint32((*uint32)(&c.state)) == C.UVM_CLOSED {
			e.err = errClosed
		}
		return e
	}
	e.cctx = c
	e.ctx = clients.at(uint32(c.number))
	if c.ndead > 0 {
		e.ctx.bury()
	}
	return e
}

// enterVM begins a call of a function of a VM.
func enterVM(v *C.uvm_vm, name string) (e entry) {
	e.name = name
	switch {
	case v == nil:
		e.err = fail(mu.BadArg, "the VM is NULL")
	case atomic.LoadUint32((*uint32)(&v.closed)) != 0:
		e.cvm, e.err = v, fail(mu.CtxClosed, "the VM is closed")
	default:
		e.cvm, e.vm = v, vms.at(uint32(v.number))
	}
	return e
}

var (
	errBusy   = fail(mu.CtxBusy, "the context is in use")
	errClosed = fail(mu.CtxClosed, "the context is closed")
)

// leave ends a call: it says the error, and frees the context for the next call.
func (e *entry) leave() {
	if r := recover(); r != nil {
		e.err = fmt.Errorf("internal error: %v at %s", r, debug.Stack())
	}
	if e.err != nil {
		failed(e.cvm, e.name, e.err)
	}
	if e.cctx != nil {
		atomic.CompareAndSwapUint32((*uint32)(&e.cctx.state), C.UVM_BUSY, C.UVM_IDLE)
	}
}

// failed says that a function has failed.
func failed(v *C.uvm_vm, function string, err error) {
	inC(function, err, func(f, why *C.char) { C.uvm_fail(v, f, why) })
}

// inC calls f with a name and the text of an error.
func inC(function string, err error, f func(function, why *C.char)) {
	name, why := C.CString(function), C.CString(oneLine(err))
	f(name, why)
	C.free(unsafe.Pointer(name))
	C.free(unsafe.Pointer(why))
}

// oneLine is the text of an error. The faults of a bundle, which are lines of their own, are joined.
func oneLine(err error) string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(err.Error()), "\n") {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "; ")
}

func fail(code mu.Code, format string, args ...any) error {
	return &mu.Error{Code: code, Msg: fmt.Sprintf(format, args...)}
}

// named completes the error of a parameter.
func named(err error, param string) error {
	var e *mu.Error
	if errors.As(err, &e) {
		return fail(e.Code, "%s: %s", param, e.Msg)
	}
	return err
}

// text is a string of the client, which ends with a NUL.
func text(e *entry, s *C.char, param string) string {
	if s == nil {
		if e.err == nil {
			e.err = fail(mu.BadArg, "%s is NULL", param)
		}
		return ""
	}
	return C.GoString(s)
}

// optionalText is text that may be absent.
func optionalText(s *C.char) string {
	if s == nil {
		return ""
	}
	return C.GoString(s)
}

// bytes is a string of the client with a length.
func bytes(e *entry, s *C.char, n C.uintptr_t, param string) string {
	if s == nil {
		return ""
	}
	if n > 1<<30 {
		if e.err == nil {
			e.err = fail(mu.OutOfRange, "%s has %d bytes, more than a text can have", param, n)
		}
		return ""
	}
	return C.GoStringN(s, C.int(n))
}

// texts are strings in an array.
func texts(e *entry, p *C.uintptr_t, n C.uintptr_t, param string) []string {
	var list []string
	for _, s := range array(p, n) {
		list = append(list, text(e, (*C.char)(unsafe.Pointer(uintptr(s))), param))
	}
	return list
}

// list are the numbers in an array.
func list[T, P uint32 | uint64 | mu.ID | C.uint32_t | C.uint64_t](p *P, n C.uintptr_t) []T {
	from := array(p, n)
	to := make([]T, len(from))
	for i, v := range from {
		to[i] = T(v)
	}
	return to
}

// array is an array of the client, which is empty if the pointer is NULL. Only 32 bits of a length count: an older header of the API
// has int as its type.
func array[T any](p *T, n C.uintptr_t) []T {
	if p == nil {
		return nil
	}
	return unsafe.Slice(p, uint32(n))
}

// order is a memory order.
func order(e *entry, o C.uint32_t, param string) mu.Order {
	if o > C.uint32_t(mu.SeqCst) && e.err == nil {
		e.err = fail(mu.BadArg, "%s: %#x is no memory order", param, uint32(o))
	}
	return mu.Order(o)
}

// truth is a result that is a MuBool.
func (e *entry) truth(is bool, err error) C.int {
	if e.err = err; err == nil && is {
		return 1
	}
	return 0
}

// id is a result that is a MuID.
func (e *entry) id(id mu.ID, err error) C.uint32_t {
	if e.err = err; err != nil {
		return 0
	}
	return C.uint32_t(id)
}
