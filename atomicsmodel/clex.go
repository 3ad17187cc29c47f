package atomicsmodel

import (
	"fmt"
	"strings"
)

// A ctoken is a word, a number or a mark of a litmus test in C.
type ctoken struct {
	text      string
	line, col int
	quoted    bool
}

func (t ctoken) String() string {
	if t.text == "" {
		return "the end of the file"
	}
	return fmt.Sprintf("%q", t.text)
}

// cMarks are the marks of more than one character.
var cMarks = []string{"==", "!=", "&&", "||", `/\`, `\/`}

// clex splits a text into tokens, the last of which is empty. Comments are those of C, and (* *).
func clex(text string) []ctoken {
	var toks []ctoken
	line, start := 1, 0
	lastEnd := strings.LastIndex(text, "*)")
	for i := 0; i < len(text); {
		rest := text[i:]
		n := 1
		switch c := text[i]; {
		case c == '\n':
			line, start = line+1, i+1
		case c == ' ' || c == '\t' || c == '\r':
		case strings.HasPrefix(rest, "//"):
			n = end(rest, "\n", 0)
		case strings.HasPrefix(rest, "/*"):
			n = end(rest, "*/", 2)
		case strings.HasPrefix(rest, "(*") && i < lastEnd: // otherwise the access (*x)
			n = end(rest, "*)", 2)
		case c == '"':
			n = 1 + end(rest[1:], `"`, 1)
			toks = append(toks, ctoken{strings.Trim(rest[:n], `"`), line, i - start + 1, true})
		default:
			for n < len(rest) && wordByte(c) && wordByte(rest[n]) {
				n++
			}
			for _, m := range cMarks {
				if strings.HasPrefix(rest, m) {
					n = len(m)
				}
			}
			toks = append(toks, ctoken{rest[:n], line, i - start + 1, false})
		}
		if n > 1 {
			if k := strings.Count(rest[:n], "\n"); k > 0 {
				line, start = line+k, i+strings.LastIndexByte(rest[:n], '\n')+1
			}
		}
		i += n
	}
	return append(toks, ctoken{"", line, len(text) - start + 1, false})
}

// end returns the length of a text up to a mark, and so much of the mark; all of the text without the mark.
func end(text, mark string, and int) int {
	if i := strings.Index(text, mark); i >= 0 {
		return i + and
	}
	return len(text)
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
