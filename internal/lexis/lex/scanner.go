package lex

import "unicode/utf8"

// A Kind tells the sorts of token. Punctuation is its own ASCII code.
type Kind uint8

// The kinds of token that are not punctuation.
const (
	EOF   Kind = iota
	Bad        // see Token.Fault
	Ident      // a name with its sigil
	Flag       // #FLAG
	Int        // integer literal
	FP         // floating-point literal with its suffix
	Word       // bare word, with a leading dot or without
	Str        // string with its quotes
	Arrow      // ->
)

// A Token is one token: the stretch [Off, End) of the source.
type Token struct {
	Kind     Kind
	Fault    Fault // Bad only
	NL       bool  // first token on its line
	Off, End Off
}

// A Comment is the stretch [Off, End) from the slashes to before the line end.
type Comment struct{ Off, End Off }

// A Dialect says which tokens a language has.
type Dialect struct {
	class  [256]class
	bareFP bool      // floating-point literals need no suffix
	bare   *Keywords // the words that are not names, if names need no sigil; else nil
}

type class uint8

const (
	other class = iota
	space
	letter
	digit
	sigil
	punct
	dot
	sign
	slash
	quote
	hash
)

// NewDialect makes a dialect from the characters that begin names and those
// that are punctuation. Flags, strings and the arrow are tokens only if flags is set.
func NewDialect(sigils, puncts string, flags bool) *Dialect {
	d := new(Dialect)
	for c := 'a'; c <= 'z'; c++ {
		d.class[c], d.class[c-'a'+'A'] = letter, letter
	}
	for c := '0'; c <= '9'; c++ {
		d.class[c] = digit
	}
	for _, c := range []byte(" \t\r\n") {
		d.class[c] = space
	}
	for _, c := range []byte(sigils) {
		d.class[c] = sigil
	}
	for _, c := range []byte(puncts) {
		d.class[c] = punct
	}
	d.class['.'] = dot
	d.class['+'], d.class['-'] = sign, sign
	d.class['/'] = slash
	if flags {
		d.class['"'] = quote
		d.class['#'] = hash
	}
	return d
}

// Strings makes strings tokens, without flags and the arrow.
func (d *Dialect) Strings() *Dialect {
	d.class['"'] = quote
	return d
}

// BareFP allows floating-point literals without a suffix.
func (d *Dialect) BareFP() *Dialect {
	d.bareFP = true
	return d
}

// BareNames makes words that are not keywords names, which need no sigil. They begin with a letter or an underscore and
// extend as far as other names.
func (d *Dialect) BareNames(keywords *Keywords) *Dialect {
	d.bare = keywords
	d.class['_'] = letter
	return d
}

// IsName reports whether a text is a sigil and a name.
func IsName(text string) bool {
	for i := 1; i < len(text); i++ {
		if !nameByte[text[i]] {
			return false
		}
	}
	return len(text) > 1
}

