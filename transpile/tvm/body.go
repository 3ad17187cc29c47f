package tvm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/tvm/check"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// A value is the translation of a term: see rep.
type value []ir.ValueID

// An entry of the log names something that was computed: a term, the size of a type, or the end of some
// members of a struct.
type entry struct {
	id      term.ID
	size    bool
	members int
}

// A body is the translation of a function.
type body struct {
	*translator
	*ir.BodyBuilder
	name string // of the function
	fn   *check.Func
	abi  *abi

	// Values that have been computed, and the log of those that a block has added.
	memo  map[term.ID]value
	sizes map[term.ID]extent
	ends  map[prefix]ir.ValueID
	log   []entry

	blocks  map[*check.Block]ir.BlockID
	slots   map[*check.Phi]ir.ValueID     // memory of values that are not scalars
	below   map[*check.Block][]*check.Phi // phis of the blocks that a block dominates immediately
	marks   map[*check.Block]ir.ValueID
	looping map[*check.Block]bool // blocks in loops that make memory in the frame
	block   *check.Block
	hoists  int        // number of instructions in the entry block that make cells
	smalls  int        // number of cells that small has made
	target  ir.ValueID // address for the result, if the caller passes one
	dynamic map[term.ID]bool
	// locations are the locations of addresses, see typed; private are the results of alloca whose
	// address only accesses use.
	locations map[ir.ValueID]ir.ValueID
	private   map[term.ID]bool
	lent      map[term.ID]bool // results of loads that are used before their memory can change, see lends
	pure      bool             // of a recursive value: select computes one arm
	chain     int              // the number of copies that lead to this one, see copies
}

// newBody begins the body of a function.
func (t *translator) newBody(fn *ir.Function, name string) *body {
	b := &body{translator: t, BodyBuilder: t.b.Body(fn, t.version(fn)), name: name, memo: map[term.ID]value{}, sizes: map[term.ID]extent{}, ends: map[prefix]ir.ValueID{},
		blocks: map[*check.Block]ir.BlockID{}, slots: map[*check.Phi]ir.ValueID{}, below: map[*check.Block][]*check.Phi{}, marks: map[*check.Block]ir.ValueID{}, looping: map[*check.Block]bool{}, dynamic: map[term.ID]bool{}, locations: map[ir.ValueID]ir.ValueID{}, private: map[term.ID]bool{}, lent: map[term.ID]bool{}}
	b.V.Pos, b.Pos = fn.Pos, fn.Pos
	return b
}

// body makes the body of a function. chain is the number of copies that lead to it.
func (t *translator) body(f *check.Func, fn *ir.Function, a *abi, chain int) {
	b := t.newBody(fn, f.Global.Name)
	b.fn, b.abi, b.chain = f, a, chain
	b.lends()
	b.loops()
	b.escapes()
	b.parameters()
	for i, k := range b.fn.Blocks {
		if !k.Reachable {
			break
		}
		if i == 0 {
			b.blocks[k] = b.Current()
			if len(k.Insts) > 0 { // behind the comments that name parameters
				b.V.Blocks[b.blocks[k]].Pos = k.Insts[0].Pos
			}
			continue
		}
		id := b.Block(k.Name)
		b.V.Blocks[id].Pos = k.Pos
		b.blocks[k] = id
		for _, p := range k.Phis {
			if r := b.types.rep(p.Sym.Type); r.flat {
				v := make(value, len(r.leaves))
				for i, l := range r.leaves {
					v[i] = b.V.AddParam(id, l.reg, b.leafName(p.Sym.Name, i, len(v)))
				}
				b.memo[p.Sym.ID] = v // never forgotten: no other block uses it
			}
		}
	}
	type open struct {
		k   *check.Block
		log int
	}
	var path []open
	for _, k := range b.fn.Blocks {
		if !k.Reachable {
			break
		}
		for len(path) > 0 && !path[len(path)-1].k.Dominates(k) {
			b.forget(path[len(path)-1].log)
			path = path[:len(path)-1]
		}
		path = append(path, open{k, len(b.log)})
		b.makeBlock(k)
	}
}

func (b *body) leafName(name string, i, n int) string {
	if n == 1 {
		return name
	}
	return ""
}

// forget removes the values that were computed after the log had length n.
func (b *body) forget(n int) {
	for _, e := range b.log[n:] {
		switch {
		case e.members > 0:
			delete(b.ends, prefix{e.id, e.members})
		case e.size:
			delete(b.sizes, e.id)
		default:
			delete(b.memo, e.id)
		}
	}
	b.log = b.log[:n]
}

// know records the value of a term.
func (b *body) know(id term.ID, v value) value {
	b.memo[id] = v
	b.log = append(b.log, entry{id: id})
	return v
}

