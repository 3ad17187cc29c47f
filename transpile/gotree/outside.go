package gotree

import (
	"fmt"
	"go/token"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// Text from outside: names in bundles, names of files, constants, options. Whatever it is, it must
// not become code that Go compiles or runs while it builds. So the printer itself only writes
// words, constants of this package, to which Go converts no variable of type string. All other text
// goes through Outside, and positions through placeText, which keep it where it belongs.

// A word is text of the printer itself.
type word string

// A Slot is where text from outside stands in Go.
type Slot uint8

const (
	// InName is an identifier. Names that are none get other characters, equal names the same ones.
	InName Slot = iota
	// InComment is the rest of a line that // begins. Characters that are not printable, which
	// include line breaks and all that Go refuses in a comment, are escaped.
	InComment
	// InFlags is a line in a comment of several lines, such as a directive #cgo.
	InFlags
	// InPreamble is C in a comment of several lines. A */ is spread over two lines, which C joins.
	InPreamble
	// InString is a string constant in quotes.
	InString
	// InRaw is a string constant in backquotes, or in quotes if it cannot be one.
	InRaw
)

// Outside appends text from outside to Go.
func Outside(out []byte, in Slot, s string) []byte {
	switch in {
	case InName:
		return append(out, identifier(s)...)
	case InComment:
		return append(out, lex.Visible(s)...)
	case InFlags:
		return append(out, lex.FileName(s)...)
	case InPreamble:
		for i, line := range strings.Split(s, "\n") {
			if i > 0 {
				out = append(out, '\n')
			}
			for ; strings.HasPrefix(line, "\t"); line = line[1:] {
				out = append(out, '\t')
			}
			out = append(out, strings.ReplaceAll(lex.Visible(line), "*/", "*\\\n/")...)
		}
		return out
	case InRaw:
		if canBeRaw(s) {
			return append(append(append(out, '`'), s...), '`')
		}
	}
	return strconv.AppendQuote(out, s)
}

// canBeRaw reports whether a string constant in backquotes has the same value.
func canBeRaw(s string) bool {
	return !strings.ContainsAny(s, "`\r\x00\ufeff") && utf8.ValidString(s)
}

// identifier makes an identifier of a name that is none.
func identifier(s string) string {
	if isIdentifier(s) {
		return s
	}
	var b strings.Builder
	for i, c := range []byte(s) {
		if isLetter(c) || i > 0 && isDigit(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "_%02x", c)
		}
	}
	return b.String() + "_"
}

// isIdentifier reports whether a name is an identifier of ASCII characters.
func isIdentifier(s string) bool {
	lower := true
	for i := range len(s) {
		c := s[i]
		if !isLetter(c) && (i == 0 || !isDigit(c)) {
			return false
		}
		lower = lower && c >= 'a'
	}
	return s != "" && !(lower && token.IsKeyword(s))
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// A Directive is what a function asks of Go's compiler.
type Directive uint8

const (
	NoInline Directive = iota
	NoRace
	NoCheckPtr
)

var directives = [...]word{NoInline: "//go:noinline", NoRace: "//go:norace", NoCheckPtr: "//go:nocheckptr"}

// placeText appends the position of a directive //line or /*line.
func placeText(out []byte, at Pos) []byte { return lex.AppendPlace(out, at.file(), at.Line) }

// name writes the name of something.
func (p *printer) name(s string) { p.out = Outside(p.out, InName, s) }

// comment writes a line with a comment.
func (p *printer) comment(s string) {
	p.str("// ")
	p.out = Outside(p.out, InComment, s)
	p.end()
}
