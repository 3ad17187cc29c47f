//go:build cgo

package ffi

/*
#include <stdlib.h>
#include "libffi.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/uvm2go/uvm2go/internal/lexis/symbol"
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/race"
)

// Code that arrives at run time calls C, and is exposed to C, with signatures for which no C code was compiled.
// libffi, a library of C that is opened when it is first needed, makes such calls and function pointers; thunks (thunk.c)
// are function pointers for the most common signatures on the most common machine. The
// generated C code of the program does around them what it does around compiled calls: Late has its functions.
//
// A call puts its arguments into a buffer with C's layout, in Go's heap, where neither a callback nor the growth of
// the goroutine's stack moves it. Descriptions of signatures are in C's memory and stay there.

// late has what Late was given.
var late struct {
	// call calls ffi_call at callee to call f on behalf of the stack with the gc.Native at native. The other arguments
	// are those of ffi_call.
	call   func(native, f, callee, cif, result, args uintptr)
	callee uintptr        // 0 before libffi is opened
	enter  unsafe.Pointer // what function pointers call
	dlopen uintptr
}

// Late takes functions of generated C code that serve signatures of which it knows nothing: one that calls C, the
// address of one that C calls, and that of dlopen; then the addresses of those that units call before and after they
// call C. Programs that may get code at run time call it before they start.
func Late(call func(native, f, callee, cif, result, args uintptr), enter, dlopen, before, after uintptr) {
	lent.before, lent.after = before, after
	late.call, late.enter, late.dlopen = call, *(*unsafe.Pointer)(unsafe.Pointer(&enter)), dlopen
	core.SetLateC(prepare, Symbol)
}

// OpenLibffi opens libffi, with the address of dlopen, before Late is called. The error completes the sentence "calling
// it ...".
func OpenLibffi(dlopen uintptr) error {
	late.dlopen = dlopen
	return opened()
}

// Symbol is the address of a symbol, which may have a version, in the libraries that the process has loaded; 0 if there
// is none. Generated code calls it before the program starts, for symbols that it cannot name to the C linker.
func Symbol(text string) uintptr {
	name, version := symbol.Split(text)
	c := func(s string) *C.char { return (*C.char)(unsafe.Pointer(&append([]byte(s), 0)[0])) }
	if version == "" {
		return uintptr(C.uvm_find_symbol(c(name), nil))
	}
	return uintptr(C.uvm_find_symbol(c(name), c(version)))
}

// opened opens libffi.
var opened = sync.OnceValue(func() error {
	if gc.NoLibffi || C.uvm_open_libffi(C.uintptr_t(late.dlopen)) == 0 {
		return errors.New("needs libffi, which was not found: install the package libffi8, libffi7 or libffi of the system")
	}
	late.callee = uintptr(C.uvm_libffi_call())
	return nil
})

// A signature is the C code for a signature.
type signature struct {
	cif      unsafe.Pointer
	closures *C.uvm_closures
	in, out  []part    // where the scalars are in the buffer of a call
	args     []uintptr // offsets of the parameters in it
	result   uintptr   // offset of the result in it
	widened  bool      // the result is an integer that takes a register
	words    int       // length of a buffer
	buffers  sync.Pool // of *buffer
}

type buffer struct{ words []uint64 }

// A part is a scalar of a value.
type part struct {
	offset uintptr
	letter byte // of core.CSig.Desc
}

const wordSize = unsafe.Sizeof(uintptr(0))

// prepare makes the C code for a signature, which callbacks know by a number.
func prepare(sig *core.CSig, number uint32) (core.LateC, error) {
	if err := opened(); err != nil {
		return nil, err
	}
	r := reader{text: sig.Desc}
	var params []shape
	for r.text[0] != '>' {
		if p := r.next(); len(p.types) > 0 { // C passes nothing for a struct without fields
			params = append(params, p)
		}
	}
	r.text = r.text[1:]
	result := shape{types: []*C.uvm_type{C.uvm_scalar('v')}}
	if r.text != "" {
		if v := r.next(); len(v.types) > 0 {
			result = v
		}
	}
	from := sources(params, result)
	params = split(params, result)
	s := &signature{}
	list := pointers(len(params))
	at := uintptr(len(params)) * wordSize
	for i, p := range params {
		list[i] = p.types[0]
		at = aligned(at, 8)
		s.args = append(s.args, at)
		for _, x := range p.parts {
			s.in = append(s.in, part{at + x.offset, x.letter})
		}
		at += p.size
	}
	s.result = aligned(at, 16)
	for _, x := range result.parts {
		s.out = append(s.out, part{s.result + x.offset, x.letter})
	}
	s.words = int(aligned(s.result+max(result.size, 16), 16)+16) / 8
	s.widened = !result.isStruct && len(result.parts) == 1 && result.size <= wordSize && !isFloat(result.parts[0].letter)
	if s.cif = C.uvm_prepare(C.unsigned(len(params)), result.types[0], unsafe.SliceData(list)); s.cif == nil {
		return nil, errors.New("is none that libffi can call")
	}
	for _, p := range append(params, result) {
		if err := p.check(); err != nil {
			return nil, err
		}
	}
	s.buffers.New = func() any {
		b := &buffer{make([]uint64, s.words)}
		base := unsafe.Pointer(&b.words[0])
		for i, off := range s.args {
			*(*uintptr)(unsafe.Add(base, uintptr(i)*wordSize)) = uintptr(base) + off
		}
		return b
	}
	s.closures = s.describe(params, result, number)
	s.closures.from = from
	return s, nil
}

// describe makes what the closures of the signature have in common.
func (s *signature) describe(params []shape, result shape, number uint32) *C.uvm_closures {
	n := len(s.in) + len(s.out)
	c := (*C.uvm_closures)(memory(unsafe.Sizeof(C.uvm_closures{})))
	c.parts = (*C.uvm_part)(memory(uintptr(n) * unsafe.Sizeof(C.uvm_part{})))
	*(*unsafe.Pointer)(unsafe.Pointer(&c.enter)) = late.enter
	c.cif, c.sig = s.cif, C.uint32_t(number)
	c.in, c.out, c.words = C.uint32_t(len(s.in)), C.uint32_t(len(s.out)), C.uint32_t(max(len(s.in), len(s.out), 1))
	if s.widened {
		c.widened = 1
	}
	parts := unsafe.Slice(c.parts, n)[:0]
	for i, p := range append(params, result) {
		for _, x := range p.parts {
			parts = append(parts, C.uvm_part{param: C.uint32_t(i), offset: C.uint32_t(x.offset), letter: C.uint8_t(x.letter)})
		}
	}
	return c
}

// Pointer makes the function pointer of a slot, 0 if that is not possible.
func (s *signature) Pointer(slot int) uintptr {
	return uintptr(C.uvm_make_closure(s.closures, C.int32_t(slot)))
}

// Call calls the C function f with the arguments in X(t), and puts the result there.
//
//go:norace
//go:nocheckptr
func (s *signature) Call(t *core.Ctx, f uintptr) {
	b := s.buffers.Get().(*buffer)
	base := unsafe.Pointer(&b.words[0])
	w := core.X(t).W
	for i, p := range s.in {
		p.store(base, w[i])
	}
	if race.Enabled {
		t.ToC()
	}
	late.call(uintptr(unsafe.Pointer(&t.Native)), f, late.callee, uintptr(s.cif), uintptr(base)+s.result, uintptr(base))
	if race.Enabled {
		t.FromC()
	}
	w = core.X(t).W // another area if the stack has changed its thread in a callback
	switch {
	case s.widened:
		w[0] = narrow(*(*uintptr)(unsafe.Add(base, s.result)), s.out[0].letter)
	default:
		for i, p := range s.out {
			w[i] = p.load(base)
		}
	}
	runtime.KeepAlive(b)
	s.buffers.Put(b)
}

// narrow is the integer of a letter in a register, zero-extended.
func narrow(x uintptr, letter byte) uint64 {
	switch letter {
	case 'b':
		return uint64(uint8(x))
	case 'h':
		return uint64(uint16(x))
	case 'i':
		return uint64(uint32(x))
	}
	return uint64(x)
}

//go:norace
//go:nocheckptr
func (p part) store(base unsafe.Pointer, w uint64) {
	core.StoreScalar(uintptr(base)+p.offset, p.letter, w)
}

//go:norace
//go:nocheckptr
func (p part) load(base unsafe.Pointer) uint64 {
	return core.LoadScalar(uintptr(base)+p.offset, p.letter)
}

// A shape is what libffi has to know of the values of a type, or of the fields of a struct: types[0] is the type of a
// value. A struct without fields has none.
type shape struct {
	types       []*C.uvm_type
	size, align uintptr
	parts       []part // by their offsets in the value
	isStruct    bool
}

// add appends a field.
func (s *shape) add(f shape) {
	at := aligned(s.size, f.align)
	s.types = append(s.types, f.types...)
	for _, p := range f.parts {
		s.parts = append(s.parts, part{at + p.offset, p.letter})
	}
	s.size, s.align = at+f.size, max(s.align, f.align)
}

// check compares the layout of a struct with what libffi has computed.
func (s *shape) check() error {
	if t := s.types[0]; s.isStruct && (uintptr(t.size) != s.size || uintptr(t.alignment) != s.align) {
		return fmt.Errorf("has a struct of %d bytes, aligned to %d, which libffi passes like one of %d bytes, aligned to %d",
			s.size, s.align, t.size, t.alignment)
	}
	return nil
}

func aligned(x, to uintptr) uintptr { return (x + to - 1) / to * to }

func isFloat(letter byte) bool { return letter == 'f' || letter == 'd' }

// A reader reads the types in a core.CSig.Desc.
type reader struct{ text string }

func (r *reader) next() shape {
	c := r.text[0]
	r.text = r.text[1:]
	s := shape{align: 1}
	switch c {
	case '{':
		for r.text[0] != '}' {
			s.add(r.next())
		}
		r.text = r.text[1:]
		s.size, s.isStruct = aligned(s.size, s.align), true
		if len(s.types) > 0 {
			list := pointers(len(s.types) + 1)
			copy(list, s.types)
			s.types = []*C.uvm_type{C.uvm_struct(unsafe.SliceData(list))}
		}
	case '[': // libffi has no arrays: in a struct they are passed like as many fields
		n := 0
		for ; r.text[0] >= '0' && r.text[0] <= '9'; r.text = r.text[1:] {
			n = 10*n + int(r.text[0]-'0')
		}
		elem := r.next()
		r.text = r.text[1:]
		s.align = elem.align
		for range n {
			s.add(elem)
		}
	default:
		s = scalar(c)
	}
	return s
}

func scalar(letter byte) shape {
	t := C.uvm_scalar(C.int(letter))
	return shape{types: []*C.uvm_type{t}, size: uintptr(t.size), align: uintptr(t.alignment), parts: []part{{0, letter}}}
}

// pointers makes a list of types in C's memory.
func pointers(n int) []*C.uvm_type {
	return unsafe.Slice((**C.uvm_type)(memory(uintptr(n)*wordSize)), n)
}

// memory is memory of C that is never freed, filled with zeros.
func memory(size uintptr) unsafe.Pointer { return C.calloc(1, C.size_t(max(size, 1))) }
