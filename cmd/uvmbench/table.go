package main

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// align makes lines from rows, with columns two spaces apart; how has l or r for each
// column. Trailing spaces are cut.
func align(rows [][]string, how string) string {
	width := make([]int, len(how))
	for _, r := range rows {
		for i, c := range r {
			// A row of one cell is a heading, which may have any width.
			if n := utf8.RuneCountInString(c); len(r) > 1 && n > width[i] {
				width[i] = n
			}
		}
	}
	var b strings.Builder
	for _, r := range rows {
		var line strings.Builder
		for i, c := range r {
			pad := strings.Repeat(" ", max(0, width[i]-utf8.RuneCountInString(c)))
			if i > 0 {
				line.WriteString("  ")
			}
			if how[i] == 'r' {
				line.WriteString(pad + c)
			} else {
				line.WriteString(c + pad)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// millis shows a time with three digits, because more would be noise.
func millis(ms float64) string {
	switch {
	case math.IsNaN(ms):
		return ""
	case ms < 10:
		return fmt.Sprintf("%.2f", ms)
	case ms < 100:
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

// ratioText shows a ratio; it returns "" if there is none.
func ratioText(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return fmt.Sprintf("%.2f", v)
}

func rangeText(s spread) string {
	if math.IsNaN(s.median) {
		return ""
	}
	return fmt.Sprintf("%.2f..%.2f", s.min, s.max)
}

// columns are the twins that have a column of times and one of ratios.
var columns = []string{twinGo, twinC, twinJava}

// writeTable shows a report: a row for each kernel, geometric means by group, the
// twins that only some kernels have, and a comparison with the goals.
func writeTable(b *strings.Builder, r *Report, m metric) {
	fmt.Fprintf(b, "uvmbench %s, %s/%s, %d CPUs, %s sizes, %d runs each", r.Date, r.OS, r.Arch, r.CPUs, r.Size, r.Repeats)
	if len(r.Load) == 2 {
		fmt.Fprintf(b, ", load average %.1f before, %.1f after", r.Load[0], r.Load[1])
	}
	b.WriteString("\n")
	for _, t := range r.Tools {
		fmt.Fprintf(b, "  %s\n", t)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(b, "note: %s\n", n)
	}
	fmt.Fprintf(b, "\nMedian %s time in milliseconds, from..to of all runs; ratios of medians, from..to of single rounds; median peak memory.\n\n", m)
	rows := [][]string{{"", "uvm2go", "from..to", "Go", "C", "Java", "/Go", "from..to", "/C", "/Java", "wall/Go", "MB", "Go MB"}}
	for _, g := range groups {
		if g == groupOverheads {
			continue
		}
		rows = append(rows, groupRows(r, g, m)...)
	}
	if len(rows) > 1 {
		b.WriteString(align(rows, "lrrrrrrrrrrrr"))
	}
	if rows := otherRows(r, m); len(rows) > 1 {
		b.WriteString("\n" + align(rows, "llrrrr"))
	}
	if rows := engineRows(r, m); len(rows) > 1 {
		b.WriteString("\n" + align(rows, "l"+strings.Repeat("r", len(rows[0])-1)))
	}
	if r.Size == sizeSmall {
		b.WriteString("\nSmall sizes: start and end of the programs are most of the times; no summary.\n")
	} else if st := standings(r, m); len(st) > 0 {
		b.WriteString("\n" + align(standingRows(st), "llrrlrll"))
	}
}

// groupRows returns the rows of a group, with its name first and the means last.
func groupRows(r *Report, group string, m metric) [][]string {
	names := r.kernels(group)
	if len(names) == 0 {
		return nil
	}
	rows := [][]string{{group}}
	means := map[string][]float64{}
	var walls []float64
	for _, k := range names {
		mu := r.find(k, twinMu)
		t := summarize(mu.times(m))
		row := []string{"  " + k, millis(t.median), ""}
		if mu != nil {
			row[2] = millis(t.min) + ".." + millis(t.max)
		}
		for _, c := range columns {
			row = append(row, millis(summarize(r.find(k, c).times(m)).median))
		}
		for _, c := range columns {
			x, ok := r.ratio(k, twinMu, c, m)
			if ok {
				means[c] = append(means[c], x.median)
			}
			row = append(row, ratioText(x.median))
			if c == twinGo {
				row = append(row, rangeText(x))
			}
		}
		wall, ok := r.ratio(k, twinMu, twinGo, byWall)
		if ok {
			walls = append(walls, wall.median)
		}
		row = append(row, ratioText(wall.median))
		for _, twin := range []string{twinMu, twinGo} {
			cell := ""
			if x := r.find(k, twin); x != nil && x.peak() > 0 {
				cell = fmt.Sprintf("%.0f", x.peak())
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	if len(names) > 1 {
		rows = append(rows, []string{"  geometric mean", "", "", "", "", "",
			ratioText(geomean(means[twinGo])), "", ratioText(geomean(means[twinC])), ratioText(geomean(means[twinJava])),
			ratioText(geomean(walls)), "", ""})
	}
	return rows
}

// otherRows returns the comparisons with twins that have no column.
func otherRows(r *Report, m metric) [][]string {
	rows := [][]string{{"", "against", "ms", "its ms", "ratio", "from..to"}}
	for _, x := range r.Results {
		against, other := "", twinMu
		switch x.Twin {
		case twinErr, twinChan:
			against = againstNames[x.Twin]
		case twinMu0:
			against = "-O0"
		case twinOld:
			against = "text of 2014"
		case twinIAL:
			against = "IAL"
		case twinFree:
			against, other = "IAL without tests", twinIAL
		case twinTVM:
			against = "TVM"
		case twinWithout:
			against = "without"
		}
		base := r.find(x.Kernel, other)
		if against == "" || base == nil {
			continue
		}
		s, _ := r.ratio(x.Kernel, other, x.Twin, m)
		rows = append(rows, []string{x.Kernel, against, millis(summarize(base.times(m)).median),
			millis(summarize(x.times(m)).median), ratioText(s.median), rangeText(s)})
	}
	if mu, golang := r.find(startKernel, twinMu), r.find(startKernel, twinGo); mu != nil && golang != nil {
		a, b := summarize(mu.times(byWall)), summarize(golang.times(byWall))
		rows = append(rows, []string{startKernel, "Go, wall time", millis(a.median), millis(b.median), "", ""})
	}
	return rows
}

// standingRows returns the rows of the summary.
func standingRows(all []standing) [][]string {
	rows := [][]string{{"summary", "against", "kernels", "mean", "", "worst", "", "goal"}}
	for _, s := range all {
		verdict := "missed"
		if s.met {
			verdict = "met"
		}
		worst := ""
		if s.kernels > 1 {
			worst = ratioText(s.worst)
		}
		rows = append(rows, []string{s.title, s.against, fmt.Sprint(s.kernels), ratioText(s.value), strings.TrimSpace(s.unit), worst,
			onlyIf(worst != "", s.worstOf), s.goal + ": " + verdict})
	}
	return rows
}

func onlyIf(cond bool, s string) string {
	if cond {
		return s
	}
	return ""
}
