package atomicsmodel

import (
	"fmt"
	"strings"
	"testing"
)

// Tables of expected verdicts, written by hand, and rules of the model that are checked for
// all assignments of orders.

// judge checks a test with the given threads, and fails on any other verdict.
func judge(t *testing.T, name string, threads []string, ask string, o Options, want Result) {
	t.Helper()
	if v := verdict(t, threads, ask, o); v.Result != want {
		t.Errorf("%s %s: got %v, want %v\n%s\nask %s\n%v", name, o.words(), v.Result, want,
			strings.Join(threads, "\n"), ask, v.Example)
	}
}

func verdict(t *testing.T, threads []string, ask string, o Options) *Verdict {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "litmus T\n")
	for i, th := range threads {
		fmt.Fprintf(&b, "P%d: %s\n", i, th)
	}
	fmt.Fprintf(&b, "ask %s\n", ask)
	test, err := Parse("test", b.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	v, err := Check(test, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	return v
}

// A spot describes an access: its order, whether the next access depends on it, and
// the fences next to it.
type spot struct {
	ord    Order
	dep    bool
	before Order // fence before it, or NotAtomic
	after  Order // fence after it, or NotAtomic
}

// parseSpot reads the notation of the tables: RLX, CON+d, REL;RLX for a
// store after a fence, RLX;ACQ for a load before a fence.
func parseSpot(t *testing.T, text string, store bool) (s spot) {
	t.Helper()
	order := func(name string) Order {
		o, ok := orderByName(name)
		if !ok {
			t.Fatalf("no order %q in %q", name, text)
		}
		return o
	}
	if a, b, ok := strings.Cut(text, ";"); ok && store {
		s.before, text = order(a), b
	} else if ok {
		s.after, text = order(b), a
	}
	text, s.dep = strings.CutSuffix(text, "+d")
	s.ord = order(text)
	return s
}

func (s spot) String() string {
	text := s.ord.String()
	if s.dep {
		text += "+d"
	}
	if s.before != NotAtomic {
		text = s.before.String() + ";" + text
	}
	if s.after != NotAtomic {
		text += ";" + s.after.String()
	}
	return text
}

func fence(o Order) string {
	if o == NotAtomic {
		return ""
	}
	return fmt.Sprintf("fence.%s; ", o)
}

// store writes a store with the fence before it.
func (s spot) store(loc string, v int) string {
	return fmt.Sprintf("%sst.%s %s %d", fence(s.before), s.ord, loc, v)
}

// load writes a load with the fence after it; the statement that follows may get a
// dependency.
func (s spot) load(reg, loc, next string) string {
	if s.dep {
		next += " dep " + reg
	}
	return fmt.Sprintf("%s = ld.%s %s; %s%s", reg, s.ord, loc, fence(s.after), next)
}

var fences = []Order{Acquire, Release, AcqRel, SeqCst}

// spots are all ways to make an access.
func spots(orders []Order, dep, fenced, store bool) (list []spot) {
	for _, o := range orders {
		list = append(list, spot{ord: o})
		if dep {
			list = append(list, spot{ord: o, dep: true})
		}
		if !fenced {
			continue
		}
		for _, f := range fences {
			if store {
				list = append(list, spot{ord: o, before: f})
			} else {
				list = append(list, spot{ord: o, after: f})
			}
		}
	}
	return list
}

var (
	stores = []Order{Relaxed, Release, SeqCst}
	loads  = []Order{Relaxed, Consume, Acquire, SeqCst}
)

// handsOff implements HS(s, l) of the closed rules.
func handsOff(s, l spot) bool {
	if (s.ord.releases() || s.before.releases()) && (l.ord.acquires() || l.after.acquires()) {
		return true
	}
	return s.ord.releases() && l.ord == Consume && l.dep
}

func neverIf(forbidden bool) Result {
	if forbidden {
		return Never
	}
	return Sometimes
}

// The shapes with a hand-off through y and a question about x.
var handOffShapes = []struct {
	name    string
	threads func(s, l spot) []string
	ask     string
}{
	{"MP", func(s, l spot) []string {
		return []string{"st.rlx x 1; " + s.store("y", 1), l.load("r0", "y", "r1 = ld.rlx x")}
	}, "r0=1 r1=0"},
	{"S", func(s, l spot) []string {
		return []string{"st.rlx x 2; " + s.store("y", 1), l.load("r0", "y", "st.rlx x 1")}
	}, "r0=1 x=2"},
	{"WRC", func(s, l spot) []string {
		return []string{"st.rlx x 1", "r0 = ld.rlx x; " + s.store("y", 1), l.load("r1", "y", "r2 = ld.rlx x")}
	}, "r0=1 r1=1 r2=0"},
}

// grid reads a table: a line of column heads, then lines of a row head and
// verdicts. Heads and verdicts are separated by spaces; a row may have several
// heads, joined by commas.
func grid(t *testing.T, text string, f func(row, col, verdict string)) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	cols := strings.Fields(lines[0])
	for _, line := range lines[1:] {
		cells := strings.Fields(line)
		if len(cells) != len(cols)+1 {
			t.Fatalf("%d cells in a table of %d columns: %s", len(cells), len(cols), line)
		}
		for _, row := range strings.Split(cells[0], ",") {
			for i, c := range cols {
				f(row, c, cells[i+1])
			}
		}
	}
}

