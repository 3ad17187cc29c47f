package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// direct makes calls through constant tables direct:
//
//  1. A load from a cell that is read-only, or settled when the program starts, becomes what the
//     cell holds there: a number, or the address of a function or cell.
//  2. The function at the address of a function is that function, and such an address is not NULL.
//  3. Accesses by numbers to stack cells of the body go through references to them, for loads to find
//     what was stored there, such as the address of a table.
//
// Addresses are followed through casts, fields and constant indices to an offset, so it does not
// matter under which type a cell is seen; what is loaded must have the type of what is there.
//
// Needs: number. Leaves: dead addresses; calls that can be copied.
func direct(u *unit) int {
	d := &directer{unit: u, r: u.rename()}
	for b := range u.v.Blocks {
		if !u.v.Blocks[b].Dead {
			d.block(ir.BlockID(b))
		}
	}
	if d.found {
		for i := range u.v.Insts {
			if in := &u.v.Insts[i]; in.Op == ir.OpCall && d.r.find(in.Args[0]) != in.Args[0] {
				u.direct = append(u.direct, ir.InstID(i))
			}
		}
	}
	d.r.apply()
	return d.changes + d.r.n
}

type directer struct {
	*unit
	r       *rename
	changes int  // that rename does not count
	found   bool // functions at addresses
}

func (d *directer) block(b ir.BlockID) {
	v := d.v
	insts := v.Blocks[b].Insts
	of := func(in *ir.Inst) bool {
		return in.Op == ir.OpFuncAt || in.Op == ir.OpEQ || in.Op == ir.OpNE || plain(in) && (in.Op == ir.OpLoad || in.Has(ir.FlagPtr))
	}
	first := 0
	for first < len(insts) && !of(&v.Insts[insts[first]]) {
		first++
	}
	if first == len(insts) {
		return
	}
	v.Blocks[b].Insts = append(make([]ir.InstID, 0, len(insts)), insts[:first]...)
	for _, id := range insts[first:] {
		in := &v.Insts[id]
		if of(in) {
			if x := d.known(b, in); x != 0 {
				d.r.set(v.Insts[id].Results[0], x)
				continue
			}
			d.through(b, id)
		}
		v.Blocks[b].Insts = append(v.Blocks[b].Insts, id)
	}
}

// add appends an instruction to the part of the block that is done, and returns its result.
func (d *directer) add(b ir.BlockID, in ir.Inst, ty ir.TypeID) ir.ValueID {
	v := d.v
	id := v.InsertBefore(b, len(v.Blocks[b].Insts), in, []ir.TypeID{ty}, nil)
	return v.Insts[id].Results[0]
}

// known is the value that the result of an instruction is known to equal, or 0.
func (d *directer) known(b ir.BlockID, in *ir.Inst) ir.ValueID {
	switch in.Op {
	case ir.OpFuncAt:
		if f := d.addressed(in.Args[0]); f != nil && f.Sig == in.Sig {
			d.found = true
			return d.def(d.r.find(in.Args[0])).Args[0]
		}
	case ir.OpEQ, ir.OpNE:
		for i, x := range in.Args {
			if d.addressed(x) != nil && d.zeroAddress(in.Args[1-i]) {
				return d.boolean(in.Op == ir.OpNE)
			}
		}
	case ir.OpLoad:
		if in.Has(ir.FlagExc) {
			return 0
		}
		base, off, ok := d.place(d.r.find(in.Args[0]))
		c := d.constant(base)
		if !ok || c == nil || c.Kind != ir.ConstGlobal || c.Global.ThreadLocal {
			return 0
		}
		return d.content(b, in, c.Global, off)
	}
	return 0
}

// zeroAddress reports whether a value is the constant address 0.
func (d *directer) zeroAddress(x ir.ValueID) bool {
	c := d.constant(x)
	return c != nil && (c.Kind == ir.ConstNull || c.Kind == ir.ConstInt && c.Lo == 0 && c.Hi == 0)
}

