package passes

import (
	"math"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Words: ZEXTWORD and SEXTWORD keep a number of the target's word size in an int<64>. On
// 64-bit targets they change nothing, so that passes look through them; on 32-bit targets
// their results are equal modulo 2^32 to their operands, which the passes take care of.

// isWord reports whether an operation is one of the two.
func isWord(op ir.Op) bool { return op == ir.OpZExtWord || op == ir.OpSExtWord }

// beneath strips a ZEXTWORD or SEXTWORD from a value.
func (u *unit) beneath(x ir.ValueID) ir.ValueID {
	if in := u.def(x); in != nil && isWord(in.Op) {
		return in.Args[0]
	}
	return x
}

// foldWord folds ZEXTWORD and SEXTWORD.
func (u *unit) foldWord(in *ir.Inst) ir.ValueID {
	x := in.Args[0]
	if u.isOfWord(in.Op, x, 4) {
		return x
	}
	in.Args[0] = u.beneath(x)
	return 0
}

// isOfWord reports whether ZEXTWORD or SEXTWORD leaves an int<64> unchanged, on targets of
// either word size. It follows operands of operands to a depth.
func (u *unit) isOfWord(op ir.Op, x ir.ValueID, depth int) bool {
	if k, ok := u.intConst(x); ok {
		if op == ir.OpSExtWord {
			return int64(k) == int64(int32(k))
		}
		return k <= math.MaxUint32
	}
	in := u.def(x)
	if in == nil || depth == 0 {
		return false
	}
	of := func(i int) bool { return u.isOfWord(op, in.Args[i], depth-1) }
	bits := uint32(32) // that it may have, with zeros above
	if op == ir.OpSExtWord {
		bits = 31
	}
	switch in.Op {
	case op:
		return true
	case ir.OpZExt:
		return u.t.At(in.Ty).Bits <= bits
	case ir.OpSExt:
		return op == ir.OpSExtWord && u.t.At(in.Ty).Bits <= 32
	case ir.OpPtrCast:
		return op == ir.OpZExtWord && u.t.Kind(in.Ty).IsPointer()
	case ir.OpAnd:
		if k, ok := u.intConst(in.Args[1]); ok && k>>bits == 0 {
			return true
		}
		return of(0) && of(1)
	case ir.OpOr, ir.OpXor:
		return of(0) && of(1)
	case ir.OpSelect:
		return of(1) && of(2)
	case ir.OpURem:
		k, ok := u.intConst(in.Args[1])
		return ok && k != 0 && (k-1)>>bits == 0
	case ir.OpLShr:
		k, ok := u.intConst(in.Args[1])
		return ok && shiftCount(k, 64) >= uint64(64-bits)
	case ir.OpAShr:
		k, ok := u.intConst(in.Args[1])
		return ok && op == ir.OpSExtWord && shiftCount(k, 64) >= 32
	}
	return false
}

// narrow looks at ZEXTWORD or SEXTWORD of a sum with a constant whose other operand is again
// such a conversion of a sum, and at the same with products. It removes the inner conversion,
// so that reassociate can join the two: before the instruction at a place of a block it puts a
// copy of the outer sum. It reports whether it has.
func (u *unit) narrow(b ir.BlockID, at int) bool {
	v := u.v
	id := v.Blocks[b].Insts[at]
	second := u.joins(v.Insts[id].Args[0])
	if second == nil || u.beneath(second.Args[0]) == second.Args[0] {
		return false
	}
	x := u.beneath(second.Args[0])
	if first := u.joins(x); first == nil || (first.Op == ir.OpMul) != (second.Op == ir.OpMul) {
		return false
	}
	name := v.Values[second.Results[0]].Name
	n := v.InsertBefore(b, at, ir.Inst{Op: second.Op, Ty: second.Ty, Args: []ir.ValueID{x, second.Args[1]}, Pos: second.Pos}, []ir.TypeID{second.Ty}, []string{name})
	u.setOrigin(n, u.originOf(id))
	v.Insts[id].Args[0] = v.Insts[n].Results[0]
	return true
}

// joins is the sum, difference or product with a constant that a value is, or nil.
func (u *unit) joins(x ir.ValueID) *ir.Inst {
	in := u.def(x)
	if in == nil || in.Op != ir.OpAdd && in.Op != ir.OpSub && in.Op != ir.OpMul {
		return nil
	}
	if _, ok := u.intConst(in.Args[1]); !ok {
		return nil
	}
	return in
}
