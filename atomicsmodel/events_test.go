package atomicsmodel

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// A mold is the text of a shape with a % for each order, in program order.
type mold struct {
	threads string // separated by |
	ask     string
}

var (
	moldR    = mold{"st.% x 1; st.% y 1 | st.% y 2; r0 = ld.% x", "y=2 r0=0"}
	mold22W  = mold{"st.% x 1; st.% y 2 | st.% y 1; st.% x 2", "x=1 y=1"}
	moldRWC  = mold{"st.% x 1 | r0 = ld.% x; r1 = ld.% y | st.% y 1; r2 = ld.% x", "r0=1 r1=0 r2=0"}
	moldIRIW = mold{"st.% x 1 | st.% y 1 | r0 = ld.% x; r1 = ld.% y | r2 = ld.% y; r3 = ld.% x", "r0=1 r1=0 r2=1 r3=0"}
)

// cast fills a mold from orders in program order, threads separated by |. The
// word F.X between two orders is a fence, and an order with +d makes the next
// access of the thread depend: "RLX F.SC RLX | CON+d SC".
func (m mold) cast(t *testing.T, spec string) []string {
	t.Helper()
	threads := strings.Split(m.threads, "|")
	specs := strings.Split(spec, "|")
	if len(specs) != len(threads) {
		t.Fatalf("%d threads in %q", len(specs), spec)
	}
	for i := range threads {
		stmts := strings.Split(threads[i], ";")
		n, dep := 0, ""
		var out []string
		for _, w := range strings.Fields(specs[i]) {
			if f, ok := strings.CutPrefix(w, "F."); ok {
				out = append(out, "fence."+f)
				continue
			}
			w, d := strings.CutSuffix(w, "+d")
			if n == len(stmts) {
				t.Fatalf("too many orders in %q", spec)
			}
			s := strings.TrimSpace(stmts[n])
			out = append(out, strings.Replace(s, "%", w, 1)+dep)
			if dep = ""; d {
				dep = " dep " + strings.Fields(s)[0]
			}
			n++
		}
		if n != len(stmts) {
			t.Fatalf("too few orders in %q", spec)
		}
		threads[i] = strings.Join(out, "; ")
	}
	return threads
}

