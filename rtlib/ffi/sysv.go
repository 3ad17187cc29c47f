//go:build cgo

package ffi

// #include "libffi.h"
import "C"

import (
	"runtime"
	"slices"
	"unsafe"
)

// Registers for arguments by the ABI of System V for x86-64.
const (
	intRegisters   = C.uvm_ints
	floatRegisters = C.uvm_floats
)

// sources is where a thunk finds the arguments of a signature; nil if its function pointers have to be those of libffi.
func sources(params []shape, result shape) *C.uvm_source {
	isStruct := func(s shape) bool { return s.isStruct }
	if C.uvm_has_thunks() == 0 || result.isStruct || slices.ContainsFunc(params, isStruct) {
		return nil
	}
	list := unsafe.Slice((*C.uvm_source)(memory(uintptr(len(params))*unsafe.Sizeof(C.uvm_source{}))), len(params))
	var ints, floats, stacked C.uint16_t
	for i, p := range params {
		s := &list[i]
		s.shift = C.uint8_t(64 - 8*p.size)
		switch isFloat := isFloat(p.parts[0].letter); {
		case isFloat && floats < floatRegisters:
			s.at = intRegisters + floats
			floats++
		case !isFloat && ints < intRegisters:
			s.at = ints
			ints++
		default:
			s.at = C.uvm_stacked + stacked
			stacked++
		}
	}
	return unsafe.SliceData(list)
}

// split replaces structs that libffi 3.4 passes wrongly on x86-64. It copies a struct of an integer half and a floating
// point half into the last integer register and beyond, over the first floating point argument. The halves are passed in
// the same registers if they are two parameters.
func split(params []shape, result shape) []shape {
	if runtime.GOARCH != "amd64" || runtime.GOOS == "windows" {
		return params
	}
	var out []shape
	ints, floats := 0, 0
	if result.size > 16 { // its address is the first argument
		ints++
	}
	for _, p := range params {
		var half [2]struct{ used, isInt bool }
		for _, x := range p.parts {
			if p.size <= 16 {
				h := &half[x.offset/8]
				h.used, h.isInt = true, h.isInt || !isFloat(x.letter)
			}
		}
		i, f := 0, 0
		for _, h := range half {
			switch {
			case h.isInt:
				i++
			case h.used:
				f++
			}
		}
		if ints+i > intRegisters || floats+f > floatRegisters {
			i, f = 0, 0 // it is passed in memory
		}
		if i == 1 && f == 1 && half[0].isInt && ints == intRegisters-1 {
			out = append(out, p.half(0, 'l'), p.half(8, 'd'))
		} else {
			out = append(out, p)
		}
		ints, floats = ints+i, floats+f
	}
	return out
}

// half is the half of a struct of up to 16 bytes that begins at an offset, passed as a scalar.
func (s *shape) half(from uintptr, letter byte) shape {
	h := scalar(letter)
	h.parts = nil
	for _, x := range s.parts {
		if x.offset&^7 == from {
			h.parts = append(h.parts, part{x.offset - from, x.letter})
		}
	}
	return h
}
