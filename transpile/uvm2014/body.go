package uvm2014

import (
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/ssabuild"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// A body is the check and translation of one function definition.
//
//  1. Labels and local names are entered; the types of all results are found, which
//     follow from the instructions alone (result.go).
//  2. The shape of blocks is checked, and the control flow is found.
//  3. Blocks are checked and translated in reverse postorder, so that definitions come
//     before uses. Unreachable blocks are only checked.
//  4. PHI nodes get their arguments.
type body struct {
	*loader
	d    *syntax.FuncDef
	v    *ir.Version
	sig  ir.TypeID
	ret  ir.TypeID // NoType if the function returns nothing
	devs deviations

	*room
	flow  *analysis.CFG // of the blocks as written
	split map[edgeKey]ir.BlockID
	vars  map[int]ssabuild.Var // of values used where their definition does not dominate, by number

	heads   int // number of PHI nodes and landing pads
	globals int // number of operands that are constants, cells or functions, with repetitions
	mixed   int // number of exceptional edges to blocks that normal edges also lead to

	blk  int          // being translated
	at   int          // number of the instruction being translated
	in   *syntax.Inst // the instruction
	cur  ir.BlockID
	emit bool // instructions are made
	over bool // the block has ended in the middle: by thread_exit, for instance
}

// room is the memory of a body, which is reused for the next body.
type room struct {
	// marks find the slots, by Sym.Index. A mark is valid if its round is the current one, so
	// that marks need not be cleared.
	marks []mark
	round int32
	slots []slot

	infos   []info       // by number of an instruction, from 0
	first   []int        // by block: the number of its first instruction
	edges   [][]edge     // by block: the edges into it
	reached []bool       // by block: translated
	cut     []bool       // by block: ends in the middle
	blocks  []ir.BlockID // by block: its translation
	pads    []*pad       // by block: nil if it has no landing pad
	entries []phiEntry   // by block: see phi
	phis    int32        // PHI nodes so far, of all bodies
	outs    []ir.Dest    // of all blocks as written
	outEnds []int        // by block: the end of its part of outs
	succs   [][]ir.Dest  // by block: its part of outs
	graphs  analysis.Room
	found   deviations
	ssa     *ssabuild.Builder

	// Of the program.
	vals    lex.Slab[ir.ValueID]
	numbers lex.Slab[ir.InstID]
	outputs lex.Slab[ir.Dest]
	locals  lex.Slab[ir.LocalID]
}

type mark struct{ round, slot int32 }

// resize makes a list of n zero elements, in the memory of list if it is large enough.
func resize[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n, n+n/4)
	}
	list = list[:n]
	clear(list)
	return list
}

// begin prepares the room for a body.
func (r *room) begin(d *syntax.FuncDef) {
	n, insts := len(d.Blocks), 0
	for i := range d.Blocks {
		insts += len(d.Blocks[i].Insts)
	}
	r.round++
	r.slots = r.slots[:0]
	r.infos = resize(r.infos, insts)[:0]
	r.first = resize(r.first, n)
	r.reached = resize(r.reached, n)
	r.cut = resize(r.cut, n)
	r.blocks = resize(r.blocks, n)
	r.pads = resize(r.pads, n)
	r.entries = resize(r.entries, n)
	r.outEnds = resize(r.outEnds, n)
	r.succs = resize(r.succs, n)
	if cap(r.edges) < n {
		r.edges = append(r.edges[:cap(r.edges)], make([][]edge, n-cap(r.edges))...)
	}
	r.edges = r.edges[:n]
	for i := range r.edges {
		r.edges[i] = r.edges[i][:0]
	}
}

// A slot is what a local name denotes: labels and values have separate name spaces.
type slot struct {
	label, def int       // block or -1; number of an instruction, param(i), or none
	again      int       // number of an instruction that defines the name again, or -1
	used       bool      // as an operand
	con        *ir.Const // a constant of the function
}

const none = -1 << 30

// param is the def of a parameter.
func param(i int) int { return -1 - i }

// info is the data about an instruction.
type info struct {
	block        int
	typ          ir.TypeID // of the result; NoType if there is none
	bad          bool      // the type is unknown: nothing is reported about uses
	ty, ty2, sig ir.TypeID // type arguments
	val          ir.ValueID
	inst         ir.InstID
}

// An edge leads from a block to another.
type edge struct {
	from, dest  int // block, and index among the destinations in package ir
	exceptional bool
}

