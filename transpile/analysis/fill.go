package analysis

import "github.com/uvm2go/uvm2go/transpile/ir"

// Fill is a loop that does nothing but store zeros to one element after the
// other: all that remains to do after an iteration is to store the same to
// the elements from Next up to but not including Limit.
//
// The elements lie in one object, so that after the first store none of the
// others can fail; what a program does beyond the end of an object is undefined
// (docs/language.md, "Memory").
type Fill struct {
	Header ir.BlockID // of the loop
	Latch  ir.BlockID // the block that stores and leads back; may be the header
	Param  int        // of the header: the index
	Store  ir.InstID
	Addr   ir.InstID  // SHIFTIREF or GETELEMIREF by the index
	Next   ir.ValueID // the index of the next iteration
	Word   ir.Op      // ZEXTWORD or SEXTWORD, of which Next is the result, or OpInvalid
	Limit  ir.ValueID // the index is always less, signed or unsigned, or not equal yet
}

// FindFill finds the loop that a store is in, if it is one that fills. Two forms
// are known, with the test in a header of its own and with the test at the end.
func FindFill(v *ir.Version, t *ir.Types, c *CFG, store ir.InstID) (f Fill, ok bool) {
	in := &v.Insts[store]
	f = Fill{Store: store, Latch: in.Block}
	if in.Op != ir.OpStore || in.Ord != ir.NotAtomic || in.Has(ir.FlagExc) || in.Has(ir.FlagPtr) || !zero(v, in.Args[1]) {
		return f, false
	}
	def := func(x ir.ValueID) *ir.Inst {
		if d := &v.Values[x]; d.Kind == ir.ValueResult {
			return &v.Insts[d.Def]
		}
		return nil
	}
	term := v.Term(f.Latch)
	test := term
	var back *ir.Dest // to the header
	var on int        // destination of the test that stays in the loop
	switch term.Op {
	case ir.OpBranch:
		back = &term.Dests[0]
		f.Header = back.Block
		test = v.Term(f.Header)
		if f.Header == f.Latch || test.Op != ir.OpBranch2 || len(v.Blocks[f.Header].Insts) != 2 || len(c.Preds[f.Latch]) != 1 {
			return f, false
		}
		if test.Dests[0].Block != f.Latch {
			on = 1
		}
		if test.Dests[on].Block != f.Latch {
			return f, false
		}
	case ir.OpBranch2:
		f.Header = f.Latch
		if test.Dests[0].Block != f.Header {
			on = 1
		}
		if back = &test.Dests[on]; back.Block != f.Header {
			return f, false
		}
	default:
		return f, false
	}
	if test.Dests[0].Block == test.Dests[1].Block {
		return f, false
	}
	inside := func(x ir.ValueID) bool {
		switch d := &v.Values[x]; d.Kind {
		case ir.ValueConst:
			return false
		case ir.ValueResult:
			b := v.Insts[d.Def].Block
			return b == f.Header || b == f.Latch
		default:
			return d.Def == int32(f.Header) || d.Def == int32(f.Latch)
		}
	}
	// The address.
	addr := def(in.Args[0])
	if addr == nil || addr.Op != ir.OpShiftIRef && addr.Op != ir.OpGetElemIRef || addr.Has(ir.FlagPtr) || addr.Block != f.Latch {
		return f, false
	}
	others := 3 // of the latch: address, store, step
	for base := addr.Args[0]; inside(base); others++ {
		from := def(base)
		if from == nil || from.Block != f.Latch || !from.Op.Is(ir.Derives) || !from.Op.Is(ir.Free) || from.Has(ir.FlagPtr) {
			return f, false
		}
		base = from.Args[0]
	}
	f.Addr = ir.InstID(v.Values[in.Args[0]].Def)
	k := addr.Args[1]
	if d := &v.Values[k]; d.Kind != ir.ValueParam || d.Def != int32(f.Header) || !word(t, d.Type) {
		return f, false
	}
	// What goes round.
	for i, p := range v.Blocks[f.Header].Params {
		if p == k {
			f.Param, f.Next = i, back.Args[i]
		} else if back.Args[i] != p {
			return f, false
		}
	}
	step := def(f.Next)
	if step != nil && (step.Op == ir.OpZExtWord || step.Op == ir.OpSExtWord) && step.Block == f.Latch {
		f.Word, step = step.Op, def(step.Args[0])
		others++
	}
	if step == nil || step.Op != ir.OpAdd || step.Block != f.Latch || step.Args[0] != k || !one(v, step.Args[1]) {
		return f, false
	}
	// The test.
	cmp := def(test.Args[0])
	if cmp == nil || cmp.Block != f.Header || len(cmp.Args) != 2 || !word(t, cmp.Ty) {
		return f, false
	}
	index := k
	if f.Header == f.Latch {
		index = f.Next
		others++
	}
	if len(v.Blocks[f.Latch].Insts) != others+1 {
		return f, false
	}
	op := cmp.Op
	f.Limit = cmp.Args[1]
	if cmp.Args[1] == index {
		f.Limit = cmp.Args[0]
		op = op.Info().Swapped
	} else if cmp.Args[0] != index {
		return f, false
	}
	if on == 1 {
		op = op.Info().Not
	}
	return f, (op == ir.OpSLT || op == ir.OpULT || op == ir.OpNE) && !inside(f.Limit)
}

// word reports whether a type is int<64>.
func word(t *ir.Types, ty ir.TypeID) bool {
	n := t.At(ty)
	return n.Kind == ir.KInt && n.Bits == 64
}

// zero reports whether a value is a constant of zero bits, 64 at most.
func zero(v *ir.Version, x ir.ValueID) bool {
	c := v.Values[x].Const
	if v.Values[x].Kind != ir.ValueConst {
		return false
	}
	switch c.Kind {
	case ir.ConstInt, ir.ConstFP:
		return c.Lo == 0 && c.Hi == 0
	}
	return c.Kind == ir.ConstNull
}

func one(v *ir.Version, x ir.ValueID) bool {
	c := v.Values[x].Const
	return v.Values[x].Kind == ir.ValueConst && c.Kind == ir.ConstInt && c.Lo == 1 && c.Hi == 0
}
