// The Go twin of the kernel generator: a generator on its own stack yields size values, one at a time: two stack switches each.
package main

import (
	"fmt"
	"iter"
	"os"
	"strconv"
)

// values returns n pseudo-random values.
func values(n int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		seed := int64(42)
		for range n {
			seed = seed*6364136223846793005 + 1442695040888963407
			if !yield(seed >> 20) {
				return
			}
		}
	}
}

func run(size int64) int64 {
	next, stop := iter.Pull(values(size))
	defer stop()
	var sum int64
	for {
		v, ok := next()
		if !ok {
			return sum
		}
		sum = sum*31 + v
	}
}

func main() {
	size := int64(4000000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "generator: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap generator.done checksum=%d\n", run(size))
}
