package live

import (
	"math"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/live/regs"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

type ptr = unsafe.Pointer

// wordBits is the width of an address.
const wordBits = 32 + 32*uint8(core.Is64)

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// words are the words of a value in the frame.
type words struct{ roots, plains []uint16 }

// constWords are the words of a constant.
func (c *compiler) constWords(k *ir.Const) [2][]uint64 { return c.p.constWords(k) }

// constWords are the words of a constant, in the order of the leaves of its type.
func (p *program) constWords(k *ir.Const) (w [2][]uint64) {
	put := func(x uint64) {
		if isRoot(p.at(k.Type).Kind) {
			w[regs.Root] = append(w[regs.Root], x)
		} else {
			w[regs.Plain] = append(w[regs.Plain], x)
		}
	}
	if p.at(k.Type).Kind == ir.KTagRef64 {
		w[regs.Root], w[regs.Plain] = []uint64{0}, []uint64{tagged(k)}
		return w
	}
	switch k.Kind {
	case ir.ConstInt:
		if n := p.at(k.Type); n.Kind == ir.KInt && n.Bits > 64 {
			w[regs.Plain] = []uint64{k.Lo, k.Hi}
			return w
		}
		put(k.Lo)
	case ir.ConstFP:
		put(k.Lo)
	case ir.ConstNull:
		put(0)
	case ir.ConstAggregate:
		for _, e := range k.Elems {
			x := p.constWords(e)
			w[0], w[1] = append(w[0], x[0]...), append(w[1], x[1]...)
		}
	case ir.ConstBytes:
		for i := range len(k.Bytes) {
			w[regs.Plain] = append(w[regs.Plain], uint64(k.Bytes[i]))
		}
	case ir.ConstGlobal:
		put(uint64(p.cells[k.Global]))
	case ir.ConstFunc:
		put(uint64(p.funcref(k.Func)))
	case ir.ConstExtern:
		put(uint64(p.symbol(k.Sym)))
	case ir.ConstExpose:
		put(uint64(core.ExposedAddr(p.exposes[k.Expose])))
	}
	return w
}

// tagged is a constant of type tagref64: the literal of a number, or of a reference, which is NULL, with its tag.
func tagged(k *ir.Const) uint64 {
	switch k.Kind {
	case ir.ConstInt:
		return gc.TagFromInt(k.Lo)
	case ir.ConstFP:
		return gc.TagFromFP(math.Float64frombits(k.Lo))
	case ir.ConstAggregate:
		return gc.TagFromRef(0, uint8(k.Elems[1].Lo))
	}
	return 0
}

// operand gives the words of an operand. Those of a constant are temporaries.
func (c *compiler) operand(x ir.ValueID) (w words) {
	x = c.alias[x]
	v := &c.v.Values[x]
	if v.Kind == ir.ValueConst {
		k := c.constWords(v.Const)
		for _, u := range k[regs.Root] {
			t := c.tempRoot()
			c.emit(opImmR, t, 0, 0, u)
			w.roots = append(w.roots, t)
		}
		for _, u := range k[regs.Plain] {
			t := c.tempWord()
			c.emit(opImm, t, 0, 0, u)
			w.plains = append(w.plains, t)
		}
		return w
	}
	if c.inlined[x] {
		return words{roots: []uint16{c.materialize(x)}}
	}
	return c.placesOf(x)
}

// placesOf are the words that a value has.
func (c *compiler) placesOf(x ir.ValueID) (w words) {
	s := c.sizeOf(x)
	if s[regs.Root] > 0 {
		w.roots = c.numbers(s[regs.Root])
	}
	for i := range s[regs.Root] {
		w.roots[i] = c.rootAt(x, i)
	}
	if s[regs.Plain] > 0 {
		w.plains = c.numbers(s[regs.Plain])
	}
	for i := range s[regs.Plain] {
		w.plains[i] = c.wordAt(x, i)
	}
	return w
}

// numbers gives room for n numbers, many of which share an allocation.
func (c *compiler) numbers(n int32) []uint16 {
	if len(c.free) < int(n) {
		c.free = make([]uint16, max(256, n))
	}
	l := c.free[:n:n]
	c.free = c.free[n:]
	return l
}

// operands gives the words of several operands, in order.
func (c *compiler) operands(list []ir.ValueID) (w words) {
	for _, x := range list {
		o := c.operand(x)
		w.roots, w.plains = append(w.roots, o.roots...), append(w.plains, o.plains...)
	}
	return w
}

// results are the words of the results of an instruction.
func (c *compiler) results(in *ir.Inst) (w words) {
	for _, r := range in.Results {
		o := c.placesOf(r)
		w.roots, w.plains = append(w.roots, o.roots...), append(w.plains, o.plains...)
	}
	return w
}

// word is the word of an operand that has one.
func (c *compiler) word(x ir.ValueID) uint16 {
	w := c.operand(x)
	if len(w.plains) == 0 {
		return w.roots[0] // an address, which is the same in both classes
	}
	return w.plains[0]
}

// root is the root word of an operand that is a reference.
func (c *compiler) root(x ir.ValueID) uint16 {
	w := c.operand(x)
	if len(w.roots) > 0 {
		return w.roots[0]
	}
	if core.Is64 == 1 {
		return w.plains[0] // an address is the same in both classes
	}
	t := c.tempRoot()
	c.emit(opPlainToRoot, t, w.plains[0], 0, 0)
	return t
}

// result is the word of the only result.
func (c *compiler) result(in *ir.Inst) uint16 {
	r := in.Results[0]
	if c.sizeOf(r)[regs.Plain] == 0 {
		return c.rootAt(r, 0)
	}
	return c.wordAt(r, 0)
}

// address is an address that an access computes: base + index*scale + offset.
type address struct {
	base   ir.ValueID // a reference, or a cell
	index  ir.ValueID // 0 for none
	scale  int64
	offset int64
}

// addressOf takes apart an instruction that computes an address, and those whose results it is made
// from if these are not stored; false if it cannot be one address.
func (c *compiler) addressOf(in *ir.Inst) (a address, ok bool) {
	base := c.alias[in.Args[0]]
	a = address{base: base}
	if c.inlined[base] {
		if a, ok = c.addressOf(&c.v.Insts[c.v.Values[base].Def]); !ok {
			return a, false
		}
	}
	distance := int64(c.distance(in))
	if !in.Op.Is(ir.Indexed) {
		a.offset += distance
		return a, a.small()
	}
	n := c.at(in.Ty2).Bits
	if k := c.constant(in.Args[1]); k != nil && n <= 64 {
		by := int64(k.Lo<<(64-n)) >> (64 - n)
		if by > 1<<40 || by < -1<<40 || distance > 1<<20 {
			return a, false
		}
		a.offset += by * distance
		return a, a.small()
	}
	if a.index != 0 || n != 64 || distance >= 1<<31 {
		return a, false
	}
	a.index, a.scale = c.alias[in.Args[1]], distance
	return a, a.small()
}

// small reports whether the constant part fits into an instruction.
func (a address) small() bool { return a.offset >= -1<<31 && a.offset < 1<<31 }

// distance is how far an instruction that computes an address moves it, for each element if it has an index.
func (c *compiler) distance(in *ir.Inst) uintptr {
	l := c.layout.Of(in.Ty)
	switch in.Op {
	case ir.OpGetFieldIRef:
		return bytes(l.Offsets[in.Imm])
	case ir.OpGetVarPartIRef:
		return bytes(l.Size)
	case ir.OpShiftIRef:
		return c.stride(in.Ty)
	}
	return bytes(l.Stride)
}

// indexed reports whether a value that accesses compute has an index.
func (c *compiler) indexed(x ir.ValueID) bool {
	if !c.inlined[x] {
		return false
	}
	a, ok := c.addressOf(&c.v.Insts[c.v.Values[x].Def])
	return !ok || a.index != 0
}

// where is the address of a location operand.
func (c *compiler) where(x ir.ValueID) address {
	x = c.alias[x]
	if c.inlined[x] {
		a, _ := c.addressOf(&c.v.Insts[c.v.Values[x].Def])
		return a
	}
	return address{base: x}
}

// packed is the constant part of an indexed address.
func (a address) packed() uint64 { return uint64(uint32(a.offset)) | uint64(uint32(a.scale))<<32 }

// cell is the address of the cell that a place is in, 0 if it is in none.
func (c *compiler) cell(a address) uintptr {
	if k := c.v.Values[a.base].Const; k != nil && k.Kind == ir.ConstGlobal && a.index == 0 {
		return c.p.cells[k.Global] + uintptr(a.offset)
	}
	return 0
}

// materialize computes an address into a temporary.
func (c *compiler) materialize(x ir.ValueID) uint16 {
	t := c.tempRoot()
	c.compute(t, c.where(x))
	return t
}

// compute puts an address into a root word.
func (c *compiler) compute(to uint16, a address) {
	c.locate(located{opLea, opLeaX, opImmR}, to, a)
}

// located are instructions on an address: a root and an offset, with an index besides, in a cell.
type located struct{ plain, indexed, cell op }

// locate adds the instruction for an address, with a word that it reads or writes.
func (c *compiler) locate(o located, v uint16, a address) {
	if at := c.cell(a); at != 0 {
		c.emit(o.cell, v, 0, 0, uint64(at))
		return
	}
	b := c.root(a.base)
	if a.index != 0 {
		c.emit(o.indexed, v, b, c.word(a.index), a.packed())
		return
	}
	c.emit(o.plain, v, b, 0, uint64(a.offset))
}
