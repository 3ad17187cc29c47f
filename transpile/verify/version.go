package verify

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A body is the state of checking one version.
type body struct {
	v    *ir.Version
	blk  ir.BlockID // -1 outside blocks
	inst ir.InstID  // 0 outside instructions
	at   int        // index of the instruction in its block

	params, results []ir.TypeID // of the signature; nil if it is broken
	order           []int32     // by InstID: one more than its index in its block; 0 if in no block
	constOf         map[*ir.Const]ir.ValueID
	broken          bool // the graph cannot be traversed
	entries         map[ir.BlockID]int
	wants           []ir.Want
}

// version checks one body in steps: cross references and the shape of blocks; then,
// in each instruction, operands, types and edges; then, if the graph can be
// traversed, dominance.
func (x *Verifier) version(v *ir.Version) {
	wants := x.wants
	x.body = body{v: v, blk: -1, wants: wants, constOf: map[*ir.Const]ir.ValueID{}}
	defer func() { x.body = body{wants: x.wants} }()
	if v == nil {
		x.where = "program"
		x.faultf("a version is nil")
		return
	}
	x.header()
	if len(v.Blocks) == 0 {
		x.faultf("has no blocks")
		return
	}
	if v.Blocks[0].Dead {
		x.faultf("the entry block is dead")
		x.broken = true
	}
	x.order = make([]int32, len(v.Insts))
	for b := range v.Blocks {
		if x.blk, x.inst = ir.BlockID(b), 0; !v.Blocks[b].Dead {
			x.block()
		}
	}
	for b := range v.Blocks {
		if v.Blocks[b].Dead {
			continue
		}
		x.blk = ir.BlockID(b)
		for i, id := range v.Blocks[b].Insts {
			if x.isInst(id) {
				x.inst, x.at = id, i
				x.instruction(&v.Insts[id])
			}
		}
	}
	if x.blk, x.inst = -1, 0; !x.broken {
		x.dominance(analysis.NewCFG(v))
	}
}

func (x *Verifier) isInst(id ir.InstID) bool   { return id > 0 && int(id) < len(x.v.Insts) }
func (x *Verifier) isValue(id ir.ValueID) bool { return id > 0 && int(id) < len(x.v.Values) }
func (x *Verifier) isBlock(id ir.BlockID) bool { return id >= 0 && int(id) < len(x.v.Blocks) }

// header checks the place of the version in the program.
func (x *Verifier) header() {
	f := x.v.Func
	x.y.Sig = ir.NoType
	if f == nil {
		x.faultf("has no function")
		return
	}
	if !slices.Contains(f.Versions, x.v) {
		x.faultf("is not among the versions of %s", f.Name)
	}
	if !x.t.Valid(f.Sig) || x.t.Kind(f.Sig) != ir.KSig {
		x.faultf("%s has signature %s, which is none", f.Name, x.t.Text(f.Sig))
		return
	}
	x.y.Sig = f.Sig
	x.params, x.results = x.t.At(f.Sig).Fields, x.t.At(f.Sig).Results
}

