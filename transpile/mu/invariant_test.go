package mu

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A sane checks what Load promises of a program: ids in range, each operand
// defined before its use in its own block, exactly the types that each
// operation wants, and exception parameters reached by exceptional edges only.
// It is written from the op table, not from the reader.
type sane struct {
	p      *ir.Program
	t      *ir.Types
	v      *ir.Version
	in     *ir.Inst
	faults []string
}

func checkSane(p *ir.Program) []string {
	s := &sane{p: p, t: p.Types}
	for _, c := range p.Consts {
		s.constant(c, c.Name)
	}
	for _, g := range p.Globals {
		s.need(g.Type != ir.NoType, "cell %s has no type", g.Name)
	}
	ids := map[uint32]string{}
	unique := func(id uint32, name string) {
		if prev, ok := ids[id]; ok || id < 65536 || id >= p.NextID {
			s.faults = append(s.faults, fmt.Sprintf("entity id %d of %s is bad or taken by %s", id, name, prev))
		}
		ids[id] = name
	}
	for _, c := range p.Consts {
		unique(c.ID, c.Name)
	}
	for _, g := range p.Globals {
		unique(g.ID, g.Name)
	}
	for _, x := range p.Exposes {
		unique(x.ID, x.Name)
		s.need(x.Func != nil && x.Cookie != nil && x.Type == s.t.Of(ir.KUFuncPtr, x.Func.Sig), "%s is incomplete", x.Name)
		s.need(x.Cookie != nil && x.Cookie.Kind == ir.ConstInt && s.is(x.Cookie.Type, ir.KInt), "%s has a bad cookie", x.Name)
	}
	for _, f := range p.Funcs {
		unique(f.ID, f.Name)
		s.need(s.t.Kind(f.Sig) == ir.KSig, "%s has no signature", f.Name)
		for _, v := range f.Versions {
			unique(v.ID, v.Name)
			for i := range v.Blocks {
				if v.Blocks[i].Name != "" {
					unique(v.Blocks[i].ID, v.BlockName(ir.BlockID(i)))
				}
			}
			for i := range v.Insts {
				if v.Insts[i].ID != 0 {
					unique(v.Insts[i].ID, fmt.Sprintf("instruction %d of %s", i, v.Name))
				}
			}
			s.v = v
			s.version(f)
		}
	}
	return s.faults
}

func (s *sane) need(ok bool, format string, args ...any) {
	if !ok && len(s.faults) < 20 {
		where := ""
		if s.v != nil {
			where = s.v.Name + ": "
		}
		if s.in != nil {
			where += s.in.Op.String() + ": "
		}
		s.faults = append(s.faults, where+fmt.Sprintf(format, args...))
	}
}

func (s *sane) is(t ir.TypeID, k ir.Kind) bool { return s.t.Kind(t) == k }

func (s *sane) constant(c *ir.Const, name string) {
	k := s.t.Kind(c.Type)
	ok := false
	switch c.Kind {
	case ir.ConstInt:
		bits := uint32(64)
		if k == ir.KInt {
			bits = s.t.At(c.Type).Bits
		}
		hi, lo := mask(c.Hi, c.Lo, bits)
		ok = (k == ir.KInt || isPointer(k)) && hi == c.Hi && lo == c.Lo
	case ir.ConstFP:
		ok = isFP(k)
	case ir.ConstNull:
		ok = isNullable(k)
	case ir.ConstAggregate:
		n := s.t.At(c.Type)
		ok = k == ir.KStruct && len(c.Elems) == len(n.Fields) || (k == ir.KArray || k == ir.KVector) && uint64(len(c.Elems)) == n.Len
		for i, e := range c.Elems {
			want := n.Elem
			if k == ir.KStruct && i < len(n.Fields) {
				want = n.Fields[i]
			}
			ok = ok && e != nil && e.Type == want
		}
	case ir.ConstExtern:
		ok = isPointer(k) && c.Sym != ""
	case ir.ConstGlobal:
		ok = k == ir.KIRef && c.Global != nil
	case ir.ConstFunc:
		ok = k == ir.KFuncRef && c.Func != nil
	case ir.ConstExpose:
		ok = k == ir.KUFuncPtr && c.Expose != nil
	}
	s.need(ok, "constant %s of kind %d and type %s is bad", name, c.Kind, s.t.String(c.Type))
}

