package passes

import (
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Aliasing. Two accesses surely touch different memory
//
//   - if one is to a traced slot and the other is not, or both are but of
//     different constructors: D46 lets untraced data be read as anything
//     untraced, but a traced slot only as itself, unless an address was cast
//     from the one to the other;
//   - if they start from different allocations or cells of this body;
//   - if one starts from an allocation whose address does not escape (private),
//     and the other does not;
//   - if they go through different fields, or elements of different constant
//     index, of the same location;
//   - if one is to a place that is FIXED and the other is not: such a place is
//     stored to only once, before anything loads it.
//
// Types say nothing more: the reference lets locations be reinterpreted.

// memory answers questions about the accesses of one body.
type memory struct {
	u       *unit
	uses    *analysis.Uses
	private map[ir.ValueID]bool // by allocation, what is known
}

func (u *unit) memory() *memory {
	return &memory{u: u, uses: analysis.NewUses(u.v), private: map[ir.ValueID]bool{}}
}

// A location is what an access touches.
type location struct {
	addr ir.ValueID
	base ir.ValueID
	kind ir.Kind // of the data accessed: KInt for everything untraced, KVoid if it may be of several kinds
	// checked says that the place was tested to be in the array that it should be in.
	checked bool
	fixed   bool // the content stays
}

// location is what an access touches.
func (m *memory) location(in *ir.Inst) location {
	addr := in.Args[0]
	l := location{addr, m.u.base(addr), slotKind(m.u.t, in.Ty), in.Has(ir.FlagObject), in.Has(ir.FlagFixed)}
	if m.reinterprets(addr) {
		l.kind = ir.KVoid
	}
	return l
}

// reinterprets reports whether the address of a number was cast to that of a
// reference, or the reverse, as in accesses through irefs that have lost their
// referent. Such a place may hold either.
func (m *memory) reinterprets(addr ir.ValueID) bool {
	in := m.u.def(addr)
	if in != nil && in.Op == ir.OpRefAddr {
		return true // accesses through numbers may be of another type
	}
	if in == nil || in.Op != ir.OpRefCast {
		return false
	}
	from, to := m.u.t.At(in.Ty).Elem, m.u.t.At(in.Ty2).Elem
	return m.word(from) && m.slot(to) || m.slot(from) && m.word(to)
}

// word reports whether a type is untraced and as large as a reference.
func (m *memory) word(ty ir.TypeID) bool {
	n := m.u.t.At(ty)
	return slotKind(m.u.t, ty) == ir.KInt && n.Kind != ir.KFloat && (n.Kind != ir.KInt || n.Bits > 32)
}

// slot reports whether a type is that of a traced slot.
func (m *memory) slot(ty ir.TypeID) bool {
	k := slotKind(m.u.t, ty)
	return k != ir.KInt && k != ir.KVoid
}

// slotKind is the class of slots that a type belongs to.
func slotKind(t *ir.Types, ty ir.TypeID) ir.Kind {
	switch k := t.Kind(ty); k {
	case ir.KInt, ir.KFloat, ir.KDouble, ir.KUPtr, ir.KUFuncPtr:
		return ir.KInt
	case ir.KStruct, ir.KArray, ir.KVector, ir.KHybrid:
		return ir.KVoid
	case ir.KWeakRef:
		return ir.KRef
	default:
		return k
	}
}

// allocation reports whether a value is the address that all addresses of some
// memory are computed from.
func (m *memory) allocation(x ir.ValueID) bool {
	if c := m.u.constant(x); c != nil {
		return c.Kind == ir.ConstGlobal
	}
	if in := m.u.def(x); in != nil {
		return in.Op.Is(ir.Allocates)
	}
	return false
}

// isPrivate reports whether the address of an allocation of this body is only
// used for accesses in this body.
func (m *memory) isPrivate(x ir.ValueID) bool {
	in := m.u.def(x)
	if in == nil || !m.allocation(x) {
		return false
	}
	p, ok := m.private[x]
	if ok {
		return p
	}
	p = true
	work := []ir.ValueID{x}
	for len(work) > 0 && p {
		a := work[len(work)-1]
		work = work[:len(work)-1]
		for _, id := range m.uses.Of(a) {
			if !m.harmless(&m.u.v.Insts[id], a, &work) {
				p = false
				break
			}
		}
	}
	m.private[x] = p
	return p
}

// harmless reports whether a use of an address does not let it escape. Addresses
// computed from it are added to the list.
func (m *memory) harmless(in *ir.Inst, a ir.ValueID, more *[]ir.ValueID) bool {
	for i := range in.Dests {
		for _, x := range in.Dests[i].Args {
			if x == a {
				return false
			}
		}
	}
	for _, x := range in.Keep {
		if x == a {
			return false
		}
	}
	switch in.Op.Info().Class {
	case ir.ClassAddr:
		*more = append(*more, in.Results[0])
		return true
	case ir.ClassCmpEQ, ir.ClassCmpULT:
		return true
	case ir.ClassMem:
		for _, x := range in.Args[1:] {
			if x == a {
				return false
			}
		}
		return true
	}
	if in.Op == ir.OpRefCast {
		*more = append(*more, in.Results[0])
		return true
	}
	return false
}

// disjoint reports whether two accesses surely touch different memory.
func (m *memory) disjoint(a, b location) bool {
	if a.fixed != b.fixed || a.fixed && a.addr != b.addr {
		return true
	}
	if a.kind != b.kind && a.kind != ir.KVoid && b.kind != ir.KVoid {
		return true
	}
	if a.base == b.base {
		return a.addr != b.addr && (m.apart(a.addr, b.addr) || a.checked && b.checked && m.parts(a.addr, b.addr))
	}
	aa, ba := m.allocation(a.base), m.allocation(b.base)
	return aa && ba || aa && m.isPrivate(a.base) || ba && m.isPrivate(b.base)
}

// apart reports whether two addresses with the same base are in different
// fields or elements: their steps diverge at such a place, and no later step leads
// out of it again, as an index or a cast might.
func (m *memory) apart(a, b ir.ValueID) bool {
	pa, pb := m.path(a), m.path(b)
	for len(pa) > 0 && len(pb) > 0 && pa[len(pa)-1] == pb[len(pb)-1] {
		pa, pb = pa[:len(pa)-1], pb[:len(pb)-1]
	}
	if len(pa) == 0 || len(pb) == 0 {
		return false
	}
	x, y := pa[len(pa)-1], pb[len(pb)-1]
	if x.Op != y.Op || x.Ty != y.Ty || x.Args[0] != y.Args[0] {
		return false
	}
	switch x.Op {
	case ir.OpGetFieldIRef:
		if x.Imm == y.Imm {
			return false
		}
	case ir.OpGetElemIRef, ir.OpShiftIRef:
		j, ok := m.u.intConst(x.Args[1])
		k, ok2 := m.u.intConst(y.Args[1])
		if !ok || !ok2 || x.Ty2 != y.Ty2 || j == k {
			return false
		}
	default:
		return false
	}
	return m.stays(pa[:len(pa)-1]) && m.stays(pb[:len(pb)-1])
}

// parts reports whether one of two addresses with the same base is in the fixed and the other
// in the variable part of a hybrid, if no index leads out of the latter.
func (m *memory) parts(a, b ir.ValueID) bool {
	fixed, variable := m.path(a), m.path(b)
	for range 2 {
		if n, k := len(fixed), len(variable); n > 0 && k > 0 {
			x, y := fixed[n-1], variable[k-1]
			for x.Op == ir.OpGetIRef && n > 1 && k > 1 && x == y {
				n, k = n-1, k-1
				x, y = fixed[n-1], variable[k-1]
			}
			if x.Op == ir.OpGetFieldIRef && y.Op == ir.OpGetVarPartIRef && x.Ty == y.Ty && x.Args[0] == y.Args[0] && m.stays(fixed[:n-1]) && m.inside(variable[:k-1]) {
				return true
			}
		}
		fixed, variable = variable, fixed
	}
	return false
}

// inside reports whether steps lead to an element or a part of one, whatever the indices.
func (m *memory) inside(steps []*ir.Inst) bool {
	for _, s := range steps {
		if s.Op != ir.OpShiftIRef && s.Op != ir.OpGetFieldIRef {
			return false
		}
	}
	return true
}

// stays reports whether steps lead to a part of the memory at which they start.
func (m *memory) stays(steps []*ir.Inst) bool {
	for _, s := range steps {
		switch s.Op {
		case ir.OpGetFieldIRef:
		case ir.OpGetElemIRef:
			if k, ok := m.u.intConst(s.Args[1]); !ok || k >= m.u.t.At(s.Ty).Len {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// path lists the addressing steps from the base, the last one first.
func (m *memory) path(x ir.ValueID) []*ir.Inst {
	var p []*ir.Inst
	for {
		in := m.u.def(x)
		if in == nil || in.Has(ir.FlagPtr) || !in.Op.Is(ir.Derives) {
			return p
		}
		p = append(p, in)
		x = in.Args[0]
	}
}

// effect is what an instruction may do to memory.
type effect uint8

const (
	noEffect  effect = iota
	writesOne        // writes the location of its first operand
	writesAll        // writes anything whose address is known elsewhere, or orders accesses
)

func (m *memory) effect(in *ir.Inst) effect {
	switch in.Op {
	case ir.OpLoad:
		if in.Ord > ir.Relaxed {
			return writesAll
		}
		return noEffect
	case ir.OpStore:
		if in.Ord > ir.Relaxed {
			return writesAll
		}
		return writesOne
	}
	if !in.Op.Is(ir.Quiet) && in.Op.Any(ir.Writes|ir.SideEffect|ir.MayThrow) && in.Op != ir.OpThrow {
		return writesAll
	}
	return noEffect
}

// plain reports whether an instruction is an access that may be joined with
// others of the same location.
func plain(in *ir.Inst) bool {
	return (in.Op == ir.OpLoad || in.Op == ir.OpStore) && in.Ord == ir.NotAtomic
}
