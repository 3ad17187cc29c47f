// The Go twin of the kernel sieve: the sieve of Eratosthenes over two million bytes, size times.
package main

import (
	"fmt"
	"os"
	"strconv"
)

const limit = 2000000

// sieve crosses out the composites below len(marks); it returns the number of primes
// plus the sum of every 1000th.
func sieve(marks []byte) int64 {
	clear(marks)
	var count, sum int64
	for i := 2; i < len(marks); i++ {
		if marks[i] != 0 {
			continue
		}
		count++
		if count%1000 == 0 {
			sum += int64(i)
		}
		for j := i * i; j < len(marks); j += i {
			marks[j] = 1
		}
	}
	return sum + count
}

func run(size int64) int64 {
	marks := make([]byte, limit)
	var sum int64
	for i := range size {
		sum += sieve(marks[:limit-i])
	}
	return sum
}

func main() {
	size := int64(80)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "sieve: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap sieve.done checksum=%d\n", run(size))
}
