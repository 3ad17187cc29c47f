// The Go twin of the kernel popcount: counts the bits of size pseudo-random words by shifts and masks: pure 64-bit arithmetic.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func popcount(x uint64) uint64 {
	x -= x >> 1 & 0x5555555555555555
	x = x&0x3333333333333333 + x>>2&0x3333333333333333
	x = (x + x>>4) & 0x0f0f0f0f0f0f0f0f
	return x * 0x0101010101010101 >> 56
}

func run(size int64) int64 {
	x := uint64(88172645463325252)
	var sum int64
	for i := range size {
		// xorshift
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		sum += int64(popcount(x)) * (i & 15)
	}
	return sum
}

func main() {
	size := int64(150000000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "popcount: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap popcount.done checksum=%d\n", run(size))
}
