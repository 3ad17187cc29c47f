package passes

import (
	"sync"

	"github.com/uvm2go/uvm2go/transpile/internal/clib"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// natives replaces calls of the arithmetic of a C compiler's runtime library by operations: a dialect without
// operations on floats calls these functions instead (docs/native.md, "Arithmetic on floats"). A call stays if it
// has a clause, or a signature other than the function's.
//
// A comparison becomes a choice between the numbers that the function returns. __cmpsf2, __cmpdf2 and the changes
// of sign stay calls, which are compiled as Go functions.
//
// Needs: names. Leaves: comparisons of a choice with 0, for number.
func natives(u *unit) int {
	v, n := u.v, 0
	for b := range v.Blocks {
		l := v.Blocks[b].Insts
		for i := 0; i < len(l); i++ {
			in := &v.Insts[l[i]]
			if in.Op != ir.OpCCall || in.Flags != 0 || in.HasKeep || len(in.Results) != 1 {
				continue
			}
			c := u.constant(in.Args[0])
			if c == nil || c.Kind != ir.ConstExtern {
				continue
			}
			f, ok := softFloats()[c.Sym]
			if !ok || !hasClasses(u.t, u.t.At(in.Sig), clib.Table[c.Sym].Signature()) {
				continue
			}
			n++
			args, from, to := in.Args[1:], u.t.At(in.Sig).Fields[0], u.t.At(in.Sig).Results[0]
			if f.then == f.els {
				op := ir.Inst{Op: f.op, Ty: from, Args: args}
				if len(args) == 1 {
					op.Ty2 = to
				}
				u.become(in, op)
				continue
			}
			is := v.InsertBefore(ir.BlockID(b), i, ir.Inst{Op: f.op, Ty: from, Args: args, Pos: in.Pos}, []ir.TypeID{u.int1}, nil)
			l, i = v.Blocks[b].Insts, i+1
			in = &v.Insts[l[i]]
			u.become(in, ir.Inst{Op: ir.OpSelect, Ty: u.int1, Ty2: to,
				Args: []ir.ValueID{v.Insts[is].Results[0], u.integer(to, uint64(f.then)), u.integer(to, uint64(f.els))}})
		}
	}
	return n
}

// A softFloat is the operation that does what a function of the library does.
type softFloat struct {
	op        ir.Op
	then, els int32 // of a comparison, its result where op holds and where it does not; else 0
}

// softFloats are the operations by the names of the functions. The signatures are those of the library's table.
var softFloats = sync.OnceValue(func() map[string]softFloat {
	all := map[string]softFloat{"__extendsfdf2": {op: ir.OpFPExt}, "__truncdfsf2": {op: ir.OpFPTrunc}}
	for _, t := range []string{"sf", "df"} {
		all["__add"+t+"3"] = softFloat{op: ir.OpFAdd}
		all["__sub"+t+"3"] = softFloat{op: ir.OpFSub}
		all["__mul"+t+"3"] = softFloat{op: ir.OpFMul}
		all["__div"+t+"3"] = softFloat{op: ir.OpFDiv}
		all["__eq"+t+"2"] = softFloat{ir.OpFOEQ, 0, 1}
		all["__ne"+t+"2"] = softFloat{ir.OpFUNE, 1, 0}
		all["__lt"+t+"2"] = softFloat{ir.OpFOLT, -1, 0}
		all["__le"+t+"2"] = softFloat{ir.OpFOLE, 0, 1}
		all["__gt"+t+"2"] = softFloat{ir.OpFOGT, 1, 0}
		all["__ge"+t+"2"] = softFloat{ir.OpFOGE, 0, -1}
		all["__unord"+t+"2"] = softFloat{ir.OpFUno, 1, 0}
		for _, i := range []string{"si", "di"} {
			all["__fix"+t+i] = softFloat{op: ir.OpFPToSI}
			all["__fixuns"+t+i] = softFloat{op: ir.OpFPToUI}
			all["__float"+i+t] = softFloat{op: ir.OpSIToFP}
			all["__floatun"+i+t] = softFloat{op: ir.OpUIToFP}
		}
	}
	return all
})

// hasClasses reports whether a signature is a C function's: int<32> for i, int<64> for l, float for f, double for d.
func hasClasses(t *ir.Types, sig *ir.Type, c clib.Sig) bool {
	if len(sig.Fields) != len(c.Params) || len(sig.Results) != 1 || !isClass(t.At(sig.Results[0]), c.Result) {
		return false
	}
	for i := range c.Params {
		if !isClass(t.At(sig.Fields[i]), c.Params[i]) {
			return false
		}
	}
	return true
}

func isClass(t *ir.Type, class byte) bool {
	switch class {
	case 'i':
		return t.Kind == ir.KInt && t.Bits == 32
	case 'l':
		return t.Kind == ir.KInt && t.Bits == 64
	case 'f':
		return t.Kind == ir.KFloat
	case 'd':
		return t.Kind == ir.KDouble
	}
	return false
}