const handOffTable = `
        RLX RLX+d CON CON+d ACQ SC RLX;REL RLX;ACQ RLX;AR RLX;SC
RLX     a   a     a   a     a   a  a       a       a      a
REL     a   a     a   F     F   F  a       F       F      F
SC      a   a     a   F     F   F  a       F       F      F
ACQ;RLX a   a     a   a     a   a  a       a       a      a
REL;RLX a   a     a   a     F   F  a       F       F      F
AR;RLX  a   a     a   a     F   F  a       F       F      F
SC;RLX  a   a     a   a     F   F  a       F       F      F
`

func TestHandOffTable(t *testing.T) {
	grid(t, handOffTable, func(row, col, want string) {
		s, l := parseSpot(t, row, true), parseSpot(t, col, false)
		for _, shape := range handOffShapes {
			judge(t, shape.name+" "+row+" "+col, shape.threads(s, l), shape.ask, Options{}, neverIf(want == "F"))
		}
		// With x non-atomic and the second read guarded: F is free of races,
		// everything else is undefined.
		guarded := []string{"st.na x 1; " + s.store("y", 1), l.load("r0", "y", "r1 = ld.na x if r0=1")}
		if l.dep {
			guarded[1] = l.load("r0", "y", "r1 = ld.na x")
			guarded[1] += " if r0=1"
		}
		race := UB
		if want == "F" {
			race = Never
		}
		judge(t, "MP.na "+row+" "+col, guarded, "r0=1 r1=0", Options{}, race)
	})
}

func TestHandOffRule(t *testing.T) {
	for _, s := range spots(stores, false, true, true) {
		for _, l := range spots(loads, true, true, false) {
			for _, shape := range handOffShapes {
				judge(t, fmt.Sprint(shape.name, " ", s, " ", l), shape.threads(s, l), shape.ask, Options{}, neverIf(handsOff(s, l)))
			}
		}
	}
	// The orders of the accesses to x do not matter.
	for _, x0 := range stores {
		for _, x1 := range loads {
			for _, s := range spots(stores, false, false, true) {
				for _, l := range spots(loads, true, false, false) {
					for i, ask := range []string{"r0=1 r1=0", "r0=1 r1=1 r2=0"} {
						last := l.load("r0", "y", "r1 = ld."+x1.String()+" x")
						threads := []string{fmt.Sprintf("st.%s x 1; %s", x0, s.store("y", 1)), last}
						if i == 1 {
							last = l.load("r1", "y", "r2 = ld."+x1.String()+" x")
							threads = []string{fmt.Sprintf("st.%s x 1", x0), fmt.Sprintf("r0 = ld.%s x; %s", x1, s.store("y", 1)), last}
						}
						judge(t, fmt.Sprint("MP/WRC ", x0, " ", s, " ", l, " ", x1), threads, ask, Options{}, neverIf(handsOff(s, l)))
					}
				}
			}
		}
	}
}

// A pair is the two accesses of a thread with an optional fence between.
type pair struct {
	first, second Order
	dep           bool
	fence         Order
}

// parsePair reads "A/B", "A>B", "A>dB" and "F.X".
func parsePair(t *testing.T, text string) (p pair) {
	t.Helper()
	order := func(name string) Order {
		o, ok := orderByName(name)
		if !ok {
			t.Fatalf("no order %q in %q", name, text)
		}
		return o
	}
	if f, ok := strings.CutPrefix(text, "F."); ok {
		return pair{Relaxed, Relaxed, false, order(f)}
	}
	a, b, ok := strings.Cut(text, ">")
	if !ok {
		a, b, _ = strings.Cut(text, "/")
	}
	b, p.dep = strings.CutPrefix(b, "d")
	p.first, p.second = order(a), order(b)
	return p
}

