// The Go twin of the kernel primetest: Miller-Rabin tests of size odd numbers: modular powers, unsigned remainders.
package main

import (
	"fmt"
	"os"
	"strconv"
)

// powmod returns x to the power e modulo m, m below 2^32.
func powmod(x, e, m uint64) uint64 {
	r := uint64(1)
	for ; e != 0; e >>= 1 {
		if e&1 != 0 {
			r = r * x % m
		}
		x = x * x % m
	}
	return r
}

// witness tells whether n passes the test to base a; n - 1 = d * 2^s, d odd.
func witness(n, a, d uint64, s int) bool {
	x := powmod(a, d, n)
	if x == 1 || x == n-1 {
		return true
	}
	for i := 1; i < s; i++ {
		x = x * x % n
		if x == n-1 {
			return true
		}
	}
	return false
}

// isPrime is correct for odd n below 3215031751.
func isPrime(n uint64) bool {
	d, s := n-1, 0
	for d&1 == 0 {
		d >>= 1
		s++
	}
	return witness(n, 2, d, s) && witness(n, 3, d, s) && witness(n, 5, d, s) && witness(n, 7, d, s)
}

func run(size int64) int64 {
	n := uint64(1000000001)
	var count, sum int64
	for range size {
		if isPrime(n) {
			count++
			sum += int64(n)
		}
		n += 2
	}
	return sum*7 + count
}

func main() {
	size := int64(2000000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "primetest: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap primetest.done checksum=%d\n", run(size))
}
