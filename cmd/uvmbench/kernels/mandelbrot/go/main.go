// The Go twin of the kernel mandelbrot: points of a grid of size by size, iterated up to 200 times: doubles in variables only.
package main

import (
	"fmt"
	"os"
	"strconv"
)

const limit = 200

// escape counts iterations of z = z*z + c until |z| > 2.
func escape(cr, ci float64) int64 {
	var zr, zi float64
	for n := int64(0); n < limit; n++ {
		r2, i2 := float64(zr*zr), float64(zi*zi)
		if r2+i2 > 4 {
			return n
		}
		zi = float64(2*zr*zi) + ci
		zr = r2 - i2 + cr
	}
	return limit
}

func run(size int64) int64 {
	var sum int64
	step := 1 / float64(size)
	for y := range size {
		ci := float64(2*float64(y)*step) - 1
		for x := range size {
			cr := float64(2*float64(x)*step) - 1.5
			sum += escape(cr, ci) * ((x ^ y) & 7)
		}
	}
	return sum
}

func main() {
	size := int64(1300)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "mandelbrot: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap mandelbrot.done checksum=%d\n", run(size))
}