type edgeKey struct{ from, dest int }

// A pad is the landing pad of a block.
type pad struct {
	alone bool         // every edge into the block is exceptional
	x     ssabuild.Var // else: the exception, or NULL
}

// body checks and translates one function definition.
func (l *loader) body(f funcBody) {
	d := f.def
	b := &body{loader: l, d: d, devs: l.room.found, room: &l.room, sig: l.sig(d.Sig)}
	if f.e.fn == nil {
		return
	}
	b.begin(d)
	n := l.types.At(b.sig)
	if len(n.Results) > 0 {
		b.ret = n.Results[0]
	}
	name := l.opt.Running.Numbered(f.e.fn.Name+".v", len(f.e.fn.Versions)+len(f.e.fn.Impls)+1)
	b.v = l.prog.NewVersion(l.implementation(f.e.fn, name, d), name, l.b.Pos(d.Name.Off))
	if l.given != nil {
		l.given.versions = append(l.given.versions, b.v)
	}
	ok := b.enter()
	b.results()
	ok = b.shape() && ok
	if ok {
		b.control()
		b.translate()
	}
	for i := range b.slots {
		s := &b.slots[i]
		if s.again < 0 {
			continue
		}
		in := b.instOf(s.again)
		if s.used {
			l.errorf(in.Name.Off, "%s redefined", l.name(in.Name))
		} else {
			l.deviate(b.devs, "defined twice", in.Name.Off, "%s is defined twice, but never used", l.name(in.Name))
		}
	}
	l.flush(b.devs, l.name(d.Name))
}

func (b *body) instOf(number int) *syntax.Inst {
	blk := b.infos[number].block
	return &b.d.Blocks[blk].Insts[number-b.first[blk]]
}

// local is what a local name denotes, nil if nothing.
func (b *body) local(n syntax.Name) *slot {
	if i := n.Sym.Index(); i < len(b.marks) && b.marks[i].round == b.round {
		return &b.slots[b.marks[i].slot]
	}
	return nil
}

// slot is what a local name denotes; it is made if there is none yet. The pointer is valid until
// the next slot is made.
func (b *body) slot(n syntax.Name) *slot {
	i := n.Sym.Index()
	if i >= len(b.marks) {
		b.marks = append(b.marks, make([]mark, b.syms.Len()-len(b.marks))...)
	}
	if m := &b.marks[i]; m.round != b.round {
		*m = mark{b.round, int32(len(b.slots))}
		b.slots = append(b.slots, slot{label: -1, def: none, again: -1})
	}
	return &b.slots[b.marks[i].slot]
}

// enter enters the local names, and numbers the instructions.
func (b *body) enter() bool {
	ok := true
	params := b.types.At(b.sig).Fields
	if b.sig != ir.NoType && len(b.d.Params) != len(params) {
		b.errorf(b.d.Name.Off, "%s: the signature has %s, got %d", b.name(b.d.Name), count(len(params), "parameter"), len(b.d.Params))
		ok = false
	}
	for i, p := range b.d.Params {
		if p.Name.IsZero() {
			continue
		}
		if s := b.slot(p.Name); s.def != none {
			b.errorf(p.Name.Off, "%s redefined", b.name(p.Name))
		} else {
			s.def = param(i)
		}
	}
	for _, c := range b.d.Consts {
		if c.Name.IsZero() {
			continue
		}
		s := b.slot(c.Name)
		if s.def != none || s.con != nil {
			b.errorf(c.Name.Off, "%s redefined", b.name(c.Name))
			continue
		}
		t := b.typ(c.Type)
		if s.con = b.constOf(t, c.Value, b.devs); s.con == nil {
			s.con = &ir.Const{Type: ir.NoType}
		}
	}
	for i := range b.d.Blocks {
		blk := &b.d.Blocks[i]
		b.first[i] = len(b.infos)
		name := blk.Name
		if i == 0 && name.IsZero() {
			name = syntax.Name{Sym: b.syms.Intern([]byte(b.entryName())), Off: blk.Off}
		}
		if !name.IsZero() {
			if s := b.slot(name); s.label >= 0 {
				b.errorf(name.Off, "%s redefined", b.name(name)).Before(b.b.Pos(b.d.Blocks[s.label].Off))
			} else {
				s.label = i
			}
		}
		id := blk.ID
		for k := range blk.Insts {
			in := &blk.Insts[k]
			if !b.b.Binary && in.Op != syntax.OldParam {
				id++
				in.ID = id
			}
			b.infos = append(b.infos, info{block: i})
			if in.Name.IsZero() {
				continue
			}
			s := b.slot(in.Name)
			switch {
			case s.def < 0 && s.def != none || s.con != nil:
				b.errorf(in.Name.Off, "%s redefined", b.name(in.Name))
			case s.def >= 0:
				s.again = len(b.infos) - 1
			default:
				s.def = len(b.infos) - 1
			}
		}
	}
	return ok
}

