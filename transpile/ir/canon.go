package ir

// Canonical types from a graph that may have cycles (docs/language.md, "Types").
//
//  1. The strongly connected components of the new nodes are found, children first.
//  2. A node on no cycle has canonical children by then; its one-level key decides.
//  3. The nodes of a cycle are split into classes by partition refinement: start
//     from constructor and outside references, split while members of one class
//     refer to different classes.
//  4. A hash of the refined class, invariant under renumbering, selects earlier
//     cyclic types that may be equal; a bisimulation check decides.
//
// Steps 1, 2 and 4 are linear, step 3 takes n log n steps.

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
	class, classes := c.refine(scc)
	rep := make([]int, classes) // class -> a node of it
	for k := len(scc) - 1; k >= 0; k-- {
		rep[class[scc[k]]] = scc[k]
	}
	hashes := c.hashes(rep, func(k int) int { return int(class[k]) })

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
		c.ids[i] = first + TypeID(class[i])
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

// hashRounds is how far the hash of a class looks. What it cannot tell apart
// the bisimulation check does.
const hashRounds = 6

// refine splits a component into classes of equal nodes and numbers them, by
// Hopcroft's algorithm: a class is split by which of its members refer, from the
// same place, to the members of a splitter; of two halves only the smaller need
// be a splitter later. So it takes n log n steps.
func (c *canonizer) refine(scc []int) (class map[int]int32, classes int) {
	at := make(map[int]int32, len(scc)) // node -> dense number
	for k, i := range scc {
		at[i] = int32(k)
	}
	n := len(scc)
	cls := make([]int32, n)
	pos := make([]int32, n) // place in the class's members
	// Start: constructor, parameters that are no types, and outside references.
	seen := map[string]int32{}
	var buf []byte
	var members [][]int32
	type edge struct{ from, place int32 }
	preds := make([][]edge, n)
	for k, i := range scc {
		node := Type(c.nodes[i])
		place := int32(0)
		buf = appendKey(buf[:0], &node, func(id TypeID) TypeID {
			place++
			if r, ok := rawIndex(id); ok {
				if c.ids[r] != 0 {
					return c.ids[r]
				}
				preds[at[r]] = append(preds[at[r]], edge{int32(k), place})
				return -1
			}
			return id
		})
		cl, ok := seen[string(buf)]
		if !ok {
			cl = int32(len(members))
			seen[string(buf)] = cl
			members = append(members, nil)
		}
		cls[k] = cl
		pos[k] = int32(len(members[cl]))
		members[cl] = append(members[cl], int32(k))
	}
	queued := make([]bool, len(members))
	var work []int32
	for cl := range members {
		work = append(work, int32(cl))
		queued[cl] = true
	}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		queued[s] = false
		byPlace := map[int32][]int32{}
		var places []int32
		for _, m := range members[s] {
			for _, e := range preds[m] {
				if byPlace[e.place] == nil {
					places = append(places, e.place)
				}
				byPlace[e.place] = append(byPlace[e.place], e.from)
			}
		}
		for _, p := range places {
			hit := map[int32][]int32{}
			var order []int32
			for _, k := range byPlace[p] {
				if hit[cls[k]] == nil {
					order = append(order, cls[k])
				}
				hit[cls[k]] = append(hit[cls[k]], k)
			}
			for _, cl := range order {
				in := hit[cl]
				if len(in) == len(members[cl]) {
					continue
				}
				next := int32(len(members))
				for _, k := range in {
					// Take k out of its class: the last member fills its place.
					l := members[cl]
					end := l[len(l)-1]
					l[pos[k]] = end
					pos[end] = pos[k]
					members[cl] = l[:len(l)-1]
					cls[k], pos[k] = next, int32(0)
				}
				for j, k := range in {
					pos[k] = int32(j)
				}
				members = append(members, in)
				half := next
				if !queued[cl] && len(members[cl]) < len(in) {
					half = cl
				}
				queued = append(queued, false)
				queued[half] = true
				work = append(work, half)
			}
		}
	}
	// Number the classes in the order of the nodes, so that nothing depends on
	// the order of splitting.
	renum := make([]int32, len(members))
	for i := range renum {
		renum[i] = -1
	}
	class = make(map[int]int32, n)
	for k, i := range scc {
		if renum[cls[k]] < 0 {
			renum[cls[k]] = int32(classes)
			classes++
		}
		class[i] = renum[cls[k]]
	}
	return class, classes
}

// hashes gives each class of a component a hash that does not depend on how
// classes and nodes are numbered.
func (c *canonizer) hashes(rep []int, classOf func(int) int) []string {
	cur := make([]uint64, len(rep))
	const prime = 1099511628211
	for range hashRounds {
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
