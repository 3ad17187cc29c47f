// The Go twin of the kernel matmulint: the product of two size by size matrices of integers, row by row.
package main

import (
	"fmt"
	"os"
	"strconv"
)

// newMatrix returns n rows; element i, j is (i*a + j*b) mod 17.
func newMatrix(n, a, b int) [][]int {
	m := make([][]int, n)
	for i := range m {
		m[i] = make([]int, n)
		for j := range m[i] {
			m[i][j] = (i*a + j*b) % 17
		}
	}
	return m
}

func multiply(a, b, c [][]int) {
	for i, arow := range a {
		crow := c[i]
		for k, x := range arow {
			for j, y := range b[k] {
				crow[j] += x * y
			}
		}
	}
}

func run(size int64) int64 {
	n := int(size)
	a, b, c := newMatrix(n, 3, 5), newMatrix(n, 7, 11), newMatrix(n, 0, 0)
	multiply(a, b, c)
	var trace, sum int
	for i, row := range c {
		trace += row[i]
		for _, x := range row {
			sum = sum*31 + x
		}
	}
	return int64(sum + trace)
}

func main() {
	size := int64(800)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "matmulint: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap matmulint.done checksum=%d\n", run(size))
}
