package ir

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// ValueID is a dense number of a value in a Version; 0 is none.
type ValueID int32

// InstID is a dense number of an instruction in a Version; 0 is none.
type InstID int32

// BlockID is a dense number of a block in a Version; 0 is the entry.
type BlockID int32

// Version is one body of a function.
type Version struct {
	Func *Function
	Name string // global name with '@'
	ID   uint32
	Pos  diag.Pos
	// Blocks, in the order of the source; Blocks[0] is the entry. A pass
	// removes a block by setting Dead.
	Blocks []Block
	// Insts and Values; element 0 of each is unused. Removed instructions stay
	// in Insts but in no block.
	Insts  []Inst
	Values []Value
	// consts finds the value of a constant. It is made only when there are many constants;
	// until then few has their values.
	consts map[*Const]ValueID
	few    []ValueID
	room   []ValueID // for the lists of results
	order  []InstID  // for the lists of instructions of blocks
}

// ValueKind says what defines a value.
type ValueKind uint8

// The kinds of values.
const (
	ValueNone     ValueKind = iota
	ValueParam              // parameter Index of block Def
	ValueExcParam           // exception parameter of block Def
	ValueResult             // result Index of instruction Def
	ValueConst              // Const
)

// Value is a parameter, a result or a constant.
type Value struct {
	Kind  ValueKind
	Type  TypeID
	Def   int32 // BlockID or InstID
	Index int32
	Const *Const
	// Name as written in the source, with '%' or '@'; "" for values made by passes.
	Name string
}

// Block is a basic block.
type Block struct {
	Name   string // as written, with '%' or '@'
	Params []ValueID
	Exc    ValueID // exception parameter, or 0
	Insts  []InstID
	ID     uint32 // entity id
	Locals []LocalID
	Pos    diag.Pos
	Dead   bool
}

// A LocalID is an entity id of a thing in a block that is not an instruction: a parameter, in
// dialects that give ids to parameters. Name is as written, or "".
type LocalID struct {
	Name string
	ID   uint32
}

// Dest is a branch target with its arguments.
type Dest struct {
	Block BlockID
	Args  []ValueID
}

// InstFlags are syntactic properties of one instruction.
type InstFlags uint16

// The flags.
const (
	FlagPtr         InstFlags = 1 << iota // PTR form
	FlagWeak                              // WEAK CMPXCHG
	FlagExc                               // exception clause: Dests[0] normal, Dests[1] exceptional
	FlagKillOld                           // SWAPSTACK KILL_OLD
	FlagThrowExc                          // THROW_EXC instead of PASS_VALUES
	FlagThreadLocal                       // NEWTHREAD THREADLOCAL(Args[1])
	FlagWPExc                             // WATCHPOINT with WPEXC: Dests[2]
	FlagLocal                             // NEW of an object that may lie in the frame
	FlagRaw                               // PTR form whose pointer may point to another type
	FlagPointer                           // an access through a pointer of the program, see NullText; arithmetic on one, which may be NULL
	FlagObject                            // an access to an object through a reference, see NullText
	FlagUnsure                            // CCALL of an address that may not be a native function, or one of another signature
	FlagFixed                             // an access to memory that is stored to once, before anything can load from it
	FlagRoots                             // ALLOCA of a cell whose words of type uptr keep alive what they point into
	FlagReplaced                          // CALL that is made if UNCHANGED is 0, in place of a copy of the body
)

// Inst is one instruction. Op determines which fields have a meaning; see the table of operations.
type Inst struct {
	Op      Op
	Flags   InstFlags
	Ord     Order
	OrdFail Order
	RMW     RMWOp
	// HasKeep tells an empty keep-alive clause from a missing one.
	HasKeep bool
	Block   BlockID // the block it is in
	Ty, Ty2 TypeID
	Sig     TypeID
	Imm     uint64
	Types   []TypeID // TRAP, WATCHPOINT and RET_WITH result types
	Args    []ValueID
	Results []ValueID
	// Dests: with FlagExc normal and exceptional; else as the op table says.
	Dests []Dest
	Keep  []ValueID
	// Name as written in [..], with '%' or '@', or "".
	Name string
	// Placed means that the source gives the instruction no name. Name then is its original place, as
	// messages show it, noted before any pass could move it.
	Placed bool
	ID     uint32 // entity id
	Pos    diag.Pos
}

// InPlaceOf gives the instruction the block, the name, the id and the position of another one, which it
// replaces.
func (in Inst) InPlaceOf(old *Inst) Inst {
	in.Block, in.Name, in.Placed, in.ID, in.Pos = old.Block, old.Name, old.Placed, old.ID, old.Pos
	return in
}