// TestNamedOrders checks the table of R, 2+2W, RWC and IRIW: a, F, or w for
// allowed but forbidden with WW.
func TestNamedOrders(t *testing.T) {
	for _, c := range []struct {
		name  string
		mold  mold
		want  byte
		specs string // separated by commas
	}{
		{"R", moldR, 'a', "RLX RLX | RLX RLX, REL REL | REL ACQ"},
		{"R", moldR, 'F', "SC SC | SC SC"},
		{"R", moldR, 'a', "RLX SC | SC SC, SC REL | SC SC, SC SC | REL SC, SC SC | SC ACQ, SC SC | SC RLX"},
		{"R", moldR, 'a', "RLX F.AR RLX | RLX F.AR RLX"},
		{"R", moldR, 'w', "RLX F.SC RLX | RLX F.SC RLX"},
		{"R", moldR, 'F', "SC SC | SC F.SC RLX"},
		{"R", moldR, 'F', "RLX F.SC SC | SC F.SC RLX"},
		{"R", moldR, 'w', "SC F.SC RLX | RLX F.SC SC"},
		{"2+2W", mold22W, 'a', "RLX RLX | RLX RLX, REL REL | REL REL, REL SC | REL SC, SC REL | SC REL, SC SC | SC REL"},
		{"2+2W", mold22W, 'F', "SC SC | SC SC"},
		{"2+2W", mold22W, 'a', "RLX F.REL RLX | RLX F.REL RLX, RLX F.AR RLX | RLX F.AR RLX"},
		{"2+2W", mold22W, 'w', "RLX F.SC RLX | RLX F.SC RLX"},
		{"2+2W", mold22W, 'w', "SC SC | RLX F.SC RLX"},
		{"RWC", moldRWC, 'a', "RLX | RLX RLX | RLX RLX, REL | ACQ ACQ | REL ACQ"},
		{"RWC", moldRWC, 'F', "SC | SC SC | SC SC, SC | ACQ SC | SC SC, SC | CON+d SC | SC SC"},
		{"RWC", moldRWC, 'a', "REL | SC SC | SC SC, RLX | SC SC | SC SC, SC | RLX SC | SC SC, SC | ACQ ACQ | SC SC"},
		{"RWC", moldRWC, 'a', "RLX | RLX F.SC RLX | RLX F.SC RLX, REL | RLX F.SC RLX | RLX F.SC RLX"},
		{"RWC", moldRWC, 'a', "RLX | ACQ F.SC RLX | RLX F.SC RLX, REL | ACQ F.SC RLX | RLX F.SC RLX"},
		{"RWC", moldRWC, 'F', "SC | RLX F.SC RLX | RLX F.SC RLX"},
		{"RWC", moldRWC, 'a', "RLX | RLX F.AR RLX | RLX F.AR RLX, REL | RLX F.AR RLX | RLX F.AR RLX, SC | RLX F.AR RLX | RLX F.AR RLX"},
		{"IRIW", moldIRIW, 'a', "RLX | RLX | RLX RLX | RLX RLX, REL | REL | ACQ ACQ | ACQ ACQ, SC | SC | ACQ ACQ | ACQ ACQ"},
		{"IRIW", moldIRIW, 'a', "REL | REL | SC SC | SC SC, RLX | RLX | SC SC | SC SC, SC | REL | SC SC | SC SC"},
		{"IRIW", moldIRIW, 'F', "SC | SC | SC SC | SC SC, SC | SC | ACQ SC | ACQ SC, SC | SC | CON+d SC | ACQ SC"},
		{"IRIW", moldIRIW, 'a', "SC | SC | SC ACQ | SC ACQ, SC | SC | RLX SC | RLX SC"},
		{"IRIW", moldIRIW, 'a', "REL | REL | CON+d RLX | CON+d RLX, REL | REL | CON+d CON | CON+d CON"},
		{"IRIW", moldIRIW, 'a', "RLX | RLX | RLX F.SC RLX | RLX F.SC RLX, REL | REL | RLX F.SC RLX | RLX F.SC RLX"},
		{"IRIW", moldIRIW, 'a', "RLX | RLX | ACQ F.SC ACQ | ACQ F.SC ACQ, REL | REL | ACQ F.SC RLX | ACQ F.SC RLX"},
		{"IRIW", moldIRIW, 'F', "SC | SC | RLX F.SC RLX | RLX F.SC RLX, SC | SC | ACQ F.SC ACQ | ACQ F.SC ACQ"},
		{"IRIW", moldIRIW, 'a', "RLX | RLX | RLX F.AR RLX | RLX F.AR RLX"},
	} {
		for _, spec := range strings.Split(c.specs, ",") {
			threads := c.mold.cast(t, spec)
			judge(t, c.name+" "+spec, threads, c.mold.ask, Options{}, neverIf(c.want == 'F'))
			judge(t, c.name+" "+spec, threads, c.mold.ask, Options{WW: true}, neverIf(c.want != 'a'))
		}
	}
}

// sc reports whether all are sequentially consistent.
func sc(list ...Order) bool {
	for _, o := range list {
		if o != SeqCst {
			return false
		}
	}
	return true
}

// first are the reads that another read may depend on, and passes tells which of them
// pass on the synchronisation to it.
var first = []string{"RLX", "CON", "ACQ", "SC", "RLX+d", "CON+d"}

func passes(read string) bool { return read == "ACQ" || read == "SC" || read == "CON+d" }

// TestClosedRules checks the rules for R, 2+2W and RWC: exhaustively without
// fences, and for the fences that they name.
func TestClosedRules(t *testing.T) {
	for _, a := range stores {
		for _, b := range stores {
			for _, c := range stores {
				for _, d := range loads {
					judge(t, fmt.Sprint("R ", a, b, c, d), moldR.cast(t, fmt.Sprintf("%v %v | %v %v", a, b, c, d)),
						moldR.ask, Options{}, neverIf(sc(a, b, c, d)))
					judge(t, fmt.Sprint("R fences ", a, b, c, d), moldR.cast(t, fmt.Sprintf("%v F.SC %v | %v F.SC %v", a, b, c, d)),
						moldR.ask, Options{}, neverIf(sc(b, c)))
				}
				for _, d := range stores {
					for _, f := range []string{"", "F.SC"} {
						judge(t, fmt.Sprint("2+2W ", f, a, b, c, d), mold22W.cast(t, fmt.Sprintf("%v %s %v | %v %s %v", a, f, b, c, f, d)),
							mold22W.ask, Options{}, neverIf(sc(a, b, c, d)))
					}
				}
			}
		}
	}
	for _, x := range stores {
		for _, r0 := range first {
			for _, r1 := range loads {
				for _, y := range stores {
					for _, r2 := range loads {
						judge(t, fmt.Sprint("RWC ", x, r0, r1, y, r2),
							moldRWC.cast(t, fmt.Sprintf("%v | %s %v | %v %v", x, r0, r1, y, r2)), moldRWC.ask, Options{},
							neverIf(sc(x, r1, y, r2) && passes(r0)))
						if r1 == Relaxed && r2 == Relaxed && r0 != "SC" {
							judge(t, fmt.Sprint("RWC fences ", x, r0, y),
								moldRWC.cast(t, fmt.Sprintf("%v | %s F.SC %v | %v F.SC %v", x, r0, r1, y, r2)), moldRWC.ask, Options{},
								neverIf(sc(x)))
						}
					}
				}
			}
		}
	}
}