// addressed is the function whose address a value is, or nil.
func (d *directer) addressed(x ir.ValueID) *ir.Function {
	in := d.def(d.r.find(x))
	if in == nil || in.Op != ir.OpFuncAddr {
		return nil
	}
	if c := d.constant(in.Args[0]); c != nil && c.Kind == ir.ConstFunc {
		return c.Func
	}
	return nil
}

// content is the value that a load from a cell yields, or 0 if it is not known.
func (d *directer) content(b ir.BlockID, in *ir.Inst, g *ir.Global, off layout.Num) ir.ValueID {
	pos, ty, v := in.Pos, in.Ty, d.v
	if g.ReadOnly && g.Init != nil {
		if c := d.within(g.Init, off, ty); c != nil && isNumber(c) {
			return d.constBits(c.Kind, c.Type, c.Lo, c.Hi)
		}
		return 0
	}
	s := d.cells[g][off]
	switch c := s.value; {
	case c == nil || s.ty != ty:
	case c.Kind == ir.ConstFunc:
		f := v.ConstValue(c)
		return d.add(b, ir.Inst{Op: ir.OpFuncAddr, Sig: c.Func.Sig, Args: []ir.ValueID{f}, Pos: pos}, ty)
	case c.Kind == ir.ConstGlobal:
		at := v.ConstValue(c)
		return d.add(b, ir.Inst{Op: ir.OpRefAddr, Ty: c.Type, Ty2: ty, Args: []ir.ValueID{at}, Pos: pos}, ty)
	case isNumber(c):
		return d.constBits(c.Kind, c.Type, c.Lo, c.Hi)
	}
	return 0
}

// within is the part of a type at an offset of a constant, nil if there is none.
func (s *state) within(c *ir.Const, off layout.Num, ty ir.TypeID) *ir.Const {
	for c.Kind == ir.ConstAggregate && (off != layout.Const(0) || c.Type != ty) {
		i, rest, ok := s.part(c.Type, off)
		if !ok || i >= len(c.Elems) {
			return nil
		}
		c, off = c.Elems[i], rest
	}
	if off != layout.Const(0) || c.Type != ty {
		return nil
	}
	return c
}

// part is the field or element of a type that contains the byte at an offset, and the offset of
// the byte in that part. It is the same for all word sizes.
func (s *state) part(ty ir.TypeID, off layout.Num) (i int, rest layout.Num, ok bool) {
	n, l := s.t.At(ty), s.layouts().Of(ty)
	minus := func(a layout.Num) layout.Num { return layout.Num{W4: off.W4 - a.W4, W8: off.W8 - a.W8} }
	switch n.Kind {
	case ir.KStruct:
		for i := len(n.Fields) - 1; i >= 0; i-- {
			o, size := l.Offsets[i], s.layouts().Of(n.Fields[i]).Size
			if r := minus(o); off.W4 >= o.W4 && off.W8 >= o.W8 && r.W4 < size.W4 && r.W8 < size.W8 {
				return i, r, true
			}
		}
	case ir.KArray:
		if l.Stride.W4 == 0 {
			return 0, off, false
		}
		i := off.W8 / l.Stride.W8
		r := minus(l.Stride.Mul(i))
		return int(i), r, i == off.W4/l.Stride.W4 && i < min(n.Len, 1<<30)
	}
	return 0, off, false
}

// place follows an address back to a base, from which it is off bytes away.
func (u *unit) place(x ir.ValueID) (base ir.ValueID, off layout.Num, ok bool) {
	off = layout.Const(0)
	for {
		in := u.def(x)
		if in == nil {
			return x, off, true
		}
		switch in.Op {
		case ir.OpPtrCast:
			if k := u.t.Kind(u.v.Values[in.Args[0]].Type); !k.IsPointer() || !u.t.Kind(u.v.Values[x].Type).IsPointer() {
				return x, off, true
			}
		case ir.OpRefAddr, ir.OpRefCast:
		case ir.OpGetFieldIRef:
			off = off.Add(u.layouts().Of(in.Ty).Offsets[in.Imm])
		case ir.OpGetElemIRef, ir.OpShiftIRef:
			k, known := u.intConst(in.Args[1])
			size := u.layouts().Of(in.Ty).Size
			if in.Op == ir.OpGetElemIRef {
				size = u.layouts().Of(in.Ty).Stride
			}
			if !known || k > 1<<30 {
				return x, off, false
			}
			off = off.Add(size.Mul(k))
		default:
			return x, off, true
		}
		if off.W8 >= layout.TooBig || off.W4 >= layout.TooBig {
			return x, off, false
		}
		x = in.Args[0]
	}
}

