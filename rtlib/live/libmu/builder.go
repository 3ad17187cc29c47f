package libmu

/*
#include "libmu.h"
*/
import "C"

import (
	"sync/atomic"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// A builder is a MuIRBuilder, of the later generations.
type builder struct {
	*live.IRBuilder
	c *C.uvm_builder
}

// enterBuilder begins a call of a function of a builder.
func enterBuilder(b *C.uvm_builder, name string) (e entry) {
	e.name = name
	switch {
	case b == nil:
		e.err = fail(mu.BadArg, "the builder is NULL")
	case atomic.LoadUint32((*uint32)(&b.closed)) != 0:
		e.cvm, e.err = b.vm, fail(mu.BadHandle, "the bundle was loaded or given up")
	default:
		e.cvm, e.builder = b.vm, builders.at(uint32(b.number))
	}
	return e
}

func (c *client) newIrBuilder() (*C.uvm_builder, error) {
	b := &builder{IRBuilder: live.NewIRBuilder(c.mu)}
	no := builders.add(b)
	if b.c = C.uvm_new_builder(c.vm.c, C.uint32_t(no)); b.c == nil {
		builders.drop(no)
		return nil, fail(mu.OutOfMemory, "no memory for a builder")
	}
	return b.c, nil
}

// end notes that the builder has ended. It is an error to use it afterwards, so the struct stays.
func (b *builder) end() {
	if atomic.CompareAndSwapUint32((*uint32)(&b.c.closed), 0, 1) {
		builders.drop(uint32(b.c.number))
	}
}

func (b *builder) load() error {
	defer b.end()
	return b.Load()
}

func (b *builder) abort() error {
	defer b.end()
	return b.Abort()
}

func (b *builder) genSym(name string) (mu.ID, error) { return b.GenSym(name) }

// node calls a function that makes a node.
func (b *builder) node(function string, args ...any) error { return b.Call(function, args...) }
