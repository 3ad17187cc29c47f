package lowering

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/atomicsmodel"
)

// The shapes of the machine tests. A store is st.rlx or, where the sequence of a case is for it, st.rel; a load ld.rlx or ld.acq.
var machineTests = map[string]struct{ code, outcome string }{
	"MP":   {"P0: st.rlx x 1; st.rel y 1\nP1: r0 = ld.acq y; r1 = ld.rlx x", "r0=1 r1=0"},
	"SB":   {"P0: st.rel x 1; r0 = ld.acq y\nP1: st.rel y 1; r1 = ld.acq x", "r0=0 r1=0"},
	"LB":   {"P0: r0 = ld.acq x; st.rel y 1\nP1: r1 = ld.acq y; st.rel x 1", "r0=1 r1=1"},
	"S":    {"P0: st.rlx x 2; st.rel y 1\nP1: r0 = ld.acq y; st.rlx x 1", "r0=1 x=2"},
	"R":    {"P0: st.rlx x 1; st.rel y 1\nP1: st.rlx y 2; r0 = ld.acq x", "r0=0 x=1 y=2"},
	"2+2W": {"P0: st.rlx x 1; st.rel y 2\nP1: st.rlx y 1; st.rel x 2", "x=1 y=1"},
	"WRC":  {"P0: st.rlx x 1\nP1: r0 = ld.acq x; st.rel y 1\nP2: r1 = ld.acq y; r2 = ld.rlx x", "r0=1 r1=1 r2=0"},
	"IRIW": {"P0: st.rlx x 1\nP1: st.rlx y 1\nP2: r0 = ld.acq x; r1 = ld.sc y\nP3: r2 = ld.acq y; r3 = ld.sc x", "r0=1 r1=0 r2=1 r3=0"},
	"ISA2": {"P0: st.rlx x 1; st.rel y 1\nP1: r0 = ld.acq y; st.rel z 1\nP2: r1 = ld.acq z; r2 = ld.rlx x", "r0=1 r1=1 r2=0"},
	"RWC":  {"P0: st.rlx x 1\nP1: r0 = ld.acq x; r1 = ld.sc y\nP2: st.rel y 1; r2 = ld.sc x", "r0=1 r1=0 r2=0"},
	"CoRR": {"P0: st.rlx x 1\nP1: r0 = ld.acq x; r1 = ld.acq x", "r0=1 r1=0"},
	"CoWR": {"P0: st.rlx x 1; r0 = ld.acq x\nP1: st.rlx x 2", "r0=0"},
	"ctrl": {"P0: r0 = ld.rlx x; st.rlx y 1 if r0=1\nP1: r1 = ld.rlx y; st.rlx x 1 if r1=1", "r0=1 r1=1"},
}

// machine is a port with the sequences of four operations; the other accesses are plain.
func machine(m model, release, acquire, last string) *Port {
	return port("machine", m, Row{"ld.rlx", "R"}, Row{"st.rlx", "W"}, Row{"st.rel", release}, Row{"ld.acq", acquire}, Row{"ld.sc", last})
}

// TestModels: the axioms give the verdicts that are published for the machines ("Herding cats", tables of POWER; the manuals of
// ARM and RISC-V; x86-TSO).
func TestModels(t *testing.T) {
	for _, c := range []struct {
		name                   string
		model                  model
		release, acquire, last string // st.rel, ld.acq, ld.sc
		allowed, forbidden     string
	}{
		{"TSO", tso, "W", "R", "R", "SB R RWC", "MP LB S 2+2W WRC IRIW ISA2 CoRR CoWR ctrl"},
		{"TSO with MFENCE after stores", tso, "W MFENCE", "R", "R", "R", "SB MP LB 2+2W RWC"},
		{"TSO with locked stores", tso, "RW", "R", "R", "R", "SB MP LB 2+2W RWC"},
		{"TSO with MFENCE before loads", tso, "W", "MFENCE R", "MFENCE R", "", "SB R RWC"},
		{"ARMv8", armv8, "W", "R", "R", "SB MP LB S R 2+2W WRC IRIW ISA2 RWC", "CoRR CoWR ctrl"},
		{"ARMv8, STLR and LDAR", armv8, "W.rl", "R.aq", "R.aq", "R", "SB MP LB S 2+2W WRC IRIW ISA2 RWC CoRR CoWR"},
		{"ARMv8, STLR", armv8, "W.rl", "R", "R", "SB MP S R WRC IRIW", "LB 2+2W CoRR"},
		{"ARMv8, DMB", armv8, "DMB W", "R DMB", "DMB R DMB", "SB R", "MP LB S 2+2W WRC IRIW ISA2"},
		{"ARMv8, DMB.ST and ISB", armv8, "DMB.ST W", "R ISYNC", "R", "SB R", "MP 2+2W"},
		{"ARMv8, DMB.LD", armv8, "DMB.ST W", "R DMB.LD", "R", "SB R", "MP S 2+2W LB WRC IRIW"},
		{"RVWMO", rvwmo, "W", "R", "R", "SB MP LB S R 2+2W WRC IRIW ISA2 RWC", "CoRR CoWR ctrl"},
		{"RVWMO, .aqrl", rvwmo, "RW.aq.rl", "LL.aq", "LL.aq", "R", "SB MP LB S 2+2W WRC IRIW ISA2 RWC"},
		{"RVWMO, fences of C", rvwmo, "FENCE.RW.W W", "R FENCE.R.RW", "R", "SB R RWC", "MP LB S 2+2W WRC IRIW ISA2"},
		{"RVWMO, FENCE.TSO", rvwmo, "FENCE.TSO W", "R FENCE.TSO", "R", "SB R RWC", "MP LB S 2+2W WRC IRIW"},
		{"POWER", power, "W", "R", "R", "SB MP LB S R 2+2W WRC IRIW ISA2 RWC", "CoRR CoWR ctrl"},
		{"POWER, LWSYNC and ISYNC", power, "LWSYNC W", "R ISYNC", "R", "SB R IRIW RWC", "MP LB S 2+2W WRC ISA2"},
		{"POWER, LWSYNC twice", power, "LWSYNC W", "R LWSYNC", "R", "SB R IRIW RWC", "MP LB S 2+2W WRC ISA2"},
		{"POWER, LWSYNC and SYNC", power, "LWSYNC W", "SYNC R", "SYNC R", "R", "SB IRIW RWC"},
		{"POWER, SYNC", power, "SYNC W", "SYNC R ISYNC", "SYNC R", "", "SB R MP S 2+2W WRC IRIW ISA2 RWC"},
		{"POWER, ISYNC alone", power, "W", "R ISYNC", "R", "SB MP S R 2+2W WRC IRIW RWC", "LB"},
	} {
		p := machine(c.model, c.release, c.acquire, c.last)
		check := func(names string, want bool) {
			for name := range strings.FieldsSeq(names) {
				mt := machineTests[name]
				test, err := atomicsmodel.Parse(name, "litmus "+name+"\n"+mt.code+"\nask "+mt.outcome+"\n")
				if err != nil {
					t.Fatal(err)
				}
				states, err := Reached(test, p)
				if err != nil {
					t.Fatal(err)
				}
				got := false
				for s := range states {
					all := " " + show(test, s) + " "
					holds := true
					for term := range strings.FieldsSeq(mt.outcome) {
						holds = holds && strings.Contains(all, " "+term+" ")
					}
					got = got || holds
				}
				if got != want {
					t.Errorf("%s: %s is allowed: %v", c.name, name, got)
				}
			}
		}
		check(c.allowed, true)
		check(c.forbidden, false)
	}
}
