package mu

import (
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// irOps translates mnemonics. Common instructions have a separate table.
var irOps = func() (t [syntax.NumOps]ir.Op) {
	for op := syntax.NoOp + 1; op < syntax.NumOps; op++ {
		t[op], _ = ir.OpByMnemonic(op.String())
	}
	return
}()

// inst checks and translates one instruction, and reports whether it is a
// terminator.
//
// The method for its form resolves types and operands and sets b.out and, if the
// result must be converted, b.post; the steps that all instructions have in common
// are done here.
func (b *body) inst(in *syntax.Inst, id uint32) bool {
	b.in = in
	b.out = ir.Inst{Op: irOps[in.Op], ID: id, Pos: b.b.Pos(in.OpOff)}
	b.vague, b.res, b.post, b.status = false, ir.NoType, ir.NoType, 0
	mayExc := b.out.Op.Is(ir.MayEXC)
	switch in.Op.Form() {
	case syntax.FormBin:
		b.binary()
	case syntax.FormCmp:
		b.compare()
	case syntax.FormConv:
		b.conversion()
	case syntax.FormPlain:
		b.plain()
	case syntax.FormField:
		b.field()
	case syntax.FormBranch, syntax.FormWPBranch, syntax.FormWatch, syntax.FormTrap:
		b.trapOrBranch()
	case syntax.FormBranch2:
		b.out.Args = b.list(b.condition(in.Args[0]))
	case syntax.FormSwitch:
		b.switchInst()
	case syntax.FormCall:
		b.call()
	case syntax.FormTailCall:
		b.tailCall()
	case syntax.FormRet:
		b.ret()
	case syntax.FormAccess, syntax.FormCmpXchg, syntax.FormRMW:
		b.access()
	case syntax.FormFence:
		b.fence()
	case syntax.FormCCall:
		b.ccall()
	case syntax.FormThread, syntax.FormSwap:
		b.stackInst()
	case syntax.FormComm:
		mayExc = b.common()
	}
	if in.Flags&syntax.HasExc != 0 && !mayExc {
		b.errorf(b.excOff(), "%s has no exception clause: leave EXC(...) out, it cannot fail", b.opName())
	}
	if in.Flags&syntax.HasKeep != 0 {
		b.keepalive()
	}
	return b.complete()
}

// keyword finds the offset of a keyword of the instruction that is not in the tree,
// between from and end; if it is missing, the offset of the mnemonic.
func (b *body) keyword(word string, last bool, from, end syntax.Off) syntax.Off {
	if from >= end {
		return b.in.OpOff
	}
	text := b.b.Text(from, end)
	i := strings.Index(text, word)
	if last {
		i = strings.LastIndex(text, word)
	}
	if i < 0 {
		return b.in.OpOff
	}
	return from + syntax.Off(i)
}

// excOff is the place of the exception clause.
func (b *body) excOff() syntax.Off {
	if len(b.in.Dests) == 0 {
		return b.in.OpOff
	}
	return b.keyword("EXC", true, b.in.OpOff, b.in.Dests[0].Block.Off)
}

// keepalive checks a keep-alive clause (docs/language.md, "Functions").
func (b *body) keepalive() {
	in := b.in
	b.out.HasKeep = b.out.Op.Is(ir.MayKeep)
	switch {
	case in.Op == syntax.OpCommInst && len(in.Keep) > 0:
		b.errorf(in.Keep[0].Off, "%s has no keep-alive variables", b.opName())
	case !b.out.HasKeep && in.Op != syntax.OpCommInst:
		b.errorf(in.OpOff, "%s has no keep-alive clause", b.opName())
	}
	b.out.Keep = b.alloc(len(in.Keep))
	for i, n := range in.Keep {
		s := &b.slots[n.Sym.Index()]
		if e := b.find(n.Sym); e != nil && e.kind.isGlobalVar() && s.block != b.block {
			b.errorf(n.Off, "%s is %s: KEEPALIVE wants local variables", b.name(n), e.kind)
			continue
		}
		b.out.Keep[i] = b.value(n)
		if v := b.out.Keep[i]; v != 0 && b.nameless(n.Sym) {
			b.f.Name(v, b.name(n)) // the default trap handler shows it
		}
	}
}

// complete resolves destinations, appends the instruction and defines its
// results. Destinations without access to the results are resolved first.
func (b *body) complete() bool {
	in := b.in
	own := -1 // destination in which the results exist
	switch {
	case in.Flags&syntax.HasExc != 0:
		own = 0
		b.out.Flags |= ir.FlagExc
	case in.Op == syntax.OpWatchpoint:
		own = 1
	}
	var dests []ir.Dest
	if len(in.Dests) > 0 {
		dests = make([]ir.Dest, len(in.Dests))
		for k := range in.Dests {
			if k != own {
				dests[k] = b.dest(k)
			}
		}
	}
	b.out.Dests = dests
	if !in.Name.IsZero() {
		b.out.Name = b.name(in.Name)
	}
	term := b.out.IsTerminator()
	var results []ir.ValueID
	if b.res == ir.NoType {
		results = b.f.Add(&b.out)
	} else {
		results = b.f.Add(&b.out, b.res)
	}
	made := len(b.v.Insts) - 1
	onEdge := b.status != 0 && own >= 0 // the flags are computed there
	if b.status != 0 {
		if onEdge {
			dests[own], results = b.statusBlock(results)
		}
		results = append(slices.Clip(results), b.statusResults(results[0])...)
	}
	for k, r := range results {
		if k < len(in.Results) {
			b.nameValue(r, in.Results[k])
		}
	}
	if len(in.Results) != len(results) && !b.vague {
		b.resultCount(len(results))
	}
	for k, n := range in.Results {
		switch {
		case k >= len(results):
			b.define(n, slotBad)
		case own < 0 && k == 0 && b.post != ir.NoType:
			b.define(n, b.mended(b.name(n), results[k], b.fromCell(results[k], b.post)))
		default:
			b.define(n, results[k])
		}
	}
	if !in.Name.IsZero() {
		b.define(in.Name, slotInst)
	}
	switch {
	case onEdge:
		b.leaveStatusBlock()
	case own >= 0 && own < len(dests):
		dests[own] = b.edge(own, ir.InstID(made))
	}
	return term
}

func (b *body) resultCount(want int) {
	off := b.in.Off
	if len(b.in.Results) > want {
		off = b.in.Results[want].Off
	}
	write := ""
	switch {
	case want == 0:
		write = "; write it without a name"
	case b.status != 0:
		write = "; write " + b.statusShape()
	case want == 2:
		write = "; write (%a %b) = " + b.in.Op.String()
	}
	b.errorf(off, "%s has %s, got %s%s", b.opName(), count(want, "result"), count(len(b.in.Results), "name"), write)
}

func count(n int, what string) string {
	s := what + "s"
	switch n {
	case 0:
		return "no " + s
	case 1:
		return "1 " + what
	}
	return itoa(n) + " " + s
}

// typeArg resolves type argument i of the instruction; NoType if it is unknown.
func (b *body) typeArg(i int) ir.TypeID {
	if i >= len(b.in.Types) {
		return ir.NoType
	}
	return b.typeOf(b.in.Types[i])
}

// badType reports that a type argument is not one that the instruction wants, and
// returns NoType.
func (b *body) badType(i int, want string) ir.TypeID {
	n := b.in.Types[i]
	t := b.typeQuiet(n)
	b.errorf(n.Off, "%s: %s wants %s, got %s%s", b.name(n), b.opName(), want, b.types.Structure(t, 2), b.typeAdvice(i, t))
	return ir.NoType
}

// restrict returns t if ok is true for its kind or, if vectors is set and t is a
// vector, for the kind of its elements; else it reports type argument i.
func (b *body) restrict(i int, t ir.TypeID, vectors bool, ok func(ir.Kind) bool, want string) ir.TypeID {
	k := b.types.Kind(t)
	if vectors {
		k = b.info.laneKind(t)
	}
	if t == ir.NoType || ok(k) {
		return t
	}
	if vectors {
		want += ", or a vector of them"
	}
	return b.badType(i, want)
}

func isInt(k ir.Kind) bool { return k == ir.KInt }

// binary checks a binary operation (docs/language.md, "Numbers").
func (b *body) binary() {
	in := b.in
	t := b.typeArg(0)
	var left, right ir.ValueID
	if b.out.Op.Info().Class == ir.ClassIntBin {
		t = b.restrict(0, t, true, isInt, "an int type")
		left = b.arg(in.Args[0], t, useInt, role{})
		if b.out.Op.Is(ir.Shifts) {
			right = b.shiftCount(in.Args[1], t)
		} else {
			right = b.arg(in.Args[1], t, useInt, role{})
		}
	} else {
		t = b.restrict(0, t, true, isFP, "float, double")
		left = b.arg(in.Args[0], t, 0, role{})
		right = b.arg(in.Args[1], t, 0, role{})
	}
	b.out.Ty = t
	b.out.Args = b.list(left, right)
	if in.Ext != nil {
		b.statusFlags(in.Ext.Flags)
	}
}

// shiftCount resolves the count of a shift, which may have another width (docs/language.md,
// "Accepted deviations", f): it is taken as unsigned, and only its low bits are used.
func (b *body) shiftCount(n syntax.Name, t ir.TypeID) ir.ValueID {
	val := b.value(n)
	have := b.v.Values[val].Type
	if have == t || have == ir.NoType || t == ir.NoType {
		return val
	}
	d := devBad
	if h, w := b.types.At(have), b.types.At(t); b.info.laneKind(have) == ir.KInt && h.Kind == w.Kind && h.Len == w.Len {
		d = devF
	}
	b.report(n, d, have, t, role{text: "the count"})
	return b.convert(val, t, d)
}

// compare checks a comparison.
func (b *body) compare() {
	t := b.typeArg(0)
	switch b.out.Op.Info().Class {
	case ir.ClassCmpEQ:
		t = b.restrict(0, t, true, isEQ, "an EQ-comparable type (int, pointer or reference, but not weakref)")
	case ir.ClassCmpInt:
		t = b.restrict(0, t, true, func(k ir.Kind) bool { return isInt(k) || isPointer(k) }, "an int or pointer type")
	case ir.ClassCmpULT:
		t = b.restrict(0, t, true, isULT, "a ULT-comparable type (int, pointer or iref)")
	default:
		t = b.restrict(0, t, true, isFP, "float, double")
	}
	b.out.Ty = t
	b.out.Args = b.list(b.arg(b.in.Args[0], t, useInt, role{}), b.arg(b.in.Args[1], t, useInt, role{}))
}

// conversion checks a conversion.
func (b *body) conversion() {
	from, to := b.typeArg(0), b.typeArg(1)
	if from != ir.NoType && to != ir.NoType && !b.convertible(from, to) {
		from, to = ir.NoType, ir.NoType
	}
	val := b.value(b.in.Args[0])
	if have := b.v.Values[val].Type; have != from && have != ir.NoType && from != ir.NoType {
		d := b.accept(b.in.Args[0], have, from, useInt, role{})
		if d == devA && b.out.Op == ir.OpRefCast || d == devB && b.out.Op == ir.OpPtrCast {
			from = have
		} else {
			val = b.convert(val, from, d)
		}
	}
	b.out.Ty, b.out.Ty2 = from, to
	b.out.Args = b.list(val)
}

// convertible checks the two types of a conversion.
func (b *body) convertible(from, to ir.TypeID) bool {
	ok, want := b.info.Convertible(b.out.Op, from, to)
	if !ok {
		b.errorf(b.in.Types[0].Off, "%s wants %s, got %s and %s", b.opName(), want, b.types.Structure(from, 2), b.types.Structure(to, 2))
	}
	return ok
}

// plain checks the instructions of the plain form, one by one.
func (b *body) plain() {
	switch op := b.out.Op; op.Info().Class {
	case ir.ClassSelect:
		b.selectInst()
	case ir.ClassThrow:
		b.out.Args = b.list(b.objectArg(b.in.Args[0], role{}))
	case ir.ClassAggr:
		if op == ir.OpShuffleVector {
			b.shuffle()
		} else {
			b.element()
		}
	case ir.ClassAlloc:
		b.allocation()
	case ir.ClassAddr:
		if op == ir.OpGetIRef {
			b.getIRef()
		} else {
			b.addressing()
		}
	}
}

// objectArg resolves an operand that may be a ref to anything.
func (b *body) objectArg(n syntax.Name, r role) ir.ValueID {
	val := b.value(n)
	have := b.v.Values[val].Type
	k := b.types.Kind(have)
	switch {
	case have == ir.NoType || k == ir.KRef:
		return val
	case !isInt(k) && !isFP(k):
		b.errorf(n.Off, "%s: %s wants a ref, got %s", b.name(n), b.roleText(r), b.typeText(have))
		return 0
	}
	return b.arg(n, b.info.refVoid, 0, r)
}

// condition resolves the condition of BRANCH2, or of a SELECT between single
// values: an int<1>, or a value that is compared with 0 or NULL
// (docs/language.md, "Accepted deviations", g).
func (b *body) condition(n syntax.Name) ir.ValueID {
	val := b.value(n)
	have := b.v.Values[val].Type
	if have == ir.NoType || have == b.info.i1 {
		return val
	}
	if k := b.types.Kind(have); !isInt(k) && !isPointer(k) && !isNullable(k) {
		b.report(n, devBad, have, b.info.i1, role{text: "the condition"})
		return 0
	}
	b.report(n, devG, have, b.info.i1, role{text: "the condition"})
	return b.emit(ir.Inst{Op: ir.OpNE, Ty: have, Args: b.list(val, b.zero(have))})
}

// selectInst checks a SELECT.
func (b *body) selectInst() {
	in := b.in
	s, t := b.typeArg(0), b.typeArg(1)
	if t != ir.NoType && !b.info.isValue(t) {
		t = b.badType(1, "a type of values")
	}
	var cond ir.ValueID
	switch n := b.types.At(s); {
	case n.Kind == ir.KVector:
		v := b.types.At(t)
		switch {
		case n.Elem != b.info.i1:
			s = b.badType(0, "int<1> or a vector of it")
		case t != ir.NoType && (v.Kind != ir.KVector || v.Len != n.Len):
			t = b.badType(1, "a vector with as many elements as the condition")
		}
		cond = b.arg(in.Args[0], s, 0, role{text: "the condition"})
	case s == ir.NoType || s == b.info.i1:
		cond = b.condition(in.Args[0])
	case isInt(n.Kind) || isPointer(n.Kind) || isNullable(n.Kind):
		if have := b.v.Values[b.value(in.Args[0])].Type; have == b.info.i1 {
			b.deviate(&b.devs, devJ, in.Types[0].Off, "%s: SELECT has condition %s, got a condition of type %s", b.name(in.Args[0]), b.called("type", in.Types[0]), b.typeText(have))
		}
		cond = b.condition(in.Args[0])
		s = b.info.i1
	default:
		b.badType(0, "int<1> or a vector of it")
		b.value(in.Args[0])
		s = ir.NoType
	}
	b.out.Ty, b.out.Ty2 = s, t
	b.out.Args = b.list(cond, b.arg(in.Args[1], t, 0, role{}), b.arg(in.Args[2], t, 0, role{}))
}

// fieldNumber returns the field number of an instruction if it is less than n.
func (b *body) fieldNumber(n int, of string) (uint64, bool) {
	i := b.in.Int
	if i == nil {
		return 0, false
	}
	if !i.IsUint64() || i.Lo >= uint64(n) {
		var part string
		if t := b.typeArg(0); t != ir.NoType && b.types.Kind(t) == ir.KHybrid {
			part = "; its variable part is reached with GETVARPARTIREF"
		}
		b.errorf(i.Off, "%s: %s has no field %s: %s%s", b.opName(), of, b.b.Literal(i), numbered(n, "field"), part)
		return 0, false
	}
	return i.Lo, true
}

// field checks the instructions with a field number.
func (b *body) field() {
	in := b.in
	if in.Op == syntax.OpGetFieldIRef {
		b.addressing()
		return
	}
	t := b.typeArg(0)
	if t != ir.NoType && b.types.Kind(t) != ir.KStruct {
		t = b.badType(0, "a struct")
	}
	b.out.Ty = t
	ft := ir.NoType
	if t != ir.NoType {
		fields := b.types.At(t).Fields
		if i, ok := b.fieldNumber(len(fields), b.name(in.Types[0])); ok {
			b.out.Imm, ft = i, fields[i]
		} else {
			b.out.Ty = ir.NoType
		}
	}
	s := b.arg(in.Args[0], t, 0, role{})
	if in.Op == syntax.OpExtractValue {
		b.out.Args = b.list(s)
		return
	}
	b.out.Args = b.list(s, b.arg(in.Args[1], ft, 0, role{text: "the new value"}))
}

// element checks EXTRACTELEMENT and INSERTELEMENT.
func (b *body) element() {
	in := b.in
	sequence := func(k ir.Kind) bool { return k == ir.KArray || k == ir.KVector }
	t := b.restrict(0, b.typeArg(0), false, sequence, "an array or a vector")
	it := b.restrict(1, b.typeArg(1), false, isInt, "an int type")
	elem := b.types.At(t).Elem
	seq := b.arg(in.Args[0], t, 0, role{})
	index := b.arg(in.Args[1], it, 0, role{text: "the index"})
	b.out.Ty, b.out.Ty2 = t, it
	if in.Op == syntax.OpExtractElement {
		b.out.Args = b.list(seq, index)
		return
	}
	b.out.Args = b.list(seq, index, b.arg(in.Args[2], elem, 0, role{text: "the new value"}))
}

// shuffle checks SHUFFLEVECTOR.
func (b *body) shuffle() {
	in := b.in
	isVector := func(k ir.Kind) bool { return k == ir.KVector }
	t := b.restrict(0, b.typeArg(0), false, isVector, "a vector")
	m := b.restrict(1, b.typeArg(1), false, isVector, "a vector of ints")
	if m != ir.NoType && b.info.laneKind(m) != ir.KInt {
		m = b.badType(1, "a vector of ints")
	}
	b.out.Ty, b.out.Ty2 = t, m
	b.out.Args = b.list(b.arg(in.Args[0], t, 0, role{}), b.arg(in.Args[1], t, 0, role{}),
		b.arg(in.Args[2], m, 0, role{text: "the mask"}))
}
