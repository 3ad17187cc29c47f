package binary

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// The fewest bytes that a block and an instruction take.
const (
	minBlock = 8
	minInst  = 5
)

// walk walks over a function definition after its ID: it enters the IDs that are defined
// there, and checks that all instructions are known and complete.
func (r *reader) walk(d *syntax.FuncDef) {
	d.Sig = r.sig()
	d.Open = r.off()
	r.fns = append(r.fns, function{at: d.Open, lo: math.MaxUint32})
	r.fn = len(r.fns)
	r.cur = &r.fns[r.fn-1]
	n := r.u16("the parameters")
	if !r.need(4*n, "the parameters") {
		return
	}
	for range n {
		r.defineLocal(param)
	}
	at := r.off()
	blocks := int64(r.u32("the number of blocks"))
	if !r.need(int(min(blocks*minBlock, math.MaxInt32)), "the blocks") {
		return
	}
	if blocks == 0 {
		r.fail(at, "a function without blocks")
		return
	}
	for range blocks {
		if !r.need(minBlock, "a block") {
			return
		}
		r.defineLocal(block)
		n := int64(r.next32())
		if !r.need(int(min(n*minInst, math.MaxInt32)), "the instructions of a block") {
			return
		}
		r.b.Blocks++
		if r.walkInsts(int(n)); r.failed {
			return
		}
	}
	d.Close = r.off() - 1
}

// A shape is what an instruction consists of after its opcode: bytes that are always
// there, and lists with a count.
type shape struct {
	fixed int
	cases bool // a list of pairs of IDs
	lists int  // lists of IDs
	// Of the bytes that are always there: operands and destinations. args says that the first of the
	// lists has more operands, in front of which there is one at most.
	values, dests int
	args          bool
	plain
}

// A plain is what most instructions have at most, and many begin with: a type, and then values, and
// then destinations. rest is the form of what follows.
type plain struct {
	typed         bool
	first, firstL int
	rest          string
}

func plainOf(form string) (p plain) {
	p.rest = strings.TrimPrefix(form, "T")
	p.typed = p.rest != form
	cut := func(letter string) int {
		n := len(p.rest)
		p.rest = strings.TrimLeft(p.rest, letter)
		return n - len(p.rest)
	}
	p.first = cut("v")
	p.firstL = cut("L")
	return p
}

var shapes = func() (t [syntax.NumOps]shape) {
	for op := syntax.NoOp + 1; op < syntax.NumOps; op++ {
		s := &t[op]
		s.plain = plainOf(op.Form())
		for _, c := range []byte(op.Form()) {
			switch c {
			case 'v', 'c':
				s.values++
			case 'L':
				s.dests++
			case 'a':
				s.args = true
			}
			switch c {
			case 'T', 'E', 'S', 'v', 'c', 'L', 'I', 'g':
				s.fixed += 4
			case 'U':
				s.fixed += 8
			case 'F':
				s.fixed += 6
			case 'o', 'O', 'R', 'D':
				s.fixed++
			case 's', 'p':
				s.cases = true
			case 'a':
				s.lists++
			case 'k', 'K':
				if op != syntax.CCall {
					s.lists++
				}
			}
		}
	}
	return
}()

// defineLocal enters the next ID, which is there.
func (r *reader) defineLocal(kind Kind) {
	at, id := r.off(), r.next32()
	if !r.next(id, kind) {
		r.defineID(at, id, kind)
	}
}

// walkInsts walks over n instructions.
func (r *reader) walkInsts(n int) {
	src, pos := r.src, r.pos
	for range n {
		if len(src)-pos < minInst {
			r.pos = pos
			r.need(minInst, "an instruction")
			return
		}
		id, code := binary.LittleEndian.Uint32(src[pos:]), src[pos+4]
		if code == labelCode {
			r.b.Deviations = append(r.b.Deviations, syntax.Deviation{Off: syntax.Off(pos), Kind: "label", Text: "a label among the instructions begins a block"})
			r.defineID(syntax.Off(pos), id, block)
			r.labels = true
			r.b.Blocks++
			pos += minInst
			continue
		}
		if !r.next(id, inst) {
			r.defineID(syntax.Off(pos), id, inst)
		}
		r.b.Insts++
		op := syntax.OpOf(code)
		if op == syntax.NoOp {
			r.fail(syntax.Off(pos+4), "unknown instruction 0x%02x", code)
			return
		}
		pos += minInst
		n := shapes[op].size(src[pos:])
		if n < 0 {
			r.pos = pos
			r.cut(op)
			return
		}
		pos += n
	}
	r.pos = pos
}

// size is how many of the bytes of src an instruction takes, -1 if they are too few.
func (s *shape) size(src []byte) int {
	n := s.fixed
	if s.cases {
		if len(src) < n+2 {
			return -1
		}
		n += 2 + 8*int(binary.LittleEndian.Uint16(src[n:]))
	}
	for range s.lists {
		if len(src) < n+2 {
			return -1
		}
		n += 2 + 4*int(binary.LittleEndian.Uint16(src[n:]))
	}
	if len(src) < n {
		return -1
	}
	return n
}

