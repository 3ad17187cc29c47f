// Package graph helps to check definitions that refer to each other: it finds cycles, and the
// definitions that depend on a faulty one. Nodes are numbers from 0. Both functions take linear
// time and, because chains may be as long as a text, use an explicit stack instead of recursion.
package graph

// Cycles finds cycles by a depth-first search from each node, in order. edges returns the nodes
// that a node refers to; numbers below 0 are skipped. report is called with each cycle that the
// search finds, in its direction, and with the index of the edge of the last node that closes it.
func Cycles(nodes int, edges func(node int) []int, report func(cycle []int, edge int)) {
	const (
		unseen = iota
		open
		done
	)
	type frame struct {
		edges []int
		next  int
	}
	state := make([]uint8, nodes)
	var path []int
	var frames []frame
	for root := range nodes {
		push := func(n int) {
			state[n] = open
			path = append(path, n)
			frames = append(frames, frame{edges: edges(n)})
		}
		if state[root] == unseen {
			push(root)
		}
		for len(path) > 0 {
			last := len(path) - 1
			f := &frames[last]
			if f.next == len(f.edges) {
				state[path[last]] = done
				path, frames = path[:last], frames[:last]
				continue
			}
			n := f.edges[f.next]
			f.next++
			switch {
			case n < 0:
			case state[n] == unseen:
				push(n)
			case state[n] == open:
				from := last
				for path[from] != n {
					from--
				}
				report(append([]int(nil), path[from:]...), f.next-1)
			}
		}
	}
}

// Spread marks all nodes as bad that refer to a bad one, directly or through others. edges is as in Cycles.
func Spread(bad []bool, edges func(node int) []int) {
	var work []int
	for n, b := range bad {
		if b {
			work = append(work, n)
		}
	}
	if len(work) == 0 {
		return
	}
	users := make([][]int, len(bad))
	for n := range bad {
		for _, k := range edges(n) {
			if k >= 0 {
				users[k] = append(users[k], n)
			}
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, u := range users[n] {
			if !bad[u] {
				bad[u] = true
				work = append(work, u)
			}
		}
	}
}
