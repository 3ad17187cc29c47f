package ir

import (
	"math"
	"strconv"
	"strings"
)

// maxNumber bounds the numbers of values and blocks of a version whose text has
// n bytes, so that a short text cannot ask for much memory.
func maxNumber(n int) int { return 1<<16 + 64*n }

// A numbering gives numbers to names: those in the text, and for names without a number
// the lowest free ones.
type numbering struct {
	named map[string]int // tokens without number
	used  []bool
}

// reserve takes a number that is in the text.
func (n *numbering) reserve(id int) {
	for id >= len(n.used) {
		n.used = append(n.used, false)
	}
	n.used[id] = true
}

// free takes the lowest number that is free, from a given one on.
func (n *numbering) free(from int) int {
	for from < len(n.used) && n.used[from] {
		from++
	}
	n.reserve(from)
	return from
}

// A bodyReader is the state of reading one version.
type bodyReader struct {
	*reader
	v      *Version
	values numbering
	blocks numbering
	nextID idSequence
	uses   []use
	free   int // where to look for a number for a constant
}

// A use is an operand whose definition may come later.
type use struct {
	id  ValueID
	off int
	tok string
}

// version reads a version from its head and the lines of its body.
func (r *reader) version(head line, lines []line) {
	r.start(head)
	r.expect("version")
	pos := r.pos()
	name := r.name()
	r.expect("of")
	f := r.name()
	id, _ := r.id()
	r.expect("{")
	c := r.operands[f]
	if !r.bad && (c == nil || c.Kind != ConstFunc) {
		r.fail("%s is no function of this program", f)
	}
	if !r.done() {
		return
	}
	b := &bodyReader{reader: r, nextID: idSequence{next: id + 1, on: id != 0}, free: 1}
	b.v = &Version{Func: c.Func, Name: name, ID: id, Pos: pos, Insts: make([]Inst, 1)}
	if !b.numberAll(head, lines) {
		return
	}
	c.Func.Versions = append(c.Func.Versions, b.v)
	cur := make([]BlockID, len(lines)) // the block that a line is in; -1 for labels
	at := BlockID(-1)
	for i, l := range lines {
		if l.toks[0].sigil == '^' {
			cur[i] = -1
			r.start(l)
			at = b.label()
			r.done()
			continue
		}
		cur[i] = at
	}
	for i, l := range lines {
		r.start(l)
		switch {
		case cur[i] >= 0:
			b.inst(cur[i])
			r.done()
		case l.toks[0].sigil != '^' && at < 0:
			r.fail("instruction before the first block")
		}
	}
	for _, u := range b.uses {
		if int(u.id) >= len(b.v.Values) || b.v.Values[u.id].Kind == ValueNone {
			r.errorf(u.off, "%s is not defined", u.tok)
		}
	}
}

// numberAll gives all values and blocks their numbers, and makes the blocks.
func (b *bodyReader) numberAll(head line, lines []line) bool {
	limit := maxNumber(head.end)
	if n := len(lines); n > 0 {
		limit = maxNumber(lines[n-1].end - head.end)
	}
	b.values = numbering{named: map[string]int{}, used: make([]bool, 1)}
	b.values.used[0] = true
	b.blocks = numbering{named: map[string]int{}}
	ok := true
	each := func(f func(t token, n *numbering, name string, id int)) {
		for _, l := range lines {
			for _, t := range l.toks {
				if t.sigil != '%' && t.sigil != '^' {
					continue
				}
				name, id, good := splitName(t.text)
				n := &b.values
				if t.sigil == '^' {
					n = &b.blocks
				}
				if !good || id >= limit || id == 0 && t.sigil == '%' {
					if ok {
						b.errorf(t.off, "bad name %s", t.text)
					}
					ok = false
					return
				}
				f(t, n, name, id)
			}
		}
	}
	inName := map[int]bool{} // names of instructions are not values
	for _, l := range lines {
		for i, t := range l.toks {
			if t.sigil == '%' && i > 0 && l.toks[i-1].text == "[" && l.toks[0].sigil != '^' {
				inName[t.off] = true
			}
		}
	}
	each(func(t token, n *numbering, _ string, id int) {
		if id >= 0 && !inName[t.off] {
			n.reserve(id)
		}
	})
	if !ok {
		return false
	}
	next := [2]int{1, 0}
	each(func(t token, n *numbering, _ string, id int) {
		if _, known := n.named[t.text]; id < 0 && !known && !inName[t.off] {
			k := 0
			if t.sigil == '^' {
				k = 1
			}
			next[k] = n.free(next[k])
			n.named[t.text] = next[k]
		}
	})
	b.v.Values = make([]Value, len(b.values.used))
	b.v.Blocks = make([]Block, len(b.blocks.used))
	for i := range b.v.Blocks {
		b.v.Blocks[i].Dead = true
	}
	return true
}

