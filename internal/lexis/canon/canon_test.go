package canon

import "testing"

type (
	id   int32
	kind uint8
	node = Node[id, kind]
)

const (
	num kind = iota
	ref
	pair
)

// TestPartOfTable: a type on a cycle is equal to one of the table although it also refers to that
// one.
func TestPartOfTable(t *testing.T) {
	tab := New[id, kind]()
	n := tab.Intern(node{Kind: num, Bits: 64})
	// a = struct<r a'>, where both are ref<a>
	a := tab.Add([]node{{Kind: pair, Fields: []id{Raw[id](1), n, Raw[id](1)}}, {Kind: ref, Elem: Raw[id](0)}})
	b := tab.Add([]node{{Kind: pair, Fields: []id{Raw[id](1), n, a[1]}}, {Kind: ref, Elem: Raw[id](0)}})
	if a[0] != b[0] || a[1] != b[1] {
		t.Errorf("%v and %v are equal", a, b)
	}
	// The same in one step, the first cycle after or before the second.
	for _, first := range []int{0, 2} {
		tab := New[id, kind]()
		n := tab.Intern(node{Kind: num, Bits: 64})
		second := 2 - first
		nodes := make([]node, 4)
		nodes[first] = node{Kind: pair, Fields: []id{Raw[id](first + 1), n, Raw[id](first + 1)}}
		nodes[first+1] = node{Kind: ref, Elem: Raw[id](first)}
		nodes[second] = node{Kind: pair, Fields: []id{Raw[id](second + 1), n, Raw[id](first + 1)}}
		nodes[second+1] = node{Kind: ref, Elem: Raw[id](second)}
		if ids := tab.Add(nodes); ids[0] != ids[2] || ids[1] != ids[3] {
			t.Errorf("first cycle at %d: %v", first, ids)
		}
	}
	// A type that differs in its referents.
	m := tab.Intern(node{Kind: num, Bits: 32})
	c := tab.Add([]node{{Kind: pair, Fields: []id{Raw[id](1), m, a[1]}}, {Kind: ref, Elem: Raw[id](0)}})
	if c[0] == a[0] || c[1] == a[1] {
		t.Errorf("%v and %v are equal", a, c)
	}
}

// TestKnown: a known type is found and not entered again.
func TestKnown(t *testing.T) {
	tab := New[id, kind]()
	n := tab.Intern(node{Kind: num, Bits: 64, Name: "@n"})
	if again := tab.Intern(node{Kind: num, Bits: 64, Name: "@m"}); again != n || tab.List[n].Name != "@n" || len(tab.List) != 2 {
		t.Errorf("%d and %d, %+v", n, again, tab.List)
	}
	if tab.Find(node{Kind: num, Bits: 64}) != n || tab.Find(node{Kind: num, Bits: 63}) != 0 {
		t.Error("Find")
	}
	if i, ok := RawIndex(Raw[id](7)); !ok || i != 7 {
		t.Errorf("%d, %t", i, ok)
	}
	if _, ok := RawIndex(n); ok {
		t.Error("a number of the table is none of a node")
	}
}
