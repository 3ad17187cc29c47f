package textform

import (
	"bytes"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
)

// A file with directives //line keeps its tokens at their places in the author's source:
//
//   - a token stays on the author's line that it is on. Where the layout joins lines, there is a line break; where it
//     splits or drops lines, there is a directive;
//   - a line after a directive with a column stays as it is, because white space in it is part of the position.
//
// Only braces that the layout puts in lines of their own go there. Columns in other lines are not those of the author's source.

// A piece is a token of the source in the text.
type piece struct {
	off, end lex.Off
	at       int // in Lines.text
}

// A placer makes the lines of a text with directives anew.
type placer struct {
	*Lines
	text  []byte
	lines []line

	next diag.Position // of the next line; a directive sets it
	here diag.Position // of the last line
	last lex.Off       // the end of the last piece; lines of their own come from one comment, or from pieces
	open bool          // the last line may go on: it has pieces, and no comment
}

// keepPlaces replaces the lines by those that keep the places of their tokens.
func (l *Lines) keepPlaces() {
	p := &placer{Lines: l}
	first := 0 // piece of the line
	for i := range l.lines {
		ln := &l.lines[i]
		switch pieces := l.pieces[first:ln.pieces]; {
		case len(pieces) == 0:
			p.comment(ln)
		default:
			p.line(ln, pieces)
		}
		first = max(first, ln.pieces)
	}
	l.text, l.lines = p.text, p.lines
}

// comment adds a line that is a comment.
func (p *placer) comment(ln *line) {
	p.begin(*ln, ln.blank)
	p.lines[len(p.lines)-1].comment = ln.comment
	p.open = false
	p.pass(p.src[ln.comment.Off:ln.comment.End])
	if next, ok := p.file.Directive(int(ln.comment.Off)); ok && p.directive(ln.comment) {
		p.next = next
	}
}

// begin begins a line, the place of which follows from the line before.
func (p *placer) begin(ln line, blank bool) {
	if blank {
		p.next.Line++
	}
	ln.blank = blank
	ln.start, ln.end = len(p.text), len(p.text)
	ln.comment, ln.pieces = lex.Comment{}, 0
	p.lines = append(p.lines, ln)
	p.here = p.next
	p.next.Line, p.next.Col = p.next.Line+1, 1
}

// pass counts the line breaks in a token or comment.
func (p *placer) pass(text []byte) {
	n := bytes.Count(text, []byte{'\n'})
	p.next.Line += n
	p.here.Line += n
}

// line adds the pieces of a line of the layout.
func (p *placer) line(ln *line, pieces []piece) {
	alone := false // a brace that need not stay where it is
	for i, t := range pieces {
		off := int(t.off)
		want, placed := p.file.Author(off)
		own := p.file.Physical(off).Line
		exact := placed && p.file.Exact(off)
		goesOn := p.open && own == p.file.Physical(int(p.last)).Line // and the piece before is on the line of the source
		switch {
		case exact && i == 0 && p.bracket(pieces):
			p.begin(*ln, ln.blank)
			alone = true
		case exact && goesOn:
			p.text = append(p.text, p.src[p.last:t.off]...)
		case exact:
			p.cut()
			p.begin(line{opens: ln.opens, more: ln.more}, i == 0 && ln.blank)
			from := t.off - lex.Off(p.file.Physical(off).Col-1)
			if col := want.Col - int(t.off-from); p.here.File == want.File && p.here.Line == want.Line && p.here.Col == col && white(p.src[from:t.off]) {
				p.text = append(p.text, p.src[from:t.off]...)
			} else {
				p.direct(want)
			}
		case i == 0:
			p.begin(*ln, ln.blank)
			if placed && !p.at(want) && !p.bracket(pieces) {
				want.Col = 0
				p.direct(want)
			}
		case placed && !p.at(want) && !p.bracket(pieces[i:i+1]):
			p.cut()
			p.begin(line{indent: ln.more, more: ln.more, opens: ln.opens}, false)
			if !p.at(want) {
				want.Col = 0
				p.direct(want)
			}
		default:
			p.text = append(p.text, p.Lines.text[pieces[i-1].at+int(pieces[i-1].end-pieces[i-1].off):t.at]...)
		}
		p.text = append(p.text, p.src[t.off:t.end]...)
		p.lines[len(p.lines)-1].end = len(p.text)
		p.pass(p.src[t.off:t.end])
		p.last, p.open = t.end, !alone
	}
	if ln.comment.End > 0 {
		p.lines[len(p.lines)-1].comment = ln.comment
		p.pass(p.src[ln.comment.Off:ln.comment.End])
		p.open = false
	}
}

// at reports whether a line or, if it has begun, the last line is at a place in the author's source.
func (p *placer) at(want diag.Position) bool {
	return p.here.File == want.File && p.here.Line == want.Line
}

// direct puts a directive in front of the line that has begun and has no text.
func (p *placer) direct(want diag.Position) {
	n := len(p.lines) - 1
	ln := p.lines[n]
	blank := ln.blank
	at := line{start: len(p.text), blank: blank}
	p.text = append(p.text, bytes.TrimSuffix(diag.AppendDirective(nil, want, p.here.File), []byte("\n"))...)
	at.end = len(p.text)
	p.lines[n] = at
	ln.blank = false
	ln.start, ln.end = len(p.text), len(p.text)
	p.lines = append(p.lines, ln)
	p.here, p.next = want, want
	p.next.Line, p.next.Col = want.Line+1, 1
}

// cut drops the places for padding that the last line has lost, because its further pieces are in other lines.
func (p *placer) cut() {
	if len(p.lines) == 0 {
		return
	}
	ln := &p.lines[len(p.lines)-1]
	for i, at := range ln.stops {
		if int(at) > ln.end-ln.start {
			ln.stops[i] = 0
		}
	}
}

// bracket reports whether pieces are a brace alone, whose place nobody asks for.
func (p *placer) bracket(pieces []piece) bool {
	return len(pieces) == 1 && (p.src[pieces[0].off] == '{' || p.src[pieces[0].off] == '}')
}

// white reports whether a text is white space.
func white(text []byte) bool { return len(bytes.Trim(text, " \t\f\v")) == 0 }
