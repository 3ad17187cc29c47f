package atomicsmodel

// A scSearch looks for S, the total order of SEQ_CST events (docs/memory-model.md:
// SC, SC-L, SC-F1 to SC-F3, WW). Most rules say that one event must precede
// another, given rf and mo. The exception, SC-L for a load of a store that is not
// SEQ_CST, depends on the last SEQ_CST store before the load: because S agrees with
// mo, this is the mo-greatest of the placed stores, whatever their order. So whether
// a set of events can be placed first does not depend on their order, and a set that
// failed need not be tried again.
type scSearch struct {
	x      *candidate
	all    mask
	before []mask // by event: events that must precede it
	failed map[mask]bool
	order  []int
}

func (s *scSearch) edge(a, b int) {
	if a != b {
		s.before[b].add(a)
	}
}

// seqCst finds an order of the SEQ_CST events that satisfies all rules.
func (x *candidate) seqCst(ww bool) ([]int, bool) {
	s := x.scRules(ww)
	if s.all == 0 {
		return nil, true
	}
	ok := s.extend(0)
	return s.order, ok
}

// scRules begins a search: which SEQ_CST events must precede which.
func (x *candidate) scRules(ww bool) *scSearch {
	s := &scSearch{x: x}
	for i := range x.events {
		if x.events[i].ord == SeqCst {
			s.all.add(i)
		}
	}
	if s.all == 0 {
		return s
	}
	s.before = x.scBefore
	clear(s.before)
	s.all.each(func(a int) {
		(x.hb[a] & s.all).each(func(b int) { s.edge(a, b) }) // SC, hb
	})
	for _, order := range x.mo {
		for i, a := range order {
			for _, b := range order[i+1:] {
				if s.all.has(a) && s.all.has(b) {
					s.edge(a, b) // SC, mo
				}
			}
		}
	}
	s.loads()
	s.fences()
	if ww {
		s.stores()
	}
	return s
}

// loads adds the edges of SC-L for loads that read SEQ_CST stores: the store is the
// last one before the load.
func (s *scSearch) loads() {
	x := s.x
	for _, b := range x.reads {
		w := x.rf[b]
		if !s.all.has(b) || !s.all.has(w) {
			continue
		}
		s.edge(w, b)
		for _, a := range x.mo[x.events[b].loc][x.pos[w]+1:] {
			if s.all.has(a) {
				s.edge(b, a)
			}
		}
	}
}

// fences adds SC-F1 to SC-F3.
func (s *scSearch) fences() {
	x := s.x
	s.all.each(func(f int) {
		if !x.events[f].fence {
			return
		}
		for _, b := range x.reads {
			loc := x.events[b].loc
			if !x.events[b].atomic() {
				continue
			}
			for _, a := range x.mo[loc][x.pos[x.rf[b]]+1:] {
				// b reads something mo-before a.
				if s.all.has(a) && x.sb[f].has(b) {
					s.edge(f, a) // SC-F1: a is not before the fence
				}
				if !x.sb[a].has(f) {
					continue
				}
				if s.all.has(b) {
					s.edge(b, f) // SC-F2: the fence after a is not before b
				}
				s.all.each(func(g int) {
					if x.events[g].fence && x.sb[g].has(b) {
						s.edge(g, f) // SC-F3: nor before a fence before b
					}
				})
			}
		}
	})
}

// stores adds WW: for stores a and b with b mo-before a, it excludes the three ways
// in which a would have to come first.
func (s *scSearch) stores() {
	x := s.x
	for _, order := range x.mo {
		for i, b := range order {
			for _, a := range order[i+1:] {
				s.all.each(func(f int) {
					if !x.events[f].fence {
						return
					}
					if x.sb[a].has(f) && s.all.has(b) {
						s.edge(b, f)
					}
					if x.sb[f].has(b) && s.all.has(a) {
						s.edge(f, a)
					}
					if x.sb[a].has(f) {
						s.all.each(func(g int) {
							if x.events[g].fence && x.sb[g].has(b) {
								s.edge(g, f)
							}
						})
					}
				})
			}
		}
	}
}

// extend places the events that are not in placed.
func (s *scSearch) extend(placed mask) bool {
	if placed == s.all {
		return true
	}
	if s.failed[placed] {
		return false
	}
	for left := s.all &^ placed; left != 0; left &= left - 1 {
		e := left.first()
		if s.before[e]&^placed != 0 || !s.loadFits(e, placed) {
			continue
		}
		s.order = append(s.order, e)
		if s.extend(placed | 1<<e) {
			return true
		}
		s.order = s.order[:len(s.order)-1]
	}
	if s.failed == nil {
		s.failed = map[mask]bool{}
	}
	s.failed[placed] = true
	return false
}

// loadFits checks SC-L for a load of a store that is not SEQ_CST: it may not
// happen before the last SEQ_CST store before the load.
func (s *scSearch) loadFits(b int, placed mask) bool {
	x := s.x
	e := &x.events[b]
	if !e.memory() || !e.read || s.all.has(x.rf[b]) {
		return true
	}
	order := x.mo[e.loc]
	for i := len(order) - 1; i >= 0; i-- {
		if placed.has(order[i]) {
			return !x.hb[x.rf[b]].has(order[i])
		}
	}
	return true
}