// TestLongClosedRules checks the rule for IRIW.
func TestLongClosedRules(t *testing.T) {
	longtest.Only(t)
	for _, x := range stores {
		for _, y := range stores {
			for _, r0 := range first {
				for _, r2 := range first {
					for _, r1 := range loads {
						for _, r3 := range loads {
							judge(t, fmt.Sprint("IRIW ", x, y, r0, r1, r2, r3),
								moldIRIW.cast(t, fmt.Sprintf("%v | %v | %s %v | %s %v", x, y, r0, r1, r2, r3)), moldIRIW.ask, Options{},
								neverIf(sc(x, y, r1, r3) && passes(r0) && passes(r2)))
						}
					}
					if r0 == "SC" || r2 == "SC" {
						continue
					}
					judge(t, fmt.Sprint("IRIW fences ", x, y, r0, r2),
						moldIRIW.cast(t, fmt.Sprintf("%v | %v | %s F.SC RLX | %s F.SC RLX", x, y, r0, r2)), moldIRIW.ask, Options{},
						neverIf(sc(x, y)))
				}
			}
		}
	}
}

// TestCoherence checks the coherence table, with every atomic order and with
// non-atomic accesses.
func TestCoherence(t *testing.T) {
	for _, c := range []struct {
		name    string
		threads string
		ask     string
		single  bool // one thread, or NA makes no race
	}{
		{"CoRR", "st.S x 1 | r0 = ld.L x; r1 = ld.L x", "r0=1 r1=0", false},
		{"CoRR-2", "st.S x 1 | st.S x 2 | r0 = ld.L x; r1 = ld.L x | r2 = ld.L x; r3 = ld.L x", "r0=1 r1=2 r2=2 r3=1", false},
		{"CoWW", "st.S x 1; st.S x 2", "x=1", true},
		{"CoRW1", "r0 = ld.L x; st.S x 1", "r0=1", true},
		{"CoRW2", "r0 = ld.L x; st.S x 1 | st.S x 2", "r0=2 x=2", false},
		{"CoWR", "st.S x 1; r0 = ld.L x | st.S x 2", "r0=2 x=1", false},
		{"CoWR0", "st.S x 1; r0 = ld.L x", "r0=0", true},
	} {
		cast := func(s, l Order) []string {
			return strings.Split(strings.NewReplacer("st.S", "st."+s.String(), "ld.L", "ld."+l.String()).Replace(c.threads), "|")
		}
		for _, s := range stores {
			for _, l := range loads {
				judge(t, fmt.Sprint(c.name, " ", s, l), cast(s, l), c.ask, Options{}, Never)
			}
		}
		want := UB
		if c.single {
			want = Never
		}
		judge(t, c.name+" NA", cast(NotAtomic, NotAtomic), c.ask, Options{}, want)
	}
	judge(t, "CoWR-2v", []string{
		"st.rlx x 1; st.rel f 1", "st.rlx x 2; st.rel g 1", "a = ld.acq f; b = ld.acq g; c = ld.rlx x",
	}, "a=1 b=1 c=1 x=2", Options{}, Never)
}

