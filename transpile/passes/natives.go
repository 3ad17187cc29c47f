package passes

import "github.com/uvm2go/uvm2go/transpile/ir"

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
			f := &softFloats[softNumbers[c.Sym]]
			if f.op == 0 || !f.has(u.t, u.t.At(in.Sig)) {
				continue
			}
			n++
			args, from, to := in.Args[1:], u.t.At(in.Sig).Fields[0], u.t.At(in.Sig).Results[0]
			if f.then == f.els {
				op := ir.Inst{Op: f.op, Ty: from, Args: args}
				if len(f.params) == 1 {
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

// A softFloat is a function of the library and the operation that does the same.
type softFloat struct {
	name      string
	params    string // f float, d double, i int<32>, l int<64>
	result    byte
	op        ir.Op
	then, els int32 // of a comparison, its result where op holds and where it does not; else 0
}

// has reports whether a signature is that of the function.
func (f *softFloat) has(t *ir.Types, sig *ir.Type) bool {
	if len(sig.Fields) != len(f.params) || len(sig.Results) != 1 || !isClass(t.At(sig.Results[0]), f.result) {
		return false
	}
	for i := range f.params {
		if !isClass(t.At(sig.Fields[i]), f.params[i]) {
			return false
		}
	}
	return true
}

func isClass(t *ir.Type, class byte) bool {
	switch class {
	case 'f':
		return t.Kind == ir.KFloat
	case 'd':
		return t.Kind == ir.KDouble
	case 'i':
		return t.Kind == ir.KInt && t.Bits == 32
	}
	return t.Kind == ir.KInt && t.Bits == 64
}

// softFloats are the functions after an empty row; softNumbers their numbers, by name.
var softFloats, softNumbers = func() ([]softFloat, map[string]int) {
	l := []softFloat{{}}
	for _, t := range []struct {
		name  string
		class byte
	}{{"sf", 'f'}, {"df", 'd'}} {
		one, two := string(t.class), string([]byte{t.class, t.class})
		l = append(l,
			softFloat{"__add" + t.name + "3", two, t.class, ir.OpFAdd, 0, 0},
			softFloat{"__sub" + t.name + "3", two, t.class, ir.OpFSub, 0, 0},
			softFloat{"__mul" + t.name + "3", two, t.class, ir.OpFMul, 0, 0},
			softFloat{"__div" + t.name + "3", two, t.class, ir.OpFDiv, 0, 0},
			softFloat{"__eq" + t.name + "2", two, 'i', ir.OpFOEQ, 0, 1},
			softFloat{"__ne" + t.name + "2", two, 'i', ir.OpFUNE, 1, 0},
			softFloat{"__lt" + t.name + "2", two, 'i', ir.OpFOLT, -1, 0},
			softFloat{"__le" + t.name + "2", two, 'i', ir.OpFOLE, 0, 1},
			softFloat{"__gt" + t.name + "2", two, 'i', ir.OpFOGT, 1, 0},
			softFloat{"__ge" + t.name + "2", two, 'i', ir.OpFOGE, 0, -1},
			softFloat{"__unord" + t.name + "2", two, 'i', ir.OpFUno, 1, 0})
		for _, i := range []struct {
			name  string
			class byte
		}{{"si", 'i'}, {"di", 'l'}} {
			whole := string(i.class)
			l = append(l,
				softFloat{"__fix" + t.name + i.name, one, i.class, ir.OpFPToSI, 0, 0},
				softFloat{"__fixuns" + t.name + i.name, one, i.class, ir.OpFPToUI, 0, 0},
				softFloat{"__float" + i.name + t.name, whole, t.class, ir.OpSIToFP, 0, 0},
				softFloat{"__floatun" + i.name + t.name, whole, t.class, ir.OpUIToFP, 0, 0})
		}
	}
	l = append(l, softFloat{"__extendsfdf2", "f", 'd', ir.OpFPExt, 0, 0}, softFloat{"__truncdfsf2", "d", 'f', ir.OpFPTrunc, 0, 0})
	at := map[string]int{}
	for i := range l {
		at[l[i].name] = i
	}
	delete(at, "")
	return l, at
}()
