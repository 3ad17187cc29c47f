package ial

import (
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Types. A type of IAL has up to two types of the representation: one for values in
// registers, one for values in memory.
//
//	                   register            memory
//	intN, uintN        int<N>              int<N>
//	int, uint          int<64>, extended   uptr<void>, the target's word
//	float32, float64   float, double       float, double
//	T*                 iref<memory of T>   uptr<void>
//	S&, T[], T[E]      ref<object>         ref<void>
//	R(...)             funcref<sig>         funcref<()->()>; or uptr<void> where it may be no function: see tainted
//	R(...) cdecl       ufuncptr<sig>       ufuncptr<sig>
//	S, T{E}            a stack cell        struct<...>, array<...>
//
// Pointers in registers are irefs, because they keep alive the objects that they point
// into. Pointers in memory are numbers, which keep nothing alive, except in memory of
// frames (frame.go). Objects begin with the user slot, so that the object of mci/Object
// is a prefix of each:
//
//	S&            struct<ref<void> struct.align8<> S>
//	T[], T[E]     hybrid<ref<void> int<64> struct.align16<> T>
//
// If the program has no instruction for user slots, objects do not have one.
type types struct {
	*ir.Types
	void, word, i1, i64, object ir.TypeID // word is uptr<void>, object is ref<void>

	mem, reg map[*module.Type]ir.TypeID
	objects  map[*module.Struct]ir.TypeID
	members  map[*module.Field]int // index in the struct of its structure
	sigs     map[*module.Type]ir.TypeID
	// Members of objects: the length of arrays and vectors, the values of structures.
	lengthSlot, payload int
	facts               *facts
	src                 *module.Types
}

func newTypes(t *ir.Types, src *module.Types, f *facts) *types {
	ts := &types{Types: t, src: src, void: t.Void(), i1: t.Int(1), i64: t.Int(64),
		mem: map[*module.Type]ir.TypeID{}, reg: map[*module.Type]ir.TypeID{}, objects: map[*module.Struct]ir.TypeID{},
		members: map[*module.Field]int{}, sigs: map[*module.Type]ir.TypeID{}, facts: f}
	ts.word = t.Of(ir.KUPtr, ts.void)
	ts.object = t.Ref(ts.void)
	n := len(ts.head())
	ts.lengthSlot, ts.payload = n, n+1
	return ts
}

// memory is the type of values in memory.
func (ts *types) memory(t *module.Type) ir.TypeID {
	if id, ok := ts.mem[t]; ok {
		return id
	}
	id := ts.makeMemory(t)
	ts.mem[t] = id
	return id
}

func (ts *types) makeMemory(t *module.Type) ir.TypeID {
	switch t.Kind {
	case module.Void:
		return ts.void
	case module.Float32:
		return ts.Float()
	case module.Float64:
		return ts.Double()
	case module.Int, module.Uint, module.Pointer:
		return ts.word
	case module.Reference, module.Array, module.Vector:
		return ts.object
	case module.StructType:
		return ts.structure(t.Struct)
	case module.Static:
		return ts.Array(ts.memory(t.Elem), uint64(t.Count))
	case module.FuncType:
		// It does not have its own signature, which may contain the type that the value is part of.
		if id := ts.outside(t); id != ir.NoType {
			return id
		}
		return ts.Of(ir.KFuncRef, ts.Sig(nil, nil))
	}
	return ts.Int(uint32(t.Width()))
}

// structure is the type of the values of a structure. The language aligns members that
// are structures to 8 and static arrays to 16 bytes, whatever is in them. Where the
// representation would not, an empty member with this alignment comes before the member.
func (ts *types) structure(s *module.Struct) ir.TypeID {
	var fields []ir.TypeID
	for _, m := range s.Members {
		if m.Storage != module.Instance {
			continue
		}
		if marker := ts.marker(m.Type); marker != ir.NoType && s.Align == 0 {
			fields = append(fields, marker)
		}
		ts.members[m] = len(fields)
		fields = append(fields, ts.memory(m.Type))
	}
	if s.Align == 0 {
		return ts.Struct(fields...)
	}
	return ts.StructOf(s.Align, s.Align, fields...)
}

// marker is an empty type with the alignment of a type, if this differs from the alignment
// in the representation.
func (ts *types) marker(t *module.Type) ir.TypeID {
	switch {
	case t.Kind == module.Static && t.Count > 0:
		return ts.StructOf(0, 16)
	case t.Kind == module.StructType && t.Struct.Align == 0 && hasInstance(t.Struct):
		return ts.StructOf(0, 8)
	}
	return ir.NoType
}

func hasInstance(s *module.Struct) bool {
	for _, m := range s.Members {
		if m.Storage == module.Instance {
			return true
		}
	}
	return false
}

// register is the type of values in registers; for structures and static arrays, the type
// that calls pass.
func (ts *types) register(t *module.Type) ir.TypeID {
	if id, ok := ts.reg[t]; ok {
		return id
	}
	var id ir.TypeID
	switch t.Kind {
	case module.Int, module.Uint:
		id = ts.i64
	case module.Pointer:
		id = ts.IRef(ts.memory(t.Elem))
	case module.Reference:
		id = ts.Ref(ts.objectOf(t.Elem.Struct))
	case module.Array, module.Vector:
		id = ts.Ref(ts.arrayOf(t.Elem))
	case module.FuncType:
		if id = ts.outside(t); id == ir.NoType {
			id = ts.Of(ir.KFuncRef, ts.signature(t))
		}
	default:
		id = ts.memory(t)
	}
	ts.reg[t] = id
	return id
}

// userSlot is the member of objects that is the user slot, if they have one.
const userSlot = 0

// head adds the members that all objects begin with.
func (ts *types) head(rest ...ir.TypeID) []ir.TypeID {
	if ts.facts.userSlots {
		return append([]ir.TypeID{ts.object}, rest...)
	}
	return rest
}

// objectOf is the type of the objects of a structure. The last member is the structure; a
// weak reference has its target there.
func (ts *types) objectOf(s *module.Struct) ir.TypeID {
	if id, ok := ts.objects[s]; ok {
		return id
	}
	body := ts.memory(ts.src.Of(s))
	if isWeak(s) {
		body = ts.Of(ir.KWeakRef, ts.void)
	}
	id := ts.Struct(ts.head(ts.StructOf(0, 8), body)...)
	ts.objects[s] = id
	return id
}

// nameObjects gives the types of objects the names that reports have for them: those of the structures, of which
// several may have the same memory.
func (ts *types) nameObjects() {
	names := map[ir.TypeID][]string{}
	for s, id := range ts.objects {
		names[id] = append(names[id], qualified(s.Module, s.Name))
	}
	for id, l := range names {
		slices.Sort(l)
		ts.SetName(id, strings.Join(l, " or "))
	}
}

// isWeak reports whether a structure is mci/Weak, that of weak references.
func isWeak(s *module.Struct) bool { return s.Module.Name == intrinsics && s.Name == "Weak" }

// arrayOf is the type of the objects of arrays and vectors of elem.
func (ts *types) arrayOf(elem *module.Type) ir.TypeID {
	return ts.Hybrid(ts.memory(elem), ts.head(ts.i64, ts.StructOf(0, 16))...)
}

// outside is the type, in registers and in memory, of function pointers that may point to
// anything but functions of managed code; ir.NoType for others.
func (ts *types) outside(t *module.Type) ir.TypeID {
	switch {
	case t.Conv != module.Standard:
		return ts.Of(ir.KUFuncPtr, ts.nativeSig(t))
	case ts.facts.tainted(t):
		return ts.word
	}
	return ir.NoType
}

// signature is the signature of functions of a type, as managed code calls them.
func (ts *types) signature(t *module.Type) ir.TypeID {
	if id, ok := ts.sigs[t]; ok {
		return id
	}
	var params, results []ir.TypeID
	for _, p := range t.Params {
		params = append(params, ts.register(p))
	}
	if t.Elem.Kind != module.Void {
		results = append(results, ts.register(t.Elem))
	}
	id := ts.Sig(params, results)
	ts.sigs[t] = id
	return id
}

// nativeSig is the signature of functions of a type, as native code calls them.
func (ts *types) nativeSig(t *module.Type) ir.TypeID {
	var params, results []ir.TypeID
	for _, p := range t.Params {
		params = append(params, ts.native(p))
	}
	if t.Elem.Kind != module.Void {
		results = append(results, ts.native(t.Elem))
	}
	return ts.Sig(params, results)
}

// native is the type of the value that native code sees: an address for every reference of
// the collector.
func (ts *types) native(t *module.Type) ir.TypeID {
	switch t.Kind {
	case module.Int, module.Uint, module.Pointer, module.Reference, module.Array, module.Vector:
		return ts.word
	case module.FuncType:
		if t.Conv == module.Standard {
			return ts.word
		}
		// Its signature is not used, because it may be as large as the text.
		return ts.word
	}
	return ts.memory(t)
}
