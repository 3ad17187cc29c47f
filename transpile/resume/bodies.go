package resume

import (
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// maxSuspends is the most places where a body may stop.
const maxSuspends = 1000

// Bodies makes the resumable bodies of a program: of the functions that stacks may be made with, that swap
// to other stacks, and that stop nowhere else. Nothing that they call may stop, either; and if there are
// several threads, calls have to return without waiting for others, because a thread may have to wait for
// them. If frames are inspected there are no resumable bodies.
func Bodies(known *facts.Program) map[*ir.Function]*ir.Version {
	p := known.IR
	a := &analyst{p: p, known: known}
	a.findStarts()
	if known.Introspect || len(a.starts) == 0 && !a.anyStart {
		return nil
	}
	var out map[*ir.Function]*ir.Version
	for _, f := range p.Funcs {
		if !settled(f) || !a.anyStart && !a.starts[f] || !swaps(f.Current()) {
			continue
		}
		if a.calm == nil {
			a.findCalm()
			out = map[*ir.Function]*ir.Version{}
		}
		if a.stopsHere(f.Current()) {
			if body := Body(f.Current(), known.Threads); compact(body, f.Current()) {
				out[f] = body
			}
		}
	}
	return out
}

// compact reports whether what a body stores and loads again is in proportion to the function. It need not be:
// many variables may be live at many places.
func compact(body, v *ir.Version) bool {
	kept := 0
	for i := range body.Insts {
		if in := &body.Insts[i]; in.Op == ir.OpSuspend {
			kept += len(in.Keep)
		}
	}
	return kept <= 4*len(v.Insts)+1000
}

// settled reports whether a function has one version for good.
func settled(f *ir.Function) bool { return f.Current() != nil && !f.Open() && f.Of == nil }

// analyst looks at a program.
type analyst struct {
	p        *ir.Program
	known    *facts.Program
	starts   map[*ir.Function]bool // stacks are made with these
	anyStart bool                  // and with functions that are not known
	calm     map[*ir.Function]bool
}

func (a *analyst) findStarts() {
	a.starts = map[*ir.Function]bool{}
	a.anyStart = a.known.Open
	for _, f := range a.p.Funcs {
		v := f.Current()
		if v == nil {
			continue
		}
		eachInst(v, func(in *ir.Inst) bool {
			if in.Op != ir.OpNewStack {
				return true
			}
			if c := v.Values[in.Args[0]].Const; c == nil {
				a.anyStart = true
			} else if c.Kind == ir.ConstFunc {
				a.starts[c.Func] = true
			}
			return true
		})
	}
}

// eachInst calls fn for each instruction until it returns false. It reports whether fn never did.
func eachInst(v *ir.Version, fn func(in *ir.Inst) bool) bool {
	for b := range v.Blocks {
		if v.Blocks[b].Dead {
			continue
		}
		for _, id := range v.Blocks[b].Insts {
			if !fn(&v.Insts[id]) {
				return false
			}
		}
	}
	return true
}

// swaps reports whether a body has a SWAPSTACK, and not too many.
func swaps(v *ir.Version) bool {
	n := 0
	eachInst(v, func(in *ir.Inst) bool {
		if in.Op == ir.OpSwapStack {
			n++
		}
		return n <= maxSuspends
	})
	return 0 < n && n <= maxSuspends
}

// stopsHere reports whether a body stops nowhere but at its own SWAPSTACKs, whatever it calls.
func (a *analyst) stopsHere(v *ir.Version) bool {
	return eachInst(v, func(in *ir.Inst) bool {
		switch in.Op {
		case ir.OpSwapStack:
			return true
		case ir.OpTailCall:
			return false // a frame that stays has no place for it
		}
		return !in.Op.Is(ir.KeepsFrame) && !in.Has(ir.FlagLocal) && a.calmInst(v, in)
	})
}

// findCalm finds the functions that do not come to rest, whatever they call: they do not swap to, bind or
// kill a stack, do not trap, end no thread and call only functions that are known. If there are several threads
// they have no loops and no recursion either.
func (a *analyst) findCalm() {
	a.calm = map[*ir.Function]bool{}
	calls := map[*ir.Function]int{} // whose callees are still to be found calm
	callers := map[*ir.Function][]*ir.Function{}
	var work []*ir.Function
	for _, f := range a.p.Funcs {
		var callees []*ir.Function
		good := settled(f) && !(a.known.Threads && loops(f.Current())) && eachInst(f.Current(), func(in *ir.Inst) bool {
			if c := callee(f.Current(), in); c != nil {
				callees = append(callees, c)
				return true
			}
			return a.calmInst(f.Current(), in)
		})
		if good {
			calls[f] = len(callees)
			for _, c := range callees {
				callers[c] = append(callers[c], f)
			}
		}
		a.calm[f] = good
		if a.known.Threads && good && len(callees) == 0 || !a.known.Threads && !good {
			work = append(work, f)
		}
	}
	if !a.known.Threads {
		// All are calm until something that they call is found not to be.
		for ; len(work) > 0; work = work[1:] {
			for _, f := range callers[work[0]] {
				if a.calm[f] {
					a.calm[f] = false
					work = append(work, f)
				}
			}
		}
		return
	}
	// None is calm until all functions that it calls are found to be: so no function on a cycle of calls ever is.
	clear(a.calm)
	for ; len(work) > 0; work = work[1:] {
		a.calm[work[0]] = true
		for _, f := range callers[work[0]] {
			if calls[f]--; calls[f] == 0 {
				work = append(work, f)
			}
		}
	}
}

// callee is the function that a call names, nil if it is computed or the instruction is none.
func callee(v *ir.Version, in *ir.Inst) *ir.Function {
	if in.Op == ir.OpCall || in.Op == ir.OpTailCall {
		if c := v.Values[in.Args[0]].Const; c != nil && c.Kind == ir.ConstFunc {
			return c.Func
		}
	}
	return nil
}

// calmInst reports whether an instruction is calm, see findCalm.
func (a *analyst) calmInst(v *ir.Version, in *ir.Inst) bool {
	switch in.Op.Info().Class {
	case ir.ClassTrap, ir.ClassStack:
		return false
	case ir.ClassCall:
		f := callee(v, in)
		return f != nil && a.calm[f]
	case ir.ClassComm:
		if in.Op.Is(ir.Waits) {
			return !a.known.Threads
		}
		return in.Op.Is(ir.Calm) || in.Op.Pure()
	}
	return true
}

// loops reports whether a body has a loop.
func loops(v *ir.Version) bool {
	cfg := analysis.NewCFG(v)
	found := false
	for _, b := range cfg.Order {
		v.Succs(b, func(d *ir.Dest) { found = found || cfg.Index[d.Block] <= cfg.Index[b] })
	}
	return found
}
