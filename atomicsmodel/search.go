package atomicsmodel

import "slices"

// The search for candidates. A naive one chooses a store for each read, then an order of the stores to each
// location, and then judges; nearly all of its candidates violate coherence. This one keeps, while it chooses, the
// order that the stores must have (candidate.after), and gives up as soon as it contradicts itself:
//
//  1. chooseReads chooses a store for each read. Coherence within the threads (hb at least contains sb) orders stores.
//  2. orders derives as much of happens-before as does not depend on the order of stores, and the order that coherence
//     derives from that.
//  3. chooseFinal chooses the last store to each location, which with the reads determines the final state. A state
//     that is known is not searched again, unless the path may have undefined behaviour.
//  4. chooseMo completes the orders, and judge checks all axioms. If a state was found, the search goes on with the
//     next.
//
// Explain uses the same search without what rules candidates out (checker.refused), and only for the final states that
// the test asks for.

// done reports whether the search may stop.
func (c *checker) done() bool {
	return c.undefined == UB || c.candidates > maxCandidates || c.refused != nil && (c.met || c.candidates > maxExplained) || c.candidates%1024 == 0 && c.ctx.Err() != nil
}

// begin searches the candidates of a path.
func (c *checker) begin() {
	x := &c.x
	n := len(x.events)
	x.after = make([]mask, n)
	c.saved = make([][]mask, len(x.reads)+len(x.locs)+1)
	for i := range c.saved {
		c.saved[i] = make([]mask, n)
	}
	for _, writes := range x.writes {
		for i, w := range writes {
			for _, v := range writes[i+1:] {
				if (w == writes[0] || x.sb[w].has(v)) && !x.order(w, v) {
					return
				}
				if x.sb[v].has(w) && !x.order(v, w) {
					return
				}
			}
		}
	}
	c.chooseReads(0)
}

// order notes that store a comes before store b; it returns false if that cannot be.
func (x *candidate) order(a, b int) bool {
	if a == b || x.after[b].has(a) {
		return false
	}
	if x.after[a].has(b) {
		return true
	}
	add := x.after[b] | 1<<b
	for _, u := range x.writes[x.events[a].loc] {
		if u == a || x.after[u].has(a) {
			x.after[u] |= add
		}
	}
	return true
}

// notAfter notes that store a is store b or comes before it.
func (x *candidate) notAfter(a, b int) bool { return a == b || x.order(a, b) }

// updates notes that each of the first n reads that is a read-modify-write comes right after the store that it reads.
func (x *candidate) updates(n int) bool {
	for changed := true; changed; {
		changed = false
		for _, r := range x.reads[:n] {
			if !x.events[r].write {
				continue
			}
			w := x.rf[r]
			if !x.order(w, r) {
				return false
			}
			for _, v := range x.writes[x.events[r].loc] {
				switch {
				case v == r || v == w:
				case x.after[w].has(v) && !x.after[r].has(v):
					if !x.order(r, v) {
						return false
					}
					changed = true
				case x.after[v].has(r) && !x.after[v].has(w):
					if !x.order(v, w) {
						return false
					}
					changed = true
				}
			}
		}
	}
	return true
}

// cohere notes the order of stores that the first n reads imply if hb is part of happens-before (CoWR, CoRW, CoRR).
func (x *candidate) cohere(n int, hb []mask) bool {
	for _, r := range x.reads[:n] {
		if !x.cohereRead(n, r, hb) {
			return false
		}
	}
	return x.updates(n)
}

// cohereRead is the part of cohere about one read, and about reads after it.
func (x *candidate) cohereRead(n, r int, hb []mask) bool {
	loc, w := x.events[r].loc, x.rf[r]
	for _, v := range x.writes[loc] {
		if v == r {
			continue
		}
		if hb[v].has(r) && x.events[r].atomic() && !x.notAfter(v, w) {
			return false // CoWR; NA has another rule
		}
		if hb[r].has(v) && !x.order(w, v) {
			return false // CoRW
		}
	}
	for _, q := range x.reads[:n] {
		if q != r && x.events[q].loc == loc && hb[r].has(q) && !x.notAfter(w, x.rf[q]) {
			return false // CoRR
		}
	}
	return true
}

