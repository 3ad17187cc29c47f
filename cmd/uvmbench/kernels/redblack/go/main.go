// The Go twin of the kernel redblack: a red-black tree with parent pointers: size insertions, as many look-ups, a walk in order.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type node struct {
	left, right, parent *node
	key, value          int64
	red                 bool
}

type tree struct {
	root  *node
	count int64
}

// rotateLeft puts y, the right child of x, in the place of x.
func (t *tree) rotateLeft(x *node) {
	y := x.right
	x.right = y.left
	if y.left != nil {
		y.left.parent = x
	}
	t.replace(x, y)
	y.left = x
	x.parent = y
}

// rotateRight puts y, the left child of x, in the place of x.
func (t *tree) rotateRight(x *node) {
	y := x.left
	x.left = y.right
	if y.right != nil {
		y.right.parent = x
	}
	t.replace(x, y)
	y.right = x
	x.parent = y
}

// replace makes y a child of the parent of x, in the place of x.
func (t *tree) replace(x, y *node) {
	p := x.parent
	y.parent = p
	switch {
	case p == nil:
		t.root = y
	case p.left == x:
		p.left = y
	default:
		p.right = y
	}
}

// add adds to the value of the key, which is inserted with 0 if it is new.
func (t *tree) add(key, value int64) {
	var parent *node
	for n := t.root; n != nil; {
		parent = n
		if key == n.key {
			n.value += value
			return
		}
		if key < n.key {
			n = n.left
		} else {
			n = n.right
		}
	}
	n := &node{key: key, value: value, parent: parent, red: true}
	t.count++
	switch {
	case parent == nil:
		t.root = n
	case key < parent.key:
		parent.left = n
	default:
		parent.right = n
	}
	t.repair(n)
	t.root.red = false
}

// repair restores the rule that no red node has a red parent, from n upwards.
func (t *tree) repair(n *node) {
	for {
		p := n.parent
		if p == nil || !p.red {
			return
		}
		// a red parent is not the root
		g := p.parent
		left := p == g.left
		uncle := g.left
		if left {
			uncle = g.right
		}
		if uncle != nil && uncle.red {
			p.red = false
			uncle.red = false
			g.red = true
			n = g
			continue
		}
		if left {
			if n == p.right {
				t.rotateLeft(p)
				p = n
			}
			p.red = false
			g.red = true
			t.rotateRight(g)
		} else {
			if n == p.left {
				t.rotateRight(p)
				p = n
			}
			p.red = false
			g.red = true
			t.rotateLeft(g)
		}
		return
	}
}

func (t *tree) find(key int64) *node {
	n := t.root
	for n != nil && key != n.key {
		if key < n.key {
			n = n.left
		} else {
			n = n.right
		}
	}
	return n
}

// next returns the node after n in the order of keys.
func (n *node) next() *node {
	if n.right != nil {
		n = n.right
		for n.left != nil {
			n = n.left
		}
		return n
	}
	p := n.parent
	for p != nil && p.right == n {
		n, p = p, p.parent
	}
	return p
}

func run(size int64) int64 {
	t := new(tree)
	seed := uint64(42)
	random := func() int64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int64(seed>>33) % (size * 2)
	}
	for i := range size {
		t.add(random(), i)
	}
	var hits int64
	for range size {
		if n := t.find(random()); n != nil {
			hits += n.value
		}
	}
	sum := t.count*1000003 + hits
	n := t.root
	for n.left != nil {
		n = n.left
	}
	for ; n != nil; n = n.next() {
		sum = sum*31 + n.key*2
		if n.red {
			sum++
		}
	}
	return sum
}

func main() {
	size := int64(600000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "redblack: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap redblack.done checksum=%d\n", run(size))
}
