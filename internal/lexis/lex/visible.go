package lex

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible is text in which people see every character: one that is not printable, such as a
// line break, U+2028 or a byte that is not UTF-8, is written as in a Go string: \n, \u2028,
// \xff. Other text is returned as it is, so it is not possible to get the original text back.
func Visible(s string) string {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f {
			return visible(s, i)
		}
	}
	return s
}

// visible is Visible for text whose first n bytes are printable.
func visible(s string, n int) string {
	var b strings.Builder
	b.WriteString(s[:n])
	for i := n; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		c := s[i : i+size]
		if r == utf8.RuneError && size == 1 || !unicode.IsPrint(r) {
			q := strconv.Quote(c)
			c = q[1 : len(q)-1]
		}
		b.WriteString(c)
		i += size
	}
	return b.String()
}

// VisibleLines is Visible for the errors of a bundle that is loaded, each of which is a line after a tab.
func VisibleLines(s string) string {
	lines := strings.Split(s, "\n\t")
	for i, l := range lines {
		lines[i] = Visible(l)
	}
	return strings.Join(lines, "\n\t")
}

// Line is text as the rest of a line of a table: what is not Visible is written as a Go string. FromLine
// reads it.
func Line(s string) string {
	if Visible(s) != s || strings.HasPrefix(s, `"`) {
		return strconv.Quote(s)
	}
	return s
}

// FromLine returns the text that Line was given.
func FromLine(s string) string {
	if strings.HasPrefix(s, `"`) {
		if text, err := strconv.Unquote(s); err == nil {
			return text
		}
	}
	return s
}
