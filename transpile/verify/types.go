package verify

import (
	"fmt"
	"slices"

	"github.com/uvm2go/uvm2go/internal/lexis/symbol"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// types checks the table of types, and reports whether it is safe to continue.
func (x *Verifier) types() bool {
	before := len(x.faults)
	for id := ir.TypeID(1); int(id) < x.t.Len(); id++ {
		x.aboutType(id)
		x.typ(x.t.At(id))
	}
	if len(x.faults) == before {
		x.containment()
	}
	if len(x.faults) == before {
		x.canonical()
		x.references()
	}
	return len(x.faults) == before
}

// aboutType records that the next faults are in a type.
func (x *Verifier) aboutType(id ir.TypeID) {
	x.where, x.pos = fmt.Sprintf("type %d", id), x.p.TypePos[id]
	if x.pos.IsValid() {
		x.where = x.t.Text(id)
	}
}

// A part says what a constructor demands of a field of ir.Type.
type part uint8

const (
	absent part = iota
	anyType
	member // of a composite: not void, not hybrid
	scalar
	signature
)

// typeRules has the fields of each constructor, by kind (docs/language.md, "Types").
var typeRules = map[ir.Kind]struct {
	elem, field part
	bits, len   bool
}{
	ir.KVoid: {}, ir.KInt: {bits: true}, ir.KFloat: {}, ir.KDouble: {},
	ir.KRef: {elem: anyType}, ir.KIRef: {elem: anyType}, ir.KWeakRef: {elem: anyType}, ir.KUPtr: {elem: anyType},
	ir.KFuncRef: {elem: signature}, ir.KUFuncPtr: {elem: signature},
	ir.KStruct: {field: member}, ir.KHybrid: {elem: member, field: member},
	ir.KArray: {elem: member, len: true}, ir.KVector: {elem: scalar, len: true},
	ir.KThreadRef: {}, ir.KStackRef: {}, ir.KFrameCursorRef: {}, ir.KIRNodeRef: {}, ir.KIRBuilderRef: {}, ir.KTagRef64: {},
	ir.KSig: {field: anyType}, // types of values, see below
}

func (x *Verifier) typ(n *ir.Type) {
	r, ok := typeRules[n.Kind]
	if !ok {
		x.faultf("%s is no constructor", n.Kind)
		return
	}
	switch {
	case n.Kind == ir.KStruct:
		x.structLayout(n)
		return
	case !r.bits && n.Bits != 0:
		x.faultf("%s has no width", n.Kind)
	case r.bits && (n.Bits < 1 || n.Bits > 128):
		x.faultf("an int has 1 to 128 bits, got %d", n.Bits)
	}
	if !r.len && n.Len != 0 || n.Kind == ir.KVector && n.Len == 0 {
		x.faultf("%s has length %d", n.Kind, n.Len)
	}
	x.typePart(n, r.elem, n.Elem, "parameter")
	for _, f := range n.Fields {
		x.typePart(n, r.field, f, "field")
	}
	for _, f := range n.Results {
		if n.Kind != ir.KSig {
			x.faultf("%s has no results", n.Kind)
		}
		x.typePart(n, anyType, f, "result")
	}
}

// structLayout checks fields, step and alignment of a struct.
func (x *Verifier) structLayout(n *ir.Type) {
	for _, a := range []uint64{uint64(n.Bits), n.Len} {
		if a&(a-1) != 0 || a > maxAlign {
			x.faultf("step and alignment of a struct are powers of two up to %d, got %d", maxAlign, a)
		}
	}
	if n.Elem != ir.NoType || len(n.Results) > 0 {
		x.faultf("struct has no parameter and no results")
	}
	for _, f := range n.Fields {
		x.typePart(n, member, f, "field")
	}
}

// maxAlign is the greatest alignment of a struct.
const maxAlign = 1 << 12

// references checks that fields that the collector traces lie at multiples of the word
// size, even if a struct has its own step.
func (x *Verifier) references() {
	lay := layout.New(x.t)
	for id := ir.TypeID(1); int(id) < x.t.Len(); id++ {
		n := x.t.At(id)
		if n.Kind != ir.KStruct || n.Bits == 0 {
			continue
		}
		l := lay.Of(id)
		for i, f := range n.Fields {
			if off := l.Offsets[i]; x.traced(f) && (l.Align.W4%4 != 0 || l.Align.W8%8 != 0 || off.W4%4 != 0 || off.W8%8 != 0) {
				x.aboutType(id)
				x.faultf("field %d has a reference, but is not aligned", i)
			}
		}
	}
}

// traced reports whether a member has anything that the collector traces.
func (x *Verifier) traced(id ir.TypeID) bool {
	n := x.t.At(id)
	switch n.Kind {
	case ir.KInt, ir.KFloat, ir.KDouble, ir.KUPtr, ir.KUFuncPtr:
		return false
	case ir.KArray, ir.KVector:
		return x.traced(n.Elem)
	case ir.KStruct:
		return slices.ContainsFunc(n.Fields, x.traced)
	}
	return true
}

func (x *Verifier) typePart(n *ir.Type, want part, id ir.TypeID, what string) {
	if want == absent {
		if id != ir.NoType {
			x.faultf("%s has no %s", n.Kind, what)
		}
		return
	}
	if !x.t.Valid(id) {
		x.faultf("%s of %s is type %d, which does not exist", what, n.Kind, id)
		return
	}
	k := x.t.Kind(id)
	ok := k != ir.KInvalid && k != ir.KSig
	switch want {
	case member:
		ok = ok && k != ir.KVoid && k != ir.KHybrid
	case scalar:
		ok = k.IsScalar() && k != ir.KWeakRef
	case signature:
		ok = k == ir.KSig
	}
	if !ok {
		x.faultf("%s of %s is a %s", what, n.Kind, k)
	}
}

// containment finds composites that contain themselves, and then types in signatures
// that values cannot have.
func (x *Verifier) containment() {
	const (
		unseen = iota
		open
		done
	)
	type frame struct {
		id   ir.TypeID
		next int
	}
	state := make([]uint8, x.t.Len())
	var path []frame
	push := func(id ir.TypeID) {
		switch x.t.Kind(id) {
		case ir.KStruct, ir.KHybrid, ir.KArray, ir.KVector:
			state[id] = open
			path = append(path, frame{id: id})
		default:
			state[id] = done
		}
	}
	before := len(x.faults)
	for root := ir.TypeID(1); int(root) < x.t.Len(); root++ {
		if state[root] == unseen {
			push(root)
		}
		for len(path) > 0 {
			f := &path[len(path)-1]
			n := x.t.At(f.id)
			kid := ir.NoType
			switch {
			case f.next < len(n.Fields):
				kid = n.Fields[f.next]
			case f.next == len(n.Fields):
				kid = n.Elem
			default:
				state[f.id] = done
				path = path[:len(path)-1]
				continue
			}
			f.next++
			if kid == ir.NoType {
				continue
			}
			switch state[kid] {
			case unseen:
				push(kid)
			case open:
				x.aboutType(kid)
				x.faultf("contains itself")
			}
		}
	}
	if len(x.faults) > before {
		return
	}
	for id := ir.TypeID(1); int(id) < x.t.Len(); id++ {
		n := x.t.At(id)
		if n.Kind != ir.KSig {
			continue
		}
		x.aboutType(id)
		for _, list := range [][]ir.TypeID{n.Fields, n.Results} {
			for _, t := range list {
				if !x.y.IsValue(t) {
					x.faultf("a signature wants types of values, got %s", x.t.Text(t))
				}
			}
		}
	}
}

// canonical checks that no two ids are of equal types, by making all types again in
// a new table.
func (x *Verifier) canonical() {
	n := x.t.Len()
	nodes := make([]ir.Node, n-1)
	raw := func(id ir.TypeID) ir.TypeID {
		if id == ir.NoType {
			return id
		}
		return ir.Raw(int(id) - 1)
	}
	list := func(ids []ir.TypeID) []ir.TypeID {
		out := make([]ir.TypeID, len(ids))
		for i, id := range ids {
			out[i] = raw(id)
		}
		return out
	}
	for i := range nodes {
		t := x.t.At(ir.TypeID(i + 1))
		nodes[i] = ir.Node{Kind: t.Kind, Bits: t.Bits, Len: t.Len, Elem: raw(t.Elem), Fields: list(t.Fields), Results: list(t.Results)}
	}
	first := make([]ir.TypeID, n)
	for i, id := range ir.NewTypes().Add(nodes) {
		self := ir.TypeID(i + 1)
		if first[id] == ir.NoType {
			first[id] = self
			continue
		}
		x.aboutType(self)
		x.faultf("is equal to type %d (%s)", first[id], x.t.Text(self))
	}
}

// fits reports whether the bits of c fit into n.
func fits(c *ir.Const, n uint32) bool {
	switch {
	case n >= 128:
		return true
	case n > 64:
		return c.Hi>>(n-64) == 0
	}
	return c.Hi == 0 && (n == 64 || c.Lo>>n == 0)
}

// checkConst checks a constant.
func (x *Verifier) checkConst(c *ir.Const) {
	if _, ok := x.sound[c]; ok {
		return
	}
	x.sound[c] = false
	name := c.Name
	if name == "" {
		name = "constant"
	}
	if !x.y.IsValue(c.Type) {
		x.faultf("%s wants a type of values, got %s", name, x.t.Text(c.Type))
		return
	}
	n := x.t.At(c.Type)
	bad := func(what string) { x.faultf("%s: %s of type %s", name, what, x.t.Text(c.Type)) }
	exact := c.Name != ""
	switch c.Kind {
	case ir.ConstInt:
		bits := uint32(64)
		if n.Kind == ir.KInt {
			bits = n.Bits
		} else if !n.Kind.IsPointer() {
			bad("integer")
			return
		}
		if !fits(c, bits) {
			x.faultf("%s: %#x:%#x does not fit into %d bits", name, c.Hi, c.Lo, bits)
		}
	case ir.ConstFP:
		if !n.Kind.IsFP() {
			bad("floating-point number")
		} else if bits := map[ir.Kind]uint32{ir.KFloat: 32, ir.KDouble: 64}[n.Kind]; !fits(c, bits) {
			x.faultf("%s: %#x:%#x does not fit into %d bits", name, c.Hi, c.Lo, bits)
		}
	case ir.ConstNull:
		if !n.Kind.IsNullable() {
			bad("NULL")
		}
	case ir.ConstBytes:
		if n.Kind != ir.KArray || x.t.Kind(n.Elem) != ir.KInt || x.t.At(n.Elem).Bits != 8 || n.Len != uint64(len(c.Bytes)) {
			bad(fmt.Sprintf("%d bytes", len(c.Bytes)))
		}
	case ir.ConstExtern:
		if !n.Kind.IsPointer() {
			bad("symbol")
		}
		if why := symbol.Fault(c.Sym); why != "" {
			x.faultf("%s: %s", name, why)
		}
	case ir.ConstGlobal:
		if c.Global == nil || n.Kind != ir.KIRef || exact && n.Elem != c.Global.Type {
			bad("cell")
		} else {
			x.member(c.Global, c.Global.Name)
		}
	case ir.ConstFunc:
		if c.Func == nil || n.Kind != ir.KFuncRef || exact && n.Elem != c.Func.Sig {
			bad("function")
		} else {
			x.member(c.Func, c.Func.Name)
		}
	case ir.ConstExpose:
		if c.Expose == nil || !n.Kind.IsPointer() || exact && c.Type != c.Expose.Type {
			bad("exposed function")
		} else {
			x.member(c.Expose, c.Expose.Name)
		}
	case ir.ConstAggregate:
		if !exact || x.members != nil {
			x.aggregate(c, name, n)
		}
	default:
		x.faultf("%s: %d is no kind of constant", name, c.Kind)
	}
	x.sound[c] = true
}

func (x *Verifier) aggregate(c *ir.Const, name string, n *ir.Type) {
	want := n.Len
	switch n.Kind {
	case ir.KStruct:
		want = uint64(len(n.Fields))
	case ir.KArray, ir.KVector:
	default:
		x.faultf("%s: list of type %s", name, x.t.Text(c.Type))
		return
	}
	if uint64(len(c.Elems)) != want {
		x.faultf("%s: %s has %d elements, got %d", name, x.t.Text(c.Type), want, len(c.Elems))
		return
	}
	for i, e := range c.Elems {
		if e == nil {
			x.faultf("%s: element %d is nil", name, i)
			continue
		}
		t := n.Elem
		if n.Kind == ir.KStruct {
			t = n.Fields[i]
		}
		if e.Type != t {
			x.faultf("%s: element %d wants %s, got %s", name, i, x.t.Text(t), x.t.Text(e.Type))
		}
		if done, ok := x.sound[e]; ok && !done {
			x.faultf("%s: element %d contains itself", name, i)
			continue
		}
		x.checkConst(e)
	}
}
