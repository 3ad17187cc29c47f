package play

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const dekker = "litmus SB\nP0: st.rel x 1; r0 = ld.acq y\nP1: st.rel y 1; r1 = ld.acq x\nask r0=0 r1=0 | r0=2\nexpect Never\n"

// TestLitmus judges tests in both forms: the result, also of each case of the question, the states, and the picture.
func TestLitmus(t *testing.T) {
	v := ask(t, "litmus", request(1, "a.litmus", dekker)).Litmus
	if v == nil || v.Result != "Sometimes" || v.Met || v.Headline != "Sometimes, but Never is expected" || v.Question != "r0=0 r1=0 | r0=2" {
		t.Fatalf("%+v", v)
	}
	if len(v.Cases) != 2 || v.Cases[0].Result != "Sometimes" || v.Cases[1].Text != "r0=2" || v.Cases[1].Result != "Never" {
		t.Errorf("cases: %v", v.Cases)
	}
	if len(v.States) != 4 || v.States[0] != (State{"r0=0 r1=0 x=1 y=1", true}) || v.More != 0 {
		t.Errorf("states: %v", v.States)
	}
	if !strings.HasPrefix(v.Picture, "<svg ") || !strings.Contains(v.Picture, `class="fr"`) || !strings.Contains(v.Why, "mo ") {
		t.Errorf("no execution: %s", v.Why)
	}

	c := "C MP { int d=0; int f=0; }\nP0 (int* d, atomic_int* f) { *d = 1; atomic_store_explicit(f, 1, memory_order_release); }\n" +
		"P1 (int* d, atomic_int* f) { int a = atomic_load_explicit(f, memory_order_acquire); if (a == 1) { int b = *d; } }\nexists (1:a=1 /\\ 1:b=0)\n"
	v = ask(t, "litmus", request(1, "c.litmus", c)).Litmus
	if v == nil || v.Result != "Never" || v.Met || !strings.HasPrefix(v.Why, "forbidden by NA: ") || !strings.Contains(v.Picture, "cycle") {
		t.Errorf("%+v", v)
	}

	race := "litmus race\nP0: st.na x 1\nP1: r = ld.na x\nask r=1\n"
	v = ask(t, "litmus", request(1, "r.litmus", race)).Litmus
	if v == nil || v.Headline != "UB: data race on x: P0: st.na x 1 (line 2) and P1: r = ld.na x (line 3)" {
		t.Errorf("%+v", v)
	}

	air := request(1, "l.litmus", "litmus LB\nP0: r0 = ld.rlx x; st.rlx y r0\nP1: r1 = ld.rlx y; st.rlx x r1\nask r0=0 r1=0\n")
	if v = ask(t, "litmus", air).Litmus; v == nil || v.Result != "Always" {
		t.Errorf("%+v", v)
	}
}

func TestLitmusErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"litmus a\nP0: st.rlx x z+1\nP1: foo\nask x=1\n",
			`{"file":"a.litmus","line":2,"column":14,"severity":"error","message":"st: want a number, got \"z+1\""} ` +
				`{"file":"a.litmus","line":3,"column":5,"severity":"error","message":`},
		{"C bad { }\nP0 (atomic_int* x) {  while (1) {} }\nexists (x=1)",
			`{"file":"a.litmus","line":2,"column":23,"severity":"error","message":"while is not supported: a litmus test has no loops and no jumps"}`},
		{"", `{"file":"a.litmus","line":1,"column":1,"severity":"error","message":`},
	} {
		a := ask(t, "litmus", request(1, "a.litmus", c.text))
		var got []string
		for _, d := range a.Diagnostics {
			got = append(got, string(d))
		}
		if s := strings.Join(got, " "); !strings.HasPrefix(s, c.want) || a.Litmus != nil {
			t.Errorf("%s\ngot  %s %s\nwant %s", c.text, s, a.Error, c.want)
		}
	}
	if a := ask(t, "litmus", request(1)); a.Error != "no litmus test" {
		t.Errorf("%+v", a)
	}
}

// TestLitmusBudget: a search without end is given up, and of many states the page gets those first that the test asks for.
func TestLitmusBudget(t *testing.T) {
	defer func(d time.Duration) { budget = d }(budget)
	budget = 50 * time.Millisecond
	var b strings.Builder
	b.WriteString("litmus large\n")
	for p := range 4 {
		b.WriteString("P" + string(rune('0'+p)) + ":")
		for i := range 4 {
			b.WriteString(" st.rlx x " + string(rune('1'+i)) + "; r" + string(rune('0'+p)) + string(rune('a'+i)) + " = ld.rlx x;")
		}
		b.WriteString("\n")
	}
	b.WriteString("ask r0a=4 r1a=4\n")
	if a := ask(t, "litmus", request(1, "l.litmus", b.String())); a.Error != "large: no verdict after 50ms; uvm2go litmus has more time" {
		t.Errorf("%+v", a)
	}
	budget = time.Minute
	many := "litmus many\nP0: a = add.rlx x 1; b = ld.rlx y; c = ld.rlx z\nP1: st.rlx y 1; st.rlx z 2; st.rlx y 3; st.rlx z 4\n" +
		"P2: d = ld.rlx y; e = ld.rlx z; f = ld.rlx y; g = ld.rlx y\nask e=4 d=0 f=3\n"
	v := ask(t, "litmus", request(1, "m.litmus", many)).Litmus
	if v == nil || len(v.States) != 200 || v.More == 0 || !v.States[0].Asked || v.States[199].Asked {
		t.Errorf("%+v", v)
	}
}

// TestLitmusSamples judges the tests that the page has.
func TestLitmusSamples(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "litmus", "*.litmus"))
	if err != nil || len(files) == 0 {
		t.Fatal("no tests", err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if v := ask(t, "litmus", request(1, filepath.Base(f), string(text))).Litmus; v == nil || !v.Met {
			t.Errorf("%s: %+v", f, v)
		}
	}
}
