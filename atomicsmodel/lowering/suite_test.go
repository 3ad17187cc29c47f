package lowering

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/atomicsmodel"
	"github.com/uvm2go/uvm2go/atomicsmodel/internal/choose"
)

// A judged is a test with the final states that Mu allows.
type judged struct {
	*atomicsmodel.Test
	allowed States
}

// A writer writes the tests of a shape.
type writer struct {
	t     *testing.T
	shape string
	base  *atomicsmodel.Test
	n     int // accesses
	picker
}

// A picker takes some of the tests of the suite.
type picker struct {
	want func(plain bool) bool // whether the next one, which may have plain data, is taken
	emit func(judged)
}

// everyTest takes all tests.
func everyTest(emit func(judged)) picker { return picker{func(bool) bool { return true }, emit} }

// An accessor writes the i-th access of a shape.
type accessor func(i int, s *atomicsmodel.Stmt) string

// test makes one test: its accesses, and what is before each that is not the first of its thread.
func (w *writer) test(name string, access accessor, before func(i int) string) {
	w.t.Helper()
	if !w.want(false) {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "litmus %s/%s\n", w.shape, name)
	i := 0
	for th := range w.base.Threads {
		code := w.base.Threads[th].Code
		fmt.Fprintf(&b, "P%d:", th)
		for k := range code {
			if k > 0 {
				b.WriteString(before(i))
			}
			fmt.Fprintf(&b, " %s;", access(i, &code[k]))
			i++
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "ask %s=0\n", w.base.Locations()[0])
	w.emit(judge(w.t, b.String()))
}

func judge(t *testing.T, text string) judged {
	t.Helper()
	test, err := atomicsmodel.Parse("test", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	allowed, err := Allowed(test)
	if err != nil {
		t.Fatal(err)
	}
	return judged{test, allowed}
}

// The strengths of accesses.
var (
	loadOrders  = []string{"rlx", "acq", "sc"}
	storeOrders = []string{"rlx", "rel", "sc"}
)

// written is an access with an order, plain or as one of the read-modify-writes with the same effect.
func written(i int, s *atomicsmodel.Stmt, strength, kind int) string {
	order, loc := loadOrders[strength], s.Names[0]
	if s.Op == atomicsmodel.OpLoad {
		return fmt.Sprintf([]string{"%[1]s = ld.%[2]s %[3]s", "%[1]s = add.%[2]s %[3]s 0", "%[1]s = cas.%[2]s.%[2]s %[3]s 77 78"}[kind], s.Reg, order, loc)
	}
	order = storeOrders[strength]
	return fmt.Sprintf([]string{"st.%[2]s %[3]s %[4]v", "w%[1]d = xchg.%[2]s %[3]s %[4]v", "w%[1]d = cas.%[2]s.rlx %[3]s 0 %[4]v"}[kind], i, order, loc, s.Args[0])
}

// digits calls f with all numbers of n digits to a base.
func digits(n, base int, f func([]int)) {
	list := make([]int, n)
	for c := (&choose.Chooser{}); ; {
		for i := range list {
			list[i] = c.Choose(base)
		}
		if f(list); !c.Next() {
			return
		}
	}
}

// suite makes the well-known shapes of up to some number of accesses: in all orders; with read-modify-writes in place of some
// accesses, in all orders if there are at most four, else SEQ_CST; and relaxed, with all fences between them. If it is uniform,
// all accesses of a test have the same strength.
func suite(t *testing.T, most int, uniform bool, p picker) {
	t.Helper()
	shapes := atomicsmodel.Shapes()
	for _, shape := range slices.Sorted(maps.Keys(shapes)) {
		base, err := atomicsmodel.Cycle("", shapes[shape])
		if err != nil {
			t.Fatal(err)
		}
		w := &writer{t: t, shape: shape, base: base, picker: p}
		for th := range base.Threads {
			w.n += len(base.Threads[th].Code)
		}
		if w.n > most {
			continue
		}
		nothing := func(int) string { return "" }
		strongest := slices.Repeat([]int{2}, w.n)
		digits(w.n, 3, func(kinds []int) {
			with := func(orders []int) {
				if uniform && slices.Max(orders) != slices.Min(orders) {
					return
				}
				w.test(word(kinds)+"/"+word(orders), func(i int, s *atomicsmodel.Stmt) string { return written(i, s, orders[i], kinds[i]) }, nothing)
			}
			if w.n <= 4 || !slices.ContainsFunc(kinds, func(k int) bool { return k > 0 }) {
				digits(w.n, 3, with)
			} else {
				with(strongest)
			}
		})
		fences := []string{"", " fence.acq;", " fence.rel;", " fence.ar;", " fence.sc;"}
		digits(w.n-len(base.Threads), len(fences), func(which []int) {
			k := 0
			w.test("fences/"+word(which), func(i int, s *atomicsmodel.Stmt) string { return written(i, s, 0, 0) },
				func(int) string { k++; return fences[which[k-1]] })
		})
	}
	for _, text := range append(handOver(), plainTests...) {
		if p.want(true) {
			p.emit(judge(t, text))
		}
	}
}

// handOver makes the tests in which a thread hands plain data to another, in all ways.
func handOver() (list []string) {
	send := []string{"st.rel y 1", "st.sc y 1"}
	take := []string{"r0 = ld.acq y", "r0 = ld.sc y"}
	for _, o := range []string{"rel", "ar", "sc"} {
		send = append(send, "w = xchg."+o+" y 1", "w = add."+o+" y 1", "w = cas."+o+".rlx y 0 1", "fence."+o+"; st.rlx y 1")
	}
	for _, o := range []string{"acq", "ar", "sc"} {
		take = append(take, "r0 = xchg."+o+" y 8", "r0 = add."+o+" y 8", "r0 = cas."+o+".rlx y 1 8", "r0 = ld.rlx y; fence."+o)
	}
	take = append(take, "r0 = cas.rlx.acq y 7 8", "r0 = cas.sc.sc y 7 8")
	for _, s := range send {
		for _, t := range take {
			list = append(list, "litmus MP\nP0: st.na x 1; "+s+"\nP1: "+t+"; r1 = ld.na x if r0=1\nask r1=0\n")
		}
	}
	return list
}

// plainTests have plain data under locks, passed on, and counters.
var plainTests = []string{
	"litmus LB+plain\nP0: r0 = ld.acq x; st.na y 1 if r0=1; st.rel z 1\nP1: r1 = ld.acq z; r2 = ld.na y if r1=1; st.rel x 1\nask r2=0\n",
	"litmus lock\nP0: r0 = cas.acq.rlx l 0 1; st.na x 1 if r0=0; st.rel l 0 if r0=0\n" +
		"P1: r1 = cas.acq.rlx l 0 1; st.na x 2 if r1=0; st.rel l 0 if r1=0\nask x=0\n",
	"litmus lock+xchg\nP0: r0 = xchg.acq l 1; st.na x 1 if r0=0; w0 = xchg.rel l 0 if r0=0\n" +
		"P1: r1 = xchg.acq l 1; st.na x 2 if r1=0; w1 = xchg.rel l 0 if r1=0\nask x=0\n",
	"litmus counter\nP0: r0 = add.rlx x 1\nP1: r1 = add.rlx x 1\nP2: r2 = add.rlx x 1\nask x=3\n",
	"litmus winner\nP0: r0 = cas.rlx.rlx x 0 1\nP1: r1 = cas.rlx.rlx x 0 2\nask x=1\n",
	"litmus ISA2+plain\nP0: st.na x 1; st.rel y 1\nP1: r0 = ld.acq y; st.rel z 1 if r0=1\nP2: r1 = ld.acq z; r2 = ld.na x if r1=1\nask r2=0\n",
	"litmus release+sequence\nP0: st.na x 1; st.rel y 1\nP1: r0 = add.rlx y 1\nP2: r1 = ld.acq y; r2 = ld.na x if r1=2\nask r2=0\n",
}

// word is a list of digits as a word.
func word(list []int) string {
	b := make([]byte, len(list))
	for i, d := range list {
		b[i] = byte('0' + d)
	}
	return string(b)
}