// block checks the parameters of a block and the list of its instructions.
func (x *Verifier) block() {
	b := &x.v.Blocks[x.blk]
	for i, id := range b.Params {
		if x.defines(id, ir.ValueParam, int32(x.blk), i, "parameter") {
			if t := x.v.Values[id].Type; !x.y.IsValue(t) {
				x.faultf("parameter %s wants a type of values, got %s", x.value(id), x.t.Text(t))
			}
		}
	}
	if b.Exc != 0 && x.defines(b.Exc, ir.ValueExcParam, int32(x.blk), 0, "exception parameter") {
		if t := x.v.Values[b.Exc].Type; !x.isRefVoid(t) {
			x.faultf("exception parameter wants ref<void>, got %s", x.t.Text(t))
		}
	}
	if x.blk == 0 {
		x.entry(b)
	}
	for i, id := range b.Insts {
		x.at = i
		if !x.isInst(id) {
			x.inst, x.broken = 0, true
			x.faultf("has instruction %d, which does not exist", id)
			continue
		}
		in := &x.v.Insts[id]
		x.inst = id
		if x.order[id] != 0 {
			x.faultf("is in more than one place")
		} else if in.Block != x.blk {
			x.faultf("names block %d as the one it is in", in.Block)
		}
		x.order[id] = int32(i + 1)
		if last := i == len(b.Insts)-1; in.IsTerminator() != last {
			if last {
				x.faultf("%s is no terminator, but the last of its block", in.Op)
			} else {
				x.faultf("%s is a terminator, but not the last of its block", in.Op)
			}
		}
	}
	if x.inst = 0; len(b.Insts) == 0 {
		x.faultf("has no instructions")
	}
}

func (x *Verifier) entry(b *ir.Block) {
	if b.Exc != 0 {
		x.faultf("the entry block has an exception parameter")
	}
	if x.y.Sig == ir.NoType {
		return
	}
	if len(b.Params) != len(x.params) {
		x.faultf("the entry block wants %d parameters, got %d", len(x.params), len(b.Params))
		return
	}
	for i, id := range b.Params {
		if x.isValue(id) && x.v.Values[id].Type != x.params[i] {
			x.faultf("parameter %s wants %s, got %s", x.value(id), x.t.Text(x.params[i]), x.t.Text(x.v.Values[id].Type))
		}
	}
}

func (x *Verifier) isRefVoid(id ir.TypeID) bool {
	if !x.t.Valid(id) || x.t.Kind(id) != ir.KRef {
		return false
	}
	e := x.t.At(id).Elem
	return x.t.Valid(e) && x.t.Kind(e) == ir.KVoid
}

// defines checks that a value has the data that the block or instruction that lists
// it implies. It reports whether there is such a value.
func (x *Verifier) defines(id ir.ValueID, kind ir.ValueKind, def int32, index int, what string) bool {
	if !x.isValue(id) {
		x.faultf("%s %d is value %d, which does not exist", what, index, id)
		return false
	}
	v := &x.v.Values[id]
	if v.Kind != kind || v.Def != def || int(v.Index) != index {
		x.faultf("%s %d is %s, which is %s", what, index, x.value(id), describe(v))
	}
	return true
}

// used checks that an operand is a value, defined at the place that it names.
func (x *Verifier) used(id ir.ValueID, what string, i int) bool {
	if !x.isValue(id) {
		x.faultf("%s %d is value %d, which does not exist", what, i+1, id)
		return false
	}
	v := &x.v.Values[id]
	ok := false
	switch v.Kind {
	case ir.ValueParam:
		ok = x.isBlock(ir.BlockID(v.Def)) && has(x.v.Blocks[v.Def].Params, v.Index, id) && !x.v.Blocks[v.Def].Dead
	case ir.ValueExcParam:
		ok = x.isBlock(ir.BlockID(v.Def)) && x.v.Blocks[v.Def].Exc == id && !x.v.Blocks[v.Def].Dead
	case ir.ValueResult:
		ok = x.isInst(ir.InstID(v.Def)) && has(x.v.Insts[v.Def].Results, v.Index, id) && x.order[v.Def] != 0
	case ir.ValueConst:
		return x.constant(id)
	}
	if !ok {
		x.faultf("%s %d is %s, which is %s, but not defined there", what, i+1, x.value(id), describe(v))
	}
	return ok
}

func has(list []ir.ValueID, i int32, id ir.ValueID) bool {
	return i >= 0 && int(i) < len(list) && list[i] == id
}

