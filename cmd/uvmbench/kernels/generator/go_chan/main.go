// The Go twin of the kernel generator with channels: a generator on its own stack yields size values, one at a time: two stack switches each.
package main

import (
	"fmt"
	"os"
	"strconv"
)

// values sends n pseudo-random values and closes the channel.
func values(n int64) <-chan int64 {
	c := make(chan int64)
	go func() {
		defer close(c)
		seed := int64(42)
		for range n {
			seed = seed*6364136223846793005 + 1442695040888963407
			c <- seed >> 20
		}
	}()
	return c
}

func run(size int64) int64 {
	var sum int64
	for v := range values(size) {
		sum = sum*31 + v
	}
	return sum
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
