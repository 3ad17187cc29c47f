package uvm2014

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/ssabuild"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// valueName is the local name of the result of an instruction.
func (b *body) valueName(number int) string {
	if in := b.instOf(number); !in.Name.IsZero() {
		return b.name(in.Name)
	}
	return ""
}

// dominates reports whether the result of an instruction is available in block blk before
// instruction at.
func (b *body) dominates(def, blk, at int) bool {
	from := b.infos[def].block
	in := b.instOf(def)
	if !in.Op.Terminator() {
		if from == blk {
			return def < at
		}
		return b.flow.Dominates(ir.BlockID(from), ir.BlockID(blk))
	}
	// The result exists on one edge. All paths to the place include that edge if they go
	// through the block that it leads to, and that block is first entered by this edge.
	k := normalDest(in.Op)
	to := b.local(in.Dests[k]).label
	if !b.flow.Dominates(ir.BlockID(to), ir.BlockID(blk)) {
		return false
	}
	for _, e := range b.edges[to] {
		if (e.from != from || e.dest != k) && b.flow.Index[e.from] >= 0 && !b.flow.Dominates(ir.BlockID(to), ir.BlockID(e.from)) {
			return false
		}
	}
	return true
}

// undominated finds the values that are used where their definition does not dominate, as
// old bundles do. They become variables.
func (b *body) undominated() {
	use := func(n syntax.Name, blk, at int) {
		s := b.local(n)
		if s == nil || s.def < 0 || b.flow.Index[blk] < 0 || b.infos[s.def].typ == ir.NoType {
			return
		}
		if s.used = true; b.dominates(s.def, blk, at) {
			return
		}
		if b.vars == nil {
			b.vars = map[int]ssabuild.Var{}
		}
		b.vars[s.def] = 0
		b.deviate(b.devs, "not dominated", n.Off, "%s is used where its definition does not dominate: it is the value last computed, or 0", b.name(n))
	}
	for i := range b.d.Blocks {
		for k := range b.d.Blocks[i].Insts {
			in := &b.d.Blocks[i].Insts[k]
			at := b.first[i] + k
			for j := range in.Args {
				if a := &in.Args[j]; a.Const == nil && a.Name.Sym.Local() {
					use(a.Name, i, at)
				} else {
					b.globals++
				}
			}
			b.globals += len(in.Cases) // at most
			if in.Op != syntax.Phi {
				continue
			}
			for j := range in.Cases {
				c := &in.Cases[j]
				s := b.local(c.Label)
				if c.Value.Const == nil && s != nil && s.label >= 0 {
					from := s.label
					end := b.first[from] + len(b.d.Blocks[from].Insts)
					if d := b.local(c.Value.Name); d != nil && d.def == end-1 {
						continue // the result of the terminator, see phiArg
					}
					use(c.Value.Name, from, end)
				}
			}
		}
	}
}

// value resolves an operand. want is the type of a constant written in place. The returned
// type is NoType after an error; the value is 0 where no instructions are made.
func (b *body) value(v *syntax.Value, want ir.TypeID) (ir.TypeID, ir.ValueID) {
	if v.Const != nil {
		c := b.constOf(want, *v, b.devs)
		if c == nil {
			return ir.NoType, 0
		}
		return want, b.v.ConstValue(c)
	}
	if v.Name.IsZero() {
		return ir.NoType, 0
	}
	if !v.Name.Sym.Local() {
		e := b.find(v.Name.Sym)
		switch {
		case e == nil:
			b.unknown(v.Name, "value", b.hintValue)
		case e.con == nil:
			b.wrongKind(v.Name, e, "a value")
		case e.typ != ir.NoType:
			return e.typ, b.v.ConstValue(e.con)
		}
		return ir.NoType, 0
	}
	return b.localValue(v.Name)
}

