package atomicsmodel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// A second checker for comparison, literal and slow: it handles loads, stores,
// additions, exchanges, compare-exchanges and fences, tries all choices of the statements with conditions that are executed, all rf, all mo and
// all orders S, and implements each rule of docs/memory-model.md exactly as written there.

type naiveEvent struct {
	thread     int // -1: initial store
	loc        string
	r, w, f    bool
	add        bool
	cas        *Stmt // a compare-exchange, which stores if w
	ord        Order
	val        int64
	reg        string
	dep        []string
	conds      []Cond
	rf         int
	got, wrote int64
	known      bool
}

type naive struct {
	test *Test
	ww   bool
	ev   []naiveEvent
	mo   map[string][]int
	s    []int
	hb   [][]bool
	out  map[string]bool

	skipped [][]Cond // of the statements that are not executed
}

func (n *naive) matrix() [][]bool {
	m := make([][]bool, len(n.ev))
	for i := range m {
		m[i] = make([]bool, len(n.ev))
	}
	return m
}

func naiveStates(t *Test, ww bool) map[string]bool {
	out := map[string]bool{}
	conditional := 0
	for _, th := range t.Threads {
		for _, s := range th.Code {
			if len(s.If) > 0 {
				conditional++
			}
			if s.Op == OpCas || s.Op == OpCasWeak {
				conditional++
			}
		}
	}
	for executed := range 1 << conditional {
		n := &naive{test: t, ww: ww, mo: map[string][]int{}, out: out}
		n.events(executed)
		n.chooseRF(0)
	}
	return out
}

// events makes the events; executed has a bit for each statement with conditions, and for each compare-exchange whether it stores.
func (n *naive) events(executed int) {
	for _, l := range n.test.locations {
		n.ev = append(n.ev, naiveEvent{thread: -1, loc: l, w: true, ord: Relaxed})
	}
	for i, th := range n.test.Threads {
		for _, s := range th.Code {
			if len(s.If) > 0 {
				bit := executed & 1
				if executed >>= 1; bit == 0 {
					n.skipped = append(n.skipped, s.If)
					continue
				}
			}
			e := naiveEvent{thread: i, ord: s.Order, reg: s.Reg, dep: s.Dep, conds: s.If}
			if s.Op == OpCas || s.Op == OpCasWeak {
				e.loc, e.r, e.w, e.val, e.cas = s.Names[0], true, executed&1 != 0, s.Args[1].N, &s
				if !e.w {
					e.ord = s.Fail
				}
				executed >>= 1
			} else if s.Op == OpFence {
				e.f = true
			} else {
				e.loc = s.Names[0]
				e.r, e.w, e.add = s.Op != OpStore, s.Op != OpLoad, s.Op == OpAdd
				if e.w {
					e.val = s.Args[0].N
				}
			}
			n.ev = append(n.ev, e)
		}
	}
}

// hold reports whether all conditions hold.
func (n *naive) hold(conds []Cond) bool {
	for _, c := range conds {
		i := slices.IndexFunc(n.ev, func(e naiveEvent) bool { return e.reg == c.Name })
		if i < 0 || (n.ev[i].got == c.Value) == c.Not {
			return false
		}
	}
	return true
}

func (n *naive) chooseRF(i int) {
	if i == len(n.ev) {
		n.chooseMO(0)
		return
	}
	if !n.ev[i].r {
		n.chooseRF(i + 1)
		return
	}
	for w := range n.ev {
		if w != i && n.ev[w].w && n.ev[w].loc == n.ev[i].loc {
			n.ev[i].rf = w
			n.chooseRF(i + 1)
		}
	}
}

func permute(list []int, k int, f func()) {
	if k == len(list) {
		f()
		return
	}
	for i := k; i < len(list); i++ {
		list[k], list[i] = list[i], list[k]
		permute(list, k+1, f)
		list[k], list[i] = list[i], list[k]
	}
}

func (n *naive) chooseMO(l int) {
	if l == len(n.test.locations) {
		n.judge()
		return
	}
	loc := n.test.locations[l]
	list := []int{l}
	for i, e := range n.ev {
		if e.w && e.loc == loc && e.thread >= 0 {
			list = append(list, i)
		}
	}
	permute(list, 1, func() {
		n.mo[loc] = list
		n.chooseMO(l + 1)
	})
}

