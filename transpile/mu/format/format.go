// Package format lays out Mu text bundles in one canonical form, as gofmt does
// for Go (cli.md, `uvm2go fmt`):
//
//   - one definition, label or instruction a line: definitions and closing
//     braces at the margin, labels indented by 4, instructions by 8, the cases
//     of a SWITCH by 12;
//   - one space between tokens, none inside brackets, none between a label,
//     destination or clause keyword and its parenthesis;
//   - in runs of definitions of one sort, and of instructions with one result,
//     the type arguments and equals signs stand below each other; so do comments
//     at line ends;
//   - an instruction wider than maxWidth has its EXC clause, and if that is not
//     enough its KEEPALIVE clause, on lines of their own;
//   - a line break between the items of a list stays where it is, as does one
//     blank line between lines; others go.
//
// It changes white space only: tokens and comments stay as they are, in their
// order, but for white space at the end of comments. Formatting twice is the
// same as formatting once.
//
// The layout goes over tokens, not over the tree, which only tells where
// definitions, labels, instructions and destinations begin. What is not
// mentioned in the tree can therefore not get lost.
package format

import (
	"bytes"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/internal/lex"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// maxWidth is the width beyond which clauses move to lines of their own.
const maxWidth = 100

// Source formats a bundle. A bundle with syntax errors gives a *diag.List.
func Source(name string, src []byte) ([]byte, error) {
	set := diag.NewSet()
	f, err := set.Add(name, src)
	if err != nil {
		return nil, err
	}
	errs := diag.NewList(set)
	b := syntax.Parse(f, syntax.NewSymbols(), errs, syntax.WithComments)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	l := &layout{src: src, marks: marks(b), comments: b.Comments}
	l.run()
	return l.render(), nil
}

// A kind is the sort of thing that a line, or several if it is long, shows.
type kind uint8

const (
	definition kind = iota // up to the opening brace, if it has one
	label
	instruction // up to the opening brace, if it has one
	switchCase
	switchEnd
	funcEnd
	endOfFile
)

// indents has for each kind the indentation of its first line, of the lines
// that go on with it, and of comments above it.
var indents = [...]struct{ first, more, above uint8 }{
	definition:  {0, 4, 0},
	label:       {4, 12, 4},
	instruction: {8, 16, 8},
	switchCase:  {12, 20, 12},
	switchEnd:   {8, 16, 12},
	funcEnd:     {0, 0, 8},
	endOfFile:   {0, 0, 0},
}

// A token is a token with the comments in front of it.
type token struct {
	lex.Token
	comments []lex.Comment
	dest     bool // a label or destination: a parenthesis sticks to it
}

// A layout turns tokens into lines.
type layout struct {
	src      []byte
	marks    []mark        // not yet passed
	comments []lex.Comment // not yet passed

	item []token // the definition, label, instruction or case being collected
	kind kind    // of item
	end  lex.Off // end of the last token or comment laid out

	text  []byte // of all lines, without indentation, alignment and trailing comments
	lines []line
}

// run cuts the tokens into items and lays them out one by one.
func (l *layout) run() {
	sc := syntax.NewScanner(l.src)
	inSwitch := false
	for {
		t := token{Token: sc.Next()}
		n := 0
		for n < len(l.comments) && l.comments[n].Off < t.Off {
			n++
		}
		t.comments, l.comments = l.comments[:n], l.comments[n:]

		k, starts := endOfFile, t.Kind == lex.EOF
		if len(l.marks) > 0 && l.marks[0].off == t.Off {
			m := l.marks[0]
			l.marks = l.marks[1:]
			t.dest = m.dest
			k, starts = m.kind, m.starts
		} else if t.Kind == '}' && inSwitch {
			k, starts = switchEnd, true
			inSwitch = false
		}
		if starts {
			l.layItem()
			l.item, l.kind = l.item[:0], k
		}
		if t.Kind == '{' && l.kind == instruction {
			inSwitch = true
		}
		l.item = append(l.item, t)
		if t.Kind == lex.EOF {
			l.layComments(t.comments, indents[endOfFile].above, false)
			return
		}
	}
}

// layItem makes the lines of the collected item.
func (l *layout) layItem() {
	if len(l.item) == 0 {
		return
	}
	in := indents[l.kind]
	first := &l.item[0]
	l.layComments(first.comments, in.above, false)
	if l.kind == switchEnd && len(first.comments) == 0 && l.emptySwitch() {
		l.put(first)
		return
	}
	l.startLine(in.first, first.Off, l.kind != switchEnd && l.kind != funcEnd)
	at := &l.lines[len(l.lines)-1]
	at.opens = l.kind == label
	l.align(at)

	excBreak, keepBreak := l.clauseBreaks(int(in.first), int(in.more))
	depth := 0 // of brackets that hold lists
	for i := range l.item {
		t := &l.item[i]
		closes := t.Kind == ')' || t.Kind == '>' || t.Kind == ']' || t.Kind == '}' && l.kind == definition
		opens := t.Kind == '(' || t.Kind == '<' || t.Kind == '[' || t.Kind == '{' && l.kind == definition
		if i > 0 {
			indent := in.more
			if closes && depth == 1 && l.kind == definition {
				indent = in.first
			}
			switch {
			case len(t.comments) > 0:
				l.layComments(t.comments, in.more, true)
				l.startLine(indent, t.Off, false)
			case depth > 0 && t.NL, i == excBreak, i == keepBreak:
				l.startLine(indent, t.Off, false)
			case l.spaced(&l.item[i-1], t):
				l.text = append(l.text, ' ')
			}
		}
		l.stop(i)
		l.put(t)
		switch {
		case opens:
			depth++
		case closes:
			depth--
		}
	}
	if last := &l.item[len(l.item)-1]; last.Kind == '{' {
		l.lines[len(l.lines)-1].opens = true
	}
}

// put adds a token to the last line.
func (l *layout) put(t *token) {
	l.text = append(l.text, l.src[t.Off:t.End]...)
	l.lines[len(l.lines)-1].end = len(l.text)
	l.end = t.End
}

// emptySwitch reports whether the last line ends with the opening brace of a
// SWITCH and nothing follows it.
func (l *layout) emptySwitch() bool {
	last := &l.lines[len(l.lines)-1]
	return l.text[len(l.text)-1] == '{' && last.comment.End == 0
}

// layComments lays comments out: the first behind the last line, if it stands
// behind the last token, all others on lines of their own. inside tells that
// they stand inside an item.
func (l *layout) layComments(cs []lex.Comment, indent uint8, inside bool) {
	for _, c := range cs {
		if len(l.lines) > 0 && newlines(l.src[l.end:c.Off]) == 0 {
			l.lines[len(l.lines)-1].comment = c
		} else {
			l.startLine(indent, c.Off, !inside)
			l.lines[len(l.lines)-1].comment = c
		}
		l.end = c.End
	}
}

// startLine begins a line for what stands at off. If blank is allowed, a blank
// line in front of it is kept, but not at the beginning of the file or behind a
// label or opening brace.
func (l *layout) startLine(indent uint8, off lex.Off, blank bool) {
	ln := line{start: len(l.text), end: len(l.text), indent: indent}
	if n := len(l.lines); blank && n > 0 && !l.lines[n-1].opens {
		ln.blank = newlines(l.src[l.end:off]) > 1
	}
	l.lines = append(l.lines, ln)
}

// newlines counts the line ends in white space, up to two.
func newlines(s []byte) int {
	n := 0
	for i, c := range s {
		if c == '\n' || c == '\r' && (i+1 == len(s) || s[i+1] != '\n') {
			if n++; n == 2 {
				break
			}
		}
	}
	return n
}

// clauseBreaks gives the indices of the EXC and KEEPALIVE tokens that a wide
// instruction is broken at, -1 for none.
func (l *layout) clauseBreaks(first, more int) (exc, keep int) {
	exc, keep = -1, -1
	if l.kind != instruction {
		return
	}
	width, sinceExc := first, 0
	excAt, keepAt := -1, -1
	for i := range l.item {
		t := &l.item[i]
		w := int(t.End - t.Off)
		if i > 0 && l.spaced(&l.item[i-1], t) {
			w++
		}
		if t.Kind == lex.Word && i > 0 {
			switch string(l.src[t.Off:t.End]) {
			case "EXC", "WPEXC":
				excAt = i
			case "KEEPALIVE":
				keepAt = i
			}
		}
		width += w
		if excAt >= 0 {
			sinceExc += w
		}
	}
	switch {
	case width <= maxWidth:
	case excAt < 0:
		keep = keepAt
	default:
		exc = excAt
		if more+sinceExc > maxWidth {
			keep = keepAt
		}
	}
	return exc, keep
}

// spaced reports whether a space stands between two tokens of the item.
func (l *layout) spaced(prev, t *token) bool {
	switch prev.Kind {
	case '(', '<', '[':
		return false
	case '{':
		return l.kind != definition
	}
	switch t.Kind {
	case ')', '>', ']', ':':
		return false
	case '}':
		return l.kind != definition
	case '(':
		if prev.Kind == lex.Word {
			switch string(l.src[prev.Off:prev.End]) {
			case "EXC", "WPEXC", "KEEPALIVE", "THREADLOCAL", "bitsf", "bitsd":
				return false
			}
		}
		return !prev.dest
	case '<':
		return l.kind != definition || prev.Kind != lex.Word
	}
	return true
}

// render writes the lines.
func (l *layout) render() []byte {
	l.alignLines()
	var out bytes.Buffer
	out.Grow(len(l.text) + 16*len(l.lines))
	for i := range l.lines {
		ln := &l.lines[i]
		if ln.blank {
			out.WriteByte('\n')
		}
		pad(&out, int(ln.indent))
		from := ln.start
		for s, at := range ln.stops {
			if at == 0 {
				break
			}
			out.Write(l.text[from : ln.start+int(at)])
			pad(&out, int(ln.pads[s]))
			from = ln.start + int(at)
		}
		out.Write(l.text[from:ln.end])
		if ln.comment.End > 0 {
			if ln.end > ln.start {
				pad(&out, 2+int(ln.commentPad))
			}
			out.Write(bytes.TrimRight(l.src[ln.comment.Off:ln.comment.End], " \t"))
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}

const spaces = "                                                                "

func pad(out *bytes.Buffer, n int) {
	for ; n > len(spaces); n -= len(spaces) {
		out.WriteString(spaces)
	}
	out.WriteString(spaces[:n])
}
