package analysis

import "github.com/uvm2go/uvm2go/transpile/ir"

// Dominators by the algorithm of Lengauer and Tarjan, the simple variant: with m
// edges it takes m log n steps whatever the graph, where iteration takes the
// square of n for a long chain of blocks that all may leave for one exit.
//
//  1. Number the blocks in the order of a depth-first search.
//  2. From the last number to the first, find each block's semidominator: the
//     lowest number from which a path leads to it through higher ones only. The
//     forest that link and eval keep has the edges of the search tree seen so far.
//  3. Read off the immediate dominator of each block, or a block that has the same one.
//  4. From the first number to the last, fill in the immediate dominators still missing.

// A depthFirst is a search tree. Blocks are known by their numbers in it.
type depthFirst struct {
	block  []ir.BlockID // by number
	number []int32      // by block; of reachable ones
	parent []int32      // by number
	steps  int          // of eval, for tests
}

// visit gives the next number to block b, which was reached from another that has one.
func (t *depthFirst) visit(b, from ir.BlockID) {
	if t == nil {
		return
	}
	t.number[b] = int32(len(t.block))
	t.parent[len(t.block)] = t.number[from]
	t.block = append(t.block, b)
}

// A forest is the edges of the search tree that step 2 has passed, with paths
// compressed.
type forest struct {
	ancestor []int32 // -1 for a root
	label    []int32 // with the lowest semidominator on the path to the ancestor
	semi     []int32
	path     []int32
	steps    *int
}

// eval gives the number with the lowest semidominator on the path from v to its
// root, without the root; v itself if it is one.
func (f *forest) eval(v int32) int32 {
	if f.ancestor[v] < 0 {
		return v
	}
	f.path = f.path[:0]
	for x := v; f.ancestor[f.ancestor[x]] >= 0; x = f.ancestor[x] {
		f.path = append(f.path, x)
	}
	*f.steps += 1 + len(f.path)
	for i := len(f.path) - 1; i >= 0; i-- {
		x := f.path[i]
		a := f.ancestor[x]
		if f.semi[f.label[a]] < f.semi[f.label[x]] {
			f.label[x] = f.label[a]
		}
		f.ancestor[x] = f.ancestor[a]
	}
	return f.label[v]
}

// dominators sets Idom.
func (c *CFG) dominators(t *depthFirst, room *Room) {
	n := len(t.block)
	numbers := func() []int32 { return room.numbers.Make(n) }
	f := forest{ancestor: numbers(), label: numbers(), semi: numbers(), steps: &t.steps}
	idom := numbers()
	// The blocks with semidominator s are bucket[s], next[bucket[s]] and so on.
	bucket, next := numbers(), numbers()
	for i := range f.ancestor {
		f.ancestor[i], f.label[i], f.semi[i], bucket[i] = -1, int32(i), int32(i), -1
	}
	for w := int32(n - 1); w > 0; w-- {
		for _, p := range c.Preds[t.block[w]] {
			f.semi[w] = min(f.semi[w], f.semi[f.eval(t.number[p])])
		}
		s, parent := f.semi[w], t.parent[w]
		next[w], bucket[s] = bucket[s], w
		f.ancestor[w] = parent
		for v := bucket[parent]; v >= 0; v = next[v] {
			idom[v] = parent
			if u := f.eval(v); f.semi[u] < parent {
				idom[v] = u
			}
		}
		bucket[parent] = -1
	}
	for i := range c.Idom {
		c.Idom[i] = -1
	}
	c.Idom[0] = 0
	for w := int32(1); w < int32(n); w++ {
		if idom[w] != f.semi[w] {
			idom[w] = idom[idom[w]]
		}
		c.Idom[t.block[w]] = t.block[idom[w]]
	}
}
