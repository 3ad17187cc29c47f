package expand

import "github.com/uvm2go/uvm2go/transpile/ir"

// Shifts by any number of bits, and rotations. Mu itself uses only the low bits of the
// count that the width needs.

// width is the number of bits of an int or of the elements of a vector.
func (e *expander) width(ty ir.TypeID) uint32 {
	n := e.t.At(ty)
	if n.Kind == ir.KVector {
		n = e.t.At(n.Elem)
	}
	return n.Bits
}

// number is a constant of an int type, or a vector with it in all elements.
func (e *expander) number(ty ir.TypeID, n uint64) ir.ValueID {
	return e.v.ConstValue(e.constant(ty, n))
}

func (e *expander) constant(ty ir.TypeID, n uint64) *ir.Const {
	t := e.t.At(ty)
	if t.Kind != ir.KVector {
		return &ir.Const{Kind: ir.ConstInt, Type: ty, Lo: n}
	}
	c := &ir.Const{Kind: ir.ConstAggregate, Type: ty}
	lane := e.constant(t.Elem, n)
	for range t.Len {
		c.Elems = append(c.Elems, lane)
	}
	return c
}

// resized is the int type of another width, or a vector of it.
func (e *expander) resized(ty ir.TypeID, bits uint32) ir.TypeID {
	if t := e.t.At(ty); t.Kind == ir.KVector {
		return e.t.Vector(e.t.Int(bits), t.Len)
	}
	return e.t.Int(bits)
}

// bool is int<1>, or a vector of it as long as ty.
func (e *expander) bool(ty ir.TypeID) ir.TypeID { return e.resized(ty, 1) }

// narrow converts a number that is less than the width of ty to type ty.
func (e *expander) narrow(x ir.ValueID, from, ty ir.TypeID) ir.ValueID {
	n, m := e.width(ty), e.width(from)
	switch {
	case from == ty:
		return x
	case n < m:
		return e.before(ir.Inst{Op: ir.OpTrunc, Ty: from, Ty2: ty, Args: []ir.ValueID{x}}, ty)
	case n > m:
		return e.before(ir.Inst{Op: ir.OpZExt, Ty: from, Ty2: ty, Args: []ir.ValueID{x}}, ty)
	}
	return x
}

// bits is the least m with 2^m > n.
func bits(n uint32) (m uint32) {
	for n>>m != 0 {
		m++
	}
	return m
}

// wideCount converts a count to a type that can represent the width n itself.
func (e *expander) wideCount(count ir.ValueID, from ir.TypeID, n uint32) (ir.ValueID, ir.TypeID) {
	if e.width(from) >= bits(n) {
		return count, from
	}
	wide := e.resized(from, 8)
	return e.before(ir.Inst{Op: ir.OpZExt, Ty: from, Ty2: wide, Args: []ir.ValueID{count}}, wide), wide
}

// far expands SHLFAR, LSHRFAR and ASHRFAR: the shift of Mu, and a choice.
//
//	SHLFAR x k   SELECT (k < n) (SHL x k) 0
//	ASHRFAR x k  ASHR x (SELECT (k < n) k n-1)
func (e *expander) far() {
	in := &e.v.Insts[e.id]
	op := map[ir.Op]ir.Op{ir.OpShlFar: ir.OpShl, ir.OpLShrFar: ir.OpLShr, ir.OpAShrFar: ir.OpAShr}[in.Op]
	ty, x := in.Ty, in.Args[0]
	n := e.width(ty)
	if c := e.v.Values[in.Args[1]].Const; c != nil && c.Kind == ir.ConstInt {
		switch {
		case c.Hi == 0 && c.Lo < uint64(n):
			e.become(op, ty, 0, x, e.number(ty, c.Lo))
		case op == ir.OpAShr:
			e.become(op, ty, 0, x, e.number(ty, uint64(n)-1))
		default:
			e.become(ir.OpAnd, ty, 0, x, e.number(ty, 0))
		}
		return
	}
	count, from := e.wideCount(in.Args[1], in.Ty2, n)
	near := e.before(ir.Inst{Op: ir.OpULT, Ty: from, Args: []ir.ValueID{count, e.number(from, uint64(n))}}, e.bool(from))
	if op == ir.OpAShr {
		k := e.before(ir.Inst{Op: ir.OpSelect, Ty: e.bool(from), Ty2: from, Args: []ir.ValueID{near, count, e.number(from, uint64(n)-1)}}, from)
		e.become(op, ty, 0, x, e.narrow(k, from, ty))
		return
	}
	shifted := e.before(ir.Inst{Op: op, Ty: ty, Args: []ir.ValueID{x, e.narrow(count, from, ty)}}, ty)
	e.become(ir.OpSelect, e.bool(ty), ty, near, shifted, e.number(ty, 0))
}

// rotate expands ROTL and ROTR, with k and n-k modulo n. Go's compiler makes it one
// instruction where n is a power of two.
//
//	ROTL x k  OR (SHL x k) (LSHR x (n - k))
func (e *expander) rotate() {
	in := &e.v.Insts[e.id]
	ty, x, left := in.Ty, in.Args[0], in.Op == ir.OpRotL
	n := e.width(ty)
	one, other := ir.OpShl, ir.OpLShr
	if !left {
		one, other = other, one
	}
	if n == 1 {
		e.become(ir.OpOr, ty, 0, x, x)
		return
	}
	count, from := e.wideCount(in.Args[1], in.Ty2, n)
	if n&(n-1) != 0 {
		count = e.before(ir.Inst{Op: ir.OpURem, Ty: from, Args: []ir.ValueID{count, e.number(from, uint64(n))}}, from)
	}
	k := e.narrow(count, from, ty)
	back := e.before(ir.Inst{Op: ir.OpSub, Ty: ty, Args: []ir.ValueID{e.number(ty, reduced(n)), k}}, ty)
	if n&(n-1) != 0 {
		// For a count of 0 the opposite count is n, which Mu's mask may keep or change. Reduce it
		// to 0: then both shifts give x.
		back = e.before(ir.Inst{Op: ir.OpURem, Ty: ty, Args: []ir.ValueID{back, e.number(ty, uint64(n))}}, ty)
	}
	a := e.before(ir.Inst{Op: one, Ty: ty, Args: []ir.ValueID{x, k}}, ty)
	b := e.before(ir.Inst{Op: other, Ty: ty, Args: []ir.ValueID{x, back}}, ty)
	e.become(ir.OpOr, ty, 0, a, b)
}

// reduced is n, or 0 if the mask of a shift makes n and 0 the same.
func reduced(n uint32) uint64 {
	if n&(n-1) == 0 {
		return 0
	}
	return uint64(n)
}
