// The Go twin of the kernel collatz: the longest Collatz sequence below size: a tight loop of shifts and branches.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func run(size int64) int64 {
	var best, longest, total int64
	for i := int64(1); i < size; i++ {
		var steps int64
		for n := uint64(i); n != 1; steps++ {
			if n&1 != 0 {
				n = n*3 + 1
			} else {
				n >>= 1
			}
		}
		total += steps
		if steps > longest {
			longest = steps
			best = i
		}
	}
	return best*1000003 + longest + total
}

func main() {
	size := int64(2500000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "collatz: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap collatz.done checksum=%d\n", run(size))
}
