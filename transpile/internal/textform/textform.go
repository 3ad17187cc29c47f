// Package textform lays out the text forms of bundles in one canonical way, as gofmt
// does for Go:
//
//   - one definition, label or instruction per line: definitions and closing
//     braces at the margin, labels indented by 4 spaces, instructions by 8, the
//     cases of a SWITCH or PHI by 12;
//   - one space between tokens, none inside brackets, none between a label,
//     destination or clause keyword and its parenthesis;
//   - in runs of definitions of one kind, and of instructions with one result, the type
//     arguments and equals signs are aligned; so are comments at line ends;
//   - an instruction wider than maxWidth has its EXC clause, and if that is not
//     enough its KEEPALIVE clause, on lines of their own;
//   - a line break between the items of a list is kept, and so is one blank line
//     between lines; others are removed.
//
// Formatting changes white space only: tokens and comments stay as they are, in their order,
// except for white space at the end of comments. A text with directives //line keeps the places
// in the author's source, see places.go, and may get further directives. Formatting twice is the
// same as formatting once.
//
// The formatter works on tokens, not on a tree: the reader of a dialect only marks where
// definitions, labels, instructions, cases and destinations begin. So text that is not marked
// cannot be lost.
//
// Text is the layout of the dialects with sigils. Lines, which Text uses, keeps lines and
// comments for dialects with other layouts.
package textform