func (p pair) String() string {
	return fmt.Sprint(p.first, ">", p.second, " dep ", p.dep, " fence ", p.fence)
}

func (p pair) text(first, second, reg string) string {
	s := fmt.Sprintf(first, p.first) + "; " + fence(p.fence) + fmt.Sprintf(second, p.second)
	if p.dep {
		s += " dep " + reg
	}
	return s
}

// pairs are all pairs of orders, with and without dependency and fences.
func pairs(first, second []Order, dep, fenced bool) (list []pair) {
	for _, a := range first {
		for _, b := range second {
			list = append(list, pair{first: a, second: b})
			if dep {
				list = append(list, pair{first: a, second: b, dep: true})
			}
			if fenced {
				for _, f := range fences {
					list = append(list, pair{first: a, second: b, fence: f})
				}
			}
		}
	}
	return list
}

func sbThreads(a, b pair) []string {
	return []string{a.text("st.%s x 1", "r0 = ld.%s y", ""), b.text("st.%s y 1", "r1 = ld.%s x", "")}
}

func TestSB(t *testing.T) {
	const rows = `
                RLX/RLX REL/ACQ SC/ACQ REL/SC SC/SC F.ACQ F.REL F.AR F.SC
SC/SC           a       a       a      a      F     a     a     a    F
F.SC            a       a       a      a      F     a     a     a    F
RLX/RLX,REL/ACQ a       a       a      a      a     a     a     a    a
SC/ACQ,REL/SC   a       a       a      a      a     a     a     a    a
F.ACQ,F.REL,F.AR a      a       a      a      a     a     a     a    a
`
	grid(t, rows, func(row, col, want string) {
		judge(t, "SB "+row+" "+col, sbThreads(parsePair(t, row), parsePair(t, col)), "r0=0 r1=0", Options{}, neverIf(want == "F"))
	})
	strong := func(p pair) bool {
		return p.first == SeqCst && p.second == SeqCst || p.fence == SeqCst
	}
	for _, a := range pairs(stores, loads, false, true) {
		for _, b := range pairs(stores, loads, false, true) {
			judge(t, fmt.Sprint("SB ", a, " | ", b), sbThreads(a, b), "r0=0 r1=0", Options{}, neverIf(strong(a) && strong(b)))
		}
	}
	for _, c := range []struct {
		store, load string
		want        Result
	}{
		{"xchg.ar", "ld.acq", Sometimes},
		{"xchg.sc", "ld.sc", Never},
		{"xchg.sc", "ld.rlx", Sometimes},
	} {
		judge(t, "SB "+c.store+" "+c.load, []string{
			fmt.Sprintf("%s x 1; r0 = %s y", c.store, c.load), fmt.Sprintf("%s y 1; r1 = %s x", c.store, c.load),
		}, "r0=0 r1=0", Options{}, c.want)
	}
	judge(t, "SB rmw loads", []string{"st.rlx x 1; r0 = add.ar y 0", "st.rlx y 1; r1 = add.ar x 0"}, "r0=0 r1=0", Options{}, Sometimes)
}

func lbThreads(a, b pair) []string {
	return []string{a.text("r0 = ld.%s x", "st.%s y 1", "r0"), b.text("r1 = ld.%s y", "st.%s x 1", "r1")}
}

const lbTable = `
        RLX>RLX RLX>dRLX CON>RLX CON>dRLX ACQ>RLX RLX>REL CON>REL ACQ>REL SC>SC F.ACQ F.REL F.AR F.SC
RLX>RLX a  a  a  a  a  a  a  a  a  a  a  a  a
RLX>dRLX a a* a  a* a  a  a  a  a  a  a  a  a
CON>RLX a  a  a  a  a  a  a  a  a  a  a  a  a
CON>dRLX a a* a  a* a  F  F  F  F  a  a  a  a
ACQ>RLX a  a  a  a  a  F  F  F  F  a  F  F  F
RLX>REL a  a  a  F  F  a  a  F  F  F  a  F  F
CON>REL a  a  a  F  F  a  F  F  F  F  a  F  F
ACQ>REL a  a  a  F  F  F  F  F  F  F  F  F  F
SC>SC   a  a  a  F  F  F  F  F  F  F  F  F  F
F.ACQ   a  a  a  a  a  F  F  F  F  a  F  F  F
F.REL   a  a  a  a  F  a  a  F  F  F  a  F  F
F.AR    a  a  a  a  F  F  F  F  F  F  F  F  F
F.SC    a  a  a  a  F  F  F  F  F  F  F  F  F
`

