package core

import (
	"strconv"
	"strings"
)

// spellDepth bounds the number of nested constructors with which a type without a name is spelled: for
// types on a cycle there is no end.
const spellDepth = 8

// String is vm.Spell for the first VM.
//
// It returns the name of the type in the bundle; for a type without a name its constructor and
// parameters, as in ref<@node>.
func (v *VType) String() string { return first.Spell(v) }

// Spell is the name that the type has in the VM; for a type without a name its constructor and parameters.
func (vm *VM) Spell(v *VType) string { return string(vm.spell(nil, v, spellDepth)) }

// Structure is like Spell, but ignores the type's own name: it returns its constructor and parameters.
func (vm *VM) Structure(v *VType) string { return string(vm.spellParts(nil, v, spellDepth)) }

// nameType gives the type a name in the VM, if it has none. The types that exist are read without a lock.
func (vm *VM) nameType(v *VType, name string) {
	if v != nil && vm.tableName(v) == "" {
		vm.names.LoadOrStore(v, name)
		if v.GC != nil {
			vm.names.LoadOrStore(v.GC, name)
		}
	}
}

// tableName is the name that the table has for the type, which the first VM has given it, or which is predefined.
func (vm *VM) tableName(v *VType) string {
	if vm == first || strings.HasPrefix(v.Name, "@uvm.") {
		return v.Name
	}
	return ""
}

// TypeName returns the name of the type in the VM, "" if it has none.
func (vm *VM) TypeName(v *VType) string {
	if name := vm.tableName(v); name != "" {
		return name
	}
	if name, ok := vm.names.Load(v); ok {
		return name.(string)
	}
	return ""
}

// ImportedName is the name with which errors of a bundle show the type, which was there before; "" for its constructor.
// Errors show numbers by their constructors, as dialects other than that of the API have no names for them.
func (vm *VM) ImportedName(v *VType) string {
	if vm == first || v.Kind == VInt {
		return vm.tableName(v)
	}
	return vm.TypeName(v)
}

func (vm *VM) spell(b []byte, v *VType, depth int) []byte {
	if v != nil {
		if name := vm.TypeName(v); name != "" {
			return append(b, name...)
		}
	}
	return vm.spellParts(b, v, depth)
}

func (vm *VM) spellParts(b []byte, v *VType, depth int) []byte {
	switch {
	case v == nil:
		return append(b, "void"...)
	case depth == 0:
		return append(b, "..."...)
	case v.Kind == VSig:
		b = append(vm.spellList(append(b, '('), v.Fields, depth), ") -> ("...)
		return append(vm.spellList(b, v.Results, depth), ')')
	}
	b = append(b, kindWords[v.Kind]...)
	switch v.Kind {
	case VInt:
		b = strconv.AppendUint(append(b, '<'), uint64(v.Bits), 10)
	case VRef, VIRef, VWeakRef, VUPtr, VFuncRef, VUFuncPtr:
		b = vm.spell(append(b, '<'), v.Elem, depth-1)
	case VArray, VVector:
		b = vm.spell(append(b, '<'), v.Elem, depth-1)
		b = strconv.AppendUint(append(b, ' '), v.Len, 10)
	case VStruct:
		b = vm.spellList(append(b, '<'), v.Fields, depth)
	case VHybrid:
		b = vm.spellList(append(b, '<'), v.Fields, depth)
		if len(v.Fields) > 0 {
			b = append(b, ' ')
		}
		b = vm.spell(b, v.Elem, depth-1)
	default:
		return b
	}
	return append(b, '>')
}

func (vm *VM) spellList(b []byte, list []*VType, depth int) []byte {
	for i, p := range list {
		if i > 0 {
			b = append(b, ' ')
		}
		b = vm.spell(b, p, depth-1)
	}
	return b
}
