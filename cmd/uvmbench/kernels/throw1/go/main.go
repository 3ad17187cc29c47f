// The Go twin of the kernel throw1: size calls, of which three in four throw an exception that the caller catches.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type failure struct {
	code int64
}

// risky panics unless i is a multiple of four.
//
//go:noinline
func risky(i int64) int64 {
	if i&3 == 0 {
		return i
	}
	panic(&failure{i})
}

func guarded(i int64) (r int64) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *failure:
			r = e.code * 3
		default:
			panic(e)
		}
	}()
	return risky(i)
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
