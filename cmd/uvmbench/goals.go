package main

import (
	"cmp"
	"fmt"
	"strings"
)

// A goal is a target for translated code: a ratio of medians, over the kernels of a
// group or for one kernel.
type goal struct {
	title   string
	group   string
	kernels []string // nil for all of the group, or of all groups except the overheads
	of      string   // twin, "" for the translated program
	against string   // twin
	mean    float64
	worst   float64 // for any single kernel, 0 for none
	metric  metric  // "" for that of the command line
}

// goals are the rows of the summary.
var goals = []goal{
	{title: groupArith, group: groupArith, against: twinGo, mean: 0.85, worst: 1.10},
	{title: groupArith, group: groupArith, against: twinC, mean: 1.35},
	{title: groupCalls, group: groupCalls, against: twinGo, mean: 0.85},
	{title: groupCalls, group: groupCalls, against: twinC, mean: 1.5},
	{title: groupObjects + ", CPU time", group: groupObjects, against: twinGo, mean: 0.50, worst: 0.80, metric: byCPU},
	{title: groupObjects + ", CPU time", group: groupObjects, against: twinJava, mean: 1.0, metric: byCPU},
	{title: "exception through 10 frames", kernels: []string{"throw10"}, against: twinGo, mean: 0.10},
	{title: "exception through 10 frames", kernels: []string{"throw10"}, against: twinErr, mean: 1.2},
	{title: "SWAPSTACK switch", kernels: []string{"generator"}, against: twinGo, mean: 1.2},
	{title: "SWAPSTACK switch", kernels: []string{"generator"}, against: twinChan, mean: 0.30},
	{title: "keep-alive clauses", kernels: []string{"keepalive"}, against: twinWithout, mean: 1.02},
	{title: "disabled watchpoint in a hot loop", kernels: []string{"watchpoint"}, against: twinWithout, mean: 1.05},
	{title: "//line directives", group: groupOverheads, against: twinWithout, mean: 1.02},
	{title: "live, all kernels", of: twinLive, against: twinMu, mean: 15},
	{title: "live, " + groupObjects, group: groupObjects, of: twinLive, against: twinMu, mean: 4},
	{title: "live", of: twinLive, against: twinWasmInt, mean: 1.0 / 3},
	{title: "live", kernels: scripted, of: twinLive, against: twinPython, mean: 0.2},
}

// scripted are the kernels for which there is a goal against CPython.
var scripted = []string{"deltablue", "fib", "nbody", "richards", "spectralnorm"}

// startGoal is the time in milliseconds of wall time that an empty translated program
// may take longer than an empty Go program.
const startGoal = 5.0

// againstNames are the names of the twins in the summary.
var againstNames = map[string]string{
	twinGo: "Go", twinErr: "Go, error returns", twinChan: "Go, channels", twinC: "gcc -O2",
	twinJava: "HotSpot", twinWithout: "without them", twinMu: "translated",
	twinWasmInt: "wazero's interpreter", twinPython: "CPython",
}

// A standing compares a report with a goal.
type standing struct {
	title, against string
	kernels        int
	value          float64
	worst          float64 // the highest ratio of a kernel
	worstOf        string
	unit           string // "" for ratios
	goal           string
	met            bool
}

// standings compares a report with the goals. Goals without measurements are
// left out.
func standings(r *Report, m metric) []standing {
	var all []standing
	for _, g := range goals {
		if s, ok := g.standing(r, m); ok {
			all = append(all, s)
		}
	}
	if d, ok := startDelay(r); ok {
		all = append(all, standing{
			title: "start to end of an empty program, wall time", against: "Go", kernels: 1, value: d, unit: " ms more",
			goal: fmt.Sprintf("%.0f ms", startGoal), met: d <= startGoal,
		})
	}
	return all
}

func (g *goal) standing(r *Report, m metric) (standing, bool) {
	if g.metric != "" {
		m = g.metric
	}
	names := g.kernels
	for _, group := range groups {
		if g.kernels == nil && (g.group == group || g.group == "" && group != groupOverheads) {
			names = append(names, r.kernels(group)...)
		}
	}
	s := standing{title: g.title, against: againstNames[g.against], goal: fmt.Sprintf("%.2f", g.mean)}
	var v []float64
	for _, k := range names {
		if g.against == twinWithout && g.kernels == nil && !strings.HasPrefix(k, "lines-") {
			continue
		}
		x, ok := r.ratio(k, cmp.Or(g.of, twinMu), g.against, m)
		if !ok {
			continue
		}
		v = append(v, x.median)
		if x.median > s.worst {
			s.worst, s.worstOf = x.median, k
		}
	}
	if len(v) == 0 {
		return s, false
	}
	s.kernels = len(v)
	s.value = geomean(v)
	s.met = s.value <= g.mean
	if g.worst > 0 {
		s.goal += fmt.Sprintf(", each %.2f", g.worst)
		s.met = s.met && s.worst <= g.worst
	}
	return s, true
}

// startDelay returns the time in milliseconds that an empty translated program takes
// longer than an empty Go program.
func startDelay(r *Report) (float64, bool) {
	mu, golang := r.find(startKernel, twinMu), r.find(startKernel, twinGo)
	if mu == nil || golang == nil {
		return 0, false
	}
	return summarize(mu.times(byWall)).median - summarize(golang.times(byWall)).median, true
}
