package interp

import (
	"math/bits"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// regs is a set of registers.
type regs []uint64

func (s regs) add(r int)    { s[r>>6] |= 1 << (r & 63) }
func (s regs) remove(r int) { s[r>>6] &^= 1 << (r & 63) }

// live returns the registers that may still be read when the frame is at an
// instruction: those that the rest of its block and the blocks after it use. Only
// these registers keep objects alive.
func (c *code) live(pc int) []int {
	in := &c.ins[pc]
	if in.alive != nil {
		return in.alive
	}
	in.alive = []int{} // not nil
	seen := map[int]bool{}
	for p := pc; ; p++ {
		src := c.ins[p].src
		for _, id := range src.Results {
			seen[c.reg[id]] = true // not written yet
		}
		eachUse(src, func(id ir.ValueID) {
			if c.v.Values[id].Kind == ir.ValueConst {
				return
			}
			if r := c.reg[id]; !seen[r] {
				seen[r] = true
				in.alive = append(in.alive, r)
			}
		})
		if src.IsTerminator() {
			c.liveAfter(src.Block, func(r int) {
				if !seen[r] {
					in.alive = append(in.alive, r)
				}
			})
			return in.alive
		}
	}
}

// maxLive is the number of bits that the sets of a body may have. In a larger body all shared
// registers count as live.
const maxLive = 1 << 28

// liveAfter calls f for the shared registers that the blocks after a block read.
func (c *code) liveAfter(b ir.BlockID, f func(r int)) {
	if len(c.v.Blocks)*c.shared > maxLive {
		for r := range c.shared {
			f(r)
		}
		return
	}
	if c.after == nil {
		c.findAfter()
	}
	for i, word := range c.after[b] {
		for ; word != 0; word &= word - 1 {
			f(i*64 + bits.TrailingZeros64(word))
		}
	}
}

// findAfter solves the equations of liveness.
func (c *code) findAfter() {
	v := c.v
	words := (c.shared + 63) / 64
	before := make([]regs, len(v.Blocks)) // read in the block or after it
	c.after = make([]regs, len(v.Blocks))
	for b := range v.Blocks {
		before[b], c.after[b] = make(regs, words), make(regs, words)
	}
	for changed := true; changed; {
		changed = false
		for b := len(v.Blocks) - 1; b >= 0; b-- {
			blk := &v.Blocks[b]
			if blk.Dead || len(blk.Insts) == 0 {
				continue
			}
			after := c.after[b]
			v.Succs(ir.BlockID(b), func(d *ir.Dest) {
				for i, word := range before[d.Block] {
					after[i] |= word
				}
			})
			now := make(regs, words)
			copy(now, after)
			for i := len(blk.Insts) - 1; i >= 0; i-- {
				src := &v.Insts[blk.Insts[i]]
				for _, id := range src.Results {
					c.ifShared(id, now.remove)
				}
				eachUse(src, func(id ir.ValueID) { c.ifShared(id, now.add) })
			}
			for _, id := range blk.Params {
				c.ifShared(id, now.remove)
			}
			if blk.Exc != 0 {
				c.ifShared(blk.Exc, now.remove)
			}
			for i, word := range now {
				if word&^before[b][i] != 0 {
					changed = true
					before[b][i] |= word
				}
			}
		}
	}
}

// ifShared calls f for the register of a value unless it belongs to one block.
func (c *code) ifShared(id ir.ValueID, f func(r int)) {
	if c.v.Values[id].Kind != ir.ValueConst && c.reg[id] < c.shared {
		f(c.reg[id])
	}
}