// cut fails at what is missing of an instruction that is not complete.
func (r *reader) cut(op syntax.Op) {
	over := func(n int) {
		if r.need(n, op.String()) {
			r.pos += n
		}
	}
	s := &shapes[op]
	over(s.fixed)
	if s.cases {
		over(8 * r.u16(op.String()))
	}
	for range s.lists {
		over(4 * r.u16(op.String()))
	}
}

// body is Bundle.Body.
func (r *reader) body(d *syntax.FuncDef) bool {
	r.room.reset()
	r.bad = false
	r.function(d)
	return !r.bad
}

// function reads the names, parameters and blocks of a function that walk has walked over:
// all that is read is there.
func (r *reader) function(d *syntax.FuncDef) {
	i := r.fn // the one after the last, if functions are read in order
	if i >= len(r.fns) || r.fns[i].at != d.Open {
		i, _ = slices.BinarySearchFunc(r.fns, d.Open, func(f function, at syntax.Off) int { return cmp.Compare(f.at, at) })
	}
	r.cur, r.fn = &r.fns[i], i+1
	r.spellBound()
	r.pos = int(d.Open)
	d.Params = r.room.param.Make(r.next16())
	for i := range d.Params {
		off := r.off()
		id := r.next32()
		d.Params[i] = syntax.Param{Name: r.own(id, off), ID: id}
	}
	list := r.list[:0]
	for range r.next32() {
		off := r.off()
		list = append(list, r.start(off, r.next32()))
		left := r.insts(&list[len(list)-1], r.next32())
		for left > 0 { // a label comes
			at := r.off()
			list = append(list, r.start(at, r.next32()))
			r.pos++
			left = r.insts(&list[len(list)-1], left-1)
		}
	}
	r.list = list
	d.Blocks = r.room.block.Copy(list)
	r.spellIDs()
}

func (r *reader) start(off syntax.Off, id uint32) syntax.Block {
	return syntax.Block{Off: off, ID: id, Name: r.own(id, off)}
}

// insts reads the instructions of a block, at most n, up to a label. It gives the number
// of those that are left, label included.
func (r *reader) insts(b *syntax.Block, n uint32) uint32 {
	if !r.labels {
		b.Insts = r.room.inst.Make(int(n))
		for i := range b.Insts {
			r.inst(&b.Insts[i])
		}
		return 0
	}
	var list []syntax.Inst
	for ; n > 0 && r.src[r.pos+4] != labelCode; n-- {
		list = append(list, syntax.Inst{})
		r.inst(&list[len(list)-1])
	}
	b.Insts = list
	return n
}

// The pieces of a body. They are there: function has seen to it.

func (r *reader) next8() uint8 {
	r.pos++
	return r.src[r.pos-1]
}

func (r *reader) next16() int {
	r.pos += 2
	return int(binary.LittleEndian.Uint16(r.src[r.pos-2:]))
}

func (r *reader) next32() uint32 {
	r.pos += 4
	return binary.LittleEndian.Uint32(r.src[r.pos-4:])
}

// own is the name of something that is defined here.
func (r *reader) own(id uint32, off syntax.Off) syntax.Name {
	return syntax.Name{Sym: r.local(id), Off: off}
}

// nextGlobal reads a reference to something of a kind.
func (r *reader) nextGlobal(kind Kind) syntax.Name {
	off := r.off()
	id := r.next32()
	if e := r.find(id); e.kind() == kind {
		return syntax.Name{Sym: e.sym(), Off: off}
	}
	n := syntax.Name{Sym: syntax.Sym(id), Off: off}
	r.global(&n, kind.String(), kind)
	return n
}

func (r *reader) nextType() syntax.Type { return syntax.TypeNamed(r.nextGlobal(Type)) }
func (r *reader) nextSig() syntax.Sig   { return syntax.SigNamed(r.nextGlobal(Sig)) }

// nextValue reads a reference to a value, of this function or global.
func (r *reader) nextValue() syntax.Value {
	off := r.off()
	id := r.next32()
	if e := r.find(id); e == inFunction(inst, r.fn) || e == inFunction(param, r.fn) {
		return syntax.Value{Name: syntax.Name{Sym: r.local(id), Off: off}}
	}
	n := syntax.Name{Sym: syntax.Sym(id), Off: off}
	r.global(&n, "a value", Const, Global, Func)
	return syntax.Value{Name: n}
}

// nextLocal reads a reference to something of one of two kinds in this function.
func (r *reader) nextLocal(want string, a, b Kind) syntax.Name {
	off := r.off()
	id := r.next32()
	e := r.find(id)
	if e == inFunction(a, r.fn) || e == inFunction(b, r.fn) {
		return syntax.Name{Sym: r.local(id), Off: off}
	}
	found := "not defined"
	if e != 0 {
		if found = e.kind().String(); e.kind().local() && e.fn() != r.fn {
			found += " of another function"
		}
	}
	r.errorf(off, "ID %d is %s: wanted %s", id, found, want)
	return syntax.Name{Off: off}
}

