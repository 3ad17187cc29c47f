// Package plan decides how one function body is laid out as Go source: which
// instructions are needed, which blocks nest in their predecessor and which
// become labels, which values become Go variables and where those are declared,
// and which references get a slot in the shadow frame. It only decides; package
// lower emits, and the body itself is not changed.
//
// # Shape of the output
//
// A block with one incoming edge is written in place, inside the branch that leads to it. Every
// other block is a labelled sibling that follows its immediate dominator, in the same braces.
// All jumps to it come from blocks that its immediate dominator dominates, which are inside
// those braces. So every goto leaves braces or stays within them, and never enters them,
// whatever the graph, irreducible loops included. The statements of a block with labelled
// siblings have their own braces, so that no goto jumps over a declaration. The depth of braces
// is limited (nest.go).
package plan

import (
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// Func is the plan for one version.
type Func struct {
	Prog *ir.Program
	V    *ir.Version
	CFG  *analysis.CFG
	// Needed marks the instructions to emit; Used the parameters and results
	// that something needed reads.
	Needed []bool // by InstID
	Used   []bool // by ValueID
	// Alias is the value that a value is the same as, or itself. Chains are resolved.
	Alias []ir.ValueID
	// Inline marks results that are written as an expression where they are used.
	Inline []bool
	// Hoist marks values whose variable is declared at the top of the function.
	Hoist []bool
	// InPlace is, for a block written inside its predecessor, that predecessor; else -1.
	InPlace []ir.BlockID
	// Labels are the labelled siblings that follow each block.
	Labels [][]ir.BlockID
	// Open marks blocks whose last labelled sibling needs no braces: nothing
	// follows it inside the enclosing ones.
	Open []bool
	// Slot is the first root slot of a value, or -1; NumSlots the frame's root words.
	Slot     []int32
	NumSlots int

	known    *facts.Program
	opt      Options
	live     *rooter // nil without safepoints or references
	stale    map[ir.InstID][]int32
	base     []ir.ValueID // by ValueID: another value that roots the object, or 0
	into     [][]*ir.Dest // by block: the edges into it
	demanded []uint64     // see Demanded
	uses     []int32
	depth    []uint8
	emitted  [][]ir.InstID // by block, see EachInst
}

// Options are what the plan depends on beyond the body and the facts.
type Options struct {
	// Polls makes safepoints of the jumps back in loops.
	Polls bool
	// Checked keeps every addressing and tag instruction at its place, because
	// it will be checked when it runs.
	Checked bool
	// Debug gives each result that is used a variable, so that debuggers find it.
	Debug bool
	// Layout, if not nil, says which accesses a machine can scale an index in.
	Layout *layout.Table
	// Origins says which instructions were copied from another body, by InstID;
	// it may be shorter.
	Origins []*ir.Inlined
}

// Of makes the plan for a version.
func Of(known *facts.Program, v *ir.Version, opt Options) *Func {
	f := &Func{Prog: known.IR, V: v, CFG: analysis.NewCFG(v), known: known, opt: opt}
	f.edges()
	f.need()
	f.nest()
	f.alias()
	f.inline()
	f.bases()
	f.hoist()
	f.slots()
	return f
}

// Safepoint reports whether an instruction may start a collection.
func (f *Func) Safepoint(in *ir.Inst) bool {
	return f.known.Safepoint(f.V, in) || f.opt.Polls && f.Retreats(in)
}

// copied reports whether an instruction was copied from another body.
func (f *Func) copied(id ir.InstID) bool {
	return int(id) < len(f.opt.Origins) && f.opt.Origins[id] != nil
}

// scaled reports whether an index is a word that machines can scale in an access.
func (f *Func) scaled(in *ir.Inst) bool {
	if in.Op != ir.OpGetElemIRef && in.Op != ir.OpShiftIRef || f.Prog.Types.At(in.Ty2).Bits != 64 {
		return false
	}
	l := f.opt.Layout.Of(in.Ty)
	n := l.Stride
	if in.Op == ir.OpShiftIRef {
		n = l.Size.AlignUp(l.Align)
	}
	return n.W8 <= 8 && n.W8&(n.W8-1) == 0
}

// Retreats reports whether a terminator has a destination that does not come
// later in the order of blocks: every cycle has such a jump.
func (f *Func) Retreats(in *ir.Inst) bool {
	for i := range in.Dests {
		if f.CFG.Index[in.Dests[i].Block] <= f.CFG.Index[in.Block] {
			return true
		}
	}
	return false
}

// Droppable reports whether an instruction without used results can go.
func Droppable(in *ir.Inst) bool {
	if in.IsTerminator() {
		return false
	}
	return in.Op.Any(ir.Unread|ir.Checked) || in.Op.Pure()
}

// checks reports whether an instruction is checked when it runs.
func (f *Func) checks(in *ir.Inst) bool {
	return f.opt.Checked && in.Op.Is(ir.Checked) && in.Flags&(ir.FlagPtr|ir.FlagPointer) == 0
}

// edges finds the edges into each block.
func (f *Func) edges() {
	f.into = make([][]*ir.Dest, len(f.V.Blocks))
	n := 0
	for _, p := range f.CFG.Preds {
		n += len(p)
	}
	all := make([]*ir.Dest, n)
	for b, p := range f.CFG.Preds {
		f.into[b], all = all[:0:len(p)], all[len(p):]
	}
	for _, b := range f.CFG.Order {
		f.V.Succs(b, func(d *ir.Dest) { f.into[d.Block] = append(f.into[d.Block], d) })
	}
}

// need marks what must be emitted: instructions with effects, and all that
// they use, through block parameters.
func (f *Func) need() {
	v := f.V
	f.Needed, f.Used = analysis.Needed(v, f.CFG, func(id ir.InstID) bool { return !Droppable(&v.Insts[id]) || f.checks(&v.Insts[id]) },
		func(b ir.BlockID, i int, use func(ir.ValueID)) {
			for _, d := range f.into[b] {
				use(d.Args[i])
			}
		})
}

// alias finds the values that merely rename another: parameters of blocks with
// one incoming edge, and casts that do not change the machine value.
func (f *Func) alias() {
	v := f.V
	f.Alias = make([]ir.ValueID, len(v.Values))
	for i := range f.Alias {
		f.Alias[i] = ir.ValueID(i)
	}
	for _, b := range f.CFG.Order {
		if f.InPlace[b] >= 0 {
			for i, a := range f.into[b][0].Args {
				f.Alias[v.Blocks[b].Params[i]] = f.Alias[a]
			}
		}
		for _, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			if f.Needed[id] && f.renames(in) {
				f.Alias[in.Results[0]] = f.Alias[in.Args[0]]
			}
		}
	}
}