// through turns an access by number to a stack cell of the body into one by reference.
func (d *directer) through(b ir.BlockID, id ir.InstID) {
	v := d.v
	in := &v.Insts[id]
	if !plain(in) || !in.Has(ir.FlagPtr) || in.Has(ir.FlagRaw|ir.FlagExc) || d.opt.Sanitize {
		return
	}
	base, off, ok := d.place(d.r.find(in.Args[0]))
	cell := d.def(base)
	if !ok || cell == nil || cell.Op != ir.OpAlloca {
		return
	}
	ty, pos := in.Ty, in.Pos
	var steps []int
	at := cell.Ty
	for at != ty || off != layout.Const(0) {
		i, rest, ok := d.part(at, off)
		if !ok {
			return
		}
		steps, off = append(steps, i), rest
		if n := d.t.At(at); n.Kind == ir.KStruct {
			at = n.Fields[i]
		} else {
			at = n.Elem
		}
	}
	at = cell.Ty
	for _, i := range steps {
		n := *d.t.At(at)
		step := ir.Inst{Op: ir.OpGetFieldIRef, Ty: at, Imm: uint64(i), Args: []ir.ValueID{base}, Pos: pos}
		if n.Kind == ir.KStruct {
			at = n.Fields[i]
		} else {
			int64 := d.t.Int(64)
			step = ir.Inst{Op: ir.OpGetElemIRef, Ty: at, Ty2: int64, Args: []ir.ValueID{base, d.constBits(ir.ConstInt, int64, uint64(i), 0)}, Pos: pos}
			at = n.Elem
		}
		base = d.add(b, step, d.t.IRef(at))
	}
	in = &v.Insts[id]
	in.Args[0] = base
	in.Flags &^= ir.FlagPtr | ir.FlagPointer
	d.changes++
}

// A settled is a value that a hook stores somewhere in a settled cell.
type settled struct {
	ty    ir.TypeID
	value *ir.Const // a function or cell stands for its address
}

// settle finds what settled cells hold, by offset. It considers only constants that are stored in the
// first blocks of the hooks that run when the program starts.
func (s *state) settle() {
	s.cells = map[*ir.Global]map[layout.Num]settled{}
	if !slices.ContainsFunc(s.p.Globals, func(g *ir.Global) bool { return g.Settled }) {
		return
	}
	for _, f := range s.p.Hooks[ir.HookStart] {
		v := f.Current()
		if v == nil || f.Open() {
			continue
		}
		u := s.unit(v)
		for _, id := range v.Blocks[0].Insts {
			in := &v.Insts[id]
			if in.Op != ir.OpStore {
				continue
			}
			base, off, ok := u.place(in.Args[0])
			c := u.constant(base)
			if !ok || c == nil || c.Kind != ir.ConstGlobal || !c.Global.Settled {
				continue
			}
			x := in.Args[1]
			if a := u.def(x); a != nil && (a.Op == ir.OpFuncAddr || a.Op == ir.OpRefAddr) {
				x = a.Args[0]
			}
			if s.cells[c.Global] == nil {
				s.cells[c.Global] = map[layout.Num]settled{}
			}
			s.cells[c.Global][off] = settled{in.Ty, u.constant(x)}
		}
	}
}

// layouts is the table of layouts.
func (s *state) layouts() *layout.Table {
	if s.table == nil {
		s.table = layout.New(s.t)
	}
	return s.table
}
