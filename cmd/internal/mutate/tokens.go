package mutate

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
)

// tokenPattern matches tokens of all dialects, and the white space and comments between them.
var tokenPattern = regexp.MustCompile(`(?s)[ \t\r\n]+|//[^\n]*|"[^"\n]*"|'[^'\n]*'|[@%#$.]?[A-Za-z0-9_.+-]+|.`)

// split splits a text into its tokens and the white space and comments between them.
func split(text []byte) [][]byte { return tokenPattern.FindAll(text, -1) }

// The kinds of tokens; a token can be replaced by one of the same kind.
type kind int

const (
	blank kind = iota // white space, a comment
	global
	local
	number
	word
	other
)

func kindOf(t []byte) kind {
	c := t[0]
	switch {
	case typedNumber.Match(t):
		return number
	case c == ' ' || c == '\t' || c == '\r' || c == '\n' || bytes.HasPrefix(t, []byte("//")):
		return blank
	case c == '@' && len(t) > 1:
		return global
	case c == '%' && len(t) > 1:
		return local
	case c >= '0' && c <= '9' || (c == '-' || c == '+') && len(t) > 1:
		return number
	case c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || (c == '.' || c == '#') && len(t) > 1:
		return word
	}
	return other
}

// typedNumber matches the beginning of a number in TVM, which tells its type.
var typedNumber = regexp.MustCompile(`^#u?[bsilqp]`)

// extremes are numbers near which behaviour changes.
var extremes = []string{"0", "1", "-1", "2", "3", "4", "5", "7", "8", "9", "15", "16", "17", "31", "32", "33", "52", "53", "63", "64", "65", "100", "127",
	"128", "255", "256", "1000", "4095", "4096", "4097", "65535", "65536", "1000000", "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296",
	"9223372036854775807", "-9223372036854775808", "18446744073709551615", "0x7fffffffffffffff", "0x10000000000000000", "0.0f", "1.0d", "-0.0d", "+inff", "nand"}

// names are names that mean something in Go, in generated code or to the linker, or that are nearly the same.
var names = []string{"func", "type", "main", "init", "_", "-", ".", "a.b", "a-b", "a_b", "A", "a", "t", "rt", "fp", "r0", "r1", "nil", "true", "len", "uint64", "unsafe",
	"string", "error", "goto", "select", "range", "types", "desc", "unwind", "frame", "done", "x_2", "x.2", "1", "0x", "4xfloat", "uvm", "C", "num", "atomics",
	"Call", "Fail", "New", "p", "p.p", "go", "any", "iota", "int", "math", "cell", "sig", "const", "var", "String"}

// text makes one change to the text of a bundle or script.
func (s *Source) text(r *rand.Rand, ending string, text []byte) ([]byte, string) {
	switch n := r.IntN(10); {
	case n < 5:
		return s.token(r, ending, text)
	case n < 8:
		return s.line(r, ending, text)
	}
	return rename(r, text)
}

// token changes one token.
func (s *Source) token(r *rand.Rand, ending string, text []byte) ([]byte, string) {
	tokens := split(text)
	var at []int // the indices of the tokens, without white space and comments
	for i, t := range tokens {
		if kindOf(t) != blank {
			at = append(at, i)
		}
	}
	if len(at) < 3 {
		return nil, ""
	}
	k := r.IntN(len(at) - 1)
	i := at[k]
	t := tokens[i]
	same := func() []byte { // a token of the same kind, nearby in most cases
		for range 20 {
			j := k + r.IntN(81) - 40
			if r.IntN(4) == 0 {
				j = r.IntN(len(at))
			}
			if j >= 0 && j < len(at) && kindOf(tokens[at[j]]) == kindOf(t) {
				return tokens[at[j]]
			}
		}
		return t
	}
	what := ""
	switch n := r.IntN(12); {
	case kindOf(t) == number && n < 6:
		tokens[i], what = append(typedNumber.Find(t), extremes[r.IntN(len(extremes))]...), "number"
	case kindOf(t) == word && n < 4 && len(s.words[ending]) > 0:
		tokens[i], what = s.words[ending][r.IntN(len(s.words[ending]))], "word"
	case n < 8:
		tokens[i], what = same(), "token"
	case n < 9:
		tokens[i], what = nil, "no token"
	case n < 10:
		tokens[i], what = append(append(append([]byte(nil), same()...), ' '), t...), "one more token"
	default:
		j := at[k+1]
		tokens[i], tokens[j], what = tokens[j], tokens[i], "swapped tokens"
	}
	return bytes.Join(tokens, nil), what + " " + strconv.Quote(string(t))
}