// entryName is the name of an entry block without a label.
func (b *body) entryName() string {
	for i := range b.d.Blocks {
		if !b.d.Blocks[i].Name.IsZero() && b.name(b.d.Blocks[i].Name) == "%entry" {
			return "%__entry__"
		}
	}
	return "%entry"
}

func (b *body) blockName(i int) string {
	if n := b.d.Blocks[i].Name; !n.IsZero() {
		return b.name(n)
	}
	return b.entryName()
}

// exceptionalDest reports whether the last destination of an instruction is one for
// exceptions.
func exceptionalDest(op syntax.Op) bool {
	return op == syntax.Invoke || op == syntax.IInvoke || op == syntax.Trap || op == syntax.Watchpoint
}

// normalDest is the destination on which the result of a terminator exists.
func normalDest(op syntax.Op) int {
	if op == syntax.Watchpoint {
		return 1
	}
	return 0
}

// shape checks that blocks end with their only terminator and begin with their PHI nodes
// and landing pads, and that destinations are blocks. It finds the edges.
func (b *body) shape() bool {
	before := b.diags.Errors()
	for i := range b.d.Blocks {
		blk := &b.d.Blocks[i]
		head := true
		for k := range blk.Insts {
			in := &blk.Insts[k]
			last := k == len(blk.Insts)-1
			isHead := isHead(in.Op)
			switch {
			case in.Op.Terminator() && !last:
				b.errorf(blk.Insts[k+1].Off, "instruction after %s, which ends block %s", in.Op, b.blockName(i))
			case last && !in.Op.Terminator():
				b.errorf(in.OpOff, "block %s does not end with a terminator: %s is none", b.blockName(i), in.Op)
			case isHead && i == 0:
				b.errorf(in.OpOff, "%s in the entry block, which nothing leads to", in.Op)
			case isHead && !head:
				b.errorf(in.OpOff, "%s after other instructions of block %s: it belongs at the beginning", in.Op, b.blockName(i))
			}
			head = head && isHead
			if isHead {
				b.heads++
			}
			if in.Op == syntax.LandingPad && i > 0 && b.pads[i] == nil {
				b.pads[i] = &pad{alone: true}
			}
			b.dests(i, in)
		}
		if len(blk.Insts) == 0 {
			b.errorf(blk.Off, "block %s does not end with a terminator: it is empty", b.blockName(i))
		}
	}
	for i, p := range b.pads {
		if p == nil {
			continue
		}
		for _, e := range b.edges[i] {
			if !e.exceptional {
				p.alone = false
				b.deviate(b.devs, "landing pad", b.d.Blocks[i].Off, "%s has a LANDINGPAD and is reached normally: the exception is NULL then", b.blockName(i))
				break
			}
		}
		if len(b.edges[i]) == 0 {
			p.alone = false
		}
		if !p.alone {
			b.mixed += len(b.edges[i])
		}
	}
	return b.diags.Errors() == before
}

// isHead reports whether an instruction belongs at the beginning of its block.
func isHead(op syntax.Op) bool { return op == syntax.Phi || op == syntax.LandingPad }

// dests finds the edges of an instruction.
func (b *body) dests(from int, in *syntax.Inst) {
	add := func(n syntax.Name, k int, exceptional bool) {
		s := b.local(n)
		switch {
		case s == nil || s.label < 0:
			b.unknownLabel(n)
		case s.label == 0:
			b.errorf(n.Off, "%s is the entry block, which nothing may lead to", b.name(n))
		case in.Op.Terminator():
			b.edges[s.label] = append(b.edges[s.label], edge{from, k, exceptional})
		}
	}
	for k, n := range in.Dests {
		add(n, k, exceptionalDest(in.Op) && k == len(in.Dests)-1)
	}
	if in.Op == syntax.Switch {
		for k, c := range in.Cases {
			add(c.Label, k+1, false)
		}
	}
}

