package lsp

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/dump"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lang"
)

// suggestion finds in a message the word that it suggests.
var suggestion = regexp.MustCompile(`did you mean (\S+)\?`)

// codeActions offers what messages suggest in place of what they are about.
func (st *state) codeActions(p codeActionParams) ([]codeAction, error) {
	d, err := st.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	list := []codeAction{}
	for _, g := range p.Context.Diagnostics {
		m := suggestion.FindStringSubmatch(g.Message)
		if m == nil || g.Source != "uvm2go" || g.Range.Start == g.Range.End {
			continue
		}
		// Some messages suggest something for what they are about as a whole, which does not resemble it.
		old := string(d.text[d.offset(g.Range.Start):d.offset(g.Range.End)])
		near := lex.DidYouMean(old, m[1:]) != ""
		list = append(list, codeAction{"Change to " + m[1], "quickfix", []diagnostic{g}, near,
			workspaceEdit{map[string][]textEdit{d.uri: {{g.Range, m[1]}}}}})
	}
	return list, nil
}

// The commands of the code lenses. Their arguments are the URI of a text and the name of a function as the outline
// shows it.
const (
	showGo = "uvm2go.showGo"
	showIR = "uvm2go.showIR"
)

// codeLenses offers to show what the translator makes of a function.
func (st *state) codeLenses(p positionParams) ([]codeLens, error) {
	d, err := st.document(p.TextDocument)
	if err != nil {
		return nil, err
	}
	list := []codeLens{}
	x := d.index()
	for i := range x.Items {
		it := &x.Items[i]
		if !body(it) || !bytes.ContainsRune(d.text[it.NameEnd:it.End], '{') {
			continue
		}
		at := d.span(int(it.NameOff), int(it.NameEnd))
		for _, c := range []command{{"Go", showGo, nil}, {"IR", showIR, nil}} {
			c.Arguments = []any{d.uri, it.Name}
			list = append(list, codeLens{at, c})
		}
	}
	return list, nil
}

// execute runs a command.
func (st *state) execute(p executeParams) (*shown, error) {
	if p.Command != showGo && p.Command != showIR {
		return nil, failed("no command %s", p.Command)
	}
	var uri, name string
	if len(p.Arguments) != 2 || json.Unmarshal(p.Arguments[0], &uri) != nil || json.Unmarshal(p.Arguments[1], &name) != nil {
		return nil, failed("%s wants the URI of a text and the name of a function", p.Command)
	}
	d, err := st.document(textDocument{uri})
	if err != nil {
		return nil, err
	}
	opt := transpile.Options{Dialect: d.dialect.Name, Strict: st.opts.Strict, Optimize: 1, Package: "bundle"} // a program would need an entry function
	q, list := transpile.Load(sources(st.program(d)), opt)
	if q == nil {
		return nil, failed("%s", list.Error())
	}
	f := function(d, q, name)
	if f == nil || f.Current() == nil {
		return nil, failed("the program has no function %s with a body", name)
	}
	version := f.Current().Name
	if p.Command == showGo {
		code, err := st.Go(q)
		if err != nil {
			return nil, failed("%v", err)
		}
		if code[version] == "" {
			return nil, failed("%s has no Go function of its own", name)
		}
		return &shown{name + " as Go", code[version]}, nil
	}
	if err := q.Optimized(nil); err != nil {
		return nil, failed("%v", err)
	}
	var b bytes.Buffer
	if err := dump.Dump(&b, q.IR, dump.Options{Form: dump.Text, Func: f.Name}); err != nil {
		return nil, failed("%v", err)
	}
	return &shown{name + " as IR", b.String()}, nil
}

// body reports whether an item may have the body of a function: a function, or a version of one that stands by itself.
func body(it *lang.Item) bool {
	return it.Name != "" && (it.Kind == lang.Function || it.Kind == lang.Version && it.Parent == lang.Global)
}

// function finds a function of a program by its name in a text, or that of a version. The function of the text's module
// comes before those of others.
func function(d *document, q *transpile.Program, name string) *ir.Function {
	if d.dialect.Modules {
		if f, ok := q.Dialect.Find(q.IR, d.module()+"/"+name).(*ir.Function); ok {
			return f
		}
	}
	if f, ok := q.Dialect.Find(q.IR, name).(*ir.Function); ok {
		return f
	}
	for _, f := range q.IR.Funcs {
		if slices.ContainsFunc(f.Versions, func(v *ir.Version) bool { return v.Name == name }) {
			return f
		}
	}
	return nil
}
