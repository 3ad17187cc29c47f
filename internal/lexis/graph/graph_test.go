package graph_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/uvm2go/uvm2go/internal/lexis/graph"
)

func TestGraph(t *testing.T) {
	// 0 -> 1 -> 2 -> 1, 3 -> 3 at its second edge, 4 -> 0, 5 alone
	edges := [][]int{{1}, {-1, 2}, {1}, {5, 3}, {0}, nil}
	of := func(n int) []int { return edges[n] }
	var got []string
	graph.Cycles(len(edges), of, func(cycle []int, edge int) { got = append(got, fmt.Sprint(cycle, edge)) })
	if want := []string{"[1 2] 0", "[3] 1"}; !slices.Equal(got, want) {
		t.Errorf("cycles %v, want %v", got, want)
	}
	bad := []bool{false, false, true, false, false, false}
	graph.Spread(bad, of)
	if want := []bool{true, true, true, false, true, false}; !slices.Equal(bad, want) {
		t.Errorf("bad %v, want %v", bad, want)
	}
}

// A chain as long as a text must not exhaust Go's stack.
func TestMillion(t *testing.T) {
	const n = 1 << 20
	next := make([]int, n)
	for i := range next {
		next[i] = (i + 1) % n
	}
	found := 0
	graph.Cycles(n, func(i int) []int { return next[i : i+1] }, func(cycle []int, _ int) { found = len(cycle) })
	if found != n {
		t.Errorf("a cycle of %d, want %d", found, n)
	}
}