// ends reports whether an instruction that is not a terminator never continues.
func (b *body) ends(in *syntax.Inst) bool {
	if in.Op != syntax.ICall && in.Op != syntax.IInvoke {
		return false
	}
	f := intrinsics[b.name(in.Intrinsic)]
	return f != nil && f.ends
}

// control finds order and dominators of the blocks as they are written, and which of
// them are translated.
func (b *body) control() {
	b.outs = b.outs[:0]
	for i := range b.d.Blocks {
		insts := b.d.Blocks[i].Insts
		for k := range insts {
			b.cut[i] = b.cut[i] || b.ends(&insts[k])
		}
		to := func(n syntax.Name) { b.outs = append(b.outs, ir.Dest{Block: ir.BlockID(b.local(n).label)}) }
		last := &insts[len(insts)-1]
		for _, n := range last.Dests {
			to(n)
		}
		if last.Op == syntax.Switch {
			for k := range last.Cases {
				to(last.Cases[k].Label)
			}
		}
		b.outEnds[i] = len(b.outs)
	}
	at := 0
	for i, end := range b.outEnds {
		b.succs[i], at = b.outs[at:end], end
	}
	b.flow = b.graphs.NewGraph(b.succs)
	work := []int{0}
	b.reached[0] = true
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if b.cut[i] {
			continue
		}
		insts := b.d.Blocks[i].Insts
		for k, d := range b.succs[i] {
			if to := int(d.Block); !b.reached[to] && (k == 0 || !b.neverThrows(&insts[len(insts)-1])) {
				b.reached[to] = true
				work = append(work, to)
			}
		}
	}
}

// neverThrows reports whether an instruction is an IINVOKE that always goes to its
// normal destination.
func (b *body) neverThrows(in *syntax.Inst) bool {
	if in.Op != syntax.IInvoke {
		return false
	}
	f := intrinsics[b.name(in.Intrinsic)]
	return f != nil && !f.throws
}

// translate makes the blocks.
func (b *body) translate() {
	b.undominated()
	b.ssa.Reset(b.v, func(_ ir.BlockID, x ssabuild.Var, _ string) ir.ValueID { return b.zero(b.ssa.Type(x)) })
	for number := range b.infos {
		if _, ok := b.vars[number]; ok {
			b.vars[number] = b.ssa.Var(b.infos[number].typ, b.valueName(number))
		}
	}
	// PHI nodes and landing pads do not become instructions. Few instructions become more than one.
	insts, results := len(b.infos)-b.heads, 0
	for i := range b.infos {
		if b.infos[i].typ != ir.NoType {
			results++
		}
	}
	b.v.Reserve(len(b.d.Blocks)+b.mixed, insts+b.mixed, len(b.d.Params)+results+b.mixed+b.globals, results)
	for i := range b.d.Blocks {
		b.blocks[i] = -1
		if !b.reached[i] {
			continue
		}
		blk := &b.d.Blocks[i]
		b.blocks[i] = b.v.NewBlock(b.blockName(i), b.b.Pos(blk.Off))
		out := &b.v.Blocks[b.blocks[i]]
		out.ID = b.takeID(blk.ID)
		out.Insts = b.numbers.Make(len(blk.Insts))[:0]
		heads := 0
		for heads < len(blk.Insts) && isHead(blk.Insts[heads].Op) {
			heads++
		}
		if i == 0 {
			heads = len(b.d.Params)
		}
		out.Locals = b.locals.Make(heads)[:0]
	}
	for k, t := range b.types.At(b.sig).Fields {
		p := &b.d.Params[k]
		name := ""
		if !p.Name.IsZero() {
			name = b.name(p.Name)
		}
		b.v.AddParam(0, t, name)
		if !b.d.NoParams {
			b.identify(0, name, p.ID)
		}
	}
	for i, p := range b.pads {
		switch {
		case p == nil || !b.reached[i]:
		case p.alone:
			b.v.SetExcParam(b.blocks[i], b.exc, b.padName(i))
		default:
			p.x = b.ssa.Var(b.exc, b.padName(i))
		}
	}
	for _, i := range b.flow.Order {
		b.block(int(i))
	}
	for i := range b.d.Blocks {
		if b.flow.Index[i] < 0 {
			b.block(i)
		}
	}
	b.phiNodes()
	if err := b.ssa.Finish(); err != nil && !b.diags.HasErrors() {
		b.errorf(b.d.Name.Off, "internal error: %v", err)
	}
}

