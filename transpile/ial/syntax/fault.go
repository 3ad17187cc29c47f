package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// A Fault says what is wrong with a Bad token.
type Fault uint8

// The faults of tokens.
const (
	NoFault     Fault = iota
	BadByte           // begins no token
	Malformed         // not UTF-8
	ForeignText       // of another encoding
	OpenQuote         // no closing quote
	EmptyQuote        // ''
	Glued             // something directly after a literal
	NoFraction        // 1.
	NoHexDigit        // 0x
)

// other makes a Bad token of a character that begins no token. Consecutive characters
// outside ASCII form one token, so that a word of another script is one error.
func (s *scanner) other() {
	end := s.i + 1
	if s.src[s.i] < utf8.RuneSelf {
		s.add(Bad, BadByte, end)
		return
	}
	for end < len(s.src) && s.src[end] >= utf8.RuneSelf {
		end++
	}
	if utf8.ValidString(s.src[s.i:end]) {
		s.add(Bad, BadByte, end)
	} else {
		s.add(Bad, Malformed, end)
	}
}

// checkUTF8 notes a comment or a name in quotes that is not UTF-8.
func (s *scanner) checkUTF8(start, end int) {
	if !utf8.ValidString(s.src[start:end]) {
		s.malformed = append(s.malformed, Token{Kind: Bad, Fault: Malformed, Off: Off(start), End: Off(end)})
	}
}

// malformedAt finds the first byte of a text that is not UTF-8.
func malformedAt(text string) int {
	for i, r := range text {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(text[i:]); n <= 1 {
				return i
			}
		}
	}
	return 0
}

// problem returns place and text of the message for a Bad token; before is the token in
// front of it.
func (t Token) problem(src string, before Token) (Off, string) {
	text := lex.Quote([]byte(src[t.Off:t.End]))
	switch t.Fault {
	case Malformed:
		at := t.Off + Off(malformedAt(src[t.Off:t.End]))
		return at, fmt.Sprintf("bad byte 0x%02x: the text is not UTF-8", src[at])
	case ForeignText:
		return t.Off, foreign(src) + " text: IAL is written in UTF-8"
	case OpenQuote:
		return t.Off, `bad name: no closing quote; a quote in a name is written \', and a name cannot end with a backslash`
	case EmptyQuote:
		return t.Off, "bad name: nothing in the quotes"
	case NoFraction:
		return t.Off, fmt.Sprintf("bad literal %s: digit expected after the point, as in 1.0", text)
	case NoHexDigit:
		return t.Off, fmt.Sprintf("bad literal %s: digit expected after 0x", text)
	case Glued:
		lit := src[before.Off:before.End]
		return t.Off, fmt.Sprintf("unexpected %s directly after %s: %s", text, lex.Quote([]byte(lit)), glued(src[t.Off:t.End], lit))
	}
	return t.Off, badByte(src[t.Off:])
}

// glued says what to write instead of a word directly after a literal.
func glued(word, lit string) string {
	switch c := word[0]; {
	case c == 'X' && lit[len(lit)-1] == '0':
		return "the prefix of hexadecimal literals is 0x"
	case c == 'e' || c == 'E':
		return "an exponent is written as in 1.0e5 or 1.0e-5"
	case strings.IndexByte("fFdDuUlL", c) >= 0:
		return "literals have no suffix, the mnemonic gives the type"
	case c == '_':
		return "digits are written without _"
	case c == '.':
		return "a literal has one point at most, a hexadecimal one none"
	}
	return "white space or a delimiter wanted"
}

// badByte describes the first character of text, which begins no token.
func badByte(text string) string {
	switch c := text[0]; {
	case c == 0:
		return "unexpected NUL byte"
	case c < ' ' || c == 0x7f:
		return fmt.Sprintf("unexpected control character 0x%02x", c)
	case c < utf8.RuneSelf:
		msg := fmt.Sprintf("unexpected character %c", c)
		if hint := byteHints[c]; hint != "" {
			msg += ": " + hint
		}
		return msg
	}
	r, _ := utf8.DecodeRuneInString(text)
	if r == 0xfeff {
		return "unexpected byte order mark: it may stand at the beginning of the file only"
	}
	return fmt.Sprintf("unexpected character %q (%U): names with it stand in quotes, '...'", r, r)
}

// byteHints say what to write instead of characters that other languages use.
var byteHints = map[byte]string{
	'"': "there are no strings; load.ui8a and data take their bytes, and names with other characters stand in single quotes",
	'#': "comments begin with //",
	'%': "names have no sign in front",
	'@': "names have no sign in front",
	'$': "names with it stand in quotes, '...'",
	'<': "element counts stand in [ ] or { }",
	'-': "a sign stands directly in front of the digits",
	'+': "a sign stands directly in front of the digits",
	'!': "there are no operators, only instructions",
}
