package lsp

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lang"
)

// Limits of what a hover shows.
const (
	maxText  = 600 // bytes of a definition
	maxTypes = 6   // definitions of types in it
)

// hover explains the name or the operation at a place.
func (st *state) hover(p positionParams) (*hover, error) {
	d, n, err := st.at(p)
	if err != nil {
		return nil, err
	}
	if n != nil {
		return &hover{markup{"markdown", st.about(d, n)}, d.nameSpan(n)}, nil
	}
	w := d.index().WordAt(d.offset(p.Position))
	if w == nil {
		return nil, nil
	}
	o := d.operation(string(d.text[w.Off:w.End]))
	if o == nil || w.Class == lang.Comment || w.Class == lang.String {
		return nil, nil
	}
	return &hover{markup{"markdown", fence(d, o.Form) + "\n" + o.Doc}, d.span(int(w.Off), int(w.End))}, nil
}

// operation finds an operation by its word, nil if there is none.
func (d *document) operation(word string) *lang.Operation {
	for _, o := range d.lang.Operations() {
		if o.Name == word {
			return &o
		}
	}
	return nil
}

// fence is a piece of text in the language of a document.
func fence(d *document, text string) string { return "```" + d.dialect.Name + "\n" + text + "\n```\n" }

// about says what a name is: its kind, type, definition and number of uses.
func (st *state) about(d *document, n *lang.Name) string {
	all := st.occurrences(d, n)
	uses := 0
	for _, f := range all {
		if !f.name.Def {
			uses++
		}
	}
	defs := st.definitions(d, n)
	if len(defs) == 0 {
		return fmt.Sprintf("%s `%s`, not defined in these files, %s", n.Kind, d.spelled(n), count(uses))
	}
	f := defs[0]
	var b strings.Builder
	fmt.Fprintf(&b, "%s `%s`", f.name.Kind, f.doc.spelled(f.name))
	if t := st.typeOf(f); t != "" {
		fmt.Fprintf(&b, " of type `%s`", t)
	}
	if name := f.called(); name != "" {
		fmt.Fprintf(&b, ", `%s` in the author's source", name)
	}
	if f.doc != d {
		fmt.Fprintf(&b, " of %s", filepath.Base(f.doc.path))
	}
	fmt.Fprintf(&b, ", %s\n%s", count(uses), fence(f.doc, strings.Join(st.definitionText(f), "\n")))
	return b.String()
}

// called is what the author's own source calls a value, "" if the text does not say.
func (f found) called() string {
	if f.name.Kind != lang.Value {
		return ""
	}
	set := diag.NewSet()
	file, err := set.Add("", f.doc.text)
	if err != nil {
		return ""
	}
	return set.Called(file.Pos(int(f.name.Off)), f.doc.spelled(f.name), func() (starts []uint32) {
		for _, it := range f.doc.index().Items {
			if it.Kind == lang.Function || it.Kind == lang.Version {
				starts = append(starts, it.Off)
			}
		}
		return starts
	})
}

func count(uses int) string {
	if uses == 1 {
		return "1 use"
	}
	return fmt.Sprintf("%d uses", uses)
}

// stretch returns the part of a text that shows a definition: its item, of a function or block the head, or else
// the line.
func (f found) stretch() (from, to int) {
	d := f.doc
	off := int(f.name.Off)
	x := d.index()
	from, to = int(d.lines[d.position(off).Line]), len(d.text)
	if i := bytes.IndexByte(d.text[off:], '\n'); i >= 0 {
		to = off + i
	}
	i := x.ItemAt(off)
	if i < 0 || int(x.Items[i].NameOff) != off || x.Items[i].Kind == lang.Block {
		return from, to
	}
	it := &x.Items[i]
	from = int(it.Off)
	if to = int(it.End); it.Kind == lang.Function || it.Kind == lang.Version {
		if i := bytes.IndexAny(d.text[it.NameEnd:it.End], "{\n"); i >= 0 {
			to = int(it.NameEnd) + i
		}
	}
	return from, to
}

// definitionText returns a definition, and those of the types that it names.
func (st *state) definitionText(f found) []string {
	from, to := f.stretch()
	text := strings.TrimSpace(string(f.doc.text[from:min(to, from+maxText)]))
	if to > from+maxText {
		text += " ..."
	}
	lines := []string{text}
	x := f.doc.index()
	seen := map[string]bool{f.name.Key: true}
	for i := range x.Names {
		n := &x.Names[i]
		if int(n.Off) < from || int(n.Off) >= to || seen[n.Key] || n.Scope != lang.Global || len(lines) > maxTypes || len(text) > maxText {
			continue
		}
		seen[n.Key] = true
		for _, g := range st.definitions(f.doc, n) {
			if g.name.Kind == lang.Type || g.name.Kind == lang.Signature {
				a, b := g.stretch()
				if b-a < maxText {
					lines = append(lines, strings.TrimSpace(string(g.doc.text[a:b])))
				}
			}
		}
	}
	return lines
}

// typeOf is the type of a value as the translator sees it, "" if it is not known: then the text has errors, or its
// names are not those of values.
func (st *state) typeOf(f found) string {
	st.mu.Lock()
	r := st.checked[f.doc.uri]
	st.mu.Unlock()
	if f.name.Kind != lang.Value && f.name.Kind != lang.Parameter || r == nil || r.program == nil || r.doc != f.doc {
		return ""
	}
	x := f.doc.index()
	block, fn := "", ""
	for i := x.ItemAt(int(f.name.Off)); i != lang.Global; i = x.Items[i].Parent {
		switch it := &x.Items[i]; it.Kind {
		case lang.Block:
			block = it.Name
		case lang.Function, lang.Version:
			fn = it.Name
		}
	}
	p := r.program.IR
	g := function(f.doc, r.program, fn)
	if g == nil || g.Current() == nil {
		return ""
	}
	v := g.Current()
	for i := range v.Values {
		w := &v.Values[i]
		if w.Name != f.doc.spelled(f.name) || w.Type == 0 {
			continue
		}
		at := int(w.Def)
		if w.Kind == ir.ValueResult {
			at = int(v.Insts[w.Def].Block)
		}
		if block == "" || v.Blocks[at].Name == block || f.name.Scope >= 0 && x.Items[f.name.Scope].Kind != lang.Block {
			return p.Types.Structure(w.Type, 2)
		}
	}
	return ""
}
