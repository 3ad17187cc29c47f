// The Go twin of the kernel linkedlist: a singly linked list of size nodes built, sorted by merging, reversed and thinned out: pointers only.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type node struct {
	next  *node
	value int64
}

func build(n int64) *node {
	var list *node
	seed := int64(42)
	for range n {
		seed = seed*6364136223846793005 + 1442695040888963407
		list = &node{list, seed >> 24}
	}
	return list
}

// merge merges two sorted lists; the head node only makes the loop simpler.
func merge(a, b *node) *node {
	head := new(node)
	tail := head
	for a != nil && b != nil {
		if a.value <= b.value {
			tail.next = a
			tail = a
			a = a.next
		} else {
			tail.next = b
			tail = b
			b = b.next
		}
	}
	if a == nil {
		a = b
	}
	tail.next = a
	return head.next
}

// sort sorts by merging; the list is cut in the middle by a slow and a fast walker.
func sort(list *node) *node {
	if list == nil || list.next == nil {
		return list
	}
	slow, fast := list, list.next
	for fast != nil && fast.next != nil {
		slow = slow.next
		fast = fast.next.next
	}
	second := slow.next
	slow.next = nil
	left := sort(list)
	right := sort(second)
	return merge(left, right)
}

func reverse(list *node) *node {
	var done *node
	for list != nil {
		list, list.next, done = list.next, done, list
	}
	return done
}

// thin removes every third node.
func thin(list *node) {
	for list != nil && list.next != nil {
		second := list.next
		third := second.next
		if third == nil {
			return
		}
		second.next = third.next
		list = third.next
	}
}

func total(list *node) int64 {
	var sum int64
	for ; list != nil; list = list.next {
		sum = sum*31 + list.value
	}
	return sum
}

func run(size int64) int64 {
	list := sort(build(size))
	sum := total(list)
	list = reverse(list)
	thin(list)
	return sum ^ total(list)
}

func main() {
	size := int64(1000000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "linkedlist: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap linkedlist.done checksum=%d\n", run(size))
}
