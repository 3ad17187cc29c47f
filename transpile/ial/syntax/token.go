package syntax

import (
	"math"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// An Off is a byte offset into a file.
type Off = lex.Off

// A Comment is the stretch of a comment, from its slashes to before the line end.
type Comment = lex.Comment

// A Kind is a kind of token. The kind of punctuation is its ASCII code.
type Kind uint8

// The kinds of token that are not punctuation.
const (
	EOF     Kind = iota
	Bad          // see Token.Fault
	Ident        // without quotes; the words that are keywords in some places only too
	Quoted       // an identifier in quotes
	Keyword      // a word that is no identifier without quotes, mnemonics included
	Int
	Float
	Special // nan, inf
)

// A Token is the stretch [Off, End) of a file.
type Token struct {
	Kind     Kind
	Fault    Fault // of kind Bad
	NL       bool  // first on its line
	Off, End Off
}

// isName reports whether the token is an identifier.
func (t Token) isName() bool { return t.Kind == Ident || t.Kind == Quoted }

// isLit reports whether the token is a literal.
func (t Token) isLit() bool { return t.Kind == Int || t.Kind == Float || t.Kind == Special }

// A Text is a file cut into tokens.
type Text struct {
	Src      string
	Tokens   []Token // the last is of kind EOF
	Comments []Comment

	malformed []Token // bytes in comments and names that are not UTF-8
}

// A scanner cuts a file into tokens.
type scanner struct {
	Text
	src string
	i   int
	nl  bool // no token yet on the line

	unclosed bool // no quote closes another from here on
	steps    int  // bytes looked at for closing quotes, for tests
}

// Scan cuts a file into tokens.
func Scan(src string) Text { return scan(src, math.MaxInt).Text }

// Head is the first n tokens of a file, or all of them and the end.
func Head(src string, n int) []Token { return scan(src, n).Tokens }

// scan cuts a file into tokens until there are n.
func scan(src string, n int) *scanner {
	// In most files a token has about six bytes.
	s := &scanner{Text: Text{Src: src, Tokens: make([]Token, 0, min(len(src)/5, n)+16)}, src: src, nl: true}
	if strings.HasPrefix(src, "\xef\xbb\xbf") {
		s.i = 3
	}
	if foreign(src) != "" {
		s.add(Bad, ForeignText, len(src))
	}
	for s.skip(); s.i < len(src) && len(s.Tokens) < n; s.skip() {
		s.token()
	}
	s.nl = true
	s.add(EOF, NoFault, len(src))
	return s
}

// foreign names the encoding that the byte order mark of a file announces, "" if it has
// none, or that of UTF-8.
func foreign(src string) string {
	switch {
	case strings.HasPrefix(src, "\xff\xfe\x00\x00"), strings.HasPrefix(src, "\x00\x00\xfe\xff"):
		return "UTF-32"
	case strings.HasPrefix(src, "\xff\xfe"), strings.HasPrefix(src, "\xfe\xff"):
		return "UTF-16"
	}
	return ""
}

// skip moves over white space and comments.
func (s *scanner) skip() {
	for s.i < len(s.src) {
		switch c := s.src[s.i]; {
		case c == '\n':
			s.nl = true
			s.i++
		case c == ' ' || '\t' <= c && c <= '\r':
			s.i++
		case c == '/' && s.at(1) == '/':
			start := s.i
			for s.i < len(s.src) && s.src[s.i] != '\n' {
				s.i++
			}
			end := start + len(strings.TrimRight(s.src[start:s.i], " \t\v\f\r"))
			s.Comments = append(s.Comments, Comment{Off: Off(start), End: Off(end)})
			s.checkUTF8(start, end)
		default:
			return
		}
	}
}

// at returns the byte n after the current one, 0 beyond the end.
func (s *scanner) at(n int) byte {
	if s.i+n < len(s.src) {
		return s.src[s.i+n]
	}
	return 0
}

// add makes a token up to an offset, and goes there.
func (s *scanner) add(k Kind, f Fault, end int) {
	s.Tokens = append(s.Tokens, Token{Kind: k, Fault: f, NL: s.nl, Off: Off(s.i), End: Off(end)})
	s.i, s.nl = end, false
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '.' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isHex(c byte) bool    { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// token makes the token at the current byte.
func (s *scanner) token() {
	switch c := s.src[s.i]; c {
	case '{', '}', '(', ')', '[', ']', ':', ';', ',', '=', '*', '&', '/':
		s.add(Kind(c), NoFault, s.i+1)
	case '\'':
		s.quoted()
	case '+', '-':
		s.signed()
	default:
		switch {
		case isLetter(c):
			s.word()
		case isDigit(c):
			s.number(s.i)
		default:
			s.other()
		}
	}
}

// word makes an identifier, a keyword, nan or inf.
func (s *scanner) word() {
	end := s.wordEnd(s.i)
	switch w := s.src[s.i:end]; {
	case w == "nan" || w == "inf":
		s.literal(Special, end)
	case module.Reserved(w):
		s.add(Keyword, NoFault, end)
	default:
		s.add(Ident, NoFault, end)
	}
}

// wordEnd finds the end of the word at i. A point at its beginning, if a digit follows, is
// a word by itself.
func (s *scanner) wordEnd(i int) int {
	start := i
	for i < len(s.src) && (isLetter(s.src[i]) || i > start && isDigit(s.src[i])) {
		if i++; i == start+1 && s.src[start] == '.' && i < len(s.src) && isDigit(s.src[i]) {
			break
		}
	}
	return i
}

// literal makes a literal. A word directly after it is a Bad token.
func (s *scanner) literal(k Kind, end int) {
	s.add(k, NoFault, end)
	if isLetter(s.at(0)) || isDigit(s.at(0)) {
		s.add(Bad, Glued, s.runEnd(end))
	}
}

// runEnd finds the end of the characters that directly follow a literal.
func (s *scanner) runEnd(i int) int {
	for i < len(s.src) && (isLetter(s.src[i]) || isDigit(s.src[i])) {
		i++
	}
	return i
}

// signed makes the literal at a sign.
func (s *scanner) signed() {
	switch c := s.at(1); {
	case isDigit(c):
		s.number(s.i + 1)
	case c == 'n' || c == 'i':
		end := s.wordEnd(s.i + 1)
		if w := s.src[s.i+1 : end]; w == "nan" || w == "inf" {
			s.literal(Special, end)
			return
		}
		fallthrough
	default:
		s.add(Bad, BadByte, s.i+1)
	}
}

// number makes the number whose first digit is at i, after the sign if there is one.
func (s *scanner) number(i int) {
	digits := func() (n int) {
		for ; i < len(s.src) && isDigit(s.src[i]); i++ {
			n++
		}
		return n
	}
	if s.src[i] == '0' && i+1 < len(s.src) && s.src[i+1] == 'x' {
		start := i + 2
		for i = start; i < len(s.src) && isHex(s.src[i]); i++ {
		}
		if i == start {
			s.add(Bad, NoHexDigit, s.runEnd(i))
			return
		}
		s.literal(Int, i)
		return
	}
	digits()
	if i == len(s.src) || s.src[i] != '.' {
		s.literal(Int, i)
		return
	}
	i++
	if digits() == 0 {
		s.add(Bad, NoFraction, s.runEnd(i))
		return
	}
	if i < len(s.src) && s.src[i] == 'e' {
		mantissa := i
		if i++; i < len(s.src) && (s.src[i] == '+' || s.src[i] == '-') {
			i++
		}
		if digits() == 0 {
			i = mantissa
		}
	}
	s.literal(Float, i)
}

// quoted makes an identifier in quotes. A quote after a backslash is part of it.
func (s *scanner) quoted() {
	i := s.i + 1
	if s.unclosed {
		// All remaining quotes follow a backslash.
		i = len(s.src)
	}
	for ; i < len(s.src) && s.src[i] != '\''; i++ {
		s.steps++
		if s.src[i] == '\\' && i+1 < len(s.src) && s.src[i+1] == '\'' {
			i++
		}
	}
	switch {
	case i >= len(s.src):
		s.unclosed = true
		// Most names are on one line, so reading can continue on the next.
		end := s.i + 1
		for end < len(s.src) && s.src[end] != '\n' && s.src[end] != ';' {
			end++
		}
		s.add(Bad, OpenQuote, end)
	case i == s.i+1:
		s.add(Bad, EmptyQuote, i+1)
	default:
		start := s.i
		s.add(Quoted, NoFault, i+1)
		s.checkUTF8(start, i+1)
	}
}
