package interp

import (
	"math"
	"math/bits"
	"sort"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// wordBits is the width of a word of the machine that the interpreter simulates. It uses the
// layouts for this width.
const wordBits = 64

// A shape describes memory of a type: the layout of docs/language.md, "Types", on a 64-bit
// machine, and which of its words the collector traces.
type shape struct {
	id      ir.TypeID
	t       *ir.Type
	size    uint64 // of a hybrid: where its variable part begins
	align   uint64
	stride  uint64   // array, vector, hybrid
	offsets []uint64 // struct, hybrid
	fields  []*shape
	elem    *shape
	members uint64 // number of members of a value, including members of members
	// traced means that some word is a slot; for a hybrid, of the fixed part or
	// of the variable part.
	traced bool
	weak   bool // some slot is a weakref
	points bool // some word is a uptr
}

// shapes makes and caches shapes.
type shapes struct {
	types   *ir.Types
	layouts *layout.Table
	known   map[ir.TypeID]*shape
}

func newShapes(types *ir.Types) *shapes {
	return &shapes{types: types, layouts: layout.New(types), known: map[ir.TypeID]*shape{}}
}

// of returns the shape of a type; the type must not contain itself.
func (s *shapes) of(id ir.TypeID) *shape {
	if sh, ok := s.known[id]; ok {
		return sh
	}
	t, l := s.types.At(id), s.layouts.Of(id)
	sh := &shape{id: id, t: t, size: l.Size.W8, align: l.Align.W8, stride: l.Stride.W8}
	switch t.Kind {
	case ir.KStruct, ir.KHybrid:
		for i, f := range t.Fields {
			sh.offsets = append(sh.offsets, l.Offsets[i].W8)
			sh.fields = append(sh.fields, s.of(f))
		}
	}
	switch t.Kind {
	case ir.KArray, ir.KVector, ir.KHybrid:
		sh.elem = s.of(t.Elem)
	}
	sh.members = 1
	if sh.elem != nil && t.Kind != ir.KHybrid {
		if high, low := bits.Mul64(sh.elem.members, t.Len); high == 0 {
			sh.members = low
		} else {
			sh.members = math.MaxUint64
		}
	}
	for _, f := range sh.fields {
		sh.members += min(f.members, math.MaxUint64-sh.members)
	}
	sh.traced, sh.weak, sh.points = isSlot(t.Kind), t.Kind == ir.KWeakRef, t.Kind == ir.KUPtr
	for _, f := range append(sh.fields[:len(sh.fields):len(sh.fields)], sh.elem) {
		if f != nil {
			sh.traced = sh.traced || f.traced
			sh.weak = sh.weak || f.weak
			sh.points = sh.points || f.points
		}
	}
	s.known[id] = sh
	return sh
}

// distance is the distance of consecutive values of the type, in bytes.
func (s *shape) distance() uint64 { return (s.size + s.align - 1) / s.align * s.align }

// isSlot reports whether memory of a scalar kind is a slot for the collector.
func isSlot(k ir.Kind) bool {
	switch k {
	case ir.KRef, ir.KIRef, ir.KWeakRef, ir.KFuncRef, ir.KThreadRef, ir.KStackRef,
		ir.KFrameCursorRef, ir.KIRNodeRef, ir.KIRBuilderRef, ir.KTagRef64:
		return true
	}
	return false
}

// slotAt returns the kind of the slot that the byte at off lies in, and
// KInvalid if that byte is plain data.
func (s *shape) slotAt(off uint64) ir.Kind {
	for s.traced {
		switch {
		case isSlot(s.t.Kind):
			return s.t.Kind
		case s.fields != nil && (s.elem == nil || off < s.size):
			i := s.fieldAt(off)
			if i < 0 {
				return ir.KInvalid
			}
			off -= s.offsets[i]
			s = s.fields[i]
		default:
			if s.t.Kind == ir.KHybrid {
				off -= s.size
			}
			if s.stride == 0 {
				return ir.KInvalid
			}
			off %= s.stride
			s = s.elem
			if off >= s.size {
				return ir.KInvalid
			}
		}
	}
	return ir.KInvalid
}

// fieldAt returns the number of the field that the byte at off lies in, -1 for
// padding.
func (s *shape) fieldAt(off uint64) int {
	i := sort.Search(len(s.offsets), func(i int) bool { return s.offsets[i] > off }) - 1
	if i >= 0 && off-s.offsets[i] >= s.fields[i].size {
		return -1
	}
	return i
}

// class names the class in which values passed at a binding must agree: the machine
// class of their types (docs/language.md, "Decisions"), with Config.Strict the type.
func (m *machine) class(id ir.TypeID) string {
	if m.cfg.Strict {
		return strconv.Itoa(int(id))
	}
	return m.looseClass(id)
}

// looseClass names the machine class of a type. References to objects are one
// class, pointers are one class, integers and floats go by their width.
func (m *machine) looseClass(id ir.TypeID) string {
	if c, ok := m.classes[id]; ok {
		return c
	}
	c := m.spellClass(m.types.At(id))
	m.classes[id] = c
	return c
}

func (m *machine) spellClass(t *ir.Type) string {
	switch t.Kind {
	case ir.KInt:
		return "i" + strconv.Itoa(int(t.Bits))
	case ir.KRef, ir.KIRef, ir.KWeakRef:
		return "ref"
	case ir.KUPtr, ir.KUFuncPtr:
		return "ptr"
	case ir.KStruct:
		var b strings.Builder
		b.WriteByte('{')
		for _, f := range t.Fields {
			b.WriteString(m.looseClass(f))
			b.WriteByte(' ')
		}
		b.WriteByte('}')
		return b.String()
	case ir.KArray, ir.KVector:
		return t.Kind.String() + strconv.FormatUint(t.Len, 10) + "[" + m.looseClass(t.Elem) + "]"
	}
	return t.Kind.String()
}

// sameClass reports whether values of one type can stand for values of the other.
func (m *machine) sameClass(a, b *ir.Type) bool {
	return a == b || m.spellClass(a) == m.spellClass(b)
}

// sameClasses compares two lists of types by the rule for bindings.
func (m *machine) sameClasses(a, b []ir.TypeID) bool { return sameLists(a, b, m.class) }

// sameLooseClasses compares two lists of types by machine class.
func (m *machine) sameLooseClasses(a, b []ir.TypeID) bool { return sameLists(a, b, m.looseClass) }

func sameLists(a, b []ir.TypeID, class func(ir.TypeID) string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && class(a[i]) != class(b[i]) {
			return false
		}
	}
	return true
}
