// Package regs assigns words of a frame to the values of a body: values that are alive at the
// same time get different words, and others share them.
//
// It is a linear scan (Poletto and Sarkar, 1999) over live intervals without holes, in a
// reverse postorder in which the blocks of a loop are contiguous, so that an interval that
// begins before a loop and ends after it covers the loop. Block parameters prefer the words of
// their arguments, and the reverse, which makes most moves at branches unnecessary. There are
// two classes of words, which the frame keeps apart: roots, which the collector follows, and
// all others.
//
// It takes time in proportion to the size of the body times the depth of its loops, which the caller limits
// (analysis.InnerLoops).
package regs

import (
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Class is a class of words.
type Class int

// The classes.
const (
	Root    Class = iota // what the collector follows
	Plain                // all else
	classes              // how many there are
)

// Size is how many words of each class a value takes, in a row for each class.
type Size [classes]int32

// Body is a body and what its values need.
type Body struct {
	V   *ir.Version
	CFG *analysis.CFG
	// Order is the order in which the code of the blocks stands, see Order.
	Order []ir.BlockID
	Loops *analysis.Loops
	// Size is what a value takes. A value that takes nothing is not looked at: it is a constant, or
	// its users compute it or find it elsewhere.
	Size func(ir.ValueID) Size
	// Reads calls f for the values that an instruction reads when it runs, the arguments of its
	// destinations not among them.
	Reads func(id ir.InstID, f func(ir.ValueID))
	// Argument is the value that an argument of a destination stands for.
	Argument func(ir.ValueID) ir.ValueID
	// Room is the memory of the result.
	Room *Room
}

// A Room is memory for the results of one body after another.
type Room struct {
	intervals lex.Slab[Interval]
	numbers   lex.Slab[int32]
	blocks    lex.Slab[ir.BlockID]
	flags     lex.Slab[bool]
	hints     []hint
	busy      [classes][]int32
	free      [classes][]int32
	ends      [classes]expiries
}

// Reset makes room of all results, which must not be used any more.
func (r *Room) Reset() {
	r.intervals.Reset()
	r.numbers.Reset()
	r.blocks.Reset()
	r.flags.Reset()
}

// none gives n numbers that are -1.
func (r *Room) none(n int) []int32 {
	l := r.numbers.Make(n)
	for i := range l {
		l[i] = -1
	}
	return l
}

// Words says where values are, and when.
type Words struct {
	First [classes][]int32 // by ValueID: the first word, -1 for none
	Count [classes]int32   // how many words there are
	Live  []Interval       // by ValueID
	// Positions of the starts of blocks, and where instructions read.
	BlockAt []int32
	InstAt  []int32
}

// Interval is the live interval of a value: from the position where it is written, or its block starts, to
// that of its last read. Positions are even where an instruction reads, and one more where it writes.
type Interval struct{ Start, End int32 }

type scan struct {
	*Body
	// loopEnd is the last position of each loop. If there are loops that Loops does not know, those with several entries
	// or around very many levels of others, the body is tangled: a value that other blocks read is alive until its end.
	loopEnd   []int32
	tangled   bool
	last      int32
	live      []Interval
	block     []ir.BlockID // where a value is defined
	blockAt   []int32      // position of the start of each block
	instAt    []int32      // of each instruction
	hints     hints
	words     Words
	busyUntil [classes][]int32
	free      [classes][]int32
	ends      [classes]expiries
}

// Assign gives the values of a body their words. Parameters of the entry come first, in order.
func Assign(b *Body) *Words {
	s := &scan{Body: b}
	n := len(b.V.Values)
	r := b.Room
	s.live = r.intervals.Make(n)
	s.block = r.blocks.Make(n)
	s.hints = hints{first: r.none(n), last: r.numbers.Make(n), list: r.hints[:0]}
	for c := range classes {
		s.words.First[c] = r.none(n)
		s.busyUntil[c], s.free[c], s.ends[c] = r.busy[c][:0], r.free[c][:0], r.ends[c][:0]
	}
	s.tangled = b.Loops.Partial || tangled(b.CFG)
	s.number()
	s.intervals()
	s.assign()
	r.hints, r.busy, r.free, r.ends = s.hints.list, s.busyUntil, s.free, s.ends
	s.words.Live, s.words.BlockAt, s.words.InstAt = s.live, s.blockAt, s.instAt
	return &s.words
}

// Order is the reachable blocks so that dominators come first and the blocks of each loop are in a row.
func Order(c *analysis.CFG, loops *analysis.Loops) []ir.BlockID {
	heads := map[ir.BlockID]analysis.LoopID{}
	for i := range loops.List {
		heads[loops.List[i].Header] = analysis.LoopID(i)
	}
	out := make([]ir.BlockID, 0, len(c.Order))
	placed := make([]bool, len(c.Index))
	var place func(blocks []ir.BlockID, in analysis.LoopID)
	place = func(blocks []ir.BlockID, in analysis.LoopID) {
		for _, b := range blocks {
			if placed[b] {
				continue
			}
			if l, ok := heads[b]; ok && l != in {
				place(loops.List[l].Blocks, l)
				continue
			}
			placed[b] = true
			out = append(out, b)
		}
	}
	place(c.Order, -1)
	return out
}

// tangled reports whether there is a loop with several entries.
func tangled(c *analysis.CFG) bool {
	for _, b := range c.Order {
		for _, p := range c.Preds[b] {
			if c.Index[p] >= c.Index[b] && !c.Dominates(b, p) {
				return true
			}
		}
	}
	return false
}

// number numbers the positions and notes where values begin.
func (s *scan) number() {
	s.blockAt, s.instAt = s.Room.numbers.Make(len(s.V.Blocks)), s.Room.numbers.Make(len(s.V.Insts))
	s.loopEnd = s.Room.numbers.Make(len(s.Loops.List))
	at := int32(0)
	begin := func(x ir.ValueID, b ir.BlockID, at int32) {
		if x != 0 {
			s.live[x], s.block[x] = Interval{at, at}, b
		}
	}
	for _, b := range s.Order {
		s.blockAt[b] = at
		for _, p := range s.V.Blocks[b].Params {
			begin(p, b, at)
		}
		begin(s.V.Blocks[b].Exc, b, at)
		for _, id := range s.V.Blocks[b].Insts {
			at += 2
			s.instAt[id] = at
			for _, r := range s.V.Insts[id].Results {
				begin(r, b, at+1)
			}
		}
		at += 2
		for l := s.Loops.Of[b]; l >= 0; l = s.Loops.List[l].Parent {
			s.loopEnd[l] = max(s.loopEnd[l], at-1)
		}
	}
	s.last = at
}

// intervals finds out how long values are alive.
func (s *scan) intervals() {
	var b ir.BlockID
	var at int32
	read := func(x ir.ValueID) { s.read(x, b, at) } // one for all instructions
	for _, b = range s.Order {
		at = s.blockAt[b]
		for _, id := range s.V.Blocks[b].Insts {
			at += 2
			s.Reads(id, read)
			for _, d := range s.V.Insts[id].Dests {
				for i, a := range d.Args {
					a = s.Argument(a)
					s.read(a, b, at+1)
					if p := s.V.Blocks[d.Block].Params[i]; a != p && !s.none(a) {
						s.hints.add(p, a)
						s.hints.add(a, p)
					}
				}
			}
		}
	}
}

func (s *scan) none(x ir.ValueID) bool { return s.Size(x) == Size{} }

// read says that a value is read at a position of a block.
func (s *scan) read(x ir.ValueID, b ir.BlockID, at int32) {
	if s.none(x) {
		return
	}
	l := &s.live[x]
	def := s.block[x]
	if s.tangled && def != b {
		at = s.last
	}
	l.End = max(l.End, at)
	for i := s.Loops.Of[b]; i >= 0 && !s.Loops.Contains(i, def); i = s.Loops.List[i].Parent {
		l.End = max(l.End, s.loopEnd[i])
	}
}

// assign hands out the words in the order in which values begin.
func (s *scan) assign() {
	for _, p := range s.V.Blocks[0].Params {
		for c, n := range s.Size(p) {
			if n > 0 {
				s.place(p, Class(c), s.fresh(Class(c), n), n)
			}
		}
	}
	for _, b := range s.Order {
		if b != 0 {
			for _, p := range s.V.Blocks[b].Params {
				s.give(p)
			}
			if e := s.V.Blocks[b].Exc; e != 0 {
				s.give(e)
			}
		}
		for _, id := range s.V.Blocks[b].Insts {
			for _, r := range s.V.Insts[id].Results {
				s.give(r)
			}
		}
	}
}

// give gives a value its words.
func (s *scan) give(x ir.ValueID) {
	for i, n := range s.Size(x) {
		if n == 0 {
			continue
		}
		c := Class(i)
		s.expire(c, s.live[x].Start)
		w := s.hinted(x, c, n)
		switch {
		case w >= 0:
		case n == 1:
			w = s.one(c, s.live[x].Start)
		default:
			w = s.run(c, n, s.live[x].Start)
		}
		s.place(x, c, w, n)
	}
}

// place puts a value into words.
func (s *scan) place(x ir.ValueID, c Class, w, n int32) {
	s.words.First[c][x] = w
	for i := range n {
		s.busyUntil[c][w+i] = s.live[x].End
		s.ends[c].push(expiry{s.live[x].End, w + i})
	}
}

// expire frees the words whose values have ended.
func (s *scan) expire(c Class, at int32) {
	for e := &s.ends[c]; len(*e) > 0 && (*e)[0].at < at; {
		x := e.pop()
		if s.busyUntil[c][x.word] == x.at {
			s.free[c] = append(s.free[c], x.word)
		}
	}
}

// hinted is the first word of a value that x is copied to or from, if its words are free; else -1.
func (s *scan) hinted(x ir.ValueID, c Class, n int32) int32 {
	for i := s.hints.first[x]; i >= 0; i = s.hints.list[i].next {
		h := s.hints.list[i].value
		if w := s.words.First[c][h]; w >= 0 && s.Size(h)[c] == n && s.isFree(c, w, n, s.live[x].Start) {
			return w
		}
	}
	return -1
}

func (s *scan) isFree(c Class, w, n, at int32) bool {
	for i := range n {
		if s.busyUntil[c][w+i] >= at {
			return false
		}
	}
	return true
}

// one takes a free word.
func (s *scan) one(c Class, at int32) int32 {
	for f := &s.free[c]; len(*f) > 0; {
		w := (*f)[len(*f)-1]
		*f = (*f)[:len(*f)-1]
		if s.busyUntil[c][w] < at {
			return w
		}
	}
	return s.fresh(c, 1)
}

// maxRun is the longest run of free words that is looked for: values that take more get new ones.
const maxRun = 64

// run takes n free words in a row.
func (s *scan) run(c Class, n, at int32) int32 {
	if n <= maxRun {
		run := int32(0)
		for w := range int32(min(len(s.busyUntil[c]), 4*maxRun)) {
			if run++; s.busyUntil[c][w] >= at {
				run = 0
			}
			if run == n {
				return w + 1 - n
			}
		}
	}
	return s.fresh(c, n)
}

// fresh adds words.
func (s *scan) fresh(c Class, n int32) int32 {
	w := s.words.Count[c]
	s.words.Count[c] += n
	for range n {
		s.busyUntil[c] = append(s.busyUntil[c], 0)
	}
	return w
}

// expiry is when a word becomes free.
type expiry struct{ at, word int32 }

// expiries is a heap with the earliest first.
type expiries []expiry

func (e *expiries) push(x expiry) {
	l := append(*e, x)
	i := len(l) - 1
	for i > 0 && x.at < l[(i-1)/2].at {
		l[i] = l[(i-1)/2]
		i = (i - 1) / 2
	}
	l[i] = x
	*e = l
}

func (e *expiries) pop() expiry {
	l := *e
	top, x := l[0], l[len(l)-1]
	l = l[:len(l)-1]
	*e = l
	if len(l) == 0 {
		return top
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= len(l) {
			break
		}
		if child+1 < len(l) && l[child+1].at < l[child].at {
			child++
		}
		if l[child].at >= x.at {
			break
		}
		l[i] = l[child]
		i = child
	}
	l[i] = x
	return top
}

// hints are, for each value, those that it is copied to or from, in the order in which they were added: lists
// in one slice.
type hints struct {
	first, last []int32 // by ValueID: places in list; first is -1 for none
	list        []hint
}

type hint struct {
	value ir.ValueID
	next  int32
}

func (h *hints) add(x, value ir.ValueID) {
	at := int32(len(h.list))
	h.list = append(h.list, hint{value, -1})
	if h.first[x] < 0 {
		h.first[x] = at
	} else {
		h.list[h.last[x]].next = at
	}
	h.last[x] = at
}