// resolve returns the number and the name of a token.
func (n *numbering) resolve(tok string) (id int, name string) {
	name, id, _ = splitName(tok)
	if id < 0 {
		id = n.named[tok]
	}
	return
}

// define makes a parameter or result.
func (b *bodyReader) define(kind ValueKind, def int32, index int) ValueID {
	at := b.off()
	tok := b.kind('%', "a value with %")
	b.expect(":")
	t := b.typ()
	if b.bad {
		return 0
	}
	id, name := b.values.resolve(tok)
	if b.v.Values[id].Kind != ValueNone {
		b.errorf(at, "%s redefined", tok)
		return ValueID(id)
	}
	b.v.Values[id] = Value{Kind: kind, Type: t, Def: def, Index: int32(index), Name: name}
	return ValueID(id)
}

// label reads the head of a block.
func (b *bodyReader) label() BlockID {
	pos, at := b.pos(), b.off()
	tok := b.kind('^', "a block")
	n, name := b.blocks.resolve(tok)
	blk := &b.v.Blocks[n]
	if !blk.Dead {
		b.errorf(at, "%s redefined", tok)
		b.bad, b.line = true, nil
		return BlockID(n)
	}
	*blk = Block{Name: name, Pos: pos}
	b.expect("(")
	for i := 0; !b.bad && !b.accept(")"); i++ {
		if i > 0 {
			b.expect(",")
		}
		blk.Params = append(blk.Params, b.define(ValueParam, int32(n), i))
	}
	if b.accept("[") {
		blk.Exc = b.define(ValueExcParam, int32(n), 0)
		b.expect("]")
	}
	b.expect(":")
	blk.ID = b.entityID()
	for !b.bad && len(b.line) > 0 && b.line[0].sigil == '"' {
		l := LocalID{Name: b.quoted("a name")}
		l.ID, _ = b.id()
		blk.Locals = append(blk.Locals, l)
	}
	return BlockID(n)
}

func (b *bodyReader) entityID() uint32 {
	id, ok := b.id()
	if !ok {
		id = b.nextID.expected()
	}
	b.nextID.take(id)
	return id
}

// value reads an operand.
func (b *bodyReader) value() ValueID {
	if len(b.line) > 0 && b.line[0].sigil == '%' {
		t := b.line[0]
		b.line = b.line[1:]
		id, name := b.values.resolve(t.text)
		if b.accept("=") {
			return b.namedConst(ValueID(id), name, t)
		}
		b.uses = append(b.uses, use{ValueID(id), t.off, t.text})
		return ValueID(id)
	}
	c := b.constant("")
	if c == nil || b.bad {
		return 0
	}
	if id := b.v.constant(c); id != 0 {
		return id
	}
	// Constants take the numbers that the text leaves out.
	b.free = b.values.free(b.free)
	if b.free >= len(b.v.Values) {
		return b.v.ConstValue(c)
	}
	b.v.Values[b.free] = Value{Kind: ValueConst, Type: c.Type, Const: c, Name: c.Name}
	b.v.setConstant(c, ValueID(b.free))
	return ValueID(b.free)
}

// namedConst reads a constant that has a number and a local name.
func (b *bodyReader) namedConst(id ValueID, name string, t token) ValueID {
	c := b.constant(name)
	if c == nil || b.bad {
		return 0
	}
	x := &b.v.Values[id]
	if known := b.v.constant(c); known == id {
		return id
	} else if known != 0 || x.Kind != ValueNone {
		b.errorf(t.off, "%s redefined", t.text)
		return 0
	}
	*x = Value{Kind: ValueConst, Type: c.Type, Const: c, Name: name}
	b.v.setConstant(c, id)
	return id
}

func (b *bodyReader) valueList() (l []ValueID) {
	b.expect("(")
	for !b.bad && !b.accept(")") {
		l = append(l, b.value())
	}
	return l
}

