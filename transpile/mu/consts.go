package mu

import (
	"github.com/uvm2go/uvm2go/internal/lexis/graph"
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/internal/lexis/symbol"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// defineVars sets the types of constants, cells, functions and exposed functions,
// and the values of constants (docs/language.md, "Definitions"). Forward references
// are allowed, so types are set before values.
func (l *loader) defineVars(consts map[*syntax.ConstDef]*ir.Const) {
	for _, d := range l.b.Defs {
		switch d := d.(type) {
		case *syntax.ConstDef:
			l.constType(d, consts[d])
		case *syntax.GlobalDef:
			l.globalType(d)
		case *syntax.FuncDecl:
			l.funcSig(d.Name, d.Sig)
		case *syntax.FuncDef:
			l.funcSig(d.Name, d.Sig)
		}
	}
	for _, d := range l.b.Defs {
		if d, ok := d.(*syntax.ExposeDef); ok {
			l.exposeType(d)
		}
	}
	cycles := l.checkConstCycles(consts)
	var lists []*syntax.ConstDef // after the numbers, because they may contain converted copies of these
	for _, d := range l.b.Defs {
		switch d := d.(type) {
		case *syntax.ConstDef:
			if d.Kind == syntax.ConstList {
				lists = append(lists, d)
				continue
			}
			l.constValue(d, consts[d], cycles)
		case *syntax.ExposeDef:
			l.exposeCookie(d)
		}
	}
	for _, d := range lists {
		l.constValue(d, consts[d], cycles)
	}
}

// own finds the entity that a definition of the bundle entered; nil if its name
// was already taken.
func (l *loader) own(n syntax.Name, kind entKind) *entity {
	if e := l.find(n.Sym); e != nil && e.kind == kind && e.bundle == l.number && e.pos == l.b.Pos(n.Off) {
		return e
	}
	return nil
}

func (l *loader) constType(d *syntax.ConstDef, c *ir.Const) {
	t := l.typeOf(d.Type)
	if t != ir.NoType && !l.info.isValue(t) {
		l.errorf(d.Type.Off, "%s: invalid %s of a constant: %s is not a type of values", l.name(d.Name), l.called("type", d.Type), l.info.notValue(t))
		t = ir.NoType
	}
	c.Type = t
}

func (l *loader) globalType(d *syntax.GlobalDef) {
	t := l.typeOf(d.Type)
	if l.types.Kind(t) == ir.KHybrid {
		l.errorf(d.Type.Off, "%s: invalid %s of a global cell: it may not be a hybrid", l.name(d.Name), l.called("type", d.Type))
		t = ir.NoType
	}
	if e := l.own(d.Name, entGlobal); e != nil {
		if t != ir.NoType {
			l.checkCells(d, t)
		}
		e.con.Global.Type = t
		l.out.GlobalConst(e.con.Global) // sets the type of e.con
	}
}

func (l *loader) funcSig(name, sig syntax.Name) {
	e := l.own(name, entFunc)
	if e == nil {
		return // the name is taken; the body is checked against its own signature
	}
	t := l.sigOf(sig)
	switch old := e.fn.Sig; {
	case t == ir.NoType:
	case old != ir.NoType && old != t:
		l.errorf(sig.Off, "%s redefined with %s, want %s", l.name(name), l.called("signature", sig), l.types.String(old)).
			Before(e.fn.Pos)
		l.clash(sig.Off)
	case old == ir.NoType:
		e.fn.Sig = t
		l.out.FuncConst(e.fn)
	}
	for _, i := range e.fn.Impls {
		i.Sig = e.fn.Sig
	}
}

func (l *loader) exposeType(d *syntax.ExposeDef) {
	if flag := l.name(d.Flag); flag != "#DEFAULT" {
		l.errorf(d.Flag.Off, "%s: unknown calling convention %s, want #DEFAULT", l.name(d.Name), flag)
	}
	// A built one without a name has a description in its place, and no symbol.
	if name := l.name(d.Name); ir.IsGlobal(name) {
		if why := symbol.Fault(name[1:]); why != "" {
			l.errorf(d.Name.Off, "%s: %s", name, why)
		}
	}
	f := l.find(d.Func.Sym)
	switch {
	case f == nil:
		l.unknown(d.Func, entFunc)
		return
	case f.kind != entFunc:
		l.wrongKind(d.Func, f, entFunc)
		return
	case f.fn.Sig == ir.NoType:
		return
	}
	l.checkNative(nil, d.Func, f.fn.Sig)
	if e := l.own(d.Name, entExpose); e != nil {
		x := e.con.Expose
		x.Func = f.fn
		x.Type = l.types.Of(ir.KUFuncPtr, f.fn.Sig)
		l.out.ExposeConst(x)
	}
}

func (l *loader) exposeCookie(d *syntax.ExposeDef) {
	c := l.find(d.Cookie.Sym)
	switch {
	case c == nil:
		l.unknown(d.Cookie, entConst)
	case c.kind != entConst:
		l.wrongKind(d.Cookie, c, entConst)
	case c.con.Type == ir.NoType:
	case c.con.Type != l.info.i64:
		l.errorf(d.Cookie.Off, "%s: the cookie of %s wants type int<64>, got %s", l.name(d.Cookie), l.name(d.Name), l.types.String(c.con.Type))
	default:
		if e := l.own(d.Name, entExpose); e != nil {
			e.con.Expose.Cookie = c.con
		}
	}
}

// constValue evaluates a constant, whose type is known. cycles has the places of
// elements whose errors were reported.
func (l *loader) constValue(d *syntax.ConstDef, c *ir.Const, cycles map[syntax.Off]bool) {
	if c.Type == ir.NoType {
		if d.Kind == syntax.ConstList {
			for _, n := range d.List {
				l.globalVar(n)
			}
		}
		return
	}
	k := l.types.Kind(c.Type)
	if what := d.Unfit(typeKind(k)); what != "" {
		l.errorf(d.ValOff, "%s: invalid %s for %s (%s)%s", l.name(d.Name), what, l.called("type", d.Type), l.types.Structure(c.Type, 2), literalAdvice(k))
		return
	}
	switch d.Kind {
	case syntax.ConstInt:
		bits := uint32(64)
		if k == ir.KInt {
			bits = l.types.At(c.Type).Bits
		}
		if !d.Int.Fits(bits) {
			l.deviate(&l.top, devK, d.Int.Off, "%s: %s does not fit in %d bits", l.name(d.Name), l.b.Literal(d.Int), bits)
		}
		c.Kind = ir.ConstInt
		c.Hi, c.Lo = d.Int.Bits()
		c.Hi, c.Lo = lex.Mask(c.Hi, c.Lo, bits)
	case syntax.ConstFP:
		c.Kind = ir.ConstFP
		c.Lo = l.fpBits(d.Name, d.FP)
	case syntax.ConstNull:
		c.Kind = ir.ConstNull
	case syntax.ConstExtern:
		if why := symbol.Fault(d.Symbol); why != "" {
			l.errorf(d.StrOff, "%s: %s", l.name(d.Name), why)
		}
		c.Kind, c.Sym = ir.ConstExtern, d.Symbol
	case syntax.ConstList:
		l.listValue(d, c, cycles)
	}
}

func (l *loader) listValue(d *syntax.ConstDef, c *ir.Const, cycles map[syntax.Off]bool) {
	n := l.types.At(c.Type)
	want, what := uint64(len(n.Fields)), "fields"
	if n.Kind != ir.KStruct {
		want, what = n.Len, "elements"
	}
	if uint64(len(d.List)) != want {
		l.errorf(d.ValOff, "%s: %s has %d %s, got %s", l.name(d.Name), l.name(d.Type), want, what, count(len(d.List), "value"))
	}
	c.Kind = ir.ConstAggregate
	c.Elems = make([]*ir.Const, len(d.List))
	for i, m := range d.List {
		c.Elems[i] = c // instead of a faulty one
		e := l.globalVar(m)
		if e == nil || e.con.Type == ir.NoType || uint64(i) >= want || cycles[m.Off] {
			continue
		}
		t := n.Elem
		if n.Kind == ir.KStruct {
			t = n.Fields[i]
		}
		const format = "%s: element %d of %s wants %s, got %s"
		switch l.classify(e.con.Type, t, useInt) {
		case devNone:
			c.Elems[i] = e.con
		case devC:
			l.deviate(&l.top, devC, m.Off, format, l.name(m), i, l.name(d.Name), l.types.String(t), l.types.String(e.con.Type))
			c.Elems[i] = l.resized(e.con, t)
		default:
			l.errorf(m.Off, format, l.name(m), i, l.name(d.Name), l.types.String(t), l.types.String(e.con.Type))
		}
	}
}

// resized returns an integer constant truncated or zero-extended to another type.
func (l *loader) resized(c *ir.Const, t ir.TypeID) *ir.Const {
	r := retyped(c, t)
	r.Hi, r.Lo = lex.Mask(c.Hi, c.Lo, l.types.At(t).Bits)
	return r
}

// retyped returns a copy of a constant, without a name, that has another type.
func retyped(c *ir.Const, t ir.TypeID) *ir.Const {
	r := *c
	r.Type, r.Name, r.ID = t, "", 0
	return &r
}

// globalVar resolves a name that must denote a global variable; it returns nil
// after a report.
func (l *loader) globalVar(n syntax.Name) *entity {
	e := l.find(n.Sym)
	switch {
	case e == nil:
		l.unknown(n, entConst)
	case !e.kind.isGlobalVar():
		d := l.errorf(n.Off, "%s is %s, not a constant, cell, function or exposed function", l.name(n), e.kind)
		if e.pos.IsValid() {
			d.Also(e.pos, "defined")
		}
	default:
		return e
	}
	return nil
}

// checkConstCycles reports list constants that contain themselves, and returns the
// places of the elements that close a cycle.
func (l *loader) checkConstCycles(consts map[*syntax.ConstDef]*ir.Const) map[syntax.Off]bool {
	var lists []*syntax.ConstDef
	number := map[*ir.Const]int{}
	for _, d := range l.b.Defs {
		if d, ok := d.(*syntax.ConstDef); ok && d.Kind == syntax.ConstList {
			number[consts[d]] = len(lists)
			lists = append(lists, d)
		}
	}
	cycles := map[syntax.Off]bool{}
	elems := func(i int) []int {
		nodes := make([]int, len(lists[i].List))
		for k, n := range lists[i].List {
			nodes[k] = -1
			if e := l.find(n.Sym); e != nil && e.kind == entConst {
				if c, ok := number[e.con]; ok {
					nodes[k] = c
				}
			}
		}
		return nodes
	}
	graph.Cycles(len(lists), elems, func(cycle []int, edge int) {
		n := lists[cycle[len(cycle)-1]].List[edge]
		l.errorf(n.Off, "%s: a constant cannot contain itself", l.name(n))
		cycles[n.Off] = true
	})
	return cycles
}

// fpBits returns the bit pattern of the floating-point literal of a constant.
func (l *loader) fpBits(owner syntax.Name, f *syntax.FPLit) uint64 {
	bits, status := f.Pattern(l.b.Text(f.Off, f.End), f.Double)
	switch status {
	case lex.FPTooLong:
		l.errorf(f.Bits.Off, "%s: %s does not fit in %d bits", l.name(owner), l.b.Literal(f.Bits), f.Width())
	case lex.FPOverflow:
		l.diags.Warnf(l.b.Pos(f.Off), "%s: %s is too large, it becomes infinity", l.name(owner), l.b.Text(f.Off, f.End))
	}
	return bits
}
