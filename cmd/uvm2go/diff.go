package main

import (
	"fmt"
	"strings"
)

// unifiedDiff shows what differs between two texts, with three lines of
// context. Lines that the ends have in common are cut off first; the rest is
// compared by longest common subsequence when that is small enough, and
// otherwise shown as one replacement.
func unifiedDiff(name string, before, after []byte) string {
	a, b := lines(before), lines(after)
	pre := 0
	for pre < len(a) && pre < len(b) && a[pre] == b[pre] {
		pre++
	}
	post := 0
	for post < len(a)-pre && post < len(b)-pre && a[len(a)-1-post] == b[len(b)-1-post] {
		post++
	}
	ops := edits(a[pre:len(a)-post], b[pre:len(b)-post])
	type line struct {
		op   byte
		text string
	}
	var all []line
	for _, l := range a[:pre] {
		all = append(all, line{' ', l})
	}
	i, j := pre, pre
	for _, op := range ops {
		switch op {
		case ' ':
			all = append(all, line{' ', a[i]})
			i++
			j++
		case '-':
			all = append(all, line{'-', a[i]})
			i++
		case '+':
			all = append(all, line{'+', b[j]})
			j++
		}
	}
	for _, l := range a[len(a)-post:] {
		all = append(all, line{' ', l})
	}
	const context = 3
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s (formatted)\n", name, name)
	na, nb := 1, 1
	for k := 0; k < len(all); {
		if all[k].op == ' ' {
			next := k
			for next < len(all) && all[next].op == ' ' {
				next++
			}
			if next == len(all) {
				break
			}
			skip := max(0, next-k-context)
			na, nb, k = na+skip, nb+skip, k+skip
		}
		end, quiet := k, 0
		for end < len(all) && quiet <= 2*context {
			if all[end].op == ' ' {
				quiet++
			} else {
				quiet = 0
			}
			end++
		}
		end -= max(0, quiet-context)
		la, lb := 0, 0
		for _, l := range all[k:end] {
			if l.op != '+' {
				la++
			}
			if l.op != '-' {
				lb++
			}
		}
		fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n", na, la, nb, lb)
		for _, l := range all[k:end] {
			out.WriteByte(l.op)
			out.WriteString(l.text)
			out.WriteByte('\n')
		}
		na, nb, k = na+la, nb+lb, end
	}
	return out.String()
}

func lines(b []byte) []string {
	s := strings.TrimSuffix(string(b), "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// maxTable bounds the table of the longest common subsequence.
const maxTable = 4 << 20

// edits gives the operations that turn a into b: ' ', '-' and '+'.
func edits(a, b []string) []byte {
	n, m := len(a), len(b)
	if n*m > maxTable {
		return []byte(strings.Repeat("-", n) + strings.Repeat("+", m))
	}
	best := make([][]int32, n+1)
	for i := range best {
		best[i] = make([]int32, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if a[i] == b[j] {
				best[i][j] = best[i+1][j+1] + 1
			} else {
				best[i][j] = max(best[i+1][j], best[i][j+1])
			}
		}
	}
	var ops []byte
	i, j := 0, 0
	for i < n || j < m {
		switch {
		case i < n && j < m && a[i] == b[j]:
			ops = append(ops, ' ')
			i++
			j++
		case j == m || i < n && best[i+1][j] >= best[i][j+1]:
			ops = append(ops, '-')
			i++
		default:
			ops = append(ops, '+')
			j++
		}
	}
	return ops
}
