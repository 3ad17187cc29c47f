// The Go twin of the kernel heapsort: heapsort of size pseudo-random integers, with array accesses far apart.
package main

import (
	"fmt"
	"os"
	"strconv"
)

// sink moves the element at i down to its place in the heap a.
func sink(a []int64, i int) {
	v := a[i]
	for {
		child := i*2 + 1
		if child >= len(a) {
			break
		}
		if right := child + 1; right < len(a) && a[child] < a[right] {
			child = right
		}
		if a[child] <= v {
			break
		}
		a[i] = a[child]
		i = child
	}
	a[i] = v
}

func heapsort(a []int64) {
	for i := len(a)/2 - 1; i >= 0; i-- {
		sink(a, i)
	}
	for last := len(a) - 1; last > 0; last-- {
		a[0], a[last] = a[last], a[0]
		sink(a[:last], 0)
	}
}

func run(size int64) int64 {
	a := make([]int64, size)
	seed := int64(42)
	for i := range a {
		seed = seed*6364136223846793005 + 1442695040888963407
		a[i] = seed >> 20
	}
	heapsort(a)
	var sum int64
	for _, x := range a {
		sum = sum*31 + x
	}
	return sum
}

func main() {
	size := int64(2500000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "heapsort: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap heapsort.done checksum=%d\n", run(size))
}
