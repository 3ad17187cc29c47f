package diag

import (
	"bytes"
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
// to the folder of the file with the directive. Other forms are ordinary comments.
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

// parseDirective reads a line that begins with linePrefix. last is the name of the
// last directive, or of the file.
func (f *File) parseDirective(text, last string) (d directive, ok bool) {
	text = strings.TrimPrefix(text, linePrefix)
	rest, n, ok := trailingNumber(text)
	if !ok {
		return d, false
	}
	d.file, d.line, d.col = rest, n, 1
	if rest, m, ok := trailingNumber(rest); ok {
		d.file, d.line, d.col = rest, m, n
	}
	if d.line == 0 || d.line > lex.MaxLine || d.col == 0 {
		return d, false
	}
	switch {
	case d.file == "":
		d.file = last
	case !path.IsAbs(d.file) && !filepath.IsAbs(d.file):
		d.file = path.Join(path.Dir(filepath.ToSlash(f.name)), d.file)
	}
	return d, true
}

// trailingNumber cuts :N off the end of a text.
func trailingNumber(s string) (rest string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	u, err := strconv.ParseUint(s[i+1:], 10, 31)
	return s[:i], int(u), err == nil && u <= math.MaxInt32
}

// directives finds the directives of a file whose lines are known.
func (f *File) directives() {
	if !f.text || !bytes.Contains(f.content, []byte(linePrefix)) {
		return
	}
	last := f.name
	for i := range f.lines {
		if !bytes.HasPrefix(f.content[f.lines[i]:], []byte(linePrefix)) {
			continue
		}
		if d, ok := f.parseDirective(string(f.line(i+1)), last); ok {
			d.next, last = i+2, d.file
			f.marks = append(f.marks, d)
		}
	}
}

// presented returns a place in the file as the directives say.
func (f *File) presented(p Position) Position {
	i := sort.Search(len(f.marks), func(i int) bool { return f.marks[i].next > p.Line }) - 1
	if i < 0 {
		return p
	}
	d := &f.marks[i]
	if p.Line == d.next {
		p.Col += d.col - 1
	}
	return Position{File: d.file, Line: d.line + p.Line - d.next, Col: p.Col}
}
