package lsp

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/lang"
	"github.com/uvm2go/uvm2go/transpile/lang/langs"
)

// completionKinds are the protocol's numbers of kinds of suggestions.
var completionKinds = map[lang.Kind]int{
	lang.Type: 22, lang.Signature: 8, lang.Constant: 21, lang.Cell: 6, lang.Function: 3, lang.Version: 3, lang.Block: 18,
	lang.Parameter: 6, lang.Value: 6, lang.Member: 5, lang.Data: 12, lang.Module: 9, lang.Other: 18, lang.Unknown: 1,
}

// completionOp is the protocol's number for keywords.
const completionOp = 14

// maxItems bounds a list of suggestions.
const maxItems = 1000

// triggers are the characters after which the editor asks for suggestions: the marks of names.
func triggers() []string {
	var list []string
	seen := map[rune]bool{}
	for _, d := range transpile.Dialects {
		l := langs.Of(d)
		if l == nil {
			continue
		}
		for _, c := range l.Sigils {
			if !seen[c] {
				seen[c] = true
				list = append(list, string(c))
			}
		}
	}
	return list
}

// completion suggests the names that are known at a place, and operations.
func (st *state) completion(p positionParams) (*completionList, error) {
	d, err := st.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	off := d.offset(p.Position)
	x := d.index()
	if w := x.WordAt(off); w != nil && (w.Class == lang.Comment || w.Class == lang.String) {
		return &completionList{Items: []completionItem{}}, nil
	}
	from := off
	for from > 0 && inWord(d.text[from-1]) {
		from--
	}
	mark := ""
	if from > 0 && strings.IndexByte(d.lang.Sigils, d.text[from-1]) >= 0 {
		from--
		mark = string(d.text[from : from+1])
	}
	c := &completer{st: st, doc: d, typing: d.span(from, off), mark: mark, typed: strings.ToLower(string(d.text[from:off])), seen: map[string]bool{}}
	for i := from - 1; i >= 0 && d.text[i] == ' ' || i == from-1 && i >= 0; i-- {
		c.angle = d.text[i] == '<'
	}
	here := x.ItemAt(from)
	for i := range x.Names {
		if n := &x.Names[i]; n.Def && n.Off != uint32(from) && x.Within(here, n.Scope) {
			c.name(d, n)
		}
	}
	for _, o := range st.around(d)[1:] {
		y := o.index()
		for i := range y.Names {
			if n := &y.Names[i]; n.Def && n.Scope == lang.Global {
				c.name(o, n)
			}
		}
	}
	for _, o := range d.lang.Operations() {
		c.add(completionItem{Label: o.Name, Kind: completionOp, Detail: o.Form, Documentation: o.Doc, SortText: "5"})
	}
	for _, w := range d.lang.Keywords() {
		c.add(completionItem{Label: w, Kind: completionOp, Detail: "keyword", SortText: "6"})
	}
	return &c.completionList, nil
}

// A completer collects suggestions.
type completer struct {
	st     *state
	doc    *document
	typing span   // the part of the name that is typed already
	mark   string // its sigil, "" if there is none
	typed  string // in lower case
	angle  bool   // an angle bracket is in front of it
	seen   map[string]bool
	completionList
}

// name suggests a name of a document.
func (c *completer) name(d *document, n *lang.Name) {
	rank := 2
	switch {
	case c.angle && (n.Kind == lang.Type || n.Kind == lang.Signature), n.Scope != lang.Global:
		rank = 1
	case c.angle:
		rank = 3
	}
	detail := n.Kind.String()
	if d != c.doc {
		detail += " of " + filepath.Base(d.path)
	}
	c.add(completionItem{Label: d.spelled(n), Kind: completionKinds[n.Kind], Detail: detail, SortText: fmt.Sprint(rank)})
}

// add adds a suggestion if it begins as what is typed.
func (c *completer) add(i completionItem) {
	marked := i.Label != "" && strings.IndexByte(c.doc.lang.Sigils, i.Label[0]) >= 0
	switch {
	case c.seen[i.Label], !strings.HasPrefix(strings.ToLower(i.Label), c.typed), marked && c.mark == "" && c.typed != "":
		return
	case len(c.Items) == maxItems:
		c.IsIncomplete = true
		return
	}
	c.seen[i.Label] = true
	i.SortText += i.Label
	i.TextEdit = &textEdit{c.typing, i.Label}
	c.Items = append(c.Items, i)
}

// signatureHelp shows how the operation in front of a place is written, and which of its parts is there.
func (st *state) signatureHelp(p positionParams) (*signatureHelp, error) {
	d, err := st.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	off := d.offset(p.Position)
	x := d.index()
	var last *lang.Word
	line := d.position(off).Line
	for i := range x.Words {
		w := &x.Words[i]
		if int(w.End) >= off {
			break
		}
		if w.Class == lang.Op && int(w.Off) >= d.lines[line] {
			last = w
		}
	}
	if last == nil || strings.ContainsAny(string(d.text[last.End:off]), ";") {
		return nil, nil
	}
	o := d.operation(string(d.text[last.Off:last.End]))
	if o == nil {
		return nil, nil
	}
	s := signature{Label: o.Form, Documentation: o.Doc, Parameters: []parameter{}}
	at := strings.Index(o.Form, o.Name) + len(o.Name)
	for _, g := range groups(o.Form[at:]) {
		s.Parameters = append(s.Parameters, parameter{[2]int{at + g[0], at + g[1]}})
	}
	before := string(d.text[last.End:off])
	active := len(groups(before))
	if active > 0 && !strings.HasSuffix(before, " ") {
		active-- // it is being written
	}
	return &signatureHelp{[]signature{s}, 0, active}, nil
}

// groups finds the parts of an instruction: words and what is in brackets.
func groups(s string) (list [][2]int) {
	depth, from := 0, -1
	for i := 0; i <= len(s); i++ {
		space := i == len(s) || s[i] == ' ' || s[i] == '\t' || s[i] == ','
		if space && depth == 0 || i == len(s) {
			if from >= 0 {
				list = append(list, [2]int{from, i})
				from = -1
			}
			continue
		}
		if from < 0 && !space {
			from = i
		}
		switch s[i] {
		case '<', '(', '[', '{':
			depth++
		case '>', ')', ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return list
}
