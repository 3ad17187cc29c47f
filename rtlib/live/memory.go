package live

import (
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/atomics"
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/live/regs"
	"github.com/uvm2go/uvm2go/rtlib/num"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// read is a scalar of a value in the frame, as a number.
//
//go:norace
//go:nocheckptr
func (l *leaf) read(fp ptr, w words) num.U128 {
	switch {
	case l.kind == ir.KTagRef64:
		return num.U128{Lo: word(fp, w.plains[l.at[1]])}
	case isRoot(l.kind):
		return num.U128{Lo: uint64(root(fp, w.roots[l.at[0]]))}
	case l.bits > 64:
		return num.U128{Lo: word(fp, w.plains[l.at[1]]), Hi: word(fp, w.plains[l.at[1]+1])}
	}
	return num.U128{Lo: word(fp, w.plains[l.at[1]])}
}

// write puts a scalar into the frame.
//
//go:norace
//go:nocheckptr
func (l *leaf) write(fp ptr, w words, x num.U128) {
	switch {
	case l.kind == ir.KTagRef64:
		setWord(fp, w.plains[l.at[1]], x.Lo)
		setRoot(fp, w.roots[l.at[0]], gc.TagRoot(x.Lo))
	case isRoot(l.kind):
		setRoot(fp, w.roots[l.at[0]], uintptr(x.Lo))
	default:
		setWord(fp, w.plains[l.at[1]], x.Lo)
		if l.bits > 64 {
			setWord(fp, w.plains[l.at[1]+1], x.Hi)
		}
	}
}

// load reads a scalar from memory; address is that of the value.
//
//go:norace
//go:nocheckptr
func (l *leaf) load(address uintptr) (x num.U128) {
	p := unsafe.Add(nil, address+l.off)
	switch l.bytes {
	case 1:
		x.Lo = uint64(*(*uint8)(p))
	case 2:
		x.Lo = uint64(*(*uint16)(p))
	case 4:
		x.Lo = uint64(*(*uint32)(p))
	case 8:
		x.Lo = *(*uint64)(p)
	default:
		x = num.LoadU128(address + l.off)
	}
	if l.bits != 0 {
		return x.Mask(uint(l.bits))
	}
	return x
}

// store writes a scalar to memory.
//
//go:norace
//go:nocheckptr
func (l *leaf) store(address uintptr, x num.U128) {
	p := unsafe.Add(nil, address+l.off)
	switch l.bytes {
	case 1:
		*(*uint8)(p) = uint8(x.Lo)
	case 2:
		*(*uint16)(p) = uint16(x.Lo)
	case 4:
		*(*uint32)(p) = uint32(x.Lo)
	case 8:
		*(*uint64)(p) = x.Lo
	default:
		num.StoreU128(address+l.off, x)
	}
}

// scalars reads all scalars of a value.
func scalars(l []leaf, fp ptr, w words) []num.U128 {
	out := make([]num.U128, len(l))
	for i := range l {
		out[i] = l[i].read(fp, w)
	}
	return out
}

// copier copies words, all of which it reads first.
func copier(to, from words) func(fp ptr) {
	return func(fp ptr) {
		var few [8]uint64
		buf := append(few[:0], make([]uint64, 0)...)
		for _, a := range from.roots {
			buf = append(buf, uint64(root(fp, a)))
		}
		for _, a := range from.plains {
			buf = append(buf, word(fp, a))
		}
		for i, a := range to.roots {
			setRoot(fp, a, uintptr(buf[i]))
		}
		for i, a := range to.plains {
			setWord(fp, a, buf[len(to.roots)+i])
		}
	}
}

// one is the only scalar of a type that has one, of at most one word.
func (c *compiler) one(id ir.TypeID) (leaf, bool) {
	l := c.leavesOf(c.ir.Strong(id))
	if len(l) != 1 || l[0].bits > 64 {
		return leaf{}, false
	}
	// The padding bits of an odd width may be set by others.
	if b := l[0].bits; b != 0 && b != 8*l[0].bytes && b != 1 {
		return leaf{}, false
	}
	return l[0], true
}

// loads and stores are the instructions for plain accesses by width, 0 for that of a root.
var (
	loads = map[uint32]located{1: {opLoad8, opLoad8X, opLoad8G}, 2: {opLoad16, opLoad16X, opLoad16G},
		4: {opLoad32, opLoad32X, opLoad32G}, 8: {opLoad64, opLoad64X, opLoad64G}, 0: {opLoadR, opLoadRX, opLoadRG}}
	stores = map[uint32]located{1: {opStore8, opStore8X, opStore8G}, 2: {opStore16, opStore16X, opStore16G},
		4: {opStore32, opStore32X, opStore32G}, 8: {opStore64, opStore64X, opStore64G}, 0: {opStoreR, opStoreRX, opStoreRG}}
)

// memory makes LOAD, STORE, CMPXCHG, ATOMICRMW and FENCE.
func memory(c *compiler, id ir.InstID, in *ir.Inst) {
	if in.Op == ir.OpFence {
		c.site(opDo, 0, 0, &site{do: func(ptr) { atomics.Fence() }})
		return
	}
	ty := c.ir.Strong(in.Ty)
	l, one := c.one(ty)
	if in.Ord == ir.NotAtomic && !in.Has(ir.FlagExc) && one && (in.Op == ir.OpLoad || in.Op == ir.OpStore) {
		c.access(in, l)
		return
	}
	a := c.where(in.Args[0])
	at := c.tempRoot()
	c.compute(at, a)
	if in.Has(ir.FlagExc) {
		s := &site{run: func(t *core.Ctx, fp ptr) verdict {
			if root(fp, at) < core.NullZone {
				return local
			}
			return goOn
		}}
		c.exceptional(c.site(opRun, 0, 0, s), s, in.Block, in.ExcDest())
		s.run = clearing(s, s.run)
	}
	name, text := c.namer(id), in.NullText()
	checked := func(f func(fp ptr, p uintptr)) {
		c.site(opRun, 0, 0, &site{run: func(t *core.Ctx, fp ptr) verdict {
			p := root(fp, at)
			if p < core.NullZone {
				core.Fail(t, core.NullRef, name(), text)
			}
			f(fp, p)
			return goOn
		}})
	}
	if in.Ord == ir.NotAtomic && (in.Op == ir.OpLoad || in.Op == ir.OpStore) {
		leaves := c.leavesOf(ty)
		if in.Op == ir.OpLoad {
			to := c.results(in)
			checked(func(fp ptr, p uintptr) {
				for i := range leaves {
					leaves[i].write(fp, to, leaves[i].load(p))
				}
			})
			return
		}
		from := c.operand(in.Args[1])
		checked(func(fp ptr, p uintptr) {
			for i := range leaves {
				leaves[i].store(p, leaves[i].read(fp, from))
			}
		})
		return
	}
	x := c.leavesOf(ty)[0]
	k := atomicOf(x.bytes)
	var res words
	if len(in.Results) > 0 {
		res = c.placesOf(in.Results[0])
	}
	switch in.Op {
	case ir.OpLoad:
		checked(func(fp ptr, p uintptr) { x.write(fp, res, num.U128{Lo: k.load(p)}) })
	case ir.OpStore:
		v := c.operand(in.Args[1])
		checked(func(fp ptr, p uintptr) { k.store(p, x.read(fp, v).Lo) })
	case ir.OpCmpXchg:
		want, new, ok := c.operand(in.Args[1]), c.operand(in.Args[2]), c.wordAt(in.Results[1], 0)
		checked(func(fp ptr, p uintptr) {
			old, swapped := k.swapIf(p, x.read(fp, want).Lo, x.read(fp, new).Lo)
			x.write(fp, res, num.U128{Lo: old})
			setWord(fp, ok, b2u(swapped))
		})
	case ir.OpAtomicRMW:
		v, f := c.operand(in.Args[1]), k.update[in.RMW]
		checked(func(fp ptr, p uintptr) { x.write(fp, res, num.U128{Lo: f(p, x.read(fp, v).Lo)}) })
	}
}

// clearing gives an exceptional destination the exception NULL.
func clearing(s *site, run func(t *core.Ctx, fp ptr) verdict) func(t *core.Ctx, fp ptr) verdict {
	return func(t *core.Ctx, fp ptr) verdict {
		v := run(t, fp)
		if v == local {
			setRoot(fp, s.caught, 0)
		}
		return v
	}
}

// access makes a plain access to one scalar.
func (c *compiler) access(in *ir.Inst, l leaf) {
	width := l.bytes
	if isRoot(l.kind) {
		width = 0
	}
	var v uint16
	o := loads[width]
	switch {
	case in.Op == ir.OpLoad:
		v = c.result(in)
	case width == 0:
		o, v = stores[width], c.root(in.Args[1])
	default:
		o, v = stores[width], c.operand(in.Args[1]).plains[0]
	}
	if l.kind == ir.KTagRef64 && in.Op == ir.OpLoad {
		defer func() { c.emit(opTagRoot, c.placesOf(in.Results[0]).roots[0], v, 0, 0) }()
	}
	a := c.where(in.Args[0])
	if !isRoot(c.at(c.typeOf(a.base)).Kind) || c.p.wild || in.Has(ir.FlagPointer) || in.Has(ir.FlagRaw) {
		c.emit(opNote, 0, 0, 0, 0) // there may be no memory
	}
	c.locate(o, v, a)
}

// addressing makes the instructions that compute addresses which are stored.
func addressing(c *compiler, id ir.InstID, in *ir.Inst) {
	to := c.result(in)
	if a, ok := c.addressOf(in); ok {
		if c.sizeOf(in.Results[0])[regs.Plain] == 1 && core.Is64 == 0 {
			t := c.tempRoot()
			c.compute(t, a)
			c.emit(opRootToPlain, to, t, 0, 0)
			return
		}
		c.compute(to, a)
		return
	}
	// An index of another width, a second index, or a constant part out of range.
	base := c.root(in.Args[0])
	distance := c.distance(in)
	by := func(ptr) uintptr { return distance }
	if in.Op.Is(ir.Indexed) {
		x, n := c.word(in.Args[1]), uint(min(c.at(in.Ty2).Bits, 64))
		by = func(fp ptr) uintptr { return uintptr(num.SignExt(word(fp, x), n)) * distance }
	}
	isRef := c.sizeOf(in.Results[0])[regs.Root] == 1
	c.site(opDo, 0, 0, &site{do: func(fp ptr) {
		if p := root(fp, base) + by(fp); isRef {
			setRoot(fp, to, p)
		} else {
			setWord(fp, to, uint64(p))
		}
	}})
}

// allocate makes NEW, NEWHYBRID, ALLOCA and ALLOCAHYBRID.
func allocate(c *compiler, id ir.InstID, in *ir.Inst) {
	d := c.desc(in.Ty, in.Has(ir.FlagRoots))
	to := c.rootAt(in.Results[0], 0)
	const largest = 4096 // of an object that the instruction makes itself
	if in.Op == ir.OpNew && d.Align <= 8 && d.FixedSize() <= largest {
		s := &site{desc: d, size: d.FixedSize()}
		at := c.site(opNew, to, 0, s)
		if in.Has(ir.FlagExc) {
			c.exceptional(at, s, in.Block, in.ExcDest())
		}
		return
	}
	length := func(ptr) uint64 { return 0 }
	if len(in.Args) > 0 {
		x, l := c.operand(in.Args[0]), c.leavesOf(in.Ty2)[0]
		length = func(fp ptr) uint64 {
			if n := l.read(fp, x); n.Hi == 0 {
				return n.Lo
			}
			return ^uint64(0)
		}
	}
	makes := map[ir.Op]func(t *core.Ctx, n uint64) uintptr{
		ir.OpNew:          func(t *core.Ctx, n uint64) uintptr { return t.New(d) },
		ir.OpNewHybrid:    func(t *core.Ctx, n uint64) uintptr { return t.NewHybrid(d, n) },
		ir.OpAlloca:       func(t *core.Ctx, n uint64) uintptr { return t.Alloca(d) },
		ir.OpAllocaHybrid: func(t *core.Ctx, n uint64) uintptr { return t.AllocaHybrid(d, n) },
	}[in.Op]
	fail, name := c.failing(in), c.namer(id)
	c.fallible(in, &site{run: func(t *core.Ctx, fp ptr) verdict {
		p := makes(t, length(fp))
		if p == 0 {
			return fail(t, fp, core.OutOfMemory, name, "the heap is exhausted")
		}
		setRoot(fp, to, p)
		return goOn
	}})
}

// fallible adds an instruction that may continue at the exceptional destination.
func (c *compiler) fallible(in *ir.Inst, s *site) {
	at := c.site(opRun, 0, 0, s)
	if in.Has(ir.FlagExc) {
		c.exceptional(at, s, in.Block, in.ExcDest())
	}
}

// failing handles the failure of an instruction: it continues at its exceptional destination with the
// exception NULL, or ends the program.
func (c *compiler) failing(in *ir.Inst) func(t *core.Ctx, fp ptr, kind core.Kind, name func() string, detail string) verdict {
	if in.Has(ir.FlagExc) {
		exc := c.excRoot()
		return func(t *core.Ctx, fp ptr, kind core.Kind, name func() string, detail string) verdict {
			setRoot(fp, exc, 0)
			return local
		}
	}
	return func(t *core.Ctx, fp ptr, kind core.Kind, name func() string, detail string) verdict {
		core.Fail(t, kind, name(), detail)
		return goOn
	}
}

// atomicWidth has the atomic operations on memory of a width.
type atomicWidth struct {
	load   func(p uintptr) uint64
	store  func(p uintptr, x uint64)
	swapIf func(p uintptr, want, new uint64) (old uint64, ok bool)
	update map[ir.RMWOp]func(p uintptr, x uint64) uint64
}

// number has the types that package atomics works on.
type number interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

// widthOf makes the operations for a type of numbers.
func widthOf[T number](load func(uintptr) T, store func(uintptr, T), swapIf func(uintptr, T, T) (T, bool), update map[ir.RMWOp]func(uintptr, T) T) *atomicWidth {
	w := &atomicWidth{
		load:  func(p uintptr) uint64 { return uint64(load(p)) },
		store: func(p uintptr, x uint64) { store(p, T(x)) },
		swapIf: func(p uintptr, want, new uint64) (uint64, bool) {
			old, ok := swapIf(p, T(want), T(new))
			return uint64(old), ok
		},
		update: map[ir.RMWOp]func(uintptr, uint64) uint64{},
	}
	for k, f := range update {
		w.update[k] = func(p uintptr, x uint64) uint64 { return uint64(f(p, T(x))) }
	}
	return w
}

func atomicOf(bytes uint32) *atomicWidth { return atomicWidths[bytes] }

var atomicWidths = map[uint32]*atomicWidth{
	1: widthOf(atomics.Load8, atomics.Store8, atomics.CompareAndSwap8, map[ir.RMWOp]func(uintptr, uint8) uint8{
		ir.RMWXchg: atomics.Swap8, ir.RMWAdd: atomics.Add8, ir.RMWSub: atomics.Sub8, ir.RMWAnd: atomics.And8, ir.RMWNand: atomics.Nand8,
		ir.RMWOr: atomics.Or8, ir.RMWXor: atomics.Xor8, ir.RMWMax: atomics.Max8, ir.RMWMin: atomics.Min8, ir.RMWUMax: atomics.UMax8, ir.RMWUMin: atomics.UMin8}),
	2: widthOf(atomics.Load16, atomics.Store16, atomics.CompareAndSwap16, map[ir.RMWOp]func(uintptr, uint16) uint16{
		ir.RMWXchg: atomics.Swap16, ir.RMWAdd: atomics.Add16, ir.RMWSub: atomics.Sub16, ir.RMWAnd: atomics.And16, ir.RMWNand: atomics.Nand16,
		ir.RMWOr: atomics.Or16, ir.RMWXor: atomics.Xor16, ir.RMWMax: atomics.Max16, ir.RMWMin: atomics.Min16, ir.RMWUMax: atomics.UMax16, ir.RMWUMin: atomics.UMin16}),
	4: widthOf(atomics.Load32, atomics.Store32, atomics.CompareAndSwap32, map[ir.RMWOp]func(uintptr, uint32) uint32{
		ir.RMWXchg: atomics.Swap32, ir.RMWAdd: atomics.Add32, ir.RMWSub: atomics.Sub32, ir.RMWAnd: atomics.And32, ir.RMWNand: atomics.Nand32,
		ir.RMWOr: atomics.Or32, ir.RMWXor: atomics.Xor32, ir.RMWMax: atomics.Max32, ir.RMWMin: atomics.Min32, ir.RMWUMax: atomics.UMax32, ir.RMWUMin: atomics.UMin32}),
	8: widthOf(atomics.Load64, atomics.Store64, atomics.CompareAndSwap64, map[ir.RMWOp]func(uintptr, uint64) uint64{
		ir.RMWXchg: atomics.Swap64, ir.RMWAdd: atomics.Add64, ir.RMWSub: atomics.Sub64, ir.RMWAnd: atomics.And64, ir.RMWNand: atomics.Nand64,
		ir.RMWOr: atomics.Or64, ir.RMWXor: atomics.Xor64, ir.RMWMax: atomics.Max64, ir.RMWMin: atomics.Min64, ir.RMWUMax: atomics.UMax64, ir.RMWUMin: atomics.UMin64}),
}
