// The Go twin of the kernel gcbench: GCBench of Ellis, Kovac and Boehm: short-lived trees made top-down and bottom-up in several depths, while
// a long-lived tree and a long-lived array stay. Size is the depth of the tree that stretches the heap.
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
)

const (
	arrayLen = 500000
	minDepth = 4
)

type node struct {
	left, right *node
	i, j        int64
}

// treeSize returns the number of nodes of a tree of the given depth.
func treeSize(depth int) int64 { return 1<<(depth+1) - 1 }

// populate builds top-down: the node exists before its subtrees.
func (n *node) populate(depth int) {
	if depth <= 0 {
		return
	}
	n.left = new(node)
	n.right = new(node)
	n.left.populate(depth - 1)
	n.right.populate(depth - 1)
}

// newTree builds bottom-up: the subtrees exist before the node.
func newTree(depth int) *node {
	if depth <= 0 {
		return new(node)
	}
	left := newTree(depth - 1)
	right := newTree(depth - 1)
	return &node{left: left, right: right, i: int64(depth)}
}

// weigh returns the number of nodes, each weighed with its depth field.
func (n *node) weigh() int64 {
	if n == nil {
		return 0
	}
	return n.left.weigh() + n.right.weigh() + n.i + 1
}

// construct makes trees of one depth: as many as together have twice the nodes of the stretch
// tree.
func construct(depth, stretch int) int64 {
	trees := 2 * treeSize(stretch) / treeSize(depth)
	var sum int64
	for i := range trees {
		root := new(node)
		root.populate(depth)
		if i == trees-1 {
			sum += root.weigh()
		}
	}
	for i := range trees {
		tree := newTree(depth)
		if i == trees-1 {
			sum += tree.weigh()
		}
	}
	return sum + trees
}

func run(size int64) int64 {
	stretch := int(size)
	sum := newTree(stretch).weigh()
	longLived := new(node)
	longLived.populate(stretch - 2)
	array := make([]float64, arrayLen)
	for i := range array {
		array[i] = 1 / float64(i+1)
	}
	for depth := minDepth; depth <= stretch-2; depth += 2 {
		sum = sum*31 + construct(depth, stretch)
	}
	// the long-lived tree and array must still be there
	return (sum*31 + longLived.weigh()) ^ int64(math.Float64bits(array[1000]))
}

func main() {
	size := int64(18)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "gcbench: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap gcbench.done checksum=%d\n", run(size))
}
