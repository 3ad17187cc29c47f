// Package format lays out IAL text in one canonical way (docs/commands.md, `fmt`):
//
//   - one declaration, field, register, block or instruction per line, indented by 4 spaces for
//     each brace around it; the braces of bodies on lines of their own;
//   - one space between tokens, none inside brackets, around / and : and before the suffixes of
//     a type; a space between an instruction, a data block or a field and the parenthesis of
//     its operand;
//   - comments at line ends are aligned;
//   - a line break inside brackets, or after metadata at the beginning of a line, is kept,
//     and so is one blank line between lines; others are removed.
//
// It changes white space only: tokens and comments stay as they are, in their order. So a
// file keeps the form of the language that it is written in. Formatting twice is the same
// as formatting once.
package format

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/syntax"
	"github.com/uvm2go/uvm2go/transpile/internal/textform"
)

// Source formats a file. The error is a *diag.List if the file has syntax errors.
func Source(name string, src []byte) ([]byte, error) {
	tree, err := diag.Parsed(name, src, syntax.Parse)
	if err != nil {
		return nil, err
	}
	l := &layout{Lines: textform.NewLines(src), text: tree.Text, spaced: tree.Brackets}
	l.run()
	return l.Render(), nil
}

// A layout turns tokens into lines.
type layout struct {
	*textform.Lines
	text     syntax.Text
	comments int          // number of comments passed
	spaced   []syntax.Off // opening parentheses that a space precedes, not yet passed

	depth    int  // of bodies
	brackets int  // that are open in the statement
	meta     bool // the statement begins with metadata, whose bracket is open
}

// Step is the indentation for each brace.
const Step = 4

const (
	indentStep = Step
	maxIndent  = 200 // valid text has two bodies around an instruction
)

// indent is the indentation of a line at some depth.
func indent(depth int) uint8 { return uint8(min(indentStep*depth, maxIndent)) }

// run goes through the tokens of a valid file.
func (l *layout) run() {
	var prev syntax.Token
	begins := true // a statement begins
	for i, t := range l.text.Tokens {
		comments := l.passed(t.Off)
		l.More = indent(l.depth + 1)
		next := l.text.Tokens[min(i+1, len(l.text.Tokens)-1)]
		static := t.Kind == '{' && (next.Kind == syntax.Int || next.Kind == syntax.Float || next.Kind == syntax.Special)
		switch {
		case t.Kind == syntax.EOF:
			l.Comments(comments, 0, false)
			return
		case t.Kind == '{' && !static:
			l.Comments(comments, indent(l.depth), false)
			l.Start(indent(l.depth), t.Off, false)
			l.Put(t.Off, t.End)
			l.Opens()
			l.depth++
			begins = true
		case t.Kind == '}' && begins:
			l.Comments(comments, indent(l.depth), false)
			l.depth--
			l.Start(indent(l.depth), t.Off, false)
			l.Put(t.Off, t.End)
		case begins:
			l.Comments(comments, indent(l.depth), false)
			l.Start(indent(l.depth), t.Off, true)
			l.Put(t.Off, t.End)
			l.brackets, l.meta = 0, t.Kind == '['
			l.bracket(t)
			begins = false
		default:
			l.goOn(prev, t, comments)
			begins = t.Kind == ';'
		}
		prev = t
	}
}

// passed returns the comments in front of an offset that were not passed yet.
func (l *layout) passed(off syntax.Off) []syntax.Comment {
	first := l.comments
	for l.comments < len(l.text.Comments) && l.text.Comments[l.comments].Off < off {
		l.comments++
	}
	return l.text.Comments[first:l.comments]
}

// bracket counts the open brackets of the statement.
func (l *layout) bracket(t syntax.Token) {
	switch t.Kind {
	case '(', '[', '{':
		l.brackets++
	case ')', ']', '}':
		l.brackets--
	}
}

// goOn puts a token that is not the first of its statement.
func (l *layout) goOn(prev, t syntax.Token, comments []syntax.Comment) {
	more := indent(l.depth + 1)
	own := more // of a line that the token begins
	closes := t.Kind == ')' || t.Kind == ']'
	metaEnded := l.meta && l.brackets == 0
	if metaEnded || closes && l.brackets == 1 {
		own = indent(l.depth)
	}
	space := l.space(prev, t)
	switch {
	case len(comments) > 0:
		if !metaEnded {
			l.Comments(comments, more, true)
		} else {
			l.Comments(comments, own, true)
		}
		l.Start(own, t.Off, false)
	case t.NL && (l.brackets > 0 || metaEnded):
		l.Start(own, t.Off, false)
	case space:
		l.Space()
	}
	if metaEnded {
		l.meta = false
	}
	l.Put(t.Off, t.End)
	l.bracket(t)
}

// space reports whether a space stands between two tokens of a statement.
func (l *layout) space(prev, t syntax.Token) bool {
	if t.Kind == '(' {
		if len(l.spaced) > 0 && l.spaced[0] == t.Off {
			l.spaced = l.spaced[1:]
			return true
		}
		return false
	}
	switch prev.Kind {
	case '(', '[', '{', '/', ':':
		return false
	}
	switch t.Kind {
	case ')', ']', '{', '}', ',', ';', ':', '/', '*', '&':
		return false
	case '[':
		return prev.Kind == ',' // metadata of a parameter
	}
	return true
}
