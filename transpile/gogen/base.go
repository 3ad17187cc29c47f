package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Variables of type unsafe.Pointer.
//
// Addresses are numbers. To access one, it is converted to a pointer, which
// costs a copy of a register where the number is needed later. So an address
// that several accesses start from gets a second variable, its pointer.
//
// When Go moves a stack to a larger one, it ends the program if a pointer
// variable has a value from 1 to 4095; and NULL plus an offset is an address
// that programs may have as long as they do not use it. A stack moves only when
// a function is called. So
//
//  1. a pointer is only alive where no function can be called (quiet);
//  2. it is set where the address is, if everything from there to the last
//     access is quiet;
//  3. else where an outermost quiet loop begins, for the accesses in it.

// pointers are the pointer variables of a function.
type pointers struct {
	name  []string                                // by ValueID, "" for values without one
	atDef []bool                                  // by ValueID: set where the address is, good for all accesses
	loops *analysis.Loops                         // the others are good in these
	entry map[ir.BlockID][]ir.ValueID             // those set where a loop is entered, by header
	in    map[ir.ValueID]map[analysis.LoopID]bool // the same, by value
}

// baseUse is an access of memory through a base, at a place of a block.
type baseUse struct {
	b  ir.BlockID
	at int
}

// maxRange is the number of blocks that the accesses through one base may lie in.
const maxRange = 64

// findBases chooses the addresses that get a pointer.
func (e *fn) findBases() {
	if e.Threads || e.opt.Sanitize || e.Introspect {
		return
	}
	uses := map[ir.ValueID][]baseUse{}
	var order []ir.ValueID
	noisy := make([][]bool, len(e.v.Blocks)) // by block and emitted instruction
	loud := make([]bool, len(e.v.Blocks))
	for _, b := range e.plan.CFG.Order {
		loud[b] = e.framed && e.frameAt == b
		e.plan.EachInst(b, func(_ ir.InstID, in *ir.Inst) {
			n := e.noisy(in)
			if !n && !in.Has(ir.FlagExc) && (in.Op == ir.OpStore || in.Op == ir.OpLoad && e.plan.Used[in.Results[0]]) {
				if x := e.baseOf(in.Args[0]); x != 0 {
					if uses[x] == nil {
						order = append(order, x)
					}
					uses[x] = append(uses[x], baseUse{b, len(noisy[b])})
				}
			}
			noisy[b] = append(noisy[b], n)
			loud[b] = loud[b] || n
		})
	}
	if len(order) == 0 {
		return
	}
	p := &pointers{
		name: make([]string, len(e.v.Values)), atDef: make([]bool, len(e.v.Values)),
		loops: analysis.NewLoops(e.v, e.plan.CFG),
		entry: map[ir.BlockID][]ir.ValueID{}, in: map[ir.ValueID]map[analysis.LoopID]bool{},
	}
	quiet := make([]bool, len(p.loops.List))
	for i := range p.loops.List { // inner ones first
		quiet[i] = true
		for _, b := range p.loops.List[i].Blocks {
			quiet[i] = quiet[i] && !loud[b]
		}
	}
	e.bases = p
	for _, x := range order {
		e.chooseBase(x, uses[x], noisy, quiet)
	}
}

// chooseBase decides about one address.
func (e *fn) chooseBase(x ir.ValueID, uses []baseUse, noisy [][]bool, quiet []bool) {
	p := e.bases
	home := e.defBlock(x)
	deeper := false
	for _, u := range uses {
		l := p.loops.Of[u.b]
		deeper = deeper || l >= 0 && !p.loops.Contains(l, home)
	}
	if (deeper || len(uses) > 1) && e.quietRange(x, home, uses, noisy) {
		p.atDef[x] = true
		p.name[x] = e.pointerName(x)
		return
	}
	for _, u := range uses {
		best := analysis.LoopID(-1)
		for l := p.loops.Of[u.b]; l >= 0 && quiet[l] && !p.loops.Contains(l, home); l = p.loops.List[l].Parent {
			best = l
		}
		if best < 0 || p.in[x][best] || p.loops.List[best].Header == 0 {
			continue
		}
		if p.in[x] == nil {
			p.in[x] = map[analysis.LoopID]bool{}
			p.name[x] = e.pointerName(x)
		}
		p.in[x][best] = true
		h := p.loops.List[best].Header
		p.entry[h] = append(p.entry[h], x)
	}
}

// quietRange reports whether no function is called from where an address is
// set to any of its accesses.
func (e *fn) quietRange(x ir.ValueID, home ir.BlockID, uses []baseUse, noisy [][]bool) bool {
	def := -1 // place in its block
	if d := &e.v.Values[x]; d.Kind == ir.ValueResult {
		n := 0
		e.plan.EachInst(home, func(id ir.InstID, _ *ir.Inst) {
			if int32(id) == d.Def {
				def = n
			}
			n++
		})
	} else if e.framed && e.frameAt == home && home != 0 {
		return false // the frame is pushed in between
	}
	seen := map[ir.BlockID]bool{}
	var work []ir.BlockID
	quiet := func(b ir.BlockID, to int) bool {
		from := 0
		if b == home {
			from = def + 1
		}
		for i := from; i < to; i++ {
			if noisy[b][i] {
				return false
			}
		}
		if b != home {
			if e.framed && e.frameAt == b {
				return false
			}
			for _, q := range e.plan.CFG.Preds[b] {
				if !seen[q] {
					seen[q] = true
					work = append(work, q)
				}
			}
		}
		return true
	}
	for _, u := range uses {
		if u.b == home && u.at < def || !quiet(u.b, u.at) {
			return false
		}
	}
	for len(work) > 0 {
		if len(seen) > maxRange {
			return false
		}
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !quiet(b, len(noisy[b])) {
			return false
		}
	}
	return true
}

