// Package canon makes types canonical: equal ones get one number (docs/language.md, "Types").
// Equality is structural, and types may contain themselves by reference.
//
// It does not depend on the kinds of types: a node has a kind, two numbers and references to other
// nodes. Two nodes are equal if they agree in these and the nodes that they refer to are equal.
package canon

// A Node is a type or signature.
type Node[ID ~int32, K ~uint8] struct {
	Kind K
	// Bits is the width of an int.
	Bits uint32
	// Len is the length of an array or vector.
	Len uint64
	// Elem is the referent of ref, iref, weakref and uptr, the signature of
	// funcref and ufuncptr, the element of array and vector, and the variable
	// part of a hybrid.
	Elem ID
	// Fields are the fields of a struct, the fixed fields of a hybrid, or the
	// parameters of a signature.
	Fields []ID
	// Results are the result types of a signature.
	Results []ID
	// Name is the first name a bundle gave this structure, with its '@', or "". It is not
	// compared.
	Name string
}

// Raw refers to node i of the graph being added.
func Raw[ID ~int32](i int) ID { return ID(-1 - i) }

// RawIndex is the inverse of Raw; false for a number of the table.
func RawIndex[ID ~int32](id ID) (int, bool) {
	if id < 0 {
		return int(-1 - id), true
	}
	return 0, false
}

// A Table has canonical types. Use New to make one.
type Table[ID ~int32, K ~uint8] struct {
	// List has the types by their numbers. The first has number 1. Only the name of a type may be
	// changed.
	List []Node[ID, K]

	index  map[string]ID             // one-level key over canonical children
	cyclic map[uint64][]ID           // types on cycles by the last of their hashes
	rounds map[ID][hashRounds]uint64 // hashes of types on cycles
	keyBuf []byte
}

// New makes an empty table.
func New[ID ~int32, K ~uint8]() Table[ID, K] {
	return Table[ID, K]{List: make([]Node[ID, K], 1, 16), index: map[string]ID{}, cyclic: map[uint64][]ID{}, rounds: map[ID][hashRounds]uint64{}}
}

// SetName records the name of a type if it has none yet.
func (t *Table[ID, K]) SetName(id ID, name string) {
	if t.List[id].Name == "" {
		t.List[id].Name = name
	}
}

// Find returns the number of a type whose references are all canonical, 0 if it is not in the table.
func (t *Table[ID, K]) Find(n Node[ID, K]) ID { return t.index[string(appendKey(nil, &n, same[ID]))] }

// How a graph becomes canonical:
//
//  1. The strongly connected components of the new nodes are found, children first.
//  2. A node that is not on a cycle has canonical children by then; its one-level key
//     decides.
//  3. The nodes of a cycle are split into classes by partition refinement: start
//     from constructor and outside references, split while members of one class
//     refer to different classes.
//  4. A hash of the refined class, invariant under renumbering, selects earlier
//     cyclic types that may be equal; a bisimulation check decides.
//
// Steps 1, 2 and 4 are linear, step 3 takes n log n steps.

// Add makes the nodes canonical and returns their ids, in order. References
// inside nodes are canonical ids or Raw numbers of nodes of this call.
func (t *Table[ID, K]) Add(nodes []Node[ID, K]) []ID {
	c := &adder[ID, K]{t: t, nodes: nodes, ids: make([]ID, len(nodes))}
	c.low = make([]int32, len(nodes))
	c.num = make([]int32, len(nodes))
	for i := range nodes {
		if c.num[i] == 0 {
			c.visit(i)
		}
	}
	return c.ids
}

type adder[ID ~int32, K ~uint8] struct {
	t     *Table[ID, K]
	nodes []Node[ID, K]
	ids   []ID    // canonical ids found so far; 0 while unknown
	num   []int32 // depth-first numbers, from 1
	low   []int32
	next  int32
	stack []int
}