func (b *body) localValue(n syntax.Name) (ir.TypeID, ir.ValueID) {
	s := b.local(n)
	switch {
	case s == nil || s.def == none && s.con == nil:
		if s != nil && s.label >= 0 {
			b.errorf(n.Off, "%s is a label, not a value", b.name(n))
		} else {
			b.errorf(n.Off, "unknown name %s: no such value%s", b.name(n), b.hintValue(n))
			b.slot(n).con = &ir.Const{Type: ir.NoType} // report it only once
		}
		return ir.NoType, 0
	case s.con != nil:
		if s.con.Type == ir.NoType {
			return ir.NoType, 0
		}
		return s.con.Type, b.v.ConstValue(s.con)
	case s.def < 0:
		params := b.types.At(b.sig).Fields
		if i := -1 - s.def; i < len(params) {
			return params[i], b.v.Blocks[0].Params[i]
		}
		return ir.NoType, 0
	}
	s.used = true
	d := &b.infos[s.def]
	if d.typ == ir.NoType {
		if !d.bad {
			b.errorf(n.Off, "%s is %s, which has no result", b.name(n), b.instOf(s.def).Op)
			d.bad = true
		}
		return ir.NoType, 0
	}
	if !b.emit {
		return d.typ, 0
	}
	if x, ok := b.vars[s.def]; ok && !b.dominates(s.def, b.blk, b.at) {
		return d.typ, b.ssa.Use(b.cur, x)
	}
	return d.typ, d.val
}

// operand resolves an operand of type want. An integer of another width is truncated or
// sign-extended, because old bundles rely on it.
func (b *body) operand(v *syntax.Value, want ir.TypeID, what string) ir.ValueID {
	have, val := b.value(v, want)
	if have == want || have == ir.NoType || want == ir.NoType {
		return val
	}
	h, w := b.types.At(have), b.types.At(want)
	if h.Kind == ir.KInt && w.Kind == ir.KInt {
		b.deviate(b.devs, "width", v.Off, "%s: %s has type %s, found %s: it is truncated or sign-extended", b.valueText(v), what, b.text(want), b.text(have))
		return b.resize(val, have, want)
	}
	b.mismatch(v, what, b.text(want), have)
	return 0
}

// passed resolves an argument of type want. Old bundles also pass references to other types.
func (b *body) passed(v *syntax.Value, want ir.TypeID, what string) ir.ValueID {
	if want != ir.NoType {
		if k := b.kind(want); k == ir.KRef || k == ir.KIRef || k == ir.KFuncRef {
			return b.reference(v, want, true, what)
		}
	}
	return b.operand(v, want, what)
}

// exact resolves an operand that must have type want, at a place without conversions. what names
// the operand in the error.
func (b *body) exact(v *syntax.Value, want ir.TypeID, what func() string) ir.ValueID {
	have, val := b.value(v, want)
	if have != want && have != ir.NoType && want != ir.NoType {
		b.mismatch(v, what(), b.text(want), have)
		return 0
	}
	return val
}

func (b *body) mismatch(v *syntax.Value, what, want string, have ir.TypeID) {
	b.errorf(v.Off, "%s: %s wants %s, found %s", b.valueText(v), what, want, b.text(have))
}

func (b *body) valueText(v *syntax.Value) string {
	if v.Const != nil {
		return b.literalText(v.Const)
	}
	return b.name(v.Name)
}

// resize truncates or sign-extends an integer.
func (b *body) resize(val ir.ValueID, have, want ir.TypeID) ir.ValueID {
	op := ir.OpSExt
	if b.types.At(want).Bits < b.types.At(have).Bits {
		op = ir.OpTrunc
	}
	return b.one(ir.Inst{Op: op, Ty: have, Ty2: want, Args: b.list(val)}, want)
}

// condition resolves an operand of type int<1>. An integer of another width is true if and only
// if it is 1.
func (b *body) condition(v *syntax.Value) ir.ValueID {
	have, val := b.value(v, b.i1)
	switch {
	case have == b.i1 || have == ir.NoType:
		return val
	case b.kind(have) == ir.KInt:
		b.deviate(b.devs, "condition", v.Off, "%s: a condition has type int<1>, found %s: it is true if it is 1", b.valueText(v), b.text(have))
		one := b.v.ConstValue(b.literal(ir.Const{Kind: ir.ConstInt, Type: have, Lo: 1}))
		return b.one(ir.Inst{Op: ir.OpEQ, Ty: have, Args: b.list(val, one)}, b.i1)
	}
	b.mismatch(v, "the condition", "int<1>", have)
	return 0
}

