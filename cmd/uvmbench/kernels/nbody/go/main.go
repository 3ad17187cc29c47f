// The Go twin of the kernel nbody: the sun and four planets, size steps: doubles in the fields of objects.
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
)

const (
	solarMass = 39.47841760435743
	year      = 365.24
	dt        = 0.01
)

type body struct {
	x, y, z, vx, vy, vz, mass float64
}

// The sun, Jupiter, Saturn, Uranus and Neptune; velocities per day, masses in units of the
// sun's mass.
var planets = [5]body{
	{0, 0, 0, 0, 0, 0, 1},
	{4.84143144246472090, -1.16032004402742839, -0.103622044471123109, 0.00166007664274403694, 0.00769901118419740425, -0.0000690460016972063023, 0.000954791938424326609},
	{8.34336671824457987, 4.12479856412430479, -0.403523417114321381, -0.00276742510726411341, 0.00499852801234917238, 0.0000230417297573763929, 0.000285885980666130812},
	{12.8943695621391310, -15.1111514016986312, -0.223307578892655734, 0.00296460137564761618, 0.00237847173959480950, -0.0000296589568540237556, 0.0000436624404335156298},
	{15.3796971148509165, -25.9193146099879641, 0.179258772950371181, 0.00268067772490389322, 0.00162824170038242295, -0.0000951592254519715870, 0.0000515138902046611451},
}

// system returns the bodies in units of years and of the sun's mass divided by 4 pi squared, with
// a total momentum of zero.
func system() []body {
	s := make([]body, len(planets))
	var px, py, pz float64
	for i, b := range planets {
		b.vx *= year
		b.vy *= year
		b.vz *= year
		b.mass *= solarMass
		px += float64(b.vx * b.mass)
		py += float64(b.vy * b.mass)
		pz += float64(b.vz * b.mass)
		s[i] = b
	}
	s[0].vx = -px / solarMass
	s[0].vy = -py / solarMass
	s[0].vz = -pz / solarMass
	return s
}

func energy(s []body) float64 {
	e := 0.0
	for i := range s {
		p := &s[i]
		e += float64(0.5 * p.mass * (float64(p.vx*p.vx) + float64(p.vy*p.vy) + float64(p.vz*p.vz)))
		for j := i + 1; j < len(s); j++ {
			q := &s[j]
			dx, dy, dz := p.x-q.x, p.y-q.y, p.z-q.z
			e -= p.mass * q.mass / math.Sqrt(float64(dx*dx)+float64(dy*dy)+float64(dz*dz))
		}
	}
	return e
}

func advance(s []body) {
	for i := range s {
		p := &s[i]
		for j := i + 1; j < len(s); j++ {
			q := &s[j]
			dx, dy, dz := p.x-q.x, p.y-q.y, p.z-q.z
			d2 := float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
			mag := dt / (d2 * math.Sqrt(d2))
			qm := q.mass * mag
			p.vx -= float64(dx * qm)
			p.vy -= float64(dy * qm)
			p.vz -= float64(dz * qm)
			pm := p.mass * mag
			q.vx += float64(dx * pm)
			q.vy += float64(dy * pm)
			q.vz += float64(dz * pm)
		}
	}
	for i := range s {
		p := &s[i]
		p.x += float64(dt * p.vx)
		p.y += float64(dt * p.vy)
		p.z += float64(dt * p.vz)
	}
}

func run(size int64) int64 {
	s := system()
	before := energy(s)
	for range size {
		advance(s)
	}
	after := energy(s)
	return int64(math.Float64bits(before) ^ math.Float64bits(after))
}

func main() {
	size := int64(5000000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "nbody: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap nbody.done checksum=%d\n", run(size))
}
