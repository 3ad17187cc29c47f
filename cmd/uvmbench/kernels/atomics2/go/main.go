// The Go twin of the kernel atomics2: two threads that add size times each to one atomic counter; the starter waits on a futex.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
)

const threads = 2

func run(size int64) int64 {
	var total atomic.Int64
	var left sync.WaitGroup
	for k := range int64(threads) {
		left.Go(func() {
			for range size {
				total.Add(k)
				k += 2
			}
		})
	}
	left.Wait()
	return total.Load()
}

func main() {
	size := int64(60000000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "atomics2: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap atomics2.done checksum=%d\n", run(size))
}
