package facts

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Types is what is known of the types of a program.
type Types struct {
	at     *ir.Types
	traced map[ir.TypeID]int
	// Signatures that a computed call may not tell apart are of one class.
	classes   map[string]int
	classSigs []ir.TypeID
	classOf   map[ir.TypeID]int // by signature
}

func newTypes(t *ir.Types) *Types {
	return &Types{at: t, traced: map[ir.TypeID]int{}, classes: map[string]int{}, classOf: map[ir.TypeID]int{}}
}

// A Leaf says how a scalar travels between stacks and what the collector sees of
// it: in words that are not traced (W), in words that are (R), or in both.
type Leaf uint8

const (
	LeafWord Leaf = iota // ints up to 64 bits, pointers, funcrefs: W
	LeafBool             // int<1>: W
	LeafF32              // W, bits
	LeafF64              // W, bits
	LeafWide             // 128 bits: two W
	LeafRef              // R
	LeafTag              // W the bits, R the reference inside
)

// Traced reports whether the collector follows the scalar.
func (k Leaf) Traced() bool { return k == LeafRef || k == LeafTag }

// Words is how many words of each kind the scalar takes.
func (k Leaf) Words() (w, r int) {
	switch k {
	case LeafRef:
		return 0, 1
	case LeafTag:
		return 1, 1
	case LeafWide:
		return 2, 0
	}
	return 1, 0
}

// LeafOf is how a scalar type travels.
func (t *Types) LeafOf(id ir.TypeID) Leaf {
	n := t.at.At(id)
	switch n.Kind {
	case ir.KInt:
		switch {
		case n.Bits == 1:
			return LeafBool
		case n.Bits > 64:
			return LeafWide
		}
		return LeafWord
	case ir.KFloat:
		return LeafF32
	case ir.KDouble:
		return LeafF64
	case ir.KRef, ir.KIRef, ir.KWeakRef, ir.KStackRef, ir.KThreadRef, ir.KFrameCursorRef, ir.KIRNodeRef, ir.KIRBuilderRef:
		return LeafRef
	case ir.KTagRef64:
		return LeafTag
	}
	return LeafWord
}

// Words counts the words that values of the types take together.
func (t *Types) Words(ids []ir.TypeID) (w, r int) {
	for _, id := range ids {
		n := t.at.At(id)
		var dw, dr int
		switch n.Kind {
		case ir.KStruct:
			dw, dr = t.Words(n.Fields)
		case ir.KArray, ir.KVector:
			dw, dr = t.Words([]ir.TypeID{n.Elem})
			dw, dr = dw*int(n.Len), dr*int(n.Len)
		default:
			dw, dr = t.LeafOf(id).Words()
		}
		w, r = w+dw, r+dr
	}
	return w, r
}

// Traced counts the scalars of a value that the collector follows.
func (t *Types) Traced(id ir.TypeID) int {
	k, ok := t.traced[id]
	if !ok {
		_, k = t.Words([]ir.TypeID{id})
		t.traced[id] = k
	}
	return k
}

// machine spells the machine class of a value: what two types must share to be
// exchangeable at a binding or an indirect call.
func (t *Types) machine(b *strings.Builder, id ir.TypeID) {
	n := t.at.At(id)
	switch n.Kind {
	case ir.KInt:
		fmt.Fprintf(b, "i%d", n.Bits)
	case ir.KFloat:
		b.WriteByte('f')
	case ir.KDouble:
		b.WriteByte('d')
	case ir.KUPtr, ir.KUFuncPtr:
		b.WriteByte('p')
	case ir.KFuncRef:
		b.WriteByte('c')
	case ir.KTagRef64:
		b.WriteByte('t')
	case ir.KStruct:
		b.WriteByte('{')
		for _, f := range n.Fields {
			t.machine(b, f)
		}
		b.WriteByte('}')
	case ir.KArray, ir.KVector:
		fmt.Fprintf(b, "[%d", n.Len)
		t.machine(b, n.Elem)
		b.WriteByte(']')
	default:
		b.WriteByte('r')
	}
}

// Machine spells the machine classes of values.
func (t *Types) Machine(ids []ir.TypeID) string {
	var b strings.Builder
	for i, id := range ids {
		if i > 0 {
			b.WriteByte(' ')
		}
		t.machine(&b, id)
	}
	return b.String()
}

// ClassOf numbers the class of a signature.
func (t *Types) ClassOf(sig ir.TypeID) int {
	if c, ok := t.classOf[sig]; ok {
		return c
	}
	n := t.at.At(sig)
	key := t.Machine(n.Fields) + " -> " + t.Machine(n.Results)
	c, ok := t.classes[key]
	if !ok {
		c = len(t.classSigs)
		t.classes[key] = c
		t.classSigs = append(t.classSigs, sig)
	}
	t.classOf[sig] = c
	return c
}

// Classes has a signature of each class.
func (t *Types) Classes() []ir.TypeID { return t.classSigs }
