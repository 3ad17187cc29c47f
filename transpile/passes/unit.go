package passes

import (
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// state is what the passes know of the whole program.
type state struct {
	p     *ir.Program
	t     *ir.Types
	opt   Options
	units map[*ir.Version]*unit
	// int1 is int<1>, refVoid ref<void>.
	int1, refVoid ir.TypeID
	groups        int                  // of functions that call each other, so far
	room          int                  // how much larger copies may still make the program, see inline
	refs          map[*ir.Function]int // see references
	tailRefs      map[*ir.Function]int // see enteredElsewhere
	observed      uint8                // see framesObserved: 0 not known, 1 no, 2 yes
	open          uint8                // the same for anyOpen
	rethrows      uint8                // the same for RETHROW: 0 not known, 1 no, 2 yes
	holds         holds                // for number
	table         *layout.Table        // see layouts
	cells         map[*ir.Global]map[layout.Num]settled
	graphs        analysis.Room // of the body in a stage
}

func newState(p *ir.Program, opt Options) *state {
	t := p.Types
	s := &state{p: p, t: t, opt: opt, units: map[*ir.Version]*unit{}, int1: t.Int(1), refVoid: t.Ref(t.Void())}
	s.settle()
	return s
}

// unit is one version with what the passes keep about it from one to the next.
type unit struct {
	*state
	v *ir.Version
	// origin of each instruction that was copied from another body.
	origin []*ir.Inlined
	// pristine is the body before its tail calls became jumps, for others in the
	// same circle to copy; nil if they may copy v.
	pristine       *ir.Version
	pristineOrigin []*ir.Inlined
	// shape is that of the finished body, if it was asked for.
	shape *shape
	// sharing is set while pass share runs.
	sharing bool
	// group is the number of the circle of calls that the function is in.
	group int
	// consts finds the value of a constant made by a pass.
	consts map[constKey]ir.ValueID
	// edits counts the runs of passes that have changed the body; idle is the value
	// of edits, by pass, when the pass had nothing to do. finished is set by a pass
	// that has left nothing for another run.
	edits    int
	idle     map[string]int
	finished bool
	// flow is the control flow when edits was flowAt; see cfg.
	flow   *analysis.CFG
	flowAt int
	// cold are headers of loops that are hardly ever entered, see bounds. Nothing but the
	// passes of the last stage may look at it, as blocks keep their numbers there.
	cold []ir.BlockID
	// direct are the calls that have become direct since the inliner has seen the body.
	direct []ir.InstID
	// canon caches the results of canonical, by constant.
	canon []ir.ValueID
}

// cfg is the control flow of the body as the calling pass has found it: the pass
// must not have changed anything yet.
func (u *unit) cfg() *analysis.CFG {
	if u.flow == nil || u.flowAt != u.edits {
		u.flow, u.flowAt = u.graphs.Add(u.v), u.edits
	}
	return u.flow
}

// settled reports whether a pass has nothing to do, because the body is still as
// it was when it had nothing to do before.
func (u *unit) settled(pass string) bool {
	at, ok := u.idle[pass]
	return ok && at == u.edits
}

// ran notes that a pass has made a number of changes.
func (u *unit) ran(pass string, changes int) {
	if changes > 0 {
		u.edits++
	}
	if changes > 0 && !u.finished {
		return
	}
	u.finished = false
	if u.idle == nil {
		u.idle = map[string]int{}
	}
	u.idle[pass] = u.edits
}

type constKey struct {
	kind   ir.ConstKind
	ty     ir.TypeID
	lo, hi uint64
}

func (s *state) unit(v *ir.Version) *unit {
	u := s.units[v]
	if u == nil {
		u = &unit{state: s, v: v}
		s.units[v] = u
	}
	return u
}

// constBits is the value of a constant with the given bits, one for each type and bits.
func (u *unit) constBits(kind ir.ConstKind, ty ir.TypeID, lo, hi uint64) ir.ValueID {
	k := constKey{kind, ty, lo, hi}
	if u.consts == nil {
		u.consts = map[constKey]ir.ValueID{}
		for i := range u.v.Values {
			x := &u.v.Values[i]
			if x.Kind != ir.ValueConst {
				continue
			}
			if c := x.Const; isNumber(c) {
				ck := constKey{c.Kind, c.Type, c.Lo, c.Hi}
				if _, ok := u.consts[ck]; !ok {
					u.consts[ck] = ir.ValueID(i)
				}
			}
		}
	}
	id, ok := u.consts[k]
	if !ok {
		id = u.v.ConstValue(&ir.Const{Kind: kind, Type: ty, Lo: lo, Hi: hi})
		u.consts[k] = id
	}
	return id
}

// canonical maps all values that are the same constant number to one value, and
// other values to themselves.
func (u *unit) canonical(x ir.ValueID) ir.ValueID {
	if int(x) < len(u.canon) && u.canon[x] != 0 {
		return u.canon[x]
	}
	c := u.constant(x)
	if c == nil || !isNumber(c) {
		return x
	}
	y := u.constBits(c.Kind, c.Type, c.Lo, c.Hi)
	u.canon = grown(u.canon, len(u.v.Values))
	u.canon[x] = y
	return y
}

// grown extends a list to at least n elements; the new ones are zero.
func grown[T any](l []T, n int) []T {
	if n <= len(l) {
		return l
	}
	return append(l, make([]T, n-len(l))...)
}

func isNumber(c *ir.Const) bool {
	return c.Kind == ir.ConstInt || c.Kind == ir.ConstFP || c.Kind == ir.ConstNull
}

// constant is the constant that a value is, or nil.
func (u *unit) constant(x ir.ValueID) *ir.Const {
	if v := &u.v.Values[x]; v.Kind == ir.ValueConst {
		return v.Const
	}
	return nil
}

// def is the instruction that a value is a result of, or nil.
func (u *unit) def(x ir.ValueID) *ir.Inst {
	if v := &u.v.Values[x]; v.Kind == ir.ValueResult {
		return &u.v.Insts[v.Def]
	}
	return nil
}

// kill takes a block out of the body.
func (u *unit) kill(b ir.BlockID) {
	blk := &u.v.Blocks[b]
	blk.Dead, blk.Insts, blk.Params, blk.Exc = true, nil, nil, 0
}

// eachUse calls fn for each operand of an instruction, clauses and destination
// arguments included.
func eachUse(in *ir.Inst, fn func(ir.ValueID)) {
	for _, a := range in.Args {
		fn(a)
	}
	for _, a := range in.Keep {
		fn(a)
	}
	for i := range in.Dests {
		for _, a := range in.Dests[i].Args {
			fn(a)
		}
	}
}

// A rename maps values to the values that replace them.
type rename struct {
	u  *unit
	to []ir.ValueID // by ValueID; 0 stays. May be shorter than Values.
	n  int
}

func (u *unit) rename() *rename { return &rename{u: u} }

// set replaces old by x. The types are equal.
func (r *rename) set(old, x ir.ValueID) {
	if int(old) >= len(r.to) {
		r.to = grown(r.to, len(r.u.v.Values))
	}
	r.to[old] = x
	r.n++
}

// find is the value that replaces a value in the end.
func (r *rename) find(x ir.ValueID) ir.ValueID {
	if int(x) >= len(r.to) || r.to[x] == 0 {
		return x
	}
	root := x
	for int(root) < len(r.to) && r.to[root] != 0 {
		root = r.to[root]
	}
	for r.to[x] != root {
		x, r.to[x] = r.to[x], root
	}
	return root
}

// apply rewrites all operands.
func (r *rename) apply() {
	if r.n == 0 {
		return
	}
	v := r.u.v
	for b := range v.Blocks {
		l := v.Blocks[b].Insts
		for i := 0; i < len(l); i++ {
			in := &v.Insts[l[i]]
			r.operands(in)
			if len(in.Keep) > 0 {
				i += r.keep(ir.BlockID(b), i)
				l = v.Blocks[b].Insts
			}
		}
	}
}

// operands rewrites the operands of an instruction but its keep-alive clause.
func (r *rename) operands(in *ir.Inst) {
	for i, a := range in.Args {
		in.Args[i] = r.find(a)
	}
	for d := range in.Dests {
		args := in.Dests[d].Args
		for i, a := range args {
			args[i] = r.find(a)
		}
	}
}

// keep rewrites the keep-alive clause of the instruction at a place. A variable
// that is replaced by one of another name gets an identity of its own name
// before the instruction. It returns how many instructions it has inserted.
func (r *rename) keep(b ir.BlockID, at int) int {
	v := r.u.v
	id := v.Blocks[b].Insts[at]
	n := 0
	for i, k := range v.Insts[id].Keep {
		x := r.find(k)
		if x == k {
			continue
		}
		if d := r.u.def(k); d != nil && d.Op == ir.OpKillDependency {
			continue // an identity, whose operand is replaced
		}
		if v.Values[x].Name != v.Values[k].Name || v.Values[x].Kind == ir.ValueConst {
			ty := v.Values[k].Type
			c := v.InsertBefore(b, at+n, ir.Inst{Op: ir.OpKillDependency, Ty: ty, Args: []ir.ValueID{x}, Pos: v.Insts[id].Pos},
				[]ir.TypeID{ty}, []string{v.Values[k].Name})
			x = v.Insts[c].Results[0]
			n++
		}
		v.Insts[id].Keep[i] = x
	}
	return n
}
