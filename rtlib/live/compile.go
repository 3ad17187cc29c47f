package live

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/live/regs"
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// compiler makes the code of one body.
//
//  1. prepare decides which values need no words: constants, copies of other values, comparisons
//     that a branch makes, addresses that accesses compute.
//  2. regs.Assign assigns words to the others.
//  3. The blocks become instructions, in the order that regs has used. The arguments of a branch are moved to
//     the parameters at its end or, if it has several destinations, in separate pieces of code after all
//     blocks.
type compiler struct {
	*types
	p     *program
	f     *function
	v     *ir.Version
	cfg   *analysis.CFG
	order []ir.BlockID // of the code
	index []int32      // of blocks in order

	alias    []ir.ValueID // what a value is another name for, itself if for none
	uses     []int32      // how often a value is read
	fused    []bool       // a comparison that its branch makes
	inlined  []bool       // an address that accesses compute
	derived  []bool       // an address that only accesses use: what it is made from is a root as long as it lives
	anchors  []ir.ValueID // of inlined and derived addresses: the reference that they are made from in the end
	words    *regs.Words
	keep     regs.Size // words for keep-alive values
	rootTemp int       // first temporary word
	wordTemp int
	temps    [2]int   // temporaries in use for the instruction
	maxTemps [2]int32 // how many there are: none when the code is made for the first time
	needs    [2]int32 // how many the instructions need
	cells    bool     // makes stack cells
	cookie   bool     // reads its cookie

	room     *room
	free     []uint16 // see numbers
	out      []ins
	from     []place
	cur      ir.InstID
	next     ir.BlockID // the block whose code comes next, -1 for none
	sites    []*site
	labels   []int // of blocks: index in out, -1 for none yet
	jumps    []jump
	edges    []edge
	switches []*site
}

// jump is an instruction that goes to a block.
type jump struct {
	at    int // of the instruction
	block ir.BlockID
	set   func(distance int)
}

// edge is a way to a block that has code of its own, after the blocks.
type edge struct {
	dest  *ir.Dest
	from  ir.BlockID
	inst  ir.InstID
	exc   bool         // it is taken with an exception
	label func(at int) // told where the code is
}

// unfit is why the engine cannot run a body.
type unfit string

func (c *compiler) fail(format string, args ...any) {
	panic(unfit(fmt.Sprintf(format, args...)))
}

// maxWords is the most words of a frame: its head has 16 bits for them.
const maxWords = math.MaxUint16

// compile makes the code of a function's current version, or says why it cannot.
func (p *program) compile(f *function) (k *code, bad string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			why, ok := r.(unfit)
			if !ok {
				panic(r)
			}
			bad = string(why)
		}
	}()
	v := f.ir.Current()
	r := &p.room
	if openUnit != nil { // the compiler is kept, see exits
		r = new(room)
	}
	c := &compiler{types: p.types, p: p, f: f, v: v, room: r, cfg: r.graph.Of(v), index: r.counts.Make(len(v.Blocks)), out: r.out, from: r.from}
	if openUnit == nil {
		defer r.leave(c)
	}
	loops := analysis.InnerLoops(v, c.cfg)
	c.order = regs.Order(c.cfg, loops)
	for i, b := range c.order {
		c.index[b] = int32(i)
	}
	c.prepare()
	c.words = regs.Assign(&regs.Body{V: v, CFG: c.cfg, Order: c.order, Loops: loops, Size: c.sizeOf, Reads: c.reads, Argument: c.real, Room: &r.regs})
	c.place()
	c.blocks()
	if c.needs != c.maxTemps { // only now it is known how many temporaries the code needs
		c.maxTemps = c.needs
		c.place()
		c.blocks()
		if c.needs != c.maxTemps {
			panic("internal error: " + v.Name + ": too few temporaries")
		}
	}
	return c.finish(), ""
}

// real is the value that a value is another name for.
func (c *compiler) real(x ir.ValueID) ir.ValueID { return c.alias[x] }

// constant is the constant that a value is, nil for none.
func (c *compiler) constant(x ir.ValueID) *ir.Const { return c.v.Values[c.alias[x]].Const }

func (c *compiler) typeOf(x ir.ValueID) ir.TypeID { return c.v.Values[x].Type }

// sizeOf is the number of words that a value takes in the frame.
func (c *compiler) sizeOf(x ir.ValueID) regs.Size {
	if c.alias[x] != x || c.fused[x] || c.inlined[x] || c.v.Values[x].Kind == ir.ValueConst {
		return regs.Size{}
	}
	if c.derived[x] {
		return regs.Size{regs.Plain: 1}
	}
	return c.size(c.v.Values[x].Type)
}

