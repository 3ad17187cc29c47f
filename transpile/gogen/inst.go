package gogen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// inst emits one instruction with its clauses.
func (e *fn) inst(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	switch in.Op.Info().Class {
	case ir.ClassIntBin:
		e.intInst(out, id, in, next)
	case ir.ClassFPBin, ir.ClassCmpEQ, ir.ClassCmpInt, ir.ClassCmpULT, ir.ClassCmpFP, ir.ClassConv:
		if e.isVector(in.Ty) {
			e.vector(out, in)
		} else {
			e.set(out, in.Results[0], e.pure(in))
		}
	case ir.ClassAddr:
		e.addressInst(out, id, in)
	case ir.ClassSelect:
		e.selectInst(out, id, in)
	case ir.ClassBranch:
		e.branch(out, in, next)
	case ir.ClassCall:
		e.callInst(out, id, in, next)
	case ir.ClassRet:
		e.ret(out, in)
	case ir.ClassThrow:
		e.throwInst(out, in)
	case ir.ClassAggr:
		e.aggregate(out, id, in)
	case ir.ClassAlloc:
		e.alloc(out, id, in, next)
	case ir.ClassMem:
		e.memOp(out, id, in, next)
	case ir.ClassTrap:
		e.trap(out, id, in, next)
	case ir.ClassStack:
		e.stackOp(out, id, in, next)
	case ir.ClassFail:
		e.failInst(out, id, in)
	case ir.ClassComm:
		e.common(out, id, in, next)
	default:
		e.fail("no code for %s", in.Op)
	}
}

func (e *fn) isVector(t ir.TypeID) bool { return e.kind(t) == ir.KVector }

// siteName is the global name of an instruction, or of its block with the
// instruction's place.
func (e *fn) siteName(id ir.InstID) string {
	in := &e.v.Insts[id]
	if in.Name != "" {
		return e.v.InstName(id)
	}
	for i, x := range e.v.Blocks[in.Block].Insts {
		if x == id {
			return fmt.Sprintf("%s+%d", e.v.BlockName(in.Block), i)
		}
	}
	return e.v.BlockName(in.Block)
}

// failure emits the end of the program for a failed instruction, or the jump to
// its exceptional destination.
func (e *fn) failure(id ir.InstID, in *ir.Inst, kind, detail string) code {
	var out code
	if in.Has(ir.FlagExc) {
		e.exceptional(&out, in.Block, &in.Dests[1], "")
	} else {
		out.add("rt.Fail(t, rt.%s, %q, %q)", kind, e.siteName(id), detail)
		out.add("return") // never, but Go does not know
	}
	return out
}

// failureKinds are what the runtime calls the failures of programs.
var failureKinds = [ir.NumFailures]string{
	ir.FailTrap: "Trapped", ir.FailUnreachable: "Unreachable", ir.FailDivByZero: "DivByZero", ir.FailOverflow: "Overflow",
	ir.FailNullRef: "NullRef", ir.FailNullFunc: "NullFunc", ir.FailBadSignature: "BadSignature", ir.FailBounds: "Bounds",
	ir.FailType: "TypeError", ir.FailNoResource: "NoResource", ir.FailOutOfMemory: "OutOfMemory", ir.FailNative: "Native",
}

// failInst emits FAIL.
func (e *fn) failInst(out *code, id ir.InstID, in *ir.Inst) {
	text := e.v.Values[e.plan.Alias[in.Args[0]]].Const.Bytes
	out.add("rt.Fail(t, rt.%s, %q, %q)", failureKinds[in.Imm], e.siteName(id), text)
	out.add("return") // never, but Go does not know
}

func isDivision(op ir.Op) bool {
	return op == ir.OpSDiv || op == ir.OpSRem || op == ir.OpUDiv || op == ir.OpURem
}