// TestUpdates checks the table of read-modify-write and release sequences.
func TestUpdates(t *testing.T) {
	for _, c := range []struct {
		about   string
		threads string
		ask     string
		want    Result
	}{
		{"two additions see one another", "r0 = add.rlx x 1 | r1 = add.rlx x 1", "r0=0 r1=0", Never},
		{"no addition is lost", "r0 = add.rlx x 1 | r1 = add.rlx x 1", "x=1", Never},
		{"both additions count", "r0 = add.rlx x 1 | r1 = add.rlx x 1", "x=2", Always},
		{"store after RMW", "st.rlx x 1 | r0 = add.rlx x 10", "r0=0 x=1", Sometimes},
		{"store between the halves of RMW", "st.rlx x 1 | r0 = add.rlx x 10", "r0=0 x=10", Never},
		{"tail of the same actor", "st.rlx x 1; st.rel y 1; st.rlx y 2 | r0 = ld.acq y; r1 = ld.rlx x", "r0=2 r1=0", Never},
		{"RMW in the sequence", "st.rlx x 1; st.rel y 1 | r2 = add.rlx y 1 | r0 = ld.acq y; r1 = ld.rlx x", "r2=1 r0=2 r1=0", Never},
		{"a plain store is no RMW", "st.rlx x 1; st.rel y 1 | r = ld.rlx y; st.rlx y 2 | r0 = ld.acq y; r1 = ld.rlx x", "r=1 r0=2 r1=0", Sometimes},
		{"a foreign store splits", "st.rlx x 1; st.rel y 1; st.rlx y 3 | st.rlx y 2 | r0 = ld.acq y; r1 = ld.rlx x", "r0=3 r1=0", Sometimes},
		{"flag by RMW", "st.rlx x 1; add.rel y 1 | r0 = add.acq y 0; r1 = ld.rlx x", "r0=1 r1=0", Never},
		{"flag by RMW, relaxed", "st.rlx x 1; add.rlx y 1 | r0 = add.rlx y 0; r1 = ld.rlx x", "r0=1 r1=0", Sometimes},
		{"lock", "r0 = xchg.acq l 1; st.na d 1 if r0=0; st.rel l 0 if r0=0 | r1 = xchg.acq l 1; r2 = ld.na d if r1=0; st.rel l 0 if r1=0",
			"r0=0 r1=0 r2=2", Never},
		{"lock, relaxed release", "r0 = xchg.acq l 1; st.na d 1 if r0=0; st.rlx l 0 if r0=0 | r1 = xchg.acq l 1; r2 = ld.na d if r1=0",
			"r0=0 r1=0", UB},
		{"an SC load may pass the last SC store", "st.rlx x 1 | st.sc x 2 | r0 = ld.sc x; r1 = ld.sc x", "r0=2 r1=1", Sometimes},
		{"failed CMPXCHG stores nothing", "r0 = cas.ar.rlx x 1 5 | r1 = ld.rlx x", "r1=5", Never},
		{"one of two CMPXCHG wins", "r0 = cas.rlx.rlx x 0 1 | r1 = cas.rlx.rlx x 0 2", "r0=0 r1=0", Never},
		{"failed CMPXCHG has the order of failure", "st.na d 1; st.rel f 1 | r0 = cas.ar.acq f 0 2; r1 = ld.na d if r0=1", "r0=1 r1=0", Never},
		{"failed CMPXCHG with RELAXED", "st.rlx d 1; st.rel f 1 | r0 = cas.ar.rlx f 0 2; r1 = ld.rlx d", "r0=1 r1=0", Sometimes},
	} {
		judge(t, c.about, strings.Split(c.threads, "|"), c.ask, Options{}, c.want)
	}
	// The second holder of the lock sees the data of the first; the guarded
	// outcome "second after first without the data" needs the order of holding,
	// which the value 2 left in the lock tells.
	judge(t, "lock, order known", []string{
		"r0 = cas.acq.rlx l 0 1; st.na d 1 if r0=0; st.rel l 2 if r0=0",
		"r1 = cas.acq.rlx l 2 3; r2 = ld.na d if r1=2",
	}, "r1=2 r2=0", Options{}, Never)
}

