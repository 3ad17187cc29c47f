// The Go twin of the kernel throw1 with error returns: size calls, of which three in four throw an exception that the caller catches.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
)

type failure struct {
	code int64
}

func (f *failure) Error() string { return "failure " + strconv.FormatInt(f.code, 10) }

// risky fails unless i is a multiple of four.
//
//go:noinline
func risky(i int64) (int64, error) {
	if i&3 == 0 {
		return i, nil
	}
	return 0, &failure{i}
}

func guarded(i int64) int64 {
	r, err := risky(i)
	if err != nil {
		if f, ok := errors.AsType[*failure](err); ok {
			return f.code * 3
		}
		return -1
	}
	return r
}

func run(size int64) int64 {
	var sum int64
	for i := range size {
		sum = sum*31 + guarded(i)
	}
	return sum
}

func main() {
	size := int64(3000000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "throw1: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap throw1.done checksum=%d\n", run(size))
}