// padName is the name of the first landing pad of a block.
func (b *body) padName(i int) string {
	for k := range b.d.Blocks[i].Insts {
		if in := &b.d.Blocks[i].Insts[k]; in.Op == syntax.LandingPad && !in.Name.IsZero() {
			return b.name(in.Name)
		}
	}
	return ""
}

// noInst records the ID of the instruction being translated, which does not become an instruction of package ir.
func (b *body) noInst() { b.identify(b.cur, b.valueName(b.at), b.in.ID) }

// identify records the ID of something in a block that is not an instruction.
func (b *body) identify(blk ir.BlockID, name string, id uint32) {
	l := &b.v.Blocks[blk].Locals
	*l = append(*l, ir.LocalID{Name: name, ID: id})
}

// zero is the value of a variable where no definition has been executed.
func (b *body) zero(t ir.TypeID) ir.ValueID { return b.v.ConstValue(b.zeroConst(t)) }

func (l *loader) zeroConst(t ir.TypeID) *ir.Const {
	n := l.types.At(t)
	switch n.Kind {
	case ir.KInt:
		return l.literal(ir.Const{Kind: ir.ConstInt, Type: t})
	case ir.KFloat, ir.KDouble:
		return l.literal(ir.Const{Kind: ir.ConstFP, Type: t})
	case ir.KStruct:
		c := &ir.Const{Kind: ir.ConstAggregate, Type: t}
		for _, f := range n.Fields {
			c.Elems = append(c.Elems, l.zeroConst(f))
		}
		return c
	}
	return l.literal(ir.Const{Kind: ir.ConstNull, Type: t})
}

// block checks and translates one block.
func (b *body) block(i int) {
	b.blk, b.emit, b.over = i, b.reached[i], false
	b.cur = b.blocks[i]
	blk := &b.d.Blocks[i]
	for k := range blk.Insts {
		b.in, b.at = &blk.Insts[k], b.first[i]+k
		b.instruction()
		if b.ends(b.in) && b.emit {
			b.emit, b.over = false, true
		}
	}
	if b.reached[i] {
		b.ssa.End(b.cur)
		b.afterEnd(i)
	}
}

// afterEnd defines the values that exist only on the edges out of a block.
func (b *body) afterEnd(i int) {
	if b.over {
		return
	}
	insts := b.d.Blocks[i].Insts
	in := &insts[len(insts)-1]
	number := b.first[i] + len(insts) - 1
	if x, ok := b.vars[number]; ok && b.infos[number].val != 0 {
		b.ssa.DefOnEdge(b.infos[number].inst, normalDest(in.Op), x, b.infos[number].val)
	}
	last := b.infos[number].inst
	for k, d := range b.succs[i] {
		if p := b.pads[d.Block]; p != nil && !p.alone && b.split[edgeKey{i, k}] == 0 && k < len(b.v.Insts[last].Dests) {
			b.ssa.DefOnEdge(last, k, p.x, b.zero(b.exc))
		}
	}
}

// dest is destination k of the instruction being translated. An exceptional edge to a
// block that has a landing pad and also normal edges goes through a separate block.
func (b *body) dest(k int) ir.Dest {
	to := b.local(b.destName(k)).label
	p := b.pads[to]
	if p == nil || p.alone || !exceptionalDest(b.in.Op) || k != len(b.in.Dests)-1 {
		return ir.Dest{Block: b.blocks[to]}
	}
	if b.split == nil {
		b.split = map[edgeKey]ir.BlockID{}
	}
	mid := b.v.NewBlock("", b.b.Pos(b.d.Blocks[to].Off))
	exc := b.v.SetExcParam(mid, b.exc, "")
	b.split[edgeKey{b.blk, k}] = mid
	b.ssa.Def(mid, p.x, exc)
	b.v.Append(mid, ir.Inst{Op: ir.OpBranch, Dests: []ir.Dest{{Block: b.blocks[to]}}, Pos: b.b.Pos(b.in.OpOff)}, nil, nil)
	b.ssa.End(mid)
	return ir.Dest{Block: mid}
}

func (b *body) destName(k int) syntax.Name {
	if k < len(b.in.Dests) {
		return b.in.Dests[k]
	}
	return b.in.Cases[k-len(b.in.Dests)].Label
}

