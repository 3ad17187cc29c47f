package core

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/uvm2go/uvm2go/internal/lexis/canon"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// Types that are made at run time: those of values that a client makes, and those that text
// declares (docs/client.md, "Loading text"). As in the tables of the translator, equal types are
// one VType, so that == is type equality (docs/language.md, "Types").

// typeTable has the types of the program, each once.
type typeTable struct {
	mu     sync.Mutex
	single map[VKind]*VType  // of kinds without parameters; guarded by mu
	ints   map[uint32]*VType // guarded by mu
	to     map[typeTo]*VType // of kinds with one type as their parameter; guarded by mu
	all    []*VType          // guarded by mu

	// The table that finds types equal to those in all[:len(number)]; it is made at its first use. It
	// also has types that were not added in the end; they have no VType.
	canon    canon.Table[typeNo, VKind] // guarded by mu
	number   map[*VType]typeNo          // guarded by mu
	byNumber map[typeNo]*VType          // guarded by mu
}

// typeNo is the number of a type in typeTable.canon.
type typeNo int32

// typeTo is a type by its parts.
type typeTo struct {
	kind VKind
	elem *VType
}

var theTypes types

// types is the table, and the number of packages whose types it has.
type types struct {
	now atomic.Pointer[typeTable]

	mu    sync.Mutex
	taken int // number of packages whose types are in the table; guarded by mu
}

// typesOf returns the table, made when it is first needed.
func typesOf() *typeTable {
	if tt := theTypes.now.Load(); tt != nil {
		return tt
	}
	return theTypes.take()
}

// take adds the types of the programs that were linked.
func (t *types) take() *typeTable {
	t.mu.Lock()
	defer t.mu.Unlock()
	tt := t.now.Load()
	if tt == nil {
		tt = newTypeTable()
	}
	tt.mu.Lock()
	for ; t.taken < len(packages); t.taken++ {
		tt.take(packages[t.taken])
	}
	tt.mu.Unlock()
	t.now.Store(tt)
	return tt
}

func newTypeTable() *typeTable {
	return &typeTable{single: map[VKind]*VType{}, ints: map[uint32]*VType{}, to: map[typeTo]*VType{},
		canon: canon.New[typeNo, VKind](), number: map[*VType]typeNo{}, byNumber: map[typeNo]*VType{}}
}

// take adds the types of a program. Types that the table already has are replaced in the
// tables of the program, so that equal types of several packages are the same. The caller
// holds the lock.
func (tt *typeTable) take(p *Program) {
	var list, work []*VType
	seen := map[*VType]bool{}
	p.eachType(func(at **VType) { work = append(work, *at) })
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v == nil || seen[v] {
			continue
		}
		seen[v] = true
		list = append(list, v)
		v.eachPart(func(p *VType) { work = append(work, p) })
	}
	if len(tt.all) == 0 { // a program has each type once
		for _, v := range list {
			tt.add(v)
		}
		return
	}
	reps, fresh := tt.merge(list)
	for _, v := range fresh {
		tt.add(v)
	}
	rep := make(map[*VType]*VType, len(list))
	for i, v := range list {
		rep[v] = reps[i]
		if v.GC != nil && reps[i].GC != nil {
			v.GC.ID = reps[i].GC.ID // no object has the other number yet
		}
	}
	p.eachType(func(at **VType) { *at = rep[*at] })
}

// eachType calls f for the places where a program that describes its entities refers to types.
func (p *Program) eachType(f func(at **VType)) {
	all := func(l []*VType) {
		for i := range l {
			f(&l[i])
		}
	}
	if p.Entities == nil && (!p.Unit || p.Frames == nil) {
		return // its types are not complete
	}
	for i := range p.Entities {
		e := &p.Entities[i]
		f(&e.Type)
		f(&e.Pointer)
		all(e.Params)
		all(e.Results)
	}
	keep := func(l []KeepVar) { // their types may have no name
		for i := range l {
			f(&l[i].Type)
		}
	}
	for i := range p.Frames {
		keep(p.Frames[i].Keep)
	}
	for i := range p.Sites {
		keep(p.Sites[i].Keep)
	}
}

// add enters a type. The caller holds the lock.
func (tt *typeTable) add(v *VType) {
	tt.all = append(tt.all, v)
	switch v.Kind {
	case VInt:
		tt.ints[v.Bits] = v
	case VRef, VIRef, VWeakRef, VUPtr, VFuncRef, VUFuncPtr:
		tt.to[typeTo{v.Kind, v.Elem}] = v
	case VStruct, VHybrid, VArray, VVector, VSig:
	default:
		tt.single[v.Kind] = v
	}
}

