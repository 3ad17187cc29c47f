package verify

import (
	"math/rand/v2"
	"testing"
)

// connected is like reachable, by plain search.
func connected(g *graph, p path) bool {
	seen := make([]bool, len(g.branches))
	work := []int32{p.from}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		for i := range g.degree(b) {
			to := g.edge(b, i)
			if to == p.to {
				return true
			}
			if !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	return false
}

func allPaths(n int) []path {
	var ps []path
	for i := range int32(n) {
		for j := range int32(n) {
			ps = append(ps, path{i, j})
		}
	}
	return ps
}

func TestReachable(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	yes, no := 0, 0
	for range 300 {
		n := 1 + r.IntN(40)
		g := &graph{branches: make([][]int32, n), unwinds: make([]int32, n)}
		forward := r.IntN(2) == 0 // without cycles, mostly
		target := func(from int) int32 {
			if forward && r.IntN(30) > 0 {
				return int32(from + r.IntN(n-from))
			}
			return int32(r.IntN(n))
		}
		for b := range n {
			for range r.IntN(3) {
				if to := target(b); int(to) != b || r.IntN(9) == 0 {
					g.branches[b] = append(g.branches[b], to)
				}
			}
			g.unwinds[b] = -1
			if r.IntN(4) == 0 {
				g.unwinds[b] = target(b)
			}
		}
		paths := allPaths(n)
		for i, got := range g.reachable(paths) {
			want := connected(g, paths[i])
			if got != want {
				t.Fatalf("%+v: %v got %v, want %v", g, paths[i], got, want)
			}
			if want {
				yes++
			} else {
				no++
			}
		}
	}
	if yes < 10000 || no < 10000 {
		t.Errorf("%d paths, %d missing: too few to tell", yes, no)
	}
}

// ladder is a chain of n steps of three blocks, each a fork into two arms: the blocks of the
// second arm have nothing below them in the tree of the search.
func ladder(n int) *graph {
	g := &graph{branches: make([][]int32, 3*n+1), unwinds: make([]int32, 3*n+1)}
	for i := range g.unwinds {
		g.unwinds[i] = -1
	}
	for i := range int32(n) {
		b := 3 * i
		g.branches[b] = []int32{b + 1, b + 2}
		g.branches[b+1] = []int32{b + 3}
		g.branches[b+2] = []int32{b + 3}
	}
	return g
}

// TestReachableBatches asks about more components than a batch has.
func TestReachableBatches(t *testing.T) {
	const n = int32(3 * batch / 2)
	g := ladder(int(n))
	var paths []path
	for i := range int32(n) {
		for _, arm := range []int32{1, 2} {
			paths = append(paths, path{3*i + arm, 3 * n}, path{3*i + arm, 3*i + 3}, path{3*i + arm, 3*i + 3 - arm}, path{3*i + arm, 3*i + arm}, path{3*i + arm, 0})
		}
	}
	for i, got := range g.reachable(paths) {
		if want := connected(g, paths[i]); got != want {
			t.Fatalf("%v: got %v, want %v", paths[i], got, want)
		}
	}
}

// TestReachableMany has as many questions as blocks; cmd/internal/scale counts the steps that these take.
func TestReachableMany(t *testing.T) {
	const n = 100_000
	g := ladder(int(n))
	var paths []path
	for i := range int32(n) {
		paths = append(paths, path{0, 3 * i}, path{3*i + 1, 3*i + 3}, path{3*i + 2, 3*i + 3})
	}
	for i, got := range g.reachable(paths) {
		if got != (i > 0) {
			t.Fatalf("%v: got %v", paths[i], got)
		}
	}
	// The worst case: a path from each arm to the end.
	g, paths = ladder(n/4), nil
	for i := range int32(n / 4) {
		paths = append(paths, path{3*i + 1, 3 * n / 4}, path{3*i + 2, 3 * n / 4})
	}
	for i, got := range g.reachable(paths) {
		if !got {
			t.Fatalf("%v: got %v", paths[i], got)
		}
	}
}