// prepare does step 1.
func (c *compiler) prepare() {
	n := len(c.v.Values)
	c.alias, c.uses = c.room.values.Make(n), c.room.counts.Make(n)
	c.fused, c.inlined, c.derived = c.room.flags.Make(n), c.room.flags.Make(n), c.room.flags.Make(n)
	for i := range c.alias {
		c.alias[i] = ir.ValueID(i)
	}
	for _, b := range c.cfg.Order {
		for _, id := range c.v.Blocks[b].Insts {
			in := &c.v.Insts[id]
			if c.renames(in) {
				c.alias[in.Results[0]] = c.alias[in.Args[0]]
			}
			if in.Op == ir.OpAlloca || in.Op == ir.OpAllocaHybrid {
				c.cells = true
			}
			c.cookie = c.cookie || in.Op == ir.OpGetCookie
			if in.Op.Is(ir.MayKeep) && c.p.facts.Introspect {
				var s regs.Size
				for _, k := range in.Keep {
					e := c.size(c.typeOf(k))
					s[0], s[1] = s[0]+e[0], s[1]+e[1]
				}
				c.keep[0], c.keep[1] = max(c.keep[0], s[0]), max(c.keep[1], s[1])
			}
		}
	}
	// What a value is used for, and where: an address may be computed by the accesses that
	// use it, a comparison by the branch that follows in its block.
	address := c.room.flags.Make(n)
	for i := range address {
		address[i] = true
	}
	for _, b := range c.cfg.Order {
		for _, id := range c.v.Blocks[b].Insts {
			in := &c.v.Insts[id]
			if !c.renames(in) {
				for k, a := range in.Args {
					a = c.alias[a]
					c.uses[a]++
					address[a] = address[a] && k == 0 && c.takesAddress(in)
				}
			}
			for _, k := range in.Keep {
				c.uses[c.alias[k]]++
				address[c.alias[k]] = false
			}
			for _, d := range in.Dests {
				for _, a := range d.Args {
					c.uses[c.alias[a]]++
					address[c.alias[a]] = false
				}
			}
		}
	}
	for _, b := range c.cfg.Order {
		for _, id := range c.v.Blocks[b].Insts {
			in := &c.v.Insts[id]
			switch {
			case in.Op == ir.OpBranch2:
				x := c.alias[in.Args[0]]
				if v := &c.v.Values[x]; v.Kind == ir.ValueResult && c.uses[x] == 1 && c.v.Insts[v.Def].Block == b && c.fuses(&c.v.Insts[v.Def]) {
					c.fused[x] = true
				}
			case c.computes(in):
				r := in.Results[0]
				c.inlined[r] = address[r]
			}
		}
	}
	c.breakChains()
}

// maxChain is how many computations of addresses an access makes at most.
const maxChain = 8

// breakChains stores the addresses that would have a constant part that is too large, or take too many
// computations, and those with an index to which another is added: where they are of a row of a matrix, a loop
// over its columns does not compute them again.
func (c *compiler) breakChains() {
	depth := c.room.depths.Make(len(c.inlined))
	c.anchors = c.room.values.Make(len(c.inlined))
	for _, b := range c.cfg.Order { // an address comes after what it is made from
		for _, id := range c.v.Blocks[b].Insts {
			in := &c.v.Insts[id]
			if !c.computes(in) || !c.inlined[in.Results[0]] {
				continue
			}
			x, from := in.Results[0], c.alias[in.Args[0]]
			if c.anchors[x] = from; c.inlined[from] || c.derived[from] {
				c.anchors[x] = c.anchors[from]
			}
			if c.indexed(from) && in.Op.Is(ir.Indexed) && c.constant(in.Args[1]) == nil {
				c.storeAddress(from)
			}
			depth[x] = 1
			if c.inlined[from] {
				depth[x] += depth[from]
			}
			if _, ok := c.addressOf(in); !ok || depth[x] > maxChain {
				c.storeAddress(x)
			}
		}
	}
}

// storeAddress makes an address one that is computed where it is defined.
func (c *compiler) storeAddress(x ir.ValueID) {
	c.inlined[x] = false
	c.derived[x] = core.Is64 == 1
}