func (s *sane) version(f *ir.Function) {
	v := s.v
	s.in = nil
	s.need(len(v.Blocks) > 0, "no blocks")
	if len(v.Blocks) == 0 {
		return
	}
	sig := s.t.At(f.Sig)
	entry := &v.Blocks[0]
	s.need(entry.Exc == 0 && len(entry.Params) == len(sig.Fields), "bad entry block")
	for i, p := range entry.Params {
		s.need(i < len(sig.Fields) && v.Values[p].Type == sig.Fields[i], "bad type of parameter %d", i)
	}
	for i := 1; i < len(v.Values); i++ {
		x := &v.Values[i]
		s.need(x.Type != ir.NoType && x.Kind != ir.ValueNone, "value %d (%s) has no type", i, x.Name)
		if x.Kind == ir.ValueConst {
			s.need(x.Const != nil && x.Const.Type == x.Type, "value %d differs from its constant", i)
			s.constant(x.Const, x.Name)
		}
	}
	ready := make([]int, len(v.Values)) // block in which the value may be used, from 1
	for b := range v.Blocks {
		blk := &v.Blocks[b]
		for _, p := range blk.Params {
			ready[p] = b + 1
		}
		ready[blk.Exc] = b + 1
		s.need(len(blk.Insts) > 0, "empty block %s", blk.Name)
		for k, id := range blk.Insts {
			in := &v.Insts[id]
			s.in = in
			s.need(in.Op != ir.OpInvalid && in.Block == ir.BlockID(b), "bad instruction")
			s.need(in.IsTerminator() == (k == len(blk.Insts)-1), "terminator in the wrong place")
			usable := func(val ir.ValueID, own bool) {
				if val <= 0 || int(val) >= len(v.Values) {
					s.need(false, "bad operand %d", val)
					return
				}
				x := &v.Values[val]
				ok := x.Kind == ir.ValueConst || ready[val] == b+1 || own && x.Kind == ir.ValueResult && x.Def == int32(id)
				s.need(ok, "operand %s (%d) is not defined here", x.Name, val)
			}
			for _, a := range in.Args {
				usable(a, false)
			}
			for _, a := range in.Keep {
				usable(a, false)
			}
			for d := range in.Dests {
				dest := &in.Dests[d]
				exc := &in.Dests[d] == in.ExcDest()
				own := in.Has(ir.FlagExc) && d == 0 || in.Op == ir.OpWatchpoint && d == 1
				for _, a := range dest.Args {
					usable(a, own)
				}
				s.need(dest.Block > 0 && int(dest.Block) < len(v.Blocks), "bad destination")
				t := &v.Blocks[dest.Block]
				s.need(exc || t.Exc == 0, "normal edge to a block with an exception parameter")
				s.need(len(t.Params) == len(dest.Args), "wrong number of arguments of destination %d", d)
				for i, a := range dest.Args {
					s.need(i < len(t.Params) && v.Values[a].Type == v.Values[t.Params[i]].Type, "argument %d of destination %d: got %s", i, d, s.t.String(v.Values[a].Type))
				}
			}
			s.inst(f)
			for i, r := range in.Results {
				x := &v.Values[r]
				s.need(x.Kind == ir.ValueResult && x.Def == int32(id) && x.Index == int32(i), "result %d is not linked", i)
				ready[r] = b + 1
			}
		}
		s.in = nil
	}
}

// types checks operands and results against a list of types; NoType fits all.
func (s *sane) types(vals []ir.ValueID, want []ir.TypeID, what string) {
	s.need(len(vals) == len(want), "%d %s, want %d", len(vals), what, len(want))
	for i, val := range vals {
		if i < len(want) && want[i] != ir.NoType {
			s.need(s.v.Values[val].Type == want[i], "%s %d: want %s, got %s", what, i, s.t.String(want[i]), s.t.String(s.v.Values[val].Type))
		}
	}
}

