package ial

import (
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
	sizes "github.com/uvm2go/uvm2go/transpile/layout"
)

// Sizes, alignments and offsets as values. Those that depend on the target's word are
// computed from it: passes and Go's compiler make constants of them.

// number is a number that may depend on the word size.
func (b *body) number(n sizes.Num) ir.ValueID {
	if n.Fixed() {
		return b.i64(int64(n.W8))
	}
	wide := b.Bin(ir.OpMul, b.wide(), b.i64(int64(n.W8)-int64(n.W4)))
	return b.Bin(ir.OpAdd, wide, b.i64(int64(n.W4)))
}

// wide is 1 on 64-bit targets, 0 on others.
func (b *body) wide() ir.ValueID { return b.Bin(ir.OpLShr, b.ZExtWord(b.i64(-1)), b.i64(63)) }

// wordBits is the width of a word.
func (b *body) wordBits() ir.ValueID { return b.number(sizes.Num{W4: 32, W8: 64}) }

func (b *body) sizeOf(t *module.Type) ir.ValueID    { return b.number(b.layouts.Of(t).Size) }
func (b *body) alignOf(t *module.Type) ir.ValueID   { return b.number(b.layouts.Of(t).Align) }
func (b *body) offsetOf(f *module.Field) ir.ValueID { return b.number(b.layouts.Offset(f)) }
