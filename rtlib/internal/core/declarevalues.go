package core

import (
	"github.com/uvm2go/uvm2go/internal/lexis/decl"
	"github.com/uvm2go/uvm2go/internal/lexis/graph"
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	sym "github.com/uvm2go/uvm2go/internal/lexis/symbol"
	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// The values of the constants of a text that is loaded (docs/language.md, "Definitions").

// values checks the constants whose types have no errors.
func (d *declaration) values(tt *typeTable) {
	for _, x := range d.list {
		if x.def.Kind == defConst {
			d.checkValue(tt, x)
		}
	}
	d.checkCycles()
}

func (d *declaration) checkValue(tt *typeTable, x *declared) {
	v, t, name := x.def.Value, x.typ, x.def.Name.Text
	if t == nil {
		if v.Kind == decl.ConstList {
			for _, n := range v.Elems {
				d.variable(tt, n)
			}
		}
		return
	}
	if what := v.Unfit(typeKinds[t.Kind]); what != "" {
		d.fault(Check, v.ValOff, "%s: invalid %s for type %s", name, what, x.def.Of.Text)
		return
	}
	switch v.Kind {
	case decl.ConstFP:
		if _, status := v.FP.Pattern(v.Text, v.FP.Double); status == lex.FPTooLong {
			d.fault(Check, v.FP.Bits.Off, "%s: %s does not fit in %d bits", name, v.Bits, v.FP.Width())
		}
	case decl.ConstExtern:
		if why := sym.Fault(v.Symbol); why != "" {
			d.fault(Check, v.ValOff, "%s: %s", name, why)
		} else if _, ok := symbol(v.Symbol); !ok {
			d.fault(Check, v.ValOff, "%s: native symbol %q is not available: the program does not refer to it", name, v.Symbol)
		}
	case decl.ConstList:
		d.checkList(tt, x)
	}
}

func (d *declaration) checkList(tt *typeTable, x *declared) {
	v, t, name := x.def.Value, x.typ, x.def.Name.Text
	want, what := uint64(len(t.Fields)), "fields"
	if t.Kind != VStruct {
		want, what = t.Len, "elements"
	}
	if uint64(len(v.Elems)) != want {
		plural := "s"
		if len(v.Elems) == 1 {
			plural = ""
		}
		d.fault(Check, v.ValOff, "%s: %s has %d %s, got %d value%s", name, x.def.Of.Text, want, what, len(v.Elems), plural)
	}
	for i, n := range v.Elems {
		has := d.variable(tt, n)
		if has == nil || uint64(i) >= want {
			continue
		}
		if part := t.element(i); has != part && (has.Kind != VInt || part.Kind != VInt) {
			d.errorf(n, "%s: element %d of %s wants %s, got %s", n.Text, i, name, part.String(), has.String())
		}
	}
}

// element is the type of an element of a struct, array or vector.
func (v *VType) element(i int) *VType {
	if v.Kind == VStruct {
		return v.Fields[i]
	}
	return v.Elem
}

// variable returns the type of a global variable, nil after a report or if the type has errors.
func (d *declaration) variable(tt *typeTable, n declName) *VType {
	x, e := d.look(n)
	kind := numEntityKinds
	var t *VType
	switch {
	case x == nil && e == nil:
		d.errorf(n, "unknown name %s", n.Text)
		return nil
	case x != nil:
		kind, t = x.kind, x.typ
	default:
		kind, t = e.Kind, e.Type
	}
	switch kind {
	case GlobalEntity:
		if t != nil {
			t = d.derived(tt, VIRef, t)
		}
	case ConstEntity, FuncEntity, ExposeEntity:
	default:
		d.errorf(n, "%s is %s, not a constant, cell, function or exposed function", n.Text, entityWords[kind])
		return nil
	}
	return t
}

// checkCycles reports the elements of list constants that close a cycle.
func (d *declaration) checkCycles() {
	var lists []*declared
	number := map[*declared]int{}
	for _, x := range d.list {
		if x.def.Kind == defConst && x.def.Value.Kind == decl.ConstList {
			number[x] = len(lists)
			lists = append(lists, x)
		}
	}
	elems := func(i int) []int {
		names := lists[i].def.Value.Elems
		nodes := make([]int, len(names))
		for k, n := range names {
			nodes[k] = -1
			if c, ok := number[d.own[n.Text]]; ok {
				nodes[k] = c
			}
		}
		return nodes
	}
	graph.Cycles(len(lists), elems, func(cycle []int, edge int) {
		n := lists[cycle[len(cycle)-1]].def.Value.Elems[edge]
		d.errorf(n, "%s: a constant cannot contain itself", n.Text)
	})
}

// symbol is the address of a native symbol: one that the program refers to, that is implemented in Go, or that a
// program with cgo that loads code finds in its libraries.
func symbol(name string) (uintptr, bool) {
	for _, p := range packages {
		for _, e := range p.Externs {
			if e.Name == name && *e.Addr != 0 {
				return *e.Addr, true
			}
		}
	}
	return lateSymbol(name)
}

// value computes the value of a constant, or the address of another entity.
func (d *declaration) value(x *declared) *constValue {
	if x.ent.value != nil {
		return x.ent.value
	}
	v, t := x.def.Value, x.typ
	c := &constValue{}
	switch v.Kind {
	case decl.ConstInt:
		bits := uint32(8 * mem.WordSize)
		if t.Kind == VInt {
			bits = t.Bits
		}
		hi, lo := v.Int.Bits()
		hi, lo = lex.Mask(hi, lo, bits)
		if c.w = append(c.w, lo); bits > 64 {
			c.w = append(c.w, hi)
		}
	case decl.ConstFP:
		bits, _ := v.FP.Pattern(v.Text, v.FP.Double)
		c.w = []uint64{bits}
	case decl.ConstNull:
		if t.Kind == VFuncRef {
			c.w = []uint64{0}
		} else {
			c.r = []uintptr{0}
		}
	case decl.ConstExtern:
		addr, _ := symbol(v.Symbol)
		c.w = []uint64{uint64(addr)}
	case decl.ConstList:
		for i, n := range v.Elems {
			w, r := d.variableValue(n)
			if part := t.element(i); part.Kind == VInt {
				w = resized(w, part.Bits)
			}
			c.w, c.r = append(c.w, w...), append(c.r, r...)
		}
	}
	x.ent.value = c
	return c
}

// resized is an integer truncated or zero-extended to a width (docs/language.md, "Accepted deviations", c).
func resized(w []uint64, bits uint32) []uint64 {
	hi, lo := uint64(0), w[0]
	if len(w) > 1 {
		hi = w[1]
	}
	if hi, lo = lex.Mask(hi, lo, bits); bits > 64 {
		return []uint64{lo, hi}
	}
	return []uint64{lo}
}

// variableValue is the value of a global variable, flattened.
func (d *declaration) variableValue(n declName) (w []uint64, r []uintptr) {
	x, e := d.look(n)
	if x != nil {
		if x.def.Kind == defConst {
			c := d.value(x)
			return c.w, c.r
		}
		e = x.ent
	}
	switch e.Kind {
	case ConstEntity:
		return ConstantOf(d.t, e)
	case GlobalEntity:
		return nil, []uintptr{e.Addr}
	case FuncEntity:
		return []uint64{uint64(refOf(e.Func))}, nil
	}
	return []uint64{uint64(e.Exposure.addr)}, nil
}
