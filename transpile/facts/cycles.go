package facts

import "github.com/uvm2go/uvm2go/transpile/ir"

// breakCycles chooses functions to guard so that every cycle of calls has one.
//
// It first takes functions that will probably have roots, and so a frame in any case;
// then, in the cycles that remain, the targets of retreating edges of a depth-first
// walk. Each round is linear.
func breakCycles(funcs []*ir.Function, info map[*ir.Function]*Func, byClass map[int][]*ir.Function, open bool) {
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
				fi.Guards = true
			}
		}
	}
	for round := 0; ; round++ {
		cyclic := onCycles(funcs, callees, func(f *ir.Function) bool { return info[f].Guards })
		if len(cyclic) == 0 {
			return
		}
		if round == 0 {
			for f := range cyclic {
				if info[f].refs {
					info[f].Guards = true
				}
			}
			continue
		}
		for f := range retreating(funcs, callees, func(f *ir.Function) bool { return info[f].Guards || !cyclic[f] }) {
			info[f].Guards = true
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
