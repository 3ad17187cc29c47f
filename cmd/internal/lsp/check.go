package lsp

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/diag"
)

// A result is what a check of a text found.
type result struct {
	doc     *document
	texts   []*document        // of the program
	program *transpile.Program // nil if there are errors, or the check does not make it
	list    []diagnostic
}

// ask queues a text to be checked, before all others if the user has just changed it. The caller holds mu.
func (s *Server) ask(uri string, first bool) {
	at := slices.Index(s.waiting, uri)
	if first && at >= 0 {
		s.waiting = slices.Delete(s.waiting, at, at+1)
		at = -1
	}
	switch {
	case first:
		s.waiting = slices.Insert(s.waiting, 0, uri)
	case at < 0:
		s.waiting = append(s.waiting, uri)
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// checker checks texts until the context ends.
func (s *Server) checker(ctx context.Context) {
	for {
		s.mu.Lock()
		var st *state
		var d *document
		var last *result
		if len(s.waiting) > 0 {
			st = s.state(ctx)
			d = s.docs[s.waiting[0]]
			last = s.checked[s.waiting[0]]
			s.waiting = s.waiting[1:]
		}
		s.mu.Unlock()
		if st == nil {
			select {
			case <-ctx.Done():
				return
			case <-s.wake:
			}
			continue
		}
		if d == nil { // it was closed
			continue
		}
		s.guard("check", func() error {
			texts := st.program(d)
			if last != nil && last.doc == d && slices.Equal(last.texts, texts) { // something else has changed
				return nil
			}
			r := st.check(d, texts)
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.docs[d.uri] != d { // it has changed, and waits again
				return nil
			}
			s.checked[d.uri] = r
			return s.conn.Notify(ctx, "textDocument/publishDiagnostics", publishParams{URI: d.uri, Version: &d.version, Diagnostics: r.list})
		})
	}
}

// sources are the texts of a program as the translator takes them.
func sources(docs []*document) (srcs []transpile.Source) {
	for _, d := range docs {
		srcs = append(srcs, transpile.Source{Name: d.path, Text: d.text, Unit: d.unit})
	}
	return srcs
}

// check checks the program that a text is in, as uvm2go check does, and returns what concerns the text.
func (st *state) check(d *document, texts []*document) *result {
	r := &result{doc: d, texts: texts, list: []diagnostic{}}
	if d.lang == nil {
		return r
	}
	srcs := sources(texts)
	opt := transpile.Options{Dialect: d.dialect.Name, Strict: st.opts.Strict}
	var list *diag.List
	if d.dialect.Checks != "" {
		list = transpile.Check(srcs, d.dialect.Checks, opt)
	} else {
		r.program, list = transpile.Load(srcs, opt)
	}
	for _, g := range list.All() {
		f := list.Set().File(g.Pos.File)
		if f != nil && f.Name() != d.path {
			continue
		}
		r.list = append(r.list, st.diagnostic(d, list.Set(), g))
	}
	return r
}

// The severities of the protocol.
var severities = map[diag.Severity]int{diag.Error: 1, diag.Warning: 2}

// diagnostic converts a diagnostic about a text.
func (st *state) diagnostic(d *document, set *diag.Set, g *diag.Diagnostic) diagnostic {
	out := diagnostic{Range: d.tokenSpan(int(g.Pos.Off)), Severity: severities[g.Severity], Code: code(g), Source: "uvm2go", Message: g.Msg}
	for _, r := range g.Related {
		f := set.File(r.Pos.File)
		if f == nil {
			out.Message += "\n" + r.Msg
			continue
		}
		o := d
		if f.Name() != d.path {
			o = st.text(f.Name())
		}
		if o != nil {
			out.Related = append(out.Related, related{location{o.uri, o.tokenSpan(int(r.Pos.Off))}, r.Msg})
		}
	}
	return out
}

// tokenSpan is the range of the token at an offset or, at the end of a line, of a name in front of it.
func (d *document) tokenSpan(off int) span {
	end := d.tokenEnd(off)
	if x := d.index(); end == off {
		if i := x.NameAt(off); i >= 0 {
			off = int(x.Names[i].Off)
		}
	}
	return d.span(off, end)
}

// tokenEnd is the end of the token at an offset, or of the character there.
func (d *document) tokenEnd(off int) int {
	if end, ok := d.index().TokenAt(off); ok {
		return end
	}
	end := off
	for end < len(d.text) && inWord(d.text[end]) {
		end++
	}
	if end == off && off < len(d.text) && d.text[off] != '\n' && d.text[off] != '\r' {
		end++
		for end < len(d.text) && d.text[end]&0xc0 == 0x80 { // the rest of a character
			end++
		}
	}
	return end
}

// inWord reports whether a byte may be in a word.
func inWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '.' || c == '-'
}

// codes are the codes of errors, by words in their messages; the first that fits counts.
var codes = []struct{ code, begins, has string }{
	{"redefined", "", " redefined"},
	{"unknown", "", "unknown "},
	{"unknown", "", " is not defined"},
	{"syntax", "bad ", ""},
	{"syntax", "wanted ", ""},
	{"syntax", "unexpected ", ""},
	{"type", "", " wants "},
	{"type", "", ": wanted "},
}

// code says what kind of error or warning a diagnostic is.
func code(g *diag.Diagnostic) string {
	if g.Severity == diag.Warning {
		return "deviation"
	}
	for _, c := range codes {
		if strings.HasPrefix(g.Msg, c.begins) && strings.Contains(g.Msg, cmp.Or(c.has, c.begins)) {
			return c.code
		}
	}
	return "rule"
}
