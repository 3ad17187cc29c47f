package lowering

// A kind is what an event does.
type kind uint8

const (
	read kind = iota
	write
	barrier
)

// marks are properties of accesses.
type marks uint8

const (
	acquire marks = 1 << iota // LDAR, .aq
	release                   // STLR, .rl
	atomic                    // one half of an instruction, or of a pair with reservation, that reads and writes
	single                    // with atomic: one instruction, no pair
)

// An event is an access of a thread to a location, or a barrier. Events are numbered in the order of their threads;
// initial stores, which belong to no thread, come first.
type event struct {
	thread int // -1: initial store
	kind   kind
	marks  marks
	name   string // of a barrier
	loc    int    // -1: no location of the test
	value  value  // that a write stores
	stmt   int    // of the thread
}

// A value is a constant, what another event has read, or the result of an operation on that.
type value struct {
	from  int // the event that read it, -1 for none
	n     int64
	apply func(old, n int64) int64 // nil: n, or what from has read
}

// An execution is a candidate.
type execution struct {
	events []event
	n      int

	po, ctrl rel // program order; from a read to what a condition on it guards
	isync    rel // from a read to what follows an instruction barrier behind a branch on it
	rmw      rel // from the read to the write of a read-modify-write
	same     rel // accesses of one location

	r, w, m set // reads, writes, both

	// What a candidate chooses.
	from   []int   // by read: the write
	orders [][]int // by location: the writes in their order

	rf, co, fr, rfe, coe, fre, rfi, coi, poloc rel
}

// where is the set of events with a property.
func (x *execution) where(f func(*event) bool) (s set) {
	for i := range x.events {
		if f(&x.events[i]) {
			s |= 1 << i
		}
	}
	return s
}

// marked is the set of accesses with a mark.
func (x *execution) marked(m marks) set {
	return x.where(func(e *event) bool { return e.kind != barrier && e.marks&m != 0 })
}

// fenced relates what is before a barrier of some name with what is after it.
func (x *execution) fenced(names ...string) rel {
	r := make(rel, x.n)
	for f := range x.events {
		for _, name := range names {
			if x.events[f].kind != barrier || x.events[f].name != name {
				continue
			}
			for a := range x.events {
				if x.po[a].has(f) {
					r[a] |= x.po[f]
				}
			}
		}
	}
	return r
}

// split divides a relation into its pairs between threads and those within one.
func (x *execution) split(r rel) (external, internal rel) {
	external, internal = make(rel, x.n), make(rel, x.n)
	for a := range r {
		r[a].each(func(b int) {
			if x.events[a].thread == x.events[b].thread {
				internal.add(a, b)
			} else {
				external.add(a, b)
			}
		})
	}
	return external, internal
}

// communicate derives rf, co and fr from the choices.
func (x *execution) communicate() {
	x.rf, x.co, x.fr = make(rel, x.n), make(rel, x.n), make(rel, x.n)
	for _, order := range x.orders {
		for i, a := range order {
			for _, b := range order[i+1:] {
				x.co.add(a, b)
			}
		}
	}
	x.r.each(func(e int) {
		x.rf.add(x.from[e], e)
		x.fr[e] = x.co[x.from[e]] &^ (1 << e)
	})
	x.rfe, x.rfi = x.split(x.rf)
	x.coe, x.coi = x.split(x.co)
	x.fre, _ = x.split(x.fr)
	x.poloc = x.po.both(x.same)
}

// coherent checks what all machines have in common: each location is sequentially consistent, and nothing comes between the
// halves of a read-modify-write.
func (x *execution) coherent() bool {
	return or(x.poloc, x.rf, x.co, x.fr).acyclic() && x.rmw.both(x.fre.then(x.coe)).empty()
}
