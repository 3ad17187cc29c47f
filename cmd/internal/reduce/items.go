package reduce

import (
	"slices"
	"strings"
)

// items tries to leave out the content of each pair of brackets, then each of its elements: types of fields and of
// parameters, arguments, operands. Elements are separated by blanks, commas or semicolons.
func (r *reducer) items() {
	for at := 0; at < len(r.text) && !r.over(); at++ {
		if at = next(r.text, at); at >= len(r.text) {
			return
		}
		for {
			cuts := elements(r.text, at)
			if n := len(cuts); n > 1 { // all together first
				cuts = slices.Insert(cuts, 0, stretch{cuts[0].from, cuts[n-1].to})
			}
			if r.first(len(cuts), func(i int) string { return r.text[:cuts[i].from] + r.text[cuts[i].to:] }) == len(cuts) {
				break
			}
		}
	}
}

// next finds the next opening bracket.
func next(text string, at int) int {
	for ; at < len(text); at++ {
		if strings.IndexByte("(<[{", text[at]) >= 0 {
			return at
		}
	}
	return at
}

// A stretch is a part of a text.
type stretch struct{ from, to int }

// elements finds the elements in the brackets that open at a place, each with a separator. Brackets that do not close in
// the next lines have none: bodies are not lists.
func elements(text string, at int) (list []stretch) {
	const longest = 4096
	depth, start, wordless := 0, at+1, true
	for i := at; i < min(len(text), at+longest); i++ {
		switch c := text[i]; {
		case strings.IndexByte("(<[{", c) >= 0:
			depth++
			wordless = wordless && depth == 1
		case strings.IndexByte(")>]}", c) >= 0:
			if depth--; depth == 0 {
				if !wordless {
					list = append(list, stretch{start, i})
				}
				if n := len(list); n > 1 { // the last has the separator before it
					for from := list[n-1].from; from > list[n-2].from && strings.IndexByte(" ,;", text[from-1]) >= 0; from-- {
						list[n-1].from = from - 1
					}
				}
				return list
			}
		case c == '\n':
			return nil
		case depth == 1 && (c == ' ' || c == ',' || c == ';'):
			if wordless {
				continue
			}
			for i+1 < len(text) && strings.IndexByte(" ,;", text[i+1]) >= 0 {
				i++
			}
			list = append(list, stretch{start, i + 1})
			start, wordless = i+1, true
		default:
			wordless = false
		}
	}
	return nil
}
