package lsp

import (
	"cmp"
	"path/filepath"

	"github.com/uvm2go/uvm2go/transpile/lang"
)

// A found is a name in a document.
type found struct {
	doc  *document
	name *lang.Name
}

func (f found) location() location { return location{f.doc.uri, f.doc.nameSpan(f.name)} }

// at finds the name at the place of a request, nil if there is none.
func (st *state) at(p positionParams) (*document, *lang.Name, error) {
	d, err := st.document(p.TextDocument)
	if err != nil {
		return nil, nil, err
	}
	x := d.index()
	if i := x.NameAt(d.offset(p.Position)); i >= 0 {
		return d, &x.Names[i], nil
	}
	return d, nil, nil
}

// own lists the occurrences of a name in its text.
func own(d *document, n *lang.Name) (list []found) {
	x := d.index()
	for i := range x.Names {
		if m := &x.Names[i]; m.Scope == n.Scope && m.Key == n.Key {
			list = append(list, found{d, m})
		}
	}
	return list
}

// occurrences lists all occurrences of a name: for a global one, in the texts whose program has the text that
// defines the name.
func (st *state) occurrences(d *document, n *lang.Name) (list []found) {
	if n.Scope != lang.Global {
		return own(d, n)
	}
	defines := st.definer(d, n)
	for _, o := range st.around(d) {
		if list2 := own(o, n); len(list2) > 0 && (o == d || st.definer(o, n) == defines) {
			list = append(list, list2...)
		}
	}
	return list
}

// definer is the text that defines a global name for a text: itself, another one of its program, or nil.
func (st *state) definer(d *document, n *lang.Name) *document {
	if d.index().Defines(n.Key) {
		return d
	}
	for _, o := range st.program(d) {
		if o.index().Defines(n.Key) {
			return o
		}
	}
	return nil
}

// definitions finds where a name is defined or, if nowhere, declared.
func (st *state) definitions(d *document, n *lang.Name) (list []found) {
	o := d
	if n.Scope == lang.Global {
		if other := st.definer(d, n); other != nil {
			o = other
		}
	}
	if i := o.index().Definition(n.Scope, n.Key); i >= 0 {
		list = append(list, found{o, &o.index().Names[i]})
	}
	return list
}

func (st *state) definition(p positionParams) ([]location, error) {
	d, n, err := st.at(p)
	if n == nil {
		return nil, err
	}
	list := []location{}
	if n.Kind == lang.Module {
		for _, o := range st.around(d) {
			if o.module() == string(d.text[n.Off:n.End]) {
				list = append(list, location{URI: o.uri})
			}
		}
		return list, nil
	}
	for _, f := range st.definitions(d, n) {
		list = append(list, f.location())
	}
	return list, nil
}

func (st *state) references(p positionParams) ([]location, error) {
	d, n, err := st.at(p)
	if n == nil {
		return nil, err
	}
	list := []location{}
	for _, f := range st.occurrences(d, n) {
		if !f.name.Def || p.Context.IncludeDeclaration {
			list = append(list, f.location())
		}
	}
	return list, nil
}

// The protocol's kinds of highlights.
const (
	highlightRead  = 2
	highlightWrite = 3
)

func (st *state) highlights(p positionParams) ([]highlight, error) {
	d, n, err := st.at(p)
	if n == nil {
		return nil, err
	}
	list := []highlight{}
	for _, f := range own(d, n) {
		kind := highlightRead
		if f.name.Def {
			kind = highlightWrite
		}
		list = append(list, highlight{d.nameSpan(f.name), kind})
	}
	return list, nil
}

func (st *state) prepareRename(p positionParams) (*prepared, error) {
	d, n, err := st.at(p)
	if err != nil {
		return nil, err
	}
	if n == nil {
		return nil, nameless(d)
	}
	if err := st.renamable(d, n); err != nil {
		return nil, err
	}
	return &prepared{d.nameSpan(n), d.spelled(n)}, nil
}

// renamable says why a name cannot be renamed: what it names is not in the texts, or one whose names are not known may
// use it.
func (st *state) renamable(d *document, n *lang.Name) error {
	if len(st.definitions(d, n)) == 0 {
		return failed("%s is not defined in these files", d.spelled(n))
	}
	if n.Scope != lang.Global {
		return nil
	}
	for _, o := range st.around(d) {
		if o.index().Possible[n.Key] {
			return failed("%s may be used in %s, whose names are not known: it is in the form %s", d.spelled(n), filepath.Base(o.path), o.form.Name)
		}
	}
	return nil
}

// nameless is the error for a place without a name, nil if it needs no other than that.
func nameless(d *document) error {
	if d.index().Possible == nil {
		return nil
	}
	return failed("the names of %s are not known: it is in the form %s", filepath.Base(d.path), d.form.Name)
}

func (st *state) rename(p positionParams) (*workspaceEdit, error) {
	d, n, err := st.at(p)
	if err != nil {
		return nil, err
	}
	if n == nil {
		return nil, cmp.Or(nameless(d), failed("there is no name here"))
	}
	if err := st.renamable(d, n); err != nil {
		return nil, err
	}
	edit := &workspaceEdit{map[string][]textEdit{}}
	taken := map[string][]*lang.Name{} // by document and new spelling
	for _, f := range st.occurrences(d, n) {
		text, ok := d.lang.Rename(f.doc.spelled(f.name), p.NewName)
		if !ok {
			return nil, failed("%s is not a name that could stand for %s", p.NewName, f.doc.spelled(f.name))
		}
		key := f.doc.uri + " " + text
		if _, ok := taken[key]; !ok {
			taken[key] = defined(f.doc, text)
		}
		if err := free(f, text, taken[key]); err != nil {
			return nil, err
		}
		edit.Changes[f.doc.uri] = append(edit.Changes[f.doc.uri], textEdit{f.doc.nameSpan(f.name), text})
	}
	return edit, nil
}

// defined lists the definitions in a document of what is spelled like text.
func defined(d *document, text string) []*lang.Name {
	list := []*lang.Name{}
	x := d.index()
	for i := range x.Names {
		if m := &x.Names[i]; m.Def && string(d.text[m.Off:m.End]) == text {
			list = append(list, m)
		}
	}
	return list
}

// free says whether a new name means something already where an old one stands. taken are the definitions with it in
// the document.
func free(f found, text string, taken []*lang.Name) error {
	x := f.doc.index()
	for _, m := range taken {
		if m.Key == f.name.Key && m.Scope == f.name.Scope || apart(m.Kind, f.name.Kind) {
			continue
		}
		inner, outer := x.ItemAt(int(f.name.Off)), m.Scope
		if x.Within(inner, outer) || x.Within(m.Scope, f.name.Scope) && m.Scope != lang.Global {
			return failed("%s is already a %s", text, m.Kind)
		}
	}
	return nil
}

// apart reports whether things of two kinds may have the same name where the other is known: members belong to
// their type.
func apart(a, b lang.Kind) bool { return (a == lang.Member) != (b == lang.Member) }
