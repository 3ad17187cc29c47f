package lsp

import (
	"bytes"
	"net/url"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/lang"
	"github.com/uvm2go/uvm2go/transpile/lang/langs"
)

// A document is one state of a text. It does not change: an edit makes another document. What is known of the
// text is found out when it is first asked for.
type document struct {
	uri     string
	path    string // of its file; the URI if it has none
	version int
	open    bool   // in the editor
	unit    string // the name of its module, if the user says it
	id      string // the editor's name for the language
	text    []byte
	utf8    bool // columns count bytes, not units of UTF-16

	lineOnce sync.Once
	lines    []int // where lines begin

	markOnce sync.Once
	marks    []mark // see findMarks

	langOnce sync.Once
	dialect  *dialect.Dialect
	form     *dialect.Form
	lang     *lang.Language // nil if the text is binary

	indexOnce sync.Once
	ix        *lang.Index
}

// know finds out the dialect.
func (d *document) know() {
	d.langOnce.Do(func() {
		src := dialect.Source{Name: d.path, Text: d.text}
		d.dialect = transpile.Dialects.Named(d.id)
		if d.dialect == nil || filepath.Ext(d.path) != "" {
			d.dialect = transpile.Dialects.Of(src)
		}
		if d.form = d.dialect.FormOf(src); !d.form.Binary {
			d.lang = langs.Of(d.dialect)
		}
	})
}

// index returns the names of the text.
func (d *document) index() *lang.Index {
	d.indexOnce.Do(func() {
		if d.know(); d.lang == nil {
			d.ix = &lang.Index{}
			return
		}
		d.ix = d.lang.Index(d.text, d.module())
	})
	return d.ix
}

// module is the name of the module that the file is, in dialects with modules.
func (d *document) module() string {
	if d.unit != "" {
		return d.unit
	}
	return strings.TrimSuffix(filepath.Base(d.path), filepath.Ext(d.path))
}

// changed makes the document after an edit.
func (d *document) changed(c contentChange, version int) *document {
	next := &document{uri: d.uri, path: d.path, version: version, open: true, id: d.id, unit: d.unit, utf8: d.utf8}
	if c.Range == nil {
		next.text = []byte(c.Text)
		return next
	}
	from, to := d.offset(c.Range.Start), d.offset(c.Range.End)
	to = max(from, to)
	next.text = make([]byte, 0, len(d.text)-(to-from)+len(c.Text))
	next.text = append(append(append(next.text, d.text[:from]...), c.Text...), d.text[to:]...)
	return next
}

// findLines finds where lines begin. As in the protocol, a line ends at a newline, a carriage return, or both.
func (d *document) findLines() {
	d.lineOnce.Do(func() {
		d.lines = append(make([]int, 0, bytes.Count(d.text, []byte{'\n'})+2), 0)
		for i := 0; i < len(d.text); i++ {
			n := bytes.IndexByte(d.text[i:], '\n')
			if n < 0 {
				n = len(d.text) - i
			}
			for r := bytes.IndexByte(d.text[i:i+n], '\r'); r >= 0 && i+r+1 < len(d.text); r = bytes.IndexByte(d.text[i:i+n], '\r') {
				if d.text[i+r+1] == '\n' {
					break
				}
				d.lines = append(d.lines, i+r+1)
				i, n = i+r+1, n-r-1
			}
			if i += n; i < len(d.text) {
				d.lines = append(d.lines, i+1)
			}
		}
	})
}

// offset returns the place of a position in the text. Those outside of the text or a line stand for its end.
func (d *document) offset(p position) int {
	d.findLines()
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(d.lines) {
		return len(d.text)
	}
	i, end := d.lines[p.Line], len(d.text)
	if p.Line+1 < len(d.lines) {
		end = d.lines[p.Line+1]
		for end > i && (d.text[end-1] == '\n' || d.text[end-1] == '\r') {
			end--
		}
	}
	if d.utf8 {
		return min(i+max(p.Character, 0), end)
	}
	for n := p.Character; n > 0 && i < end; {
		r, size := utf8.DecodeRune(d.text[i:end])
		if n--; r > 0xffff {
			n--
		}
		i += size
	}
	return i
}

// position returns the position of a place in the text.
func (d *document) position(off int) position {
	d.findLines()
	off = min(max(off, 0), len(d.text))
	line := sort.Search(len(d.lines), func(i int) bool { return d.lines[i] > off }) - 1
	return position{line, d.column(d.lines[line], off)}
}

// span returns the range of a stretch of the text.
func (d *document) span(off, end int) span { return span{d.position(off), d.position(end)} }

// nameSpan returns the range of a name.
func (d *document) nameSpan(n *lang.Name) span { return d.span(int(n.Off), int(n.End)) }

// spelled returns a name as written.
func (d *document) spelled(n *lang.Name) string { return string(d.text[n.Off:n.End]) }

// pathOf returns the file of a URI, or the URI if it is of no file.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	p := u.Path
	if runtime.GOOS == "windows" {
		p = strings.TrimPrefix(p, "/")
	}
	return filepath.Clean(filepath.FromSlash(p))
}

// uriOf returns the URI of a file.
func uriOf(path string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}
