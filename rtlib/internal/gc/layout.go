package gc

import "fmt"

// class is the coarse kind of a layout, for the marking loop.
type class uint8

const (
	classOther class = iota // anything else
	classLeaf               // small, fixed size, nothing traced
	classRefs               // small, fixed size, traced words are all in mask
)

// layout is a Type in the form that marking uses.
type layout struct {
	mask  uint64  // classRefs: bit i for a SlotRef in word i of the payload
	size  uintptr // bytes of header and payload of a non-hybrid
	class class
	typ   *Type
	fixed []span // of the fixed part
	elem  []span // of one variable element
}

// span is count traced words or groups of words, stride bytes apart.
type span struct {
	off    uintptr // of the first
	count  uintptr
	stride uintptr
	kind   SlotKind // when group is nil
	group  []span
}

// compile makes the layout of a type that has its ID.
func compile(t *Type) (layout, error) {
	l := layout{typ: t, size: t.FixedSize()}
	var err error
	if l.fixed, err = compileShape(&t.Shape, t.Size); err == nil {
		var elem []span
		elem, err = compileShape(&t.VarShape, t.VarStride)
		for _, s := range elem {
			l.elem = append(l.elem, s.repeat(1, t.VarStride)) // the object has the count
		}
	}
	if err == nil && t.Align&(t.Align-1) != 0 {
		err = fmt.Errorf("alignment %d is no power of two", t.Align)
	}
	if err != nil {
		return l, fmt.Errorf("type %s: %w", t.Name, err)
	}
	if t.VarStride != 0 || t.Kind != Plain || l.size > smallSize {
		return l, nil
	}
	if len(l.fixed) == 0 {
		l.class = classLeaf
		return l, nil
	}
	for _, s := range l.fixed {
		for i := uintptr(0); i < s.count; i++ {
			off := s.off + i*s.stride
			if s.group != nil || s.kind != SlotRef || off%wordSize != 0 || off/wordSize >= 64 {
				return l, nil
			}
			l.mask |= 1 << (off / wordSize)
		}
	}
	l.class = classRefs
	return l, nil
}

// compileShape flattens a shape into spans within size bytes: single slots in a regular
// sequence and repetitions of one word become one span.
func compileShape(s *Shape, size uintptr) ([]span, error) {
	var out []span
	for _, slot := range s.Slots {
		n := wordSize
		if slot.Kind == SlotTag {
			n = 8
		}
		if slot.Kind >= numSlotKinds || slot.Off > size || size-slot.Off < n {
			return nil, fmt.Errorf("invalid slot at %d", slot.Off)
		}
		if k := len(out) - 1; k >= 0 && out[k].group == nil && out[k].kind == slot.Kind && slot.Off > out[k].off {
			last := &out[k]
			if d := slot.Off - last.off; last.count == 1 || d == last.count*last.stride {
				last.stride = d / last.count
				last.count++
				continue
			}
		}
		out = append(out, span{off: slot.Off, count: 1, kind: slot.Kind})
	}
	for _, r := range s.Reps {
		if r.Count == 0 {
			continue
		}
		if r.Off > size || r.Count > 1 && (r.Stride == 0 || (size-r.Off)/r.Stride < r.Count-1) {
			return nil, fmt.Errorf("invalid repetition at %d", r.Off)
		}
		group, err := compileShape(r.Shape, size-r.Off-(r.Count-1)*r.Stride)
		if err != nil {
			return nil, err
		}
		for _, g := range group {
			switch {
			case r.Count == 1:
			case g.group == nil && g.count > 1 && g.count*g.stride == r.Stride:
				g.count *= r.Count
			default:
				g = g.repeat(r.Count, r.Stride)
			}
			g.off += r.Off
			out = append(out, g)
		}
	}
	return out, nil
}

// repeat returns the span of count times g, stride bytes apart.
func (g span) repeat(count, stride uintptr) span {
	out := span{off: g.off, count: count, stride: stride, kind: g.kind, group: g.group}
	if g.count != 1 {
		g.off = 0
		out.group = []span{g}
	}
	return out
}
