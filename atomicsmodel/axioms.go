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
func (x *candidate) coherent() bool { return x.incoherence().axiom == "" }

// A violation is an axiom that a candidate violates, with the events of a cycle, each with its relation to the next.
type violation struct {
	axiom  string // "" for none
	events []int
	arrows []string
}

func (v *violation) add(e int, arrow string) *violation {
	v.events, v.arrows = append(v.events, e), append(v.arrows, arrow)
	return v
}

// incoherence finds a violation of MO, CoWR, CoRW, CoRR or NA.
func (x *candidate) incoherence() (none violation) {
	for _, order := range x.mo {
		for i, a := range order {
			for _, b := range order[i+1:] {
				if x.hb[b].has(a) {
					return *(&violation{axiom: "MO"}).add(a, "mo").add(b, "hb")
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
				v := &violation{axiom: "NA"}
				if between := x.between(w, b); between >= 0 {
					return *v.add(b, "fr").add(between, "hb")
				}
				return *v.add(w, "rf").add(b, "")
			}
		} else {
			for _, a := range x.mo[loc][at+1:] {
				if x.hb[a].has(b) {
					return *(&violation{axiom: "CoWR"}).add(b, "fr").add(a, "hb")
				}
			}
		}
		for _, a := range x.mo[loc][:at+1] {
			if !x.hb[b].has(a) {
				continue
			}
			v := (&violation{axiom: "CoRW"}).add(b, "hb").add(a, "mo")
			if a == w {
				v.arrows[1] = "rf"
				return *v
			}
			return *v.add(w, "rf")
		}
		for _, r := range x.reads {
			if x.hb[b].has(r) && x.events[r].loc == loc && x.pos[x.rf[r]] < at {
				return *(&violation{axiom: "CoRR"}).add(w, "rf").add(b, "hb").add(r, "fr")
			}
		}
	}
	return none
}

// visible reports whether store w is visible to read b: it happens before b
// with no other store to the location between them.
func (x *candidate) visible(w, b int) bool { return x.hb[w].has(b) && x.between(w, b) < 0 }

// between finds a store that happens after store w and before read b of its location, or returns -1.
func (x *candidate) between(w, b int) int {
	for _, v := range x.writes[x.events[b].loc] {
		if v != b && x.hb[w].has(v) && x.hb[v].has(b) {
			return v
		}
	}
	return -1
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
				return UB, fmt.Sprintf("data race on %s: %s and %s", x.locs[a.loc], x.placed(i), x.placed(j))
			}
			if a.stack >= 0 && a.stack == b.stack {
				return UB, fmt.Sprintf("stack %s used without order: %s and %s", x.stacks[a.stack], x.placed(i), x.placed(j))
			}
		}
	}
	if x.mixed >= 0 {
		return Mixed, fmt.Sprintf("atomic and non-atomic accesses to %s", x.locs[x.mixed])
	}
	return Never, ""
}
