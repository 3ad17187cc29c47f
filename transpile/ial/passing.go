package ial

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Pointers in structures and static arrays are numbers in the representation. Calls pass such
// values as they are: the frame of the caller keeps alive the objects that the pointers point
// into. At a tail call the caller's frame ends before the callee's begins. Therefore cells of the
// thread keep the objects alive, until the next tail call of this kind.

// maxPassed is the largest number of pointers that a tail call keeps alive in this way.
const maxPassed = 16

// passOn keeps alive the objects that pointers in the arguments pushed last point into. It
// reports false if there are too many pointers.
func (b *body) passOn(pushed int) bool {
	var list []ir.ValueID
	for _, in := range b.block.Instrs[b.nth-pushed : b.nth] {
		r := in.Src[0]
		if !composite(r.Type) {
			continue
		}
		for _, p := range b.pointersIn(r.Type) {
			at := b.regs[r.Index].cell
			for _, s := range p {
				if s.member != nil {
					at = b.Field(at, b.types.members[s.member])
				} else {
					at = b.Elem(at, b.i64(s.index))
				}
			}
			list = append(list, at)
		}
		if len(list) > maxPassed {
			return false
		}
	}
	anything := b.Types.IRef(b.types.i64)
	for i, at := range list {
		if i == len(b.passing) {
			g := b.translator.b.Global(b.fresh("@passing"), anything)
			g.ThreadLocal = true
			b.passing = append(b.passing, g)
		}
		b.Store(b.ThreadCell(b.passing[i]), b.Conv(ir.OpRefAt, b.Load(at, ir.NotAtomic), anything), ir.NotAtomic)
	}
	return true
}

// A path leads into a structure or static array.
type path []step

// A step leads to a member, or to the element of a static array with an index.
type step struct {
	member *module.Field
	index  int64
}

// pointersIn lists the paths to the pointers in values of a type, at most one more than maxPassed.
func (t *translator) pointersIn(typ *module.Type) []path {
	if list, ok := t.pointers[typ]; ok {
		return list
	}
	var list []path
	var find func(typ *module.Type, p path)
	find = func(typ *module.Type, p path) {
		switch {
		case len(list) > maxPassed:
		case typ.Kind == module.Pointer:
			list = append(list, slices.Clone(p))
		case !composite(typ) || !t.layouts.Of(typ).Pointers:
		case typ.Kind == module.Static:
			for i := range min(int64(typ.Count), maxPassed+1) {
				find(typ.Elem, append(p, step{index: i}))
			}
		default:
			for _, m := range t.layouts.Struct(typ.Struct).Members {
				find(m.Field.Type, append(p, step{member: m.Field}))
			}
		}
	}
	find(typ, nil)
	if t.pointers == nil {
		t.pointers = map[*module.Type][]path{}
	}
	t.pointers[typ] = list
	return list
}
