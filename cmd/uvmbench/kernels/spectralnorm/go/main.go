// The Go twin of the kernel spectralnorm: the spectral norm of an infinite matrix, cut to size: integer division and doubles.
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
)

// element returns element i, j of the matrix.
func element(i, j int) float64 {
	k := i + j
	return 1 / float64(int(uint(k*(k+1))>>1)+i+1)
}

// times sets r = A v.
func times(v, r []float64) {
	for i := range r {
		sum := 0.0
		for j, x := range v {
			sum += float64(element(i, j) * x)
		}
		r[i] = sum
	}
}

// transposed sets r = (transposed A) v.
func transposed(v, r []float64) {
	for i := range r {
		sum := 0.0
		for j, x := range v {
			sum += float64(element(j, i) * x)
		}
		r[i] = sum
	}
}

func run(size int64) int64 {
	u, v, t := make([]float64, size), make([]float64, size), make([]float64, size)
	for i := range u {
		u[i] = 1
	}
	for range 10 {
		times(u, t)
		transposed(t, v)
		times(v, t)
		transposed(t, u)
	}
	var vbv, vv float64
	for i, x := range v {
		vbv += float64(u[i] * x)
		vv += float64(x * x)
	}
	return int64(math.Float64bits(math.Sqrt(vbv / vv)))
}

func main() {
	size := int64(2500)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "spectralnorm: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap spectralnorm.done checksum=%d\n", run(size))
}
