package atomicsmodel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Cycle makes a test from a cycle of relations between accesses: the test asks for the execution in which all of them
// hold. The text is a list of words. A word is a relation, which leads from one access to the next and from the last
// to the first, or the order of the access at that place, rlx unless given:
//
//	Rfe, Fre, Coe           a load from a store, a store after what a load reads, a store after a store: of
//	                        another thread
//	Rfi, Fri, Coi           the same in one thread
//	PodRW, PosRW            a load, then a store in one thread: to another (d) or the same (s) location; also RR, WR, WW
//	DpdR, DpdW, DpsR, DpsW  a load, and an access that depends on it through an address or data
//	CtrldW, CtrldR          a load, and an access that is executed only if the load has its value
//	F.scdWR                 a store, a fence, a load; with any order of a fence, any ends, and s or d
//
// MP is "PodWW rel Rfe acq PodRR Fre": the store to the flag is a release, the load of it an acquire. One access that is
// both ends of two relations must be a load, a store, or for Rf followed by Co or Fr, Coi or Po, a read-modify-write
// where the word rmw stands at its place.
func Cycle(name, text string) (*Test, error) {
	c := &cycle{}
	if err := c.parse(text); err != nil {
		return nil, err
	}
	if err := c.place(); err != nil {
		return nil, err
	}
	return c.test(name)
}

// A cycleEdge is a relation; it leads from the access at its place to the next.
type cycleEdge struct {
	word     string
	from, to byte // R or W
	external bool // to another thread
	moves    bool // to another location
	fence    Order
	fenced   bool
	dep      bool
	ctrl     bool
}

// A cycleEvent is an access.
type cycleEvent struct {
	kind   byte // R, W, or U for a read-modify-write
	order  Order
	loc    int
	thread int
	reads  int64 // value
	stores int64
}

type cycle struct {
	edges  []cycleEdge
	events []cycleEvent
	locs   int
}

// communicates reports whether the relation orders accesses by what they read or store.
func (e *cycleEdge) communicates() bool { return communications[e.word[:2]] != "" }

// communications are the relations between accesses of one location, without the last letter.
var communications = map[string]string{"Rf": "WR", "Fr": "RW", "Co": "WW", "Ws": "WW"}

// parseEdge reads a relation.
func parseEdge(w string) (e cycleEdge, ok bool) {
	e.word = w
	ends := func(s string) bool {
		if len(s) != 3 || strings.IndexByte("sd", s[0]) < 0 || strings.IndexByte("RW", s[1]) < 0 || strings.IndexByte("RW", s[2]) < 0 {
			return false
		}
		e.moves, e.from, e.to = s[0] == 'd', s[1], s[2]
		return true
	}
	if len(w) == 3 {
		if k, known := communications[w[:2]]; known && (w[2] == 'e' || w[2] == 'i') {
			e.from, e.to, e.external = k[0], k[1], w[2] == 'e'
			return e, true
		}
	}
	if rest, is := strings.CutPrefix(w, "Po"); is {
		return e, ends(rest)
	}
	if rest, is := strings.CutPrefix(w, "Dp"); is && len(rest) == 2 {
		e.dep = true
		return e, ends(rest[:1] + "R" + rest[1:])
	}
	if rest, is := strings.CutPrefix(w, "Ctrl"); is && len(rest) == 2 {
		e.ctrl = true
		return e, ends(rest[:1] + "R" + rest[1:])
	}
	if rest, is := strings.CutPrefix(w, "F."); is && len(rest) > 3 {
		var known bool
		e.fence, known = orderByName(rest[:len(rest)-3])
		e.fenced = true
		return e, known && fenceOrders.has(e.fence) && ends(rest[len(rest)-3:])
	}
	return e, false
}

func (c *cycle) parse(text string) error {
	order, update := NotAtomic, false
	given := false
	for _, w := range strings.Fields(text) {
		if o, ok := orderByName(w); ok {
			order, given = o, true
			continue
		}
		if w == "rmw" {
			update = true
			continue
		}
		e, ok := parseEdge(w)
		if !ok {
			return fmt.Errorf("bad word %q in a cycle: want an order, rmw, or a relation such as Rfe, Fre, Coe, PodWR, DpdW, CtrldW, F.scdWR", w)
		}
		ev := cycleEvent{order: Relaxed}
		if given {
			ev.order = order
		}
		if update {
			ev.kind = 'U'
		}
		c.edges, c.events = append(c.edges, e), append(c.events, ev)
		given, update = false, false
	}
	if given || update {
		return fmt.Errorf("the cycle ends with an order or rmw: want a relation after it")
	}
	if len(c.edges) < 2 {
		return fmt.Errorf("a cycle has at least two relations")
	}
	return c.kinds()
}

