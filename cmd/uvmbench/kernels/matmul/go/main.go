// The Go twin of the kernel matmul: the product of two size by size matrices of doubles, row by row.
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
)

// newMatrix returns n rows; element i, j is ((i*a + j*b) mod 17) / 8.
func newMatrix(n, a, b int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
		for j := range m[i] {
			m[i][j] = float64((i*a+j*b)%17) / 8
		}
	}
	return m
}

func multiply(a, b, c [][]float64) {
	for i, arow := range a {
		crow := c[i]
		for k, x := range arow {
			for j, y := range b[k] {
				crow[j] += float64(x * y)
			}
		}
	}
}

func run(size int64) int64 {
	n := int(size)
	a, b, c := newMatrix(n, 3, 5), newMatrix(n, 7, 11), newMatrix(n, 0, 0)
	multiply(a, b, c)
	var trace, sum float64
	for i, row := range c {
		trace += row[i]
		for j, x := range row {
			sum += x / float64(j+1)
		}
	}
	return int64(math.Float64bits(sum + trace))
}

func main() {
	size := int64(800)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "matmul: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap matmul.done checksum=%d\n", run(size))
}
