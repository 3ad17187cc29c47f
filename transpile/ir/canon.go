package ir

// Canonical types from a graph that may have cycles (mu-language 4.4).
//
//  1. The strongly connected components of the new nodes are found, children first.
//  2. A node on no cycle has canonical children by then; its one-level key decides.
//  3. The nodes of a cycle are split into classes by partition refinement: start
//     from constructor and outside references, split while members of one class
//     refer to different classes.
//  4. A hash of the refined class, invariant under renumbering, selects earlier
//     cyclic types that may be equal; a bisimulation check decides.
//
// Steps 1, 2 and 4 are linear; step 3 takes as many rounds as the longest
// distinguishing path inside one component.

// Add makes the nodes canonical and returns their ids, in order. References
// inside nodes are canonical ids or Raw numbers of nodes of this call.
func (t *Types) Add(nodes []Node) []TypeID {
	c := &canonizer{t: t, nodes: nodes, ids: make([]TypeID, len(nodes))}
	c.low = make([]int32, len(nodes))
	c.num = make([]int32, len(nodes))
	for i := range nodes {
		if c.num[i] == 0 {
			c.visit(i)
		}
	}
	return c.ids
}

type canonizer struct {
	t     *Types
	nodes []Node
	ids   []TypeID // canonical ids found so far; 0 while unknown
	num   []int32  // depth-first numbers, from 1
	low   []int32
	next  int32
	stack []int
}

func (c *canonizer) children(i int, f func(TypeID)) {
	n := &c.nodes[i]
	f(n.Elem)
	for _, x := range n.Fields {
		f(x)
	}
	for _, x := range n.Results {
		f(x)
	}
}

// visit is Tarjan's algorithm with an explicit stack, because type chains can
// be as long as the bundle.
func (c *canonizer) visit(root int) {
	type frame struct {
		node int
		kids []int
	}
	open := func(i int) frame {
		c.next++
		c.num[i], c.low[i] = c.next, c.next
		c.stack = append(c.stack, i)
		var kids []int
		c.children(i, func(id TypeID) {
			if k, ok := rawIndex(id); ok && c.ids[k] == 0 {
				kids = append(kids, k)
			}
		})
		return frame{i, kids}
	}
	work := []frame{open(root)}
	for len(work) > 0 {
		f := &work[len(work)-1]
		if len(f.kids) > 0 {
			k := f.kids[len(f.kids)-1]
			if c.num[k] == 0 {
				work = append(work, open(k))
				continue
			}
			f.kids = f.kids[:len(f.kids)-1]
			if c.ids[k] == 0 { // still on the stack
				c.low[f.node] = min(c.low[f.node], c.low[k])
			}
			continue
		}
		i := f.node
		work = work[:len(work)-1]
		if c.low[i] != c.num[i] {
			continue
		}
		j := len(c.stack) - 1
		for c.stack[j] != i {
			j--
		}
		scc := append([]int(nil), c.stack[j:]...)
		c.stack = c.stack[:j]
		c.component(scc)
	}
}

func (c *canonizer) selfLoop(i int) bool {
	loop := false
	c.children(i, func(id TypeID) {
		if k, ok := rawIndex(id); ok && k == i {
			loop = true
		}
	})
	return loop
}

func (c *canonizer) resolve(id TypeID) TypeID {
	if k, ok := rawIndex(id); ok {
		return c.ids[k]
	}
	return id
}

func mapIDs(ids []TypeID, f func(TypeID) TypeID) []TypeID {
	if len(ids) == 0 {
		return nil
	}
	out := make([]TypeID, len(ids))
	for i, id := range ids {
		out[i] = f(id)
	}
	return out
}

