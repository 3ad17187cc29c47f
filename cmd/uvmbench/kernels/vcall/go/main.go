// The Go twin of the kernel vcall: method calls through tables of function references: size rounds over a thousand objects of five classes.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type object interface {
	area(x int64) int64
	move(x int64) int64
}

type square struct{ side int64 }

func (s *square) area(x int64) int64 { return s.side*s.side + x }

func (s *square) move(x int64) int64 {
	s.side = (s.side + x) & 1023
	return s.side
}

type rect struct{ width, height int64 }

func (r *rect) area(x int64) int64 { return r.width*r.height - x }

func (r *rect) move(x int64) int64 {
	r.width = (r.width ^ x) & 511
	return r.width + r.height
}

type line struct{ from, to int64 }

func (l *line) area(x int64) int64 { return (l.to - l.from) * x }

func (l *line) move(x int64) int64 {
	l.from = (l.from + x) & 255
	return l.from
}

type dot struct{}

func (*dot) area(x int64) int64 { return x }

func (*dot) move(x int64) int64 { return -x }

type group struct {
	inner  object
	factor int64
}

func (g *group) area(x int64) int64 { return g.inner.area(x) * g.factor }

func (g *group) move(x int64) int64 {
	g.factor = (g.factor + 1) & 15
	return g.inner.move(x + g.factor)
}

// newObjects makes the objects: a random number selects the type; a group holds the object
// made before it.
func newObjects(n int64) []object {
	all := make([]object, n)
	seed := int64(42)
	for i := range n {
		seed = (seed*1103515245 + 12345) & 0x7fffffff
		kind := seed >> 16 % 5
		if i == 0 {
			kind = 0
		}
		switch kind {
		case 0:
			all[i] = &square{i}
		case 1:
			all[i] = &rect{i, i + 3}
		case 2:
			all[i] = &line{to: i}
		case 3:
			all[i] = new(dot)
		default:
			all[i] = &group{all[i-1], i & 15}
		}
	}
	return all
}

func run(size int64) int64 {
	all := newObjects(1000)
	var sum int64
	for i := range size {
		for k, o := range all {
			sum += o.area(i)
			sum ^= o.move(int64(k))
		}
	}
	return sum
}

func main() {
	size := int64(40000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "vcall: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap vcall.done checksum=%d\n", run(size))
}