func (c *adder[ID, K]) children(i int, f func(ID)) {
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
func (c *adder[ID, K]) visit(root int) {
	type frame struct {
		node int
		kids []int
	}
	open := func(i int) frame {
		c.next++
		c.num[i], c.low[i] = c.next, c.next
		c.stack = append(c.stack, i)
		var kids []int
		c.children(i, func(id ID) {
			if k, ok := RawIndex(id); ok && c.ids[k] == 0 {
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

func (c *adder[ID, K]) selfLoop(i int) bool {
	loop := false
	c.children(i, func(id ID) {
		if k, ok := RawIndex(id); ok && k == i {
			loop = true
		}
	})
	return loop
}

func (c *adder[ID, K]) resolve(id ID) ID {
	if k, ok := RawIndex(id); ok {
		return c.ids[k]
	}
	return id
}

func mapIDs[ID ~int32](ids []ID, f func(ID) ID) []ID {
	if len(ids) == 0 {
		return nil
	}
	out := make([]ID, len(ids))
	for i, id := range ids {
		out[i] = f(id)
	}
	return out
}

func (c *adder[ID, K]) component(scc []int) {
	t := c.t
	if len(scc) == 1 && !c.selfLoop(scc[0]) {
		n := c.nodes[scc[0]]
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
	for _, cand := range t.cyclic[hashes[0][hashRounds-1]] {
		if m := c.bisimilar(rep[0], cand); m != nil {
			for _, i := range scc {
				id := m[i]
				c.ids[i] = id
				t.SetName(id, c.nodes[i].Name)
			}
			return
		}
	}
	first := ID(len(t.List))
	for _, i := range scc {
		c.ids[i] = first + ID(class[i])
	}
	for cl, i := range rep {
		n := c.nodes[i]
		n.Elem = c.resolve(n.Elem)
		n.Fields = mapIDs(n.Fields, c.resolve)
		n.Results = mapIDs(n.Results, c.resolve)
		n.Name = ""
		t.List = append(t.List, n)
		id, h := first+ID(cl), hashes[cl][hashRounds-1]
		t.cyclic[h] = append(t.cyclic[h], id)
		t.rounds[id] = hashes[cl]
	}
	for _, i := range scc {
		t.SetName(c.ids[i], c.nodes[i].Name)
	}
	for cl := range rep {
		id := first + ID(cl)
		t.index[string(appendKey(nil, &t.List[id], same[ID]))] = id
	}
}

// hashRounds is the depth of the hash of a class. The bisimulation check
// distinguishes classes with equal hashes.
const hashRounds = 6

// refine splits a component into classes of equal nodes and numbers them, by
// Hopcroft's algorithm: a class is split by which of its members refer, from the
// same place, to the members of a splitter; of two halves only the smaller need
// be a splitter later. So it takes n log n steps.
func (c *adder[ID, K]) refine(scc []int) (class map[int]int32, classes int) {
	at := make(map[int]int32, len(scc)) // node -> dense number
	for k, i := range scc {
		at[i] = int32(k)
	}
	n := len(scc)
	cls := make([]int32, n)
	pos := make([]int32, n) // place in the class's members
	// Start: constructor, parameters other than types, and outside references.
	seen := map[string]int32{}
	var buf []byte
	var members [][]int32
	type edge struct{ from, place int32 }
	preds := make([][]edge, n)
	for k, i := range scc {
		node := c.nodes[i]
		place := int32(0)
		buf = appendKey(buf[:0], &node, func(id ID) ID {
			place++
			if r, ok := RawIndex(id); ok {
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
	// Number the classes in the order of the nodes, so that the result does not
	// depend on the order of splitting.
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

// hashes computes the hashes of each class of a component, one for each round: round i covers types up
// to i steps away. They do not depend on how classes and nodes are numbered, nor on whether a referent
// is part of the component or an equal type of the table. Only a type on a cycle can be equal to one of
// a component, so other types are represented by their numbers.
func (c *adder[ID, K]) hashes(rep []int, classOf func(int) int) [][hashRounds]uint64 {
	const prime = 1099511628211
	out := make([][hashRounds]uint64, len(rep))
	for r := range hashRounds {
		for cl, i := range rep {
			n := &c.nodes[i]
			h := uint64(14695981039346656037)
			mix := func(x uint64) { h = (h ^ x) * prime; h ^= h >> 29 }
			round := func(all *[hashRounds]uint64) uint64 {
				if r == 0 {
					return 1
				}
				return all[r-1] | 1
			}
			mix(uint64(n.Kind))
			mix(uint64(n.Bits))
			mix(n.Len)
			mix(uint64(len(n.Fields)))
			c.children(i, func(id ID) {
				if k, ok := RawIndex(id); ok && c.ids[k] == 0 {
					mix(round(&out[classOf(k)]))
				} else if all, ok := c.t.rounds[c.resolve(id)]; ok {
					mix(round(&all))
				} else {
					mix(uint64(c.resolve(id)) << 1)
				}
			})
			out[cl][r] = h
		}
	}
	return out
}

// bisimilar compares a node of the current component with a canonical type, on the
// assumption that pairs being compared are equal. It returns the pairs, or nil.
func (c *adder[ID, K]) bisimilar(node int, cand ID) map[int]ID {
	pairs := map[int]ID{node: cand}
	work := []int{node}
	match := func(raw, canon ID) bool {
		k, isRaw := RawIndex(raw)
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
		a, b := &c.nodes[i], &c.t.List[pairs[i]]
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

func appendID[ID ~int32](b []byte, id ID) []byte {
	return append(b, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
}

func appendKey[ID ~int32, K ~uint8](b []byte, n *Node[ID, K], child func(ID) ID) []byte {
	b = append(b, byte(n.Kind), byte(n.Bits), byte(n.Bits>>8), byte(n.Bits>>16), byte(n.Bits>>24))
	for i := range 8 {
		b = append(b, byte(n.Len>>(8*i)))
	}
	b = appendID(b, child(n.Elem))
	b = appendID(b, ID(len(n.Fields)))
	for _, f := range n.Fields {
		b = appendID(b, child(f))
	}
	for _, f := range n.Results {
		b = appendID(b, child(f))
	}
	return b
}

func same[ID ~int32](id ID) ID { return id }

// Intern returns the id of a type whose references are all canonical.
func (t *Table[ID, K]) Intern(n Node[ID, K]) ID {
	t.keyBuf = appendKey(t.keyBuf[:0], &n, same[ID])
	if id, ok := t.index[string(t.keyBuf)]; ok {
		t.SetName(id, n.Name)
		return id
	}
	id := ID(len(t.List))
	t.List = append(t.List, n)
	t.index[string(t.keyBuf)] = id
	return id
}
