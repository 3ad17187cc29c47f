package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// callee is the unit that a CALL or TAILCALL enters, or nil if that is not
// known, not defined, or may change.
func (u *unit) callee(in *ir.Inst) *unit {
	if v := u.calleeVersion(in); v != nil {
		return u.state.unit(v)
	}
	return nil
}

// calleeVersion is the body of callee.
func (u *unit) calleeVersion(in *ir.Inst) *ir.Version {
	if in.Op != ir.OpCall && in.Op != ir.OpTailCall {
		return nil
	}
	c := u.constant(in.Args[0])
	if c == nil || c.Kind != ir.ConstFunc {
		return nil
	}
	if c.Func.Open() {
		return nil
	}
	v := c.Func.Current()
	if v == nil || len(v.Blocks) == 0 || v.Func.Sig != in.Sig {
		return nil
	}
	return v
}

// copied is the unit whose body may take the place of a CALL: callee, or, for pass share, the current body of a function
// that may get another one.
func (u *unit) copied(in *ir.Inst) *unit {
	if v := u.copiedVersion(in, u.sharing); v != nil {
		return u.state.unit(v)
	}
	return nil
}

// copiedVersion is the body of copied; open says whether that may be one of a function that may get another one.
func (u *unit) copiedVersion(in *ir.Inst, open bool) *ir.Version {
	if in.Op != ir.OpCall || in.Has(ir.FlagReplaced) {
		return nil
	}
	c := u.constant(in.Args[0])
	if c == nil || c.Kind != ir.ConstFunc || c.Func.Open() && !open {
		return nil
	}
	v := c.Func.Current()
	if v == nil || len(v.Blocks) == 0 || v.Func.Sig != in.Sig {
		return nil
	}
	return v
}

// callees lists the units that a body calls or may have copies of, each perhaps repeatedly.
func (u *unit) callees() []*unit {
	var out []*unit
	for b := range u.v.Blocks {
		for _, id := range u.v.Blocks[b].Insts {
			in := &u.v.Insts[id]
			if c := u.callee(in); c != nil {
				out = append(out, c)
			} else if v := u.copiedVersion(in, u.opt.Compiled); v != nil {
				out = append(out, u.state.unit(v))
			}
		}
	}
	return out
}

// bottomUp orders units so that callees come before callers where possible, by
// Tarjan's algorithm, and numbers the groups that call each other in a circle.
func (s *state) bottomUp(units []*unit) []*unit {
	type node struct {
		num, low int
		kids     []*unit
		next     int
		done     bool
	}
	nodes := make(map[*unit]*node, len(units))
	var order, stack, work []*unit
	open := func(u *unit) {
		n := len(nodes) + 1
		nodes[u] = &node{num: n, low: n, kids: u.callees()}
		stack = append(stack, u)
		work = append(work, u)
	}
	for _, root := range units {
		if nodes[root] != nil {
			continue
		}
		open(root)
		for len(work) > 0 {
			u := work[len(work)-1]
			n := nodes[u]
			if n.next < len(n.kids) {
				k := n.kids[n.next]
				n.next++
				if kn := nodes[k]; kn == nil {
					open(k)
				} else if !kn.done {
					n.low = min(n.low, kn.num)
				}
				continue
			}
			work = work[:len(work)-1]
			if len(work) > 0 {
				p := nodes[work[len(work)-1]]
				p.low = min(p.low, n.low)
			}
			if n.low != n.num {
				continue
			}
			s.groups++
			at := len(stack) - 1
			for stack[at] != u {
				at--
			}
			for _, m := range stack[at:] {
				nodes[m].done = true
				m.group = s.groups
				order = append(order, m)
			}
			stack = stack[:at]
		}
	}
	return order
}

// rethrowing reports whether the program rethrows exceptions that it has caught.
func (s *state) rethrowing() bool {
	if s.rethrows == 0 {
		s.rethrows = 1
		for _, f := range s.p.Funcs {
			if v := f.Current(); v != nil && slices.ContainsFunc(v.Insts, func(in ir.Inst) bool { return in.Op == ir.OpRethrow }) {
				s.rethrows = 2
			}
		}
	}
	return s.rethrows == 2
}

// anyOpen reports whether some function may get another body.
func (s *state) anyOpen() bool {
	if s.open == 0 {
		s.open = 1
		if slices.ContainsFunc(s.p.Funcs, func(f *ir.Function) bool { return f.Open() }) {
			s.open = 2
		}
	}
	return s.open == 2
}

// framesObserved reports whether the program can look at frames of stacks at rest,
// so that no frame may be missing there.
func (s *state) framesObserved() bool {
	if s.observed == 0 {
		s.observed = 1
		if s.opt.Frames {
			s.observed = 2
		}
		for _, f := range s.p.Funcs {
			v := f.Current()
			if v == nil {
				continue
			}
			for b := range v.Blocks {
				for _, id := range v.Blocks[b].Insts {
					if v.Insts[id].Op.Is(ir.Inspects) {
						s.observed = 2
					}
				}
			}
		}
	}
	return s.observed == 2
}
