package atomicsmodel

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// chain is the code of a thread that stores 1 to n to a location.
func chain(n int, loc string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " st.rlx %s %d;", loc, i+1)
	}
	return b.String()
}

// loadsOf is the code of a thread that loads a location n times.
func loadsOf(n int, reg, loc string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " %s%d = ld.rlx %s;", reg, i, loc)
	}
	return b.String()
}

// TestCounts checks the number of states of tests that have a closed form: n loads of a location that one other
// thread stores 1 to n to see any of the C(2n, n) sequences from 0 to n that never fall.
func TestCounts(t *testing.T) {
	for _, k := range []struct {
		name string
		code []string
		want int
	}{
		{"8 and 8", []string{chain(8, "x"), loadsOf(8, "a", "x")}, 12870},
		{"4, 4, 4 and 4", []string{chain(4, "x"), loadsOf(4, "a", "x"), chain(4, "y"), loadsOf(4, "b", "y")}, 70 * 70},
		{"two readers", []string{chain(4, "x"), loadsOf(4, "a", "x"), loadsOf(4, "b", "x")}, 70 * 70},
		// Additions of powers of two: each thread's read tells which came before. All orders of 6 differ.
		{"6 additions", []string{" a = add.rlx x 1", " b = add.rlx x 2", " c = add.rlx x 4", " d = add.rlx x 8", " e = add.rlx x 16", " f = add.rlx x 32"}, 720},
		// Which of the six stores to x is last, and the same for y.
		{"stores alone", []string{" st.rlx x 1; st.rlx y 1", " st.rlx x 2; st.rlx y 2", " st.rlx x 3; st.rlx y 3"}, 9},
	} {
		text := "litmus counts\n"
		for i, c := range k.code {
			text += fmt.Sprintf("P%d:%s\n", i, c)
		}
		v, err := Check(mustParse(t, text+"ask x=0\n"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if v.States.Len() != k.want {
			t.Errorf("%s: %d states, want %d", k.name, v.States.Len(), k.want)
		}
	}
}

// TestMore: where there are too many states for a list, the result is nevertheless that of all of them.
func TestMore(t *testing.T) {
	defer func(n int) { maxStates = n }(maxStates)
	text := "litmus more\nP0:" + chain(5, "x") + "\nP1:" + loadsOf(5, "a", "x") + "\nask "
	for question, want := range map[string]Result{"a0=5 a4=5": Sometimes, "a0=5 a4=0": Never, "a0=0 | a0!=0": Always} {
		for _, most := range []int{10, 251, 252} {
			maxStates = most
			v, err := Check(mustParse(t, text+question+"\n"), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if v.Result != want || v.States.Len() != most || v.More != (most < 252) {
				t.Errorf("%s, at most %d states: %v, %d states, more: %v", question, most, v.Result, v.States.Len(), v.More)
			}
		}
	}
}

// TestCancel stops a check whose context is done.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	test := mustParse(t, "litmus big\nP0:"+chain(8, "x")+"\nP1:"+loadsOf(8, "a", "x")+"\nask x=0\n")
	if v, err := CheckContext(ctx, test, Options{}); v != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", v, err)
	}
}

func BenchmarkSizes(b *testing.B) {
	for _, k := range []struct{ name, text string }{
		{"2x8", "P0:" + chain(4, "x") + loadsOf(4, "a", "y") + "\nP1:" + chain(4, "y") + loadsOf(4, "b", "x")},
		{"4x4", "P0:" + chain(4, "x") + "\nP1:" + loadsOf(4, "a", "x") + "\nP2:" + chain(4, "y") + "\nP3:" + loadsOf(4, "b", "y")},
		{"SB", "P0: st.sc x 1; r0 = ld.sc y\nP1: st.sc y 1; r1 = ld.sc x"},
		{"MP", "P0: st.rlx x 1; st.rel y 1\nP1: r0 = ld.acq y; r1 = ld.rlx x"},
	} {
		b.Run(k.name, func(b *testing.B) {
			test := mustParse(b, "litmus "+k.name+"\n"+k.text+"\nask x=0\n")
			for b.Loop() {
				if _, err := Check(test, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
