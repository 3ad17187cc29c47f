package lex

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// maxErrors is the number of errors after which a file is given up, so that a
// file of another kind does not fill the memory with messages.
const maxErrors = 10_000

// A Reader is what the recursive-descent parsers have in common: the current
// token, the state after an error, and the making of messages.
//
// An error makes the reader Failed: from then on, all that take a token do
// nothing, so that productions need no tests of their own except in loops and
// where they look at Tok themselves. The parser's recovery skips to a place
// where it can continue and clears the state.
type Reader struct {
	Src  []byte
	Syms *Symbols
	Scan Scanner

	Tok    Token
	Kw     Keyword // of Tok, if it is a keyword
	Failed bool
	Bad    bool // an error was reported

	// What is being read, for messages.
	Word string // ".const", "ADD", "block"
	Name Name   // what it defines, if that is already known
	Off  Off    // where it begins
	// Shape is how it is written, if that is of help: the advice of messages that
	// have no better one. Begin forgets it.
	Shape string

	// Reports are the errors so far, in the order in which they were found.
	Reports []*Report

	kws     *Keywords
	bare    map[Sym]bool // names that were read without a sigil; nil if all need one
	errors  int
	lastErr Off  // where the last error was, if Bad
	stopped bool // after maxErrors
}

// A Report is an error in the source.
type Report struct {
	Off   Off
	Msg   string
	Notes []Note
}

// A Note is another place that a report speaks of. Msg leads up to the place, such as "previous
// definition".
type Note struct {
	Off Off
	Msg string
}

// First gives the report whose place is first, nil if there is none.
func First(reports []*Report) *Report {
	if len(reports) == 0 {
		return nil
	}
	return slices.MinFunc(reports, func(a, b *Report) int { return cmp.Compare(a.Off, b.Off) })
}

// Position gives line and column, in bytes, of an offset, from 1.
func Position(src []byte, off Off) (line, col int) {
	before := src[:min(int(off), len(src))]
	return 1 + bytes.Count(before, []byte{'\n'}), len(before) - bytes.LastIndexByte(before, '\n')
}

// NewReader makes a reader at the first token of a source.
func NewReader(src []byte, syms *Symbols, d *Dialect, kws *Keywords, keepComments bool) Reader {
	r := Reader{Src: src, Syms: syms, Scan: NewScanner(src, d, keepComments), kws: kws}
	if d.bare != nil {
		r.bare = map[Sym]bool{}
	}
	r.Next()
	return r
}

// Next moves to the next token.
func (r *Reader) Next() {
	r.Kw = 0
	if r.stopped {
		end := Off(len(r.Src))
		r.Tok = Token{Kind: EOF, NL: true, Off: end, End: end}
		return
	}
	r.Scan.next(&r.Tok)
	if r.Tok.Kind == Word {
		r.Kw = *slot(r.kws, r.Src[r.Tok.Off:r.Tok.End])
	}
}

// Peek gives the token after the current one.
func (r *Reader) Peek() Token {
	t := r.Scan.Next()
	r.Scan.SeekTo(r.Tok.End)
	return t
}

// Is reports whether the current token is the punctuation c.
func (r *Reader) Is(c byte) bool { return r.Tok.Kind == Kind(c) }

// Text gives the current token as written.
func (r *Reader) Text() []byte { return r.Src[r.Tok.Off:r.Tok.End] }

// Begin says what is being read from here on.
func (r *Reader) Begin(word string, name Name, off Off) {
	r.Word, r.Name, r.Off, r.Shape = word, name, off, ""
}

// Subject names what is being read.
func (r *Reader) Subject() string {
	if r.Name.IsZero() {
		return r.Word
	}
	return r.Word + " " + r.Show(r.Name)
}

// Show gives a name as messages show it.
func (r *Reader) Show(n Name) string {
	s := r.Syms.String(n.Sym)
	if r.IsBare(n) {
		s = s[1:]
	}
	return Quote([]byte(s))
}

// Found gives the current token as messages show it.
func (r *Reader) Found() string {
	if r.Tok.Kind == EOF {
		return "end of file"
	}
	return Quote(r.Text())
}