func (c *canonizer) component(scc []int) {
	t := c.t
	if len(scc) == 1 && !c.selfLoop(scc[0]) {
		n := Type(c.nodes[scc[0]])
		n.Elem = c.resolve(n.Elem)
		n.Fields = mapIDs(n.Fields, c.resolve)
		n.Results = mapIDs(n.Results, c.resolve)
		c.ids[scc[0]] = t.Intern(n)
		return
	}
	// Partition refinement over the component.
	class := make(map[int]TypeID, len(scc)) // node -> class, negative so as not to meet canonical ids
	for _, i := range scc {
		class[i] = -1
	}
	child := func(id TypeID) TypeID {
		if k, ok := rawIndex(id); ok {
			if c.ids[k] != 0 {
				return c.ids[k]
			}
			return class[k]
		}
		return id
	}
	var buf []byte
	classes, rounds := 1, 0
	for {
		rounds++
		seen := map[string]TypeID{}
		next := make(map[int]TypeID, len(scc))
		for _, i := range scc {
			n := Type(c.nodes[i])
			buf = appendID(buf[:0], class[i])
			buf = appendKey(buf, &n, child)
			cl, ok := seen[string(buf)]
			if !ok {
				cl = TypeID(-1 - len(seen))
				seen[string(buf)] = cl
			}
			next[i] = cl
		}
		class = next
		if len(seen) == classes && rounds > 1 {
			break
		}
		classes = len(seen)
	}
	rep := make([]int, classes) // class -> a node of it
	for k := len(scc) - 1; k >= 0; k-- {
		rep[-1-class[scc[k]]] = scc[k]
	}
	hashes := c.hashes(rep, rounds, func(k int) int { return int(-1 - class[k]) })

	// An equal cycle may be known already; one match decides for all, because
	// the component is strongly connected.
	for _, cand := range t.cyclic[hashes[0]] {
		if m := c.bisimilar(rep[0], cand); m != nil {
			for _, i := range scc {
				id := m[i]
				c.ids[i] = id
				t.SetName(id, c.nodes[i].Name)
			}
			return
		}
	}
	first := TypeID(len(t.types))
	for _, i := range scc {
		c.ids[i] = first + (-1 - class[i])
	}
	for cl, i := range rep {
		n := Type(c.nodes[i])
		n.Elem = c.resolve(n.Elem)
		n.Fields = mapIDs(n.Fields, c.resolve)
		n.Results = mapIDs(n.Results, c.resolve)
		n.Name = ""
		t.types = append(t.types, n)
		t.cyclic[hashes[cl]] = append(t.cyclic[hashes[cl]], first+TypeID(cl))
	}
	for _, i := range scc {
		t.SetName(c.ids[i], c.nodes[i].Name)
	}
	for cl := range rep {
		id := first + TypeID(cl)
		t.index[string(appendKey(nil, &t.types[id], same))] = id
	}
}

// hashes gives each class of a component a hash that does not depend on how
// classes and nodes are numbered.
func (c *canonizer) hashes(rep []int, rounds int, classOf func(int) int) []string {
	cur := make([]uint64, len(rep))
	const prime = 1099511628211
	for range rounds {
		next := make([]uint64, len(rep))
		for cl, i := range rep {
			n := &c.nodes[i]
			h := uint64(14695981039346656037)
			mix := func(x uint64) { h = (h ^ x) * prime; h ^= h >> 29 }
			mix(uint64(n.Kind))
			mix(uint64(n.Bits))
			mix(n.Len)
			mix(uint64(len(n.Fields)))
			c.children(i, func(id TypeID) {
				if k, ok := rawIndex(id); ok && c.ids[k] == 0 {
					mix(cur[classOf(k)] | 1)
				} else {
					mix(uint64(c.resolve(id)) << 1)
				}
			})
			next[cl] = h
		}
		cur = next
	}
	out := make([]string, len(rep))
	for i, h := range cur {
		b := make([]byte, 8)
		for k := range b {
			b[k] = byte(h >> (8 * k))
		}
		out[i] = string(b)
	}
	return out
}

// bisimilar compares a node of the current component with a canonical type,
// assuming equal what is being compared. It returns the pairs found, or nil.
func (c *canonizer) bisimilar(node int, cand TypeID) map[int]TypeID {
	pairs := map[int]TypeID{node: cand}
	work := []int{node}
	match := func(raw, canon TypeID) bool {
		k, isRaw := rawIndex(raw)
		if !isRaw {
			return raw == canon
		}
		if c.ids[k] != 0 {
			return c.ids[k] == canon
		}
		if canon <= 0 {
			return false
		}
		if p, ok := pairs[k]; ok {
			return p == canon
		}
		pairs[k] = canon
		work = append(work, k)
		return true
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		a, b := &c.nodes[i], &c.t.types[pairs[i]]
		if a.Kind != b.Kind || a.Bits != b.Bits || a.Len != b.Len ||
			len(a.Fields) != len(b.Fields) || len(a.Results) != len(b.Results) {
			return nil
		}
		if !match(a.Elem, b.Elem) {
			return nil
		}
		for j := range a.Fields {
			if !match(a.Fields[j], b.Fields[j]) {
				return nil
			}
		}
		for j := range a.Results {
			if !match(a.Results[j], b.Results[j]) {
				return nil
			}
		}
	}
	return pairs
}
