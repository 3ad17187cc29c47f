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
//     next. On most paths 2 decides all (traits.go), and then 4 is left out.
//
// Explain uses the same search without what rules candidates out (checker.refused), and only for the final states that
// the test asks for. Decide looks for one state at a time that the test asks for, or does not ask for (checker.goal).

// done reports whether the search may stop.
func (c *checker) done() bool {
	return c.undefined == UB || c.candidates > maxCandidates || c.full || c.reached || c.refused != nil && (c.met || c.candidates > maxExplained) ||
		c.candidates%1024 == 0 && c.ctx.Err() != nil
}

// begin searches the candidates of a path.
func (c *checker) begin() {
	x := &c.x
	n := len(x.events)
	levels := len(x.reads) + len(x.locs) + 1
	if size := (levels + 1) * 2 * n; len(c.room) < size {
		c.room = make([]mask, size)
	}
	room := c.room
	take := func(n int) []mask {
		part := room[:n:n]
		room = room[n:]
		return part
	}
	x.both = take(2 * n)
	clear(x.both)
	x.after, x.before = x.both[:n:n], x.both[n:]
	c.saved = c.saved[:0]
	for range levels {
		c.saved = append(c.saved, take(2*n))
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
	if x.still && !x.derive() {
		return
	}
	if !x.options(c.refused == nil) {
		return
	}
	c.chooseReads(0, 0, 0, 0)
}

// order notes that store a comes before store b; it returns false if that cannot be.
func (x *candidate) order(a, b int) bool {
	if a == b || x.after[b].has(a) {
		return false
	}
	if x.after[a].has(b) {
		return true
	}
	later, earlier := x.after[b]|1<<b, x.before[a]|1<<a
	for m := earlier; m != 0; m &= m - 1 {
		x.after[m.first()] |= later
	}
	for m := later; m != 0; m &= m - 1 {
		x.before[m.first()] |= earlier
	}
	return true
}

// notAfter notes that store a is store b or comes before it.
func (x *candidate) notAfter(a, b int) bool { return a == b || x.order(a, b) }

// updates notes that each of the chosen reads that is a read-modify-write comes right after the store that it reads: what comes
// after the store comes after the read, and what comes before the read comes before the store.
func (x *candidate) updates(chosen mask) bool {
	for changed := true; changed; {
		changed = false
		for m := x.updating & chosen; m != 0; m &= m - 1 {
			r := m.first()
			w := x.rf[r]
			if !x.order(w, r) {
				return false
			}
			for v := x.after[w] &^ x.after[r] &^ (1 << r); v != 0; v &= v - 1 {
				if !x.order(r, v.first()) {
					return false
				}
				changed = true
			}
			for v := x.before[r] &^ x.before[w] &^ (1 << w); v != 0; v &= v - 1 {
				if !x.order(v.first(), w) {
					return false
				}
				changed = true
			}
		}
	}
	return true
}

// cohere notes the order of stores that the reads imply if hb is part of happens-before (CoWR, CoRW, CoRR).
func (x *candidate) cohere(hb []mask) bool {
	chosen := mask(0)
	for _, r := range x.reads {
		chosen.add(r)
		if !x.cohereRead(r, chosen, hb) {
			return false
		}
	}
	return x.updates(chosen)
}

// cohereRead is the part of cohere about one read, by itself and with the chosen ones.
func (x *candidate) cohereRead(r int, chosen mask, hb []mask) bool {
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
	for m := x.readsOf[loc] & chosen; m != 0; m &= m - 1 { // CoRR
		q := m.first()
		if hb[r].has(q) && !x.notAfter(w, x.rf[q]) || hb[q].has(r) && !x.notAfter(x.rf[q], w) {
			return false
		}
	}
	return true
}

// chooseReads chooses a store for the i-th read and all later ones. The sets are the reads that have been
// chosen, those of them whose values are known, and the stores that read-modify-writes read.
func (c *checker) chooseReads(i int, chosen, early, taken mask) {
	x := &c.x
	if i == len(x.reads) {
		if x.values() && (c.options.ThinAir || c.refused != nil || !x.circular || !x.thinAir()) {
			c.chooseWakers(0)
		}
		return
	}
	r := x.sequence[i]
	saved := c.saved[i]
	copy(saved, x.both)
	may := x.may[r]
	update := x.updating & (1 << r)
	if update != 0 && c.refused == nil {
		may &^= taken // two cannot read the same store (RMW)
	}
	for m := may; m != 0; m &= m - 1 {
		w := m.first()
		x.rf[r] = w
		early := early
		if !x.readEarly(r, w, &early) || c.goal != 0 && c.hopeless(early) {
			continue
		}
		c.candidates++
		if c.refused != nil || x.cohereRead(r, chosen, x.sb) && x.updates(chosen|1<<r) {
			c.chooseReads(i+1, chosen|1<<r, early, taken|update>>r<<w)
		}
		copy(x.both, saved)
		if c.done() {
			return
		}
	}
}

// orders looks for orders of the stores, when all reads and wakers are chosen.
func (c *checker) orders() {
	x := &c.x
	saved := c.saved[len(x.reads)]
	copy(saved, x.both)
	if c.refused != nil || x.derived() {
		c.fault = Never
		if x.exact && x.maybe && c.undefined != UB && c.refused == nil {
			c.fault, _ = x.fault()
		}
		c.registers()
		c.chooseFinal(0)
	}
	copy(x.both, saved)
}

// derived derives what is known of happens-before, and the order that it gives to stores; it returns false if that contradicts an axiom.
func (x *candidate) derived() bool {
	if !x.still { // otherwise begin has done it, and happens-before is the order within threads
		x.readSequences()
		if !x.derive() || !x.ordered() || !x.cohere(x.hb) {
			return false
		}
	}
	if x.exact { // NA
		for _, b := range x.reads {
			if !x.events[b].atomic() && !x.visible(x.rf[b], b) {
				return false
			}
		}
	}
	return true
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

// faulty reports whether more candidates with a known state may show undefined behaviour. It depends on happens-before alone, which
// on an exact path does not depend on the order of stores.
func (c *checker) faulty() bool {
	return c.x.maybe && c.refused == nil && (!c.x.exact || c.fault > c.undefined)
}

// chooseFinal chooses the last store to the l-th location and all later ones.
func (c *checker) chooseFinal(l int) {
	x := &c.x
	if l == len(x.locs) {
		c.final()
		return
	}
	saved := c.saved[len(x.reads)+1+l]
	copy(saved, x.both)
	writes := x.writes[l]
	for _, f := range writes {
		if x.after[f] != 0 {
			continue
		}
		ok := true
		for _, w := range writes {
			ok = ok && (w == f || x.order(w, f))
		}
		if ok && x.updates(^mask(0)) {
			x.last[l] = f
			c.chooseFinal(l + 1)
		}
		copy(x.both, saved)
		if c.done() {
			return
		}
	}
}

// final judges a final state, for which orders of the stores are still to be found.
func (c *checker) final() {
	x := &c.x
	c.locations()
	switch {
	case c.refused != nil:
		if !c.asked() {
			return
		}
	case c.goal != 0 && c.asked() != (c.goal > 0):
		return
	case !c.faulty():
		if c.states.has(c.key) {
			return
		}
		if asked := c.asked(); x.simple && (!asked || c.met) {
			c.note(asked)
			return
		}
	}
	c.found = false
	for l := range x.mo {
		x.mo[l] = x.mo[l][:0]
	}
	c.chooseMo(0)
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
		if c.done() || c.found && !c.faulty() {
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