func (e *fn) intInst(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	if e.isVector(in.Ty) {
		if isDivision(in.Op) {
			b := e.temp(out, in.Args[1])
			zero := e.zeroTest(e.at(in.Ty).Elem, b+"[i]")
			some := e.scope.local("zero")
			out.add("%s := false", some)
			*out = append(*out, raw("for i := range %s", b).Block(raw("%s = %s || %s", some, some, zero)))
			*out = append(*out, jen.If(raw("%s", some)).Block(e.failure(id, in, "DivByZero", "")...))
			// The lanes are only divided when all divisors are good.
		}
		e.vector(out, in)
		e.normal(out, in, next)
		return
	}
	if !isDivision(in.Op) {
		e.set(out, in.Results[0], e.pure(in))
		return
	}
	b := in.Args[1]
	if c := e.v.Values[e.plan.Alias[b]].Const; c == nil || c.Lo|c.Hi == 0 {
		y := e.temp(out, b)
		*out = append(*out, jen.If(raw("%s", e.zeroTest(in.Ty, y))).Block(e.failure(id, in, "DivByZero", "")...))
		if e.kind(in.Ty) == ir.KInt {
			n := e.at(in.Ty).Bits
			e.set(out, in.Results[0], intExpr(in.Op, n, e.typedConst(in.Args[0]), y))
			e.normal(out, in, next)
			return
		}
	}
	e.set(out, in.Results[0], e.pure(in))
	e.normal(out, in, next)
}

// typedConst is expr with literals made variables.
func (e *fn) typedConst(x ir.ValueID) string {
	if e.isConst(x) && e.at(e.v.Values[x].Type).Bits <= 64 && e.at(e.v.Values[x].Type).Bits > 1 {
		return "rt.Var(" + e.typed(x) + ")"
	}
	return e.expr(x)
}

func (e *fn) zeroTest(ty ir.TypeID, x string) string {
	switch n := e.at(ty); {
	case n.Bits == 1:
		return "!" + x
	case n.Bits > 64:
		return x + ".IsZero()"
	}
	return x + " == 0"
}

// temp is a Go variable with the value of an operand.
func (e *fn) temp(out *code, x ir.ValueID) string {
	x = e.plan.Alias[x]
	if e.v.Values[x].Kind != ir.ValueConst && !e.plan.Inline[x] {
		return e.expr(x)
	}
	name := e.scope.local("v")
	out.add("var %s %s = %s", name, e.goType(e.v.Values[x].Type), e.expr(x))
	return name
}

// vector emits a lane-wise operation.
func (e *fn) vector(out *code, in *ir.Inst) {
	r := in.Results[0]
	var ops []string
	for _, a := range in.Args {
		ops = append(ops, e.temp(out, a)+"[i]")
	}
	el := e.at(in.Ty).Elem
	var x string
	switch in.Op.Info().Class {
	case ir.ClassIntBin:
		n := e.at(el).Bits
		y := ops[1]
		if in.Op == ir.OpShl || in.Op == ir.OpLShr || in.Op == ir.OpAShr {
			if n > 1 && n <= 64 {
				y = fmt.Sprintf("(%s & %d)", y, shiftMask(n))
			}
		}
		x = intExpr(in.Op, n, ops[0], y)
	case ir.ClassFPBin:
		x = fpExpr(in.Op, e.kind(el) == ir.KFloat, ops[0], ops[1])
	case ir.ClassCmpFP:
		x = fpCompare(in.Op, ops[0], ops[1])
	case ir.ClassConv:
		x = e.convert(in.Op, el, e.at(in.Ty2).Elem, ops[0], false)
	default:
		x = e.cmpExpr(in.Op, el, ops[0], ops[1])
	}
	tmp := e.scope.local("lanes")
	out.add("var %s %s", tmp, e.goType(e.v.Values[r].Type))
	*out = append(*out, raw("for i := range %s", tmp).Block(raw("%s[i] = %s", tmp, x)))
	e.set(out, r, tmp)
}

