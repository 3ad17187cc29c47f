// Package format lays out TVM text in one canonical way (docs/commands.md, `fmt`):
//
//   - one global or statement per line; statements are indented by 2 spaces, labels of blocks are
//     not indented;
//   - one space between tokens, none inside parentheses and before commas, semicolons and the
//     colons of labels and phis;
//   - comments at line ends are aligned;
//   - a line break inside a global or statement is kept, and so is one blank line between lines;
//     others are removed.
//
// It changes white space only: tokens and comments stay as they are, in their order. Formatting
// twice is the same as formatting once.
package format

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/internal/textform"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

// Source formats a file. The error is a *diag.List if the file has syntax errors.
func Source(name string, src []byte) ([]byte, error) {
	m, err := diag.Parsed(name, src, syntax.Parse)
	if err != nil {
		return nil, err
	}
	l := &layout{Lines: textform.NewLines(src), text: m.Text}
	l.run()
	return l.Render(), nil
}

// A layout turns tokens into lines.
type layout struct {
	*textform.Lines
	text     syntax.Text
	comments int // number of comments passed

	body     bool // the token is in a body
	label    bool // the statement is the label of a block
	brackets int  // that are open
}

// Indent is the indentation of statements.
const Indent = 2

const step = Indent

// indent is the indentation of the statement.
func (l *layout) indent() uint8 {
	if l.body && !l.label {
		return step
	}
	return 0
}

// run goes through the tokens of a valid file.
func (l *layout) run() {
	var prev syntax.Token
	begins := true // a statement begins
	for _, t := range l.text.Tokens {
		comments := l.passed(t.Off)
		switch {
		case t.Kind == syntax.EOF:
			l.Comments(comments, 0, false)
			return
		case begins:
			l.label = t.Kind == syntax.Keyword && (l.word(t) == "block" || l.word(t) == "landing_pad")
			inner := l.indent()
			if t.Kind == '}' {
				inner, l.body, l.label = step, false, false
			}
			if l.label {
				inner = step
			}
			l.Comments(comments, inner, false)
			l.More = l.indent() + step
			l.Start(l.indent(), t.Off, t.Kind != '}')
		case len(comments) > 0:
			l.Comments(comments, l.indent()+step, true)
			l.Start(l.more(t), t.Off, false)
		case t.NL && t.Kind != '{' && t.Kind != ';':
			l.Start(l.more(t), t.Off, false)
		case l.space(prev, t):
			l.Space()
		}
		l.Put(t.Off, t.End)
		begins = false
		switch t.Kind {
		case '(':
			l.brackets++
		case ')':
			l.brackets--
		case '{':
			l.Opens()
			l.body, begins = true, true
		case ';':
			begins = true
		case ':':
			begins = l.label
		}
		prev = t
	}
}

// more is the indentation of a line inside a statement that a token begins.
func (l *layout) more(t syntax.Token) uint8 {
	if t.Kind == ')' && l.brackets == 1 {
		return l.indent()
	}
	return l.indent() + step
}

// passed returns the comments in front of an offset that were not passed yet.
func (l *layout) passed(off syntax.Off) []syntax.Comment {
	first := l.comments
	for l.comments < len(l.text.Comments) && l.text.Comments[l.comments].Off < off {
		l.comments++
	}
	return l.text.Comments[first:l.comments]
}

func (l *layout) word(t syntax.Token) string { return l.text.Src[t.Off:t.End] }

// space reports whether a space stands between two tokens of a statement.
func (l *layout) space(prev, t syntax.Token) bool {
	switch {
	case prev.Kind == '(', t.Kind == ')', t.Kind == ',', t.Kind == ';', l.label && t.Kind == '(':
		return false
	case t.Kind == ':':
		return l.brackets > 0
	case prev.Kind == '}':
		return false
	}
	return true
}