// kinds finds out what each access is.
func (c *cycle) kinds() error {
	for i := range c.events {
		in, out := &c.edges[(i+len(c.edges)-1)%len(c.edges)], &c.edges[i]
		ev := &c.events[i]
		switch {
		case ev.kind == 'U':
			if out.from == 'R' && strings.HasPrefix(out.word, "Fr") {
				return fmt.Errorf("a read-modify-write before %s: its own store comes after what it reads; use Coe or Coi", out.word)
			}
		case in.to != out.from:
			return fmt.Errorf("%s leads to %c, but %s comes from %c; a read-modify-write there is marked by rmw", in.word, in.to, out.word, out.from)
		default:
			ev.kind = out.from
		}
		allowed := map[byte]orders{'R': loadOrders, 'W': storeOrders, 'U': rmwOrders}[ev.kind]
		if !allowed.has(ev.order) {
			return fmt.Errorf("the access before %s cannot have the order %s", out.word, ev.order.Mu())
		}
	}
	return nil
}

// place gives threads, locations and values to the accesses. Each location is one run of accesses between two relations
// that move.
func (c *cycle) place() error {
	n := len(c.edges)
	external, moving := 0, 0
	for i := range c.edges {
		if c.edges[i].external {
			external++
		}
		if c.edges[i].moves {
			moving++
		}
	}
	switch {
	case external < 2:
		return fmt.Errorf("the cycle lies in one thread: want at least two of Rfe, Fre, Coe")
	case moving == 1:
		return fmt.Errorf("only one relation leads to another location: want none, or one that leads back")
	}
	_, words := c.shape()
	begins := func(i int) bool { return c.edges[(i+n-1)%n].external } // a thread
	c.rotate(func(i int) bool {
		for k, w := range words {
			if c.plain((i+k)%n) != w {
				return false
			}
		}
		return words != nil && begins(i)
	}, func(i int) bool { return begins(i) && !c.edges[i].external }, begins)
	thread, loc := 0, 0
	for i := range c.events {
		ev := &c.events[i]
		ev.thread, ev.loc = thread, loc
		if c.edges[i].external {
			thread++
		}
		if c.edges[i].moves {
			if loc++; loc == moving {
				loc = 0
			}
		}
	}
	c.locs = max(moving, 1)
	for l := range c.locs {
		c.values(l)
	}
	return nil
}

// rotate makes the cycle begin at the first place that fits the first rule that fits any.
func (c *cycle) rotate(rules ...func(i int) bool) {
	for _, rule := range rules {
		for i := range c.edges {
			if rule(i) {
				c.edges = slices.Concat(c.edges[i:], c.edges[:i])
				c.events = slices.Concat(c.events[i:], c.events[:i])
				return
			}
		}
	}
}

// values numbers the stores to a location in the order that the relations between its accesses give.
func (c *cycle) values(loc int) {
	n := len(c.edges)
	start := 0
	for i := range c.events {
		in := &c.edges[(i+n-1)%n]
		if c.events[i].loc == loc && (in.moves || c.locs == 1 && !in.communicates()) {
			start = i
		}
	}
	last := int64(0)
	for k := range n {
		ev := &c.events[(start+k)%n]
		if ev.loc != loc {
			break
		}
		ev.reads = last
		if ev.kind != 'R' {
			last++
			ev.stores = last
		}
	}
}

// locationNames are the names of the locations of a cycle.
const locationNames = "xyzwabcdefghijklmnopqrstuv"

// test writes the test.
func (c *cycle) test(name string) (*Test, error) {
	if c.locs > len(locationNames) {
		return nil, fmt.Errorf("more than %d locations", len(locationNames))
	}
	if name == "" {
		name = c.name()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "litmus %s\ndoc the cycle %s\n", name, c)
	var ask []string
	final := make([]int64, c.locs)
	stores := make([]int, c.locs)
	for i := range c.events {
		ev := &c.events[i]
		if i == 0 || ev.thread != c.events[i-1].thread {
			fmt.Fprintf(&b, "\nP%d: ", ev.thread)
		} else {
			b.WriteString("; ")
		}
		reg := "r" + strconv.Itoa(i)
		loc := locationNames[ev.loc : ev.loc+1]
		switch ev.kind {
		case 'R':
			fmt.Fprintf(&b, "%s = ld.%v %s", reg, ev.order, loc)
		case 'W':
			fmt.Fprintf(&b, "st.%v %s %d", ev.order, loc, ev.stores)
		default:
			fmt.Fprintf(&b, "%s = xchg.%v %s %d", reg, ev.order, loc, ev.stores)
		}
		if ev.kind != 'W' {
			ask = append(ask, fmt.Sprintf("%s=%d", reg, ev.reads))
		}
		if ev.kind != 'R' {
			stores[ev.loc]++
			final[ev.loc] = max(final[ev.loc], ev.stores)
		}
		if i > 0 {
			in := &c.edges[i-1]
			if in.dep {
				fmt.Fprintf(&b, " dep r%d", i-1)
			}
			if in.ctrl {
				fmt.Fprintf(&b, " if r%d=%d", i-1, c.events[i-1].reads)
			}
		}
		if c.edges[i].fenced {
			fmt.Fprintf(&b, "; fence.%v", c.edges[i].fence)
		}
	}
	for l, n := range stores {
		if n > 1 {
			ask = append(ask, fmt.Sprintf("%c=%d", locationNames[l], final[l]))
		}
	}
	fmt.Fprintf(&b, "\nask %s\n", strings.Join(ask, " "))
	return Parse("the test of the cycle", b.String())
}

