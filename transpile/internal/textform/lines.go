package textform

import (
	"bytes"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
)

// Lines is a text that is being laid out: its lines with their comments in the order of the
// source, its blank lines and alignment.
type Lines struct {
	src   []byte
	end   lex.Off // of the last token or comment laid out
	text  []byte  // of all lines, without indentation, alignment and trailing comments
	lines []line

	// More is the indentation of further lines of the item that is being laid out.
	More uint8

	file   *diag.File // src, if it has directives, else nil
	pieces []piece    // of all lines, if file is set
}

// NewLines makes an empty text for the pieces of src.
func NewLines(src []byte) *Lines {
	l := &Lines{src: src}
	if f, err := diag.NewSet().Add("", src); err == nil && f.HasDirectives() {
		l.file = f
	}
	return l
}

// A line is one line of output.
type line struct {
	start, end int // its stretch of layout.text
	indent     uint8
	blank      bool // a blank line comes first
	opens      bool // a label, or ends with an opening brace
	group      group
	stops      [2]uint16   // where padding may go in the text; 0 for none
	pads       [2]uint16   // the widths of the padding
	comment    lex.Comment // after the text, or alone on the line
	commentPad uint16

	more   uint8 // indentation of further lines of the item
	pieces int   // of the lines before and this one
}

// Put adds a piece of the source to the last line.
func (l *Lines) Put(off, end lex.Off) {
	ln := &l.lines[len(l.lines)-1]
	if l.file != nil {
		l.pieces = append(l.pieces, piece{off, end, len(l.text)})
		ln.pieces = len(l.pieces)
	}
	l.text = append(l.text, l.src[off:end]...)
	ln.end = len(l.text)
	l.end = end
}

// Space adds a space to the last line, before the next piece.
func (l *Lines) Space() { l.text = append(l.text, ' ') }

// Opens records that the last line opens a body, so that no blank line follows it.
func (l *Lines) Opens() { l.lines[len(l.lines)-1].opens = true }

// Comments lays out comments: the first at the end of the last line, if it is on the
// line of the last token, all others on lines of their own. inside says that they
// are inside an item.
func (l *Lines) Comments(cs []lex.Comment, indent uint8, inside bool) {
	for _, c := range cs {
		if len(l.lines) > 0 && newlines(l.src[l.end:c.Off]) == 0 {
			l.lines[len(l.lines)-1].comment = c
		} else {
			in := indent
			switch {
			case l.directive(c):
				in = 0
			case bytes.HasPrefix(l.src[c.Off:c.End], []byte("//line ")):
				in = max(in, 1) // at the beginning of a line it would be one
			}
			l.Start(in, c.Off, !inside)
			l.lines[len(l.lines)-1].comment = c
		}
		l.end = c.End
	}
}

// directive reports whether a comment is a //line directive, which must be at the
// beginning of a line.
func (l *Lines) directive(c lex.Comment) bool {
	return (c.Off == 0 || l.src[c.Off-1] == '\n' || l.src[c.Off-1] == '\r') && bytes.HasPrefix(l.src[c.Off:c.End], []byte("//line "))
}

// Start begins a line for the text at off. If blank is set, a blank line before it
// is kept, but not at the beginning of the file or after a label or opening brace.
func (l *Lines) Start(indent uint8, off lex.Off, blank bool) {
	ln := line{start: len(l.text), end: len(l.text), indent: indent, more: l.More, pieces: len(l.pieces)}
	if n := len(l.lines); blank && n > 0 && !l.lines[n-1].opens {
		ln.blank = newlines(l.src[l.end:off]) > 1
	}
	l.lines = append(l.lines, ln)
}

// newlines is the number of line ends in white space, at most two.
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

// Render writes the lines.
func (l *Lines) Render() []byte {
	if l.file != nil {
		l.keepPlaces()
	}
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
