package binary

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

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
	r.fns = append(double(r.fns), function{at: d.Open, lo: math.MaxUint32})
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

// A shape is what an instruction consists of after its opcode.
type shape struct {
	form  form
	fixed uint8 // how many bytes are always there
	cases bool  // a list of pairs of IDs
	lists uint8 // how many lists of IDs
	// Of the bytes that are always there: operands and destinations. args says that the first of the
	// lists has more operands, in front of which there is one at most.
	values, dests uint8
	args          bool
	letters       string // Op.Form
}

// A form is one of those of common instructions, which are read without looking at the letters.
type form uint8

const (
	otherForm form = iota
	formT
	formTv
	formTvv
	formL
	formVLL
	formOTv
	formOTvv
	formFv
	formFvv
	formUv
	formTp
)

var forms = map[string]form{"T": formT, "Tv": formTv, "Tvv": formTvv, "Evv": formTvv, "L": formL, "vLL": formVLL,
	"oTv": formOTv, "oTvv": formOTvv, "Fv": formFv, "Fvv": formFvv, "Uv": formUv, "Tp": formTp}

var shapes = func() (t [syntax.NumOps]shape) {
	for op := syntax.NoOp + 1; op < syntax.NumOps; op++ {
		s := &t[op]
		s.letters, s.form = op.Form(), forms[op.Form()]
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

// sizes has for each opcode how many bytes an instruction takes, 0 for one that has lists and for
// what is no instruction.
var sizes = func() (t [256]uint8) {
	for op := syntax.NoOp + 1; op < syntax.NumOps; op++ {
		if s := &shapes[op]; !s.cases && s.lists == 0 && op.Code() != 0 {
			t[op.Code()] = minInst + s.fixed
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
	for n > 0 && !r.failed {
		if n -= r.walkNext(n); n > 0 {
			r.walkInst()
			n--
		}
	}
}

// walkNext walks over instructions, at most n, each of which has the next ID, see next, and is known
// and complete. It gives their number. As a rule these are all instructions of a block.
func (r *reader) walkNext(n int) int {
	first := r.nextID()
	if first == 0 {
		return 0
	}
	src, pos, ids, e := r.src, r.pos, r.ids, inFunction(inst, r.fn)
	id := first
	for range n {
		if len(src)-pos < minInst || binary.LittleEndian.Uint32(src[pos:]) != id {
			break
		}
		code := src[pos+4]
		size := int(sizes[code])
		if size == 0 {
			op := syntax.OpOf(code)
			if op == syntax.NoOp {
				break
			}
			if size = shapes[op].size(src[pos+minInst:]); size < 0 {
				break
			}
			size += minInst
		} else if len(src)-pos < size {
			break
		}
		pos += size
		ids = append(ids, e)
		id++
	}
	k := int(id - first)
	if k > 0 {
		r.pos, r.ids = pos, ids
		r.cur.lo, r.cur.hi = min(r.cur.lo, first), max(r.cur.hi, id-1)
		r.cur.count += k
		r.b.Insts += k
	}
	return k
}

// walkInst walks over any instruction.
func (r *reader) walkInst() {
	if !r.need(minInst, "an instruction") {
		return
	}
	at := r.off()
	id, code := r.next32(), r.next8()
	if code == labelCode {
		r.b.Deviations = append(r.b.Deviations, syntax.Deviation{Off: at, Kind: "label", Text: "a label among the instructions begins a block"})
		r.defineID(at, id, block)
		r.labels = true
		r.b.Blocks++
		return
	}
	r.defineID(at, id, inst)
	r.b.Insts++
	op := syntax.OpOf(code)
	if op == syntax.NoOp {
		r.fail(at+4, "unknown instruction 0x%02x", code)
		return
	}
	n := shapes[op].size(r.src[r.pos:])
	if n < 0 {
		r.cut(op)
		return
	}
	r.pos += n
}

// size is how many of the bytes of src an instruction takes, -1 if they are too few.
func (s *shape) size(src []byte) int {
	n := int(s.fixed)
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
	over(int(s.fixed))
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
	r.instHere, r.paramHere, r.blockHere = inFunction(inst, r.fn), inFunction(param, r.fn), inFunction(block, r.fn)
	r.bindLocals()
	r.pos = int(d.Open)
	d.Params = r.room.param.Make(r.next16())
	for i := range d.Params {
		off := r.off()
		id := r.next32()
		d.Params[i] = syntax.Param{Name: r.own(id, off), ID: id}
	}
	d.Blocks = r.blocks(int(r.next32()))
	if !r.late {
		r.spellAll()
	}
}

// blocks reads n blocks, and those that begin with a label among their instructions.
func (r *reader) blocks(n int) []syntax.Block {
	if !r.labels {
		list := r.room.block.Make(n)
		for i := range list {
			b := &list[i]
			b.Off, b.ID = r.off(), r.next32()
			b.Name = r.own(b.ID, b.Off)
			r.insts(b, r.next32())
		}
		return list
	}
	list := r.list[:0]
	for range n {
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
	return r.room.block.Copy(list)
}

func (r *reader) start(off syntax.Off, id uint32) syntax.Block {
	return syntax.Block{Off: off, ID: id, Name: r.own(id, off)}
}

// insts reads the instructions of a block, at most n, up to a label. It gives the number
// of those that are left, label included.
func (r *reader) insts(b *syntax.Block, n uint32) uint32 {
	if !r.labels {
		b.Insts = r.room.inst.Make(int(n))
		pos := r.pos
		for i := range b.Insts {
			pos = r.inst(&b.Insts[i], pos)
		}
		r.pos = pos
		b.Insts = r.b.AfterTrap(b.Insts)
		return 0
	}
	var list []syntax.Inst
	for ; n > 0 && r.src[r.pos+4] != labelCode; n-- {
		list = append(list, syntax.Inst{})
		r.pos = r.inst(&list[len(list)-1], r.pos)
	}
	b.Insts = r.b.AfterTrap(list)
	return n
}

// The pieces of a body. They are there: walk has seen to it.

func (r *reader) next8() uint8 {
	r.pos++
	return r.src[r.pos-1]
}

func (r *reader) next16() int {
	r.pos += 2
	return r.at16(r.pos - 2)
}

func (r *reader) next32() uint32 {
	r.pos += 4
	return r.at32(r.pos - 4)
}

func (r *reader) at16(pos int) int    { return int(binary.LittleEndian.Uint16(r.src[pos:])) }
func (r *reader) at32(pos int) uint32 { return binary.LittleEndian.Uint32(r.src[pos:]) }

// own is the name of something that is defined here.
func (r *reader) own(id uint32, off syntax.Off) syntax.Name {
	return syntax.Name{Sym: r.local(id), Off: off}
}

// globalAt is the reference at pos to something of a kind.
func (r *reader) globalAt(pos int, kind Kind) syntax.Name {
	id := r.at32(pos)
	if e := r.find(id); e.kind() == kind {
		return syntax.Name{Sym: e.sym(), Off: syntax.Off(pos)}
	}
	n := syntax.Name{Sym: syntax.Sym(id), Off: syntax.Off(pos)}
	r.global(&n, kind.String(), kind)
	return n
}

func (r *reader) typeAt(pos int) syntax.Type { return syntax.TypeNamed(r.globalAt(pos, Type)) }

// funcTypeAt is the type at pos of a FUNCCAST, for which old bundles have a signature.
func (r *reader) funcTypeAt(pos int) syntax.Type {
	n := syntax.Name{Sym: syntax.Sym(r.at32(pos)), Off: syntax.Off(pos)}
	r.global(&n, Type.String(), Type, Sig)
	return syntax.TypeNamed(n)
}

func (r *reader) sigAt(pos int) syntax.Sig { return syntax.SigNamed(r.globalAt(pos, Sig)) }

// values reads references to values, of this function or global, from pos on. Those in list are zero
// before. It gives the place after them.
func (r *reader) values(list []syntax.Value, pos int) int {
	for i := range list {
		r.value(&list[i].Name, pos)
		pos += 4
	}
	return pos
}

// value makes n what the ID at pos refers to.
func (r *reader) value(n *syntax.Name, pos int) {
	id := r.at32(pos)
	n.Off = syntax.Off(pos)
	if e := r.find(id); e == r.instHere || e == r.paramHere {
		n.Sym = r.local(id)
		return
	} else if k := e.kind(); k == Const || k == Global || k == Func {
		n.Sym = e.sym()
		return
	}
	n.Sym = syntax.Sym(id)
	r.global(n, "a value", Const, Global, Func)
}

func (r *reader) blockAt(pos int) syntax.Name {
	if id := r.at32(pos); r.find(id) == r.blockHere {
		return r.own(id, syntax.Off(pos))
	}
	return r.notLocal(pos, "a block")
}

func (r *reader) localValueAt(pos int) syntax.Name {
	id := r.at32(pos)
	if e := r.find(id); e == r.instHere || e == r.paramHere {
		return r.own(id, syntax.Off(pos))
	}
	return r.notLocal(pos, "a local value")
}

// notLocal reports a reference to something else than what is wanted of this function.
func (r *reader) notLocal(pos int, want string) syntax.Name {
	id := r.at32(pos)
	found := "not defined"
	if e := r.find(id); e != 0 {
		if found = e.kind().String(); e.kind().local() && e.fn() != r.fn {
			found += " of another function"
		}
	}
	r.errorf(syntax.Off(pos), "ID %d is %s: wanted %s", id, found, want)
	return syntax.Name{Off: syntax.Off(pos)}
}

func (r *reader) number(pos int, v uint64) *syntax.IntLit {
	l := r.room.num.One()
	*l = syntax.IntLit{Off: syntax.Off(pos), End: syntax.Off(pos), Lo: v}
	return l
}

// inst reads the instruction at pos: the parts of its text form in order, but for arguments and
// keep-alive variables, which come last. It gives the place after it.
func (r *reader) inst(in *syntax.Inst, pos int) int {
	in.Init()
	in.Off = syntax.Off(pos)
	in.ID = r.at32(pos)
	in.Name = r.own(in.ID, in.Off)
	in.OpOff = in.Off + 4
	in.Op = syntax.OpOf(r.src[pos+4])
	pos += minInst
	switch s := &shapes[in.Op]; s.form {
	case formT:
		in.Type = r.typeAt(pos)
		return pos + 4
	case formTv:
		in.Type = r.typeAt(pos)
		return r.oneValue(in, pos+4)
	case formTvv:
		in.Type = r.typeAt(pos)
		return r.twoValues(in, pos+4)
	case formL:
		in.Dests = r.room.name.Make(1)
		in.Dests[0] = r.blockAt(pos)
		return pos + 4
	case formVLL:
		pos = r.oneValue(in, pos)
		in.Dests = r.room.name.Make(2)
		in.Dests[0] = r.blockAt(pos)
		in.Dests[1] = r.blockAt(pos + 4)
		return pos + 8
	case formOTv:
		in.Order = r.orderAt(pos)
		in.Type = r.typeAt(pos + 1)
		return r.oneValue(in, pos+5)
	case formOTvv:
		in.Order = r.orderAt(pos)
		in.Type = r.typeAt(pos + 1)
		return r.twoValues(in, pos+5)
	case formFv:
		r.field(in, pos)
		return r.oneValue(in, pos+6)
	case formFvv:
		r.field(in, pos)
		return r.twoValues(in, pos+6)
	case formUv:
		if in.Op == syntax.FuncCast {
			in.Type, in.Ext(&r.room.ext).Type2 = r.funcTypeAt(pos), r.funcTypeAt(pos+4)
			return r.oneValue(in, pos+8)
		}
		in.Type = r.typeAt(pos)
		in.Ext(&r.room.ext).Type2 = r.typeAt(pos + 4)
		return r.oneValue(in, pos+8)
	case formTp:
		in.Type = r.typeAt(pos)
		return r.cases(in, pos+4, true)
	default:
		return r.parts(in, s, pos)
	}
}

func (r *reader) oneValue(in *syntax.Inst, pos int) int {
	in.Args = r.room.value.Make(1)
	r.value(&in.Args[0].Name, pos)
	return pos + 4
}

func (r *reader) twoValues(in *syntax.Inst, pos int) int {
	in.Args = r.room.value.Make(2)
	r.value(&in.Args[0].Name, pos)
	r.value(&in.Args[1].Name, pos+4)
	return pos + 8
}

// field reads a type and the index of a field.
func (r *reader) field(in *syntax.Inst, pos int) {
	in.Type = r.typeAt(pos)
	in.Imm = r.number(pos+4, uint64(r.at16(pos+4)))
}

// parts reads the parts of any instruction.
func (r *reader) parts(in *syntax.Inst, s *shape, pos int) int {
	var keep bool
	var callee syntax.Name // or none, in front of arguments
	nv, nd := 0, 0
	if !s.args {
		in.Args = r.room.value.Make(int(s.values))
	}
	in.Dests = r.room.name.Make(int(s.dests))
	for i := range len(s.letters) {
		switch s.letters[i] {
		case 's':
			pos = r.cases(in, pos, false)
		case 'T':
			in.Type = r.typeAt(pos)
			pos += 4
		case 'S':
			in.Ext(&r.room.ext).Sig = r.sigAt(pos)
			pos += 4
		case 'v':
			r.value(&in.Args[nv].Name, pos)
			pos += 4
			nv++
		case 'c':
			r.value(&callee, pos)
			pos += 4
			nv++
		case 'L':
			in.Dests[nd] = r.blockAt(pos)
			pos += 4
			nd++
		case 'O':
			if in.Op == syntax.CmpXchg && in.Order != syntax.NoOrder {
				in.OrderFail = r.orderAt(pos)
			} else {
				in.Order = r.orderAt(pos)
			}
			pos++
		case 'R':
			if op := r.src[pos]; op < uint8(syntax.NumRMWs) {
				in.Ext(&r.room.ext).RMW = syntax.RMW(op)
			} else {
				r.errorf(syntax.Off(pos), "unknown operation 0x%02x of ATOMICRMW", op)
			}
			pos++
		case 'I':
			in.Imm = r.number(pos, uint64(r.at32(pos)))
			pos += 4
		case 'g':
			in.Ext(&r.room.ext).Intrinsic = r.intrinsicAt(pos)
			pos += 4
		case 'D':
			if c := r.src[pos]; c != 0 {
				r.errorf(syntax.Off(pos), "unknown calling convention 0x%02x: want 0x00, DEFAULT", c)
			}
			pos++
		case 'k', 'K':
			keep = in.Op != syntax.CCall
		case 'a': // last
		default:
			panic("uvm2014: no reader for the form of " + in.Op.String())
		}
	}
	if s.args {
		n := r.at16(pos)
		in.Args = r.room.value.Make(nv + n)
		if nv > 0 {
			in.Args[0].Name = callee
		}
		pos = r.values(in.Args[nv:], pos+2)
	}
	if keep {
		x := in.Ext(&r.room.ext)
		x.Keep = r.room.name.Make(r.at16(pos))
		pos += 2
		for i := range x.Keep {
			x.Keep[i] = r.localValueAt(pos)
			pos += 4
		}
		x.HasKeep = len(x.Keep) > 0 || s.letters[len(s.letters)-1] == 'K'
	}
	return pos
}

// cases reads cases, of PHI the label first.
func (r *reader) cases(in *syntax.Inst, pos int, phi bool) int {
	cases := r.room.cases.Make(r.at16(pos))
	in.Ext(&r.room.ext).Cases = cases
	pos += 2
	for i := range cases {
		c := &cases[i]
		if phi {
			c.Label = r.blockAt(pos)
			r.value(&c.Value.Name, pos+4)
		} else {
			r.value(&c.Value.Name, pos)
			c.Label = r.blockAt(pos + 4)
		}
		pos += 8
	}
	return pos
}

func (r *reader) orderAt(pos int) syntax.Order {
	o := r.src[pos]
	if o > uint8(syntax.SeqCst) {
		r.errorf(syntax.Off(pos), "unknown memory order 0x%02x", o)
		return syntax.NotAtomic
	}
	return syntax.Order(o)
}

func (r *reader) intrinsicAt(pos int) syntax.Name {
	off := syntax.Off(pos)
	id := r.at32(pos)
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
