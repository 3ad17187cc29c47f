package diag

import (
	"bytes"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// A directive is a comment at the beginning of a line, as Go has it:
//
//	//line FILE:LINE:COL
//
// The line after it is line LINE of FILE, and its first byte is column COL; the next
// lines follow. Without COL columns are those of the line itself; without FILE, as in
// //line :LINE:COL, the file is that of the last directive. A relative FILE is relative
// to the folder of the file with the directive. Other forms are ordinary comments; Open warns of them.
type directive struct {
	next int // line after it, from 1
	file string
	line int // the LINE of that line
	col  int // of its first byte

	exact bool // COL is given
}

const linePrefix = "//line "

// LineDirective is a directive for the line after it.
func LineDirective(p Position) string {
	return string(lex.AppendPlace([]byte(linePrefix), p.File, p.Line))
}

// wantDirective says what a directive looks like.
var wantDirective = fmt.Sprintf("want //line FILE:LINE or //line FILE:LINE:COL, with LINE and COL from 1 to %d", lex.MaxLine)

// A misdirection is what is wrong with a comment that looks like a directive.
type misdirection struct {
	at  int // offset in the file
	msg string
}

// parseDirective reads line n, which begins with linePrefix. last is the name of the
// last directive, or of the file.
func (f *File) parseDirective(n int, last string) (d directive, bad *misdirection) {
	wrong := func(at int, format string, args ...any) (directive, *misdirection) {
		return directive{}, &misdirection{int(f.lines[n-1]) + at, fmt.Sprintf(format, args...) + "; " + wantDirective}
	}
	text := string(f.line(n))
	rest, line := trailingNumber(text)
	if line == "" {
		at := strings.LastIndexByte(text, ':') + 1
		if at < len(linePrefix) {
			return wrong(len(linePrefix), "//line has no line number")
		}
		return wrong(at, "bad line number %q of //line", text[at:])
	}
	d.col = 1
	if before, number := trailingNumber(rest); number != "" {
		if d.col = value(line); d.col == 0 || d.col > lex.MaxLine {
			return wrong(len(rest)+1, "bad column %s of //line", line)
		}
		rest, line, d.exact = before, number, true
	}
	if d.line = value(line); d.line == 0 || d.line > lex.MaxLine {
		return wrong(len(rest)+1, "bad line number %s of //line", line)
	}
	switch d.file = strings.TrimPrefix(rest, linePrefix); {
	case d.file == "":
		d.file = last
	case !path.IsAbs(d.file) && !filepath.IsAbs(d.file):
		d.file = path.Join(path.Dir(filepath.ToSlash(f.name)), d.file)
	}
	d.next = n + 1
	return d, nil
}

// trailingNumber cuts a colon and digits off the end of a directive. Without them the digits are "".
func trailingNumber(s string) (rest, digits string) {
	rest = strings.TrimRight(s, "0123456789")
	if n := len(rest) - 1; n >= len(linePrefix) && rest[n] == ':' {
		return rest[:n], s[n+1:]
	}
	return s, ""
}

// value is the value of digits; of too many it is too large.
func value(digits string) int {
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return math.MaxInt32
	}
	return int(n)
}

// directives finds the directives of a file whose lines are known, and what is wrong with comments that look like one but
// are none.
func (f *File) directives() (marks []directive, wrong []misdirection) {
	if !f.text || !bytes.Contains(f.content, []byte(linePrefix)) {
		return nil, nil
	}
	last := f.name
	for i := range f.lines {
		if !bytes.HasPrefix(f.content[f.lines[i]:], []byte(linePrefix)) {
			continue
		}
		d, bad := f.parseDirective(i+1, last)
		if bad != nil {
			wrong = append(wrong, *bad)
			continue
		}
		last = d.file
		marks = append(marks, d)
	}
	return marks, wrong
}

// Open adds a text file to the set of the list (Set.Add), and warns of comments in it that look like directives
// //line but are none.
func (l *List) Open(name string, content []byte) (*File, error) {
	f, err := l.set.Add(name, content)
	if err != nil || !bytes.Contains(content, []byte(linePrefix)) {
		return f, err
	}
	f.once.Do(f.index)
	for _, bad := range f.wrong {
		l.Warnf(f.Pos(bad.at), "%s", bad.msg)
	}
	return f, nil
}

// mark returns the last directive for a line or one before it, nil if there is none. The file's index must be made.
func (f *File) mark(line int) *directive {
	i := sort.Search(len(f.marks), func(i int) bool { return f.marks[i].next > line }) - 1
	if i < 0 {
		return nil
	}
	return &f.marks[i]
}

// presented returns a place in the file as the directives say, and whether they say something about it.
func (f *File) presented(p Position) (Position, bool) {
	d := f.mark(p.Line)
	if d == nil {
		return p, false
	}
	if p.Line == d.next {
		p.Col += d.col - 1
	}
	return Position{File: d.file, Line: d.line + p.Line - d.next, Col: p.Col}, true
}

// HasDirectives reports whether the file has any.
func (f *File) HasDirectives() bool {
	f.once.Do(f.index)
	return len(f.marks) > 0
}

// Directive returns where the line after the directive at an offset comes from. ok reports whether there is a directive.
func (f *File) Directive(off int) (next Position, ok bool) {
	f.once.Do(f.index)
	after := f.Physical(off).Line + 1
	d := f.mark(after)
	if d == nil || d.next != after {
		return Position{}, false
	}
	return Position{d.file, d.line, d.col}, true
}

// Exact reports whether the line of an offset follows a directive that says which column it begins in.
func (f *File) Exact(off int) bool {
	line := f.Physical(off).Line
	d := f.mark(line)
	return d != nil && d.next == line && d.exact
}

// AppendDirective appends a directive, and a newline, for a line that begins at p. Without a column it says nothing about
// columns. last is the file of the directive before it; the same file is not repeated.
func AppendDirective(out []byte, p Position, last string) []byte {
	out = append(out, linePrefix...)
	if p.File != last {
		if strings.ContainsAny(p.File, "\r\n") {
			p.File = lex.FileName(p.File)
		}
		if _, digits := trailingNumber(linePrefix + p.File); digits != "" {
			p.Col = max(p.Col, 1)
		}
		out = append(out, p.File...)
	}
	out = append(out, ':')
	out = strconv.AppendInt(out, int64(min(max(p.Line, 1), lex.MaxLine)), 10)
	if p.Col > 0 {
		out = append(out, ':')
		out = strconv.AppendInt(out, int64(min(p.Col, lex.MaxLine)), 10)
	}
	return append(out, '\n')
}
