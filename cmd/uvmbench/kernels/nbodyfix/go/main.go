// The Go twin of the kernel nbodyfix: the sun and four planets, size steps: fixed-point numbers, integers in units of 2^-24, in the fields of objects.
package main

import (
	"fmt"
	"os"
	"strconv"
)

// dt is the length of a step.
const dt = 167772

type body struct {
	x, y, z, vx, vy, vz, mass int64
}

// The sun, Jupiter, Saturn, Uranus and Neptune, in units of years and of the sun's mass divided by 4 pi squared.
var planets = [5]body{
	{0, 0, 0, -6504, -54951, 402, 662337939},
	{81225741, -19466940, -1738489, 10172469, 47177311, -423094, 632395},
	{139978466, 69202636, -6770000, -16957980, 30629532, 141193, 189353},
	{216331623, -253523051, -3746479, 18166219, 14574586, -181741, 28919},
	{258028501, -434853940, 3007463, 16426417, 9977394, -583108, 34120},
}

// root returns the square root of n; guess is near it.
func root(n, guess int64) int64 {
	r := (guess + n/guess) >> 1
	for {
		q := n / r
		if q >= r {
			return r
		}
		r = (r + q) >> 1
	}
}

// advance makes a step. roots has the distances between the bodies in the previous step.
func advance(s []body, roots []int64) {
	for i := range s {
		p := &s[i]
		for j := i + 1; j < len(s); j++ {
			q := &s[j]
			dx, dy, dz := p.x-q.x, p.y-q.y, p.z-q.z
			d2 := (dx*dx + dy*dy + dz*dz) >> 24
			d := root(d2<<24, roots[i*5+j])
			roots[i*5+j] = d
			mag := (dt << 38) / (((d2 >> 8) * d) >> 16) // counts 2^-38
			qm := (q.mass * mag) >> 24
			p.vx -= (dx * qm) >> 38
			p.vy -= (dy * qm) >> 38
			p.vz -= (dz * qm) >> 38
			pm := (p.mass * mag) >> 24
			q.vx += (dx * pm) >> 38
			q.vy += (dy * pm) >> 38
			q.vz += (dz * pm) >> 38
		}
	}
	for i := range s {
		p := &s[i]
		p.x += (dt * p.vx) >> 24
		p.y += (dt * p.vy) >> 24
		p.z += (dt * p.vz) >> 24
	}
}

func run(size int64) int64 {
	s := planets[:]
	roots := make([]int64, 25)
	for i := range roots {
		roots[i] = 1 << 31
	}
	for range size {
		advance(s, roots)
	}
	sum := int64(0)
	for i := range s {
		p := &s[i]
		for _, n := range [...]int64{p.x, p.y, p.z, p.vx, p.vy, p.vz} {
			sum = sum*31 + n
		}
	}
	return sum
}

func main() {
	size := int64(2500000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "nbodyfix: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap nbodyfix.done checksum=%d\n", run(size))
}
