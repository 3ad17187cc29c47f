package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/atomicsmodel"
	"github.com/uvm2go/uvm2go/atomicsmodel/report"
	"github.com/uvm2go/uvm2go/cmd/internal/litmus"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// TestLitmusForbidden runs a test against a broken model, which lacks the states that the runtime certainly reaches: they
// are reported, with the flags that make the same choices again.
func TestLitmusForbidden(t *testing.T) {
	test, err := report.Read("sb.litmus", "litmus SB\nP0: st.sc x 1; r0 = ld.sc y\nP1: st.sc y 1; r1 = ld.sc x\nask r0=0 r1=0\nexpect Never\n")
	if err != nil {
		t.Fatal(err)
	}
	rep, err := report.Judge(context.Background(), "sb.litmus", test, atomicsmodel.Options{})
	if err != nil || rep.Verdict.States.Len() != 3 {
		t.Fatal(err, rep)
	}
	var equal []atomicsmodel.State
	for _, st := range rep.Verdict.States.All() {
		if st[0].N == st[1].N {
			equal = append(equal, st)
		}
	}
	rep.Verdict.States = atomicsmodel.NewStates(equal...)
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
	if status := r.run(t.Context(), []*report.Report{rep}); status != statusOK {
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

// TestLitmusInterrupted stops judging when the context is done; what was judged before remains.
func TestLitmusInterrupted(t *testing.T) {
	var errs bytes.Buffer
	ctx, cancel := context.WithCancel(context.Background())
	e := &env{stderr: &errs}
	files := samples(t, "SB+sc+sc", "MP+rel+acq")
	reports, worst := e.litmusTests(ctx, files, litmus.Question{}, atomicsmodel.Options{}, report.Judge)
	if len(reports) != 2 || worst != statusOK {
		t.Fatal(reports, worst, errs.String())
	}
	cancel()
	reports, worst = e.litmusTests(ctx, files, litmus.Question{}, atomicsmodel.Options{}, report.Judge)
	if want := "uvm2go: litmus: interrupted in test 1 of 2, " + files[0] + "\n"; len(reports) != 0 || worst != statusUsage || errs.String() != want {
		t.Errorf("%d reports, status %d, %q", len(reports), worst, errs.String())
	}
}

// TestLongLitmusPorts runs tests built for other ports under QEMU. SB is not among them: QEMU 7.2 for arm64 lets a load-acquire
// overtake a store-release, which the processor does not (docs/memory-model.md).
func TestLongLitmusPorts(t *testing.T) {
	longtest.Only(t)
	for arch, names := range map[string][]string{"arm64": {"qemu-aarch64-static", "qemu-aarch64"}, "s390x": {"qemu-s390x-static", "qemu-s390x"}} {
		t.Run(arch, func(t *testing.T) {
			i := slices.IndexFunc(names, func(name string) bool { _, err := exec.LookPath(name); return err == nil })
			if i < 0 {
				t.Skipf("no %s on PATH (Debian: qemu-user-static)", names[0])
			}
			t.Setenv(childEnv, "1")
			t.Setenv("GOARCH", arch)
			t.Setenv("UVM_HEAP", "512M") // QEMU takes time for all addresses that a program reserves
			out := litmusOutput(t, append([]string{"-run", "-json", "-n", "5000", "-exec", names[i]}, samples(t, "WRC+rel+acq", "MP+rel+acq", "IRIW+sc", "RS+rel+rmw+acq")...)...)
			if n := strings.Count(out, `"ran":5120`); n != 4 {
				t.Errorf("%d tests ran\n%s", n, out)
			}
		})
	}
}

// TestLitmusRunInterrupted: a run that is interrupted says so, and leaves no files.
func TestLitmusRunInterrupted(t *testing.T) {
	test, err := report.Read("sb.litmus", "litmus SB\nP0: st.sc x 1; r0 = ld.sc y\nP1: st.sc y 1; r1 = ld.sc x\nask r0=0 r1=0\n")
	if err != nil {
		t.Fatal(err)
	}
	rep, err := report.Judge(t.Context(), "sb.litmus", test, atomicsmodel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv(childEnv, "1")
	var errs bytes.Buffer
	r := litmusRun{e: &env{stderr: &errs}, on: true, live: true, affinity: "none"}
	if err := r.finish(newFlags("litmus")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if status := r.run(ctx, []*report.Report{rep}); status != statusUsage || errs.String() != "uvm2go: litmus: interrupted while running 1 tests\n" {
		t.Errorf("status %d, %s", status, errs.String())
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
