package core

import (
	"strconv"
	"sync"
)

// spellDepth bounds the number of nested constructors with which a type without a name is spelled: for
// types on a cycle there is no end.
const spellDepth = 8

// String returns the name of the type in the bundle; for a type without a name its constructor and
// parameters, as in ref<@node>.
func (v *VType) String() string { return string(v.spell(nil, spellDepth)) }

// Structure is like String, but ignores the type's own name: it returns its constructor and parameters.
func (v *VType) Structure() string { return string(v.spellParts(nil, spellDepth)) }

// lateNames has the names, by *VType and by the *Type of their objects, that bundles have given to types that existed
// without one.
var lateNames sync.Map

// nameLate gives the type a name, if it has none. The types that exist are read without a lock.
func (v *VType) nameLate(name string) {
	if v != nil && v.Name == "" {
		lateNames.LoadOrStore(v, name)
		if v.GC != nil {
			lateNames.LoadOrStore(v.GC, name)
		}
	}
}

// name returns the name of the type, "" if it has none.
func (v *VType) name() string {
	if v.Name != "" {
		return v.Name
	}
	if name, ok := lateNames.Load(v); ok {
		return name.(string)
	}
	return ""
}

func (v *VType) spell(b []byte, depth int) []byte {
	if v != nil {
		if name := v.name(); name != "" {
			return append(b, name...)
		}
	}
	return v.spellParts(b, depth)
}

func (v *VType) spellParts(b []byte, depth int) []byte {
	switch {
	case v == nil:
		return append(b, "void"...)
	case depth == 0:
		return append(b, "..."...)
	case v.Kind == VSig:
		b = append(spellList(append(b, '('), v.Fields, depth), ") -> ("...)
		return append(spellList(b, v.Results, depth), ')')
	}
	b = append(b, kindWords[v.Kind]...)
	switch v.Kind {
	case VInt:
		b = strconv.AppendUint(append(b, '<'), uint64(v.Bits), 10)
	case VRef, VIRef, VWeakRef, VUPtr, VFuncRef, VUFuncPtr:
		b = v.Elem.spell(append(b, '<'), depth-1)
	case VArray, VVector:
		b = v.Elem.spell(append(b, '<'), depth-1)
		b = strconv.AppendUint(append(b, ' '), v.Len, 10)
	case VStruct:
		b = spellList(append(b, '<'), v.Fields, depth)
	case VHybrid:
		b = spellList(append(b, '<'), v.Fields, depth)
		if len(v.Fields) > 0 {
			b = append(b, ' ')
		}
		b = v.Elem.spell(b, depth-1)
	default:
		return b
	}
	return append(b, '>')
}

func spellList(b []byte, list []*VType, depth int) []byte {
	for i, p := range list {
		if i > 0 {
			b = append(b, ' ')
		}
		b = p.spell(b, depth-1)
	}
	return b
}
