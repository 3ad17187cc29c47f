package main

import (
	"fmt"
	"math"
	"strings"
)

// noiseFloor is the smallest change that counts as a change.
const noiseFloor = 0.02

// A verdict tells whether a change is significant.
type verdict string

const (
	within verdict = "~" // within the scatter of the measurements
	faster verdict = "faster"
	slower verdict = "SLOWER"
)

// judge compares two series of ratios to a twin that is the same in both, so that
// differences between machines or days cancel out. A change counts if it is above
// the noise floor and above the scatter of both series, and if the series do not
// overlap.
func judge(old, new spread) (change float64, v verdict) {
	change = new.median/old.median - 1
	if math.IsNaN(change) || math.Abs(change) <= max(noiseFloor, old.noise()+new.noise()) {
		return change, within
	}
	switch {
	case new.max < old.min:
		return change, faster
	case new.min > old.max:
		return change, slower
	}
	return change, within
}

// A change is a row of the comparison.
type change struct {
	kernel   string
	old, new spread // ratios to the twin in Go, or times without one
	ratio    bool
	change   float64
	verdict  verdict
}

// compare returns the changes of the kernels that both reports have.
func compare(old, new *Report, m metric) []change {
	var cs []change
	for _, x := range new.Results {
		if x.Twin != twinMu || old.find(x.Kernel, twinMu) == nil {
			continue
		}
		c := change{kernel: x.Kernel}
		base := twinGo
		if x.Group == groupOverheads && x.Kernel != startKernel {
			base = twinWithout
		}
		var ok1, ok2 bool
		c.old, ok1 = old.ratio(x.Kernel, twinMu, base, m)
		c.new, ok2 = new.ratio(x.Kernel, twinMu, base, m)
		c.ratio = ok1 && ok2
		if !c.ratio {
			c.old = summarize(old.find(x.Kernel, twinMu).times(m))
			c.new = summarize(x.times(m))
		}
		c.change, c.verdict = judge(c.old, c.new)
		cs = append(cs, c)
	}
	return cs
}

// writeComparison writes the changes.
func writeComparison(b *strings.Builder, old, new *Report, m metric) {
	fmt.Fprintf(b, "Change since %s, in ratios of %s time to the twin in Go\n", old.Date, m)
	if old.Size != new.Size {
		fmt.Fprintf(b, "note: then %s sizes, now %s sizes: the two cannot be compared\n", old.Size, new.Size)
		return
	}
	for _, t := range missing(new.Tools, old.Tools) {
		fmt.Fprintf(b, "note: not the compiler of then: now %s\n", t)
	}
	cs := compare(old, new, m)
	rows := [][]string{{"", "old", "from..to", "new", "from..to", "change", ""}}
	byVerdict := map[verdict]int{}
	var factors []float64
	for _, c := range cs {
		show, span := ratioText, rangeText
		if !c.ratio {
			show = func(v float64) string { return millis(v) + " ms" }
			span = func(s spread) string { return millis(s.min) + ".." + millis(s.max) }
		}
		byVerdict[c.verdict]++
		if !math.IsNaN(c.change) && c.change > -1 {
			factors = append(factors, 1+c.change)
		}
		rows = append(rows, []string{c.kernel, show(c.old.median), span(c.old), show(c.new.median), span(c.new),
			fmt.Sprintf("%+.1f%%", 100*c.change), string(c.verdict)})
	}
	if len(cs) == 0 {
		b.WriteString("no kernel is in both\n")
		return
	}
	b.WriteString(align(rows, "lrrrrrl"))
	fmt.Fprintf(b, "%d faster, %d slower, %d within noise", byVerdict[faster], byVerdict[slower], byVerdict[within])
	if len(factors) > 0 {
		fmt.Fprintf(b, "; geometric mean %+.1f%%", 100*(geomean(factors)-1))
	}
	b.WriteString("\n")
}

// missing returns those of a that are not in b.
func missing(a, b []string) []string {
	in := map[string]bool{}
	for _, x := range b {
		in[x] = true
	}
	var out []string
	for _, x := range a {
		if !in[x] {
			out = append(out, x)
		}
	}
	return out
}
