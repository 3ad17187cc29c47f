package lang

import (
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// A Reader goes through the tokens of package lex of a text, and adds those that mean the same
// everywhere to the index.
type Reader struct {
	*Builder
	I    int // of the next token
	toks []lex.Token
	same map[string]string // spellings so far: most occur often
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
	r := &Reader{Builder: NewBuilder(src, false), toks: make([]lex.Token, 0, len(src)/5), same: map[string]string{}}
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

// Off is where the next token begins.
func (r *Reader) Off() uint32 {
	if !r.More() {
		return uint32(len(r.Src))
	}
	return uint32(r.toks[r.I].Off)
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
