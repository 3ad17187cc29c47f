package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// funcInfo is what callers and tables need to know of a function.
type funcInfo struct {
	fn     *ir.Function
	goName string // what calls name
	body   string // what is emitted; differs from goName behind a tail-call driver
	rec    string // the record variable
	enter  string // the untyped adaptor
	resume string // the resumable body, "" if there is none

	class int // of the signature

	// guards: pushes a frame even without roots, because it is on a cycle of
	// calls, all of which must have a frame somewhere to count the depth.
	guards    bool
	throws    bool // may return with t.Thrown set
	collects  bool // may start a collection
	tailcalls bool // has tail calls other than to itself
	address   bool // the record is referred to
	cookie    bool // reads its cookie

	calls    []*ir.Function // static callees
	indirect []int          // classes of computed callees
	refs     bool           // has values that the collector follows

	sites   []string // lines "LINE NAME" of instructions that may fault
	siteSet map[string]bool
	inlined []string // rows of the table of copies; see inlined.go

	resumeInlined []string // of the resumable body
}

// is reports whether a call of f is one of the function itself, in this version.
func (fi *funcInfo) is(f *ir.Function) bool { return f == fi.fn && !f.Open() }

// entry is the Go function that a call of the function names.
func (fi *funcInfo) entry() string {
	if fi.fn.Current() == nil || fi.fn.Open() {
		return fi.rec + ".F"
	}
	return fi.goName
}

// summarize computes the facts that flow along calls, by a fixed point over
// the call graph. A computed call may reach every function of its class whose
// address is taken; a package may get more functions later, so there a computed
// call may do anything.
func (g *gen) summarize() {
	g.polls = SeveralThreads(g.p, g.opt)
	for _, f := range g.p.Funcs {
		fi := g.info[f]
		fi.class = g.classOf(f.Sig)
		v := f.Current()
		if v == nil {
			// Calling it traps or stops the program; anything may follow.
			fi.throws, fi.collects, fi.guards, fi.address = true, true, true, true
			continue
		}
		if f.Open() || f.Of != nil {
			// A call may enter any version, also one of those that call this one.
			fi.throws, fi.collects, fi.guards, fi.address = true, true, true, true
		}
		for i := range v.Values {
			if v.Values[i].Kind != ir.ValueNone && g.tracedLeaves(v.Values[i].Type) > 0 {
				fi.refs = true
				break
			}
		}
		cfg := analysis.NewCFG(v)
		for _, b := range cfg.Order {
			for _, id := range v.Blocks[b].Insts {
				g.summarizeInst(fi, v, &v.Insts[id])
			}
			v.Succs(b, func(d *ir.Dest) {
				if g.polls && cfg.Index[d.Block] <= cfg.Index[b] {
					fi.collects = true
				}
			})
		}
	}
	if g.introspect {
		// Any frame may be popped, and each activation has one.
		for _, fi := range g.info {
			fi.throws, fi.collects, fi.guards = true, true, true
			fi.address = fi.address || g.opt.Package != "main"
		}
	}
	if g.loads {
		for _, fi := range g.info {
			fi.address = true // scripts and bundles may name any
		}
	}
	for _, f := range g.p.Funcs {
		if fi := g.info[f]; fi.tailcalls {
			fi.body = g.top("body_" + clean(f.Name))
		}
	}
	for _, e := range g.p.Exposes {
		g.info[e.Func].address = true
	}
	for _, c := range g.p.Consts {
		g.constRefs(c)
	}
	if img := g.p.Image; img != nil {
		for i := range img.Inits {
			if c := img.Inits[i].Const; c != nil {
				g.constRefs(c)
			}
		}
	}
	open := g.opt.Package != "main"
	byClass := map[int][]*ir.Function{}
	for _, f := range g.p.Funcs {
		if fi := g.info[f]; fi.address {
			byClass[fi.class] = append(byClass[fi.class], f)
		}
	}
	breakCycles(g.p.Funcs, g.info, byClass, open)
	// A frame can overflow, which is an exception; it can meet a safepoint too.
	g.viaThrows, g.viaCollects = map[int]bool{}, map[int]bool{}
	for changed := true; changed; {
		changed = false
		for c, fs := range byClass {
			for _, f := range fs {
				g.viaThrows[c] = g.viaThrows[c] || g.info[f].throws
				g.viaCollects[c] = g.viaCollects[c] || g.info[f].collects
			}
		}
		for _, f := range g.p.Funcs {
			fi := g.info[f]
			th, co := fi.throws || fi.guards, fi.collects || fi.guards
			for _, c := range fi.calls {
				th = th || g.info[c].throws
				co = co || g.info[c].collects
			}
			for _, c := range fi.indirect {
				th = th || open || g.viaThrows[c]
				co = co || open || g.viaCollects[c]
			}
			// What collects may have roots, hence a frame, hence may overflow.
			th = th || co && fi.refs
			if th != fi.throws || co != fi.collects {
				fi.throws, fi.collects, changed = th, co, true
			}
		}
	}
}

// SeveralThreads reports whether the program may have more than one thread: it makes some, Go or C
// may call its functions from threads of their own.
func SeveralThreads(p *ir.Program, opt Options) bool {
	return opt.Package != "main" || len(p.Exposes) > 0 || uses(p, map[ir.Op]bool{ir.OpNewThread: true, ir.OpExpose: true})
}

