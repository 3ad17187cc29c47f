package atomicsmodel

import (
	"strings"
	"testing"
)

// TestCycle checks tests that are made from cycles.
func TestCycle(t *testing.T) {
	for _, k := range []struct{ cycle, want string }{
		{"PodWW Rfe PodRR Fre", "litmus MP\ndoc the cycle PodWW Rfe PodRR Fre\nP0: st.rlx x 1; st.rlx y 1\nP1: r2 = ld.rlx y; r3 = ld.rlx x\nask r2=1 r3=0\n"},
		{"rel Rfe acq PodRR Fre PodWW", "litmus MP+PodWW-rel-Rfe-acq-PodRR-Fre\ndoc the cycle PodWW rel Rfe acq PodRR Fre\nP0: st.rlx x 1; st.rel y 1\nP1: r2 = ld.acq y; r3 = ld.rlx x\nask r2=1 r3=0\n"},
		{"F.scdWR Fre F.scdWR Fre", "litmus SB+F.scdWR-Fre-F.scdWR-Fre\ndoc the cycle F.scdWR Fre F.scdWR Fre\nP0: st.rlx x 1; fence.sc; r1 = ld.rlx y\nP1: st.rlx y 1; fence.sc; r3 = ld.rlx x\nask r1=0 r3=0\n"},
		{"DpdW Rfe CtrldW Rfe", "litmus LB+DpdW-Rfe-CtrldW-Rfe\ndoc the cycle DpdW Rfe CtrldW Rfe\nP0: r0 = ld.rlx x; st.rlx y 1 dep r0\nP1: r2 = ld.rlx y; st.rlx x 1 if r2=1\nask r0=1 r2=1\n"},
		{"sc PodWW sc Coe sc PodWW sc Coe", "litmus 2+2W+sc-PodWW-sc-Coe-sc-PodWW-sc-Coe\ndoc the cycle sc PodWW sc Coe sc PodWW sc Coe\nP0: st.sc x 2; st.sc y 1\nP1: st.sc y 2; st.sc x 1\nask x=2 y=2\n"},
		{"Rfe PodRR Fre Rfe PodRR Fre", "litmus IRIW\ndoc the cycle Rfe PodRR Fre Rfe PodRR Fre\nP0: st.rlx x 1\nP1: r1 = ld.rlx x; r2 = ld.rlx y\nP2: st.rlx y 1\nP3: r4 = ld.rlx y; r5 = ld.rlx x\nask r1=1 r2=0 r4=1 r5=0\n"},
		{"Rfe PosRR Fre", "litmus CoRR\ndoc the cycle Rfe PosRR Fre\nP0: st.rlx x 1\nP1: r1 = ld.rlx x; r2 = ld.rlx x\nask r1=1 r2=0\n"},
		{"PodWW rel Rfe rmw rlx Rfe acq PodRR Fre", "litmus PodWW+rel+Rfe+rmw+Rfe+acq+PodRR+Fre\ndoc the cycle PodWW rel Rfe rmw Rfe acq PodRR Fre\nP0: st.rlx x 1; st.rel y 1\nP1: r2 = xchg.rlx y 2\nP2: r3 = ld.acq y; r4 = ld.rlx x\nask r2=1 r3=2 r4=0 y=2\n"},
	} {
		test, err := Cycle("", k.cycle)
		if err != nil {
			t.Errorf("%s: %v", k.cycle, err)
			continue
		}
		if got := test.String(); got != k.want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", k.cycle, got, k.want)
		}
		cyc := strings.TrimPrefix(test.Doc, "the cycle ")
		if again, err := Cycle("", cyc); err != nil || again.String() != k.want {
			t.Errorf("%s, read again: %v, %v", cyc, again, err)
		}
	}
}

func TestCycleErrors(t *testing.T) {
	for _, k := range []struct{ cycle, want string }{
		{"PodWW Rfe PodRR", "PodRR leads to R, but PodWW comes from W; a read-modify-write there is marked by rmw"},
		{"PodWR Fri", "the cycle lies in one thread: want at least two of Rfe, Fre, Coe"},
		{"PodWW Rfe PosRR Fre", "only one relation leads to another location: want none, or one that leads back"},
		{"acq PodWW Rfe PodRR Fre", "the access before PodWW cannot have the order ACQUIRE"},
		{"PodWW Rfe PodRR Fre rel", "the cycle ends with an order or rmw: want a relation after it"},
		{"PodXX", `bad word "PodXX" in a cycle: want an order, rmw, or a relation such as Rfe, Fre, Coe, PodWR, DpdW, CtrldW, F.scdWR`},
		{"F.rlxdWR Fre PodWR Fre", `bad word "F.rlxdWR" in a cycle`},
		{"Coe", "a cycle has at least two relations"},
		{"PodWW Rfe rmw Fre PodWR Fre", "a read-modify-write before Fre: its own store comes after what it reads; use Coe or Coi"},
	} {
		test, err := Cycle("", k.cycle)
		if err == nil || !strings.HasPrefix(err.Error(), k.want) {
			t.Errorf("%s: got %v, %v, want %s", k.cycle, test, err, k.want)
		}
	}
}
