package facts

import (
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// is reports whether a call of f is one of the function itself, in this version.
func (fi *Func) is(f *ir.Function) bool { return f == fi.fn && !f.Open() }

// summarize computes the facts that flow along calls, by a fixed point over
// the call graph. A computed call may reach every function of its class whose
// address is taken; a package may get more functions later, so there a computed
// call may do anything.
func (s *Program) summarize() {
	for _, f := range s.IR.Funcs {
		s.funcs[f] = &Func{fn: f, Class: s.ClassOf(f.Sig)}
	}
	for _, f := range s.IR.Funcs {
		fi := s.funcs[f]
		v := f.Current()
		if v == nil {
			// Calling it traps or stops the program; anything may follow.
			fi.Throws, fi.Collects, fi.Guards, fi.Address = true, true, true, true
			continue
		}
		if f.Open() || f.Of != nil {
			// A call may enter any version, even one of those that call this one.
			fi.Throws, fi.Collects, fi.Guards, fi.Address = true, true, true, true
		}
		for i := range v.Values {
			if v.Values[i].Kind != ir.ValueNone && s.Traced(v.Values[i].Type) > 0 {
				fi.refs = true
				break
			}
		}
		cfg := analysis.NewCFG(v)
		for _, b := range cfg.Order {
			for _, id := range v.Blocks[b].Insts {
				s.note(fi, v, &v.Insts[id])
			}
			v.Succs(b, func(d *ir.Dest) {
				if s.Threads && cfg.Index[d.Block] <= cfg.Index[b] {
					fi.Collects = true
				}
			})
		}
	}
	if s.Introspect {
		// Any frame may be popped, and each activation has one.
		for _, fi := range s.funcs {
			fi.Throws, fi.Collects, fi.Guards = true, true, true
			fi.Address = fi.Address || s.Open
		}
	}
	if s.Loads {
		for _, fi := range s.funcs {
			fi.Address = true // scripts and bundles may name any
		}
	}
	for _, e := range s.IR.Exposes {
		s.funcs[e.Func].Address = true
	}
	for _, c := range s.IR.Consts {
		s.constRefs(c)
	}
	if img := s.IR.Image; img != nil {
		for i := range img.Inits {
			if c := img.Inits[i].Const; c != nil {
				s.constRefs(c)
			}
		}
	}
	byClass := map[int][]*ir.Function{}
	for _, f := range s.IR.Funcs {
		if fi := s.funcs[f]; fi.Address {
			byClass[fi.Class] = append(byClass[fi.Class], f)
		}
	}
	breakCycles(s.IR.Funcs, s.funcs, byClass, s.OpenWorld())
	s.flow(byClass)
}

// flow propagates what calls do from callees to callers. A function is looked at again
// when a fact about a callee has changed, which happens twice at most.
func (s *Program) flow(byClass map[int][]*ir.Function) {
	callers := map[*ir.Function][]*ir.Function{}
	callersOf := map[int][]*ir.Function{} // by class, of computed calls
	for _, f := range s.IR.Funcs {
		for _, c := range s.funcs[f].calls {
			callers[c] = append(callers[c], f)
		}
		for _, c := range s.funcs[f].indirect {
			callersOf[c] = append(callersOf[c], f)
		}
	}
	s.viaThrows, s.viaCollects = map[int]bool{}, map[int]bool{}
	for c, fs := range byClass {
		for _, f := range fs {
			s.viaThrows[c] = s.viaThrows[c] || s.funcs[f].Throws
			s.viaCollects[c] = s.viaCollects[c] || s.funcs[f].Collects
		}
	}
	waits := map[*ir.Function]bool{}
	var work []*ir.Function
	add := func(fs []*ir.Function) {
		for _, f := range fs {
			if !waits[f] {
				waits[f] = true
				work = append(work, f)
			}
		}
	}
	add(s.IR.Funcs)
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		waits[f] = false
		fi := s.funcs[f]
		// A frame can overflow, which is an exception; it can meet a safepoint too.
		th, co := fi.Throws || fi.Guards, fi.Collects || fi.Guards
		for _, c := range fi.calls {
			th = th || s.funcs[c].Throws
			co = co || s.funcs[c].Collects
		}
		for _, c := range fi.indirect {
			th = th || s.OpenWorld() || s.viaThrows[c]
			co = co || s.OpenWorld() || s.viaCollects[c]
		}
		// What collects may have roots, hence a frame, hence may overflow.
		th = th || co && fi.refs
		if th == fi.Throws && co == fi.Collects {
			continue
		}
		fi.Throws, fi.Collects = th, co
		add(callers[f])
		if c := fi.Class; fi.Address && (th && !s.viaThrows[c] || co && !s.viaCollects[c]) {
			s.viaThrows[c] = s.viaThrows[c] || th
			s.viaCollects[c] = s.viaCollects[c] || co
			add(callersOf[c])
		}
	}
}

// note notes what an instruction says of its function.
func (s *Program) note(fi *Func, v *ir.Version, in *ir.Inst) {
	for k, a := range in.Args {
		c := v.Values[a].Const
		if c == nil {
			continue
		}
		if k == 0 && (in.Op == ir.OpCall || in.Op == ir.OpTailCall) && c.Kind == ir.ConstFunc {
			if in.Op == ir.OpTailCall && !fi.is(c.Func) {
				s.funcs[c.Func].Address = true
			}
			continue
		}
		s.constRefs(c)
	}
	for i := range in.Dests {
		for _, a := range in.Dests[i].Args {
			if c := v.Values[a].Const; c != nil {
				s.constRefs(c)
			}
		}
	}
	switch in.Op {
	case ir.OpCall, ir.OpTailCall:
		c := v.Values[in.Args[0]].Const
		self := c != nil && c.Kind == ir.ConstFunc && fi.is(c.Func)
		if in.Op == ir.OpTailCall && self {
			return
		}
		if in.Op == ir.OpTailCall {
			fi.Tails = true
		}
		if c != nil && c.Kind == ir.ConstFunc {
			fi.calls = append(fi.calls, c.Func)
		} else {
			fi.indirect = append(fi.indirect, s.ClassOf(in.Sig))
		}
	case ir.OpGetCookie:
		fi.Cookie = true
	default:
		if in.Op.Is(ir.MayThrow) {
			fi.Throws = true
			fi.Guards = in.Op.Is(ir.Native) || fi.Guards // C may call back
		}
		if in.Op.Is(ir.MayCollect) {
			fi.Collects = true
		}
	}
}

// constRefs marks functions whose record a constant needs.
func (s *Program) constRefs(c *ir.Const) {
	switch c.Kind {
	case ir.ConstFunc:
		s.funcs[c.Func].Address = true
	case ir.ConstExpose:
		s.funcs[c.Expose.Func].Address = true
	case ir.ConstAggregate:
		for _, e := range c.Elems {
			s.constRefs(e)
		}
	}
}