// line drops, repeats or moves a line, or copies one from another bundle.
func (s *Source) line(r *rand.Rand, ending string, text []byte) ([]byte, string) {
	lines := bytes.SplitAfter(text, []byte("\n"))
	i, j := r.IntN(len(lines)), r.IntN(len(lines))
	if r.IntN(2) == 0 {
		j = min(len(lines)-1, max(0, i+r.IntN(9)-4))
	}
	l := lines[i]
	if len(bytes.TrimSpace(l)) == 0 {
		return nil, ""
	}
	insert := func(at int, l []byte) [][]byte {
		return append(append(append([][]byte(nil), lines[:at]...), l), lines[at:]...)
	}
	what := ""
	switch r.IntN(5) {
	case 0:
		lines, what = append(append([][]byte(nil), lines[:i]...), lines[i+1:]...), "no line"
	case 1:
		lines, what = insert(j, fresh(r, l)), "one more line"
	case 2:
		lines[i], lines[j], what = lines[j], lines[i], "swapped lines"
	case 3:
		lines = insert(j, l)
		if j <= i {
			i++
		}
		lines, what = append(lines[:i:i], lines[i+1:]...), "moved line"
	case 4:
		donors := s.donors[ending]
		l = donors[r.IntN(len(donors))]
		lines, what = insert(j, fresh(r, l)), "foreign line"
	}
	return bytes.Join(lines, nil), what + " " + strconv.Quote(string(bytes.TrimSpace(l)))
}

// fresh changes the first name of a line, which is in most cases the name that the line defines.
func fresh(r *rand.Rand, l []byte) []byte {
	tokens := split(l)
	for i, t := range tokens {
		if k := kindOf(t); k == global || k == local {
			tokens[i] = fmt.Appendf(nil, "%s%d", t, r.IntN(1000))
			break
		}
	}
	return bytes.Join(tokens, nil)
}

// rename changes a name everywhere.
func rename(r *rand.Rand, text []byte) ([]byte, string) {
	tokens := split(text)
	var at []int
	for i, t := range tokens {
		if k := kindOf(t); (k == global || k == local) && !bytes.HasPrefix(t, []byte("@uvm.")) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return nil, ""
	}
	old := tokens[at[r.IntN(len(at))]]
	spelling := names[r.IntN(len(names))]
	if r.IntN(4) == 0 { // a spelling that is nearly that of another name
		near := tokens[at[r.IntN(len(at))]][1:]
		spelling = string(near) + []string{"_", ".", "-", "_2", ".1", "_slot", "-t"}[r.IntN(7)]
	}
	name := []byte(string(old[0]) + spelling)
	for i, t := range tokens {
		if bytes.Equal(t, old) {
			tokens[i] = name
		}
	}
	return bytes.Join(tokens, nil), fmt.Sprintf("%s is %s", old, name)
}

// flip changes bytes.
func flip(r *rand.Rand, text []byte) []byte {
	text = bytes.Clone(text)
	for range 1 + r.IntN(3) {
		if len(text) == 0 {
			break
		}
		i := r.IntN(len(text))
		switch r.IntN(6) {
		case 0:
			text[i] ^= 1 << r.IntN(8)
		case 1:
			text[i] = byte(r.IntN(256))
		case 2:
			text[i] = []byte{0, 1, 0x7f, 0x80, 0xff}[r.IntN(5)]
		case 3:
			text = append(text[:i:i], text[i+1:]...)
		case 4:
			text = append(append(text[:i:i], text[r.IntN(len(text))]), text[i:]...)
		case 5: // a piece from another place
			j := r.IntN(len(text))
			copy(text[i:], text[j:min(len(text), j+1+r.IntN(16))])
		}
	}
	return text
}
