// The Go twin of the kernel tak: Takeuchi's function, size times: calls with three arguments.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func tak(x, y, z int64) int64 {
	if y >= x {
		return z
	}
	return tak(tak(x-1, y, z), tak(y-1, z, x), tak(z-1, x, y))
}

func run(size int64) int64 {
	var sum int64
	for i := range size {
		sum += tak(24, 16, 8+i&1) * (i + 1)
	}
	return sum
}

func main() {
	size := int64(120)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "tak: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap tak.done checksum=%d\n", run(size))
}
