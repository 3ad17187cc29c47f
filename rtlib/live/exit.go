package live

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/osr"
)

// Loops that are running when their bundle is compiled continue in compiled code: the unit has a function
// that begins at the head of each loop (package osr), and when its code has arrived, the jump back to the
// head becomes an instruction that replaces the frame by a tail call of that function.

// An exit is where a loop leaves the engine.
type exit struct {
	entry osr.Entry
	code  *code
	at    unsafe.Pointer // the first instruction of the head
	args  *site          // where the arguments are
	to    *core.Func
}

// maxExit is the most words of arguments: the transfer area has room for more.
const maxExit = 256

// open makes the loop leave from now on. The world is stopped.
func (x *exit) open(to *core.Func) {
	x.to = to
	k := x.code
	if k.exits == nil {
		k.exits = map[unsafe.Pointer]*exit{}
	}
	k.exits[x.at] = x
	for i := range k.ins {
		in := &k.ins[i]
		if in.op == opLoop && unsafe.Add(unsafe.Pointer(in), insSize+int(in.imm)) == x.at {
			in.op = opExit
			unfuse(k.ins, i)
		}
	}
}

// replace replaces a frame by that of a callee or, at the head of a loop, by compiled code, as its last instruction
// says. It returns the same as tail.
//
//go:norace
//go:nocheckptr
func (m *machine) replace(t *core.Ctx, fp, pc unsafe.Pointer, in *ins) (unsafe.Pointer, unsafe.Pointer) {
	if in.op == opTail {
		return m.tail(t, fp, (*site)(unsafe.Add(nil, uintptr(in.imm))), in)
	}
	t.Safepoint()
	x := codeOf(fp).exits[unsafe.Add(pc, int(in.imm))]
	report("a loop of %s goes on in compiled code", titleOf(x.code.fn.ir))
	below, back := m.drop(t, fp, x.args)
	return m.hand(t, x.to, below, back)
}

// exits finds where the loops of the program can leave. It is called once: it then drops the data about the making of
// the code that it needs.
func (p *program) exits() (list []*exit) {
	for i, fn := range p.facts.IR.Funcs {
		if fn.Current() == nil {
			continue
		}
		// The code is made even if nothing has called it yet, so that the next start asks for the same plugin.
		k := p.functions[fn].codeOf()
		if k == nil || k.made == nil {
			continue
		}
		for _, x := range k.leaving() {
			x.entry.Func = i
			list = append(list, x)
		}
		k.made = nil
	}
	return list
}

// An exit costs a copy of the body. A body has one for each of its loops as long as the copies have no more
// than smallCopies instructions in all, and otherwise for at most fewLoops, outer loops first.
const (
	smallCopies = 4096
	fewLoops    = 4
)

// most is how many loops of a body can leave.
func (k *code) most() int { return max(fewLoops, smallCopies/len(k.v.Insts)) }

// leaving finds where the loops of a body can leave. Loops of bodies with stack cells, which a tail call removes, and
// of those that read the cookie they were called with, stay.
func (k *code) leaving() (list []*exit) {
	c := k.made
	if c.cells || c.cookie {
		return nil
	}
	number := map[ir.ValueID]int{}
	for i, x := range osr.Values(k.v) {
		number[x] = i
	}
	heads, blocks := k.heads(), osr.Blocks(k.v)
	for _, n := range heads[:min(len(heads), k.most())] {
		if x := k.exitAt(blocks[n], number); x != nil {
			x.entry.Head = n
			list = append(list, x)
		}
	}
	return list
}

// heads are the heads of the loops of a body, by their numbers in osr.Blocks, those of outer loops first.
func (k *code) heads() (list []int) {
	c := k.made
	loops := analysis.LoopTree(c.cfg)
	blocks := osr.Blocks(k.v)
	for n, b := range blocks {
		back := func(from ir.BlockID) bool { return c.back(from, b) }
		if c.labels[b] >= 0 && k.v.Blocks[b].Exc == 0 && slices.ContainsFunc(c.cfg.Preds[b], back) {
			list = append(list, n)
		}
	}
	slices.SortStableFunc(list, func(x, y int) int { return cmp.Compare(loops.Depth(blocks[x]), loops.Depth(blocks[y])) })
	return list
}

// exitAt is where the loop with a head can leave, nil if nowhere. number has the numbers of osr.Values.
func (k *code) exitAt(head ir.BlockID, number map[ir.ValueID]int) *exit {
	c := k.made
	e := &entrance{compiler: c, head: head, number: number, done: map[ir.ValueID]bool{}}
	alive, again := osr.Alive(c.v, head, c.cfg.Dominates)
	for _, x := range alive {
		if !e.has(x) && !again[x] {
			return nil
		}
	}
	if len(e.args.rootArgs) > maxExit || len(e.args.plainArgs) > maxExit {
		return nil
	}
	return &exit{entry: osr.Entry{Params: e.params, Again: e.again}, code: k, at: unsafe.Pointer(&k.ins[c.labels[head]]), args: &e.args}
}

// entrance collects the arguments at a head.
type entrance struct {
	*compiler
	head   ir.BlockID
	number map[ir.ValueID]int
	done   map[ir.ValueID]bool // whether the value is known there
	params []int
	again  []int
	args   site
}

// has makes a value known at the head, if it is available: in its words, or recomputed from values that are.
func (e *entrance) has(x ir.ValueID) bool {
	if known, ok := e.done[x]; ok {
		return known
	}
	e.done[x] = e.find(x)
	return e.done[x]
}

func (e *entrance) find(x ir.ValueID) bool {
	n := &e.v.Values[x]
	switch {
	case n.Kind == ir.ValueConst:
		return true
	case e.fused[x]:
		return false
	case e.alias[x] != x || e.inlined[x]:
		for _, a := range e.v.Insts[n.Def].Args {
			if !e.has(a) {
				return false
			}
		}
		e.again = append(e.again, e.number[x])
		return true
	}
	size, at := e.sizeOf(x), e.words.BlockAt[e.head]
	for class, words := range size {
		if life := e.words.Live[x]; words > 0 && (e.words.First[class][x] < 0 || life.Start > at || life.End < at) {
			return false
		}
	}
	w := e.placesOf(x)
	if e.derived[x] && isRoot(e.at(n.Type).Kind) { // an address, which its reference keeps alive, passes for a reference
		w.roots, w.plains = w.plains, nil
	}
	e.args.rootArgs = append(e.args.rootArgs, w.roots...)
	e.args.plainArgs = append(e.args.plainArgs, w.plains...)
	e.params = append(e.params, e.number[x])
	return true
}