func (s *sane) arg(i int) ir.TypeID {
	if i >= len(s.in.Args) {
		return ir.NoType
	}
	return s.v.Values[s.in.Args[i]].Type
}

func (s *sane) inst(f *ir.Function) {
	in, t := s.in, s.t
	one := func(args []ir.TypeID, res ...ir.TypeID) {
		s.types(in.Args, args, "operand")
		s.types(in.Results, res, "result")
	}
	list := func(ids ...ir.TypeID) []ir.TypeID { return ids }
	lane := func(id ir.TypeID) ir.Kind {
		if t.Kind(id) == ir.KVector {
			return t.Kind(t.At(id).Elem)
		}
		return t.Kind(id)
	}
	boolean := func() ir.TypeID {
		if n := t.At(in.Ty); n.Kind == ir.KVector {
			return t.Vector(t.Int(1), n.Len)
		}
		return t.Int(1)
	}
	ndests := 0
	if in.Has(ir.FlagExc) {
		ndests = 2
		s.need(in.Op.Is(ir.MayEXC), "may not have an exception clause")
	}
	if len(in.Keep) > 0 {
		s.need(in.Op.Is(ir.MayKeep), "may not have a keep-alive clause")
	}
	addr := ir.KIRef
	if in.Has(ir.FlagPtr) {
		addr = ir.KUPtr
		s.need(in.Op.Is(ir.MayPtr), "may not have PTR")
	}
	switch in.Op.Info().Class {
	case ir.ClassIntBin:
		s.need(lane(in.Ty) == ir.KInt, "type")
		one(list(in.Ty, in.Ty), in.Ty)
	case ir.ClassFPBin:
		s.need(isFP(lane(in.Ty)), "type")
		one(list(in.Ty, in.Ty), in.Ty)
	case ir.ClassCmpEQ:
		s.need(isEQ(lane(in.Ty)), "type")
		one(list(in.Ty, in.Ty), boolean())
	case ir.ClassCmpInt:
		s.need(lane(in.Ty) == ir.KInt || isPointer(lane(in.Ty)), "type")
		one(list(in.Ty, in.Ty), boolean())
	case ir.ClassCmpULT:
		s.need(isULT(lane(in.Ty)), "type")
		one(list(in.Ty, in.Ty), boolean())
	case ir.ClassCmpFP:
		s.need(isFP(lane(in.Ty)), "type")
		one(list(in.Ty, in.Ty), boolean())
	case ir.ClassConv:
		one(list(in.Ty), in.Ty2)
		s.conversion(lane(in.Ty), lane(in.Ty2))
	case ir.ClassSelect:
		s.need(lane(in.Ty) == ir.KInt, "condition")
		one(list(in.Ty, in.Ty2, in.Ty2), in.Ty2)
	default:
		switch in.Op {
		case ir.OpBranch:
			ndests = 1
			one(nil)
		case ir.OpBranch2:
			ndests = 2
			one(list(t.Int(1)))
		case ir.OpSwitch:
			ndests = len(in.Args)
			for i, a := range in.Args {
				s.need(s.arg(i) == in.Ty, "operand %d", i)
				s.need(i == 0 || s.v.Values[a].Kind == ir.ValueConst, "key %d is no constant", i)
			}
			s.types(in.Results, nil, "result")
		case ir.OpCall, ir.OpTailCall, ir.OpCCall:
			sig := t.At(in.Sig)
			k := ir.KFuncRef
			if in.Op == ir.OpCCall {
				k = ir.KUFuncPtr
				s.need(in.Ty == t.Of(k, in.Sig), "callee type")
			}
			res := sig.Results
			if in.Op == ir.OpTailCall {
				res = nil
				s.need(equalTypes(sig.Results, t.At(f.Sig).Results), "results of a tail call")
			}
			one(append(list(t.Of(k, in.Sig)), sig.Fields...), res...)
		case ir.OpRet:
			one(t.At(f.Sig).Results)
		case ir.OpThrow:
			s.need(s.is(s.arg(0), ir.KRef), "operand")
			one(list(ir.NoType))
		case ir.OpExtractValue, ir.OpInsertValue:
			n := t.At(in.Ty)
			s.need(n.Kind == ir.KStruct && in.Imm < uint64(len(n.Fields)), "field")
			if in.Op == ir.OpExtractValue {
				one(list(in.Ty), n.Fields[in.Imm])
			} else {
				one(list(in.Ty, n.Fields[in.Imm]), in.Ty)
			}
		case ir.OpExtractElement:
			s.need(s.is(in.Ty2, ir.KInt), "index")
			one(list(in.Ty, in.Ty2), t.At(in.Ty).Elem)
		case ir.OpInsertElement:
			s.need(s.is(in.Ty2, ir.KInt), "index")
			one(list(in.Ty, in.Ty2, t.At(in.Ty).Elem), in.Ty)
		case ir.OpShuffleVector:
			s.need(s.is(in.Ty, ir.KVector) && s.is(in.Ty2, ir.KVector) && lane(in.Ty2) == ir.KInt, "types")
			one(list(in.Ty, in.Ty, in.Ty2), t.Vector(t.At(in.Ty).Elem, t.At(in.Ty2).Len))
		case ir.OpNew, ir.OpNewHybrid, ir.OpAlloca, ir.OpAllocaHybrid:
			k := ir.KRef
			if in.Op == ir.OpAlloca || in.Op == ir.OpAllocaHybrid {
				k = ir.KIRef
			}
			if in.Op == ir.OpNew || in.Op == ir.OpAlloca {
				s.need(!s.is(in.Ty, ir.KHybrid), "hybrid")
				one(nil, t.Of(k, in.Ty))
			} else {
				s.need(s.is(in.Ty, ir.KHybrid) && s.is(in.Ty2, ir.KInt), "types")
				one(list(in.Ty2), t.Of(k, in.Ty))
			}
		case ir.OpGetIRef:
			one(list(t.Ref(in.Ty)), t.IRef(in.Ty))
		case ir.OpGetFieldIRef:
			n := t.At(in.Ty)
			s.need((n.Kind == ir.KStruct || n.Kind == ir.KHybrid) && in.Imm < uint64(len(n.Fields)), "field")
			one(list(t.Of(addr, in.Ty)), t.Of(addr, n.Fields[in.Imm]))
		case ir.OpGetElemIRef:
			s.need(s.is(in.Ty, ir.KArray) || s.is(in.Ty, ir.KVector), "type")
			one(list(t.Of(addr, in.Ty), in.Ty2), t.Of(addr, t.At(in.Ty).Elem))
		case ir.OpShiftIRef:
			s.need(!s.is(in.Ty, ir.KVoid) && !s.is(in.Ty, ir.KHybrid) && s.is(in.Ty2, ir.KInt), "type")
			one(list(t.Of(addr, in.Ty), in.Ty2), t.Of(addr, in.Ty))
		case ir.OpGetVarPartIRef:
			s.need(s.is(in.Ty, ir.KHybrid), "type")
			one(list(t.Of(addr, in.Ty)), t.Of(addr, t.At(in.Ty).Elem))
		case ir.OpLoad:
			one(list(t.Of(addr, in.Ty)), t.Strong(in.Ty))
		case ir.OpStore:
			one(list(t.Of(addr, in.Ty), t.Strong(in.Ty)))
		case ir.OpCmpXchg:
			one(list(t.Of(addr, in.Ty), t.Strong(in.Ty), t.Strong(in.Ty)), t.Strong(in.Ty), t.Int(1))
		case ir.OpAtomicRMW:
			one(list(t.Of(addr, in.Ty), t.Strong(in.Ty)), t.Strong(in.Ty))
		case ir.OpFence:
			one(nil)
		case ir.OpTrap:
			one(nil, in.Types...)
		case ir.OpWatchpoint:
			ndests = 2
			if in.Has(ir.FlagWPExc) {
				ndests = 3
			}
			s.need(in.Imm > 0 && in.Imm < 1<<32, "watchpoint id")
			one(nil, in.Types...)
		case ir.OpWPBranch:
			ndests = 2
			one(nil)
		case ir.OpNewThread, ir.OpSwapStack:
			s.need(s.is(s.arg(0), ir.KStackRef), "stack")
			i := 1
			if in.Has(ir.FlagThreadLocal) {
				s.need(s.is(s.arg(1), ir.KRef), "thread-local")
				i++
			}
			if in.Has(ir.FlagThrowExc) {
				s.need(len(in.Args) == i+1 && s.is(s.arg(i), ir.KRef), "exception")
			}
			if in.Op == ir.OpNewThread {
				s.types(in.Results, list(t.Opaque(ir.KThreadRef)), "result")
			} else {
				s.types(in.Results, in.Types, "result")
			}
		default:
			s.common()
		}
	}
	s.need(len(in.Dests) == ndests, "%d destinations, want %d", len(in.Dests), ndests)
}