func shiftMask(n uint32) uint64 {
	m := uint64(1)
	for m < uint64(n) {
		m <<= 1
	}
	return m - 1
}

func (e *fn) selectInst(out *code, id ir.InstID, in *ir.Inst) {
	r := in.Results[0]
	if e.isVector(in.Ty) {
		c, a, b := e.temp(out, in.Args[0]), e.temp(out, in.Args[1]), e.temp(out, in.Args[2])
		tmp := e.scope.local("lanes")
		out.add("%s := %s", tmp, b)
		*out = append(*out, raw("for i := range %s", tmp).Block(
			jen.If(raw("%s[i]", c)).Block(raw("%s[i] = %s[i]", tmp, a))))
		e.set(out, r, tmp)
		return
	}
	e.choose(out, []ir.InstID{id})
}

// sameChoice is how many of the first instructions can be one conditional
// statement: SELECTs of the same condition, of which none needs another's result.
// The Go compiler makes conditional moves of a statement, unless one of its values
// is the address of a load: a branch that is predicted lets the load begin early.
// That is as good for the other values, which are often addresses of stores. What
// would keep it from conditional moves altogether stays by itself.
func (e *fn) sameChoice(ids []ir.InstID) int {
	first := &e.v.Insts[ids[0]]
	if !e.moves(first) {
		return 1
	}
	n := 1
	for ; n < len(ids); n++ {
		in := &e.v.Insts[ids[n]]
		if !e.moves(in) || e.plan.Alias[in.Args[0]] != e.plan.Alias[first.Args[0]] {
			break
		}
		free := true
		for _, a := range in.Args {
			e.plan.EachUse(a, func(x ir.ValueID) {
				for _, id := range ids[:n] {
					free = free && e.plan.Alias[e.v.Insts[id].Results[0]] != x
				}
			})
		}
		if !free {
			break
		}
	}
	return n
}

// moves reports whether an instruction is a SELECT of which the Go compiler makes a
// conditional move: of two integers or addresses, the first of them known.
func (e *fn) moves(in *ir.Inst) bool {
	if in.Op != ir.OpSelect || e.isVector(in.Ty) || e.plan.Inline[e.plan.Alias[in.Args[1]]] {
		return false
	}
	switch e.goType(in2type(e, in.Results[0])) {
	case "uint16", "uint32", "uint64", "uintptr":
		return true
	}
	return false
}

// choose emits SELECTs of the same condition.
func (e *fn) choose(out *code, ids []ir.InstID) {
	var then, after code
	for _, id := range ids {
		in := &e.v.Insts[id]
		r := in.Results[0]
		if !e.plan.Used[r] {
			continue
		}
		name := e.name[r]
		// A hoisted variable may be an operand's: go through a fresh one.
		tmp := e.scope.local("v")
		if name == "" {
			tmp = e.localName(r)
			e.name[r] = tmp
		}
		out.add("var %s %s = %s", tmp, e.goType(in2type(e, r)), e.expr(in.Args[2]))
		if name == "" {
			e.declared(out, r)
		}
		then.add("%s = %s", tmp, e.expr(in.Args[1]))
		if name != "" {
			after.add("%s = %s", name, tmp)
		}
		e.root(&after, r)
	}
	if len(then) > 0 {
		*out = append(*out, jen.If(raw("%s", e.expr(e.v.Insts[ids[0]].Args[0]))).Block(then...))
		*out = append(*out, after...)
	}
}

func in2type(e *fn, r ir.ValueID) ir.TypeID { return e.v.Values[r].Type }

