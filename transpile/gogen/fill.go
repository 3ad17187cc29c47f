package gogen

import (
	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// fillLeast is the number of turns from which on a loop of stores is done at once.
const fillLeast = 16

// fill emits, before a jump to the header of a loop that fills memory with
// zeros, what does the rest of the loop at once: all turns but one, which is done
// as ever and leaves the loop. The store of the turn that has just been done tells
// that the object is there.
//
// Go compiles clear to a function that needs no stack, so pointers may be alive
// (see base.go).
func (e *fn) fill(out *code, from ir.BlockID, d *ir.Dest) {
	if e.opt.Sanitize || e.Threads {
		return
	}
	for _, id := range e.v.Blocks[from].Insts {
		if !e.v.Insts[id].Has(ir.FlagFill) {
			continue
		}
		f, ok := analysis.FindFill(e.v, e.p.Types, e.plan.CFG, id)
		if !ok || f.Header != d.Block {
			return
		}
		in, addr := &e.v.Insts[id], e.v.Insts[f.Addr]
		if l := e.lay.Of(in.Ty); l.Size != e.lay.Of(addr.Ty).Size && addr.Op == ir.OpShiftIRef || l.Size != l.Size.AlignUp(l.Align) {
			return
		}
		ty := e.goType(in.Ty)
		if e.kind(in.Ty) == ir.KInt && e.at(in.Ty).Bits == 1 {
			ty = "uint8"
		}
		k := e.name[e.v.Blocks[f.Header].Params[f.Param]]
		if k == "" {
			return
		}
		last := k + " = %s - 2" // the jump adds 1
		if !e.plan.Inline[e.plan.Alias[f.Next]] {
			last = e.name[e.plan.Alias[f.Next]] + " = %s - 1"
		}
		addr.Args = []ir.ValueID{addr.Args[0], f.Next}
		n := e.scope.local("n")
		*out = append(*out, jen.If(raw("%s := %s - %s; %s > %d", n, e.typed(f.Limit), e.expr(f.Next), n, fillLeast)).Block(
			raw("clear(unsafe.Slice((*%s)(%s), %s-1))", ty, e.placeOf(&addr).pointer(), n),
			raw(last, e.expr(f.Limit))))
		return
	}
}
