package atomicsmodel

import "fmt"

// thinAir reports whether dependencies, control and rf form a cycle (NOTA).
func (x *candidate) thinAir() bool {
	left := mask(0)
	for e := range x.events {
		left.add(e)
	}
	// Remove events without successors until there are none left without one.
	for changed := true; changed; {
		changed = false
		left.each(func(e int) {
			next := (x.dd[e] | x.ctrl[e]) & left
			if next == 0 && x.events[e].write {
				for _, r := range x.reads {
					if x.rf[r] == e && left.has(r) {
						next.add(r)
					}
				}
			}
			if next == 0 {
				left &^= 1 << e
				changed = true
			}
		})
	}
	return left != 0
}

// coherent checks MO, CoWR, CoRW, CoRR and NA (docs/memory-model.md). RMW holds by
// construction, HB was checked by derive.
func (x *candidate) coherent() bool {
	for _, order := range x.mo {
		for i, a := range order {
			for _, b := range order[i+1:] {
				if x.hb[b].has(a) {
					return false // MO
				}
			}
		}
	}
	for _, b := range x.reads {
		loc := x.events[b].loc
		w := x.rf[b]
		at := x.pos[w]
		if !x.events[b].atomic() {
			if !x.visible(w, b) {
				return false // NA
			}
		} else {
			for _, a := range x.mo[loc][at+1:] {
				if x.hb[a].has(b) {
					return false // CoWR
				}
			}
		}
		for _, a := range x.mo[loc][:at+1] {
			if x.hb[b].has(a) {
				return false // CoRW
			}
		}
		for _, r := range x.reads {
			if x.hb[b].has(r) && x.events[r].loc == loc && x.pos[x.rf[r]] < at {
				return false // CoRR
			}
		}
	}
	return true
}

// visible reports whether store w is visible to read b: it happens before b
// with no other store to the location between them.
func (x *candidate) visible(w, b int) bool {
	if !x.hb[w].has(b) {
		return false
	}
	for _, v := range x.mo[x.events[b].loc] {
		if v != b && x.hb[w].has(v) && x.hb[v].has(b) {
			return false
		}
	}
	return true
}

// fault finds undefined behaviour (U1, U2, U3) in a consistent execution.
func (x *candidate) fault() (Result, string) {
	for i := range x.events {
		a := &x.events[i]
		for j := i + 1; j < len(x.events); j++ {
			b := &x.events[j]
			if a.initial() || a.thread == b.thread || x.hb[i].has(j) || x.hb[j].has(i) {
				continue
			}
			if a.memory() && a.loc == b.loc && (a.write || b.write) && !(a.atomic() && b.atomic()) {
				return UB, fmt.Sprintf("data race on %s: %s and %s", x.locs[a.loc], x.describe(i), x.describe(j))
			}
			if a.stack >= 0 && a.stack == b.stack {
				return UB, fmt.Sprintf("stack %s used without order: %s and %s", x.stacks[a.stack], x.describe(i), x.describe(j))
			}
		}
	}
	if x.mixed >= 0 {
		return Mixed, fmt.Sprintf("atomic and non-atomic accesses to %s", x.locs[x.mixed])
	}
	return Never, ""
}
