package thread

// pinSet is a thread's multiset of pinned locations (mu-runtime, 11.2). Most threads have
// a few at a time, unpinned in the reverse order: those are in a list, the rest in a map.
type pinSet struct {
	few  []pin
	many map[uintptr]int // none of few; how often a location is pinned
}

// pin is a location and how often it is pinned.
type pin struct {
	addr uintptr
	n    int
}

const maxFew = 8

// add adds one pin.
func (p *pinSet) add(addr uintptr) {
	for i := len(p.few) - 1; i >= 0; i-- {
		if p.few[i].addr == addr {
			p.few[i].n++
			return
		}
	}
	if len(p.many) > 0 {
		if n := p.many[addr]; n > 0 {
			p.many[addr] = n + 1
			return
		}
	}
	if len(p.few) < maxFew {
		p.few = append(p.few, pin{addr, 1})
		return
	}
	if p.many == nil {
		p.many = map[uintptr]int{}
	}
	p.many[addr] = 1
}

// remove removes one pin; false when there is none.
func (p *pinSet) remove(addr uintptr) bool {
	for i := len(p.few) - 1; i >= 0; i-- {
		if p.few[i].addr != addr {
			continue
		}
		if p.few[i].n--; p.few[i].n == 0 {
			p.few = append(p.few[:i], p.few[i+1:]...)
		}
		return true
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

// len returns the number of locations.
func (p *pinSet) len() int { return len(p.few) + len(p.many) }

// each visits the locations.
func (p *pinSet) each(visit func(addr uintptr)) {
	for _, x := range p.few {
		visit(x.addr)
	}
	for a := range p.many {
		visit(a)
	}
}
