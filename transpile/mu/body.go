package mu

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// A slot is the meaning of a name at the place being checked, by Sym.Index. An
// entry is valid if its stamp is the current one; stamps of versions and blocks
// come from one counter, so slots need not be cleared.
type slot struct {
	block   uint32 // stamp of the block in which the name is defined
	val     ir.ValueID
	version uint32 // stamp of the version in which it is a label
	label   ir.BlockID
	global  uint32 // stamp of the version that has a value for the constant
	con     ir.ValueID
}

// Values of slot.val other than variables.
const (
	slotBad  ir.ValueID = 0  // reported already
	slotInst ir.ValueID = -1 // the name of an instruction
)

// A body is the check and translation of one function version.
type body struct {
	*loader
	d    *syntax.FuncDef
	f    *ir.BodyBuilder
	v    *ir.Version // made by f
	sig  ir.TypeID   // NoType if unknown
	devs deviations

	version uint32 // stamps, see slot
	block   uint32

	blk   *syntax.Block // being checked
	in    *syntax.Inst  // being checked
	out   ir.Inst       // its translation
	vague bool          // the number of its results is not known
	res   ir.TypeID     // the type of the result of an instruction of the IR builder
	post  ir.TypeID     // the type that its first result is converted to; NoType if it is not converted

	status status     // its status flags
	back   ir.BlockID // the block that statusBlock has left

	excHit  []bool                // by block: an exceptional edge leads there
	defined map[syntax.Sym]int32  // by name: the first block that defines it; for messages
	places  map[string]localPlace // see elsewhere
	blocks  map[string]string     // see blockElsewhere
	where   map[syntax.Sym]syntax.Off
	whereIn *syntax.Block // the block that where is of
	slab    []ir.ValueID
}

// body checks one function definition and fills its version.
func (l *loader) body(def *bodyDef) {
	d := def.def
	if n := l.syms.Len(); n > len(l.slots) {
		l.slots = append(l.slots, make([]slot, n-len(l.slots))...)
	}
	b := &l.work
	*b = body{loader: l, d: d, v: def.ver, f: l.out.Fill(def.ver)}
	if e := l.find(d.Sig.Sym); e == nil || e.kind != entSig {
		l.sigOf(d.Sig)
	} else {
		b.sig = e.typ
	}
	b.reserve()
	l.epoch++
	b.version = l.epoch
	b.labels(def.base)
	b.edges()
	for i := range d.Blocks {
		b.params(ir.BlockID(i))
	}
	id := def.base + uint32(len(d.Blocks))
	for i := range d.Blocks {
		b.checkBlock(ir.BlockID(i), id)
		id += uint32(len(d.Blocks[i].Insts))
	}
	b.f.End()
	l.flush(&b.devs, l.name(d.Name))
}

// reserve makes exactly the room that the definition needs: a bundle may consist of many small
// functions.
func (b *body) reserve() {
	b.epoch++ // a stamp with which no constant has a value
	insts, values := 0, 0
	for i := range b.d.Blocks {
		blk := &b.d.Blocks[i]
		insts += len(blk.Insts)
		values += len(blk.Params)
		if !blk.Exc.IsZero() {
			values++
		}
		for k := range blk.Insts {
			in := &blk.Insts[k]
			values += len(in.Results)
			values += b.newGlobals(in.Args)
			for d := range in.Dests {
				values += b.newGlobals(in.Dests[d].Args)
			}
		}
	}
	b.f.Reserve(len(b.d.Blocks), insts, values)
}

// newGlobals counts the global names in a list that were not counted before: they are constants, each of which
// has a value in a version.
func (b *body) newGlobals(list []syntax.Name) (n int) {
	for _, a := range list {
		if a.Sym.Local() {
			continue
		}
		if s := &b.slots[a.Sym.Index()]; s.global != b.epoch {
			s.global = b.epoch
			n++
		}
	}
	return n
}

