package uvm2014

import (
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// A litKey is equal for equal constants without a name, except for lists and native symbols.
type litKey struct {
	kind   uint32 // an ir.ConstKind, without a gap after it
	typ    ir.TypeID
	lo, hi uint64
}

func keyOf(c *ir.Const) litKey { return litKey{uint32(c.Kind), c.Type, c.Lo, c.Hi} }

// An extern is the key of the constant of a native symbol.
type extern struct {
	typ ir.TypeID
	sym string
}

// extern returns the unique constant of a native symbol.
func (l *loader) extern(t ir.TypeID, sym string) *ir.Const {
	k := extern{t, sym}
	if l.externs[k] == nil {
		l.externs[k] = &ir.Const{Kind: ir.ConstExtern, Type: t, Sym: sym}
	}
	return l.externs[k]
}

// literal returns the unique constant that is equal to c, which has no name and is not a list or native symbol.
func (l *loader) literal(c ir.Const) *ir.Const {
	k := keyOf(&c)
	if known := l.lits[k]; known != nil {
		return known
	}
	made := c // so that c is not on the heap if the constant exists
	l.lits[k] = &made
	return &made
}

// defineConst sets the type of a constant. Its value is set when all types are known.
func (l *loader) defineConst(d *syntax.ConstDef, e *entity) {
	t := ir.NoType
	if !l.b.Faulty[d] {
		t = l.typ(d.Type)
	}
	if l.kind(t) == ir.KWeakRef {
		l.deviate(l.devs, "weakref constant", d.Type.Off, "%s: a constant of type weakref is one of the ref to the same type", l.name(d.Name))
		t = l.types.Strong(t)
	}
	if t != ir.NoType && !l.isValue(t) {
		l.errorf(d.Type.Off, "%s: a constant has a type of values, not %s", l.name(d.Name), l.notValue(t))
		t = ir.NoType
	}
	e.typ = t
	e.con = &ir.Const{Type: t, Name: l.name(d.Name), ID: l.id(&d.Head, entConst), Pos: l.b.Pos(d.Name.Off)}
	if t != ir.NoType {
		l.prog.Consts = append(l.prog.Consts, e.con)
		l.prog.Entities[e.con.Name] = e.con
	}
}

// constants evaluates the constants of the bundle.
func (l *loader) constants() {
	for _, d := range l.b.Defs {
		if d, ok := d.(*syntax.ConstDef); ok && !d.Name.IsZero() {
			if e := l.find(d.Name.Sym); e != nil && e.def == d {
				l.evaluate(d, e)
			}
		}
	}
}

// repeatedValues compares repeated definitions of constants and cells.
func (l *loader) repeatedValues() {
	for _, r := range l.repeated {
		if d, ok := r.def.(*syntax.GlobalDef); ok && !l.b.Faulty[d] {
			if t := l.typ(d.Type); t != ir.NoType {
				l.repeats(r, l.types.IRef(t) == r.of.typ)
			}
			continue
		}
		d, ok := r.def.(*syntax.ConstDef)
		if !ok || l.b.Faulty[d] {
			continue
		}
		if t := l.types.Strong(l.typ(d.Type)); t != r.of.typ {
			l.repeats(r, false)
		} else if c := l.constOf(t, d.Value, l.devs); c != nil {
			l.repeats(r, sameValue(c, r.of.con))
		}
	}
}

// sameValue compares two constants of one type.
func sameValue(a, b *ir.Const) bool {
	if a == b {
		return true
	}
	if a.Kind != b.Kind || a.Lo != b.Lo || a.Hi != b.Hi || a.Global != b.Global || a.Func != b.Func || len(a.Elems) != len(b.Elems) {
		return false
	}
	for i := range a.Elems {
		if !sameValue(a.Elems[i], b.Elems[i]) {
			return false
		}
	}
	return true
}

// evaluate sets the value of a constant, after the values of its elements. These have the types of its
// fields, so a constant cannot contain itself.
func (l *loader) evaluate(d *syntax.ConstDef, e *entity) {
	if e.valued || l.b.Faulty[d] {
		return
	}
	e.valued = true
	if c := l.constOf(e.typ, d.Value, l.devs); c != nil && e.typ != ir.NoType {
		e.con.Kind, e.con.Lo, e.con.Hi, e.con.Elems = c.Kind, c.Lo, c.Hi, c.Elems
	}
}

// constOf makes a constant of the expected type from a constant constructor, nil after an
// error.
func (l *loader) constOf(t ir.TypeID, v syntax.Value, devs deviations) *ir.Const {
	if t == ir.NoType || v.Const == nil {
		return nil
	}
	known := &l.nodes[v.Const.Num]
	out := known.con
	if known.typ != t || out == nil {
		before := l.deviated
		if out = l.constant(t, v, devs); out == nil {
			return nil
		}
		if l.given != nil {
			l.given.consts[out] = true
		}
		if v.Const.Num > 0 && l.deviated == before {
			known.typ, known.con = t, out
		}
	}
	if l.inline != nil {
		l.inline[v.Off] = out
	}
	return out
}

func (l *loader) constant(t ir.TypeID, v syntax.Value, devs deviations) *ir.Const {
	n, c := l.types.At(t), v.Const
	switch c.Kind {
	case syntax.ConstInt:
		return l.intConst(t, v, devs)
	case syntax.ConstFP:
		if !n.Kind.IsFP() || !c.FP.Bare && c.FP.Double != (n.Kind == ir.KDouble) {
			l.errorf(v.Off, "%s: wanted a constant of type %s, found a floating-point literal", l.literalText(c), l.text(t))
			return nil
		}
		bits, status := c.FP.Pattern(l.b.Text(c.FP.Off, c.FP.End), n.Kind == ir.KDouble)
		switch status {
		case lex.FPTooLong: // use the low bits
			bits = c.FP.Bits.Low()
			if n.Kind == ir.KFloat {
				bits &= 1<<32 - 1
			}
		case lex.FPOverflow:
			l.deviate(devs, "overflow", v.Off, "%s is rounded to infinity", l.literalText(c))
		}
		return l.literal(ir.Const{Kind: ir.ConstFP, Type: t, Lo: bits})
	case syntax.ConstNull:
		switch n.Kind {
		case ir.KRef, ir.KIRef, ir.KFuncRef, ir.KThreadRef, ir.KStackRef:
			return l.literal(ir.Const{Kind: ir.ConstNull, Type: t})
		}
		l.errorf(v.Off, "NULL: wanted a constant of type %s", l.text(t))
		return nil
	}
	if n.Kind != ir.KStruct {
		l.errorf(v.Off, "wanted a constant of type %s, found the constant of a struct", l.text(t))
		return nil
	}
	if len(n.Fields) != len(c.List) {
		l.errorf(v.Off, "%s has %s, got %d", l.text(t), count(len(n.Fields), "field"), len(c.List))
		return nil
	}
	out := &ir.Const{Kind: ir.ConstAggregate, Type: t, Elems: make([]*ir.Const, len(c.List))}
	for i := range c.List {
		if out.Elems[i] = l.element(n.Fields[i], &c.List[i], devs); out.Elems[i] == nil {
			out = nil
			break
		}
	}
	return out
}

// element makes an element of a struct constant.
func (l *loader) element(t ir.TypeID, v *syntax.Value, devs deviations) *ir.Const {
	if v.Const != nil {
		return l.constOf(t, *v, devs)
	}
	e := l.find(v.Name.Sym)
	switch {
	case e == nil:
		l.unknown(v.Name, "constant", func(n syntax.Name) string { return l.hintEntity(n, (*entity).isValue) })
		return nil
	case e.con == nil:
		l.wrongKind(v.Name, e, "a constant")
		return nil
	case e.typ == ir.NoType:
		return nil
	case e.typ != t:
		l.errorf(v.Off, "%s: wanted a constant of type %s, found one of type %s", l.name(v.Name), l.text(t), l.text(e.typ))
		return nil
	}
	if d, ok := e.def.(*syntax.ConstDef); ok && e.kind == entConst && e.bundle == l.number {
		l.evaluate(d, e)
	}
	return e.con
}

// intConst makes a constant from an integer literal.
func (l *loader) intConst(t ir.TypeID, v syntax.Value, devs deviations) *ir.Const {
	n, c := l.types.At(t), v.Const
	if n.Kind != ir.KInt {
		switch zero := c.Int.Lo|c.Int.Hi == 0 && !c.Int.TooBig; {
		case zero && n.Kind.IsNullable() && n.Kind != ir.KTagRef64:
			l.deviate(devs, "zero for NULL", v.Off, "0 where a reference is wanted: it is NULL")
			return l.literal(ir.Const{Kind: ir.ConstNull, Type: t})
		default:
			l.errorf(v.Off, "%s: wanted a constant of type %s, found an integer", l.literalText(c), l.text(t))
			return nil
		}
	}
	if l.b.Binary && n.Bits > 64 && c.Int.Neg { // the 64 bits of the literal are zero-extended
		c.Int.Neg, c.Int.Lo = false, -c.Int.Lo
	}
	if !c.Int.Fits(n.Bits) {
		l.deviate(devs, "integer out of range", v.Off, "%s does not fit int<%d>: it is taken modulo 2^%d", l.literalText(c), n.Bits, n.Bits)
	}
	hi, lo := c.Int.Bits()
	hi, lo = lex.Mask(hi, lo, n.Bits)
	return l.literal(ir.Const{Kind: ir.ConstInt, Type: t, Hi: hi, Lo: lo})
}

// literalText returns a literal as it is written.
func (l *loader) literalText(c *syntax.Const) string {
	off, end := c.At, c.At
	switch c.Kind {
	case syntax.ConstInt:
		off, end = c.Int.Off, c.Int.End
	case syntax.ConstFP:
		off, end = c.FP.Off, c.FP.End
	}
	if l.b.Binary {
		return "the constant"
	}
	return lex.Quote([]byte(l.b.Text(off, end)))
}
