package lex

import "strings"

// Nearest finds the name that most resembles a misspelt one, "" if none is near: the same
// but for case, or away by one letter for every three that the misspelt one has, three
// letters at most. Of names that are equally near it takes the first in alphabetical order.
// each calls its argument with the names.
func Nearest(name string, each func(func(string))) string {
	best, at := "", 1+min(3, len(name)/3)
	each(func(s string) {
		if s == name || len(s) > len(name)+at || len(name) > len(s)+at {
			return
		}
		d := edits(name, s, at)
		if strings.EqualFold(name, s) {
			d = 0
		}
		if d < at || d == at && best != "" && s < best {
			best, at = s, d
		}
	})
	return best
}

// DidYouMean is the end of a message about an unknown word: the nearest of the known ones, or
// nothing if none is near.
func DidYouMean(name string, known []string) string {
	best := Nearest(name, func(f func(string)) {
		for _, k := range known {
			f(k)
		}
	})
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// edits is the number of edits between two names, or a number greater than limit if there are
// more. An edit inserts, removes or replaces a byte, or swaps two neighbours.
func edits(a, b string, limit int) int {
	const most = 64
	if len(a) > most || len(b) > most {
		return limit + 1
	}
	var rows [3][most + 1]int // of the last letters of a, the current one first
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		least := i + 1
		for j := range len(b) {
			d := last[j]
			if a[i] != b[j] {
				d = 1 + min(d, row[j], last[j+1])
				if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
					d = min(d, 1+before[j-1])
				}
			}
			row[j+1] = d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1
		}
	}
	return row[len(b)]
}