// labels enters the labels of the version.
func (b *body) labels(id uint32) {
	for i := range b.d.Blocks {
		n := b.d.Blocks[i].Name
		b.f.Pos = b.b.Pos(n.Off)
		blk := b.f.Block(b.name(n))
		b.v.Blocks[blk].ID = id + uint32(i)
		b.v.ReserveBlock(blk, len(b.d.Blocks[i].Insts))
		if n.IsZero() {
			continue
		}
		s := &b.slots[n.Sym.Index()]
		if s.version != b.version {
			s.version, s.label = b.version, ir.BlockID(i)
		} else if n.Sym.Local() {
			b.redefined(n.Off, b.name(n), b.v.Blocks[s.label].Pos)
		}
	}
}

// edges finds the blocks that an exceptional edge reaches, if some block has an
// exception parameter.
func (b *body) edges() {
	some := false
	for i := range b.d.Blocks {
		some = some || !b.d.Blocks[i].Exc.IsZero()
	}
	if !some {
		return
	}
	b.excHit = make([]bool, len(b.d.Blocks))
	for i := range b.d.Blocks {
		for j := range b.d.Blocks[i].Insts {
			in := &b.d.Blocks[i].Insts[j]
			for k := range in.Dests {
				if isExceptional(in, k) {
					if t, ok := b.findLabel(in.Dests[k].Block); ok {
						b.excHit[t] = true
					}
				}
			}
		}
	}
}

// isExceptional reports whether destination k of an instruction is for exceptions.
func isExceptional(in *syntax.Inst, k int) bool {
	return in.Flags&syntax.HasExc != 0 && k == 1 || in.Flags&syntax.HasWPEx != 0 && k == 2
}

// params makes the parameters of a block.
func (b *body) params(id ir.BlockID) {
	blk := &b.d.Blocks[id]
	var want []ir.TypeID
	if id == 0 {
		if !blk.Exc.IsZero() {
			b.errorf(blk.Exc.Off, "%s: the entry block has no exception parameter", b.name(blk.Exc))
		}
		if b.sig != ir.NoType {
			want = b.types.At(b.sig).Fields
			if len(want) != len(blk.Params) {
				b.errorf(blk.Name.Off, "%s: the entry block wants %s as %s has, got %d", b.name(blk.Name), count(len(want), "parameter"), b.name(b.d.Sig), len(blk.Params))
				want = nil
			}
		}
	}
	for i, p := range blk.Params {
		t := b.typeOf(p.Type)
		if t != ir.NoType && !b.info.isValue(t) {
			b.errorf(p.Type.Off, "%s: invalid %s of a parameter: %s is not a type of values", b.name(p.Name), b.called("type", p.Type), b.info.notValue(t))
			t = ir.NoType
		}
		if i < len(want) && t != ir.NoType && want[i] != ir.NoType && t != want[i] {
			switch dev := b.classify(want[i], t, 0); dev {
			case devA, devB:
				b.deviate(&b.devs, dev, p.Type.Off, "%s: parameter %d of %s is %s, got %s", b.name(p.Name), i+1, b.name(b.d.Sig), b.types.String(want[i]), b.name(p.Type))
			default:
				b.errorf(p.Type.Off, "%s: parameter %d of %s is %s, got %s", b.name(p.Name), i+1, b.name(b.d.Sig), b.types.String(want[i]), b.name(p.Type))
			}
			t = want[i] // checkBlock converts
		}
		b.nameValue(b.f.AddParam(id, t), p.Name)
	}
	if !blk.Exc.IsZero() && id != 0 && b.excHit[id] {
		b.nameValue(b.f.AddException(id), blk.Exc)
	}
}