func (f *Func) renames(in *ir.Inst) bool {
	if f.checks(in) {
		return false
	}
	return in.Op.Is(ir.Renames) || in.Op == ir.OpPtrCast && f.pointer(in.Ty) && f.pointer(in.Ty2)
}

func (f *Func) pointer(t ir.TypeID) bool {
	switch f.Prog.Types.Kind(t) {
	case ir.KUPtr, ir.KUFuncPtr:
		return true
	}
	return false
}

// EachUse calls fn for the variables that evaluating x reads: x itself, or
// what its expression is made of.
func (f *Func) EachUse(x ir.ValueID, fn func(ir.ValueID)) {
	x = f.Alias[x]
	switch {
	case x == 0 || f.V.Values[x].Kind == ir.ValueConst:
	case f.Inline[x]:
		for _, a := range f.V.Insts[f.V.Values[x].Def].Args {
			f.EachUse(a, fn)
		}
	default:
		fn(x)
	}
}

const maxDepth = 6

// inline marks results that need no variable: addresses at a constant distance, wherever they
// are used, addresses that the accesses which use them can compute, and other pure results used
// once in their own block. A value that only depends on a reference, such as a comparison with
// NULL, is not computed after a safepoint: the object would live longer than its last variable,
// even if that variable belongs to an inlined function.
func (f *Func) inline() {
	v := f.V
	f.uses = make([]int32, len(v.Values))
	f.depth = make([]uint8, len(v.Values))
	useBlock := make([]ir.BlockID, len(v.Values))
	for i := range useBlock {
		useBlock[i] = -1
	}
	passed := int32(0)                     // safepoints so far
	usedAt := make([]int32, len(v.Values)) // passed at the last use
	count := func(b ir.BlockID, a ir.ValueID) {
		a = f.Alias[a]
		f.uses[a]++
		usedAt[a] = passed
		if useBlock[a] == -1 || useBlock[a] == b {
			useBlock[a] = b
		} else {
			useBlock[a] = -2
		}
	}
	for _, b := range f.CFG.Order {
		for _, id := range v.Blocks[b].Insts {
			if !f.Needed[id] {
				continue
			}
			in := &v.Insts[id]
			if !f.renames(in) {
				for _, a := range in.Args {
					count(b, a)
				}
			}
			for _, a := range in.Keep {
				count(b, a)
			}
			if f.Safepoint(in) {
				passed++
			}
			f.liveDestArgs(in, func(a ir.ValueID) { count(b, a) })
		}
	}
	passed = 0
	tells := make([]bool, len(v.Values)) // has a reference as an operand, or inlines an expression that has one
	f.Inline = make([]bool, len(v.Values))
	access := f.accessOnly()
	for _, b := range f.CFG.Order {
		for _, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			if f.Needed[id] && f.Safepoint(in) {
				passed++
			}
			if f.opt.Debug || !f.Needed[id] || len(in.Results) != 1 || in.IsTerminator() || f.renames(in) {
				continue
			}
			r := in.Results[0]
			d := uint8(0)
			for _, a := range in.Args {
				if a = f.Alias[a]; f.Inline[a] {
					d = max(d, f.depth[a])
					tells[r] = tells[r] || tells[a]
				}
				tells[r] = tells[r] || f.known.Traced(v.Values[a].Type) > 0
			}
			if d >= maxDepth {
				continue
			}
			late := usedAt[r] != passed && tells[r] && f.known.Traced(v.Values[r].Type) == 0
			if f.constOffset(in) || access[r] || f.uses[r] == 1 && useBlock[r] == b && f.exprOp(in) && !late {
				f.Inline[r] = true
				f.depth[r] = d + 1
			}
		}
	}
	f.emit()
}

