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

// beneath is what a value was made of by ZEXTWORD or SEXTWORD, or itself.
func (u *unit) beneath(x ir.ValueID) ir.ValueID {
	if in := u.def(x); in != nil && isWord(in.Op) {
		return in.Args[0]
	}
	return x
}

// foldWord is ZEXTWORD and SEXTWORD.
func (u *unit) foldWord(in *ir.Inst) ir.ValueID {
	x := in.Args[0]
	if u.isOfWord(in.Op, x) {
		return x
	}
	in.Args[0] = u.beneath(x)
	return 0
}

// isOfWord reports whether an int<64> is what ZEXTWORD or SEXTWORD make of it, on targets of
// either word size.
func (u *unit) isOfWord(op ir.Op, x ir.ValueID) bool {
	if k, ok := u.intConst(x); ok {
		if op == ir.OpSExtWord {
			return int64(k) == int64(int32(k))
		}
		return k <= math.MaxUint32
	}
	in := u.def(x)
	if in == nil {
		return false
	}
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
		k, ok := u.intConst(in.Args[1])
		return ok && k>>bits == 0
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
