package ir

import (
	"strconv"
	"strings"
)

// A token of the text form. Its sigil is the byte it begins with, or 0 for
// words, numbers included.
type token struct {
	text  string
	off   int
	sigil byte
}

// A line is the tokens of one line that is not empty.
type line struct {
	toks []token
	end  int
}

func (l line) word() string {
	if l.toks[0].sigil != 0 {
		return ""
	}
	return l.toks[0].text
}

func (l line) is(s string) bool { return len(l.toks) == 1 && l.toks[0].text == s }

// splitLines splits a text into tokens.
func splitLines(src string) (lines []line) {
	for start := 0; start < len(src); {
		end := strings.IndexByte(src[start:], '\n')
		if end < 0 {
			end = len(src)
		} else {
			end += start
		}
		if toks := splitLine(src[start:end], start); len(toks) > 0 {
			lines = append(lines, line{toks, end})
		}
		start = end + 1
	}
	return lines
}

func splitLine(s string, base int) (toks []token) {
	for i := 0; i < len(s); {
		c := s[i]
		from := i
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case strings.HasPrefix(s[i:], "//"):
			return toks
		case strings.HasPrefix(s[i:], "->"):
			i += 2
		case isNameByte(c):
			for i < len(s) && (isNameByte(s[i]) || s[i] == '+') {
				i++
			}
			toks = append(toks, token{s[from:i], base + from, 0})
			continue
		case c == '"':
			i = endOfString(s, i)
		case c == '@' || c == '%' || c == '^' || c == '$':
			i++
			if i < len(s) && s[i] == '"' {
				i = endOfString(s, i)
			} else if i < len(s) && s[i] == '@' && c != '@' {
				i++
			}
			for i < len(s) && isNameByte(s[i]) {
				i++
			}
		default:
			i++
		}
		toks = append(toks, token{s[from:i], base + from, c})
	}
	return toks
}

func endOfString(s string, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// splitName splits the name of a value or block into the name after its sigil
// and the number, -1 if it has none.
func splitName(s string) (name string, n int, ok bool) {
	s = s[1:]
	digits := s
	if i := strings.LastIndexByte(s, '.'); i >= 0 {
		digits, name = s[i+1:], s[:i]
	}
	n = -1
	if v, err := strconv.ParseUint(digits, 10, 31); err == nil && (digits == "0" || digits[0] != '0') {
		n = int(v)
		if len(digits) == len(s) {
			return "", n, true
		}
	} else {
		name = s
	}
	switch {
	case strings.HasPrefix(name, `"`):
		u, err := strconv.Unquote(name)
		return u, n, err == nil
	case strings.HasPrefix(name, "@"):
		return name, n, true
	}
	return "%" + name, n, name != "" || n >= 0
}

// Tokens calls each with the places of the tokens of a text, in order. first says that a token begins its
// line.
func Tokens(src string, each func(off, end int, first bool)) {
	for _, l := range splitLines(src) {
		for i, t := range l.toks {
			each(t.off, t.off+len(t.text), i == 0)
		}
	}
}
