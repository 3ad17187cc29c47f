package core

import (
	"slices"
	"strconv"
)

// NewCSig is the C signature for a Mu signature, for code that arrives at run time. Without cgo any signature may be
// called and exposed; with cgo if C code for it can be made.
func NewCSig(sig *VType) *CSig {
	s := &CSig{}
	var b []byte
	for _, p := range sig.Fields {
		b = p.cDesc(b)
	}
	b = append(b, '>')
	for _, r := range sig.Results {
		b = r.cDesc(b)
	}
	s.Desc = string(b)
	s.Args = wordsOfC(sig.Fields)
	s.Results = wordsOfC(sig.Results)
	switch {
	case lateC.prepare == nil:
	case sig.passable(false):
		return s.arriving()
	default:
		s.late = &lateSig{sig: s}
		s.late.once.Do(func() { s.late.err = errNotOfC })
	}
	return s
}

// OfC reports whether all types of a signature are types of C.
func OfC(sig *VType) bool { return sig.passable(true) }

// passable reports whether values of a signature are scalars and structs of scalars of C. Integers whose width C does not
// have are passed in those of the next width, unless widths is set.
func (v *VType) passable(widths bool) bool {
	all := func(l []*VType) bool {
		return !slices.ContainsFunc(l, func(f *VType) bool { return !f.passable(widths) })
	}
	switch v.Kind {
	case VInt:
		return v.Bits <= 64 && (!widths || v.Bits >= 8 && v.Bits&(v.Bits-1) == 0)
	case VFloat, VDouble, VUPtr, VUFuncPtr, VVoid:
		return true
	case VArray:
		return v.Elem.passable(widths)
	case VStruct:
		return all(v.Fields)
	case VSig:
		isArray := func(p *VType) bool { return p.Kind == VArray }
		return len(v.Results) <= 1 && !slices.ContainsFunc(v.Fields, isArray) && !slices.ContainsFunc(v.Results, isArray) && all(v.Fields) && all(v.Results)
	}
	return false
}

// wordsOfC is the number of scalars in some types, in C.
func wordsOfC(types []*VType) (n int) {
	for _, v := range types {
		switch v.Kind {
		case VStruct:
			n += wordsOfC(v.Fields)
		case VArray:
			n += int(v.Len) * wordsOfC([]*VType{v.Elem})
		case VVoid:
		default:
			n++
		}
	}
	return n
}

// cDesc appends the letters of a type, see CSig.Desc.
func (v *VType) cDesc(b []byte) []byte {
	switch v.Kind {
	case VVoid:
		return b
	case VInt:
		for size, letter := uintptr(1), 0; ; size, letter = size*2, letter+1 {
			if size >= v.Size || letter == 3 {
				return append(b, "bhil"[letter])
			}
		}
	case VFloat:
		return append(b, 'f')
	case VDouble:
		return append(b, 'd')
	case VStruct:
		b = append(b, '{')
		for _, f := range v.Fields {
			b = f.cDesc(b)
		}
		return append(b, '}')
	case VArray:
		b = strconv.AppendUint(append(b, '['), v.Len, 10)
		return append(v.Elem.cDesc(b), ']')
	}
	return append(b, 'p')
}
