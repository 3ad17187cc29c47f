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

	class int // of the signature

	// recursive: may be on the stack twice, or calls what is not known.
	recursive bool
	throws    bool // may return with t.Thrown set
	collects  bool // may start a collection
	tailcalls bool // has tail calls other than to itself
	address   bool // the record is referred to
	cookie    bool // reads its cookie

	sites []string // lines "LINE NAME" of instructions that may fault
}

// summarize computes the facts that flow along calls, by a fixed point over
// the call graph.
func (g *gen) summarize() {
	calls := map[*ir.Function][]*ir.Function{}
	for _, f := range g.p.Funcs {
		fi := g.info[f]
		fi.class = g.classOf(f.Sig)
		v := f.Current()
		if v == nil {
			// Calling it traps or stops the program; anything may follow.
			fi.throws, fi.collects, fi.recursive, fi.address = true, true, true, true
			continue
		}
		cfg := analysis.NewCFG(v)
		for _, b := range cfg.Order {
			for _, id := range v.Blocks[b].Insts {
				in := &v.Insts[id]
				g.summarizeInst(fi, v, in, calls)
			}
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
	for f := range recursiveFuncs(g.p.Funcs, calls) {
		g.info[f].recursive = true
	}
	// A frame can overflow, which is an exception; it can meet a safepoint too.
	for changed := true; changed; {
		changed = false
		for _, f := range g.p.Funcs {
			fi := g.info[f]
			th, co := fi.throws || fi.recursive, fi.collects || fi.recursive
			for _, c := range calls[f] {
				th = th || g.info[c].throws
				co = co || g.info[c].collects
			}
			// What collects may have roots, hence a frame, hence may overflow.
			th = th || co
			if th != fi.throws || co != fi.collects {
				fi.throws, fi.collects, changed = th, co, true
			}
		}
	}
}

func (g *gen) summarizeInst(fi *funcInfo, v *ir.Version, in *ir.Inst, calls map[*ir.Function][]*ir.Function) {
	for k, a := range in.Args {
		c := v.Values[a].Const
		if c == nil {
			continue
		}
		if k == 0 && (in.Op == ir.OpCall || in.Op == ir.OpTailCall) && c.Kind == ir.ConstFunc {
			if in.Op == ir.OpTailCall && c.Func != fi.fn {
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
		if c != nil && c.Kind == ir.ConstFunc {
			if in.Op == ir.OpTailCall {
				if c.Func == fi.fn {
					return
				}
				fi.tailcalls = true
			}
			calls[fi.fn] = append(calls[fi.fn], c.Func)
			return
		}
		if in.Op == ir.OpTailCall {
			fi.tailcalls = true
		}
		fi.recursive = true
	case ir.OpThrow:
		fi.throws = true
	case ir.OpNewThread:
		g.threads = true
		fi.collects = true
	case ir.OpGetCookie:
		fi.cookie = true
	default:
		if in.Op.Is(ir.MayThrow) {
			fi.recursive = true
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

// recursiveFuncs finds the functions on a cycle of static calls.
func recursiveFuncs(funcs []*ir.Function, calls map[*ir.Function][]*ir.Function) map[*ir.Function]bool {
	type state struct {
		num, low int
		done     bool
	}
	st := map[*ir.Function]*state{}
	out := map[*ir.Function]bool{}
	var stack []*ir.Function
	next := 0
	type frame struct {
		f *ir.Function
		i int
	}
	for _, root := range funcs {
		if st[root] != nil {
			continue
		}
		work := []frame{{root, 0}}
		for len(work) > 0 {
			fr := &work[len(work)-1]
			s := st[fr.f]
			if s == nil {
				next++
				s = &state{num: next, low: next}
				st[fr.f] = s
				stack = append(stack, fr.f)
			}
			if fr.i < len(calls[fr.f]) {
				c := calls[fr.f][fr.i]
				cs := st[c]
				if cs == nil {
					work = append(work, frame{c, 0})
					continue
				}
				fr.i++
				if c == fr.f {
					out[c] = true
				}
				if !cs.done {
					s.low = min(s.low, cs.low)
				}
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