// derive returns the type that find finds. If there is none, it makes and completes the one that fresh returns.
func (tt *typeTable) derive(find, fresh func() *VType) *VType {
	tt.mu.Lock()
	defer tt.mu.Unlock()
	if old := find(); old != nil {
		return old
	}
	n := fresh()
	n.lay()
	// Without a descriptor no objects can be made. Only a lack of memory can prevent it.
	if g := n.descriptor(); gc.RegisterTypes([]*Type{g}) == nil {
		n.GC = g
	}
	tt.add(n)
	return n
}

// TypeTo returns the type of references or pointers of a kind to another type.
func TypeTo(kind VKind, elem *VType) *VType {
	tt := typesOf()
	return tt.derive(func() *VType { return tt.to[typeTo{kind, elem}] }, func() *VType { return &VType{Kind: kind, Elem: elem} })
}

// IntType returns the type of integers.
func IntType(bits uint32) *VType {
	tt := typesOf()
	return tt.derive(func() *VType { return tt.ints[bits] }, func() *VType { return &VType{Kind: VInt, Bits: bits} })
}

// SimpleType returns the type of a kind without parameters.
func SimpleType(kind VKind) *VType {
	tt := typesOf()
	return tt.derive(func() *VType { return tt.single[kind] }, func() *VType { return &VType{Kind: kind} })
}

// The layout (docs/language.md, "Types"), which package layout of the translator computes for all
// machines.

// tooBig is the value of sizes that overflow, in bytes: more than the size of any object, and the sum of two fits
// in a word.
const tooBig = 3 << (bits.UintSize - 3)

func mulSat(a uintptr, n uint64) uintptr {
	hi, lo := bits.Mul64(uint64(a), n)
	if hi != 0 || lo > tooBig {
		return tooBig
	}
	return uintptr(lo)
}

func alignUp(n, a uintptr) uintptr { return (n + a - 1) &^ (a - 1) }

// align is the alignment of a type that is laid out.
func (v *VType) align() uintptr {
	switch v.Kind {
	case VStruct, VHybrid:
		a := uintptr(1)
		if v.Kind == VStruct {
			a = max(a, uintptr(v.Len))
		}
		for _, f := range v.Fields {
			a = max(a, v.alignOf(f))
		}
		if v.Kind == VHybrid {
			a = max(a, v.Elem.align())
		}
		return a
	case VArray:
		return v.Elem.align()
	case VVoid:
		return 1
	}
	return v.Size
}

// alignOf is the alignment of a field.
func (v *VType) alignOf(f *VType) uintptr {
	if v.Kind == VStruct && v.Bits != 0 {
		return uintptr(v.Bits)
	}
	return f.align()
}

// sequence lays out the fields and returns the end of the last.
func (v *VType) sequence() (end uintptr) {
	v.Offsets = make([]uintptr, len(v.Fields))
	for i, f := range v.Fields {
		v.Offsets[i] = alignUp(end, v.alignOf(f))
		end = min(v.Offsets[i]+f.Size, tooBig)
	}
	return end
}

// lay fills in the layout, when the members have theirs.
func (v *VType) lay() {
	switch v.Kind {
	case VVoid, VSig:
	case VInt:
		v.Size = 1
		for v.Size*8 < uintptr(v.Bits) {
			v.Size *= 2
		}
	case VFloat:
		v.Size = 4
	case VDouble, VTagRef64:
		v.Size = 8
	case VStruct:
		v.Size = alignUp(v.sequence(), v.align())
	case VHybrid:
		v.sequence()
		v.Stride = v.Elem.Size
	case VArray:
		v.Stride = v.Elem.Size
		v.Size = mulSat(v.Stride, v.Len)
	case VVector:
		v.Stride = v.Elem.Size
		v.Size = mulSat(v.Stride, v.Len)
		for n := uintptr(1); ; n *= 2 {
			if n >= v.Size {
				v.Size = n
				break
			}
		}
	default:
		v.Size = mem.WordSize
	}
}

// fixedSize is the size of an object without variable part.
func (v *VType) fixedSize() uintptr {
	if v.Kind != VHybrid {
		return v.Size
	}
	end := uintptr(0)
	if n := len(v.Fields); n > 0 {
		end = v.Offsets[n-1] + v.Fields[n-1].Size
	}
	return alignUp(end, v.Elem.align())
}

// descriptor makes the collector's descriptor of a type that is laid out.
func (v *VType) descriptor() *Type {
	g := &Type{Name: v.String(), Size: v.fixedSize(), Align: v.align(), Shape: v.shape()}
	if v.Kind == VHybrid {
		g.VarStride, g.VarShape = v.Stride, v.Elem.shape()
	}
	return g
}

