package tvm

import (
	"math"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// An extent is the size and alignment of a type, in bytes, as values.
type extent struct{ size, align ir.ValueID }

// number is a number of bytes that may depend on the width of words.
func (b *body) number(n layout.Num) ir.ValueID {
	if n.Fixed() {
		return b.i64(int64(n.W8))
	}
	wide := b.Bin(ir.OpLShr, b.ZExtWord(b.i64(-1)), b.i64(63)) // 1 with 64-bit words, else 0
	return b.Bin(ir.OpAdd, b.Bin(ir.OpMul, wide, b.i64(int64(n.W8)-int64(n.W4))), b.i64(int64(n.W4)))
}

// up is the least multiple of an alignment that is not below a number.
func (b *body) up(x, align ir.ValueID) ir.ValueID {
	if c := b.V.Values[align].Const; c != nil && c.Lo == 1 {
		return x
	}
	mask := b.Bin(ir.OpSub, align, b.i64(1))
	return b.Bin(ir.OpAnd, b.Bin(ir.OpAdd, x, mask), b.Bin(ir.OpXor, mask, b.i64(-1)))
}

// max is the larger of two numbers without sign.
func (b *body) max(x, y ir.ValueID) ir.ValueID {
	if x == y {
		return x
	}
	return b.Select(b.Cmp(ir.OpUGE, x, y), x, y)
}

// extent is size and alignment of a type. An alignment of 0 counts as 1.
func (b *body) extent(t term.ID) extent {
	if l := b.Layout(t); l.Kind == term.Static && max(l.Size.W4, l.Size.W8) < layout.TooBig {
		return extent{b.number(l.Size), b.number(l.Align)}
	}
	if e, ok := b.sizes[t]; ok {
		return e
	}
	e := b.measure(t)
	b.sizes[t] = e
	b.log = append(b.log, entry{id: t, size: true})
	return e
}

func (b *body) measure(t term.ID) extent {
	switch n := *b.Graph.At(t); n.Op {
	case op.Struct:
		align := b.i64(1)
		for _, m := range n.Args {
			align = b.max(align, b.extent(m).align)
		}
		return extent{b.up(b.end(t, len(n.Args)), align), align}
	case op.Union:
		e := extent{b.i64(0), b.i64(1)}
		for _, m := range n.Args {
			x := b.extent(m)
			e.size, e.align = b.max(e.size, x.size), b.max(e.align, x.align)
		}
		e.size = b.up(e.size, e.align)
		return e
	case op.Array:
		x := b.extent(n.Args[0])
		count := b.term(n.Args[1])[0]
		b.fits(count, x.size)
		return extent{b.Bin(ir.OpMul, x.size, count), x.align}
	case op.Apply:
		if body := b.Graph.Body(t); body != 0 { // else the type is computed by a schema of values
			return b.extent(body)
		}
	case op.Exists:
		_, result := b.Open(t)
		return b.extent(result)
	case op.Constant:
		return b.extent(b.Graph.TypeOf(n.Args[0]))
	}
	v := b.term(t)
	one := b.i64(1)
	return extent{v[0], b.Select(b.Cmp(ir.OpEQ, v[1], b.i64(0)), one, v[1])}
}

// A prefix is the first members of a struct.
type prefix struct {
	typ term.ID
	n   int
}

// end is the offset of the end of the first members of a struct, after the longest prefix that is
// known.
func (b *body) end(t term.ID, n int) ir.ValueID {
	known, off := n, b.i64(0)
	for ; known > 0; known-- {
		if v, ok := b.ends[prefix{t, known}]; ok {
			off = v
			break
		}
	}
	for ; known < n; known++ {
		x := b.extent(b.Arg(t, known))
		off = b.Bin(ir.OpAdd, b.up(off, x.align), x.size)
		b.ends[prefix{t, known + 1}] = off
		b.log = append(b.log, entry{id: t, members: known + 1})
	}
	return off
}

// fits fails if the size of an array with count elements is negative, or more than memory can
// have.
func (b *body) fits(count, size ir.ValueID) {
	const most = math.MaxInt32 // more would be useless even with words of 64 bits
	limit := b.Int(b.types.i64, most)
	some := b.Bin(ir.OpAdd, size, b.Conv(ir.OpZExt, b.Cmp(ir.OpEQ, size, b.i64(0)), b.types.i64))
	b.require(b.Cmp(ir.OpULE, count, b.Bin(ir.OpUDiv, limit, some)), ir.FailTrap, "array too large")
}

// offset is the offset of a part of a type: of a member of a struct, or an element.
func (b *body) offset(t, i term.ID) ir.ValueID {
	args := b.Graph.Args(t)
	switch b.Op(t) {
	case op.Struct:
		k, _ := b.IndexOf(i)
		if off, ok := b.Offset(t, k); ok {
			return b.number(off)
		}
		off := b.end(t, k)
		return b.up(off, b.extent(args[k]).align)
	case op.Array:
		return b.Bin(ir.OpMul, b.extent(args[0]).size, b.term(i)[0])
	}
	return b.i64(0)
}

// Addresses are words. Addresses of cells that do not escape also have locations, through which
// passes see the values in the cells.

// typed is an address as the address of a type of the representation.
func (b *body) typed(addr ir.ValueID, mem ir.TypeID) ir.ValueID {
	if loc, ok := b.locations[addr]; ok && b.Types.At(b.BodyBuilder.TypeOf(loc)).Elem == mem {
		return loc
	}
	return b.pointer(addr, mem)
}

// plain is a location, or a typed address, as an address.
func (b *body) plain(v ir.ValueID) ir.ValueID {
	if b.Types.Kind(b.BodyBuilder.TypeOf(v)) != ir.KIRef {
		return b.ptrcast(v, b.types.word)
	}
	addr := b.addressOf(v)
	b.locations[addr] = v
	return addr
}

// further is an address plus a number of bytes.
func (b *body) further(addr, bytes ir.ValueID) ir.ValueID {
	if c := b.V.Values[bytes].Const; c != nil && c.Lo == 0 {
		return addr
	}
	return b.plain(b.Shift(b.raw(addr), bytes))
}

// part is the address of a part of the value at an address.
func (b *body) part(addr ir.ValueID, t, i term.ID) ir.ValueID {
	r := b.types.rep(t)
	switch o := b.Op(t); {
	case o == op.Struct && r.static:
		k, _ := b.IndexOf(i)
		return b.plain(b.Field(b.typed(addr, r.mem), k))
	case o == op.Struct:
		return b.further(addr, b.offset(t, i))
	case o == op.Array:
		if x := b.types.rep(b.Arg(t, 0)); x.static {
			return b.plain(b.item(addr, t, x, b.term(i)[0]))
		}
		return b.further(addr, b.offset(t, i))
	}
	return addr
}

// item is the location of an element of an array.
func (b *body) item(addr ir.ValueID, t term.ID, x *rep, i ir.ValueID) ir.ValueID {
	if r := b.types.rep(t); r.static && b.locations[addr] != 0 {
		if loc := b.typed(addr, r.mem); loc == b.locations[addr] {
			return b.Elem(loc, i)
		}
	}
	return b.Shift(b.typed(addr, x.mem), i)
}

// hoisted makes a cell in the entry block and returns its location.
func (b *body) hoisted(mem ir.TypeID) ir.ValueID {
	cell := b.V.InsertBefore(0, b.hoists, ir.Inst{Op: ir.OpAlloca, Ty: mem, Block: 0, Pos: b.Pos}, []ir.TypeID{b.Types.IRef(mem)}, nil)
	b.hoists++
	b.At(b.Current())
	return b.V.Insts[cell].Results[0]
}

// addressOf is the address of a cell, which may escape.
func (b *body) addressOf(loc ir.ValueID) ir.ValueID { return b.Conv(ir.OpRefAddr, loc, b.types.word) }

// maxCell bounds the size in bytes of cells in the entry block.
const maxCell = 1 << 16

// room is the address of new memory for a value of a type. Its bytes are not initialised.
func (b *body) room(t term.ID) ir.ValueID {
	if r := b.types.rep(t); r.static && b.Layout(t).Size.W8 <= maxCell {
		return b.addressOf(b.hoisted(r.mem))
	}
	e := b.extent(t)
	return b.small(e.size, e.align)
}

const (
	smallCell = 32 // size in bytes of the cells of small
	maxSmall  = 16 // how many of them a body may have
)

// small is the address of new memory of a size that is known only at run time. For the sizes of most
// values the memory is a cell of the entry block, which costs less than frame.
func (b *body) small(size, align ir.ValueID) ir.ValueID {
	if b.smalls == maxSmall {
		return b.frame(size, align)
	}
	b.smalls++
	cell := b.addressOf(b.hoisted(b.types.bytes(smallCell, 8)))
	fits := b.Bin(ir.OpAnd, b.Cmp(ir.OpULE, size, b.i64(smallCell)), b.Cmp(ir.OpULE, align, b.i64(8)))
	name := b.V.Blocks[b.Current()].Name
	large, after := b.Block(name), b.Block(name, b.types.word)
	b.Branch2(fits, ir.To(after, cell), ir.To(large))
	b.At(large)
	b.Branch(after, b.frame(size, align))
	b.At(after)
	return b.Param(after, 0)
}

// frame is the address of size new bytes in the frame, which are zero.
func (b *body) frame(size, align ir.ValueID) ir.ValueID {
	const least = 16
	hybrid := b.Types.Hybrid(b.types.i8, b.Types.StructOf(0, least))
	slack := b.Select(b.Cmp(ir.OpUGT, align, b.i64(least)), align, b.i64(1))
	if c := b.V.Values[align].Const; c != nil && c.Lo <= least {
		slack = b.i64(1)
	}
	cell := b.AllocaHybrid(hybrid, b.Bin(ir.OpAdd, size, slack))
	addr := b.Conv(ir.OpRefAddr, b.VarPart(cell), b.types.word)
	if c := b.V.Values[align].Const; c != nil && c.Lo <= least {
		return addr
	}
	return b.ptrcast(b.up(b.ptrcast(addr, b.types.i64), align), b.types.word)
}

// pointer is an address as a pointer to a type of the representation, raw as one to bytes.
func (b *body) pointer(addr ir.ValueID, mem ir.TypeID) ir.ValueID {
	return b.ptrcast(addr, b.Types.Of(ir.KUPtr, mem))
}

func (b *body) raw(addr ir.ValueID) ir.ValueID { return b.pointer(addr, b.types.i8) }

// clear makes the bytes of a type zero.
func (b *body) clear(addr ir.ValueID, t term.ID) {
	if b.types.rep(t).mem == b.types.void {
		return
	}
	b.MemFill(b.raw(addr), b.Int(b.types.i8, 0), b.extent(t).size)
}

// copy copies the bytes of a value of a type.
func (b *body) copy(to, from ir.ValueID, t term.ID) {
	if r := b.types.rep(t); r.static && !r.opaque {
		b.MemMove(b.pointer(to, r.mem), b.pointer(from, r.mem), b.i64(1))
		return
	}
	b.MemMove(b.raw(to), b.raw(from), b.extent(t).size)
}

// get loads a scalar of a type in memory.
func (b *body) get(addr ir.ValueID, l leaf) ir.ValueID {
	loc := b.typed(addr, l.mem)
	v := b.Inst(ir.Inst{Op: ir.OpLoad, Flags: b.through(loc), Ty: l.mem, Args: []ir.ValueID{loc}})[0]
	return b.fromMemory(v, l)
}

// set stores a scalar.
func (b *body) set(addr ir.ValueID, l leaf, v ir.ValueID) {
	loc := b.typed(addr, l.mem)
	b.Inst(ir.Inst{Op: ir.OpStore, Flags: b.through(loc), Ty: l.mem, Args: []ir.ValueID{loc, b.toMemory(v, l)}})
}

// through are the flags of an access.
func (b *body) through(loc ir.ValueID) ir.InstFlags {
	if b.Types.Kind(b.BodyBuilder.TypeOf(loc)) == ir.KIRef {
		return 0
	}
	return ir.FlagPtr | ir.FlagPointer
}

// fromMemory converts a scalar from its form in memory to that in registers; toMemory is the reverse.
func (b *body) fromMemory(v ir.ValueID, l leaf) ir.ValueID {
	switch {
	case l.reg == l.mem:
		return v
	case l.prim == op.Bool:
		return b.Cmp(ir.OpNE, v, b.Int(l.mem, 0))
	}
	return b.word(b.ptrcast(v, b.types.i64), l.prim)
}

func (b *body) toMemory(v ir.ValueID, l leaf) ir.ValueID {
	switch {
	case l.reg == l.mem:
		return v
	case l.prim == op.Bool:
		return b.Conv(ir.OpZExt, v, l.mem)
	}
	return b.ptrcast(v, l.mem)
}

// word extends a number of the width of the target's word.
func (b *body) word(v ir.ValueID, prim op.Op) ir.ValueID {
	switch prim {
	case op.IPtr:
		return b.SExtWord(v)
	case op.UIPtr:
		return b.ZExtWord(v)
	}
	return v
}

// scalars calls f for each scalar of a flat type with its address.
func (b *body) scalars(addr ir.ValueID, t term.ID, f func(addr ir.ValueID, l leaf)) {
	r := b.types.rep(t)
	n := *b.Graph.At(t)
	switch n.Op {
	case op.Struct:
		for i, m := range n.Args {
			if x := b.types.rep(m); len(x.leaves) > 0 {
				b.scalars(b.plain(b.Field(b.typed(addr, r.mem), i)), m, f)
			}
		}
	case op.Array:
		k, _ := b.LitOf(n.Args[1])
		x := b.types.rep(n.Args[0])
		for i := range k.Lo {
			if len(x.leaves) > 0 {
				b.scalars(b.plain(b.item(addr, t, x, b.i64(int64(i)))), n.Args[0], f)
			}
		}
	case op.TypeType:
		loc := b.typed(addr, b.types.pair)
		for i, l := range r.leaves {
			f(b.plain(b.Field(loc, i)), l)
		}
	case op.Apply, op.Exists, op.Constant, op.Given:
		b.scalars(addr, b.inside(t), f)
	default:
		for _, l := range r.leaves {
			f(addr, l)
		}
	}
}

// load loads a value of a type from memory. A value that is not flat is copied.
func (b *body) load(addr ir.ValueID, t term.ID) value {
	if !b.types.rep(t).flat {
		room := b.room(t)
		b.copy(room, addr, t)
		return value{room}
	}
	var v value
	b.scalars(addr, t, func(addr ir.ValueID, l leaf) { v = append(v, b.get(addr, l)) })
	return v
}

// touch accesses a value of a type in memory, if it has bytes.
func (b *body) touch(addr ir.ValueID, t term.ID) {
	some := b.Cmp(ir.OpNE, b.extent(t).size, b.i64(0))
	name := b.V.Blocks[b.Current()].Name
	access, after := b.Block(name), b.Block(name)
	b.Branch2(some, ir.To(access), ir.To(after))
	b.At(access)
	b.Inst(ir.Inst{Op: ir.OpLoad, Flags: ir.FlagPtr | ir.FlagPointer, Ty: b.types.i8, Args: []ir.ValueID{b.raw(addr)}})
	b.Branch(after)
	b.At(after)
}

// put stores a value of a type.
func (b *body) put(addr ir.ValueID, t term.ID, v value) {
	if !b.types.rep(t).flat {
		b.copy(addr, v[0], t)
		return
	}
	b.scalars(addr, t, func(addr ir.ValueID, l leaf) {
		b.set(addr, l, v[0])
		v = v[1:]
	})
}

// spill is the address of memory with a value of a type.
func (b *body) spill(v value, t term.ID) ir.ValueID {
	if !b.types.rep(t).flat {
		return v[0]
	}
	room := b.room(t)
	b.put(room, t, v)
	return room
}
