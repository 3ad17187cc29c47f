package layout

import (
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// structAlign is the alignment in bytes of a structure with members that declares none,
// whatever its members and the word size.
const structAlign = 8

// staticAlign is the alignment in bytes of a static array that has elements.
const staticAlign = 16

// A Layout is the layout of a type's values. The elements of static arrays, arrays, vectors
// and blocks of memory lie at distances of their Size.
type Layout struct {
	Size, Align layout.Num
	Members     []Member // instance members of a structure, in order
	Managed     bool     // holds references of the collector
	Pointers    bool     // holds pointers
	parts       uint64   // scalars, those of one element of a static array; at most 2*layout.MaxParts
}

// A Member is an instance member of a structure.
type Member struct {
	Field  *module.Field
	Offset layout.Num
}

// A Table computes layouts and remembers them.
type Table struct {
	known   map[*module.Type]*Layout
	structs map[*module.Struct]*Layout
	offsets map[*module.Field]layout.Num
}

// New returns an empty table.
func New() *Table {
	return &Table{map[*module.Type]*Layout{}, map[*module.Struct]*Layout{}, map[*module.Field]layout.Num{}}
}

// Of returns the layout of a type. Void takes no space.
func (t *Table) Of(typ *module.Type) *Layout {
	if typ.Kind == module.StructType {
		return t.Struct(typ.Struct)
	}
	if l := t.known[typ]; l != nil {
		return l
	}
	l := t.compute(typ)
	t.known[typ] = l
	return l
}

// Struct returns the layout of the values of a structure.
func (t *Table) Struct(s *module.Struct) *Layout {
	if l := t.structs[s]; l != nil {
		return l
	}
	l := t.sequence(s)
	t.structs[s] = l
	return l
}

// Offset is the offset of an instance member in its structure.
func (t *Table) Offset(f *module.Field) layout.Num {
	t.Struct(f.Struct)
	return t.offsets[f]
}

func (t *Table) compute(typ *module.Type) *Layout {
	scalar := func(n layout.Num) *Layout { return &Layout{Size: n, Align: n, parts: 1} }
	switch {
	case typ.Kind == module.Void:
		return &Layout{Align: layout.Const(1)}
	case typ.Width() != 0:
		return scalar(layout.Const(uint64(typ.Width() / 8)))
	case typ.Kind != module.Static:
		l := scalar(layout.Word)
		l.Managed, l.Pointers = typ.IsManaged(), typ.Kind == module.Pointer
		return l
	case typ.Count == 0:
		return &Layout{Align: layout.Const(1)}
	}
	e := t.Of(typ.Elem)
	return &Layout{
		Size: e.Size.Mul(uint64(typ.Count)), Align: layout.Const(staticAlign),
		Managed: e.Managed, Pointers: e.Pointers, parts: e.parts,
	}
}

// sequence lays out the members of a structure, one after the other.
func (t *Table) sequence(s *module.Struct) *Layout {
	l := &Layout{}
	pad := layout.Const(1) // the size is a multiple of this
	for _, f := range s.Members {
		if f.Storage != module.Instance {
			continue
		}
		m := t.Of(f.Type)
		step := m.Align
		if s.Align != 0 {
			step = layout.Const(uint64(s.Align))
		}
		off := l.Size.AlignUp(step)
		t.offsets[f] = off
		l.Members = append(l.Members, Member{f, off})
		l.Size = off.Add(m.Size)
		l.Managed = l.Managed || m.Managed
		l.Pointers = l.Pointers || m.Pointers
		l.parts = min(l.parts+m.parts, 2*layout.MaxParts)
		pad = pad.Max(m.Align)
	}
	switch {
	case s.Align != 0:
		pad = layout.Const(uint64(s.Align))
		l.Align = pad
	case len(l.Members) == 0:
		l.Align = layout.Const(1)
	default:
		l.Align = layout.Const(structAlign)
	}
	l.Size = l.Size.AlignUp(pad)
	return l
}