// kindWords are the constructors.
var kindWords = [...]string{
	VVoid: "void", VInt: "int", VFloat: "float", VDouble: "double", VUPtr: "uptr", VUFuncPtr: "ufuncptr", VRef: "ref",
	VIRef: "iref", VWeakRef: "weakref", VTagRef64: "tagref64", VFuncRef: "funcref", VStackRef: "stackref",
	VThreadRef: "threadref", VCursorRef: "framecursorref", VNodeRef: "irnoderef", VBuilderRef: "irbuilderref", VStruct: "struct", VArray: "array",
	VVector: "vector", VHybrid: "hybrid", VSig: "funcsig",
}

// shape lists the traced words of a type that is laid out.
func (v *VType) shape() (s Shape) {
	one := func(k SlotKind) Shape { return Shape{Slots: []Slot{{Kind: k}}} }
	switch v.Kind {
	case VRef, VStackRef, VThreadRef, VCursorRef, VNodeRef, VBuilderRef:
		return one(SlotRef)
	case VIRef:
		return one(SlotIRef)
	case VWeakRef:
		return one(SlotWeak)
	case VTagRef64:
		return one(SlotTag)
	case VStruct, VHybrid:
		for i, f := range v.Fields {
			sub := f.shape()
			for _, x := range sub.Slots {
				s.Slots = append(s.Slots, Slot{Off: v.Offsets[i] + x.Off, Kind: x.Kind})
			}
			for _, x := range sub.Reps {
				x.Off += v.Offsets[i]
				s.Reps = append(s.Reps, x)
			}
		}
	case VArray, VVector:
		if sub := v.Elem.shape(); len(sub.Slots)+len(sub.Reps) > 0 {
			// For arrays that are too big for any memory, the number follows from their size.
			s.Reps = []Rep{{Count: uintptr(min(v.Len, uint64(v.Size/v.Stride))), Stride: v.Stride, Shape: &sub}}
		}
	}
	return s
}

// Equality, which package canon determines: new types are a graph whose nodes refer to each other and
// to types of the table.

// graph makes nodes of types whose parts are in the table or among them.
func (tt *typeTable) graph(list []*VType) []canon.Node[typeNo, VKind] {
	raw := make(map[*VType]typeNo, len(list))
	for i, v := range list {
		raw[v] = canon.Raw[typeNo](i)
	}
	number := func(v *VType) typeNo {
		if n, ok := raw[v]; ok {
			return n
		}
		return tt.number[v] // 0 for nil
	}
	numbers := func(l []*VType) []typeNo {
		out := make([]typeNo, len(l))
		for i, v := range l {
			out[i] = number(v)
		}
		return out
	}
	nodes := make([]canon.Node[typeNo, VKind], len(list))
	for i, v := range list {
		nodes[i] = canon.Node[typeNo, VKind]{Kind: v.Kind, Bits: v.Bits, Len: v.Len, Elem: number(v.Elem),
			Fields: numbers(v.Fields), Results: numbers(v.Results)}
	}
	return nodes
}

// index numbers the types that were added to the table.
func (tt *typeTable) index() {
	list := tt.all[len(tt.number):]
	for i, n := range tt.canon.Add(tt.graph(list)) {
		tt.number[list[i]] = n
		tt.byNumber[n] = list[i]
	}
}

// merge returns, for each new type, the type that represents it: one of the table, or the first
// of equal new ones, with its parts replaced in the same way. The latter are also in fresh. The
// caller holds the lock, and must add the fresh ones to the table or drop all results.
func (tt *typeTable) merge(nodes []*VType) (rep []*VType, fresh []*VType) {
	tt.index()
	first := map[typeNo]*VType{} // of new types
	stands := make(map[*VType]*VType, len(nodes))
	for i, n := range tt.canon.Add(tt.graph(nodes)) {
		v := tt.byNumber[n]
		if v == nil {
			v = first[n]
		}
		if v == nil {
			v = nodes[i]
			first[n] = v
			fresh = append(fresh, v)
		}
		stands[nodes[i]] = v
		rep = append(rep, v)
	}
	for _, v := range fresh {
		v.eachPlace(func(p **VType) {
			if s := stands[*p]; s != nil {
				*p = s
			}
		})
	}
	return rep, fresh
}

// eachPlace calls f for the places of the parameters of a type.
func (v *VType) eachPlace(f func(**VType)) {
	if v.Elem != nil {
		f(&v.Elem)
	}
	for i := range v.Fields {
		f(&v.Fields[i])
	}
	for i := range v.Results {
		f(&v.Results[i])
	}
}

// eachPart calls f for the parameters of a type.
func (v *VType) eachPart(f func(*VType)) { v.eachPlace(func(p **VType) { f(*p) }) }
