// Package layout computes the sizes and offsets of Mu values in memory
// (docs/language.md, "Types").
//
// Offsets and sizes may depend on the word size of the machine that the
// generated program will run on, which the translator does not know. So every
// number here is a Num, a pair of the values for 4- and 8-byte words; if they
// differ, the Go generator prints a constant expression over the word size. Nothing
// else depends on the target.
package layout

import (
	"math/bits"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Num is a number of bytes on a machine with words of 4 and of 8 bytes.
type Num struct{ W4, W8 uint64 }

// Const is a number that does not depend on the word size.
func Const(n uint64) Num { return Num{n, n} }

// Word is the size of a machine word.
var Word = Num{4, 8}

// Fixed reports whether the number is the same for both word sizes.
func (n Num) Fixed() bool { return n.W4 == n.W8 }

// Add is the sum; it saturates.
func (n Num) Add(m Num) Num { return Num{min(n.W4+m.W4, TooBig), min(n.W8+m.W8, TooBig)} }

// Mul is the product with a count; it saturates on overflow.
func (n Num) Mul(k uint64) Num { return Num{mulSat(n.W4, k), mulSat(n.W8, k)} }

// Max is the larger of two numbers, for each word size separately.
func (n Num) Max(m Num) Num { return Num{max(n.W4, m.W4), max(n.W8, m.W8)} }

// AlignUp rounds up to a multiple of a.
func (n Num) AlignUp(a Num) Num { return Num{alignUp(n.W4, a.W4), alignUp(n.W8, a.W8)} }

// TooBig is the value of saturated sizes, in bytes: larger than any possible object.
const TooBig = uint64(1) << 47

func mulSat(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 || lo > TooBig {
		return TooBig
	}
	return lo
}

func alignUp(x, a uint64) uint64 {
	if a <= 1 {
		return x
	}
	return (x + a - 1) / a * a
}

// Layout is the layout of one type. Size of a hybrid is the offset of its
// variable part.
type Layout struct {
	Size, Align Num
	Offsets     []Num // of fields of a struct, or of fixed fields of a hybrid
	Stride      Num   // of elements of an array, vector or variable part
}

// Table computes layouts and caches them.
type Table struct {
	types *ir.Types
	known map[ir.TypeID]*Layout
}

// New returns a table for the types of a program.
func New(types *ir.Types) *Table {
	return &Table{types: types, known: map[ir.TypeID]*Layout{}}
}

// Of returns the layout of a type, which must not be a signature.
func (t *Table) Of(id ir.TypeID) *Layout {
	if l, ok := t.known[id]; ok {
		return l
	}
	l := t.compute(t.types.At(id))
	t.known[id] = l
	return l
}

func pow2(n uint64) uint64 {
	if n <= 1 {
		return 1
	}
	return 1 << bits.Len64(n-1)
}

// IntSize is the size in bytes of int<n>.
func IntSize(n uint32) uint64 { return max(1, pow2(uint64(n))/8) }

func (t *Table) compute(n *ir.Type) *Layout {
	scalar := func(s Num) *Layout { return &Layout{Size: s, Align: s} }
	switch n.Kind {
	case ir.KVoid:
		return &Layout{Size: Const(0), Align: Const(1)}
	case ir.KInt:
		return scalar(Const(IntSize(n.Bits)))
	case ir.KFloat:
		return scalar(Const(4))
	case ir.KDouble, ir.KTagRef64:
		return scalar(Const(8))
	case ir.KStruct:
		l := t.sequence(n.Fields, uint64(n.Bits))
		l.Align = l.Align.Max(Const(n.Len))
		l.Size = l.Size.AlignUp(l.Align)
		return l
	case ir.KHybrid:
		l := t.sequence(n.Fields, 0)
		e := t.Of(n.Elem)
		l.Size = l.Size.AlignUp(e.Align)
		l.Align = l.Align.Max(e.Align)
		l.Stride = e.Size.AlignUp(e.Align)
		return l
	case ir.KArray:
		e := t.Of(n.Elem)
		stride := e.Size.AlignUp(e.Align)
		return &Layout{Size: stride.Mul(n.Len), Align: e.Align, Stride: stride}
	case ir.KVector:
		e := t.Of(n.Elem)
		size := e.Size.Mul(n.Len)
		size = Num{pow2(min(size.W4, TooBig)), pow2(min(size.W8, TooBig))}
		return &Layout{Size: size, Align: size, Stride: e.Size}
	}
	return scalar(Word) // references and pointers
}

// sequence lays out fields one after the other, each at a multiple of step bytes if
// that is not 0, else of its own alignment.
func (t *Table) sequence(fields []ir.TypeID, step uint64) *Layout {
	l := &Layout{Size: Const(0), Align: Const(1), Offsets: make([]Num, len(fields))}
	for i, f := range fields {
		fl := t.Of(f)
		align := fl.Align
		if step != 0 {
			align = Const(step)
		}
		off := l.Size.AlignUp(align)
		l.Offsets[i] = off
		l.Size = off.Add(fl.Size)
		l.Align = l.Align.Max(align)
	}
	return l
}
