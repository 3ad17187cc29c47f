package live

import (
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/rtlib/live/regs"
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A room is memory that is needed while the code of a body is made. The next body gets it again.
type room struct {
	graph  analysis.Room
	regs   regs.Room
	values lex.Slab[ir.ValueID]
	counts lex.Slab[int32]
	flags  lex.Slab[bool]
	depths lex.Slab[uint8]
	labels lex.Slab[int]
	pairs  lex.Slab[*pair]
	out    []ins
	from   []place
}

// leave takes back all memory.
func (r *room) leave(c *compiler) {
	r.regs.Reset()
	r.values.Reset()
	r.counts.Reset()
	r.flags.Reset()
	r.depths.Reset()
	r.labels.Reset()
	r.pairs.Reset()
	r.out, r.from = c.out[:0], c.from[:0]
	*c = compiler{}
}
