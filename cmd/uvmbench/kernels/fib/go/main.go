// The Go twin of the kernel fib: Fibonacci numbers by plain recursion: calls and little else.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func fib(n int64) int64 {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func run(size int64) int64 { return fib(size) }

func main() {
	size := int64(40)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "fib: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap fib.done checksum=%d\n", run(size))
}