// phiNodes checks the PHI nodes and gives them their arguments.
func (b *body) phiNodes() {
	for i := range b.d.Blocks {
		for k := range b.d.Blocks[i].Insts {
			in := &b.d.Blocks[i].Insts[k]
			if in.Op == syntax.Phi {
				b.in, b.at, b.blk = in, b.first[i]+k, i
				b.phi(i)
			}
		}
	}
}

func (b *body) phi(i int) {
	t := b.infos[b.at].typ
	b.phis++
	node := b.phis
	for _, e := range b.edges[i] {
		b.entries[e.from].pred = node
	}
	for k := range b.in.Cases {
		c := &b.in.Cases[k]
		s := b.local(c.Label)
		if s == nil || s.label < 0 {
			b.unknownLabel(c.Label)
			continue
		}
		from := s.label
		entry := &b.entries[from]
		if entry.seen == node {
			if !b.sameValue(&entry.c.Value, &c.Value) {
				b.errorf(c.Label.Off, "PHI has two values for block %s", b.name(c.Label))
			} else if b.inline != nil && c.Value.Const != nil { // the binary form has both
				b.inline[c.Value.Off] = b.inline[entry.c.Value.Off]
			}
			continue
		}
		entry.seen, entry.c = node, c
		if entry.pred != node {
			b.errorf(c.Label.Off, "PHI: %s does not lead to %s", b.name(c.Label), b.blockName(i))
			continue
		}
		b.phiArg(i, from, c, t)
	}
	for _, e := range b.edges[i] {
		if entry := &b.entries[e.from]; entry.seen == node || entry.pred != node {
			continue
		} else {
			entry.pred = 0 // report it only once
		}
		if b.flow.Index[e.from] >= 0 {
			b.errorf(b.in.OpOff, "PHI has no value for block %s, which leads to %s", b.blockName(e.from), b.blockName(i))
			continue
		}
		b.deviate(b.devs, "PHI entry missing", b.in.OpOff, "PHI has no value for block %s, which is never reached", b.blockName(e.from))
	}
}

// A phiEntry relates a block to PHI nodes, by their numbers.
type phiEntry struct {
	pred int32 // the PHI node to whose block the block leads
	seen int32 // the PHI node whose value is c
	c    *syntax.Case
}

// phiArg sets the value of a PHI node for edges from a block.
func (b *body) phiArg(i, from int, c *syntax.Case, t ir.TypeID) {
	insts := b.d.Blocks[from].Insts
	term := b.first[from] + len(insts) - 1
	if !c.Value.Name.IsZero() && c.Value.Name.Sym.Local() {
		if s := b.local(c.Value.Name); s != nil && s.def == term {
			for _, e := range b.edges[i] {
				if e.from == from && e.dest != normalDest(insts[len(insts)-1].Op) {
					b.errorf(c.Value.Off, "%s exists only on the normal way out of %s, which leads here by another", b.name(c.Value.Name), b.blockName(from))
					return
				}
			}
		}
	}
	b.emit = b.reached[from] && b.reached[i]
	// The value is used at the end of the predecessor, where conversions would have to be.
	// So the types must agree, except for constants.
	save, at, blk := b.cur, b.at, b.blk
	b.cur, b.blk, b.at = b.blocks[from], from, term+1
	val := b.exact(&c.Value, t, func() string { return "the value for " + b.name(c.Label) })
	b.cur, b.at, b.blk = save, at, blk
	if !b.emit || val == 0 {
		return
	}
	phi := b.infos[b.at].val
	for _, e := range b.edges[i] {
		if e.from == from {
			if mid := b.split[edgeKey{from, e.dest}]; mid != 0 {
				b.ssa.Incoming(phi, mid, val)
			} else {
				b.ssa.Incoming(phi, b.blockEnd(from), val)
			}
		}
	}
}

// blockEnd is the block of package ir with the end of a block.
func (b *body) blockEnd(i int) ir.BlockID {
	insts := b.d.Blocks[i].Insts
	return b.v.Insts[b.infos[b.first[i]+len(insts)-1].inst].Block
}

func (b *body) sameValue(x, y *syntax.Value) bool {
	if x.Const != nil || y.Const != nil {
		return x.Const != nil && y.Const != nil && b.sameConst(x.Const, y.Const)
	}
	return x.Name.Sym == y.Name.Sym
}
