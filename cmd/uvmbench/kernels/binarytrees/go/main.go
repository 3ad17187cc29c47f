// The Go twin of the kernel binarytrees: binary trees of many depths made and dropped while one stays: allocation and collection.
package main

import (
	"fmt"
	"os"
	"strconv"
)

const minDepth = 4

type node struct {
	left, right *node
}

// newTree makes a complete tree.
func newTree(depth int) *node {
	n := new(node)
	if depth > 0 {
		n.left = newTree(depth - 1)
		n.right = newTree(depth - 1)
	}
	return n
}

// count returns the number of nodes.
func (n *node) count() int64 {
	if n.left == nil {
		return 1
	}
	return n.left.count() + n.right.count() + 1
}

func run(size int64) int64 {
	maxDepth := int(size)
	sum := newTree(maxDepth + 1).count()
	longLived := newTree(maxDepth)
	for depth := minDepth; depth <= maxDepth; depth += 2 {
		var nodes int64
		for range 1 << (maxDepth - depth + minDepth) {
			nodes += newTree(depth).count()
		}
		sum = sum*31 + nodes
	}
	return sum*31 + longLived.count()
}

func main() {
	size := int64(17)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "binarytrees: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap binarytrees.done checksum=%d\n", run(size))
}
