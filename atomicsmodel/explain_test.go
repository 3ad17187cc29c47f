package atomicsmodel

import (
	"context"
	"strings"
	"testing"
)

// TestExplain checks the axiom and the cycle that forbid an outcome.
func TestExplain(t *testing.T) {
	for _, k := range []struct{ test, want string }{
		{"P0: st.rlx x 1; st.rel y 1\nP1: r0 = ld.acq y; r1 = ld.rlx x\nask r0=1 r1=0",
			"CoWR: P1: r1 = ld.rlx x -fr-> P0: st.rlx x 1 -sb-> P0: st.rel y 1 -sw-> P1: r0 = ld.acq y -sb->"},
		{"P0: st.rlx x 1\nP1: r0 = ld.rlx x; r1 = ld.rlx x\nask r0=1 r1=0",
			"CoRR: P0: st.rlx x 1 -rf-> P1: r0 = ld.rlx x -sb-> P1: r1 = ld.rlx x -fr->"},
		{"P0: r0 = ld.rlx x; st.rlx x 1\nP1: st.rlx x 2\nask r0=2 x=2",
			"CoRW: P0: r0 = ld.rlx x -sb-> P0: st.rlx x 1 -mo-> P1: st.rlx x 2 -rf->"},
		{"P0: st.rlx x 1; st.rlx x 2\nask x=1", ":"}, // the stores of one thread are never tried in another order
		{"P0: st.sc x 1; r0 = ld.sc y\nP1: st.sc y 1; r1 = ld.sc x\nask r0=0 r1=0",
			"SC: P0: st.sc x 1 -sb-> P0: r0 = ld.sc y -S-> P1: st.sc y 1 -sb-> P1: r1 = ld.sc x -S->"},
		{"P0: st.sc x 1\nP1: st.sc y 1\nP2: r0 = ld.sc x; r1 = ld.sc y\nP3: r2 = ld.sc y; r3 = ld.sc x\nask r0=1 r1=0 r2=1 r3=0",
			"SC: P0: st.sc x 1 -sw-> P2: r0 = ld.sc x -sb-> P2: r1 = ld.sc y -S-> P1: st.sc y 1 -sw-> P3: r2 = ld.sc y -sb-> P3: r3 = ld.sc x -S->"},
		{"P0: st.sc x 1; st.sc y 2\nP1: st.sc y 1; st.sc x 2\nask x=1 y=1",
			"SC: P0: st.sc x 1 -sb-> P0: st.sc y 2 -S-> P1: st.sc y 1 -sb-> P1: st.sc x 2 -S->"},
		{"P0: r0 = ld.rlx x; st.rlx y r0\nP1: r1 = ld.rlx y; st.rlx x 1 dep r1\nask r0=1 r1=1",
			"NOTA: P0: r0 = ld.rlx x -dep-> P0: st.rlx y r0 -rf-> P1: r1 = ld.rlx y -dep-> P1: st.rlx x 1 dep r1 -rf->"},
		{"P0: st.na x 1; st.rel y 1\nP1: r0 = ld.acq y; r1 = ld.na x if r0=1\nask r0=1 r1=0",
			"NA: P1: r1 = ld.na x if r0=1 -fr-> P0: st.na x 1 -sb-> P0: st.rel y 1 -sw-> P1: r0 = ld.acq y -sb->"},
		{"P0: st.rlx x 1\nP1: r0 = ld.rlx x\nask r0=2", ":"},
	} {
		r := Explain(context.Background(), mustParse(t, "litmus e\n"+k.test+"\n"), Options{})
		if r == nil {
			t.Errorf("%s: no explanation", k.test)
			continue
		}
		var b strings.Builder
		b.WriteString(r.Axiom + ":")
		for _, s := range r.Cycle {
			b.WriteString(" " + s.Event + " -" + s.Arrow + "->")
		}
		if strings.TrimSpace(b.String()) != strings.TrimSpace(k.want) {
			t.Errorf("%s\ngot  %s\nwant %s", k.test, b.String(), k.want)
		}
	}
}

// TestExplainSamples explains an outcome if and only if it is impossible.
func TestExplainSamples(t *testing.T) {
	for _, test := range readSamples(t) {
		v, err := Check(test, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r := Explain(context.Background(), test, Options{}); (r != nil) != (v.Result == Never) && v.Result < UB {
			t.Errorf("%s: %v, explained by %v", test.Name, v.Result, r)
		}
	}
}
