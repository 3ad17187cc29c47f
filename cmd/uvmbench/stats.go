package main

import (
	"fmt"
	"math"
	"sort"
)

// A spread is a median with the distribution around it.
type spread struct {
	median   float64
	min, max float64
	q1, q3   float64 // quartiles
}

// summarize returns the spread of values; all fields are NaN without any.
func summarize(v []float64) spread {
	if len(v) == 0 {
		n := math.NaN()
		return spread{n, n, n, n, n}
	}
	s := append([]float64(nil), v...)
	sort.Float64s(s)
	return spread{quantile(s, 0.5), s[0], s[len(s)-1], quantile(s, 0.25), quantile(s, 0.75)}
}

// quantile interpolates linearly between the values of a sorted slice.
func quantile(s []float64, q float64) float64 {
	x := q * float64(len(s)-1)
	i := int(x)
	if i+1 >= len(s) {
		return s[len(s)-1]
	}
	f := x - float64(i)
	return s[i] + f*(s[i+1]-s[i])
}

// noise returns half the distance of the quartiles relative to the median.
func (s spread) noise() float64 {
	if s.median == 0 {
		return 0
	}
	return (s.q3 - s.q1) / 2 / s.median
}

// geomean returns the geometric mean, or NaN if there are no values.
func geomean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(v)))
}

// ratios compares two twins round by round: the programs of a round ran one after
// the other, so other load on the machine slowed both. The median is the ratio of
// the medians; min and max are those of single rounds.
func ratios(a, b []float64) spread {
	n := min(len(a), len(b))
	var r []float64
	for i := range n {
		if b[i] > 0 {
			r = append(r, a[i]/b[i])
		}
	}
	s := summarize(r)
	if m := summarize(b).median; m > 0 {
		s.median = summarize(a).median / m
	} else {
		s.median = math.NaN()
	}
	return s
}

// A metric selects the time of a sample from which the ratios are computed.
type metric string

const (
	byCPU  metric = "cpu"
	byWall metric = "wall"
)

// String and Set make a metric a flag.
func (m *metric) String() string { return string(*m) }

func (m *metric) Set(s string) error {
	switch metric(s) {
	case byCPU, byWall:
		*m = metric(s)
		return nil
	}
	return fmt.Errorf("want cpu or wall")
}

// of returns the time of a sample in milliseconds.
func (m metric) of(s Sample) float64 {
	if m == byWall {
		return float64(s.Wall) / 1000
	}
	return float64(s.CPU) / 1000
}