import (
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// A Mark describes the token at an offset.
type Mark struct {
	Off    lex.Off
	Kind   Kind
	Starts bool // an item of Kind begins
	Dest   bool // the name of a label or destination; no space separates it from a parenthesis
}

// Text lays out a bundle. The marks are in the order of the source, comments has all its
// comments, and the scanner must be at its beginning.
func Text(src []byte, sc lex.Scanner, marks []Mark, comments []lex.Comment) []byte {
	l := &layout{Lines: NewLines(src), scan: sc, marks: marks, comments: comments}
	l.run()
	return l.Render()
}

// maxWidth is the width beyond which clauses move to lines of their own.
const maxWidth = 100

// A Kind is the kind of item on a line, or on several if the item is long.
type Kind uint8

// The kinds of items. Those that a reader does not mark come after the others.
const (
	Definition  Kind = iota // up to the opening brace, if it has one
	Label                   // with its parameters
	Instruction             // up to the opening brace, if it has one
	Case                    // of a SWITCH or PHI
	FuncEnd                 // the closing brace of a function
	switchEnd
	endOfFile
)

// The indentation of labels and instructions.
const (
	LabelIndent = 4
	InstIndent  = 8
)

// Lead is the number of bytes of an instruction in front of its operation: results, and its name in brackets.
func Lead(inst string) int {
	n := 0
	if c := inst[0]; c == '%' || c == '@' || c == '(' {
		n = strings.Index(inst, " = ") + len(" = ")
	}
	if inst[n] == '[' {
		n += strings.Index(inst[n:], "] ") + len("] ")
	}
	return n
}

// indents has for each kind the indentation of its first line, of its continuation
// lines, and of comments above it.
var indents = [...]struct{ first, more, above uint8 }{
	Definition:  {0, 4, 0},
	Label:       {LabelIndent, 12, LabelIndent},
	Instruction: {InstIndent, 16, InstIndent},
	Case:        {12, 20, 12},
	switchEnd:   {8, 16, 12},
	FuncEnd:     {0, 0, 8},
	endOfFile:   {0, 0, 0},
}

// A token is a token with the comments in front of it.
type token struct {
	lex.Token
	comments []lex.Comment
	dest     bool // a label or destination: no space before a parenthesis
}

// A layout turns tokens into lines.
type layout struct {
	scan     lex.Scanner
	marks    []Mark        // not yet passed
	comments []lex.Comment // not yet passed

	item   []token // the definition, label, instruction or case being collected
	kind   Kind    // of item
	parens int     // of item, that are open
	*Lines
}

// run splits the tokens into items and lays them out one by one.
func (l *layout) run() {
	inSwitch := false
	braces := 0 // of constants, that are open
	for {
		t := token{Token: l.scan.Next()}
		n := 0
		for n < len(l.comments) && l.comments[n].Off < t.Off {
			n++
		}
		t.comments, l.comments = l.comments[:n], l.comments[n:]

		k, starts := endOfFile, t.Kind == lex.EOF
		if len(l.marks) > 0 && l.marks[0].Off == t.Off {
			m := l.marks[0]
			l.marks = l.marks[1:]
			t.dest = m.Dest
			k, starts = m.Kind, m.Starts
		} else if t.Kind == '}' && braces > 0 {
			braces--
		} else if t.Kind == '}' && inSwitch {
			k, starts = switchEnd, true
			inSwitch = false
		}
		if starts {
			l.layItem()
			l.item, l.kind, l.parens = l.item[:0], k, 0
		}
		switch t.Kind {
		case '(':
			l.parens++
		case ')':
			l.parens--
		case '{':
			switch {
			case l.kind == Instruction && l.parens == 0 && l.hasCases(): // not in the arguments of its first destination
				inSwitch = true
			case l.kind == Instruction || l.kind == Case:
				braces++
			}
		}
		l.item = append(l.item, t)
		if t.Kind == lex.EOF {
			l.Comments(t.comments, indents[endOfFile].above, false)
			return
		}
	}
}

// hasCases reports whether the instruction being collected has cases.
func (l *layout) hasCases() bool {
	for i := range l.item {
		if t := &l.item[i]; t.Kind == lex.Word {
			w := string(l.src[t.Off:t.End])
			return w == "SWITCH" || w == "PHI"
		}
	}
	return false
}

// layItem makes the lines of the collected item.
func (l *layout) layItem() {
	if len(l.item) == 0 {
		return
	}
	in := indents[l.kind]
	l.More = in.more
	first := &l.item[0]
	l.Comments(first.comments, in.above, false)
	if l.kind == switchEnd && len(first.comments) == 0 && l.emptySwitch() {
		l.Put(first.Off, first.End)
		return
	}
	l.Start(in.first, first.Off, l.kind != switchEnd && l.kind != FuncEnd)
	at := &l.lines[len(l.lines)-1]
	at.opens = l.kind == Label
	l.align(at)

	excBreak, keepBreak := l.clauseBreaks(int(in.first), int(in.more))
	depth := 0 // of brackets that hold lists
	for i := range l.item {
		t := &l.item[i]
		closes := t.Kind == ')' || t.Kind == '>' || t.Kind == ']' || t.Kind == '}' && l.kind == Definition
		opens := t.Kind == '(' || t.Kind == '<' || t.Kind == '[' || t.Kind == '{' && l.kind == Definition
		if i > 0 {
			indent := in.more
			if closes && depth == 1 && l.kind == Definition {
				indent = in.first
			}
			switch {
			case len(t.comments) > 0:
				l.Comments(t.comments, in.more, true)
				l.Start(indent, t.Off, false)
			case depth > 0 && t.NL, i == excBreak, i == keepBreak:
				l.Start(indent, t.Off, false)
			case l.spaced(&l.item[i-1], t):
				l.Space()
			}
		}
		l.stop(i)
		l.Put(t.Off, t.End)
		switch {
		case opens:
			depth++
		case closes:
			depth--
		}
	}
	if last := &l.item[len(l.item)-1]; last.Kind == '{' {
		l.Opens()
	}
}

// emptySwitch reports whether the last line ends with the opening brace of a
// SWITCH and nothing follows it.
func (l *layout) emptySwitch() bool {
	last := &l.lines[len(l.lines)-1]
	return l.text[len(l.text)-1] == '{' && last.comment.End == 0
}

// clauseBreaks returns the indices of the EXC and KEEPALIVE tokens that a wide
// instruction is broken at, -1 for none.
func (l *layout) clauseBreaks(first, more int) (exc, keep int) {
	exc, keep = -1, -1
	if l.kind != Instruction {
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
		return l.kind != Definition
	}
	switch t.Kind {
	case ')', '>', ']', ':', ';':
		return false
	case '}':
		return l.kind != Definition
	case '(':
		if prev.Kind == lex.Word {
			switch string(l.src[prev.Off:prev.End]) {
			case "EXC", "WPEXC", "KEEPALIVE", "THREADLOCAL", "bitsf", "bitsd":
				return false
			}
		}
		return !prev.dest
	case '<':
		// There is no space between a type constructor and its arguments.
		c := l.src[prev.Off]
		return prev.Kind != lex.Word || l.kind != Definition && !('a' <= c && c <= 'z')
	}
	return true
}