// TestRuntimeEvents checks the table of runtime events.
func TestRuntimeEvents(t *testing.T) {
	for _, c := range []struct {
		about   string
		threads string
		ask     string
		want    Result
	}{
		{"NEWTHREAD", "st.na d 1; create P1 | r = ld.na d", "r=0", Never},
		{"NEWTHREAD, seen", "st.na d 1; create P1 | r = ld.na d", "r=1", Always},
		{"no join", "create P1; r = ld.na d | st.na d 1", "r=0", UB},
		{"futex wake", "st.na d 1; st.rlx f 1; wake f 1 | w = wait f 0; r = ld.na d if w=0", "w=0 r=0", Never},
		{"futex wake, woken", "st.na d 1; st.rlx f 1; wake f 1 | w = wait f 0; r = ld.na d if w=0", "w=0 r=1", Sometimes},
		{"futex -1", "st.na d 1; st.rlx f 1; wake f 1 | w = wait f 0; r = ld.na d if w=-1", "w=-1", UB},
		{"futex -2", "st.na d 1; st.rlx f 1; wake f 1 | w = wait f 0; r = ld.na d if w=-2", "w=-2", UB},
		{"futex -3", "st.na d 1; st.rlx f 1; wake f 1 | w = wait f 0; r = ld.na d if w=-3", "w=-3", UB},
		{"futex -1, relaxed", "st.rlx d 1; st.rlx f 1; wake f 1 | w = wait f 0; r = ld.rlx d", "w=-1 r=0", Sometimes},
		{"requeue, writes of the waker", "requeue f g 0 0 | st.rlx d 1; wake g 1 | w = wait f 0; r = ld.rlx d", "w=0 r=0", Never},
		{"requeue, writes of the requeuer", "st.rlx d 1; requeue f g 0 0 | wake g 1 | w = wait f 0; r = ld.rlx d", "w=0 r=0", Sometimes},
		{"requeue before the wake", "st.rlx d 1; requeue f g 0 0; st.rel y 1 | a = ld.acq y; wake g 1 if a=1 | w = wait f 0; r = ld.rlx d", "w=0 r=0", Never},
		{"cmp_requeue wakes", "st.rlx d 1; requeue f g 0 1 | w = wait f 0; r = ld.rlx d", "w=0 r=0", Never},
		{"nobody is woken twice over", "wake f 1 | w0 = wait f 0 | w1 = wait f 0", "w0=0 w1=0", Never},
		{"handler sees", "st.na d 1; trap; r = ld.na d; resume", "r=0", Never},
		{"handler is seen", "trap; st.na d 1; resume; r = ld.na d", "r=0", Never},
		{"WATCHPOINT", "st.na d 1; enable 7 | w = watchpoint 7; r = ld.na d if w=1", "w=1 r=0", Never},
		{"WPBRANCH", "st.rlx d 1; enable 7 | w = wpbranch 7; r = ld.rlx d if w=1", "w=1 r=0", Sometimes},
		{"enabled before", "enable 7; st.rel y 1 | r = ld.acq y; w = watchpoint 7", "r=1 w=0", Never},
		{"definition", "define f 2; st.rel y 1 | r = ld.acq y; v = call f if r=1", "v!=2", Never},
		{"definition, relaxed flag", "define f 2; st.rlx y 1 | r = ld.rlx y; v = call f if r=1", "v!=2", Sometimes},
		{"versions do not go back", "define f 2 | v1 = call f; v2 = call f", "v1=2 v2=0", Never},
		{"stack handed over relaxed", "newstack s; st.rlx g 1 | t = ld.rlx g; swapstack s if t=1", "t=1", UB},
		{"stack handed over", "newstack s; st.rel g 1 | t = ld.acq g; swapstack s if t=1", "t=1", Sometimes},
		{"new object", "st.rlx p 1 | q = ld.rlx p; r = ld.na field if q=1", "r!=0", Never},
		{"host order", "st.na d 1; post c | await c; r = ld.na d", "r=1", Always},
		{"host order within a thread is no more than sb", "st.rlx x 1; st.rel y 1 | r0 = ld.con y; post c; await c; r1 = ld.rlx x", "r0=1 r1=0", Sometimes},
	} {
		judge(t, c.about, strings.Split(c.threads, "|"), c.ask, Options{}, c.want)
	}
}

// TestMixed checks tests for U2 and dependencies.
func TestMixed(t *testing.T) {
	judge(t, "initialised with a plain store", []string{"st.na x 1; create P1", "r = ld.rlx x"}, "r=1", Options{}, Mixed)
	judge(t, "mixed and racing", []string{"st.na x 1", "r = ld.rlx x"}, "r=1", Options{}, UB)
	// A dependency through memory counts, one through kill_dependency does not.
	mp := func(between string) []string {
		return []string{"st.rlx x 1; st.rel y 1", "r0 = ld.con y; " + between}
	}
	judge(t, "dependency", mp("r1 = ld.rlx x dep r0"), "r0=1 r1=0", Options{}, Never)
	judge(t, "kill_dependency", mp("k = kill r0; r1 = ld.rlx x dep k"), "r0=1 r1=0", Options{}, Sometimes)
	judge(t, "through memory", mp("st.rlx z r0; r2 = ld.rlx z; r1 = ld.rlx x dep r2"), "r0=1 r1=0", Options{}, Never)
	judge(t, "through memory, another store", mp("st.rlx z 1 dep r0; r2 = ld.rlx z; r1 = ld.rlx x dep r2"), "r0=1 r1=0", Options{}, Sometimes)
	// Values out of thin air.
	judge(t, "thin air", []string{"r0 = ld.rlx x; st.rlx y r0", "r1 = ld.rlx y; st.rlx x r1"}, "r0=42", Options{}, Never)
	control := []string{"r0 = ld.rlx x; st.rlx y 1 if r0=1", "r1 = ld.rlx y; st.rlx x 1 if r1=1"}
	judge(t, "control", control, "r0=1 r1=1", Options{}, Never)
	judge(t, "control", control, "r0=1 r1=1", Options{ThinAir: true}, Sometimes)
}