// String returns the cycle as Cycle reads it.
func (c *cycle) String() string {
	var list []string
	for i := range c.edges {
		if c.events[i].order != Relaxed {
			list = append(list, c.events[i].order.String())
		}
		if c.events[i].kind == 'U' {
			list = append(list, "rmw")
		}
		list = append(list, c.edges[i].word)
	}
	return strings.Join(list, " ")
}

// shapes are the names of well-known cycles.
var shapes = map[string]string{
	"MP":     "PodWW Rfe PodRR Fre",
	"SB":     "PodWR Fre PodWR Fre",
	"LB":     "PodRW Rfe PodRW Rfe",
	"S":      "PodWW Rfe PodRW Coe",
	"R":      "PodWW Coe PodWR Fre",
	"2+2W":   "PodWW Coe PodWW Coe",
	"WRC":    "Rfe PodRW Rfe PodRR Fre",
	"RWC":    "Rfe PodRR Fre PodWR Fre",
	"WWC":    "Rfe PodRW Rfe PodRW Coe",
	"WRR+2W": "Rfe PodRR Fre PodWW Coe",
	"ISA2":   "PodWW Rfe PodRW Rfe PodRR Fre",
	"Z6.0":   "PodWW Rfe PodRW Coe PodWR Fre",
	"Z6.1":   "PodWW Coe PodWW Rfe PodRW Coe",
	"Z6.2":   "PodWW Rfe PodRW Rfe PodRW Coe",
	"Z6.3":   "PodWW Coe PodWW Rfe PodRR Fre",
	"Z6.4":   "PodWW Coe PodWR Fre PodWR Fre",
	"Z6.5":   "PodWW Coe PodWW Coe PodWR Fre",
	"3.SB":   "PodWR Fre PodWR Fre PodWR Fre",
	"3.LB":   "PodRW Rfe PodRW Rfe PodRW Rfe",
	"3.2W":   "PodWW Coe PodWW Coe PodWW Coe",
	"W+RWC":  "PodWW Rfe PodRR Fre PodWR Fre",
	"IRIW":   "Rfe PodRR Fre Rfe PodRR Fre",
	"IRRWIW": "Rfe PodRR Fre Rfe PodRW Coe",
	"CoRR":   "Rfe PosRR Fre",
	"CoWR":   "PosWR Fre Coe",
	"CoRW":   "Rfe PosRW Coe",
	"CoWW":   "PosWW Coe Coe",
}

// Shapes lists the names of the well-known shapes with their cycles.
func Shapes() map[string]string { return shapes }

// plain is the relation at a place without dependencies and fences.
func (c *cycle) plain(i int) string {
	e := &c.edges[i]
	switch {
	case e.fenced || e.dep || e.ctrl:
		s := "s"
		if e.moves {
			s = "d"
		}
		return "Po" + s + string(e.from) + string(e.to)
	case strings.HasPrefix(e.word, "Ws"):
		return "Co" + e.word[2:]
	}
	return e.word
}

// shape finds the well-known cycle that this one is but for orders, dependencies and fences.
func (c *cycle) shape() (name string, words []string) {
	var plain []string
	for i := range c.edges {
		plain = append(plain, c.plain(i))
	}
	for n, s := range shapes {
		list := strings.Fields(s)
		if len(list) != len(plain) || name != "" && name < n {
			continue
		}
		for i := range list {
			if slices.Equal(slices.Concat(list[i:], list[:i]), plain) {
				name, words = n, list
			}
		}
	}
	return name, words
}

// name is the shape, followed by the words of the cycle if they say more; only the words of an unknown cycle.
func (c *cycle) name() string {
	base, words := c.shape()
	switch text := c.String(); {
	case base == "":
		return strings.ReplaceAll(text, " ", "+")
	case text == strings.Join(words, " "):
		return base
	default:
		return base + "+" + strings.ReplaceAll(text, " ", "-")
	}
}
