// Package lex reads the parts that HAIL scripts and declarations, the texts that are read
// at run time, have in common: white space, comments and the characters of names
// (docs/language.md, "Text"). The packages of the two texts read the other tokens.
package lex

import "strings"

// Space returns the offset of the first character at or after pos that is neither white space nor
// part of a comment, len(src) if there is none.
func Space(src string, pos int) int {
	for pos < len(src) {
		switch c := src[pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			pos++
		case strings.HasPrefix(src[pos:], "//"):
			n := strings.IndexByte(src[pos:], '\n')
			if n < 0 {
				return len(src)
			}
			pos += n
		default:
			return pos
		}
	}
	return pos
}

// IsName reports whether a name may contain the character, after its sigil.
func IsName(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '.' || c == '-'
}
