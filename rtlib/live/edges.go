package live

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/live/regs"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Branches, and the moves of arguments to parameters.

// move is a word that is to be copied, or a constant to be put somewhere.
type move struct {
	to, from uint16
	isConst  bool
	imm      uint64
}

// back reports whether an edge leads to a block that does not come later: such an edge is a safepoint.
func (c *compiler) back(from, to ir.BlockID) bool { return c.index[to] <= c.index[from] }

// take makes the moves of an edge and the jump at its end, which is left out if the edge leads to
// the block that comes next.
func (c *compiler) take(from ir.BlockID, d *ir.Dest, next ir.BlockID) {
	c.takeWith(from, d, next, false)
}

// takeWith is take; caught says that the exception that was caught is moved, too.
func (c *compiler) takeWith(from ir.BlockID, d *ir.Dest, next ir.BlockID, caught bool) {
	for class := range regs.Class(2) {
		l := c.movesOf(class, d)
		if e := c.v.Blocks[d.Block].Exc; caught && e != 0 && class == regs.Root {
			l = append(l, move{to: c.rootAt(e, 0), from: c.excRoot()})
		}
		c.moves(class, l)
	}
	switch {
	case c.back(from, d.Block):
		at := c.emit(opLoop, 0, 0, 0, 0)
		c.from[at].at = c.words.BlockAt[d.Block] // the moves are made
		c.jumpTo(at, d.Block)
	case d.Block != next:
		c.jumpTo(c.emit(opJmp, 0, 0, 0, 0), d.Block)
	}
}

// jumpTo makes an instruction, whose imm is the distance, go to a block.
func (c *compiler) jumpTo(at int, b ir.BlockID) {
	c.jumps = append(c.jumps, jump{at, b, func(n int) { c.out[at].imm = uint64(n) }})
}

// simple reports whether an edge is nothing but a jump forward.
func (c *compiler) simple(from ir.BlockID, d *ir.Dest) bool {
	if c.back(from, d.Block) {
		return false
	}
	for class := range regs.Class(2) {
		for _, m := range c.movesOf(class, d) {
			if m.isConst || m.to != m.from {
				return false
			}
		}
	}
	return true
}

// way makes an instruction lead along an edge: it tells set the distance.
func (c *compiler) way(at int, from ir.BlockID, d *ir.Dest, set func(distance int)) {
	if c.simple(from, d) {
		c.jumps = append(c.jumps, jump{at, d.Block, set})
		return
	}
	c.edges = append(c.edges, edge{d, from, c.cur, false, func(to int) { set((to - at - 1) * insSize) }})
}

// exceptional makes a site lead to the exceptional destination of an instruction, if it has one.
func (c *compiler) exceptional(at int, s *site, from ir.BlockID, d *ir.Dest) {
	if d == nil {
		return
	}
	s.catches, s.caught = true, c.excRoot()
	c.edges = append(c.edges, edge{d, from, c.cur, true, func(to int) { s.exc = (to - at - 1) * insSize }})
}

// movesOf are the moves of one class on an edge.
func (c *compiler) movesOf(class regs.Class, d *ir.Dest) []move {
	var l []move
	for i, a := range d.Args {
		p := c.v.Blocks[d.Block].Params[i]
		n := c.sizeOf(p)[class]
		if n == 0 {
			continue
		}
		a = c.alias[a]
		if k := c.v.Values[a].Const; c.v.Values[a].Kind == ir.ValueConst {
			for j, x := range c.constWords(k)[class] {
				l = append(l, move{to: c.at2(class, p, int32(j)), isConst: true, imm: x})
			}
			continue
		}
		for j := range n {
			l = append(l, move{to: c.at2(class, p, j), from: c.at2(class, a, j)})
		}
	}
	return l
}

// at2 is the place of a word of a value.
func (c *compiler) at2(class regs.Class, x ir.ValueID, i int32) uint16 {
	if class == regs.Root {
		return c.rootAt(x, i)
	}
	return c.wordAt(x, i)
}

// moves makes all the moves as if at once.
func (c *compiler) moves(class regs.Class, l []move) {
	mov, imm := opMov, opImm
	if class == regs.Root {
		mov, imm = opMovR, opImmR
	}
	readers := map[uint16]int{}
	from := map[uint16]int{} // the move to a word, from 1
	for i, m := range l {
		if !m.isConst && m.to != m.from {
			readers[m.from]++
			from[m.to] = i + 1
		}
	}
	var ready []int
	for i, m := range l {
		if !m.isConst && m.to != m.from && readers[m.to] == 0 {
			ready = append(ready, i)
		}
	}
	made := make([]bool, len(l))
	run := func() {
		for len(ready) > 0 {
			m := l[ready[len(ready)-1]]
			made[ready[len(ready)-1]] = true
			ready = ready[:len(ready)-1]
			c.emit(mov, m.to, m.from, 0, 0)
			if readers[m.from]--; readers[m.from] == 0 {
				if k := from[m.from]; k != 0 && !made[k-1] {
					ready = append(ready, k-1)
				}
			}
		}
	}
	run()
	for i := range l { // the moves that are left form cycles
		m := &l[i]
		if m.isConst || m.to == m.from || made[i] {
			continue
		}
		t := c.tempOf(class)
		c.emit(mov, t, m.to, 0, 0)
		for k := range l {
			if !l[k].isConst && l[k].from == m.to && !made[k] {
				l[k].from = t
				readers[m.to]--
				readers[t]++
			}
		}
		ready = append(ready, i)
		run()
		c.temps[class]--
	}
	for _, m := range l {
		if m.isConst {
			c.emit(imm, m.to, 0, 0, m.imm)
		}
	}
}