// IsTerminator reports whether the instruction ends its block.
func (in *Inst) IsTerminator() bool {
	return in.Op.Is(Terminator) || in.Flags&(FlagExc|FlagKillOld) != 0
}

// Has reports whether all the given flags are set.
func (in *Inst) Has(f InstFlags) bool { return in.Flags&f == f }

// NewVersion adds an empty version to a function. It has no blocks.
func (p *Program) NewVersion(f *Function, name string, pos diag.Pos) *Version {
	v := &Version{Func: f, Name: name, Pos: pos, ID: p.TakeID(),
		Insts: make([]Inst, 1), Values: make([]Value, 1)}
	f.Versions = append(f.Versions, v)
	return v
}

// Clone copies a version; the copy is not added to a function. Numbers stay the same. Constants that are
// first used after the copy get a value in each version separately.
func (v *Version) Clone() *Version {
	c := &Version{Func: v.Func, Name: v.Name, ID: v.ID, Pos: v.Pos}
	c.Values = slices.Clone(v.Values)
	c.Insts = slices.Clone(v.Insts)
	c.Blocks = slices.Clone(v.Blocks)
	for i := range c.Insts {
		in := &c.Insts[i]
		in.Args, in.Keep, in.Results = slices.Clone(in.Args), slices.Clone(in.Keep), slices.Clone(in.Results)
		in.Dests = slices.Clone(in.Dests)
		for k := range in.Dests {
			in.Dests[k].Args = slices.Clone(in.Dests[k].Args)
		}
	}
	for i := range c.Blocks {
		b := &c.Blocks[i]
		b.Params, b.Insts, b.Locals = slices.Clone(b.Params), slices.Clone(b.Insts), slices.Clone(b.Locals)
	}
	return c
}

// Reserve makes room for the numbers of blocks, instructions, values and results of instructions that the
// body will have.
func (v *Version) Reserve(blocks, insts, values, results int) {
	v.Blocks = slices.Grow(v.Blocks, blocks)
	v.Insts = slices.Grow(v.Insts, insts)
	v.Values = slices.Grow(v.Values, values)
	v.room = make([]ValueID, results)
}

// ReserveBlock makes room for the number of instructions that a block without any will have, of that for the body.
func (v *Version) ReserveBlock(b BlockID, insts int) {
	if insts > len(v.order) {
		v.order = make([]InstID, max(insts, cap(v.Insts)))
	}
	v.Blocks[b].Insts = v.order[:0:insts]
	v.order = v.order[insts:]
}

// NewBlock appends a block.
func (v *Version) NewBlock(name string, pos diag.Pos) BlockID {
	v.Blocks = append(v.Blocks, Block{Name: name, Pos: pos})
	return BlockID(len(v.Blocks) - 1)
}

func (v *Version) newValue(x Value) ValueID {
	v.Values = append(v.Values, x)
	return ValueID(len(v.Values) - 1)
}

// AddParam appends a parameter to a block.
func (v *Version) AddParam(b BlockID, t TypeID, name string) ValueID {
	id := v.newValue(Value{Kind: ValueParam, Type: t, Def: int32(b), Index: int32(len(v.Blocks[b].Params)), Name: name})
	v.Blocks[b].Params = append(v.Blocks[b].Params, id)
	return id
}

// SetExcParam gives a block its exception parameter, of type ref<void>.
func (v *Version) SetExcParam(b BlockID, t TypeID, name string) ValueID {
	id := v.newValue(Value{Kind: ValueExcParam, Type: t, Def: int32(b), Name: name})
	v.Blocks[b].Exc = id
	return id
}

// ConstValue is the value that stands for a constant in this version.
func (v *Version) ConstValue(c *Const) ValueID {
	if id := v.constant(c); id != 0 {
		return id
	}
	id := v.newValue(Value{Kind: ValueConst, Type: c.Type, Const: c, Name: c.Name})
	v.setConstant(c, id)
	return id
}

// fewConsts is the number of constants up to which a linear search is as fast as a map.
const fewConsts = 8

// constant is the value of a constant, or 0 if it has none yet.
func (v *Version) constant(c *Const) ValueID {
	if v.consts != nil {
		return v.consts[c]
	}
	for _, id := range v.few {
		if v.Values[id].Const == c {
			return id
		}
	}
	return 0
}

// setConstant records the value of a constant.
func (v *Version) setConstant(c *Const, id ValueID) {
	switch {
	case v.consts != nil:
		v.consts[c] = id
	case len(v.few) < fewConsts:
		if v.few == nil {
			v.few = make([]ValueID, 0, fewConsts)
		}
		v.few = append(v.few, id)
	default:
		v.consts = make(map[*Const]ValueID, 2*fewConsts)
		for _, id := range v.few {
			v.consts[v.Values[id].Const] = id
		}
		v.consts[c] = id
	}
}