// checkBlock checks the instructions of a block. The first has entity id.
func (b *body) checkBlock(id ir.BlockID, inst uint32) {
	blk := &b.d.Blocks[id]
	b.blk, b.in = blk, nil
	b.f.At(id)
	b.epoch++
	b.block = b.epoch
	for i, p := range blk.Params {
		val := b.v.Blocks[id].Params[i]
		if id == 0 {
			// An entry parameter whose declared type deviates from the signature.
			if t := b.typeQuiet(p.Type); t != ir.NoType {
				val = b.mended(b.name(p.Name), val, b.recastParam(val, t))
			}
		}
		b.define(p.Name, val)
	}
	if !blk.Exc.IsZero() {
		val := b.v.Blocks[id].Exc
		if val == 0 && id != 0 {
			// 13.2 n. The value has the parameter's name, for keep-alive clauses.
			val = b.nameValue(b.f.Const(&ir.Const{Kind: ir.ConstNull, Type: b.info.refVoid}), blk.Exc)
		}
		b.define(blk.Exc, val)
	}
	ended := false
	for i := range blk.Insts {
		in := &blk.Insts[i]
		term := b.inst(in, inst+uint32(i))
		last := i == len(blk.Insts)-1
		if term && !last {
			b.f.At(b.f.Block("")) // the remaining instructions are checked too
		}
		switch {
		case ended:
		case term && !last:
			ended = true
			next := blk.Insts[i+1]
			b.errorf(next.Off, "instruction after %s, which ends %s; begin another block in front of it: %%name():", b.opName(), b.called("block", blk.Name))
		case last && !term:
			b.errorf(in.OpOff, "%s does not end with a terminator: %s is none; end it with BRANCH, RET or the like", b.called("block", blk.Name), b.opName())
		}
	}
	if len(blk.Insts) == 0 {
		b.errorf(blk.Name.Off, "%s does not end with a terminator: it is empty", b.called("block", blk.Name))
	}
}

// nameValue gives a value its name, if it has one, and returns the value.
func (b *body) nameValue(v ir.ValueID, n syntax.Name) ir.ValueID {
	if b.nameless(n.Sym) {
		return v
	}
	return b.f.Name(v, b.name(n))
}

// typeQuiet resolves a type name that has been checked.
func (b *body) typeQuiet(n syntax.Name) ir.TypeID {
	if e := b.find(n.Sym); e != nil && e.kind == entType {
		return e.typ
	}
	return ir.NoType
}

func (b *body) recastParam(val ir.ValueID, t ir.TypeID) ir.ValueID {
	have := b.v.Values[val].Type
	if have == ir.NoType || have == t {
		return val
	}
	if d := b.classify(have, t, 0); d == devA || d == devB {
		return b.convert(val, t, d)
	}
	return slotBad
}

// define lets a name denote a value in the rest of the block.
func (b *body) define(n syntax.Name, val ir.ValueID) {
	if n.IsZero() {
		return
	}
	s := &b.slots[n.Sym.Index()]
	if s.block == b.block && n.Sym.Local() {
		at, _ := b.firstDef(n.Sym)
		b.redefined(n.Off, b.name(n), b.b.Pos(at))
		return
	}
	s.block, s.val = b.block, val
}

// firstDef finds the first definition of a name in the block. Its index is made at
// the first error of the block.
func (b *body) firstDef(s syntax.Sym) (syntax.Off, bool) {
	if b.whereIn != b.blk {
		b.whereIn, b.where = b.blk, map[syntax.Sym]syntax.Off{}
		names(b.blk, func(n syntax.Name) {
			if at, ok := b.where[n.Sym]; !ok || n.Off < at {
				b.where[n.Sym] = n.Off
			}
		})
	}
	at, ok := b.where[s]
	return at, ok
}

// names calls f for each name that a block defines.
func names(blk *syntax.Block, f func(syntax.Name)) {
	for _, p := range blk.Params {
		f(p.Name)
	}
	if !blk.Exc.IsZero() {
		f(blk.Exc)
	}
	for i := range blk.Insts {
		in := &blk.Insts[i]
		for _, r := range in.Results {
			f(r)
		}
		if !in.Name.IsZero() {
			f(in.Name)
		}
	}
}

// value resolves an operand (docs/language.md, "Names"). It returns 0, after a report, if
// there is no such variable.
func (b *body) value(n syntax.Name) ir.ValueID {
	s := &b.slots[n.Sym.Index()]
	if s.block == b.block && s.val >= 0 {
		return s.val
	}
	if !n.Sym.Local() {
		if s.global == b.version {
			return s.con
		}
		if e := b.find(n.Sym); e != nil && e.kind.isGlobalVar() {
			s.global, s.con = b.version, b.f.Const(e.con)
			return s.con
		}
	}
	return b.valueSlow(n, s)
}

