package atomicsmodel

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
	"github.com/uvm2go/uvm2go/testscripts/scripttest"
)

// TestBundleErrors checks tests that cannot be run.
func TestBundleErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"P0: wake x 1\nask x=0", "T: line 2: cannot be run: the operation wake"},
		{"P0: st.rlx x 7\nask x=0", "T: line 2: cannot be run: the value 7"},
		{"P0: r = ld.rlx x; st.rlx x 1 if r!=-1\nask x=0", "T: line 2: cannot be run: the condition r!=-1"},
		{"P0: r = ld.rlx x; s = ld.rlx x if r=0; st.rlx x s\nask x=0", "T: line 2: cannot be run: s may have no value"},
		{"P0: a = ld.rlx x; b = ld.rlx x; c = ld.rlx x; d = ld.rlx x; e = ld.rlx x; f = ld.rlx x\nask x=0",
			"T: cannot be run: more than 6 registers and locations"},
		{"init x=9\nP0: a = ld.rlx x\nask x=0", "T: cannot be run: initial value 9"},
	} {
		_, err := Bundle([]*Test{mustParse(t, "litmus T\n"+c.text)}, BundleOptions{})
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	if _, err := Bundle(nil, BundleOptions{Bits: 7}); err == nil {
		t.Error("7 bits: no error")
	}
}

// TestBundleSeed: the choices of a bundle depend on its options only, and on the seed.
func TestBundleSeed(t *testing.T) {
	tests := []*Test{mustParse(t, "litmus T\nP0: st.rlx x 1; r = ld.acq y; st.rlx z 1 dep r if r=0\nP1: st.rel y 1\nask r=0")}
	text := func(o BundleOptions) string {
		s, err := Bundle(tests, o)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	o := BundleOptions{Affinity: Random, Prefill: true, Delays: true, Seed: 7}
	one := text(o)
	if one != text(o) {
		t.Error("the same options make two bundles")
	}
	for i, change := range []func(o *BundleOptions){
		func(o *BundleOptions) { o.Seed++ },
		func(o *BundleOptions) { o.Affinity = Spread },
		func(o *BundleOptions) { o.Prefill = false },
		func(o *BundleOptions) { o.Delays = false },
	} {
		other := o
		change(&other)
		if text(other) == one {
			t.Errorf("change %d changes nothing", i)
		}
	}
	for _, a := range []Affinity{Floating, Spread, Random} {
		if b, ok := AffinityByName(a.String()); !ok || b != a {
			t.Errorf("%v is not the name of itself", a)
		}
	}
	if _, ok := AffinityByName("bad"); ok {
		t.Error("bad is an affinity")
	}
}

func TestReadCounts(t *testing.T) {
	test := mustParse(t, "litmus T\nP0: r0 = ld.rlx x; r1 = ld.rlx x if r0=1\nask r0=0")
	got, err := ReadCounts([]*Test{test}, "trap litmus.state.0 test=0 state=58 count=12\n")
	if err != nil {
		t.Fatal(err)
	}
	want := "[[{[{0 true} {0 false} {2 true}] 12}]]"
	if s := fmt.Sprint(got); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
	for _, bad := range []string{"trap x", "trap litmus.state.0 test=1 state=0 count=1"} {
		if _, err := ReadCounts([]*Test{test}, bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// TestRuntimeWithinModel runs tests as Mu programs, with the command of this
// module, and checks that the model allows every final state that occurs. It uses
// the samples that can be run, and shapes with several orders.
func TestRuntimeWithinModel(t *testing.T) {
	compareRuns(t, variant{all(64, 10_000), nil})
}

func TestLongRuntimeWithinModel(t *testing.T) {
	longtest.Only(t)
	compareRuns(t, variant{all(64, 100_000), nil}, variant{all(32, 50_000), []string{"-O0"}}, variant{all(8, 50_000), nil},
		variant{BundleOptions{Bits: 64, Iterations: 100_000}, nil}, variant{BundleOptions{Bits: 32, Iterations: 50_000, Affinity: Spread}, nil},
		variant{BundleOptions{Bits: 16, Iterations: 50_000, Prefill: true}, nil}, variant{BundleOptions{Bits: 64, Iterations: 50_000, Delays: true}, nil})
}

// A variant is a way to make a program from the tests.
type variant struct {
	BundleOptions
	flags []string
}

// all has the options that make rare outcomes more likely.
func all(bits, iterations int) BundleOptions {
	return BundleOptions{Bits: bits, Iterations: iterations, Affinity: Random, Prefill: true, Delays: true, Seed: uint64(time.Now().UnixNano())}
}

func compareRuns(t *testing.T, variants ...variant) {
	t.Helper()
	var tests []*Test
	for _, test := range readSamples(t) {
		if _, err := Bundle([]*Test{test}, BundleOptions{}); err != nil {
			continue
		}
		if v := mustCheck(t, test); v.Result != UB {
			tests = append(tests, test)
		}
	}
	if len(tests) < 30 {
		t.Fatalf("only %d tests can be run", len(tests))
	}
	command := scripttest.Command(t)
	for _, c := range variants {
		t.Run(fmt.Sprint(c.Bits, c.flags), func(t *testing.T) {
			t.Logf("%+v", c.BundleOptions)
			runWithinModel(t, command, tests, c.BundleOptions, c.flags)
		})
	}
}

func mustCheck(t *testing.T, test *Test) *Verdict {
	t.Helper()
	v, err := Check(test, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func runWithinModel(t *testing.T, command string, tests []*Test, o BundleOptions, flags []string) {
	text, err := Bundle(tests, o)
	if err != nil {
		t.Fatal(err)
	}
	bundle := filepath.Join(t.TempDir(), "litmus.uir")
	if err := os.WriteFile(bundle, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "litmus.exe")
	args := append([]string{"build", "-o", program}, flags...)
	if out, err := exec.Command(command, append(args, bundle)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var stderr strings.Builder
	cmd := exec.Command(program)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	counts, err := ReadCounts(tests, string(out))
	if err != nil {
		t.Fatal(err)
	}
	for i, test := range tests {
		v := mustCheck(t, test)
		var total, asked int64
		for _, c := range counts[i] {
			total += c.N
			if test.Asked(c.State) {
				asked += c.N
			}
			if !v.Allows(c.State) {
				t.Errorf("%s: %d times the state %v of %v %v, which the model forbids", test.Name, c.N, c.State,
					test.Registers(), test.Locations())
			}
		}
		t.Logf("%-30s %-9v seen %d of %d, %d states", test.Name, v.Result, asked, total, len(counts[i]))
		if total < int64(o.Iterations) {
			t.Errorf("%s: %d iterations, want %d", test.Name, total, o.Iterations)
		}
		if v.Result == Never && asked > 0 || v.Result == Always && asked < total {
			t.Errorf("%s: asked for %d times of %d, the model says %v", test.Name, asked, total, v.Result)
		}
	}
}
