package libmu

/*
#include "libmu.h"
#include <stdlib.h>
*/
import "C"

import (
	"math"
	"math/big"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// A client is a context.
type client struct {
	mu   *mu.Ctx
	c    *C.uvm_ctx
	vm   *vm
	trap bool // of a trap handler

	hybrid uint64     // length of the variable part of the hybrid that was just made
	vals   []mu.Value // those with a number in a slot, or beside one
	free   []uint32   // numbers without one
}

// bury drops the values whose slots were freed.
func (c *client) bury() {
	for _, no := range unsafe.Slice(c.c.dead, c.c.ndead) {
		c.drop(uint32(no))
	}
	c.c.ndead = 0
}

// drop frees the number of a value.
func (c *client) drop(no uint32) {
	c.mu.Delete(c.vals[no])
	c.vals[no] = nil
	c.free = append(c.free, no)
}

// slot returns the slot of a handle.
func (c *client) slot(handle C.uintptr_t) (*C.uvm_slot, error) {
	if handle == 0 {
		return nil, fail(mu.BadHandle, "the handle is NULL")
	}
	i := C.uint32_t(handle & (1<<C.UVM_INDEX_BITS - 1))
	if C.uint64_t(handle)>>(C.UVM_INDEX_BITS+C.UVM_LIFE_BITS) != c.c.prefix>>(C.UVM_INDEX_BITS+C.UVM_LIFE_BITS) || i >= c.c.used {
		return nil, fail(mu.BadHandle, "no value of this context has the handle")
	}
	s := &unsafe.Slice(c.c.slots, c.c.used)[i]
	if s.life&1 == 0 || C.uint64_t(handle)>>C.UVM_INDEX_BITS&(1<<C.UVM_LIFE_BITS-1) != C.uint64_t(s.life>>1) {
		return nil, fail(mu.BadHandle, "the value was deleted")
	}
	return s, nil
}

// value returns the value of a handle.
func (c *client) value(handle C.uintptr_t) (mu.Value, error) {
	s, err := c.slot(handle)
	if err != nil {
		return nil, err
	}
	switch low := uint32(s.kind & 0xffffff); s.kind >> 24 {
	case C.UVM_INT:
		return c.mu.Uint(uint64(s.value), low), nil
	case C.UVM_FLOAT:
		return c.mu.Float(math.Float32frombits(uint32(s.value))), nil
	case C.UVM_DOUBLE:
		return c.mu.Double(math.Float64frombits(uint64(s.value))), nil
	case C.UVM_UPTR, C.UVM_UFP:
		return c.mu.Pointer(c.vm.types.at(low), uintptr(s.value))
	case C.UVM_PARTS:
		return c.mu.ReadValue(c.vm.types.at(low), uintptr(s.value))
	case C.UVM_NODE:
		return nil, fail(mu.TypeMismatch, "a node of a bundle, want a value")
	case C.UVM_IREF, C.UVM_REF, C.UVM_TAG:
		if err := c.bring(s, handle&(1<<C.UVM_INDEX_BITS-1)); err != nil {
			return nil, err
		}
	}
	return c.vals[s.value], nil
}

// give makes the handle of a value that is a result; nil is none.
func (e *entry) give(v mu.Value, err error) C.uintptr_t {
	if e.err = err; err != nil || v == nil {
		return 0
	}
	h, err := e.ctx.add(v)
	e.err = err
	return h
}

// add makes a handle of a value.
func (c *client) add(v mu.Value) (C.uintptr_t, error) {
	switch v := v.(type) {
	case mu.Int:
		if n := v.Bits(); n <= 64 {
			return c.take(C.UVM_INT<<24|C.uint32_t(n), v.Uint64())
		}
	case mu.Float:
		return c.take(C.UVM_FLOAT<<24, uint64(math.Float32bits(v.Float32())))
	case mu.Double:
		return c.take(C.UVM_DOUBLE<<24, math.Float64bits(v.Float64()))
	case mu.UPtr:
		return c.take(C.UVM_UPTR<<24|C.uint32_t(c.vm.types.number(v.Type())), uint64(v.Addr()))
	case mu.UFuncPtr:
		return c.take(C.UVM_UFP<<24|C.uint32_t(c.vm.types.number(v.Type())), uint64(v.Addr()))
	}
	if kind, size := c.vm.parts(v); kind != 0 {
		at := C.malloc(size)
		if at == nil {
			return 0, fail(mu.OutOfMemory, "no memory for a value")
		}
		if err := c.mu.WriteValue(v, uintptr(at)); err != nil {
			C.free(at)
			return 0, err
		}
		h, err := c.take(kind, uint64(uintptr(at)))
		if err != nil {
			C.free(at)
		}
		return h, err
	}
	no := c.hold(v)
	return c.take(C.UVM_GO<<24|c.place(no, v), uint64(no))
}

// hold gives a value a number.
func (c *client) hold(v mu.Value) uint32 {
	n := len(c.free)
	if n == 0 {
		c.vals = append(c.vals, v)
		return uint32(len(c.vals) - 1)
	}
	no := c.free[n-1]
	c.free = c.free[:n-1]
	c.vals[no] = v
	return no
}

// place notes what C needs to know about a reference. It returns UVM_PLACE if C does, else 0.
func (c *client) place(no uint32, v mu.Value) C.uint32_t {
	var p C.uvm_place
	if tag, ok := v.(mu.TagRef64); ok {
		p = C.uvm_place{at: C.uint64_t(tag.TagWord()), what: C.UVM_TAG, uses: 1}
	} else {
		at, ok := mu.Locate(v)
		if !ok || at.Addr == 0 {
			return 0
		}
		no, ok := c.vm.known(at.To)
		if !ok {
			return 0
		}
		p = C.uvm_place{at: C.uint64_t(at.Addr), what: C.UVM_IREF, _type: C.uint32_t(no), uses: 1}
		if _, ok := v.(mu.Ref); ok {
			p.what = C.UVM_REF
		}
		if at.Inside {
			l := at.To.Layout()
			p.begin, p.end = p.at, p.at+C.uint64_t(l.Size)
			if l.Hybrid {
				p.end += C.uint64_t(c.hybrid * uint64(l.Stride))
				c.hybrid = 0
			}
		}
	}
	if C.uint32_t(no) >= c.c.room_places && C.uvm_grow_places(c.c, C.uint32_t(no)) == 0 {
		return 0
	}
	unsafe.Slice(c.c.places, c.c.room_places)[no] = p
	return C.UVM_PLACE
}

// bring makes a reference that C has made one in Go.
func (c *client) bring(s *C.uvm_slot, slot C.uintptr_t) error {
	holder := uint32(unsafe.Slice(c.c.beside, c.c.used)[slot])
	places := func() []C.uvm_place { return unsafe.Slice(c.c.places, c.c.room_places) }
	var v mu.Value
	var err error
	switch kind, word := s.kind>>24, uint64(s.value); {
	case kind == C.UVM_TAG && holder != C.UVM_NONE:
		v, err = c.mu.BesideTag(c.vals[holder], word)
	case kind == C.UVM_TAG && gc.TagIsInt(word):
		v = c.mu.TagInt(gc.TagToInt(word))
	case kind == C.UVM_TAG:
		v = c.mu.TagDouble(gc.TagToFP(word))
	default:
		h := places()[holder]
		at := mu.Location{Addr: uintptr(s.value), To: c.vm.types.at(uint32(s.kind & 0xffffff))}
		c.vm.known(at.To)
		size := C.uint64_t(at.To.Layout().Size)
		at.Inside = s.value >= h.begin && s.value <= h.end && h.end-s.value >= size
		v, err = c.mu.Beside(c.vals[holder], at, kind == C.UVM_REF)
	}
	if err != nil {
		return err
	}
	no := c.hold(v)
	placed := c.place(no, v)
	if holder != C.UVM_NONE {
		h := &places()[holder]
		if placed != 0 { // what C may access stays the same
			places()[no].begin, places()[no].end = h.begin, h.end
		}
		if h.uses--; h.uses == 0 {
			c.drop(holder)
		}
	}
	s.kind, s.value = C.UVM_GO<<24|placed, C.uint64_t(no)
	return nil
}

// take takes a free slot and returns its handle. handles.c has the same in C.
func (c *client) take(kind C.uint32_t, value uint64) (C.uintptr_t, error) {
	x := c.c
	i := x.first
	if i == C.UVM_NONE {
		if x.used == x.room && C.uvm_grow(x) == 0 {
			return 0, fail(mu.OutOfMemory, "no memory for a handle")
		}
		i = x.used
		x.used++
		unsafe.Slice(x.slots, x.used)[i].life = 0
	}
	s := &unsafe.Slice(x.slots, x.used)[i]
	if x.first != C.UVM_NONE {
		if x.first = C.uint32_t(s.value); x.first == C.UVM_NONE {
			x.last = C.UVM_NONE
		}
	}
	s.life = s.life + 3 | 1
	s.kind, s.value = kind, C.uint64_t(value)
	return C.uintptr_t(x.prefix | C.uint64_t(s.life>>1)<<C.UVM_INDEX_BITS | C.uint64_t(i)), nil
}

// value is the value of a handle that is a parameter.
func value[V mu.Value](e *entry, handle C.uintptr_t, param string) (none V) {
	if e.err != nil {
		return none
	}
	v, err := e.ctx.value(handle)
	if err != nil {
		e.err = named(err, param)
		return none
	}
	is, ok := v.(V)
	if !ok {
		e.err = fail(mu.TypeMismatch, "%s: a value of %s, want %s", param, v.Type(), kindOf[V]())
	}
	return is
}

// optional is value for a parameter that may be absent.
func optional[V mu.Value](e *entry, handle C.uintptr_t, param string) (none V) {
	if handle == 0 {
		return none
	}
	return value[V](e, handle, param)
}

// values are the values of an array of handles.
func values[V mu.Value](e *entry, p *C.uintptr_t, n C.uintptr_t, param string) []V {
	var list []V
	for _, h := range array(p, n) {
		list = append(list, value[V](e, h, param))
		if e.err != nil {
			return nil
		}
	}
	return list
}

// kindOf is what messages call a type of values.
func kindOf[V mu.Value]() string {
	var v V
	switch any(v).(type) {
	case mu.Int:
		return "an int"
	case mu.UPtr, mu.UFuncPtr:
		return "a pointer"
	case mu.Struct:
		return "a struct"
	case mu.Ref:
		return "a ref"
	case mu.IRef:
		return "an iref"
	case mu.TagRef64:
		return "a tagref64"
	case mu.FuncRef:
		return "a funcref"
	case mu.ThreadRef:
		return "a threadref"
	case mu.StackRef:
		return "a stackref"
	case mu.Cursor:
		return "a framecursorref"
	case mu.Float:
		return "a float"
	case mu.Double:
		return "a double"
	}
	return "another value"
}

// kindNames are the names of the kinds of slots in messages.
var kindNames = map[C.uint32_t]string{C.UVM_INT: "an int", C.UVM_FLOAT: "a float", C.UVM_DOUBLE: "a double", C.UVM_UPTR: "a pointer", C.UVM_UFP: "a pointer"}

//export uvmmu_wrong_kind
func uvmmu_wrong_kind(ctx *C.uvm_ctx, handle C.uintptr_t, want C.uint32_t, function *C.char) {
	e := enter(ctx, C.GoString(function))
	defer e.leave()
	if e.err == nil {
		e.wrongKind(handle, want)
	}
}

func (e *entry) wrongKind(handle C.uintptr_t, want C.uint32_t) {
	v := value[mu.Value](e, handle, "opnd")
	if e.err == nil {
		e.err = fail(mu.TypeMismatch, "opnd: a value of %s, want %s", v.Type(), kindNames[want])
	}
}

// uvmmu_low_word is handle_to_ of an int of more than 64 bits.
//
//export uvmmu_low_word
func uvmmu_low_word(ctx *C.uvm_ctx, handle C.uintptr_t, function *C.char) (w C.uint64_t) {
	e := enter(ctx, C.GoString(function))
	defer e.leave()
	v := value[mu.Value](&e, handle, "opnd")
	if e.err == nil {
		if n, ok := v.(mu.Int); ok {
			return C.uint64_t(n.Uint64())
		}
		e.wrongKind(handle, C.UVM_INT)
	}
	return 0
}

// uvmmu_int_of makes an int of 65 bits or more, or of a length that is the ID of an int type.
//
//export uvmmu_int_of
func uvmmu_int_of(ctx *C.uvm_ctx, low, high C.uint64_t, length C.int, function *C.char) (r C.uintptr_t) {
	e := enter(ctx, C.GoString(function))
	defer e.leave()
	if e.err == nil {
		r = e.give(e.ctx.wide([]uint64{uint64(low), uint64(high)}, int(length)))
	}
	return
}

// uvmmu_pointer_of makes a pointer, and notes its type for handles.c.
//
//export uvmmu_pointer_of
func uvmmu_pointer_of(ctx *C.uvm_ctx, id C.uint32_t, addr C.uintptr_t, function *C.char) (r C.uintptr_t) {
	e := enter(ctx, C.GoString(function))
	defer e.leave()
	if e.err != nil {
		return 0
	}
	ty, err := e.ctx.mu.Type(mu.ID(id))
	if err != nil {
		e.err = err
		return 0
	}
	if r = e.give(e.ctx.mu.Pointer(ty, uintptr(addr))); e.err == nil {
		if s, err := e.ctx.slot(r); err == nil {
			e.ctx.vm.notePointer(uint32(id), uint32(s.kind))
		}
	}
	return r
}

func (c *client) handleFromUint64s(words []uint64, length int) (mu.Value, error) {
	return c.wide(words, length)
}

// wide makes an int from words, the lowest first.
func (c *client) wide(words []uint64, length int) (mu.Value, error) {
	bits, err := c.length(length)
	if err != nil {
		return nil, err
	}
	n := new(big.Int)
	for i := range words {
		w := new(big.Int).SetUint64(words[i])
		n.Or(n, w.Lsh(w, uint(64*i)))
	}
	return c.mu.BigInt(n, bits), nil
}

// length is the length of an int: a number from 1 to 128, or the ID of an int type, which some clients pass.
func (c *client) length(n int) (uint32, error) {
	if n >= 1 && n <= 128 {
		return uint32(n), nil
	}
	if n > 128 {
		if ty, err := c.mu.Type(mu.ID(n)); err == nil && ty.Bits() != 0 {
			return ty.Bits(), nil
		}
	}
	return 0, fail(mu.OutOfRange, "len: %d is neither a length from 1 to 128 nor the ID of an int type", n)
}