// Errorf reports an error without entering the failed state. There is one error
// a place: what else is wrong there follows from the first.
func (r *Reader) Errorf(off Off, format string, args ...any) *Report {
	d := &Report{Off: off, Msg: fmt.Sprintf(format, args...)}
	if r.stopped || r.Bad && r.lastErr == off {
		return d
	}
	r.Bad = true
	r.lastErr = off
	if r.errors++; r.errors > maxErrors {
		r.stopped = true
		d.Msg = "too many syntax errors, the rest of the file was not read"
	}
	r.Reports = append(r.Reports, d)
	return d
}

// Errors counts the errors reported, and says whether there were so many that the
// rest of the file was not read.
func (r *Reader) Errors() (n int, stopped bool) { return r.errors, r.stopped }

// Fail reports that the current token is not what the grammar wants here, and
// enters the failed state. Hints are advice, the empty ones left out.
func (r *Reader) Fail(wanted string, hints ...string) {
	if r.Failed {
		return
	}
	r.Failed = true
	r.Complain(wanted, hints...)
}

// Complain is Fail without entering the failed state.
func (r *Reader) Complain(wanted string, hints ...string) {
	if r.Tok.Kind == Bad {
		off, msg := r.Tok.Problem(r.Src)
		r.Errorf(off, "%s", msg)
		return
	}
	if r.Shape != "" && !slices.ContainsFunc(hints, func(h string) bool { return h != "" }) {
		hints = []string{"write " + r.Shape}
	}
	if r.bare != nil {
		wanted = withoutSigils(wanted)
		for i, h := range hints {
			hints[i] = withoutSigils(h)
		}
	}
	d := r.Reject(fmt.Sprintf("bad %s: wanted %s, found %s", r.Subject(), wanted, r.Found()), hints...)
	if r.Tok.NL && r.Off < r.Tok.Off {
		d.Notes = append(d.Notes, Note{r.Off, r.Subject() + " begins"})
	}
}

// Reject reports an error at the current token without entering the failed
// state.
func (r *Reader) Reject(msg string, hints ...string) *Report {
	for _, h := range hints {
		if h != "" {
			msg += "; " + h
		}
	}
	return r.Errorf(r.Tok.Off, "%s", msg)
}

// minNear is the length of the shortest name without a sigil that may be a misspelt keyword.
const minNear = 3

// Near gives the hint for the current token if it is a word near a keyword of
// the set, else "".
func (r *Reader) Near(set KeywordSet) string {
	if r.Tok.Kind != Word && (r.Tok.Kind != Ident || r.bare == nil || r.Tok.End-r.Tok.Off < minNear || HasSigil(r.Src[r.Tok.Off])) {
		return ""
	}
	if s := r.kws.Suggest(string(r.Text()), set); s != "" {
		return "did you mean " + s + "?"
	}
	return ""
}

// Punct takes the punctuation c.
func (r *Reader) Punct(c byte, hints ...string) {
	switch {
	case r.Failed:
	case !r.Is(c):
		r.Fail(string(rune(c)), hints...)
	default:
		r.Next()
	}
}

// Take takes the current token, a name or flag. A name without a sigil is local.
func (r *Reader) Take() Name { return r.TakeAs('%') }

// TakeAs is Take with the sigil of a name that has none.
func (r *Reader) TakeAs(sigil byte) Name {
	n := Name{Off: r.Tok.Off}
	if r.bare != nil && !HasSigil(r.Src[n.Off]) {
		n.Sym = r.AsBare(string(r.Text()), sigil)
	} else {
		n.Sym = r.Syms.Intern(r.Text())
	}
	r.Next()
	return n
}

// withoutSigils removes the sigils of names in an example.
func withoutSigils(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if (s[i] == '@' || s[i] == '%') && i+1 < len(s) && isLetter(s[i+1]) {
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// HasSigil reports whether a name or flag that begins with c has a sigil.
func HasSigil(c byte) bool { return c == '@' || c == '%' || c == '#' }

// AsBare gives the Sym of a name that is written without its sigil.
func (r *Reader) AsBare(text string, sigil byte) Sym {
	s := r.Syms.InternString(string(sigil) + text)
	r.bare[s] = true
	return s
}

// BareNames reports whether names need no sigil.
func (r *Reader) BareNames() bool { return r.bare != nil }

// IsBare reports whether a name of the source was written without its sigil.
func (r *Reader) IsBare(n Name) bool {
	return r.bare[n.Sym] && int(n.Off) < len(r.Src) && !HasSigil(r.Src[n.Off])
}

// Bare are the names that were read without a sigil, nil if all need one.
func (r *Reader) Bare() map[Sym]bool { return r.bare }