// emit lists the instructions that are emitted at their place: needed, and neither
// a renaming nor an inlined expression.
func (f *Func) emit() {
	f.emitted = make([][]ir.InstID, len(f.V.Blocks))
	all := make([]ir.InstID, 0, len(f.V.Insts))
	for _, b := range f.CFG.Order {
		first := len(all)
		for _, id := range f.V.Blocks[b].Insts {
			in := &f.V.Insts[id]
			if !f.Needed[id] || f.renames(in) || len(in.Results) == 1 && f.Inline[in.Results[0]] {
				continue
			}
			all = append(all, id)
		}
		f.emitted[b] = all[first:len(all):len(all)]
	}
}

// accessOnly marks the results of indexing instructions that are only used as
// addresses of plain accesses, at a constant distance perhaps, where the accesses
// can compute them.
func (f *Func) accessOnly() []bool {
	v := f.V
	ok := make([]bool, len(v.Values))
	if f.opt.Layout == nil {
		return ok
	}
	as := make([]int32, len(v.Values)) // uses as addresses
	for i := len(f.CFG.Order) - 1; i >= 0; i-- {
		b := f.CFG.Order[i]
		list := v.Blocks[b].Insts
		for k := len(list) - 1; k >= 0; k-- {
			in := &v.Insts[list[k]]
			if !f.Needed[list[k]] {
				continue
			}
			switch {
			case (in.Op == ir.OpLoad || in.Op == ir.OpStore) && in.Ord == ir.NotAtomic && !in.Has(ir.FlagExc):
				as[f.Alias[in.Args[0]]]++
			case in.Op.Info().Class == ir.ClassAddr && !f.renames(in) && !f.checks(in):
				r := in.Results[0]
				if f.uses[r] == 0 || as[r] != f.uses[r] {
					continue
				}
				switch {
				case f.constOffset(in):
					as[f.Alias[in.Args[0]]]++
				case f.scaled(in):
					ok[r] = true
				}
			}
		}
	}
	return ok
}

