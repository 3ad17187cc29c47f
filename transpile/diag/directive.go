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
	at  int // offset in the line
	msg string
}

// parseDirective reads a line that begins with linePrefix. last is the name of the
// last directive, or of the file.
func (f *File) parseDirective(text, last string) (d directive, bad *misdirection) {
	wrong := func(at int, format string, args ...any) (directive, *misdirection) {
		return directive{}, &misdirection{at, fmt.Sprintf(format, args...) + "; " + wantDirective}
	}
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
		rest, line = before, number
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

// directives finds the directives of a file whose lines are known. wrong is called with each comment that
// looks like one but is none: its line and what is wrong.
func (f *File) directives(wrong func(line int, bad *misdirection)) (marks []directive) {
	if !f.text || !bytes.Contains(f.content, []byte(linePrefix)) {
		return nil
	}
	last := f.name
	for i := range f.lines {
		if !bytes.HasPrefix(f.content[f.lines[i]:], []byte(linePrefix)) {
			continue
		}
		d, bad := f.parseDirective(string(f.line(i+1)), last)
		if bad != nil {
			wrong(i+1, bad)
			continue
		}
		d.next, last = i+2, d.file
		marks = append(marks, d)
	}
	return marks
}

// Open adds a text file to the set of the list (Set.Add), and warns of comments in it that look like directives
// //line but are none.
func (l *List) Open(name string, content []byte) (*File, error) {
	f, err := l.set.Add(name, content)
	if err != nil || !bytes.Contains(content, []byte(linePrefix)) {
		return f, err
	}
	f.once.Do(f.index)
	f.directives(func(line int, bad *misdirection) { l.Warnf(f.Pos(int(f.lines[line-1])+bad.at), "%s", bad.msg) })
	return f, nil
}

// presented returns a place in the file as the directives say, and whether they say something about it.
func (f *File) presented(p Position) (Position, bool) {
	i := sort.Search(len(f.marks), func(i int) bool { return f.marks[i].next > p.Line }) - 1
	if i < 0 {
		return p, false
	}
	d := &f.marks[i]
	if p.Line == d.next {
		p.Col += d.col - 1
	}
	return Position{File: d.file, Line: d.line + p.Line - d.next, Col: p.Col}, true
}
