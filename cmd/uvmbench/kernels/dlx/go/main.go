// The Go twin of the kernel dlx: Knuth's dancing links: the exact covers that place size queens, by taking nodes out of doubly linked
// lists and putting them back; a constraint solver made of objects.
package main

import (
	"fmt"
	"os"
	"strconv"
)

// node is a node of the matrix, or the head of a column, whose size is the number of its
// nodes.
type node struct {
	left, right, up, down, column *node
	size                          int
}

type counts struct {
	solutions, updates int64
}

// newHead makes a column's head, linked to itself only.
func newHead() *node {
	h := new(node)
	h.left, h.right, h.up, h.down, h.column = h, h, h, h, h
	return h
}

// place makes a node at the bottom of a column, at the right end of the row of first.
func (h *node) place(first *node) *node {
	n := &node{column: h, up: h.up, down: h}
	h.up.down = n
	h.up = n
	h.size++
	n.left, n.right = n, n
	if first != nil {
		n.left, n.right = first.left, first
		first.left.right = n
		first.left = n
	}
	return n
}

// cover takes a column out of the list of heads, and its rows out of the other columns.
func (c *counts) cover(h *node) {
	h.right.left = h.left
	h.left.right = h.right
	for i := h.down; i != h; i = i.down {
		for j := i.right; j != i; j = j.right {
			j.down.up = j.up
			j.up.down = j.down
			j.column.size--
			c.updates++
		}
	}
}

// uncover undoes cover, in the opposite order.
func uncover(h *node) {
	for i := h.up; i != h; i = i.up {
		for j := i.left; j != i; j = j.left {
			j.column.size++
			j.down.up = j
			j.up.down = j
		}
	}
	h.right.left = h
	h.left.right = h
}

func (c *counts) search(root *node) {
	best := root.right
	if best == root {
		c.solutions++
		return
	}
	// the column with the fewest rows
	for h := best.right; h != root; h = h.right {
		if h.size < best.size {
			best = h
		}
	}
	c.cover(best)
	for r := best.down; r != best; r = r.down {
		for j := r.right; j != r; j = j.right {
			c.cover(j.column)
		}
		c.search(root)
		for j := r.left; j != r; j = j.left {
			uncover(j.column)
		}
	}
	uncover(best)
}

func run(size int64) int64 {
	// ranks and files must be covered; diagonals may be, so the root does not list them
	n := int(size)
	heads := make([]*node, n*6)
	root := newHead()
	for i := range heads {
		h := newHead()
		heads[i] = h
		if i < n*2 {
			h.left, h.right = root.left, root
			root.left.right = h
			root.left = h
		}
	}
	for i := range n {
		for j := range n {
			first := heads[i].place(nil)
			heads[n+j].place(first)
			heads[n*2+i+j].place(first)
			heads[n*5+i-j].place(first)
		}
	}
	var c counts
	c.search(root)
	return c.solutions*1000000007 + c.updates
}

func main() {
	size := int64(13)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "dlx: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap dlx.done checksum=%d\n", run(size))
}
