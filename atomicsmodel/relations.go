package atomicsmodel

// The derived relations of a candidate (docs/memory-model.md). A relation is a
// slice: by event, the set of events it relates to.
type relations struct {
	relFences []mask // by atomic store: release fences sequenced before it
	acqFences []mask // by atomic read: acquire fences sequenced after it
	consumes  bool   // some read is CONSUME

	heads []mask // by read: stores that have the store it reads in their release sequence
	swAll []mask // synchronises with
	cd    []mask // carries a dependency to
	ithb  []mask // inter-thread happens before
	hb    []mask // happens before

	scBefore []mask // for the search of the order of SEQ_CST events
}

func newRelations(n int) relations {
	all := make([]mask, 8*n)
	part := func(i int) []mask { return all[i*n : (i+1)*n : (i+1)*n] }
	return relations{relFences: part(0), acqFences: part(1), heads: part(2), swAll: part(3), cd: part(4),
		ithb: part(5), hb: part(6), scBefore: part(7)}
}

// prepare computes the relations that depend only on the path.
func (x *candidate) prepare() {
	for f := range x.events {
		e := &x.events[f]
		x.consumes = x.consumes || e.read && e.ord == Consume
		if !e.fence {
			continue
		}
		for a := range x.events {
			o := &x.events[a]
			if !o.memory() || !o.atomic() {
				continue
			}
			if o.write && e.ord.releases() && x.sb[f].has(a) {
				x.relFences[a].add(f)
			}
			if o.read && e.ord.acquires() && x.sb[a].has(f) {
				x.acqFences[a].add(f)
			}
		}
	}
}

// transitive makes a relation transitive.
func transitive(r []mask) {
	for k := range r {
		rk := r[k]
		if rk == 0 {
			continue
		}
		for i := range r {
			if r[i].has(k) {
				r[i] |= rk
			}
		}
	}
}

// derive computes the relations from the heads of release sequences; it returns false if happens-before is not irreflexive
// (HB) or a wake-up comes before the wait that it ends.
func (x *candidate) derive() bool {
	some := false
	for e := range x.events {
		x.swAll[e] = x.sw[e]
		some = some || x.sw[e] != 0
	}
	for i := range x.sleeps { // SW-6
		x.swAll[x.by[i]].add(x.sleeps[i].woken)
		some = true
	}
	for _, b := range x.reads {
		some = x.synchronise(b) || some
	}
	copy(x.ithb, x.swAll)
	if x.consumes {
		some = x.dependencyOrder() || some
	}
	if some {
		// ithb is the least relation with: sw; dob; sw;sb; sb;ithb; ithb;ithb.
		for a := range x.events {
			x.swAll[a].each(func(b int) { x.ithb[a] |= x.sb[b] })
		}
		// Events of a thread are numbered in its order: what follows a has only
		// the first three yet.
		for a := range x.events {
			x.sb[a].each(func(b int) { x.ithb[a] |= x.ithb[b] })
		}
		transitive(x.ithb)
	}
	everything := mask(0)
	for e := range x.events {
		x.hb[e] = x.sb[e] | x.ithb[e]
		if x.hb[e].has(e) {
			return false
		}
		if !x.events[e].initial() {
			everything.add(e)
		}
	}
	for e := range x.events {
		if x.events[e].initial() {
			x.hb[e] = everything
		}
	}
	for i := range x.sleeps {
		if s := &x.sleeps[i]; x.hb[x.by[i]].has(s.wait) {
			return false
		}
	}
	return true
}

// readSequences computes as much of heads as does not depend on the order of stores: a store is in its own release
// sequence, and a read-modify-write in that of the store that it reads.
func (x *candidate) readSequences() {
	for _, b := range x.reads {
		x.heads[b] = 0
		for w := x.rf[b]; !x.events[w].initial(); w = x.rf[w] {
			x.heads[b].add(w)
			if !x.events[w].read {
				break
			}
		}
	}
}

// releaseSequences computes heads. rs(A) is A and then the longest run of its
// mo-successors each of which is by the actor of A or a read-modify-write.
func (x *candidate) releaseSequences() {
	for _, b := range x.reads {
		x.heads[b] = 0
		order := x.mo[x.events[b].loc]
		thread := -1 // of the plain stores of the run so far
		for p := x.pos[x.rf[b]]; p > 0; p-- {
			e := &x.events[order[p]]
			if thread < 0 || e.thread == thread {
				x.heads[b].add(order[p])
			}
			if e.read {
				continue
			}
			if thread >= 0 && e.thread != thread {
				break
			}
			thread = e.thread
		}
	}
}

// synchronise adds the edges of rules SW-1 to SW-4 that come from read b. They lead from one thread
// to another: a read of the thread's own store orders nothing beyond sb (docs/memory-model.md,
// "Choices that Mu leaves open"). It would otherwise make a dob edge that sb follows, which is no
// ithb edge, one that sw follows, which is.
func (x *candidate) synchronise(b int) bool {
	rb := &x.events[b]
	if !rb.atomic() {
		return false
	}
	targets := x.acqFences[b]
	if rb.ord.acquires() {
		targets.add(b)
	}
	if targets == 0 {
		return false
	}
	some := false
	x.heads[b].each(func(a int) {
		wa := &x.events[a]
		if !wa.atomic() || wa.thread == rb.thread {
			return
		}
		sources := x.relFences[a]
		if wa.ord.releases() {
			sources.add(a)
		}
		sources.each(func(s int) {
			x.swAll[s] |= targets
			some = true
		})
	})
	return some
}

// dependencyOrder adds dob to ithb, which so far is sw.
func (x *candidate) dependencyOrder() bool {
	copy(x.cd, x.dd)
	for _, b := range x.reads { // dependencies through memory, within an actor
		w := x.rf[b]
		if x.sb[w].has(b) && !x.events[w].initial() {
			x.stored[w].each(func(a int) { x.cd[a].add(b) })
		}
	}
	transitive(x.cd)
	some := false
	for _, b := range x.reads {
		if x.events[b].ord != Consume {
			continue
		}
		x.heads[b].each(func(a int) {
			wa := &x.events[a]
			if wa.atomic() && wa.ord.releases() && wa.thread != x.events[b].thread {
				x.ithb[a] |= 1<<b | x.cd[b]
				some = true
			}
		})
	}
	return some
}
