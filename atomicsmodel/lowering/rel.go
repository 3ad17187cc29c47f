package lowering

import "math/bits"

// A set is a set of events, by number.
type set uint64

func (s set) has(e int) bool { return s>>e&1 != 0 }

// each calls f for the members in ascending order.
func (s set) each(f func(int)) {
	for ; s != 0; s &= s - 1 {
		f(bits.TrailingZeros64(uint64(s)))
	}
}

// A rel is a relation: by event, the events that it is related to.
type rel []set

func (r rel) add(a, b int) { r[a] |= 1 << b }

// or is the union of relations.
func or(rs ...rel) rel {
	u := make(rel, len(rs[0]))
	for _, r := range rs {
		for a := range r {
			u[a] |= r[a]
		}
	}
	return u
}

// and is the part of r from one set to another.
func (r rel) and(from, to set) rel {
	p := make(rel, len(r))
	from.each(func(a int) { p[a] = r[a] & to })
	return p
}

// minus is r without s.
func (r rel) minus(s rel) rel {
	p := make(rel, len(r))
	for a := range r {
		p[a] = r[a] &^ s[a]
	}
	return p
}

// both is what r and s have in common.
func (r rel) both(s rel) rel {
	p := make(rel, len(r))
	for a := range r {
		p[a] = r[a] & s[a]
	}
	return p
}

// then is the composition of relations, from left to right.
func (r rel) then(more ...rel) rel {
	for _, s := range more {
		p := make(rel, len(r))
		for a := range r {
			r[a].each(func(b int) { p[a] |= s[b] })
		}
		r = p
	}
	return r
}

// plus is the transitive closure.
func (r rel) plus() rel {
	c := make(rel, len(r))
	copy(c, r)
	for k := range c {
		for i := range c {
			if c[i].has(k) {
				c[i] |= c[k]
			}
		}
	}
	return c
}

// star is the reflexive transitive closure.
func (r rel) star() rel {
	c := r.plus()
	for a := range c {
		c.add(a, a)
	}
	return c
}

// irreflexive reports whether no event is related to itself.
func (r rel) irreflexive() bool {
	for a := range r {
		if r[a].has(a) {
			return false
		}
	}
	return true
}

// acyclic reports whether the relation has no cycle.
func (r rel) acyclic() bool { return r.plus().irreflexive() }

// empty reports whether the relation has no pair.
func (r rel) empty() bool {
	for a := range r {
		if r[a] != 0 {
			return false
		}
	}
	return true
}