// nameByte has the characters of names after the sigil.
var nameByte = [256]bool{
	'-': true, '.': true, '0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true,
	'7': true, '8': true, '9': true, 'A': true, 'B': true, 'C': true, 'D': true, 'E': true, 'F': true,
	'G': true, 'H': true, 'I': true, 'J': true, 'K': true, 'L': true, 'M': true, 'N': true, 'O': true,
	'P': true, 'Q': true, 'R': true, 'S': true, 'T': true, 'U': true, 'V': true, 'W': true, 'X': true,
	'Y': true, 'Z': true, '_': true, 'a': true, 'b': true, 'c': true, 'd': true, 'e': true, 'f': true,
	'g': true, 'h': true, 'i': true, 'j': true, 'k': true, 'l': true, 'm': true, 'n': true, 'o': true,
	'p': true, 'q': true, 'r': true, 's': true, 't': true, 'u': true, 'v': true, 'w': true, 'x': true,
	'y': true, 'z': true,
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isHex(c byte) bool    { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// A Scanner cuts a source into tokens. It is just an offset: SeekTo may take it
// back to the beginning of any token.
type Scanner struct {
	src     []byte
	pos     int
	class   *[256]class
	bareFP  bool
	bare    *Keywords
	keep    bool
	comment []Comment
}

// NewScanner makes a scanner at the beginning of src, after a byte order mark
// if there is one. Comments are only kept if asked for.
func NewScanner(src []byte, d *Dialect, keepComments bool) Scanner {
	s := Scanner{src: src, class: &d.class, bareFP: d.bareFP, bare: d.bare, keep: keepComments}
	if len(src) >= 3 && src[0] == 0xef && src[1] == 0xbb && src[2] == 0xbf {
		s.pos = 3
	}
	return s
}

// Comments gives the comments passed so far, in order.
func (s *Scanner) Comments() []Comment { return s.comment }

// SeekTo makes the token at or after off the next one.
func (s *Scanner) SeekTo(off Off) { s.pos = int(off) }

// Next gives the next token, without end EOF when there is none.
func (s *Scanner) Next() Token {
	var t Token
	s.next(&t)
	return t
}

// next is Next, for the token that a reader keeps. It is not copied: a processor takes long to load what was just stored in
// smaller parts.
func (s *Scanner) next(t *Token) {
	src, i := s.src, s.pos
	nl := i == 0 || i == 3 && src[0] == 0xef
	for i < len(src) {
		c := src[i]
		cl := s.class[c]
		if cl == space {
			nl = nl || c == '\n' || c == '\r'
			i++
			continue
		}
		if cl == punct {
			s.pos = i + 1
			t.Kind, t.Fault, t.NL, t.Off, t.End = Kind(c), NoFault, nl, Off(i), Off(i+1)
			return
		}
		if cl == slash && i+1 < len(src) && src[i+1] == '/' {
			start := i
			for i < len(src) && src[i] != '\n' && src[i] != '\r' {
				i++
			}
			if n := len(s.comment); s.keep && (n == 0 || s.comment[n-1].Off < Off(start)) {
				s.comment = append(s.comment, Comment{Off(start), Off(i)})
			}
			continue
		}
		t.Fault, t.NL, t.Off = NoFault, nl, Off(i)
		s.scan(t, cl)
		s.pos = int(t.End)
		return
	}
	s.pos = i
	t.Kind, t.Fault, t.NL, t.Off, t.End = EOF, NoFault, true, Off(i), Off(i)
}

// scan finds kind and end of the token at t.Off, whose first byte has class cl, not punct.
func (s *Scanner) scan(t *Token, cl class) {
	src, i := s.src, int(t.Off)
	switch cl {
	case sigil:
		j := i + 1
		for j < len(src) && nameByte[src[j]] {
			j++
		}
		t.Kind, t.End = Ident, Off(j)
		if j == i+1 {
			t.Kind, t.Fault, t.End = Bad, EmptyName, Off(s.runEnd(j))
			return
		}
		s.checkBehind(t)
	case letter:
		t.End = Off(wordEnd(src, i))
		t.Kind = Word
		switch {
		case s.bare != nil && s.bareName(t):
		case isSpecialFP(src[i:t.End]):
			t.Kind = FP
			s.checkBehind(t)
		}
	case dot:
		if i+1 < len(src) && isLetter(src[i+1]) {
			t.Kind, t.End = Word, Off(wordEnd(src, i+1))
			return
		}
		s.bad(t)
	case digit:
		s.number(t)
	case sign:
		switch {
		case i+1 == len(src):
			s.bad(t)
		case isDigit(src[i+1]):
			s.number(t)
		case src[i] == '-' && src[i+1] == '>' && s.class['#'] == hash:
			t.Kind, t.End = Arrow, Off(i+2)
		case isLetter(src[i+1]):
			s.signedWord(t)
		default:
			s.bad(t)
		}
	case quote:
		s.str(t)
	case hash:
		j := i + 1
		for j < len(src) && ('A' <= src[j] && src[j] <= 'Z' || src[j] == '_') {
			j++
		}
		t.Kind, t.End = Flag, Off(j)
		if j == i+1 {
			t.Kind, t.Fault, t.End = Bad, EmptyFlag, Off(s.runEnd(j))
			return
		}
		s.checkBehind(t)
	default:
		s.bad(t)
	}
}

// wordEnd gives the end of the letters, digits and underscores from i.
func wordEnd(src []byte, i int) int {
	for i < len(src) && (isLetter(src[i]) || isDigit(src[i]) || src[i] == '_') {
		i++
	}
	return i
}

// bareName makes t a name without a sigil, if it is one.
func (s *Scanner) bareName(t *Token) bool {
	j := int(t.Off)
	for j < len(s.src) && nameByte[s.src[j]] {
		j++
	}
	if text := s.src[t.Off:j]; isSpecialFP(text) || *slot(s.bare, text) != 0 {
		return false
	}
	t.Kind, t.End = Ident, Off(j)
	s.checkBehind(t)
	return true
}

// isSpecialFP reports whether a bare word is an infinity or a NaN.
func isSpecialFP(w []byte) bool {
	if len(w) != 4 {
		return false
	}
	switch string(w) {
	case "inff", "infd", "nanf", "nand":
		return true
	}
	return false
}

// delimited reports whether a literal or name may end before src[i] (docs/language.md, "Text").
func (s *Scanner) delimited(i int) bool {
	if i >= len(s.src) {
		return true
	}
	switch s.class[s.src[i]] {
	case space, punct, sigil: // a sigil begins a new name
		return true
	case slash:
		return i+1 < len(s.src) && s.src[i+1] == '/'
	}
	return false
}

// runEnd gives the next place from i where a literal or name could end.
func (s *Scanner) runEnd(i int) int {
	for !s.delimited(i) {
		i++
	}
	return i
}

// checkBehind makes t Bad if something other than white space, a delimiter or a
// name stands directly after it.
func (s *Scanner) checkBehind(t *Token) {
	if end := int(t.End); !s.delimited(end) {
		t.Kind, t.Fault = Bad, Glued
		t.End = Off(s.runEnd(end))
	}
}

// bad makes t a Bad token of bytes that begin no token. Bytes outside ASCII
// that follow each other are one token, so that a word in another script is
// one error.
func (s *Scanner) bad(t *Token) {
	i := int(t.Off) + 1
	if s.src[t.Off] >= 0x80 {
		for i < len(s.src) && s.src[i] >= 0x80 {
			i++
		}
	}
	t.Kind, t.Fault, t.End = Bad, BadByte, Off(i)
}

// number scans an INT or FP number at t.Off.
func (s *Scanner) number(t *Token) {
	end, kind, fault := scanNumber(s.src, int(t.Off), s.bareFP)
	t.Kind, t.Fault, t.End = kind, fault, Off(end)
	if fault != NoFault {
		t.End = Off(s.runEnd(end))
		return
	}
	if s.delimited(end) {
		return
	}
	if kind == Int {
		t.Fault = intFault(s.src[end:s.runEnd(end)], s.src[t.Off:end])
	}
	if t.Fault == NoFault {
		t.Fault = Glued
	}
	t.Kind, t.End = Bad, Off(s.runEnd(end))
}

// scanNumber finds the end of the number at i: optional sign, then a digit. bareFP
// says that floating-point literals need no suffix.
func scanNumber(src []byte, i int, bareFP bool) (end int, kind Kind, fault Fault) {
	if src[i] == '+' || src[i] == '-' {
		i++
	}
	at := func(i int) byte {
		if i < len(src) {
			return src[i]
		}
		return 0
	}
	start := i
	if src[i] == '0' && at(i+1) == 'x' {
		for i += 2; isHex(at(i)); i++ {
		}
		if i == start+2 {
			return i, Bad, BadHex
		}
		return i, Int, NoFault
	}
	for isDigit(at(i)) {
		i++
	}
	if at(i) != '.' || !isDigit(at(i+1)) {
		if src[start] == '0' {
			for _, c := range src[start:i] {
				if c > '7' {
					return i, Bad, BadOctal
				}
			}
		}
		return i, Int, NoFault
	}
	for i++; isDigit(at(i)); i++ {
	}
	if at(i) == 'e' {
		j := i + 1
		if c := at(j); c == '+' || c == '-' {
			j++
		}
		if isDigit(at(j)) {
			for isDigit(at(j)) {
				j++
			}
			i = j
		}
	}
	if c := at(i); c == 'f' || c == 'd' {
		return i + 1, FP, NoFault
	}
	if bareFP {
		return i, FP, NoFault
	}
	return i, Bad, BadFP
}

// intFault tells what is wrong with an integer lit that behind follows
// directly; NoFault if it is not a number gone wrong.
func intFault(behind, lit []byte) Fault {
	switch c := behind[0]; {
	case c == 'X' && (string(lit) == "0" || len(lit) == 2 && lit[1] == '0'):
		return BadHexPrefix
	case c == 'e' || c == 'E':
		for _, c := range behind[1:] {
			if !isDigit(c) && c != '+' && c != '-' && c != 'f' && c != 'd' {
				return NoFault
			}
		}
		return NoFraction
	case len(behind) == 1 && (c|0x20 == 'f' || c|0x20 == 'd' || c == '.'):
		return NoFraction
	case len(behind) == 2 && c == '.' && (behind[1] == 'f' || behind[1] == 'd'):
		return NoFraction
	}
	return NoFault
}

// signedWord scans +inff and the like.
func (s *Scanner) signedWord(t *Token) {
	i := int(t.Off) + 1
	end := wordEnd(s.src, i)
	t.End = Off(end)
	switch w := string(s.src[i:min(end, i+5)]); w {
	case "inff", "infd":
		t.Kind = FP
		s.checkBehind(t)
	case "nanf", "nand":
		t.Kind, t.Fault = Bad, SignedNaN
	case "inf":
		t.Kind, t.Fault = Bad, BadInf
	default:
		s.bad(t)
	}
}

// str scans a string.
func (s *Scanner) str(t *Token) {
	i := int(t.Off) + 1
	t.Kind = Str
	for ; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == '"':
			t.End = Off(i + 1)
			if t.Kind == Str {
				s.checkBehind(t)
			}
			return
		case c == '\n' || c == '\r':
			t.Kind, t.Fault, t.End = Bad, OpenString, Off(i)
			return
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(s.src[i:])
			if r == utf8.RuneError && n == 1 {
				t.Kind, t.Fault = Bad, BadString
			}
			i += n - 1
		case c < ' ' || c == 0x7f:
			t.Kind, t.Fault = Bad, BadString
		}
	}
	t.Kind, t.Fault, t.End = Bad, OpenString, Off(i)
}
