package live

import (
	"math"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/live/regs"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// types knows the types of a program: their values in words, their memory, and what the runtime
// is told about them.
type types struct {
	ir     *ir.Types
	layout *layout.Table
	sizes  map[ir.TypeID]regs.Size
	descs  map[described]*core.Type
	vtypes map[ir.TypeID]*core.VType
	leaves map[ir.TypeID][]leaf
	fresh  []*core.Type // made and not registered yet
	lists  []core.List
	listNo map[string]uint32
	facts  *facts.Program

	// shared says that the types and value lists are those of a running program, to which a bundle was
	// loaded: equal ones are the same, and lists have the numbers of the running program once bound is true.
	shared, bound bool
	vm            *core.VM // that loads the bundle
	bad           error    // why the running program cannot have the types
}

// described is memory that has a descriptor, as repr.Described.
type described struct {
	ty    ir.TypeID
	roots bool
}

func newTypes(f *facts.Program) *types {
	t := f.IR.Types
	return &types{ir: t, facts: f, layout: layout.New(t), sizes: map[ir.TypeID]regs.Size{}, descs: map[described]*core.Type{},
		vtypes: map[ir.TypeID]*core.VType{}, leaves: map[ir.TypeID][]leaf{}, lists: []core.List{{}}, listNo: map[string]uint32{"": 0}}
}

// bytes is a number of bytes on this machine; one that does not fit in a word of 32 bits becomes the largest
// that does, as in generated code.
func bytes(n layout.Num) uintptr {
	if core.Is64 == 1 {
		return uintptr(n.W8)
	}
	return uintptr(min(n.W4, math.MaxUint32))
}

func (y *types) at(id ir.TypeID) *ir.Type { return y.ir.At(id) }

// stride is the distance of elements of a type in memory.
func (y *types) stride(id ir.TypeID) uintptr {
	l := y.layout.Of(id)
	return bytes(l.Size.AlignUp(l.Align))
}

// isRoot reports whether values of a kind are references that the collector follows.
func isRoot(k ir.Kind) bool {
	switch k {
	case ir.KRef, ir.KIRef, ir.KWeakRef, ir.KStackRef, ir.KThreadRef, ir.KFrameCursorRef, ir.KIRNodeRef, ir.KIRBuilderRef:
		return true
	}
	return false
}

// size is how many words a value takes, as it would in a transfer area.
func (y *types) size(id ir.TypeID) regs.Size {
	if s, ok := y.sizes[id]; ok {
		return s
	}
	var s regs.Size
	switch n := y.at(id); n.Kind {
	case ir.KVoid:
	case ir.KInt:
		s[regs.Plain] = int32(max(1, (n.Bits+63)/64))
	case ir.KTagRef64:
		s = regs.Size{1, 1}
	case ir.KStruct:
		for _, f := range n.Fields {
			e := y.size(f)
			s[0], s[1] = s[0]+e[0], s[1]+e[1]
		}
	case ir.KArray, ir.KVector:
		e := y.size(n.Elem)
		s = regs.Size{e[0] * int32(n.Len), e[1] * int32(n.Len)}
	default:
		if isRoot(n.Kind) {
			s[regs.Root] = 1
		} else {
			s[regs.Plain] = 1
		}
	}
	y.sizes[id] = s
	return s
}

// leaf is a scalar of a value.
type leaf struct {
	kind  ir.Kind
	bits  uint32  // of an int
	bytes uint32  // in memory
	off   uintptr // in memory
	at    [2]int32
}

// leavesOf are the scalars of a type, in order.
func (y *types) leavesOf(id ir.TypeID) []leaf {
	if l, ok := y.leaves[id]; ok {
		return l
	}
	var l []leaf
	n := y.at(id)
	part := func(id ir.TypeID, off uintptr, at regs.Size) {
		for _, x := range y.leavesOf(id) {
			x.off += off
			x.at[0] += at[0]
			x.at[1] += at[1]
			l = append(l, x)
		}
	}
	var at regs.Size
	switch n.Kind {
	case ir.KVoid:
	case ir.KStruct:
		for i, f := range n.Fields {
			part(f, bytes(y.layout.Of(id).Offsets[i]), at)
			s := y.size(f)
			at[0], at[1] = at[0]+s[0], at[1]+s[1]
		}
	case ir.KArray, ir.KVector:
		s := y.size(n.Elem)
		for i := range n.Len {
			part(n.Elem, uintptr(i)*bytes(y.layout.Of(id).Stride), at)
			at[0], at[1] = at[0]+s[0], at[1]+s[1]
		}
	default:
		l = []leaf{{kind: n.Kind, bits: n.Bits, bytes: uint32(bytes(y.layout.Of(id).Size))}}
	}
	y.leaves[id] = l
	return l
}

// desc is the collector's descriptor of a type.
func (y *types) desc(ty ir.TypeID, roots bool) *core.Type {
	k := described{ty, roots}
	if d := y.descs[k]; d != nil {
		return d
	}
	if y.shared && !roots {
		y.descs[k] = y.sharedDesc(ty)
		return y.descs[k]
	}
	l, n := y.layout.Of(ty), y.at(ty)
	d := &core.Type{Name: y.ir.String(ty), Size: bytes(l.Size), Align: bytes(l.Align)}
	y.descs[k] = d
	if n.Kind == ir.KHybrid {
		for i, f := range n.Fields {
			add(&d.Shape, y.shape(described{f, roots}), bytes(l.Offsets[i]))
		}
		d.VarStride, d.VarShape = bytes(l.Stride), y.shape(described{n.Elem, roots})
	} else {
		d.Shape = y.shape(k)
	}
	y.fresh = append(y.fresh, d)
	return d
}

// add adds the words of a part of memory.
func add(s *core.Shape, part core.Shape, off uintptr) {
	for _, x := range part.Slots {
		s.Slots = append(s.Slots, core.Slot{Off: off + x.Off, Kind: x.Kind})
	}
	for _, x := range part.Reps {
		x.Off += off
		s.Reps = append(s.Reps, x)
	}
}

// shape has the traced words of memory of a type that is no hybrid.
func (y *types) shape(d described) (s core.Shape) {
	one := func(k core.SlotKind) core.Shape { return core.Shape{Slots: []core.Slot{{Kind: k}}} }
	switch n := y.at(d.ty); n.Kind {
	case ir.KIRef:
		return one(core.SlotIRef)
	case ir.KWeakRef:
		return one(core.SlotWeak)
	case ir.KTagRef64:
		return one(core.SlotTag)
	case ir.KUPtr:
		if d.roots {
			return one(core.SlotAny)
		}
	case ir.KStruct:
		for i, f := range n.Fields {
			add(&s, y.shape(described{f, d.roots}), bytes(y.layout.Of(d.ty).Offsets[i]))
		}
	case ir.KArray, ir.KVector:
		if e := y.shape(described{n.Elem, d.roots}); len(e.Slots)+len(e.Reps) > 0 && n.Len > 0 {
			s.Reps = []core.Rep{{Count: uintptr(n.Len), Stride: bytes(y.layout.Of(d.ty).Stride), Shape: &e}}
		}
	default:
		if isRoot(n.Kind) {
			return one(core.SlotRef)
		}
	}
	return s
}

// list numbers a value list.
func (y *types) list(ids []ir.TypeID) uint32 {
	key := y.facts.Machine(ids)
	n, ok := y.listNo[key]
	if y.bound {
		if !ok {
			return core.ListNo(key)
		}
		return y.lists[n].No
	}
	if !ok {
		n = uint32(len(y.lists))
		y.listNo[key] = n
		w, r := y.facts.Words(ids)
		y.lists = append(y.lists, core.List{Desc: key, W: w, R: r, No: n})
	}
	return n
}

var vkinds = map[ir.Kind]core.VKind{
	ir.KVoid: core.VVoid, ir.KInt: core.VInt, ir.KFloat: core.VFloat, ir.KDouble: core.VDouble, ir.KUPtr: core.VUPtr, ir.KUFuncPtr: core.VUFuncPtr,
	ir.KRef: core.VRef, ir.KIRef: core.VIRef, ir.KWeakRef: core.VWeakRef, ir.KTagRef64: core.VTagRef64, ir.KFuncRef: core.VFuncRef,
	ir.KStackRef: core.VStackRef, ir.KThreadRef: core.VThreadRef, ir.KFrameCursorRef: core.VCursorRef, ir.KIRNodeRef: core.VNodeRef, ir.KIRBuilderRef: core.VBuilderRef,
	ir.KStruct: core.VStruct, ir.KArray: core.VArray, ir.KVector: core.VVector, ir.KHybrid: core.VHybrid, ir.KSig: core.VSig,
}

// vtype describes a type to the runtime.
func (y *types) vtype(id ir.TypeID) *core.VType {
	if v := y.vtypes[id]; v != nil || id == ir.NoType {
		return v
	}
	if y.shared {
		y.intern(id)
		return y.vtypes[id]
	}
	n := y.at(id)
	v := &core.VType{Kind: vkinds[n.Kind], Bits: n.Bits, Len: n.Len, Name: n.Name, Word: y.ir.Words[n.Kind]}
	y.vtypes[id] = v
	v.Elem = y.vtype(n.Elem)
	for _, f := range n.Fields {
		v.Fields = append(v.Fields, y.vtype(f))
	}
	for _, f := range n.Results {
		v.Results = append(v.Results, y.vtype(f))
	}
	if n.Kind == ir.KSig {
		return v
	}
	l := y.layout.Of(id)
	for _, o := range l.Offsets {
		v.Offsets = append(v.Offsets, bytes(o))
	}
	v.Stride = bytes(l.Stride)
	if n.Kind != ir.KHybrid && n.Kind != ir.KVoid {
		v.Size = bytes(l.Size.AlignUp(l.Align))
	}
	if n.Kind != ir.KVoid {
		v.GC = y.desc(id, false)
	}
	return v
}

func (y *types) vtypesOf(ids []ir.TypeID) []*core.VType {
	var l []*core.VType
	for _, id := range ids {
		l = append(l, y.vtype(id))
	}
	return l
}
