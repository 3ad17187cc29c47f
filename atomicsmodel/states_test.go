package atomicsmodel

import (
	"math"
	"slices"
	"testing"
)

// TestStates: a set has each state once, in the order of the values.
func TestStates(t *testing.T) {
	numbers := []int64{math.MinInt64, math.MinInt64 + 1, -1 << 32, -65537, -65536, -257, -256, -255, -129, -128, -2, -1, 0, 1, 2, 127, 128, 236, 237,
		238, 239, 255, 256, 257, 65535, 65536, 1 << 24, 1 << 40, 1<<56 - 1, 1 << 56, math.MaxInt64 - 1, math.MaxInt64}
	values := []Value{{}}
	for _, n := range numbers {
		values = append(values, Value{n, true})
	}
	var want, list []State
	for _, a := range values {
		for _, b := range values {
			for _, c := range values {
				want = append(want, State{a, b, c})
			}
		}
	}
	for i := range want { // in another order, and some twice
		list = append(list, want[i*7919%len(want)], want[i/2])
	}
	s := NewStates(list...)
	if s.Len() != len(want) {
		t.Fatalf("%d states, want %d", s.Len(), len(want))
	}
	for i, st := range s.All() {
		if !slices.Equal(st, want[i]) {
			t.Fatalf("state %d is %v, want %v", i, st, want[i])
		}
	}
}