// orderByName and rmwByName find the meaning of suffixes.
var (
	orderByName = func() map[string]Order {
		m := map[string]Order{}
		for i, n := range orderNames {
			m[strings.ToLower(n)] = Order(i)
		}
		return m
	}()
	rmwByName = func() map[string]RMWOp {
		m := map[string]RMWOp{}
		for i, n := range rmwNames {
			m[strings.ToLower(n)] = RMWOp(i)
		}
		return m
	}()
)

// inst reads an instruction.
func (b *bodyReader) inst(blk BlockID) {
	id := InstID(len(b.v.Insts))
	in := Inst{Block: blk, Pos: b.pos()}
	if len(b.line) > 0 && b.line[0].sigil == '%' {
		for i := 0; !b.bad; i++ {
			in.Results = append(in.Results, b.define(ValueResult, int32(id), i))
			if !b.accept(",") {
				break
			}
		}
		b.expect("=")
	}
	if b.accept("[") {
		if in.Placed = b.accept("at"); in.Placed {
			in.Name = b.quoted("the place of an instruction")
		} else if len(b.line) > 0 {
			in.Name = b.line[0].text
			if in.Name[0] == '"' {
				in.Name, _ = strconv.Unquote(in.Name)
			}
			b.line = b.line[1:]
		}
		b.expect("]")
	}
	b.operation(&in)
	b.typeArgs(&in)
	if b.accept("#") {
		if f, ok := b.failure(); ok {
			in.Imm = f
		} else {
			in.Imm = b.number("number")
		}
	}
	if b.accept("types") {
		b.expect("(")
		in.Types = b.typeList(")")
	}
	for !b.bad && len(b.line) > 0 && b.line[0].sigil != '^' && !b.peek("exc") && !b.peek("keep") && !b.peek("!") {
		in.Args = append(in.Args, b.value())
	}
	if b.accept("exc") {
		in.Flags |= FlagExc
	}
	for !b.bad && len(b.line) > 0 && b.line[0].sigil == '^' {
		t := b.line[0]
		b.line = b.line[1:]
		n, _ := b.blocks.resolve(t.text)
		if b.v.Blocks[n].Dead {
			b.errorf(t.off, "%s is not defined", t.text)
		}
		in.Dests = append(in.Dests, Dest{Block: BlockID(n), Args: b.valueList()})
	}
	if b.accept("keep") {
		in.HasKeep = true
		in.Keep = b.valueList()
	}
	in.ID = b.entityID()
	b.v.Insts = append(b.v.Insts, in)
	b.v.Blocks[blk].Insts = append(b.v.Blocks[blk].Insts, id)
}

// failure takes the word of a failure, if there is one.
func (b *bodyReader) failure() (uint64, bool) {
	if len(b.line) == 0 {
		return 0, false
	}
	f, ok := FailureByName(b.line[0].text)
	if ok {
		b.line = b.line[1:]
	}
	return uint64(f), ok
}

func (b *bodyReader) operation(in *Inst) {
	at := b.off()
	parts := strings.Split(b.word("an operation"), ".")
	op, ok := opByName[parts[0]]
	bad := func(what, s string) {
		if !b.bad {
			b.errorf(at, "unknown %s %s", what, s)
		}
		b.bad, b.line = true, nil
	}
	if !ok {
		bad("operation", parts[0])
		return
	}
	in.Op = op
	orders := 0
next:
	for _, s := range parts[1:] {
		for _, f := range flagNames {
			if f.name == s {
				in.Flags |= f.flag
				continue next
			}
		}
		if o, ok := orderByName[s]; ok && orders < 2 {
			if orders++; orders == 1 {
				in.Ord = o
			} else {
				in.OrdFail = o
			}
		} else if o, ok := rmwByName[s]; ok {
			in.RMW = o
		} else {
			bad("suffix", s)
			return
		}
	}
}

// typeArgs reads type arguments and signature.
func (b *bodyReader) typeArgs(in *Inst) {
	if !b.accept("<") {
		return
	}
	slots := [...]*TypeID{&in.Ty, &in.Ty2}
	for i := 0; !b.bad && !b.accept(">"); {
		if b.accept("_") {
			i++
			continue
		}
		t := b.typ()
		switch {
		case b.bad:
		case b.t.Kind(t) == KSig && in.Sig == NoType:
			in.Sig = t
		case i < len(slots):
			*slots[i] = t
			i++
		default:
			b.fail("too many type arguments")
		}
		if i > math.MaxInt16 {
			b.fail("too many type arguments")
		}
	}
}
