package live

import (
	"fmt"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/live/regs"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// part is the words of the part of a value that begins at some words and has a size.
func (w words) part(at, size regs.Size) words {
	return words{w.roots[at[0] : at[0]+size[0]], w.plains[at[1] : at[1]+size[1]]}
}

// replaced is w with the words of a part replaced.
func (w words) replaced(at regs.Size, by words) words {
	r := words{append([]uint16(nil), w.roots...), append([]uint16(nil), w.plains...)}
	copy(r.roots[at[0]:], by.roots)
	copy(r.plains[at[1]:], by.plains)
	return r
}

// fieldAt is where a field begins.
func (c *compiler) fieldAt(ty ir.TypeID, field int) (at regs.Size) {
	for _, f := range c.at(ty).Fields[:field] {
		s := c.size(f)
		at[0], at[1] = at[0]+s[0], at[1]+s[1]
	}
	return at
}

// aggregate makes EXTRACTVALUE, INSERTVALUE, EXTRACTELEMENT, INSERTELEMENT and SHUFFLEVECTOR.
func aggregate(c *compiler, id ir.InstID, in *ir.Inst) {
	to := c.results(in)
	x := c.operand(in.Args[0])
	switch in.Op {
	case ir.OpExtractValue:
		at := c.fieldAt(in.Ty, int(in.Imm))
		c.copy(to, x.part(at, c.size(c.at(in.Ty).Fields[in.Imm])))
		return
	case ir.OpInsertValue:
		c.copy(to, x.replaced(c.fieldAt(in.Ty, int(in.Imm)), c.operand(in.Args[1])))
		return
	}
	n := c.at(in.Ty)
	e := c.size(n.Elem)
	name := c.namer(id)
	detail := fmt.Sprintf("the length is %d", n.Len)
	if in.Op == ir.OpShuffleVector {
		detail = "a mask element selects no lane"
	}
	bounds := func(t *core.Ctx, i uint64, n uint64) {
		if i >= n {
			core.Fail(t, core.Bounds, name(), detail)
		}
	}
	element := func(w words, i uint64) words {
		at := regs.Size{e[0] * int32(i), e[1] * int32(i)}
		return w.part(at, e)
	}
	index := func(x ir.ValueID, ty ir.TypeID) func(fp ptr) uint64 {
		w, l := c.operand(x), c.leavesOf(ty)[0]
		return func(fp ptr) uint64 {
			if v := l.read(fp, w); v.Hi == 0 {
				return v.Lo
			}
			return ^uint64(0)
		}
	}
	switch in.Op {
	case ir.OpExtractElement:
		at := index(in.Args[1], in.Ty2)
		c.site(opRun, 0, 0, &site{run: func(t *core.Ctx, fp ptr) verdict {
			i := at(fp)
			bounds(t, i, n.Len)
			copier(to, element(x, i))(fp)
			return goOn
		}})
	case ir.OpInsertElement:
		at, v := index(in.Args[1], in.Ty2), c.operand(in.Args[2])
		c.site(opRun, 0, 0, &site{run: func(t *core.Ctx, fp ptr) verdict {
			i := at(fp)
			bounds(t, i, n.Len)
			copier(to, x.replaced(regs.Size{e[0] * int32(i), e[1] * int32(i)}, v))(fp)
			return goOn
		}})
	case ir.OpShuffleVector:
		y, mask := c.operand(in.Args[1]), c.operand(in.Args[2])
		l := c.leavesOf(in.Ty2)
		both := words{append(append([]uint16(nil), x.roots...), y.roots...), append(append([]uint16(nil), x.plains...), y.plains...)}
		c.site(opRun, 0, 0, &site{run: func(t *core.Ctx, fp ptr) verdict {
			var from words
			for _, m := range scalars(l, fp, mask) {
				i := m.Lo
				if m.Hi != 0 {
					i = ^uint64(0)
				}
				bounds(t, i, 2*n.Len)
				p := element(both, i)
				from.roots, from.plains = append(from.roots, p.roots...), append(from.plains, p.plains...)
			}
			copier(to, from)(fp)
			return goOn
		}})
	}
}

// copy copies words, which may overlap.
func (c *compiler) copy(to, from words) {
	if len(to.roots)+len(to.plains) == 1 {
		for i := range to.roots {
			c.emit(opMovR, to.roots[i], from.roots[i], 0, 0)
		}
		for i := range to.plains {
			c.emit(opMov, to.plains[i], from.plains[i], 0, 0)
		}
		return
	}
	c.site(opDo, 0, 0, &site{do: copier(to, from)})
}
