package atomicsmodel

// Traits are what the search needs to know of a path before it chooses anything.
type traits struct {
	maybe    bool   // it may have undefined behaviour
	mixed    int    // a location with mixed accesses, or -1
	circular bool   // it has dependencies or conditions, so values may depend on themselves
	still    bool   // nothing synchronises, so happens-before is the order within threads
	exact    bool   // happens-before does not depend on the order of the stores
	simple   bool   // exact and without SEQ_CST events: once the stores have an order that coherence allows, all axioms hold
	updating mask   // the reads that are read-modify-writes
	fixed    mask   // the stores whose value the path says
	readsOf  []mask // by location
	checksOf [][]*check
	may      []mask // by read: the stores that it may read from
	sequence []int  // the reads, in the order in which the search chooses: those without a choice come first
}

// observe finds the traits of the path.
func (x *candidate) observe() {
	t := &x.traits
	*t = traits{mixed: x.mixedLocation(), readsOf: make([]mask, len(x.locs)), checksOf: make([][]*check, len(x.events)), may: make([]mask, len(x.events))}
	seqCst := false
	for i := range x.events {
		e := &x.events[i]
		t.maybe = t.maybe || e.memory() && !e.atomic() || e.stack >= 0
		t.circular = t.circular || x.dd[i]|x.ctrl[i] != 0
		seqCst = seqCst || e.ord == SeqCst
		if e.memory() && e.read {
			t.readsOf[e.loc].add(i)
			if e.write {
				t.updating.add(i)
			}
		}
		if e.memory() && e.write && !e.rmw && e.value.Reg == "" {
			t.fixed.add(i)
			x.wrote[i] = e.value.N
		}
	}
	for i := range x.checks {
		ch := &x.checks[i]
		if ch.conds == nil {
			t.checksOf[ch.event] = append(t.checksOf[ch.event], ch)
		}
		for _, c := range ch.conds {
			if e := x.regs[c.Name].event; e >= 0 {
				t.checksOf[e] = append(t.checksOf[e], ch)
			}
		}
	}
	sources, targets := x.synchronising()
	t.still = sources == 0 || targets == 0
	t.exact = t.still || !x.sequences()
	t.simple = t.exact && !seqCst
}

// synchronising returns the events that may be at the beginning and at the end of an edge that leads from thread to thread.
func (x *candidate) synchronising() (sources, targets mask) {
	for i := range x.events {
		e := &x.events[i]
		if e.ord.releases() && (e.fence || e.write) {
			sources.add(i)
		}
		if (e.ord.acquires() || e.ord == Consume) && (e.fence || e.read) {
			targets.add(i)
		}
		if x.sw[i] != 0 {
			sources.add(i)
			targets |= x.sw[i]
		}
	}
	for i := range x.wakers {
		sources.add(x.wakers[i].event)
	}
	for i := range x.sleeps {
		targets.add(x.sleeps[i].woken)
	}
	return sources, targets
}

// sequences reports whether a release sequence may have a store that does not release after another one of its thread that does. Only
// then does what synchronises depend on whether the store of another thread comes between the two.
func (x *candidate) sequences() bool {
	for _, writes := range x.writes {
		for _, a := range writes[1:] {
			for _, b := range writes[1:] {
				if x.sb[a].has(b) && x.events[a].ord.releases() && !x.events[b].read && !x.events[b].ord.releases() {
					return true
				}
			}
		}
	}
	return false
}

// options finds the stores that each read may read from. If it is strict, it leaves out all that is impossible on this path; it
// returns false if a read is left without one.
func (x *candidate) options(strict bool) bool {
	sources, targets := x.synchronising()
	x.sequence = make([]int, 0, len(x.reads))
	var rest []int
	for _, r := range x.reads {
		after := mask(0) // a target comes before the read, or is it
		for t := range x.events {
			if targets.has(t) && (t == r || x.sb[t].has(r)) {
				after.add(t)
			}
		}
		for _, w := range x.writes[x.events[r].loc] {
			// Neither from itself nor from an event that it is sequenced before (CoRW).
			if w == r || x.sb[r].has(w) || x.fixed.has(w) && x.refuses(r, x.wrote[w]) {
				continue
			}
			synchronises := after != 0 && sources&(x.sb[w]|1<<w) != 0
			if strict && !x.events[r].atomic() && !x.mayBeVisible(w, r, synchronises) {
				continue
			}
			x.may[r].add(w)
		}
		switch m := x.may[r]; {
		case m == 0:
			return false
		case m&(m-1) == 0:
			x.sequence = append(x.sequence, r)
		default:
			rest = append(rest, r)
		}
	}
	x.sequence = append(x.sequence, rest...)
	return true
}

// mayBeVisible reports whether a plain read may read a store (NA), as far as the order within threads tells.
func (x *candidate) mayBeVisible(w, r int, synchronises bool) bool {
	initial := x.events[w].initial()
	for _, v := range x.writes[x.events[r].loc] {
		if v != w && x.sb[v].has(r) && (initial || x.sb[w].has(v)) {
			return false
		}
	}
	return initial || x.sb[w].has(r) || synchronises
}

// refuses reports whether read r cannot read a value, because the path says what it reads.
func (x *candidate) refuses(r int, value int64) bool {
	for _, ch := range x.checksOf[r] {
		if ch.conds == nil && ch.value.Reg == "" && (value == ch.value.N) != ch.want {
			return true
		}
	}
	return false
}

// readEarly notes the value that read r reads from store w if it is known by now, given the reads whose values are. It
// returns false if a condition of the path does not hold.
func (x *candidate) readEarly(r, w int, early *mask) bool {
	if e := &x.events[w]; !x.fixed.has(w) && !(e.rmw && e.value.Reg == "" && early.has(w)) {
		return true
	}
	v := x.wrote[w]
	x.read[r] = v
	early.add(r)
	if e := &x.events[r]; e.rmw && e.value.Reg == "" {
		x.wrote[r] = e.stmt.Op.apply(v, e.value.N)
	}
	if x.refuses(r, v) {
		return false
	}
	for _, ch := range x.checksOf[r] {
		if ch.conds != nil {
			if holds, known := x.decided(ch.conds, *early); known && holds != ch.want {
				return false
			}
		}
	}
	return true
}

// decided tells whether conditions hold, if that is known.
func (x *candidate) decided(conds []Cond, early mask) (holds, known bool) {
	known = true
	for _, c := range conds {
		s := x.regs[c.Name]
		v := s.n
		if s.event >= 0 {
			if !early.has(s.event) {
				known = false
				continue
			}
			v = x.read[s.event]
		}
		if !c.holds(v) {
			return false, true
		}
	}
	return true, known
}
