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

// edits is the number of single-byte edits between two names, or a number
// greater than limit if there are more.
func edits(a, b string, limit int) int {
	const most = 64
	if len(a) > most || len(b) > most {
		return limit + 1
	}
	var row [most + 1]int
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range len(a) {
		diagonal, least := row[0], i+1
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1
		}
	}
	return row[len(b)]
}