// object resolves a reference to an object of any type; a constant in place is a
// ref<void>.
func (b *body) object(v *syntax.Value, what string) ir.ValueID {
	have, val := b.value(v, b.exc)
	if have != ir.NoType && b.kind(have) != ir.KRef {
		b.mismatch(v, what, "a ref", have)
		return 0
	}
	return val
}

// referent resolves an operand of type ref<t> or iref<t>. An operand with another referent, as
// in old bundles, is cast.
func (b *body) referent(v *syntax.Value, k ir.Kind, t ir.TypeID, cast bool, what string) ir.ValueID {
	if t == ir.NoType {
		_, val := b.value(v, ir.NoType)
		return val
	}
	return b.reference(v, b.types.Of(k, t), cast, what)
}

// reference resolves an operand of type want, a reference or a func. An operand with another referent or signature
// is cast, if cast is set.
func (b *body) reference(v *syntax.Value, want ir.TypeID, cast bool, what string) ir.ValueID {
	have, val := b.value(v, want)
	if have == want || have == ir.NoType {
		return val
	}
	if cast && b.kind(have) == b.kind(want) {
		b.deviate(b.devs, "referent", v.Off, "%s: %s wants %s, found %s: it is cast", b.valueText(v), what, b.text(want), b.text(have))
		return b.one(ir.Inst{Op: ir.OpRefCast, Ty: have, Ty2: want, Args: b.list(val)}, want)
	}
	b.mismatch(v, what, b.text(want), have)
	return 0
}

func (b *body) list(vals ...ir.ValueID) []ir.ValueID { return b.vals.Copy(vals) }

// add makes an instruction whose results have no names.
func (b *body) add(in ir.Inst, types ...ir.TypeID) ir.InstID {
	if !b.emit {
		return 0
	}
	in.Pos = b.b.Pos(b.in.OpOff)
	return b.v.Append(b.cur, in, types, nil)
}

// one makes an instruction with one result.
func (b *body) one(in ir.Inst, t ir.TypeID) ir.ValueID {
	id := b.add(in, t)
	if id == 0 {
		return 0
	}
	return b.v.Insts[id].Results[0]
}

// finish makes the translation of the current instruction, with its name, and its result if
// it has one.
func (b *body) finish(in *ir.Inst) {
	d := &b.infos[b.at]
	if !b.emit {
		return
	}
	name := b.valueName(b.at)
	in.Name = name
	in.Pos = b.b.Pos(b.in.OpOff)
	var types []ir.TypeID
	if d.typ != ir.NoType {
		types = []ir.TypeID{d.typ}
	}
	id := b.v.Put(b.cur, in, types, []string{name})
	b.v.Insts[id].ID = b.takeID(b.in.ID)
	d.inst = id
	if len(types) > 0 {
		b.result(b.v.Insts[id].Results[0])
	}
}

// finishAs is finish for an instruction whose result has another type; op converts it to the
// required type.
func (b *body) finishAs(in ir.Inst, t ir.TypeID, op ir.Op) {
	d := &b.infos[b.at]
	if !b.emit {
		return
	}
	in.Name, in.Pos = b.valueName(b.at), b.b.Pos(b.in.OpOff)
	d.inst = b.v.Append(b.cur, in, []ir.TypeID{t}, nil)
	b.v.Insts[d.inst].ID = b.takeID(b.in.ID)
	conv := ir.Inst{Op: op, Ty: t, Ty2: d.typ, Args: b.list(b.v.Insts[d.inst].Results[0]), Pos: in.Pos}
	id := b.v.Append(b.cur, conv, []ir.TypeID{d.typ}, []string{in.Name})
	b.result(b.v.Insts[id].Results[0])
}

// result records the result of the current instruction.
func (b *body) result(val ir.ValueID) {
	d := &b.infos[b.at]
	d.val = val
	if x, ok := b.vars[b.at]; ok && !b.in.Op.Terminator() && b.emit {
		b.ssa.Def(b.cur, x, val)
	}
}