// renames reports whether the result of an instruction is the same as its operand.
func (c *compiler) renames(in *ir.Inst) bool {
	switch {
	case in.Op.Is(ir.Renames):
		return true
	case in.Op == ir.OpZExt: // in a frame of the engine there are zeros above all ints
		return c.at(in.Ty2).Kind == ir.KInt && c.at(in.Ty2).Bits <= 64
	case in.Op == ir.OpPtrCast: // if both are as wide as a word of the frame
		wide := func(id ir.TypeID) bool {
			return c.at(id).Kind != ir.KInt && core.Is64 == 1 || c.at(id).Bits == 64 && core.Is64 == 1
		}
		return c.at(in.Ty).Kind != ir.KVector && wide(in.Ty) && wide(in.Ty2)
	}
	return false
}

// takesAddress reports whether an instruction computes the address that its first operand is.
func (c *compiler) takesAddress(in *ir.Inst) bool {
	return (in.Op == ir.OpLoad || in.Op == ir.OpStore) && in.Ord == ir.NotAtomic && !in.Has(ir.FlagExc) || c.computes(in)
}

// computes reports whether an instruction computes an address from a location that is a reference.
func (c *compiler) computes(in *ir.Inst) bool {
	return in.Op.Is(ir.Derives) && !in.Op.Is(ir.Renames) && (isRoot(c.at(c.typeOf(in.Args[0])).Kind) || core.Is64 == 1)
}

// reads calls f for the values that an instruction reads.
func (c *compiler) reads(id ir.InstID, f func(ir.ValueID)) {
	in := &c.v.Insts[id]
	if c.renames(in) || len(in.Results) == 1 && (c.fused[in.Results[0]] || c.inlined[in.Results[0]]) {
		return
	}
	c.eachRead(in, f)
	for _, k := range in.Keep {
		c.readValue(c.alias[k], f)
	}
}

func (c *compiler) eachRead(in *ir.Inst, f func(ir.ValueID)) {
	for _, a := range in.Args {
		c.readValue(c.alias[a], f)
	}
}

func (c *compiler) readValue(x ir.ValueID, f func(ir.ValueID)) {
	if c.fused[x] || c.inlined[x] {
		c.eachRead(&c.v.Insts[c.v.Values[x].Def], f)
		return
	}
	f(x)
	if c.derived[x] {
		f(c.anchors[x])
	}
}

// place lays out the frame.
func (c *compiler) place() {
	c.rootTemp = 1 + int(c.keep[regs.Root]+c.words.Count[regs.Root])
	c.wordTemp = 1 + c.numRoots() + int(c.keep[regs.Plain]+c.words.Count[regs.Plain])
	if c.cells {
		c.wordTemp++ // for the mark of the alloca stack
	}
	if c.cookie {
		c.wordTemp++
	}
	if c.total() > maxWords {
		c.fail("%s has too many variables: its frame would have %d words, of %d", c.v.Name, c.total(), maxWords)
	}
}

// numRoots is the number of root words.
func (c *compiler) numRoots() int { return c.rootTemp - 1 + int(c.maxTemps[0]) }

// total is the number of words of the frame.
func (c *compiler) total() int { return c.wordTemp + int(c.maxTemps[1]) + 3 }

// rootAt and wordAt are the places of the i-th word of a value.
func (c *compiler) rootAt(x ir.ValueID, i int32) uint16 {
	return uint16(1 + c.keep[regs.Root] + c.words.First[regs.Root][x] + i)
}

func (c *compiler) wordAt(x ir.ValueID, i int32) uint16 {
	return uint16(int32(1+c.numRoots()) + c.keep[regs.Plain] + c.words.First[regs.Plain][x] + i)
}

// markAt is where the mark of the alloca stack is, cookieAt where the cookie is.
func (c *compiler) markAt() uint16 { return uint16(c.wordTemp - 1) }
func (c *compiler) cookieAt() uint16 {
	if c.cells {
		return c.markAt() - 1
	}
	return uint16(c.wordTemp - 1)
}

// tempRoot and tempWord are temporaries for the instruction. The first root is for an exception that was caught.
func (c *compiler) tempRoot() uint16 { return uint16(c.rootTemp + c.temp(0, 2) - 1) }
func (c *compiler) tempWord() uint16 { return uint16(c.wordTemp + c.temp(1, 1) - 1) }

// temp counts a temporary; the first has a number.
func (c *compiler) temp(class, first int) int {
	c.temps[class]++
	n := c.temps[class] + first - 1
	c.needs[class] = max(c.needs[class], int32(n))
	return n
}

// excRoot is the word for an exception that was caught.
func (c *compiler) excRoot() uint16 {
	c.needs[0] = max(c.needs[0], 1)
	return uint16(c.rootTemp)
}