func (n *naive) at(w int) int { return slices.Index(n.mo[n.ev[w].loc], w) }

func (n *naive) moBefore(a, b int) bool {
	return n.ev[a].w && n.ev[b].w && n.ev[a].loc == n.ev[b].loc && n.at(a) < n.at(b)
}

func (n *naive) sb(a, b int) bool {
	return n.ev[a].thread >= 0 && n.ev[a].thread == n.ev[b].thread && a < b
}

// inRS reports whether b is in the release sequence of a.
func (n *naive) inRS(a, b int) bool {
	order := n.mo[n.ev[a].loc]
	for i := n.at(a); i < len(order); i++ {
		e := n.ev[order[i]]
		if order[i] != a && e.thread != n.ev[a].thread && !e.r {
			return false
		}
		if order[i] == b {
			return true
		}
	}
	return false
}

func (n *naive) judge() {
	for i := range n.ev {
		e := &n.ev[i]
		e.known = e.w && !e.r
		e.wrote = e.val
	}
	for range n.ev {
		for i := range n.ev {
			if e := &n.ev[i]; e.r && n.ev[e.rf].known {
				e.known, e.got, e.wrote = true, n.ev[e.rf].wrote, e.val
				if e.add {
					e.wrote = e.got + e.val
				}
			}
		}
	}
	for i, e := range n.ev {
		if e.r && !e.known {
			return
		}
		if e.r && e.w && n.at(i) != n.at(e.rf)+1 {
			return // RMW
		}
		if !n.hold(e.conds) {
			return
		}
		if e.cas != nil {
			if expected := e.got == e.cas.Args[0].N; e.w != expected && (e.w || e.cas.Op == OpCas) {
				return
			}
		}
	}
	if slices.ContainsFunc(n.skipped, n.hold) {
		return
	}
	if !n.relations() || !n.coherence() {
		return
	}
	var sc []int
	for i, e := range n.ev {
		if e.ord == SeqCst {
			sc = append(sc, i)
		}
	}
	found := false
	permute(sc, 0, func() {
		n.s = sc
		found = found || n.total()
	})
	if found {
		n.out[n.state()] = true
	}
}

func (n *naive) state() string {
	var b strings.Builder
	for _, r := range n.test.registers {
		i := slices.IndexFunc(n.ev, func(e naiveEvent) bool { return e.reg == r })
		if i < 0 {
			fmt.Fprintf(&b, "%s=- ", r)
			continue
		}
		fmt.Fprintf(&b, "%s=%d ", r, n.ev[i].got)
	}
	for _, l := range n.test.locations {
		order := n.mo[l]
		fmt.Fprintf(&b, "%s=%d ", l, n.ev[order[len(order)-1]].wrote)
	}
	return b.String()
}

