package passes

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// base follows an address to what it is computed from, through casts and
// addressing instructions.
func (u *unit) base(x ir.ValueID) ir.ValueID {
	for {
		in := u.def(x)
		if in == nil || !in.Op.Is(ir.Derives) || in.Has(ir.FlagPtr) {
			return x
		}
		x = in.Args[0]
	}
}

// releases reports whether an instruction turns a reference to an object into a number: a
// number made earlier would not keep the object alive until then.
func (u *unit) releases(in *ir.Inst) bool {
	if in.Op != ir.OpRefAddr {
		return false
	}
	x := u.base(in.Args[0])
	d := u.def(x)
	return u.constant(x) == nil && (d == nil || !d.Op.Is(ir.OnStack))
}

// valid reports whether an address is known to be at the start, or a field or
// fixed element, of a cell or object that exists: an access cannot fail.
func (u *unit) valid(x ir.ValueID) bool {
	for {
		if c := u.constant(x); c != nil {
			return c.Kind == ir.ConstGlobal
		}
		in := u.def(x)
		if in == nil || in.Has(ir.FlagPtr) {
			return false
		}
		if in.Op.Is(ir.Allocates) {
			return true // not of a variable part, to which another way leads
		}
		switch in.Op {
		case ir.OpGetElemIRef:
			c := u.constant(in.Args[1])
			if c == nil || c.Lo >= u.t.At(in.Ty).Len || c.Hi != 0 {
				return false
			}
			x = in.Args[0]
		case ir.OpGetIRef, ir.OpGetFieldIRef:
			x = in.Args[0]
		default:
			return false
		}
	}
}

// smallBytes is the size up to which an allocation is taken not to fail.
const smallBytes = 1 << 16

// small reports whether an object of a fixed-size type is small.
func (u *unit) small(ty ir.TypeID) bool { return u.words(ty, 0) <= smallBytes/8 }

// words is an upper bound of the number of words of a type, not a close one for a large type.
func (u *unit) words(ty ir.TypeID, depth int) uint64 {
	const lot = 1 << 40
	n := u.t.At(ty)
	if depth > 20 {
		return lot
	}
	switch n.Kind {
	case ir.KStruct:
		sum := uint64(0)
		for _, f := range n.Fields {
			sum = min(lot, sum+u.words(f, depth+1))
		}
		return sum
	case ir.KArray, ir.KVector:
		e := u.words(n.Elem, depth+1)
		if n.Len > lot/max(e, 1) {
			return lot
		}
		return 2 * n.Len * e
	case ir.KHybrid:
		return lot
	case ir.KInt:
		return 2
	}
	return 1
}