func (g *gen) summarizeInst(fi *funcInfo, v *ir.Version, in *ir.Inst) {
	for k, a := range in.Args {
		c := v.Values[a].Const
		if c == nil {
			continue
		}
		if k == 0 && (in.Op == ir.OpCall || in.Op == ir.OpTailCall) && c.Kind == ir.ConstFunc {
			if in.Op == ir.OpTailCall && !fi.is(c.Func) {
				g.info[c.Func].address = true
			}
			continue
		}
		g.constRefs(c)
	}
	for i := range in.Dests {
		for _, a := range in.Dests[i].Args {
			if c := v.Values[a].Const; c != nil {
				g.constRefs(c)
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
			fi.tailcalls = true
		}
		if c != nil && c.Kind == ir.ConstFunc {
			fi.calls = append(fi.calls, c.Func)
		} else {
			fi.indirect = append(fi.indirect, g.classOf(in.Sig))
		}
	case ir.OpThrow:
		fi.throws = true
	case ir.OpNewThread:
		fi.collects = true
	case ir.OpGetCookie:
		fi.cookie = true
	default:
		if in.Op.Is(ir.MayThrow) {
			fi.throws = true
			fi.guards = in.Op == ir.OpCCall || fi.guards // C may call back
		}
		if in.Op.Is(ir.MayCollect) {
			fi.collects = true
		}
	}
}

// constRefs marks functions whose record a constant needs.
func (g *gen) constRefs(c *ir.Const) {
	switch c.Kind {
	case ir.ConstFunc:
		g.info[c.Func].address = true
	case ir.ConstExpose:
		g.info[c.Expose.Func].address = true
	case ir.ConstAggregate:
		for _, e := range c.Elems {
			g.constRefs(e)
		}
	}
}

// breakCycles chooses functions to guard so that every cycle of calls has one.
//
// Functions that will probably have roots, and so a frame in any case, are taken
// first; of what cycles remain, the targets of retreating edges of a depth-first
// walk. Each round is linear.
func breakCycles(funcs []*ir.Function, info map[*ir.Function]*funcInfo, byClass map[int][]*ir.Function, open bool) {
	callees := func(f *ir.Function, fn func(*ir.Function)) {
		fi := info[f]
		for _, c := range fi.calls {
			fn(c)
		}
		for _, c := range fi.indirect {
			for _, t := range byClass[c] {
				fn(t)
			}
		}
	}
	if open {
		for _, f := range funcs {
			if fi := info[f]; len(fi.indirect) > 0 {
				fi.guards = true
			}
		}
	}
	for round := 0; ; round++ {
		cyclic := onCycles(funcs, callees, func(f *ir.Function) bool { return info[f].guards })
		if len(cyclic) == 0 {
			return
		}
		if round == 0 {
			for f := range cyclic {
				if info[f].refs {
					info[f].guards = true
				}
			}
			continue
		}
		for f := range retreating(funcs, callees, func(f *ir.Function) bool { return info[f].guards || !cyclic[f] }) {
			info[f].guards = true
		}
	}
}

// retreating finds the targets of the edges of a depth-first walk that lead back
// to a function still being visited.
func retreating(funcs []*ir.Function, callees func(*ir.Function, func(*ir.Function)), skip func(*ir.Function) bool) map[*ir.Function]bool {
	const (
		active = 1
		done   = 2
	)
	state := map[*ir.Function]int{}
	out := map[*ir.Function]bool{}
	type frame struct {
		f    *ir.Function
		kids []*ir.Function
	}
	for _, root := range funcs {
		if state[root] != 0 || skip(root) {
			continue
		}
		open := func(f *ir.Function) frame {
			state[f] = active
			var kids []*ir.Function
			callees(f, func(c *ir.Function) {
				if !skip(c) {
					kids = append(kids, c)
				}
			})
			return frame{f, kids}
		}
		work := []frame{open(root)}
		for len(work) > 0 {
			fr := &work[len(work)-1]
			if len(fr.kids) == 0 {
				state[fr.f] = done
				work = work[:len(work)-1]
				continue
			}
			c := fr.kids[0]
			fr.kids = fr.kids[1:]
			switch state[c] {
			case 0:
				work = append(work, open(c))
			case active:
				out[c] = true
			}
		}
	}
	return out
}

// onCycles finds the functions on a cycle of calls that passes no skipped one.
func onCycles(funcs []*ir.Function, callees func(*ir.Function, func(*ir.Function)), skip func(*ir.Function) bool) map[*ir.Function]bool {
	type state struct {
		num, low int
		done     bool
	}
	st := map[*ir.Function]*state{}
	out := map[*ir.Function]bool{}
	var stack []*ir.Function
	next := 0
	type frame struct {
		f    *ir.Function
		kids []*ir.Function
	}
	for _, root := range funcs {
		if st[root] != nil || skip(root) {
			continue
		}
		open := func(f *ir.Function) frame {
			next++
			st[f] = &state{num: next, low: next}
			stack = append(stack, f)
			var kids []*ir.Function
			callees(f, func(c *ir.Function) {
				if !skip(c) {
					kids = append(kids, c)
					if c == f {
						out[f] = true
					}
				}
			})
			return frame{f, kids}
		}
		work := []frame{open(root)}
		for len(work) > 0 {
			fr := &work[len(work)-1]
			s := st[fr.f]
			if len(fr.kids) > 0 {
				c := fr.kids[0]
				if cs := st[c]; cs == nil {
					work = append(work, open(c))
					continue
				} else if !cs.done {
					s.low = min(s.low, cs.low)
				}
				fr.kids = fr.kids[1:]
				continue
			}
			f := fr.f
			work = work[:len(work)-1]
			if s.low != s.num {
				continue
			}
			n := len(stack) - 1
			for stack[n] != f {
				n--
			}
			for _, m := range stack[n:] {
				st[m].done = true
				if len(stack)-n > 1 {
					out[m] = true
				}
			}
			stack = stack[:n]
		}
	}
	return out
}
