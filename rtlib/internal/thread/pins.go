package thread

// pinSet is a thread's multiset of pinned locations (docs/native.md, "Values"). Most threads have a
// few pins at a time, and remove them soon: those are in an array, one pin an entry, the rest in
// a map.
type pinSet struct {
	few  [maxFew]uintptr
	n    int             // entries of few that are pins
	many map[uintptr]int // how many more pins a location has
}

const maxFew = 8

// add adds one pin.
func (p *pinSet) add(addr uintptr) {
	if n := uint(p.n); n < maxFew {
		p.few[n] = addr
		p.n++
		return
	}
	p.addMany(addr)
}

func (p *pinSet) addMany(addr uintptr) {
	if p.many == nil {
		p.many = map[uintptr]int{}
	}
	p.many[addr]++
}

// remove removes one pin; false when there is none.
func (p *pinSet) remove(addr uintptr) bool {
	last := p.n - 1
	for i := last; i >= 0; i-- {
		if p.few[i] == addr {
			p.few[i] = p.few[last]
			p.n = last
			return true
		}
	}
	switch n := p.many[addr]; n {
	case 0:
		return false
	case 1:
		delete(p.many, addr)
	default:
		p.many[addr] = n - 1
	}
	return true
}

// empty reports whether there are no pins.
func (p *pinSet) empty() bool { return p.n == 0 && len(p.many) == 0 }

// each visits the locations, one perhaps more than once.
func (p *pinSet) each(visit func(addr uintptr)) {
	for _, a := range p.few[:p.n] {
		visit(a)
	}
	for a := range p.many {
		visit(a)
	}
}