// chooseReads chooses a store to read from for the i-th read and all later ones.
func (c *checker) chooseReads(i int) {
	x := &c.x
	if i == len(x.reads) {
		if x.values() && (c.refused != nil || c.options.ThinAir || !x.thinAir()) {
			c.chooseWakers(0)
		}
		return
	}
	r := x.reads[i]
	saved := c.saved[i]
	copy(saved, x.after)
	for _, w := range x.writes[x.events[r].loc] {
		// Neither from itself nor from an event that it is sequenced before (CoRW).
		if w == r || x.sb[r].has(w) || x.refuses(r, w) {
			continue
		}
		c.candidates++
		x.rf[r] = w
		if c.refused != nil || x.cohere(i+1, x.sb) {
			c.chooseReads(i + 1)
		}
		copy(x.after, saved)
		if c.done() {
			return
		}
	}
}

// refuses reports whether read r cannot read from store w on this path, because the path says what it reads.
func (x *candidate) refuses(r, w int) bool {
	e := &x.events[w]
	if e.rmw || e.value.Reg != "" {
		return false
	}
	for i := range x.checks {
		ch := &x.checks[i]
		if ch.conds == nil && ch.event == r && ch.value.Reg == "" && (e.value.N == ch.value.N) != ch.want {
			return true
		}
	}
	return false
}

// orders looks for orders of the stores, when all reads and wakers are chosen.
func (c *checker) orders() {
	x := &c.x
	saved := c.saved[len(x.reads)]
	copy(saved, x.after)
	x.readSequences()
	if c.refused != nil || x.derive() && x.ordered() && x.cohere(len(x.reads), x.hb) {
		c.chooseFinal(0)
	}
	copy(x.after, saved)
}

// ordered notes that happens-before orders stores (MO).
func (x *candidate) ordered() bool {
	for _, writes := range x.writes {
		for _, a := range writes {
			for _, b := range writes {
				if x.hb[a].has(b) && !x.order(a, b) {
					return false
				}
			}
		}
	}
	return true
}

// chooseFinal chooses the last store to the l-th location and all later ones.
func (c *checker) chooseFinal(l int) {
	x := &c.x
	if l == len(x.locs) {
		c.final()
		if c.refused != nil && !c.test.asked(c.state) || c.refused == nil && !x.maybe && c.seen[string(c.key)] {
			return
		}
		c.found = false
		for l := range x.mo {
			x.mo[l] = x.mo[l][:0]
		}
		c.chooseMo(0)
		return
	}
	saved := c.saved[len(x.reads)+1+l]
	copy(saved, x.after)
	writes := x.writes[l]
	for _, f := range writes {
		if x.after[f] != 0 {
			continue
		}
		ok := true
		for _, w := range writes {
			ok = ok && (w == f || x.order(w, f))
		}
		if ok && x.updates(len(x.reads)) {
			x.last[l] = f
			c.chooseFinal(l + 1)
		}
		copy(x.after, saved)
		if c.done() {
			return
		}
	}
}

// chooseMo orders the stores of the l-th location and all later ones.
func (c *checker) chooseMo(l int) {
	x := &c.x
	if l == len(x.locs) {
		c.candidates++
		if c.refused != nil {
			c.refuse()
		} else {
			c.judge()
		}
		return
	}
	order := x.mo[l]
	if len(order) == len(x.writes[l]) {
		c.chooseMo(l + 1)
		return
	}
	placed := mask(0)
	for _, w := range order {
		placed.add(w)
	}
	for _, w := range x.writes[l] {
		if placed.has(w) || x.waits(l, w, placed) {
			continue
		}
		x.mo[l] = append(order, w)
		x.pos[w] = len(order)
		c.chooseMo(l)
		x.mo[l] = order
		if c.done() || c.found && !x.maybe {
			return
		}
	}
}

// waits reports whether store w cannot be the next one: a store that comes before it is not placed yet, or
// a read-modify-write comes right after the last one.
func (x *candidate) waits(l, w int, placed mask) bool {
	for _, v := range x.writes[l] {
		if v != w && !placed.has(v) && x.after[v].has(w) {
			return true
		}
	}
	order := x.mo[l]
	if len(order) == 0 {
		return false
	}
	last := order[len(order)-1]
	if x.events[w].read && x.rf[w] != last {
		return true
	}
	return slices.ContainsFunc(x.writes[l], func(v int) bool { return v != w && x.events[v].read && x.rf[v] == last })
}
