package lang

import (
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// A Reader goes through the tokens of package lex of a text, and adds those that mean the same
// everywhere to the index.
type Reader struct {
	*Divider
	I      int // of the next token
	Braces int // open ones of the definition
	Angles int // open ones
	toks   []lex.Token
	same   map[string]string // spellings so far: most occur often
}

// spelling returns bytes as a string, the same one for the same bytes.
func (r *Reader) spelling(b []byte) string {
	if s, ok := r.same[string(b)]; ok {
		return s
	}
	s := string(b)
	r.same[s] = s
	return s
}

// NewReader makes a reader with all tokens of a text.
func NewReader(src []byte, sc lex.Scanner) *Reader {
	r := &Reader{Divider: NewDivider(src), toks: make([]lex.Token, 0, len(src)/5), same: map[string]string{}}
	for t := sc.Next(); t.Kind != lex.EOF; t = sc.Next() {
		r.toks = append(r.toks, t)
	}
	return r
}

// More reports whether there is a next token.
func (r *Reader) More() bool { return r.I < len(r.toks) }

// Kind is the kind of the token n after the next one, EOF outside of the text.
func (r *Reader) Kind(n int) lex.Kind { return r.At(r.I + n) }

// At is the kind of a token, EOF outside of the text.
func (r *Reader) At(i int) lex.Kind {
	if i < 0 || i >= len(r.toks) {
		return lex.EOF
	}
	return r.toks[i].Kind
}

// Text returns the next token as written, "" at the end.
func (r *Reader) Text() string { return r.TextAt(0) }

// TextAt returns the token n after the next one as written, "" outside of the text.
func (r *Reader) TextAt(n int) string {
	if r.Kind(n) == lex.EOF {
		return ""
	}
	t := r.toks[r.I+n]
	return r.spelling(r.Src[t.Off:t.End])
}

// Next is the place of the next token.
func (r *Reader) Next() (off, end uint32) {
	if !r.More() {
		return uint32(len(r.Src)), uint32(len(r.Src))
	}
	t := r.toks[r.I]
	return uint32(t.Off), uint32(t.End)
}

// Take passes the next token, and returns its place.
func (r *Reader) Take() (off, end uint32) {
	t := r.toks[r.I]
	r.Token(uint32(t.Off), uint32(t.End))
	r.I++
	return uint32(t.Off), uint32(t.End)
}

// TakeWord passes the next token, which is no name.
func (r *Reader) TakeWord(c Class) {
	off, end := r.Take()
	r.Word(c, off, end)
}

// Literal passes the next token if it is a number, a string or a flag.
func (r *Reader) Literal() bool {
	c := Number
	switch r.Kind(0) {
	case lex.Int, lex.FP:
	case lex.Str:
		c = String
	case lex.Flag:
		c = FlagWord
	default:
		return false
	}
	r.TakeWord(c)
	return true
}

// Definition begins a definition, whose keyword is the next token, and adds its global name, which it returns: "" if
// none follows. decl says that another text may define the name.
func (r *Reader) Definition(k Kind, decl bool) (key string) {
	r.Braces, r.Angles = 0, 0
	off, _ := r.Next()
	r.Begin(k, off)
	r.TakeWord(Keyword)
	if r.Kind(0) != lex.Ident {
		return ""
	}
	key = r.Text()
	off, end := r.Take()
	r.Label(r.Item, off, end)
	if decl {
		r.Declare(k, key, off, end)
	} else {
		r.Name(k, true, Global, key, off, end)
	}
	return key
}

// Punct passes the next token, which is no word, counts it if it is a bracket, and returns its kind. With its last brace
// a definition ends.
func (r *Reader) Punct() lex.Kind {
	k, last := r.Kind(0), r.Last()
	_, end := r.Take()
	switch k {
	case '<':
		r.Angles++
	case '>':
		r.Angles = max(r.Angles-1, 0)
	case '{':
		r.Braces++
	case '}':
		if r.Braces--; r.Braces <= 0 {
			r.End(last, end)
		}
	}
	return k
}

// Marked makes Language.Rename for languages whose names begin with one of the sigils. Users may leave
// them out.
func Marked(sigils string) func(old, name string) (string, bool) {
	return func(old, name string) (string, bool) {
		mark := ""
		if strings.ContainsAny(old[:1], sigils) {
			mark = old[:1]
		}
		if name != "" && strings.ContainsAny(name[:1], sigils) {
			if mark != "" && name[:1] != mark {
				return "", false
			}
			name = name[1:]
		}
		return mark + name, lex.IsName(sigils[:1] + name)
	}
}
