package plan

import (
	"math/bits"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Demanded returns, by ValueID, the bits of each value that anything depends on, as far as
// constants and equal operands tell; for types other than integers of up to 64 bits it returns
// all bits or none. Go's compiler may drop the computation of a value of which no bit is
// demanded, including a load with its fault.
//
// Demand starts at instructions with effects and goes from results to operands.
func (f *Func) Demanded() []uint64 {
	if f.demanded != nil {
		return f.demanded
	}
	d := &demand{f: f, bits: make([]uint64, len(f.V.Values))}
	for _, b := range f.CFG.Order {
		for _, id := range f.V.Blocks[b].Insts {
			in := &f.V.Insts[id]
			switch {
			case !f.Needed[id] || Droppable(in) && !f.checks(in):
				continue
			case in.IsTerminator() && sameWay(in):
				continue
			}
			for _, x := range in.Args {
				d.grow(x, all)
			}
			for _, x := range in.Keep {
				d.grow(x, all)
			}
		}
	}
	for len(d.work) > 0 {
		x := d.work[len(d.work)-1]
		d.work = d.work[:len(d.work)-1]
		switch v := &f.V.Values[x]; v.Kind {
		case ir.ValueParam:
			for _, dest := range f.into[v.Def] {
				d.grow(dest.Args[v.Index], d.bits[x])
			}
		case ir.ValueResult:
			if in := &f.V.Insts[v.Def]; Droppable(in) {
				d.operands(in, d.bits[x])
			}
		}
	}
	f.demanded = d.bits
	return d.bits
}

// sameWay reports whether a branch goes the same way whatever its operand is.
func sameWay(in *ir.Inst) bool {
	if in.Op != ir.OpBranch2 {
		return false
	}
	a, b := &in.Dests[0], &in.Dests[1]
	return a.Block == b.Block && slices.Equal(a.Args, b.Args)
}

const all = ^uint64(0)

type demand struct {
	f    *Func
	bits []uint64
	work []ir.ValueID
}

func (d *demand) grow(x ir.ValueID, bits uint64) {
	if bits&^d.bits[x] != 0 {
		d.bits[x] |= bits
		d.work = append(d.work, x)
	}
}

// width is the number of bits of an integer type, 0 for others and wide ones.
func (d *demand) width(t ir.TypeID) uint32 {
	if n := d.f.Prog.Types.At(t); n.Kind == ir.KInt && n.Bits <= 64 {
		return n.Bits
	}
	return 0
}

// constant gives the value of an integer constant of up to 64 bits.
func (d *demand) constant(x ir.ValueID) (uint64, bool) {
	c := d.f.V.Values[d.f.Alias[x]].Const
	if c == nil || c.Kind != ir.ConstInt || d.width(c.Type) == 0 {
		return 0, false
	}
	return c.Lo, true
}

// operands demands the bits of the operands of a pure instruction on which the bits want of its
// result depend.
func (d *demand) operands(in *ir.Inst, want uint64) {
	op := in.Op.Info()
	n := d.width(in.Ty)
	switch {
	case in.Op.Is(ir.Always):
		return
	case n != 0 && len(in.Args) == 2:
		x, y := in.Args[0], in.Args[1]
		if d.f.Alias[x] == d.f.Alias[y] && (op.Self == ir.SelfZero || op.Self == ir.SelfOne) {
			return
		}
		if _, ok := d.constant(x); ok && in.Op.Is(ir.Commutative) {
			x, y = y, x
		}
		if c, ok := d.constant(y); ok {
			d.grow(x, firstBits(op, n, want, c))
			return
		}
	case n != 0 && len(in.Args) == 1 && d.width(in.Ty2) != 0:
		d.grow(in.Args[0], firstBits(op, n, want&mask(d.width(in.Ty2)), 0))
		return
	}
	for _, x := range in.Args {
		d.grow(x, all)
	}
}

// firstBits gives the bits of the first operand, of n bits, that the bits want of the result of an
// operation depend on; c is the second operand, if there is one.
func firstBits(op *ir.OpInfo, n uint32, want, c uint64) uint64 {
	m := mask(n)
	var sign uint64 // the bit of the sign, if the operation looks at it
	if op.Flags&ir.Signed != 0 {
		sign = m &^ (m >> 1)
	}
	count := c & (uint64(1)<<bits.Len32(n-1) - 1)
	above := want &^ m // bits of the result into which the sign is copied
	want &= m
	switch op.Bits {
	case ir.BitsSame:
	case ir.BitsOnes:
		want &= c
	case ir.BitsZeros:
		want &^= c
	case ir.BitsBelow:
		want = below(want)
	case ir.BitsProduct:
		want = below(want) >> bits.TrailingZeros64(c)
	case ir.BitsLeft:
		want >>= count
	case ir.BitsRight:
		above = want &^ (m >> count)
		want <<= count
	case ir.BitsFrom:
		return m & from(c^sign)
	case ir.BitsAfter:
		return m & from((c+1)&m^sign)
	default:
		return all
	}
	if above != 0 {
		want |= sign
	}
	return want & m
}

func mask(n uint32) uint64 { return all >> (64 - n) }

// below has the bits up to the highest one that is set in x.
func below(x uint64) uint64 { return uint64(1)<<bits.Len64(x) - 1 }

// from has the lowest bit that is set in x and all bits above it; none if x is 0.
func from(x uint64) uint64 { return x | -x }
