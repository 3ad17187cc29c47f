package ial

import (
	"github.com/uvm2go/uvm2go/transpile/ial/layout"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Memory of the frame. A pointer in memory of the frame keeps alive the object that it points
// into, unlike a pointer in an object, though both are numbers in the representation. So cells
// that may hold a pointer have the flag ROOTS:
//
//   - Cells of types with pointers. The collector also scans words of type int and uint in them.
//   - If memory of numbers may be written as pointers (facts.recast), all cells whose address
//     the program takes. A cell without references then consists only of words, and is larger
//     than necessary on some targets.

// frameCell makes a cell for a value. exposed says that the program has its address.
func (b *body) frameCell(t *module.Type, exposed bool) ir.ValueID {
	id := b.types.memory(t)
	if !exposed || !b.blank(t) || b.layouts.Of(t).Size.W8 < 4 {
		return b.alloca(ir.Inst{Op: ir.OpAlloca, Flags: b.roots(t, exposed), Ty: id})
	}
	l := b.layouts.Of(t)
	words := b.Types.StructOf(0, uint32(l.Align.W8), b.Types.Array(b.types.word, words(l)))
	return b.cast(b.alloca(ir.Inst{Op: ir.OpAlloca, Flags: ir.FlagRoots, Ty: words}), b.Types.IRef(id))
}

// frameBlock makes a cell with room for n elements, at least one, in its variable part.
func (b *body) frameBlock(t *module.Type, n ir.ValueID) ir.ValueID {
	elem, flags, first := b.types.memory(t), b.roots(t, true), b.Types.StructOf(0, 16)
	if b.blank(t) {
		elem, flags = b.types.word, ir.FlagRoots
		switch l := b.layouts.Of(t); l.Size.W4 {
		case 1, 2, 3:
			n = b.Bin(ir.OpAdd, b.Bin(ir.OpLShr, n, b.i64(int64(2/l.Size.W4))), b.i64(1))
		default:
			elem = b.Types.Array(elem, words(l))
		}
	}
	return b.alloca(ir.Inst{Op: ir.OpAllocaHybrid, Flags: flags, Ty: b.Types.Hybrid(elem, first), Ty2: b.TypeOf(n), Args: []ir.ValueID{n}})
}

func (b *body) alloca(in ir.Inst) ir.ValueID { return b.Inst(in)[0] }

// roots is the flag of cells that may hold pointers.
func (b *body) roots(t *module.Type, exposed bool) ir.InstFlags {
	if b.layouts.Of(t).Pointers || exposed && b.facts.recast {
		return ir.FlagRoots
	}
	return 0
}

// blank reports whether cells of a type, whose address the program has, consist of words that
// may hold anything.
func (b *body) blank(t *module.Type) bool {
	return b.facts.recast && b.layouts.Of(t).Size.W4 > 0 && len(b.facts.slots(t)) == 0
}

// words is a number of words that is enough for a value with either word size.
func words(l *layout.Layout) uint64 { return (max(l.Size.W4, (l.Size.W8+1)/2) + 3) / 4 }