// emit adds an instruction and returns its index.
func (c *compiler) emit(o op, a, b, d uint16, imm uint64) int {
	n := len(c.out)
	c.out, c.from = append(c.out, ins{}), append(c.from, place{c.cur, c.words.InstAt[c.cur]})
	i := &c.out[n] // filled in place: see lex.Scanner
	i.op, i.a, i.b, i.c, i.imm = o, a, b, d, imm
	return n
}

// site adds an instruction that refers to a site.
func (c *compiler) site(o op, a, b uint16, s *site) int {
	c.sites = append(c.sites, s)
	return c.emit(o, a, b, 0, uint64(uintptr(unsafe.Pointer(s))))
}

// blocks does step 3.
func (c *compiler) blocks() {
	// The output of an earlier run is of no use, but its memory is.
	most := len(c.v.Insts) + len(c.v.Insts)/4
	c.out, c.from = slices.Grow(c.out[:0], most), slices.Grow(c.from[:0], most)
	c.sites, c.jumps, c.edges, c.switches = nil, nil, nil, nil
	c.cur = 0
	c.labels = c.room.labels.Make(len(c.v.Blocks))
	for i := range c.labels {
		c.labels[i] = -1
	}
	if c.cells {
		mark := c.markAt()
		c.site(opRun, 0, 0, &site{run: func(t *core.Ctx, fp unsafe.Pointer) verdict {
			setWord(fp, mark, uint64(t.AllocaMark()))
			return goOn
		}})
	}
	if c.cookie {
		to := c.cookieAt()
		c.site(opRun, 0, 0, &site{run: func(t *core.Ctx, fp ptr) verdict {
			setWord(fp, to, core.TakeCookie(t))
			return goOn
		}})
	}
	for i, b := range c.order {
		next := ir.BlockID(-1)
		if i+1 < len(c.order) {
			next = c.order[i+1]
		}
		c.labels[b] = len(c.out)
		for _, id := range c.v.Blocks[b].Insts {
			c.inst(id, &c.v.Insts[id], next)
		}
	}
	for i := 0; i < len(c.edges); i++ {
		e := c.edges[i]
		c.cur, c.next, c.temps = e.inst, -1, [2]int{}
		e.label(len(c.out))
		c.takeWith(e.from, e.dest, -1, e.exc)
	}
	for _, j := range c.jumps {
		j.set((c.labels[j.block] - j.at - 1) * insSize)
	}
	for _, s := range c.switches {
		s.fill()
	}
}

// inst makes the instructions for one of the representation.
func (c *compiler) inst(id ir.InstID, in *ir.Inst, next ir.BlockID) {
	c.cur, c.next, c.temps = id, next, [2]int{}
	if c.renames(in) || len(in.Results) == 1 && (c.fused[in.Results[0]] || c.inlined[in.Results[0]]) {
		return
	}
	class := in.Op.Info().Class
	if int(class) >= len(c.p.selectors) || c.p.selectors[class] == nil {
		c.fail("%s: the engine has no code for %s", c.v.Name, in.Op)
	}
	c.p.selectors[class](c, id, in)
	if in.Has(ir.FlagExc) || in.Op == ir.OpBranch {
		c.take(in.Block, &in.Dests[0], next)
	}
}

// closed copies instructions, with room for one more after them: while the last one runs, the loop has a
// pointer to the one after, which without that room points into some other object, or none, of Go's heap.
func closed(l []ins) []ins {
	k := make([]ins, len(l), len(l)+1)
	copy(k, l)
	return k
}

// finish makes the code of the instructions.
func (c *compiler) finish() *code {
	sig := c.at(c.v.Func.Sig)
	w, r := c.p.facts.Words(sig.Fields)
	k := &code{
		frame: uintptr(c.total()) * 8, shape: uint32(c.numRoots())<<16 | uint32(c.total()),
		zeroFrom: 8 + 8*uintptr(r), zeroTo: 8 + 8*uintptr(c.numRoots()),
		rootArgs: 8 * uintptr(1+c.keep[regs.Root]), plainArgs: 8 * uintptr(int32(1+c.numRoots())+c.keep[regs.Plain]),
		rootCount: r, plains: w, link: uintptr(c.total()-3) * 8,
		ins: closed(c.out), sites: c.sites, places: slices.Clone(c.from), fn: c.f, v: c.v,
	}
	if c.keep[regs.Root] > 0 {
		k.zeroFrom = 8
	}
	if c.cells {
		k.cells = c.markAt()
	}
	k.lives, k.firstRoot = c.lives(), uint16(1+c.keep[regs.Root])
	c.room.fuse(k.ins)
	k.start = &k.ins[0]
	if openUnit != nil {
		k.made = c
	}
	return k
}