// valueSlow resolves an operand whose spelling differs from its definition's,
// or reports that there is none.
func (b *body) valueSlow(n syntax.Name, s *slot) ir.ValueID {
	blockName := b.expand(b.v.Name, b.blk.Name)
	full := b.expand(blockName, n)
	if rest, ok := strings.CutPrefix(full, blockName+"."); ok {
		if t := b.syms.Lookup("%" + rest); t != 0 {
			if s := &b.slots[t.Index()]; s.block == b.block && s.val > 0 {
				return s.val
			}
		}
	}
	if t := b.syms.Lookup(full); t != 0 {
		if s := &b.slots[t.Index()]; s.block == b.block && s.val > 0 {
			return s.val
		}
		if e := b.find(t); e != nil && e.kind.isGlobalVar() {
			return b.f.Const(e.con)
		}
	}
	if !b.explain(n, s) {
		s.block, s.val = b.block, slotBad // report it once per block
	}
	return 0
}

// explain reports an operand that is not a variable here. It returns whether the
// name is defined later in the block.
func (b *body) explain(n syntax.Name, s *slot) bool {
	name := b.name(n)
	if s.block == b.block && s.val == slotInst {
		b.errorf(n.Off, "%s is an instruction, not a variable", name)
		return true
	}
	if b.in != nil && b.in.Op != syntax.NoOp {
		for _, r := range b.in.Results {
			if r.Sym != n.Sym {
				continue
			}
			if b.in.Flags&syntax.HasExc != 0 || b.in.Op == syntax.OpWatchpoint {
				b.errorf(n.Off, "%s is a result of this %s, which exists only in the arguments of its %s destination", name, b.opName(), b.resultEdge())
			} else {
				b.errorf(n.Off, "%s used in the instruction that defines it", name)
			}
			return true
		}
	}
	if at, ok := b.firstDef(n.Sym); ok {
		b.errorf(n.Off, "%s used before its definition", name).Also(b.b.Pos(at), "defined")
		return true
	}
	if b.defined == nil {
		b.defined = map[syntax.Sym]int32{}
		for i := range b.d.Blocks {
			names(&b.d.Blocks[i], func(n syntax.Name) {
				if _, ok := b.defined[n.Sym]; !ok {
					b.defined[n.Sym] = int32(i)
				}
			})
		}
	}
	if i, ok := b.defined[n.Sym]; ok {
		b.errorf(n.Off, "%s is a variable of %s: it must be passed to %s as an argument", name, b.called("block", b.d.Blocks[i].Name), b.name(b.blk.Name))
		return false
	}
	if e := b.find(n.Sym); e != nil {
		b.errorf(n.Off, "%s is %s, not a value", name, e.kind)
		return false
	}
	if p, ok := b.elsewhere(name); ok && !b.nameless(n.Sym) {
		b.reachable(n, p)
		return false
	}
	if !b.gaps || n.Sym.Local() {
		b.errorf(n.Off, "unknown name %s%s", name, b.hintValue(n))
	}
	return false
}

// reachable reports an operand that means something under another spelling, and says how to get at it.
func (b *body) reachable(n syntax.Name, p localPlace) {
	name, blk := b.name(n), &b.d.Blocks[p.block]
	how := "it must be passed to " + b.name(b.blk.Name) + " as an argument"
	if blk == b.blk {
		how = "its local name will do"
	}
	switch {
	case p.inst:
		b.errorf(n.Off, "%s is an instruction, not a variable", name)
	case name == p.full:
		b.errorf(n.Off, "%s is a variable of %s: %s", name, b.called("block", blk.Name), how)
	default:
		b.errorf(n.Off, "unknown name %s: the variable is %s, of block %s; %s", name, p.full, b.name(blk.Name), how)
	}
}

func (b *body) resultEdge() string {
	if b.in.Op == syntax.OpWatchpoint {
		return "enabled"
	}
	return "normal"
}

// findLabel resolves a destination.
func (b *body) findLabel(n syntax.Name) (ir.BlockID, bool) {
	if s := &b.slots[n.Sym.Index()]; s.version == b.version {
		return s.label, true
	}
	full := b.expand(b.v.Name, n)
	t := b.syms.Lookup(full)
	if t == 0 || b.slots[t.Index()].version != b.version {
		if rest, ok := strings.CutPrefix(full, b.v.Name+"."); ok {
			t = b.syms.Lookup("%" + rest)
		}
	}
	if t != 0 {
		if s := &b.slots[t.Index()]; s.version == b.version {
			return s.label, true
		}
	}
	return -1, false
}