func TestLB(t *testing.T) {
	grid(t, lbTable, func(row, col, want string) {
		threads := lbThreads(parsePair(t, row), parsePair(t, col))
		judge(t, "LB "+row+" "+col, threads, "r0=1 r1=1", Options{}, neverIf(want != "a"))
		judge(t, "LB "+row+" "+col, threads, "r0=1 r1=1", Options{ThinAir: true}, neverIf(want == "F"))
	})
	// The load of a thread reads the value that the store of the other hands off.
	hands := func(from, to pair) bool {
		return handsOff(spot{ord: from.second, before: from.fence}, spot{ord: to.first, dep: to.dep, after: to.fence})
	}
	for _, a := range pairs(loads, stores, true, true) {
		for _, b := range pairs(loads, stores, true, true) {
			forbidden := hands(a, b) || hands(b, a) ||
				a.first == Consume && b.first == Consume && a.second.releases() && b.second.releases()
			judge(t, fmt.Sprint("LB ", a, " | ", b), lbThreads(a, b), "r0=1 r1=1", Options{ThinAir: true}, neverIf(forbidden))
			judge(t, fmt.Sprint("LB ", a, " | ", b), lbThreads(a, b), "r0=1 r1=1", Options{}, neverIf(forbidden || a.dep && b.dep))
		}
	}
}

func isa2Threads(y0, y1, z0, z1 spot) []string {
	return []string{
		"st.rlx x 1; " + y0.store("y", 1),
		y1.load("r0", "y", z0.store("z", 1)),
		z1.load("r1", "z", "r2 = ld.rlx x"),
	}
}

func TestISA2(t *testing.T) {
	const table = `
                          RLX>ACQ REL>RLX RLX>CON+d REL>CON REL>CON+d REL>ACQ SC>SC
RLX>RLX,RLX>CON           a       a       a         a       a         a       a
RLX>CON+d,RLX>ACQ,RLX>SC  a       a       a         a       a         a       a
REL>RLX                   a       a       a         a       a         a       a
REL>CON,REL>CON+d         a       a       a         a       F         F       F
REL>ACQ,SC>SC             a       a       a         a       F         F       F
`
	ask := "r0=1 r1=1 r2=0"
	hop := func(text string) (s, l spot) {
		a, b, _ := strings.Cut(text, ">")
		return parseSpot(t, a, true), parseSpot(t, b, false)
	}
	grid(t, table, func(row, col, want string) {
		y0, y1 := hop(row)
		z0, z1 := hop(col)
		judge(t, "ISA2 "+row+" "+col, isa2Threads(y0, y1, z0, z1), ask, Options{}, neverIf(want == "F"))
	})
	for _, y0 := range spots(stores, false, false, true) {
		for _, y1 := range spots(loads, true, false, false) {
			for _, z0 := range spots(stores, false, false, true) {
				for _, z1 := range spots(loads, true, false, false) {
					yes := (handsOff(y0, y1) || y0.ord.releases() && y1.ord == Consume) && handsOff(z0, z1)
					judge(t, fmt.Sprint("ISA2 ", y0, y1, z0, z1), isa2Threads(y0, y1, z0, z1), ask, Options{}, neverIf(yes))
				}
			}
		}
	}
	// Fences: before the y-store, in the middle thread, after the z-load.
	for _, f0 := range append(fences, NotAtomic) {
		for _, f1 := range append(fences, NotAtomic) {
			for _, f2 := range append(fences, NotAtomic) {
				threads := []string{
					"st.rlx x 1; " + fence(f0) + "st.rlx y 1",
					"r0 = ld.rlx y; " + fence(f1) + "st.rlx z 1",
					"r1 = ld.rlx z; " + fence(f2) + "r2 = ld.rlx x",
				}
				yes := f0.releases() && f1.acquires() && f1.releases() && f2.acquires()
				judge(t, fmt.Sprint("ISA2 fences ", f0, f1, f2), threads, ask, Options{}, neverIf(yes))
			}
		}
	}
	judge(t, "ISA2 sc fences, dependency", []string{
		"st.rlx x 1; fence.sc; st.rlx y 1", "r0 = ld.rlx y; st.rlx z 1 dep r0", "r1 = ld.rlx z; fence.sc; r2 = ld.rlx x",
	}, ask, Options{}, Sometimes)
}
