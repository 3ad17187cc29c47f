package libmu

/*
#include "libmu.h"
#include <stdlib.h>
*/
import "C"

import (
	"time"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// setTrapHandler makes a C function the handler of traps; with NULL a trap is an error.
func (v *vm) setTrapHandler(handler, userdata uintptr) error {
	v.mu.SetTrapHandler(func(ctx *mu.Ctx, thread mu.ThreadRef, stack mu.StackRef, wpid uint32) mu.TrapResult {
		if handler == 0 {
			v.threadFailed(errNoHandler)
			return mu.ThreadEnd{}
		}
		result, err := v.handle(C.uintptr_t(handler), C.uintptr_t(userdata), ctx, thread, stack, wpid)
		if err != nil {
			v.threadFailed(err)
			return mu.ThreadEnd{}
		}
		return result
	})
	return nil
}

var errNoHandler = fail(mu.UnhandledTrap, "a trap, or the call of an undefined function, without a trap handler")

// Results of trap handlers.
const (
	threadExit = iota
	rebindPassValues
	rebindThrowExc
)

// handle calls the handler of the client in a context of its own, which ends with it.
func (v *vm) handle(handler, userdata C.uintptr_t, ctx *mu.Ctx, thread mu.ThreadRef, stack mu.StackRef, wpid uint32) (mu.TrapResult, error) {
	c, err := v.wrap(ctx, true)
	if err != nil {
		return nil, err
	}
	defer c.endTrap()
	th, err := c.add(thread)
	if err != nil {
		return nil, err
	}
	st, err := c.add(stack)
	if err != nil {
		return nil, err
	}
	out := (*C.uvm_trap)(C.calloc(1, C.size_t(unsafe.Sizeof(C.uvm_trap{}))))
	if out == nil {
		return nil, fail(mu.OutOfMemory, "no memory for the result of a trap handler")
	}
	defer C.free(unsafe.Pointer(out))
	C.uvm_call_handler(handler, c.c, th, st, C.uint32_t(wpid), out, userdata)
	return c.trapResult(out)
}

// endTrap closes the context of a trap. It waits for a thread that the handler has left in it.
func (c *client) endTrap() {
	for !c.idleTo(C.UVM_CLOSED) {
		time.Sleep(10 * time.Microsecond)
	}
	c.vm.open.mu.Lock()
	defer c.vm.open.mu.Unlock()
	c.vm.free(c)
}

// trapResult reads what a handler has returned. Clients store 4 bytes of it where 8 would be right.
func (c *client) trapResult(out *C.uvm_trap) (mu.TrapResult, error) {
	defer func() {
		if out.freer != 0 && uint32(out.result) == rebindPassValues {
			C.uvm_call_freer(C.uintptr_t(out.freer), C.uintptr_t(out.values), C.uintptr_t(out.freerdata))
		}
	}()
	how := uint32(out.result)
	switch how {
	case threadExit:
		return mu.ThreadEnd{}, nil
	case rebindPassValues, rebindThrowExc:
	default:
		return nil, fail(mu.BadArg, "the trap handler returns %d, which is no MuTrapHandlerResult", how)
	}
	e := entry{ctx: c}
	stack := value[mu.StackRef](&e, C.uintptr_t(out.stack), "the stack of the trap handler")
	if how == rebindThrowExc {
		exc := value[mu.Ref](&e, C.uintptr_t(out.exception), "the exception of the trap handler")
		return mu.ThrowExc{Stack: stack, Exc: exc}, e.err
	}
	vals := values[mu.Value](&e, (*C.uintptr_t)(unsafe.Pointer(uintptr(out.values))), C.uintptr_t(out.nvalues), "a value of the trap handler")
	if e.err != nil {
		return nil, e.err
	}
	vals, err := c.suit(stack, vals)
	return mu.PassValues{Stack: stack, Values: vals}, err
}

// suit converts values for a stack: ints get the lengths that it waits for. Package mu does not compare the types of references.
func (c *client) suit(stack mu.StackRef, vals []mu.Value) ([]mu.Value, error) {
	if stack.IsNull() {
		return vals, nil // an error in any case
	}
	types, err := c.mu.Awaits(stack)
	if err != nil {
		return nil, err
	}
	for i := range min(len(types), len(vals)) {
		if n, ok := vals[i].(mu.Int); ok && types[i].Bits() != 0 && types[i].Bits() != n.Bits() {
			if vals[i], err = c.mu.Convert(n, types[i]); err != nil {
				return nil, err
			}
		}
	}
	return vals, nil
}