// label resolves a destination and reports one that does not exist.
func (b *body) label(n syntax.Name) (ir.BlockID, bool) {
	if t, ok := b.findLabel(n); ok {
		if t == 0 {
			b.errorf(n.Off, "%s is the entry block, which cannot be a destination; let it BRANCH to a block that others branch to", b.name(n))
			return -1, false
		}
		return t, true
	}
	b.errorf(n.Off, "unknown %s in %s%s", b.called("block", n), b.v.Name, b.hintLabel(n))
	return -1, false
}

// dest translates destination k of the instruction being checked.
func (b *body) dest(k int) ir.Dest { return b.edge(k, 0) }

// edge translates destination k. If own is an instruction, it already exists, its
// results may be arguments, and conversions are made in a block on the edge.
func (b *body) edge(k int, own ir.InstID) ir.Dest {
	d := &b.in.Dests[k]
	exceptional := isExceptional(b.in, k)
	t, ok := b.label(d.Block)
	vals := b.alloc(len(d.Args))
	for i, n := range d.Args {
		vals[i] = b.value(n)
	}
	if !ok {
		return ir.Dest{Args: vals}
	}
	if exc := b.d.Blocks[t].Exc; !exc.IsZero() && !exceptional {
		b.normal(d.Block, b.excHit[t])
	}
	params := b.v.Blocks[t].Params
	if len(params) != len(vals) {
		b.errorf(d.Block.Off, "%s wants %s, got %d", b.name(d.Block), count(len(params), "argument"), len(vals))
		return ir.Dest{Block: t, Args: vals}
	}
	convert := false
	devs := make([]dev, 0, 8)
	for i, val := range vals {
		have, want := b.typeOfArg(val, own), b.v.Values[params[i]].Type
		v := devNone
		if have != want && have != ir.NoType && want != ir.NoType {
			v = b.accept(d.Args[i], have, want, useInt, role{text: "argument %d", i: i + 1, dest: d.Block.Sym})
		}
		convert = convert || v != devNone && v != devBad || have != b.v.Values[val].Type
		devs = append(devs, v)
	}
	if !convert {
		return ir.Dest{Block: t, Args: vals}
	}
	if own == 0 {
		for i, val := range vals {
			vals[i] = b.convert(val, b.v.Values[params[i]].Type, devs[i])
		}
		return ir.Dest{Block: t, Args: vals}
	}
	return b.convertOnEdge(t, vals, devs, own)
}

// normal reports a normal edge to a block with an exception parameter; exceptional says that exceptional edges also lead
// there. Only the plain branches of old clients may go there: an instruction that continues normally with a value, or
// exceptionally, has confused its destinations.
func (b *body) normal(block syntax.Name, exceptional bool) {
	switch {
	case exceptional:
		b.errorf(block.Off, "%s has an exception parameter: it cannot be a normal destination as well as an exceptional one", b.name(block))
	case b.in.Flags&(syntax.HasExc|syntax.HasWPEx) != 0 || b.in.Op == syntax.OpWatchpoint:
		b.errorf(block.Off, "%s has an exception parameter: it cannot be a normal destination of %s; write a block without [...] for it", b.name(block), b.opName())
	default:
		b.deviate(&b.devs, devN, block.Off, "%s has an exception parameter but is a normal destination", b.name(block))
	}
}

// typeOfArg is the type of an operand; for a result of own, the declared one.
func (b *body) typeOfArg(val ir.ValueID, own ir.InstID) ir.TypeID {
	v := &b.v.Values[val]
	if b.post != ir.NoType && own != 0 && v.Kind == ir.ValueResult && v.Def == int32(own) && v.Index == 0 {
		return b.post
	}
	return v.Type
}