// Append adds an instruction at the end of a block and makes result values of
// the given types. names may be shorter than types.
func (v *Version) Append(b BlockID, in Inst, types []TypeID, names []string) InstID {
	return v.Put(b, &in, types, names)
}

// Put is Append for readers, which make many instructions: in is copied once.
func (v *Version) Put(b BlockID, in *Inst, types []TypeID, names []string) InstID {
	id := InstID(len(v.Insts))
	in.Block = b
	v.Insts = append(v.Insts, *in)
	v.Blocks[b].Insts = append(v.Blocks[b].Insts, id)
	v.setResults(id, types, names)
	return id
}

// InsertBefore adds an instruction before position at of its block.
func (v *Version) InsertBefore(b BlockID, at int, in Inst, types []TypeID, names []string) InstID {
	id := InstID(len(v.Insts))
	in.Block = b
	v.Insts = append(v.Insts, in)
	l := append(v.Blocks[b].Insts, 0)
	copy(l[at+1:], l[at:])
	l[at] = id
	v.Blocks[b].Insts = l
	v.setResults(id, types, names)
	return id
}

func (v *Version) setResults(id InstID, types []TypeID, names []string) {
	if len(types) == 0 {
		return
	}
	if len(v.room) < len(types) {
		v.room = make([]ValueID, max(64, len(types)))
	}
	res := v.room[:len(types):len(types)]
	v.room = v.room[len(types):]
	for i, t := range types {
		res[i] = ValueID(len(v.Values))
		v.Values = append(v.Values, Value{Kind: ValueResult, Type: t, Def: int32(id), Index: int32(i)})
		if i < len(names) {
			v.Values[res[i]].Name = names[i]
		}
	}
	v.Insts[id].Results = res
}

// Lands reports whether a block is where calls in a copy of a body go if they do not return normally: it begins with
// LANDING.
func (v *Version) Lands(b BlockID) bool {
	l := v.Blocks[b].Insts
	return len(l) > 0 && v.Insts[l[0]].Op == OpLanding
}

// Term is the last instruction of a block, or nil if it is empty.
func (v *Version) Term(b BlockID) *Inst {
	l := v.Blocks[b].Insts
	if len(l) == 0 {
		return nil
	}
	return &v.Insts[l[len(l)-1]]
}

// Succs calls f for each destination of the block's terminator, in order.
func (v *Version) Succs(b BlockID, f func(*Dest)) {
	if t := v.Term(b); t != nil {
		for i := range t.Dests {
			f(&t.Dests[i])
		}
	}
}

// ExcDest is the destination of an exception at an instruction, or nil.
func (in *Inst) ExcDest() *Dest {
	switch {
	case in.Has(FlagExc):
		return &in.Dests[1]
	case in.Has(FlagWPExc):
		return &in.Dests[2]
	}
	return nil
}

// Passed are the values that a NEWTHREAD or SWAPSTACK passes, and the thread-local reference that a
// NEWTHREAD sets, 0 for none.
func (in *Inst) Passed() (values []ValueID, local ValueID) {
	values = in.Args[1:]
	if in.Has(FlagThreadLocal) {
		return values[1:], values[0]
	}
	return values, 0
}

// TypesOf are the types of some values.
func (v *Version) TypesOf(l []ValueID) []TypeID {
	var types []TypeID
	for _, x := range l {
		types = append(types, v.Values[x].Type)
	}
	return types
}

// LocalName is the name of a value without its mark, or a description in one word.
func (v *Version) LocalName(id ValueID) string { return oneWord(v.Values[id].Name) }

// BlockName is the global name of a block.
func (v *Version) BlockName(b BlockID) string { return FullName(v.Name, v.Blocks[b].Name) }

// ValueName is the global name of a value, or "" if it has none.
func (v *Version) ValueName(id ValueID) string {
	x := &v.Values[id]
	switch x.Kind {
	case ValueParam, ValueExcParam:
		return FullName(v.BlockName(BlockID(x.Def)), x.Name)
	case ValueResult:
		return FullName(v.BlockName(v.Insts[x.Def].Block), x.Name)
	}
	return x.Name
}

// InstName is the global name of an instruction, or "" if it has none.
func (v *Version) InstName(id InstID) string {
	in := &v.Insts[id]
	if in.Placed {
		return ""
	}
	return FullName(v.BlockName(in.Block), in.Name)
}
