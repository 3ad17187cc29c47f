// The Go twin of the kernel throw10 with error returns: size calls, of which three in four throw an exception that passes through ten frames.
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

// risky calls itself depth times; then it fails unless i is a multiple of four.
func risky(depth, i int64) (int64, error) {
	if depth > 1 {
		r, err := risky(depth-1, i)
		if err != nil {
			return 0, err
		}
		return r + 1, nil
	}
	if i&3 == 0 {
		return i, nil
	}
	return 0, &failure{i}
}

func guarded(i int64) int64 {
	r, err := risky(10, i)
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
	size := int64(1000000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "throw10: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap throw10.done checksum=%d\n", run(size))
}
