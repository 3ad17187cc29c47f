package assemble

import (
	_ "embed"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ial/syntax"
)

//go:embed mci.ial
var mciText []byte

// intrinsics makes the module mci.
func (a *assembler) intrinsics() {
	if u := a.named(mciName); u != nil {
		a.prog.MCI = u.m
		return
	}
	own := diag.NewSet()
	f, err := own.Add("mci.ial", mciText)
	if err != nil {
		panic(err) // it is small
	}
	errs := diag.NewList(own)
	u := newUnit(mciName)
	u.scopes = []*scope{{assembler: a, u: u, file: syntax.Parse(f, errs)}}
	if errs.HasErrors() {
		panic(errs) // the text is part of this package
	}
	a.known[mciName] = u
	a.prog.MCI = u.m
	a.declare(u)
	a.signatures(u)
}

// meta converts metadata.
func meta(pairs []syntax.Pair) module.Meta {
	var m module.Meta
	for _, p := range pairs {
		m = append(m, module.Pair{Key: p.Key.Text, Value: p.Value.Text})
	}
	return m
}

// enter puts x into a name space. It is an error if the name is taken. enter reports whether
// the name is new.
func enter[T any](s *scope, space map[string]T, n syntax.Name, x T, what string, first func(T) diag.Pos) bool {
	if n.Text == "" {
		return false
	}
	if old, ok := space[n.Text]; ok {
		s.errorf(n.Off, "%s %s redefined", what, quote(what, n.Text)).Before(first(old))
		return false
	}
	space[n.Text] = x
	return true
}

// quote spells the name of a declaration, where what says what it declares.
func quote(what, name string) string {
	if what == "block" {
		return module.QuoteBlock(name)
	}
	return module.Quote(name)
}

// declare enters the declarations of a module.
func (a *assembler) declare(u *unit) {
	for _, s := range u.scopes {
		for _, d := range s.file.Types {
			s.structure(d)
		}
		for _, d := range s.file.Fields {
			f := s.field(d, nil)
			s.fields = append(s.fields, f)
			f.ForwardModule, f.ForwardName = d.Forward.Module.Text, d.Forward.Name.Text
			if enterNew(s, fieldSpace(f.Storage), d.Name, f, fieldWord(f), fieldPos) {
				u.m.Fields = append(u.m.Fields, f)
			}
		}
		for _, d := range s.file.Data {
			b := &module.Data{Module: u.m, Name: d.Name.Text, Meta: meta(d.Meta), Pos: s.pos(d.Name.Off)}
			for _, l := range d.Lits {
				b.Bytes = append(b.Bytes, byte(s.literal(l, module.Uint8, "data")))
			}
			if enterNew(s, (*unit).dataSpace, d.Name, b, "data block", func(b *module.Data) diag.Pos { return b.Pos }) {
				u.m.Data = append(u.m.Data, b)
			}
		}
		for _, d := range s.file.Funcs {
			f := &module.Function{Module: u.m, Name: d.Name.Text, Attrs: d.Attrs, Conv: d.Conv, Meta: meta(d.Meta),
				Pos: s.pos(d.Name.Off), End: s.pos(d.Close)}
			s.functions = append(s.functions, f)
			if enterNew(s, (*unit).functionSpace, d.Name, f, "function", func(f *module.Function) diag.Pos { return f.Pos }) {
				u.m.Functions = append(u.m.Functions, f)
			}
		}
	}
}

func fieldPos(f *module.Field) diag.Pos { return f.Pos }

// fieldWord says what sort of field f is.
func fieldWord(f *module.Field) string {
	switch {
	case f.Struct != nil:
		return "member"
	case f.Storage == module.Thread:
		return "thread field"
	}
	return "global field"
}

// structure enters a structure with its members, whose types are set later.
func (s *scope) structure(d *syntax.TypeDecl) {
	t := &module.Struct{Module: s.u.m, Name: d.Name.Text, Align: d.Align, Meta: meta(d.Meta), Pos: s.pos(d.Name.Off)}
	if d.Align&(d.Align-1) != 0 {
		s.errorf(d.AlignOff, "type %s: invalid alignment %d: wanted 0 or a power of two", module.Quote(t.Name), d.Align)
	}
	s.structs = append(s.structs, t)
	space := map[string]*module.Field{}
	for _, m := range d.Members {
		f := s.field(m, t)
		if enter(s, space, m.Name, f, "member", fieldPos) {
			t.Members = append(t.Members, f)
		}
	}
	if enterNew(s, (*unit).structSpace, d.Name, t, "type", func(t *module.Struct) diag.Pos { return t.Pos }) {
		s.u.m.Structs = append(s.u.m.Structs, t)
		s.u.members[t], s.u.lostIn[t] = space, d.Lost
	}
}

// field makes a field, without its type.
func (s *scope) field(d *syntax.Field, of *module.Struct) *module.Field {
	return &module.Field{Module: s.u.m, Struct: of, Storage: d.Storage, Name: d.Name.Text, Meta: meta(d.Meta), Pos: s.pos(d.Name.Off)}
}