func (e *fn) pointerName(x ir.ValueID) string {
	name := e.v.Values[x].Name
	if name == "" {
		return e.scope.local("ptr")
	}
	return e.scope.local(clean(name) + "_ptr")
}

// baseOf is the variable that an address is computed from, 0 if there is none.
func (e *fn) baseOf(x ir.ValueID) ir.ValueID {
	for {
		x = e.plan.Alias[x]
		v := &e.v.Values[x]
		if v.Kind == ir.ValueConst || v.Kind == ir.ValueExcParam {
			return 0
		}
		if v.Kind != ir.ValueResult {
			return x
		}
		in := &e.v.Insts[v.Def]
		if !e.plan.Inline[x] {
			if in.IsTerminator() {
				return 0
			}
			return x
		}
		if in.Op.Info().Class != ir.ClassAddr {
			return 0
		}
		x = in.Args[0]
	}
}

// noisy reports whether the statements of an instruction may call a function.
func (e *fn) noisy(in *ir.Inst) bool {
	if e.calls(in) {
		return true
	}
	loud := false
	operand := func(a ir.ValueID) {
		if a = e.plan.Alias[a]; e.plan.Inline[a] {
			loud = loud || e.noisy(&e.v.Insts[e.v.Values[a].Def])
		}
	}
	for _, a := range in.Args {
		operand(a)
	}
	for i := range in.Dests {
		for _, a := range in.Dests[i].Args {
			operand(a)
		}
	}
	return loud
}

// calls is noisy without the operands. It lists what surely calls nothing; the
// functions that divide 64-bit numbers on small machines do not grow the stack.
func (e *fn) calls(in *ir.Inst) bool {
	scalar := func(ty ir.TypeID) bool {
		switch n := e.at(ty); n.Kind {
		case ir.KInt:
			return n.Bits <= 64
		case ir.KStruct, ir.KArray, ir.KVector, ir.KHybrid:
			return false
		}
		return true
	}
	switch in.Op {
	case ir.OpSDiv, ir.OpSRem, ir.OpUDiv, ir.OpURem:
		c := e.v.Values[e.plan.Alias[in.Args[1]]].Const
		return !scalar(in.Ty) || c == nil || c.Lo == 0
	case ir.OpBranch, ir.OpBranch2:
		return false
	case ir.OpFRem, ir.OpFPToUI, ir.OpFPToSI, ir.OpWPBranch:
		return true
	case ir.OpFOrd, ir.OpFUno, ir.OpFONE, ir.OpFUEQ, ir.OpFTrue, ir.OpFFalse:
		return true
	case ir.OpMathSqrt:
		return false
	case ir.OpExtractValue, ir.OpInsertValue, ir.OpRet:
		return false
	case ir.OpLoad, ir.OpStore:
		return in.Ord != ir.NotAtomic || !scalar(in.Ty)
	}
	switch in.Op.Info().Class {
	case ir.ClassConv:
		return !scalar(in.Ty) || !scalar(in.Ty2)
	case ir.ClassIntBin, ir.ClassFPBin, ir.ClassCmpEQ, ir.ClassCmpInt, ir.ClassCmpULT, ir.ClassCmpFP,
		ir.ClassSelect, ir.ClassBranch:
		return !scalar(in.Ty)
	case ir.ClassAddr:
		return false
	}
	return true
}

// ptr is the pointer variable of an address where it is good now, else "".
func (e *fn) ptr(x ir.ValueID) string {
	if p := e.bases; p != nil && p.name[x] != "" {
		if p.atDef[x] {
			return p.name[x]
		}
		for l := p.loops.Of[e.cur]; l >= 0; l = p.loops.List[l].Parent {
			if p.in[x][l] {
				return p.name[x]
			}
		}
	}
	if v := &e.v.Values[x]; v.Kind == ir.ValueConst && v.Const.Kind == ir.ConstGlobal {
		return "unsafe.Pointer(&" + e.globals[v.Const.Global] + ")"
	}
	return ""
}

// point sets the pointer of an address that has just been set.
func (e *fn) point(out *code, x ir.ValueID) {
	if p := e.bases; p != nil && p.atDef[x] {
		op := ":="
		if e.plan.Hoist[x] {
			op = "="
		}
		e.read[x] = true
		out.add("%s %s unsafe.Pointer(%s)", p.name[x], op, e.name[x])
	}
}

// entered lists the addresses whose pointers are set on an edge.
func (e *fn) entered(from, to ir.BlockID) []ir.ValueID {
	p := e.bases
	if p == nil || len(p.entry[to]) == 0 || p.loops.Contains(p.loops.Of[to], from) {
		return nil
	}
	return p.entry[to]
}

// enterLoop sets the pointers that are good in a loop, before a jump to its
// header from outside.
func (e *fn) enterLoop(out *code, from, to ir.BlockID) {
	for _, x := range e.entered(from, to) {
		p := e.bases
		out.add("%s = unsafe.Pointer(%s)", p.name[x], unparen(e.expr(x)))
	}
}

// declarePointers declares the pointers that are not where they are set.
func (e *fn) declarePointers(out *code) {
	if e.bases == nil {
		return
	}
	for i, name := range e.bases.name {
		if name != "" && (e.plan.Hoist[i] || !e.bases.atDef[i]) {
			out.add("var %s unsafe.Pointer", name)
		}
	}
}