func (r *reader) number(off syntax.Off, v uint64) *syntax.IntLit {
	l := r.room.num.One()
	*l = syntax.IntLit{Off: off, End: off, Lo: v}
	return l
}

// inst reads an instruction: the parts of its text form in order, but for arguments and
// keep-alive variables, which come last.
func (r *reader) inst(in *syntax.Inst) {
	in.Init()
	in.Off = r.off()
	in.ID = r.next32()
	in.Name = r.own(in.ID, in.Off)
	in.OpOff = r.off()
	in.Op = syntax.OpOf(r.next8())
	s := &shapes[in.Op]
	var keep bool
	var callee [1]syntax.Value // or none, in front of arguments
	nv, nd := s.first, s.firstL
	vals := callee[:]
	if !s.args {
		in.Args = r.room.value.Make(s.values)
		vals = in.Args
	}
	if s.dests > 0 {
		in.Dests = r.room.name.Make(s.dests)
	}
	if s.typed {
		in.Type = r.nextType()
	}
	for i := range nv {
		vals[i] = r.nextValue()
	}
	for i := range nd {
		in.Dests[i] = r.nextLocal("a block", block, block)
	}
	for i := range len(s.rest) {
		switch s.rest[i] {
		case 'T', 'E':
			in.Type = r.nextType()
		case 'U':
			in.Type = r.nextType()
			in.Ext(&r.room.ext).Type2 = r.nextType()
		case 'F':
			in.Type = r.nextType()
			off := r.off()
			in.Imm = r.number(off, uint64(r.next16()))
		case 'S':
			in.Ext(&r.room.ext).Sig = r.nextSig()
		case 'v', 'c':
			vals[nv] = r.nextValue()
			nv++
		case 'L':
			in.Dests[nd] = r.nextLocal("a block", block, block)
			nd++
		case 's', 'p':
			r.nextCases(in, s.rest[i] == 'p')
		case 'o', 'O':
			if in.Op == syntax.CmpXchg && in.Order != syntax.NoOrder {
				in.OrderFail = r.nextOrder()
			} else {
				in.Order = r.nextOrder()
			}
		case 'R':
			off := r.off()
			if op := r.next8(); op < uint8(syntax.NumRMWs) {
				in.Ext(&r.room.ext).RMW = syntax.RMW(op)
			} else {
				r.errorf(off, "unknown operation 0x%02x of ATOMICRMW", op)
			}
		case 'I':
			off := r.off()
			in.Imm = r.number(off, uint64(r.next32()))
		case 'g':
			in.Ext(&r.room.ext).Intrinsic = r.intrinsic()
		case 'D':
			off := r.off()
			if c := r.next8(); c != 0 {
				r.errorf(off, "unknown calling convention 0x%02x: want 0x00, DEFAULT", c)
			}
		case 'k', 'K':
			keep = in.Op != syntax.CCall
		}
	}
	if s.args {
		n := r.next16()
		in.Args = r.room.value.Make(nv + n)
		copy(in.Args, vals[:nv])
		for i := range n {
			in.Args[nv+i] = r.nextValue()
		}
	}
	if keep {
		x := in.Ext(&r.room.ext)
		x.Keep = r.room.name.Make(r.next16())
		for i := range x.Keep {
			x.Keep[i] = r.nextLocal("a local value", param, inst)
		}
		x.HasKeep = len(x.Keep) > 0 || s.rest[len(s.rest)-1] == 'K'
	}
}

func (r *reader) nextCases(in *syntax.Inst, phi bool) {
	cases := r.room.cases.Make(r.next16())
	in.Ext(&r.room.ext).Cases = cases
	for i := range cases {
		c := &cases[i]
		if phi {
			c.Label = r.nextLocal("a block", block, block)
		}
		c.Value = r.nextValue()
		if !phi {
			c.Label = r.nextLocal("a block", block, block)
		}
	}
}

func (r *reader) nextOrder() syntax.Order {
	off := r.off()
	o := r.next8()
	if o > uint8(syntax.SeqCst) {
		r.errorf(off, "unknown memory order 0x%02x", o)
		return syntax.NotAtomic
	}
	return syntax.Order(o)
}

func (r *reader) intrinsic() syntax.Name {
	off := r.off()
	id := r.next32()
	sym := r.intrinsics[id]
	if sym == 0 {
		name, ok := intrinsicNames[id]
		if !ok {
			r.errorf(off, "unknown intrinsic function 0x%x", id)
			return syntax.Name{Off: off}
		}
		sym = r.syms.Intern([]byte(name))
		r.intrinsics[id] = sym
	}
	return syntax.Name{Sym: sym, Off: off}
}
