package main

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/atomicsmodel"
	"github.com/uvm2go/uvm2go/atomicsmodel/report"
)

// TestLitmusForbidden runs a test against a broken model, which lacks the states that the runtime certainly reaches: they
// are reported, with the flags that make the same choices again.
func TestLitmusForbidden(t *testing.T) {
	test, err := report.Read("sb.litmus", "litmus SB\nP0: st.sc x 1; r0 = ld.sc y\nP1: st.sc y 1; r1 = ld.sc x\nask r0=0 r1=0\nexpect Never\n")
	if err != nil {
		t.Fatal(err)
	}
	rep, err := report.Judge(context.Background(), "sb.litmus", test, atomicsmodel.Options{})
	if err != nil || len(rep.States) != 3 {
		t.Fatal(err, rep)
	}
	lacks := func(s string) bool { return strings.HasPrefix(s, "r0=0 r1=1 ") || strings.HasPrefix(s, "r0=1 r1=0 ") }
	rep.States = slices.DeleteFunc(rep.States, func(s report.State) bool { return lacks(s.Text()) })
	rep.Verdict.States = slices.DeleteFunc(rep.Verdict.States, func(s atomicsmodel.State) bool { return s[0].N != s[1].N })
	if rep.Bad() {
		t.Fatal("bad before the run")
	}
	var errs bytes.Buffer
	t.Setenv(childEnv, "1") // the executable of the test is the command then
	r := litmusRun{e: &env{stderr: &errs}, live: true, affinity: "random", seed: "12345"}
	r.on = true
	r.bundle = atomicsmodel.BundleOptions{Iterations: 2000, Prefill: true, Delays: true}
	if err := r.finish(newFlags("litmus")); err != nil {
		t.Fatal(err)
	}
	if status := r.run([]*report.Report{rep}); status != statusOK {
		t.Fatal(errs.String())
	}
	var out bytes.Buffer
	if err := rep.Print(&out, true); err != nil {
		t.Fatal(err)
	}
	if !rep.Bad() || !strings.Contains(out.String(), "though the model forbids it: r0=") ||
		!strings.Contains(out.String(), "\n  to repeat it: uvm2go litmus -run -seed 12345 -live -n 2000\n") {
		t.Errorf("got\n%s", out.String())
	}
}
