package layout

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// Limits reports the types that are too large, at their definition or, if they have
// none, where they are first named. It also reports the field that makes the memory of
// globals or of threads too large. It does not report a type that is too large only
// because of a type within it.
func Limits(p *module.Program, t *Table, diags *diag.List) {
	for _, m := range p.Modules {
		for _, s := range m.Structs {
			l := t.Struct(s)
			var within []*Layout
			for _, m := range l.Members {
				within = append(within, t.Of(m.Field.Type))
			}
			if what := excess(l, within...); what != "" {
				diags.Errorf(s.Pos, "type %s is too large: it has %s", module.Quote(s.Name), what)
			}
		}
	}
	seen := map[*module.Type]bool{}
	p.Mentions(func(m module.Mention) { t.mention(m, m.Type, seen, diags) })
	for _, kind := range []module.Storage{module.Global, module.Thread} {
		t.cells(p, kind, diags)
	}
}

// excess says what is too large about a layout, "" if nothing is or if the same is true of
// a type within it.
func excess(l *Layout, within ...*Layout) string {
	large := func(l *Layout) bool { return l.Size.W8 >= layout.TooBig }
	wide := func(l *Layout) bool { return l.parts > layout.MaxParts }
	for _, w := range within {
		if large(w) || wide(w) {
			return ""
		}
	}
	switch {
	case large(l):
		return "2^47 bytes or more"
	case wide(l):
		return "more than 65536 scalars, those of its members counted, of a static array those of one element"
	}
	return ""
}

// mention checks the parts of a mentioned type.
func (t *Table) mention(m module.Mention, typ *module.Type, seen map[*module.Type]bool, diags *diag.List) {
	if seen[typ] {
		return
	}
	seen[typ] = true
	typ.Parts(func(part *module.Type) { t.mention(m, part, seen, diags) })
	if typ.Kind != module.Static && typ.Kind != module.Vector {
		return
	}
	e := t.Of(typ.Elem)
	if what := excess(&Layout{Size: e.Size.Mul(uint64(typ.Count))}, e); what != "" {
		diags.Errorf(m.Pos, "type %s is too large: its elements take %s", typ.Spell(m.In), what)
	}
}

// cells adds up the fields of one kind of storage.
func (t *Table) cells(p *module.Program, kind module.Storage, diags *diag.List) {
	var sum layout.Num
	cell := func(f *module.Field) {
		if f.Storage != kind || f.Forward != nil {
			return
		}
		before := sum.W8
		sum = sum.Add(t.Of(f.Type).Size)
		if before <= layout.MaxCells && sum.W8 > layout.MaxCells {
			what := "global"
			if kind == module.Thread {
				what = "thread"
			}
			diags.Errorf(f.Pos, "field %s: the %s fields of the program take more than 2^30 bytes", module.Quote(f.Name), what)
		}
	}
	for _, m := range p.Modules {
		for _, s := range m.Structs {
			for _, f := range s.Members {
				cell(f)
			}
		}
		for _, f := range m.Fields {
			cell(f)
		}
	}
}
