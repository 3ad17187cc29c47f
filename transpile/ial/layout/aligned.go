package layout

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// Aligned reports references that the collector would not find because their offset is not
// a multiple of the word size: members of structures, and elements of arrays, vectors,
// static arrays and blocks of memory. The language allows such types, but no code can be
// generated for them.
func Aligned(p *module.Program, t *Table, diags *diag.List) {
	for _, m := range p.Modules {
		for _, s := range m.Structs {
			for _, x := range t.Struct(s).Members {
				why := misaligned(x.Offset)
				if why != "" && t.Of(x.Field.Type).Managed {
					diags.Errorf(x.Field.Pos, "managed member %s is not aligned: it is at byte %s", module.Quote(x.Field.Name), why)
				}
			}
		}
	}
	seen := map[*module.Type]bool{}
	p.Mentions(func(m module.Mention) { t.elements(m, m.Type, seen, diags) })
	blocks := map[*module.Type]bool{}
	for _, m := range p.Modules {
		for _, f := range m.Functions {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					t.block(m, in, blocks, diags)
				}
			}
		}
	}
}

// misaligned returns a text if an offset or size is not a multiple of the word, "" if it is one.
// A number that is a multiple of 8 with words of 8 bytes is a multiple of 4 with words of
// 4 bytes, so only the former is tested.
func misaligned(n layout.Num) string {
	if n.W8%layout.Word.W8 == 0 {
		return ""
	}
	return fmt.Sprintf("%d, which is no multiple of 8", n.W8)
}

// elements checks the parts of a mentioned type.
func (t *Table) elements(m module.Mention, typ *module.Type, seen map[*module.Type]bool, diags *diag.List) {
	if seen[typ] {
		return
	}
	seen[typ] = true
	typ.Parts(func(part *module.Type) { t.elements(m, part, seen, diags) })
	if typ.IsArray() {
		t.stride(m.Pos, m.In, typ, "elements of ", typ, diags)
	}
}

// block checks the block of native memory that an instruction makes.
func (t *Table) block(m *module.Module, in *module.Instr, seen map[*module.Type]bool, diags *diag.List) {
	switch in.Op {
	case module.MemAlloc, module.MemNew, module.MemSalloc, module.MemSnew:
	default:
		return
	}
	typ := in.Target.Type
	if typ.Kind == module.Pointer && !seen[typ] {
		seen[typ] = true
		t.stride(in.TargetPos, m, typ, "blocks of ", typ.Elem, diags)
	}
}

// stride reports elements of a type whose size does not keep references aligned; what
// and whole say where the elements are.
func (t *Table) stride(pos diag.Pos, m *module.Module, typ *module.Type, what string, whole *module.Type, diags *diag.List) {
	e := t.Of(typ.Elem)
	if why := misaligned(e.Size); why != "" && e.Managed {
		diags.Errorf(pos, "managed member %s is not aligned in %s%s: the size of %s is %s", module.Quote(t.managed(typ.Elem).Name),
			what, whole.Spell(m), typ.Elem.Spell(m), why)
	}
}

// managed is the first member of a type that is a reference or has one.
func (t *Table) managed(typ *module.Type) *module.Field {
	for typ.Kind == module.Static {
		typ = typ.Elem
	}
	for _, x := range t.Struct(typ.Struct).Members {
		if t.Of(x.Field.Type).Managed {
			return x.Field
		}
	}
	return nil
}
