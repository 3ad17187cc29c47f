// The Go twin of the kernel fannkuch: fannkuch: all permutations of size elements and their prefix reversals, in small arrays.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func run(size int64) int64 {
	n := int(size)
	perm1, perm, count := make([]int, n), make([]int, n), make([]int, n)
	var maxFlips, checksum int64
	for i := range perm1 {
		perm1[i] = i
	}
	r := n
	for index := 0; ; index++ {
		for ; r != 1; r-- {
			count[r-1] = r
		}
		copy(perm, perm1)
		// flip the first k+1 elements until the first is 0
		var flips int64
		for k := perm[0]; k != 0; k = perm[0] {
			for i, j := 0, k; i < j; i, j = i+1, j-1 {
				perm[i], perm[j] = perm[j], perm[i]
			}
			flips++
		}
		maxFlips = max(maxFlips, flips)
		if index&1 == 0 {
			checksum += flips
		} else {
			checksum -= flips
		}
		// the next permutation: rotate the first r+1 elements
		for {
			if r == n {
				return checksum*100 + maxFlips
			}
			first := perm1[0]
			copy(perm1[:r], perm1[1:r+1])
			perm1[r] = first
			count[r]--
			if count[r] > 0 {
				break
			}
			r++
		}
	}
}

func main() {
	size := int64(10)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "fannkuch: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap fannkuch.done checksum=%d\n", run(size))
}