// parameters gives the parameters their values.
func (b *body) parameters() {
	next := 0
	take := func() ir.ValueID {
		next++
		return b.Param(0, next-1)
	}
	params := b.fn.Params[b.fn.Form.Phantoms:]
	for i, p := range params {
		declared := b.abi.params[i]
		r := b.types.rep(declared)
		var v value
		switch {
		case b.types.byAddress(declared):
			v = value{take()}
			if r.flat { // cannot be: flat values are small
				v = b.load(v[0], p.Type)
			}
		case b.types.whole(r):
			v = b.fromWhole(take(), p.Type)
		default:
			for range r.leaves {
				v = append(v, take())
			}
		}
		if len(v) == 1 {
			b.Name(v[0], p.Name)
		}
		b.memo[p.ID] = v
	}
	if b.abi.indirect {
		b.target = take()
	}
}

// makeBlock makes the instructions of a block.
func (b *body) makeBlock(k *check.Block) {
	b.block = k
	b.At(b.blocks[k])
	b.Pos = k.Pos
	if b.looping[k] {
		b.marks[k] = b.AllocaMark()
	}
	for _, p := range k.Phis {
		if r := b.types.rep(p.Sym.Type); !r.flat {
			b.know(p.Sym.ID, value{b.slots[p]})
		}
	}
	for i, in := range k.Insts {
		b.Pos = in.Pos
		first := len(b.V.Insts)
		if in.Op.Ends() {
			b.slotsBelow(k)
		}
		b.inst(in)
		b.nameSites(first, k, i)
	}
}

// nameSites names the instructions, from first on, that may fail, after the place of the instruction of a block
// for which they were made. Messages show these names; they are the same in copies, which have other instructions.
func (b *body) nameSites(first int, k *check.Block, i int) {
	name := ""
	for id := first; id < len(b.V.Insts); id++ {
		if in := &b.V.Insts[id]; in.Op.Any(ir.MayFail) && in.Name == "" {
			if name == "" {
				name = fmt.Sprintf("%s.v.%s+%d", b.V.Func.Root().Name, strings.TrimPrefix(cmp.Or(k.Name, "entry"), "%"), i)
			}
			in.Name, in.Placed = name, true
		}
	}
}

// slotsBelow makes the memory of phis in the blocks that a block dominates immediately.
func (b *body) slotsBelow(k *check.Block) {
	for _, p := range b.below[k] {
		b.slots[p] = b.room(p.Sym.Type)
	}
}

// arrival is the destination of a jump to a block, with its arguments.
func (b *body) arrival(to *check.Block) ir.Dest {
	from := b.block
	d := ir.Dest{Block: b.blocks[to]}
	type move struct {
		phi  *check.Phi
		from ir.ValueID
	}
	var moves []move
	for _, p := range to.Phis {
		v := b.value(p.Edge(from).Value, p.Sym.Type)
		if b.types.rep(p.Sym.Type).flat {
			d.Args = append(d.Args, v...)
			continue
		}
		moves = append(moves, move{p, v[0]})
	}
	if to.Dominates(from) && len(moves) > 0 { // the values may be in the memory that they are moved to
		for i, m := range moves {
			room := b.room(m.phi.Sym.Type)
			b.copy(room, m.from, m.phi.Sym.Type)
			moves[i].from = room
		}
	}
	for _, m := range moves {
		b.copy(b.slots[m.phi], m.from, m.phi.Sym.Type)
	}
	// The edge frees the memory of the outermost block that it leaves, or enters again.
	if mark := b.ended(to); mark != 0 {
		b.AllocaReset(mark)
	}
	return d
}

// ended is the mark of the outermost block whose memory must be freed when control goes from the
// current block to another, 0 if there is none.
func (b *body) ended(to *check.Block) (mark ir.ValueID) {
	if len(b.marks) == 0 {
		return 0
	}
	for k := b.block; k != nil; k = k.Dom {
		if m, ok := b.marks[k]; ok && (k == to || !k.Dominates(to)) {
			mark = m
		}
	}
	return mark
}

// edge returns the destination of one of two jumps. It is a separate block if something must be
// computed on the edge.
func (b *body) edge(to *check.Block) (ir.Dest, func()) {
	if len(to.Phis) == 0 && b.ended(to) == 0 {
		return ir.To(b.blocks[to]), func() {}
	}
	id := b.Block(b.V.Blocks[b.Current()].Name)
	return ir.To(id), func() {
		b.At(id)
		n := len(b.log)
		d := b.arrival(to)
		b.Branch(d.Block, d.Args...)
		b.forget(n)
	}
}