// convertOnEdge makes a block on an edge for the conversion of arguments that are
// results of the instruction own.
func (b *body) convertOnEdge(t ir.BlockID, vals []ir.ValueID, devs []dev, own ir.InstID) ir.Dest {
	b.f.Pos = b.out.Pos
	f, save := b.f.Block(""), b.f.Current()
	b.f.At(f)
	args := b.alloc(len(vals))
	for i, val := range vals {
		arg := b.f.AddParam(f, b.v.Values[val].Type)
		if declared := b.typeOfArg(val, own); declared != b.v.Values[val].Type {
			arg = b.fromCell(arg, declared)
		}
		args[i] = b.convert(arg, b.v.Values[b.v.Blocks[t].Params[i]].Type, devs[i])
	}
	b.f.Branch(t, args...)
	b.f.At(save)
	return ir.Dest{Block: f, Args: vals}
}

// alloc returns a list of n values from the slab.
func (b *body) alloc(n int) []ir.ValueID {
	if n == 0 {
		return nil
	}
	if n > len(b.slab) {
		b.slab = make([]ir.ValueID, max(n, min(1024, 16+cap(b.v.Values))))
	}
	l := b.slab[:n:n]
	b.slab = b.slab[n:]
	return l
}

// list makes a list of values.
func (b *body) list(vals ...ir.ValueID) []ir.ValueID {
	l := b.alloc(len(vals))
	copy(l, vals)
	return l
}

// emit appends an instruction that is not in the source, with one result.
func (b *body) emit(in ir.Inst) ir.ValueID {
	in.Pos = b.pos()
	return b.f.Inst(in)[0]
}

// pos is the place of the instruction being checked, or of the block if there is none.
func (b *body) pos() diag.Pos {
	if b.in != nil {
		return b.b.Pos(b.in.OpOff)
	}
	return b.b.Pos(b.blk.Name.Off)
}

// A role describes an operand for messages: text with the number i, of the
// destination dest or else of the instruction.
type role struct {
	text string
	i    int
	dest syntax.Sym
}

func (b *body) roleText(r role) string {
	s := r.text
	if strings.Contains(s, "%d") {
		s = fmt.Sprintf(s, r.i)
	}
	switch {
	case r.dest != 0:
		return s + " of " + b.syms.String(r.dest)
	case s == "":
		return b.opName()
	}
	return s + " of " + b.opName()
}

// opName is the mnemonic of the instruction being checked, or the name of the
// common instruction.
func (b *body) opName() string {
	if b.in.Op == syntax.OpCommInst && b.in.Ext != nil {
		return b.name(b.in.Ext.Common)
	}
	return b.in.Op.String()
}

// typeText names a type: as the instruction does, if it names the type; else by the
// first name that a bundle gave it; else by its constructor.
func (b *body) typeText(id ir.TypeID) string {
	if b.in != nil {
		for _, n := range b.in.Types {
			if e := b.find(n.Sym); e != nil && e.kind == entType && e.typ == id && !b.nameless(n.Sym) {
				return b.name(n)
			}
		}
	}
	t := b.types.At(id)
	if t.Name == "" && !isComposite(t.Kind) && t.Elem != ir.NoType {
		return t.Kind.String() + "<" + b.typeText(t.Elem) + ">"
	}
	return b.types.String(id)
}

// accept classifies an operand whose type differs from the wanted type, and
// reports the error or the deviation.
func (b *body) accept(n syntax.Name, have, want ir.TypeID, u use, r role) dev {
	d := b.classify(have, want, u)
	b.report(n, d, have, want, r)
	return d
}

func (b *body) report(n syntax.Name, d dev, have, want ir.TypeID, r role) {
	const format = "%s: %s wants %s, got %s"
	switch d {
	case devNone:
	case devBad:
		b.errorf(n.Off, format+"%s", b.name(n), b.roleText(r), b.typeText(want), b.typeText(have), b.operandAdvice(n, have, want))
	default:
		b.deviate(&b.devs, d, n.Off, format, b.name(n), b.roleText(r), b.typeText(want), b.typeText(have))
	}
}

// arg resolves an operand that must have type want, and converts it where a
// deviation is accepted.
func (b *body) arg(n syntax.Name, want ir.TypeID, u use, r role) ir.ValueID {
	val := b.value(n)
	have := b.v.Values[val].Type
	if have == want || have == ir.NoType || want == ir.NoType {
		return val
	}
	d := b.accept(n, have, want, u, r)
	if d == devBad {
		return 0
	}
	return b.convert(val, want, d)
}
