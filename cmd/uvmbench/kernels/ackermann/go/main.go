// The Go twin of the kernel ackermann: Ackermann's function A(3, size): nested calls thousands of frames deep.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func ack(m, n int64) int64 {
	if m == 0 {
		return n + 1
	}
	if n == 0 {
		return ack(m-1, 1)
	}
	return ack(m-1, ack(m, n-1))
}

func run(size int64) int64 { return ack(3, size) }

func main() {
	size := int64(11)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "ackermann: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap ackermann.done checksum=%d\n", run(size))
}