// loops finds the blocks in loops that may make memory whose size is known only at run time.
func (b *body) loops() {
	for _, k := range b.fn.Blocks {
		if !k.Reachable {
			break
		}
		for _, p := range k.Phis {
			if !b.types.rep(p.Sym.Type).flat {
				b.below[k.Dom] = append(b.below[k.Dom], p)
			}
		}
	}
	for _, k := range b.fn.Blocks {
		if k.Loop && b.makesMemory(k) {
			b.looping[k] = true
		}
	}
}

// makesMemory reports whether a block may make memory of a size that is known only at run time.
func (b *body) makesMemory(k *check.Block) bool {
	for _, in := range k.Insts {
		if in.Op == op.Alloca && b.frameCell(in) == 0 {
			return true
		}
		if in.Sym != nil && b.sized(in.Sym.Type) && !b.lent[in.Sym.ID] {
			return true
		}
		for _, a := range in.Args {
			if b.unsized(a) {
				return true
			}
		}
		if in.Op == op.Call && b.copiesPointee(in) {
			return true
		}
		if in.Op == op.AllocaConst && b.sized(b.Graph.TypeOf(in.Args[0])) {
			return true
		}
	}
	for _, to := range k.Succs() {
		for _, p := range to.Phis {
			if b.sized(p.Sym.Type) {
				return true
			}
			for _, e := range p.Edges {
				if b.unsized(e.Value) {
					return true
				}
			}
		}
	}
	return slices.ContainsFunc(b.below[k], func(p *check.Phi) bool { return b.sized(p.Sym.Type) })
}

// copiesPointee reports whether a call may copy the value that an argument points to.
func (b *body) copiesPointee(in *check.Inst) bool {
	f, _, _ := b.Graph.Target(b.Graph.TypeOf(in.Args[0]))
	return len(b.FormOf(f).Attrs) > 0
}

// sized reports whether the size of a type is known only at run time.
func (b *body) sized(t term.ID) bool { return !b.types.rep(t).static }

// unsized reports whether there is a value in a term whose size is known only at run time.
func (b *body) unsized(id term.ID) bool {
	if known, ok := b.dynamic[id]; ok {
		return known
	}
	n := b.Graph.At(id)
	b.dynamic[id] = false
	t := b.Graph.TypeOf(id)
	r := n.Sym == nil && t != 0 && t != b.TypeType() && t != b.UprefType() && b.sized(t)
	for a := range b.Parts(id) {
		r = r || b.unsized(a)
	}
	b.dynamic[id] = r
	return r
}

// ptrcast converts an address, or a number of the same width, to another such type.
func (b *body) ptrcast(v ir.ValueID, to ir.TypeID) ir.ValueID {
	if b.BodyBuilder.TypeOf(v) == to {
		return v
	}
	return b.Conv(ir.OpPtrCast, v, to)
}

func (b *body) i64(n int64) ir.ValueID { return b.Int(b.types.i64, n) }

// require continues in a new block if a condition holds; otherwise the program fails.
func (b *body) require(cond ir.ValueID, kind ir.Failure, text string) {
	if c := b.V.Values[cond].Const; c != nil && c.Lo != 0 {
		return
	}
	name := b.V.Blocks[b.Current()].Name
	yes, no := b.Block(name), b.Block(name)
	b.Branch2(cond, ir.To(yes), ir.To(no))
	b.At(no)
	b.Fail(kind, text+" in "+b.name)
	b.At(yes)
}

// escapes finds the results of alloca whose address does not escape: it is only used as the address
// of loads and stores, or to compute such an address.
func (b *body) escapes() {
	for _, k := range b.fn.Blocks {
		for _, in := range k.Insts {
			if in.Op == op.Alloca {
				b.private[in.Sym.ID] = true
			}
		}
	}
	if len(b.private) == 0 {
		return
	}
	seen := map[term.ID]bool{}
	var value func(id term.ID)
	value = func(id term.ID) {
		if seen[id] {
			return
		}
		seen[id] = true
		delete(b.private, id)
		for a := range b.Parts(id) {
			value(a)
		}
	}
	address := func(id term.ID) {
		for b.Op(id) == op.Gep || b.Op(id) == op.PointerOffset {
			value(b.Arg(id, 1))
			id = b.Arg(id, 0)
		}
		if b.Sym(id) == nil {
			value(id)
		}
	}
	for _, k := range b.fn.Blocks {
		for _, in := range k.Insts {
			for i, a := range in.Args {
				if in.Op == op.Load || in.Op == op.Store && i == 1 {
					address(a)
				} else {
					value(a)
				}
			}
		}
		for _, p := range k.Phis {
			for _, e := range p.Edges {
				value(e.Value)
			}
		}
	}
}