// constant checks the value of a constant.
func (x *Verifier) constant(id ir.ValueID) bool {
	v := &x.v.Values[id]
	c := v.Const
	if c == nil {
		x.faultf("%s is a constant without value", x.value(id))
		return false
	}
	if first, ok := x.constOf[c]; !ok {
		x.constOf[c] = id
	} else {
		if first != id {
			x.faultf("%s and %s are the same constant", x.value(first), x.value(id))
		}
		return true // checked
	}
	if v.Type != c.Type {
		x.faultf("%s is of type %s, but its constant of type %s", x.value(id), x.t.Text(v.Type), x.t.Text(c.Type))
	}
	x.checkConst(c)
	return true
}

// dominance checks that definitions dominate uses.
func (x *Verifier) dominance(cfg *analysis.CFG) {
	v := x.v
	for b := range v.Blocks {
		if v.Blocks[b].Dead {
			continue
		}
		x.blk = ir.BlockID(b)
		for i, id := range v.Blocks[b].Insts {
			x.inst, x.at = id, i
			in := &v.Insts[id]
			for _, a := range in.Args {
				x.dominated(cfg, a, -1)
			}
			for _, a := range in.Keep {
				x.dominated(cfg, a, -1)
			}
			for k := range in.Dests {
				for _, a := range in.Dests[k].Args {
					x.dominated(cfg, a, k)
				}
			}
		}
		x.inst = 0
	}
	x.blk = -1
}

// ownDest is the destination that can use the results of an instruction that ends
// its block, -1 if there is none.
func ownDest(in *ir.Inst) int {
	switch {
	case in.Has(ir.FlagExc):
		return 0
	case in.Op == ir.OpWatchpoint:
		return 1
	}
	return -1
}

// dominated checks one use, by the instruction being checked: as an operand, or
// as an argument of its destination dest.
func (x *Verifier) dominated(cfg *analysis.CFG, id ir.ValueID, dest int) {
	if !x.isValue(id) {
		return // reported
	}
	v := &x.v.Values[id]
	var def ir.BlockID
	switch v.Kind {
	case ir.ValueParam, ir.ValueExcParam:
		def = ir.BlockID(v.Def)
	case ir.ValueResult:
		if !x.isInst(ir.InstID(v.Def)) || x.order[v.Def] == 0 {
			return // reported
		}
		in := &x.v.Insts[v.Def]
		def = in.Block
		own := ownDest(in)
		switch {
		case ir.InstID(v.Def) == x.inst:
			switch {
			case dest < 0:
				x.faultf("%s is used by the instruction that defines it", x.value(id))
			case dest != own:
				x.faultf("%s is used in destination %d, but exists only in destination %d", x.value(id), dest, own)
			}
			return
		case def == x.blk:
			if x.order[v.Def] > int32(x.at) {
				x.faultf("%s is used before its definition", x.value(id))
			}
			return
		case own >= 0 && own < len(in.Dests) && cfg.Reachable(x.blk) && cfg.Reachable(def):
			d := in.Dests[own].Block
			if !cfg.Dominates(d, x.blk) || !x.onlyEntry(cfg, d, def) {
				x.faultf("%s is used where the destination that it exists in does not dominate", x.value(id))
			}
			return
		}
	default:
		return
	}
	if def == x.blk || !x.isBlock(def) || !cfg.Reachable(x.blk) {
		return
	}
	if !cfg.Reachable(def) || !cfg.Dominates(def, x.blk) {
		x.faultf("%s is used where its definition does not dominate", x.value(id))
	}
}

// onlyEntry reports whether one edge from block from is the only edge into d that
// does not come from a block that d dominates.
func (x *Verifier) onlyEntry(cfg *analysis.CFG, d, from ir.BlockID) bool {
	n, ok := x.entries[d]
	if !ok {
		for _, p := range cfg.Preds[d] {
			if !cfg.Dominates(d, p) {
				n++
			}
		}
		if x.entries == nil {
			x.entries = map[ir.BlockID]int{}
		}
		x.entries[d] = n
	}
	return n == 1 && !cfg.Dominates(d, from)
}