// aggregate emits operations on struct, array and vector values (8.5).
func (e *fn) aggregate(out *code, id ir.InstID, in *ir.Inst) {
	r := in.Results[0]
	switch in.Op {
	case ir.OpExtractValue:
		e.set(out, r, fmt.Sprintf("%s.F%d", e.temp(out, in.Args[0]), in.Imm))
	case ir.OpInsertValue:
		tmp := e.scope.local("v")
		out.add("%s := %s", tmp, e.expr(in.Args[0]))
		out.add("%s.F%d = %s", tmp, in.Imm, e.expr(in.Args[1]))
		e.set(out, r, tmp)
	case ir.OpExtractElement:
		e.set(out, r, fmt.Sprintf("%s[%s]", e.temp(out, in.Args[0]), e.index(out, id, in)))
	case ir.OpInsertElement:
		tmp := e.scope.local("v")
		out.add("%s := %s", tmp, e.expr(in.Args[0]))
		out.add("%s[%s] = %s", tmp, e.index(out, id, in), e.expr(in.Args[2]))
		e.set(out, r, tmp)
	case ir.OpShuffleVector:
		a, b, m := e.temp(out, in.Args[0]), e.temp(out, in.Args[1]), e.temp(out, in.Args[2])
		tmp := e.scope.local("lanes")
		n := e.at(in.Ty).Len
		out.add("var %s %s", tmp, e.goType(e.v.Values[r].Type))
		lane := e.unsignedIndex(e.at(in.Ty2).Elem, m+"[i]")
		*out = append(*out, raw("for i := range %s", tmp).Block(
			jen.If(raw("k := uint64(%s); k < %d", lane, n)).Block(raw("%s[i] = %s[k]", tmp, a)).Else().If(raw("k < %d", 2*n)).Block(raw("%s[i] = %s[k-%d]", tmp, b, n)).Else().Block(
				raw("rt.Fail(t, rt.Bounds, %q, %q)", e.siteName(id), "a mask element selects no lane"))))
		e.set(out, r, tmp)
	}
}

// index is an element index as Go wants it, after a check of its bound.
func (e *fn) index(out *code, id ir.InstID, in *ir.Inst) string {
	n := e.at(in.Ty).Len
	x := in.Args[1]
	if e.isConst(x) {
		c := e.v.Values[e.plan.Alias[x]].Const
		if c.Hi == 0 && c.Lo < n {
			return intLit(c.Lo)
		}
	}
	k := e.scope.local("k")
	out.add("%s := uint64(%s)", k, unparen(e.unsignedIndex(in.Ty2, e.typed(x))))
	*out = append(*out, jen.If(raw("%s >= %d", k, n)).Block(
		raw("rt.Fail(t, rt.Bounds, %q, %q)", e.siteName(id), fmt.Sprintf("the length is %d", n)), raw("return")))
	return k
}

func (e *fn) unsignedIndex(ty ir.TypeID, x string) string {
	switch n := e.at(ty).Bits; {
	case n == 1:
		return "rt.B2U(" + x + ")"
	case n > 64:
		return "rt.Index128(" + x + ")"
	}
	return x
}

// tagExpr is an operation on tagref64 values (9.2).
func (e *fn) tagExpr(in *ir.Inst) string {
	x := e.expr(in.Args[0])
	switch in.Op {
	case ir.OpTagIsFP:
		return "rt.TagIsFP(" + x + ")"
	case ir.OpTagIsInt:
		return "rt.TagIsInt(" + x + ")"
	case ir.OpTagIsRef:
		return "rt.TagIsRef(" + x + ")"
	case ir.OpTagFromFP:
		return "rt.TagFromFP(" + x + ")"
	case ir.OpTagFromInt:
		return "rt.TagFromInt(" + x + ")"
	case ir.OpTagFromRef:
		return "rt.TagFromRef(" + x + ", " + e.expr(in.Args[1]) + ")"
	case ir.OpTagToFP:
		return "rt.TagToFP(" + x + ")"
	case ir.OpTagToInt:
		return "rt.TagToInt(" + x + ")"
	case ir.OpTagToRef:
		return "rt.TagToRef(" + x + ")"
	}
	return "rt.TagToTag(" + x + ")"
}
