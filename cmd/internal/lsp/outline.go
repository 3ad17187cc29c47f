package lsp

import (
	"bytes"
	"errors"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/lang"
)

// document finds the document of a request, which must be open.
func (st *state) document(t textDocument) (*document, error) {
	d := st.docs[t.URI]
	if d == nil {
		return nil, failed("%s is not open", t.URI)
	}
	if d.know(); d.lang == nil {
		return nil, failed("%s is no text", t.URI)
	}
	return d, nil
}

// formatting lays out a text as uvm2go fmt does. A text with syntax errors stays as it is: the editor shows the
// errors anyway.
func (st *state) formatting(p positionParams) ([]textEdit, error) {
	d, err := st.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	if d.form.Format == nil {
		return nil, failed("dialect %s has no layout to choose", d.dialect.Name)
	}
	out, err := d.form.Format(d.path, d.text)
	var list *diag.List
	if errors.As(err, &list) {
		return []textEdit{}, nil
	}
	if err != nil {
		return nil, err
	}
	return d.edits(out), nil
}

// edits makes the text new: it replaces the lines between the first and the last that differ.
func (d *document) edits(out []byte) []textEdit {
	if bytes.Equal(d.text, out) {
		return []textEdit{}
	}
	from := 0
	for from < len(d.text) && from < len(out) && d.text[from] == out[from] {
		from++
	}
	from = bytes.LastIndexByte(d.text[:from], '\n') + 1
	a, b := len(d.text), len(out)
	for a > from && b > from && d.text[a-1] == out[b-1] {
		a, b = a-1, b-1
	}
	if n := bytes.IndexByte(d.text[a:], '\n'); n >= 0 {
		a, b = a+n+1, b+n+1
	} else {
		a, b = len(d.text), len(out)
	}
	return []textEdit{{d.span(from, a), string(out[from:b])}}
}

// symbolKinds are the protocol's numbers of kinds in outlines.
var symbolKinds = map[lang.Kind]int{
	lang.Type: 23, lang.Signature: 11, lang.Constant: 14, lang.Cell: 13, lang.Function: 12, lang.Version: 6, lang.Block: 3,
	lang.Member: 8, lang.Data: 18, lang.Module: 2, lang.Parameter: 13, lang.Value: 13, lang.Other: 20, lang.Unknown: 13,
}

// symbols is the outline of a text.
func (st *state) symbols(p positionParams) ([]documentSymbol, error) {
	d, err := st.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	x := d.index()
	i := 0
	return d.outline(x, &i, lang.Global), nil
}

// outline makes the symbols of the items from *i on that are parts of parent. Items without a name are left out, their
// parts are not.
func (d *document) outline(x *lang.Index, i *int, parent int32) []documentSymbol {
	list := []documentSymbol{}
	for *i < len(x.Items) && x.Within(int32(*i), parent) {
		n := int32(*i)
		it := &x.Items[n]
		*i++
		parts := d.outline(x, i, n)
		if it.Name == "" {
			list = append(list, parts...)
			continue
		}
		list = append(list, documentSymbol{it.Name, it.Kind.String(), symbolKinds[it.Kind],
			d.span(int(it.Off), int(it.End)), d.span(int(it.NameOff), int(it.NameEnd)), parts})
	}
	return list
}

// workspaceSymbols finds global names in all texts around those that are open.
func (st *state) workspaceSymbols(p struct {
	Query string `json:"query"`
}) ([]workspaceSymbol, error) {
	const most = 1000
	list := []workspaceSymbol{}
	seen := map[string]bool{}
	query := strings.ToLower(p.Query)
	for _, open := range st.docs {
		for _, d := range st.around(open) {
			if seen[d.uri] {
				continue
			}
			seen[d.uri] = true
			x := d.index()
			for i := range x.Names {
				n := &x.Names[i]
				if n.Def && n.Scope == lang.Global && len(list) < most && strings.Contains(strings.ToLower(d.spelled(n)), query) {
					list = append(list, workspaceSymbol{d.spelled(n), symbolKinds[n.Kind], location{d.uri, d.nameSpan(n)}})
				}
			}
		}
	}
	return list, nil
}

// folds lists what can be folded: items of several lines, and comments.
func (st *state) folds(p positionParams) ([]foldingRange, error) {
	d, err := st.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	x := d.index()
	list := []foldingRange{}
	for i := range x.Items {
		it := &x.Items[i]
		from, to := d.position(int(it.Off)).Line, d.position(int(it.End)).Line
		if last := d.position(int(it.End)); it.Name != "" && it.End > 0 && closes(d.text[d.lines[last.Line]:it.End]) {
			to-- // the brace stays visible
		}
		if it.Name != "" && from < to {
			list = append(list, foldingRange{StartLine: from, EndLine: to})
		}
	}
	first, last := -2, -2 // lines of the comments so far
	add := func() {
		if first < last {
			list = append(list, foldingRange{first, last, "comment"})
		}
	}
	for _, w := range x.Words {
		from := d.position(int(w.Off))
		if w.Class != lang.Comment || len(bytes.TrimSpace(d.text[d.lines[from.Line]:w.Off])) > 0 {
			continue
		}
		if from.Line != last+1 {
			add()
			first = from.Line
		}
		last = d.position(int(w.End)).Line
	}
	add()
	return list, nil
}

// closes reports whether the beginning of a line has only the end of an item.
func closes(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && line[0] == '}'
}