func (c *compiler) tempOf(class regs.Class) uint16 {
	if class == regs.Root {
		return c.tempRoot()
	}
	return c.tempWord()
}

// branch makes BRANCH, whose edge inst makes, BRANCH2, WPBRANCH and SWITCH.
func branch(c *compiler, id ir.InstID, in *ir.Inst) {
	switch in.Op {
	case ir.OpBranch2:
		c.branch2(in)
	case ir.OpSwitch:
		c.switchOn(in)
	case ir.OpWPBranch:
		t := c.tempWord()
		w := c.p.watch(uint32(in.Imm))
		c.site(opDo, 0, 0, &site{do: enabled(t, w)})
		c.branchOn(opJTrue, t, &in.Dests[1], in, &in.Dests[0])
	}
}

// branch2 makes BRANCH2.
func (c *compiler) branch2(in *ir.Inst) {
	yes, no := &in.Dests[0], &in.Dests[1]
	x := c.alias[in.Args[0]]
	if c.fused[x] {
		c.compareAndBranch(&c.v.Insts[c.v.Values[x].Def], in, yes, no)
		return
	}
	if k := c.constant(x); k != nil {
		if k.Lo&1 == 0 {
			yes = no
		}
		c.take(in.Block, yes, -1)
		return
	}
	c.branchOn(opJTrue, c.wordAt(x, 0), yes, in, no)
}

// branchOn makes a jump to yes if the condition on a word holds, else to no.
func (c *compiler) branchOn(o op, b uint16, yes *ir.Dest, in *ir.Inst, no *ir.Dest) {
	if yes.Block == c.next && no.Block != c.next {
		o, yes, no = inverses[o], no, yes
	}
	at := c.emit(o, 0, b, 0, 0)
	c.way(at, in.Block, yes, func(n int) { c.out[at].imm = uint64(n) })
	c.take(in.Block, no, c.next)
}

// maxTable is the most entries of a table of a switch, and sparse how many entries there may be
// for a key.
const (
	maxTable = 1 << 16
	sparse   = 4
)

// switchOn makes SWITCH.
func (c *compiler) switchOn(in *ir.Inst) {
	if c.at(in.Ty).Kind == ir.KInt && c.at(in.Ty).Bits > 64 || isRoot(c.at(in.Ty).Kind) {
		c.switchFar(in)
		return
	}
	s := &site{targets: map[uint64]int{}}
	c.switches = append(c.switches, s)
	at := c.site(opSwitch, 0, c.word(in.Args[0]), s)
	c.way(at, in.Block, &in.Dests[0], func(n int) { s.other = n })
	low, high := ^uint64(0), uint64(0)
	for _, k := range in.Args[1:] {
		x := c.constWords(c.constant(k))[regs.Plain][0]
		low, high = min(low, x), max(high, x)
	}
	if n := high - low; len(in.Args) > 1 && n < maxTable && n < uint64(len(in.Args))*sparse {
		s.low, s.table = low, make([]int, n+1)
	}
	for i, k := range in.Args[1:] {
		x := c.constWords(c.constant(k))[regs.Plain][0]
		c.way(at, in.Block, &in.Dests[1+i], func(n int) { s.targets[x] = n })
	}
}

// fill fills in the table, when the distances are known.
func (s *site) fill() {
	for i := range s.table {
		n, ok := s.targets[s.low+uint64(i)]
		if !ok {
			n = s.other
		}
		s.table[i] = n
	}
}

// switchFar makes a SWITCH on values of other kinds, as a row of comparisons.
func (c *compiler) switchFar(in *ir.Inst) {
	for i, k := range in.Args[1:] {
		t := c.tempWord()
		c.lanes(ir.OpEQ, in.Ty, c.operand(in.Args[0]), c.operand(k), words{plains: []uint16{t}})
		at := c.emit(opJTrue, 0, t, 0, 0)
		c.way(at, in.Block, &in.Dests[1+i], func(n int) { c.out[at].imm = uint64(n) })
		c.temps = [2]int{}
	}
	c.take(in.Block, &in.Dests[0], -1)
}

// enabled puts into a word whether a watchpoint is enabled.
func enabled(to uint16, w *core.Watch) func(fp ptr) {
	return func(fp ptr) { setWord(fp, to, b2u(core.Enabled(w))) }
}