// liveDestArgs calls fn for the destination arguments that are really passed.
func (f *Func) liveDestArgs(in *ir.Inst, fn func(ir.ValueID)) {
	for i := range in.Dests {
		d := &in.Dests[i]
		if f.InPlace[d.Block] >= 0 {
			continue // aliases
		}
		for j, a := range d.Args {
			if f.Used[f.V.Blocks[d.Block].Params[j]] {
				fn(a)
			}
		}
	}
}

func (f *Func) constOffset(in *ir.Inst) bool {
	if f.checks(in) {
		return false
	}
	if in.Op.Is(ir.Indexed) {
		return f.V.Values[f.Alias[in.Args[1]]].Kind == ir.ValueConst
	}
	return in.Op.Info().Class == ir.ClassAddr && !in.Op.Is(ir.Renames)
}

// exprOp reports whether the operation is written as one Go expression.
func (f *Func) exprOp(in *ir.Inst) bool {
	return in.Op.Is(ir.Expr) && f.Prog.Types.Kind(in.Ty) != ir.KVector && !f.checks(in)
}

// hoist marks the values whose variable cannot be declared at its first
// assignment, because some use is outside the braces around that.
func (f *Func) hoist() {
	v := f.V
	f.Hoist = make([]bool, len(v.Values))
	// owner is the block whose braces enclose a block's, or -1.
	owner := make([]ir.BlockID, len(v.Blocks))
	for _, b := range f.CFG.Order {
		switch {
		case b == 0:
			owner[b] = -1
		case f.InPlace[b] >= 0:
			owner[b] = f.InPlace[b]
		default:
			owner[b] = owner[f.CFG.Idom[b]]
		}
		if b != 0 && f.InPlace[b] < 0 {
			for _, p := range v.Blocks[b].Params {
				f.Hoist[p] = true
			}
		}
	}
	visible := f.CFG.Within(owner)
	for _, b := range f.CFG.Order {
		check := func(x ir.ValueID) {
			if f.Hoist[x] {
				return
			}
			d := &v.Values[x]
			var def ir.BlockID
			switch d.Kind {
			case ir.ValueResult:
				def = v.Insts[d.Def].Block
			case ir.ValueExcParam:
				def = ir.BlockID(d.Def)
			default:
				return // entry parameters are Go parameters
			}
			if !visible(def, b) {
				f.Hoist[x] = true
			}
		}
		f.EachInst(b, func(id ir.InstID, in *ir.Inst) {
			f.InstUses(in, func(x ir.ValueID) {
				check(x)
				check(f.baseOf(x))
			})
		})
	}
	// An exception parameter of a labelled block is assigned at the jump.
	for _, b := range f.CFG.Order {
		if e := v.Blocks[b].Exc; e != 0 && f.InPlace[b] < 0 {
			f.Hoist[e] = true
		}
	}
}

// Emitted are the instructions of a block that EachInst goes through.
func (f *Func) Emitted(b ir.BlockID) []ir.InstID { return f.emitted[b] }

// EachInst calls fn for the instructions of a block that are emitted at their
// place.
func (f *Func) EachInst(b ir.BlockID, fn func(ir.InstID, *ir.Inst)) {
	for _, id := range f.emitted[b] {
		fn(id, &f.V.Insts[id])
	}
}

// UsedOnce reports whether a value is an operand of one emitted instruction, once.
func (f *Func) UsedOnce(x ir.ValueID) bool { return f.uses[f.Alias[x]] == 1 }

// InstUses calls fn for each variable that an emitted instruction reads, its
// clauses and passed destination arguments included; perhaps repeatedly.
func (f *Func) InstUses(in *ir.Inst, fn func(ir.ValueID)) {
	for _, a := range in.Args {
		f.EachUse(a, fn)
	}
	for _, a := range in.Keep {
		f.EachUse(a, fn)
	}
	f.liveDestArgs(in, func(a ir.ValueID) { f.EachUse(a, fn) })
}
