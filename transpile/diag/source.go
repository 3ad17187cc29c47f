package diag

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns the text of a line, counted from 1, without its end. It is nil for
// lines that do not exist and for binary files, which have no lines.
func (f *File) Line(n int) []byte {
	if !f.text || n < 1 || n > f.Lines() {
		return nil
	}
	return f.line(n)
}

func (f *File) line(n int) []byte {
	line := f.content[f.lines[n-1]:]
	if n < len(f.lines) {
		line = f.content[f.lines[n-1]:f.lines[n]]
	}
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line
}

// PrintSource is Print for people: below each place it prints the line of the source,
// with a caret under the column.
func (l *List) PrintSource(w io.Writer) error {
	return l.print(w, func(d *Diagnostic) string {
		s := l.line(d) + l.excerpt(d.Pos)
		for _, r := range d.Related {
			s += "\n" + l.related(r) + l.excerpt(r.Pos)
		}
		return s
	})
}

// excerpt returns the line of a place and the caret below it, each after a newline; ""
// if there is nothing to show.
func (l *List) excerpt(p Pos) string {
	f := l.set.File(p.File)
	if f == nil {
		return ""
	}
	pos := f.Physical(int(p.Off))
	line := f.Line(pos.Line)
	if len(line) == 0 {
		return ""
	}
	text, pad := window(string(line), pos.Col-1)
	return "\n\t" + text + "\n\t" + pad + "^"
}

// How much of a long line an excerpt shows before and after the caret, in characters.
const (
	showBefore = 60
	showAfter  = 60
)

// window returns the part of a line that an excerpt shows, and the padding before the
// caret below the byte at off. Tabs are kept, because their width is not known; other
// characters that do not print, such as those that control terminals, become question
// marks.
func window(line string, off int) (text, pad string) {
	off = min(off, len(line))
	before, after := []rune(line[max(0, off-utf8.UTFMax*showBefore):off]), []rune(line[off:min(len(line), off+utf8.UTFMax*showAfter)])
	var out, lead strings.Builder
	if len(before) > showBefore || off > utf8.UTFMax*showBefore {
		before = before[max(0, len(before)-showBefore):]
		out.WriteString("...")
		lead.WriteString("   ")
	}
	for _, r := range before {
		r = printable(r)
		out.WriteRune(r)
		if r != '\t' {
			r = ' '
		}
		lead.WriteRune(r)
	}
	for i, r := range after {
		if i == showAfter {
			out.WriteString("...")
			break
		}
		out.WriteRune(printable(r))
	}
	return out.String(), lead.String()
}

func printable(r rune) rune {
	if r == '\t' || r != utf8.RuneError && unicode.IsPrint(r) {
		return r
	}
	return '?'
}