// relations computes hb and checks HB and NOTA.
func (n *naive) relations() bool {
	N := len(n.ev)
	dd, sw, dob, ithb := n.matrix(), n.matrix(), n.matrix(), n.matrix()
	for a := range N {
		for b := range N {
			dd[a][b] = n.ev[a].reg != "" && slices.Contains(n.ev[b].dep, n.ev[a].reg)
		}
	}
	cd := closure(dd)
	air := n.matrix()
	for a := range N {
		for b := range N {
			tested := slices.ContainsFunc(n.ev[b].conds, func(c Cond) bool { return c.Name == n.ev[a].reg })
			air[a][b] = dd[a][b] || tested || n.ev[b].r && n.ev[b].rf == a
		}
	}
	if !irreflexive(closure(air)) {
		return false
	}
	ev := n.ev
	for a := range N {
		for b := range N {
			if a == b {
				continue
			}
			A, B := ev[a], ev[b]
			if A.thread == B.thread {
				continue
			}
			if A.w && A.ord.releases() && B.r && B.ord.acquires() && n.inRS(a, B.rf) {
				sw[a][b] = true
			}
			for x := range N {
				if A.f && A.ord.releases() && B.r && B.ord.acquires() && ev[x].w && n.sb(a, x) && n.inRS(x, B.rf) {
					sw[a][b] = true
				}
				if A.w && A.ord.releases() && B.f && B.ord.acquires() && ev[x].r && n.sb(x, b) && n.inRS(a, ev[x].rf) {
					sw[a][b] = true
				}
				for y := range N {
					if A.f && A.ord.releases() && B.f && B.ord.acquires() && ev[x].w && ev[y].r && n.sb(a, x) && n.sb(y, b) && n.inRS(x, ev[y].rf) {
						sw[a][b] = true
					}
				}
			}
			if A.w && A.ord.releases() && B.r && B.ord == Consume && A.thread != B.thread && n.inRS(a, B.rf) {
				dob[a][b] = true
				for c := range N {
					dob[a][c] = dob[a][c] || cd[b][c]
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		set := func(a, b int) {
			if !ithb[a][b] {
				ithb[a][b], changed = true, true
			}
		}
		for a := range N {
			for b := range N {
				if sw[a][b] || dob[a][b] {
					set(a, b)
				}
				for x := range N {
					if sw[a][x] && n.sb(x, b) || n.sb(a, x) && ithb[x][b] || ithb[a][x] && ithb[x][b] {
						set(a, b)
					}
				}
			}
		}
	}
	n.hb = n.matrix()
	for a := range N {
		for b := range N {
			n.hb[a][b] = n.sb(a, b) || ithb[a][b] || ev[a].thread < 0 && ev[b].thread >= 0
		}
	}
	return irreflexive(n.hb)
}

func closure(r [][]bool) [][]bool {
	c := make([][]bool, len(r))
	for i := range r {
		c[i] = slices.Clone(r[i])
	}
	for k := range c {
		for i := range c {
			for j := range c {
				c[i][j] = c[i][j] || c[i][k] && c[k][j]
			}
		}
	}
	return c
}

func irreflexive(r [][]bool) bool {
	for i := range r {
		if r[i][i] {
			return false
		}
	}
	return true
}

// coherence checks MO, CoWR, CoRW and CoRR.
func (n *naive) coherence() bool {
	for a, A := range n.ev {
		for b, B := range n.ev {
			if !n.hb[a][b] || A.loc == "" || A.loc != B.loc {
				continue
			}
			if A.w && B.w && !n.moBefore(a, b) || A.w && B.r && n.moBefore(B.rf, a) ||
				A.r && B.w && (A.rf == b || n.moBefore(b, A.rf)) || A.r && B.r && n.moBefore(B.rf, A.rf) {
				return false
			}
		}
	}
	return true
}

// total checks SC, SC-L, SC-F1 to SC-F3 and WW for the order S.
func (n *naive) total() bool {
	before := func(a, b int) bool {
		i, j := slices.Index(n.s, a), slices.Index(n.s, b)
		return i >= 0 && j >= 0 && i < j
	}
	last := func(loc string, b int) int { // last SEQ_CST store before b in S
		at := -1
		for _, a := range n.s {
			if a == b {
				break
			}
			if n.ev[a].w && n.ev[a].loc == loc {
				at = a
			}
		}
		return at
	}
	reads := func(b, a int) bool { return n.ev[b].rf == a || n.moBefore(a, n.ev[b].rf) } // a or later
	for _, a := range n.s {
		for _, b := range n.s {
			if (n.hb[a][b] || n.moBefore(a, b)) && !before(a, b) {
				return false
			}
		}
	}
	for b, B := range n.ev {
		if B.r && B.ord == SeqCst {
			a := last(B.loc, b)
			if a >= 0 && B.rf != a && (n.ev[B.rf].ord == SeqCst || n.hb[B.rf][a]) || a < 0 && n.ev[B.rf].ord == SeqCst {
				return false
			}
		}
		for x, X := range n.ev {
			if !X.f || X.ord != SeqCst {
				continue
			}
			if B.r && n.sb(x, b) {
				if a := last(B.loc, x); a >= 0 && !reads(b, a) {
					return false // SC-F1
				}
			}
			for a, A := range n.ev {
				if !A.w || A.loc != B.loc {
					continue
				}
				if B.r && n.sb(a, x) && before(x, b) && !reads(b, a) {
					return false // SC-F2
				}
				later := B.w && n.moBefore(b, a)
				if n.ww && later && (n.sb(a, x) && before(x, b) || n.sb(x, b) && before(a, x)) {
					return false
				}
				for y, Y := range n.ev {
					if Y.f && Y.ord == SeqCst && n.sb(a, x) && before(x, y) && n.sb(y, b) && (B.r && !reads(b, a) || n.ww && later) {
						return false // SC-F3, WW
					}
				}
			}
		}
	}
	return true
}

// randomTest makes a small test of loads, stores, additions and fences.
func randomTest(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("litmus R\ninit x=0 y=0\n")
	pick := func(list ...Order) Order {
		if r.IntN(3) == 0 {
			return SeqCst
		}
		return list[r.IntN(len(list))]
	}
	left, reg, val := 7, 0, 0
	threads := 2 + r.IntN(3)
	for i := range threads {
		fmt.Fprintf(&b, "P%d:", i)
		mine := ""
		for k := 1 + r.IntN(3); k > 0 && left > threads-i-1; k-- {
			left--
			loc := string("xy"[r.IntN(2)])
			dep := ""
			if mine != "" && r.IntN(3) == 0 {
				dep = " dep " + mine
			}
			val++
			switch r.IntN(9) {
			case 8:
				op := []string{"cas", "casw"}[r.IntN(2)]
				fmt.Fprintf(&b, " r%d = %s.%v.%v %s %d %d%s;", reg, op, pick(Relaxed, Acquire, Release, AcqRel), pick(Relaxed, Acquire), loc, r.IntN(val+1)*r.IntN(2), val, dep)
			case 0, 1, 2:
				fmt.Fprintf(&b, " st.%v %s %d%s;", pick(stores...), loc, val, dep)
				continue
			case 3:
				fmt.Fprintf(&b, " fence.%v;", pick(fences...))
				continue
			case 4:
				fmt.Fprintf(&b, " r%d = add.%v %s %d%s;", reg, pick(Relaxed, Acquire, Release, AcqRel), loc, val*10, dep)
			default:
				fmt.Fprintf(&b, " r%d = ld.%v %s%s;", reg, pick(loads...), loc, dep)
			}
			mine = fmt.Sprintf("r%d", reg)
			reg++
		}
		b.WriteByte('\n')
	}
	b.WriteString("ask x=0\n")
	return b.String()
}

// TestNaive compares the two checkers on random tests.
func TestNaive(t *testing.T) { compareNaive(t, 200) }

func TestLongNaive(t *testing.T) {
	longtest.Only(t)
	compareNaive(t, 800)
}

func compareNaive(t *testing.T, count int) {
	t.Helper()
	r := rand.New(rand.NewPCG(13, 9))
	for range count {
		text := randomTest(r)
		test := mustParse(t, text)
		for _, ww := range []bool{false, true} {
			sameAsNaive(t, test, Options{WW: ww})
			if t.Failed() {
				return
			}
		}
	}
}

// sameAsNaive compares the final states that the two checkers find.
func sameAsNaive(t *testing.T, test *Test, o Options) {
	t.Helper()
	v, err := Check(test, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, test)
	}
	if d, err := Decide(t.Context(), test, o); err != nil || d.Result != v.Result {
		t.Errorf("without states: %v, %v, want %v\n%s", d, err, v.Result, test)
	}
	got := map[string]bool{}
	for _, s := range v.States.All() {
		var b strings.Builder
		for i, name := range slices.Concat(test.registers, test.locations) {
			if !s[i].Defined {
				fmt.Fprintf(&b, "%s=- ", name)
				continue
			}
			fmt.Fprintf(&b, "%s=%d ", name, s[i].N)
		}
		got[b.String()] = true
	}
	want := naiveStates(test, o.WW)
	for s := range want {
		if !got[s] {
			t.Errorf("ww %v: %s is missing\n%s", o.WW, s, test)
		}
	}
	for s := range got {
		if !want[s] {
			t.Errorf("ww %v: %s is too much\n%s", o.WW, s, test)
		}
	}
}
