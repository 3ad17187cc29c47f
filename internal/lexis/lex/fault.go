package lex

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// A Fault tells what is wrong with a Bad token.
type Fault uint8

// The faults of tokens.
const (
	NoFault      Fault = iota
	BadByte            // begins no token
	EmptyName          // sigil alone
	EmptyFlag          // # alone
	Glued              // something directly after a literal or name
	BadOctal           // 08
	BadHexPrefix       // 0X1
	BadHex             // 0x
	NoFraction         // 1d, 1e5d
	BadFP              // 1.0, 1.0e
	BadInf             // -inf
	SignedNaN          // -nanf
	OpenString         // no closing quote on the line
	BadString          // control character in a string, or a byte that is not UTF-8
)

// Problem gives place and text of the message for a Bad token of src. The text
// stays short however long the token is.
func (t Token) Problem(src []byte) (Off, string) {
	text := Quote(src[t.Off:t.End])
	switch t.Fault {
	case EmptyName:
		if t.End > t.Off+1 {
			return t.Off, fmt.Sprintf("bad name %s: a name has letters, digits, _, . and -", text)
		}
		return t.Off, fmt.Sprintf("bad name: %c stands alone", src[t.Off])
	case EmptyFlag:
		if t.End == t.Off+1 {
			return t.Off, badByte(src[t.Off:t.End])
		}
		return t.Off, fmt.Sprintf("bad flag %s: a flag has capital letters and _, as in #DEFAULT; comments begin with //", text)
	case Glued:
		at := t.gluedAt(src)
		if c := src[at]; c < ' ' || c >= 0x7f {
			return at, badByte(src[at:t.End])
		}
		hint := "white space wanted"
		switch c := src[at]; {
		case c == ';' || c == ',' || c == '/':
			hint = advice(src[at:t.End])
		case !isDigit(src[at-1]):
		case c == '_':
			hint = "digits are written without _"
		case at == t.Off+1 && src[t.Off] == '0' && (c|0x20 == 'b' || c|0x20 == 'o'):
			hint = "integers are decimal, octal after 0, or hexadecimal after 0x"
		}
		return at, fmt.Sprintf("unexpected %s directly behind %s: %s", Quote(src[at:t.End]), Quote(src[t.Off:at]), hint)
	case OpenString:
		return t.Off, "bad string: no closing quote on the line"
	case BadString:
		for i := t.Off; i < t.End; {
			r, n := utf8.DecodeRune(src[i:t.End])
			switch {
			case r == utf8.RuneError && n == 1:
				return i, fmt.Sprintf("bad string: byte 0x%02x is not UTF-8", src[i])
			case r < ' ' || r == 0x7f:
				return i, "bad string: " + badByte(src[i:t.End])
			}
			i += Off(n)
		}
	}
	if format := literalFaults[t.Fault]; format != "" {
		return t.Off, fmt.Sprintf(format, text)
	}
	return t.Off, badByte(src[t.Off:])
}

// literalFaults say of a literal what is wrong with it.
var literalFaults = map[Fault]string{
	BadOctal:     "bad integer %s: a leading 0 means octal, which has no digits 8 and 9",
	BadHexPrefix: "bad integer %s: the hexadecimal prefix is 0x",
	BadHex:       "bad integer %s: hexadecimal digits wanted behind 0x",
	NoFraction:   "bad floating-point literal %s: it needs a fraction, as in 1.0d or 1.0e5f",
	BadFP:        "bad floating-point literal %s: it ends with f or d, as in 1.5f or 1.0e-5d",
	BadInf:       "bad floating-point literal %s: infinity ends with f or d, as in +inff or -infd",
	SignedNaN:    "bad floating-point literal %s: nanf and nand have no sign",
}

// gluedAt finds where the literal or name of a Glued token ends.
func (t Token) gluedAt(src []byte) Off {
	i := int(t.Off)
	switch c := src[i]; {
	case isDigit(c) || (c == '+' || c == '-') && isDigit(src[i+1]):
		i, _, _ = scanNumber(src, i, false)
	case c == '+' || c == '-' || isLetter(c):
		i = wordEnd(src, i+1)
	case c == '"':
		i += 2 + bytes.IndexByte(src[i+1:], '"')
	case c == '#':
		for i++; 'A' <= src[i] && src[i] <= 'Z' || src[i] == '_'; i++ {
		}
	default:
		for i++; nameByte[src[i]]; i++ {
		}
	}
	return Off(i)
}

// badByte describes the first character of b, which begins no token.
func badByte(b []byte) string {
	switch c := b[0]; {
	case c == 0:
		return "unexpected NUL byte"
	case c < ' ' || c == 0x7f:
		return fmt.Sprintf("unexpected control character 0x%02x", c)
	case c < 0x80:
		msg := fmt.Sprintf("unexpected character %c", c)
		if hint := advice(b); hint != "" {
			msg += ": " + hint
		}
		return msg
	}
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n <= 1 {
		return fmt.Sprintf("unexpected byte 0x%02x: only comments may hold anything but ASCII", b[0])
	}
	if r == 0xfeff {
		return "unexpected byte order mark: it may stand at the beginning of the file only"
	}
	return fmt.Sprintf("unexpected character %q (%U): only comments may hold anything but ASCII", r, r)
}

// advice says what to write instead of the characters that other languages have,
// "" for those that tell nothing.
func advice(b []byte) string {
	switch c := b[0]; {
	case c == ';':
		return "comments begin with //, and lines end without a mark"
	case c == ',':
		return "white space alone separates names"
	case c == '#' || c == '/' || c == '-' && len(b) > 1 && b[1] == '-':
		return "comments begin with //"
	case c == '\'':
		return "a character is written as its number"
	case c == '$':
		return "names begin with @ or %"
	}
	return ""
}

// maxQuote is the number of bytes of a token that a message shows.
const maxQuote = 60

// Quote gives a piece of the source for use in a message: as written, but cut
// if long, and with what cannot be printed replaced.
func Quote(text []byte) string {
	cut := len(text) > maxQuote
	if cut {
		text = text[:maxQuote]
	}
	out := make([]byte, 0, len(text)+3)
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r < ' ' || r == 0x7f || r == utf8.RuneError && n <= 1:
			out = append(out, '?')
		default:
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	if cut {
		out = append(out, "..."...)
	}
	return string(out)
}
