package syntax

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// An Off is a byte offset into a file.
type Off = lex.Off

// A Comment is the stretch of a comment.
type Comment = lex.Comment

// A Kind is a kind of token. The kind of punctuation is its ASCII code.
type Kind uint8

// The kinds of token that are not punctuation.
const (
	EOF     Kind = iota
	Bad          // see Token.Fault
	Ident        // %name
	Number       // #i1
	Word         // the name of an operation
	Keyword      // a word of the grammar
)

// A Fault says what is wrong with a Bad token.
type Fault uint8

// The faults of tokens.
const (
	NoFault     Fault = iota
	BadByte           // begins no token
	EmptyName         // % alone
	EmptyNumber       // # alone
	OpenComment       // no */
)

// A Token is the stretch [Off, End) of a file.
type Token struct {
	Kind     Kind
	Fault    Fault // of kind Bad
	NL       bool  // first on its line
	Off, End Off
}

// keywords are the words that do not name operations, and const, which is an operation at the
// head of an expression.
var keywords = map[string]bool{}

func init() {
	for _, w := range strings.Fields(`function recursive global define phi exists block landing_pad extern const cc_c
		sret llvm_byval llvm_inreg local private odr export import cc_x86_stdcall cc_x86_thiscall cc_x86_fastcall`) {
		keywords[w] = true
	}
}

// Keywords lists the words of the grammar that do not name operations.
func Keywords() []string { return slices.Sorted(maps.Keys(keywords)) }

// A Text is a file cut into tokens.
type Text struct {
	Src      string
	Tokens   []Token // the last is of kind EOF
	Comments []Comment
}

type scanner struct {
	Text
	i  int
	nl bool // no token yet on the line
}

// Scan cuts a file into tokens.
func Scan(src string) Text { return scan(src, math.MaxInt) }

// Head is the first n tokens of a file, or all of them and the end.
func Head(src string, n int) []Token { return scan(src, n).Tokens }

// scan cuts a file into tokens until there are n.
func scan(src string, n int) Text {
	s := &scanner{Text: Text{Src: src, Tokens: make([]Token, 0, min(len(src)/4, n)+16)}, nl: true}
	for s.skip(); s.i < len(src) && len(s.Tokens) < n; s.skip() {
		s.token()
	}
	s.nl = true
	s.add(EOF, NoFault, len(src))
	return s.Text
}

// skip moves over white space and comments.
func (s *scanner) skip() {
	for s.i < len(s.Src) {
		switch c := s.Src[s.i]; {
		case c == '\n':
			s.nl = true
			s.i++
		case c == ' ' || '\t' <= c && c <= '\r':
			s.i++
		case strings.HasPrefix(s.Src[s.i:], "//"):
			n := strings.IndexByte(s.Src[s.i:], '\n')
			if n < 0 {
				n = len(s.Src) - s.i
			}
			s.comment(len(strings.TrimRight(s.Src[s.i:s.i+n], " \t\v\f\r")), n)
		case strings.HasPrefix(s.Src[s.i:], "/*"):
			n := strings.Index(s.Src[s.i+2:], "*/")
			if n < 0 {
				return
			}
			s.nl = s.nl || strings.Contains(s.Src[s.i:s.i+n], "\n")
			s.comment(n+4, n+4)
		default:
			return
		}
	}
}

// comment notes a comment of a number of bytes and moves on by another number of bytes.
func (s *scanner) comment(bytes, on int) {
	s.Comments = append(s.Comments, Comment{Off: Off(s.i), End: Off(s.i + bytes)})
	s.i += on
}

// add makes a token up to an offset, and goes there.
func (s *scanner) add(k Kind, f Fault, end int) {
	s.Tokens = append(s.Tokens, Token{Kind: k, Fault: f, NL: s.nl, Off: Off(s.i), End: Off(end)})
	s.i, s.nl = end, false
}

// inWord reports whether a byte is part of names, numbers and words.
func inWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.'
}

// token makes the token at the current byte.
func (s *scanner) token() {
	end := s.i + 1
	run := func() bool {
		first := end
		for end < len(s.Src) && inWord(s.Src[end]) {
			end++
		}
		return end > first
	}
	switch c := s.Src[s.i]; {
	case strings.IndexByte("=;:,>(){}|", c) >= 0:
		s.add(Kind(c), NoFault, end)
	case c == '%':
		if run() {
			s.add(Ident, NoFault, end)
		} else {
			s.add(Bad, EmptyName, end)
		}
	case c == '#':
		if run() {
			s.add(Number, NoFault, end)
		} else {
			s.add(Bad, EmptyNumber, end)
		}
	case inWord(c):
		run()
		if keywords[s.Src[s.i:end]] {
			s.add(Keyword, NoFault, end)
		} else {
			s.add(Word, NoFault, end)
		}
	case strings.HasPrefix(s.Src[s.i:], "/*"):
		s.add(Bad, OpenComment, len(s.Src))
	default:
		// A character outside ASCII is one error, and so are several in a row.
		for c >= 0x80 && end < len(s.Src) && s.Src[end] >= 0x80 {
			end++
		}
		s.add(Bad, BadByte, end)
	}
}
