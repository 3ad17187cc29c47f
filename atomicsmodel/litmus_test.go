package atomicsmodel

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// readSamples parses testdata/*.litmus.
func readSamples(t testing.TB) []*Test {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.litmus"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples (%v)", err)
	}
	var tests []*Test
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		test, err := Parse(filepath.Base(f), string(text))
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.TrimSuffix(filepath.Base(f), ".litmus"); test.Name != want {
			t.Errorf("%s: the test is named %s", f, test.Name)
		}
		if test.Doc == "" || len(test.Expect) == 0 {
			t.Errorf("%s: no explanation or no verdict", f)
		}
		tests = append(tests, test)
	}
	return tests
}

// TestSamples checks the verdicts of the sample files and that printing a test
// and reading it again changes nothing.
func TestSamples(t *testing.T) {
	for _, test := range readSamples(t) {
		for _, e := range test.Expect {
			v, err := Check(test, e.Options)
			if err != nil {
				t.Fatal(err)
			}
			if v.Result != e.Result {
				t.Errorf("%s %sgot %v, want %v\n%v", test.Name, e.Options.words(), v.Result, e.Result, v.Example)
			}
			if (v.Example == nil) != (v.Result == Never) {
				t.Errorf("%s: %v with example %v", test.Name, v.Result, v.Example)
			}
		}
		again, err := Parse("again", test.String())
		if err != nil {
			t.Fatal(err)
		}
		if again.String() != test.String() {
			t.Errorf("%s: printed, read and printed again:\n%s%s", test.Name, test, again)
		}
	}
}

func mustParse(t testing.TB, text string) *Test {
	t.Helper()
	test, err := Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return test
}

func TestExample(t *testing.T) {
	test := mustParse(t, `litmus SB
P0: st.sc x 1; r0 = ld.acq y
P1: st.sc y 1; r1 = ld.acq x
ask r0=0 r1=0`)
	v, err := Check(test, Options{})
	if err != nil {
		t.Fatal(err)
	}
	const want = `  0  initial x=0
  1  initial y=0
  2  P0: st.sc x 1  stored 1
  3  P0: r0 = ld.acq y  read 0
  4  P1: st.sc y 1  stored 1
  5  P1: r1 = ld.acq x  read 0
reads  3<-1, 5<-0
mo     0 2
mo     1 4
S      2 4
final  r0=0 r1=0 x=1 y=1
`
	if got := v.Example.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if v.States.Len() != 4 {
		t.Errorf("%d states, want 4", v.States.Len())
	}
}

func TestReason(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"P0: st.na x 1\nP1: st.rlx x 2\nask x=1", "data race on x: P0: st.na x 1 (line 2) and P1: st.rlx x 2 (line 3)"},
		{"P0: newstack s\nP1: bind s\nask x=1\ninit x=0", "stack s used without order: P0: newstack s (line 2) and P1: bind s (line 3)"},
		{"P0: st.na x 1; st.rlx x 2\nask x=1", "atomic and non-atomic accesses to x"},
	} {
		v, err := Check(mustParse(t, "litmus T\n"+c.text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if v.Reason != c.want || v.Example == nil {
			t.Errorf("got %q, want %q", v.Reason, c.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "f:1:1: no line litmus NAME"},
		{"litmus", "f:1:7: want the name of the test"},
		{"litmus A B", `f:1:10: want end of line, got "B"`},
		{"litmus A\nlitmus B", "f:2:8: a second name"},
		{"litmus A\nst.rlx x 1", `f:2:1: want a thread, got "st.rlx"`},
		{"litmus A\nP0: st x 1", "f:2:5: st wants 1 memory orders, got 0"},
		{"litmus A\nP0: st.acq x 1", "f:2:5: st cannot have the order acq here"},
		{"litmus A\nP0: st.foo x 1", `f:2:5: no memory order "foo"`},
		{"litmus A\nP0: r = cas.sc.rel x 0 1", "f:2:9: cas cannot have the order rel here"},
		{"litmus A\nP0: store x 1", `f:2:5: want an operation, got "store"`},
		{"litmus A\nP0: st.rlx x", "f:2:13: st: want a number, got end of line"},
		{"litmus A\nP0: st.rlx x 1 2", `f:2:16: want ; or end of line, got "2"`},
		{"litmus A\nP0: st.rlx 7 1", `f:2:12: st: want a location, got "7"`},
		{"litmus A\nP0: st.rlx x r", `f:2:14: "r" is no register that this thread assigned before`},
		{"litmus A\nP0: r = ld.rlx x\nP1: st.rlx x r", `f:3:14: "r" is no register that this thread assigned before`},
		{"litmus A\nP0: ld.rlx x", "f:2:5: ld wants a register for its result"},
		{"litmus A\nP0: r = st.rlx x 1", "f:2:5: st has no result"},
		{"litmus A\nP0: r = ld.rlx x; r = ld.rlx x", "f:2:19: register r is assigned twice"},
		{"litmus A\nP0: st.rlx x 1\nP0: st.rlx x 1", "f:3:1: a second thread P0"},
		{"litmus A\nP0: create P1\nask x=1", `f:2:12: no thread "P1"`},
		{"litmus A\nP0: create P1; create P1\nP1: st.rlx x 1", "f:2:23: thread P1 is created twice"},
		{"litmus A\nP0: st.rlx x 1\nask y=1", "f:3:5: y is neither a register nor a location"},
		{"litmus A\nP0: st.rlx x 1\nask x 1", `f:3:7: want = or != after x, got "1"`},
		{"litmus A\nP0: st.rlx x 1\nask x=q", `f:3:7: want a number, got "q"`},
		{"litmus A\nP0: st.rlx x 1\nask", "f:3:1: no question"},
		{"litmus A\nP0: x = ld.rlx x\nask x=1", "f:3:1: x is both a register and a location"},
		{"litmus A\nexpect maybe", `f:2:8: want ww, air, Never, Sometimes, Always, Possible, UB or MIXED, got "maybe"`},
		{"litmus A\ninit x!=1", "f:2:6: init wants x=1"},
		{"litmus A\nask x=1", "f:2:1: no threads"},
	} {
		_, err := Parse("f", c.text)
		if err == nil {
			t.Errorf("%q: no error", c.text)
			continue
		}
		if first, _, _ := strings.Cut(err.Error()+"\n", "\n"); !strings.Contains(err.Error()+"\n", c.want+"\n") {
			t.Errorf("%q: got %q, want %q", c.text, first, c.want)
		}
	}
}

func TestCheckErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"P0: await c; st.rlx x 1\nask x=1", "T: no consistent execution"},
		{"P0: a = ld.rlx x; b = ld.rlx x if a=1; st.rlx x b\nask x=1", "T: line 2: b is used where it may have no value"},
		{"P0: " + strings.Repeat("st.rlx x 1;", 70) + "\nask x=1", "T: more than 64 events"},
	} {
		_, err := Check(mustParse(t, "litmus T\n"+c.text), Options{})
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, test := range readSamples(f) {
		f.Add(test.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		test, err := Parse("f", text)
		if err != nil {
			return
		}
		again, err := Parse("f", test.String())
		if err != nil {
			t.Fatalf("printed test is bad: %v\n%s", err, test)
		}
		if again.String() != test.String() {
			t.Fatalf("printing is not stable:\n%s%s", test, again)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	for _, test := range readSamples(b) {
		switch test.Name {
		case "MP+rel+acq", "SB+sc+sc", "IRIW+sc", "LOCK+acq+rel":
			b.Run(test.Name, func(b *testing.B) {
				for b.Loop() {
					if _, err := Check(test, Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
