// The Go twin of the kernel quicksort: quicksort of size pseudo-random integers: array accesses and unpredictable branches.
package main

import (
	"fmt"
	"os"
	"strconv"
)

// quicksort sorts a: Hoare's partition round the middle element, recursion into the left
// part, iteration on the right one.
func quicksort(a []int64) {
	for len(a) > 1 {
		pivot := a[(len(a)-1)>>1]
		i, j := 0, len(a)-1
		for i <= j {
			for a[i] < pivot {
				i++
			}
			for pivot < a[j] {
				j--
			}
			if i <= j {
				a[i], a[j] = a[j], a[i]
				i++
				j--
			}
		}
		quicksort(a[:j+1])
		a = a[i:]
	}
}

func run(size int64) int64 {
	a := make([]int64, size)
	seed := int64(42)
	for i := range a {
		seed = seed*6364136223846793005 + 1442695040888963407
		a[i] = seed >> 20
	}
	quicksort(a)
	var sum int64
	for _, x := range a {
		sum = sum*31 + x
	}
	return sum
}

func main() {
	size := int64(4000000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "quicksort: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap quicksort.done checksum=%d\n", run(size))
}