func (s *sane) conversion(from, to ir.Kind) {
	t := s.t
	bits := func(id ir.TypeID) uint32 {
		if n := t.At(id); n.Kind == ir.KVector {
			return t.At(n.Elem).Bits
		} else {
			return n.Bits
		}
	}
	ok := true
	switch s.in.Op {
	case ir.OpTrunc:
		ok = from == ir.KInt && to == ir.KInt && bits(s.in.Ty) > bits(s.in.Ty2)
	case ir.OpZExt, ir.OpSExt:
		ok = from == ir.KInt && to == ir.KInt && bits(s.in.Ty) < bits(s.in.Ty2)
	case ir.OpRefCast:
		ok = from == to && (from == ir.KRef || from == ir.KIRef || from == ir.KFuncRef)
	case ir.OpPtrCast:
		ok = (isPointer(from) || isPointer(to)) && (isPointer(from) || from == ir.KInt) && (isPointer(to) || to == ir.KInt)
	case ir.OpRefAddr:
		ok = from == ir.KRef && to == ir.KUPtr
	}
	s.need(ok, "from %s to %s", t.String(s.in.Ty), t.String(s.in.Ty2))
}

func (s *sane) common() {
	in, t := s.in, s.t
	var row *commRow
	for _, r := range commRows {
		if r.op == in.Op && (r.op != ir.OpIRBuilder || r.code == in.Imm) {
			row = r
		}
	}
	if row == nil {
		s.need(false, "unknown operation")
		return
	}
	s.need(len(in.Args) == len(row.params), "%d operands, want %d", len(in.Args), len(row.params))
	for i := range in.Args {
		k := t.Kind(s.arg(i))
		var want ir.TypeID
		switch row.params[i] {
		case 'T':
			want = in.Ty
		case 'L':
			want = t.IRef(in.Ty)
		case 'F':
			want = t.Of(ir.KFuncRef, in.Sig)
		case 'R':
			s.need(k == ir.KRef, "operand %d", i)
			continue
		case 'Q':
			s.need(k == ir.KUFuncPtr, "operand %d", i)
			continue
		default:
			b := body{loader: &loader{types: t}}
			b.info.init(t)
			b.info.bytes = t.Hybrid(t.Int(8), t.Int(64))
			b.info.bytesRef = t.Ref(b.info.bytes)
			b.info.handlerSig = t.Sig([]ir.TypeID{t.Opaque(ir.KStackRef), t.Int(32), t.Ref(t.Void())}, nil)
			want = b.commLetter(row.params[i], in.Ty, in.Sig)
		}
		s.need(s.arg(i) == want, "operand %d: want %s, got %s", i, t.String(want), t.String(s.arg(i)))
	}
	n := 0
	if row.result != "" {
		n = 1
	}
	s.need(len(in.Results) == n, "results")
	if row.result == "U" {
		s.need(s.v.Values[in.Results[0]].Type == t.Of(ir.KUPtr, t.At(in.Ty).Elem), "result")
	}
}
