package front

import "github.com/uvm2go/uvm2go/transpile/mu/nodes"

// Numbers of operations in the client API (docs/operations.md).
type (
	BinOp    uint64 // a binary operation
	CmpOp    uint64 // a comparison
	ConvOp   uint64 // a conversion
	RMWOp    uint64 // an operation of ATOMICRMW
	MemOrder uint64 // a memory order
	Status   uint64 // status flags of an integer operation
)

// The binary operations.
const (
	Add BinOp = 0x01 + iota
	Sub
	Mul
	SDiv
	SRem
	UDiv
	URem
	Shl
	LShr
	AShr
	And
	Or
	Xor
)

// Those of floating-point numbers.
const (
	FAdd BinOp = 0xb0 + iota
	FSub
	FMul
	FDiv
	FRem
)

// The comparisons.
const (
	EQ CmpOp = 0x20 + iota
	NE
	SGE
	SGT
	SLE
	SLT
	UGE
	UGT
	ULE
	ULT
)

// Those of floating-point numbers. O is false and U is true if an operand is not a number.
const (
	FFalse CmpOp = 0xc0 + iota
	FTrue
	FUno
	FUEQ
	FUNE
	FUGT
	FUGE
	FULT
	FULE
	FOrd
	FOEQ
	FONE
	FOGT
	FOGE
	FOLT
	FOLE
)

// The conversions.
const (
	Trunc ConvOp = 0x30 + iota
	ZExt
	SExt
	FPTrunc
	FPExt
	FPToUI
	FPToSI
	UIToFP
	SIToFP
	Bitcast
	RefCast
	PtrCast
)

// The memory orders.
const (
	NotAtomic MemOrder = iota
	Relaxed
	Consume
	Acquire
	Release
	AcqRel
	SeqCst
)

// The operations of ATOMICRMW.
const (
	RMWXchg RMWOp = iota
	RMWAdd
	RMWSub
	RMWAnd
	RMWNand
	RMWOr
	RMWXor
	RMWMax
	RMWMin
	RMWUMax
	RMWUMin
)

// The status flags, in the order of their results.
const (
	Negative Status = 1 << iota
	Zero
	Carry
	Overflow
)

// An inst is an instruction.
type inst struct {
	id      thing
	pos     Pos
	row     string
	results []any // Values, or lists of them
	rest    []any // the other arguments, without the clauses
	hasExc  bool  // the row has a parameter for an exception clause
	hasKeep bool  // and for a keep-alive clause

	dests     []dest
	exc, keep thing
	alive     []Value
	clauses   []clause
}

// A clause is a call that makes a clause for a stack.
type clause struct {
	row  string
	args []any
}

// A dest is a destination, which is a clause.
type dest struct {
	id          thing
	to          Dest
	exceptional bool
}

// args are the arguments of the call that makes the instruction.
func (in *inst) args() []any {
	list := append([]any{in.id}, in.results...)
	list = append(list, in.rest...)
	if in.hasExc {
		list = append(list, in.exc)
	}
	if in.hasKeep {
		list = append(list, in.keep)
	}
	return list
}

// A Dest is a destination: a block and its arguments.
type Dest struct {
	Block *Block
	Args  []Value
}

// To makes a destination.
func To(b *Block, args ...Value) Dest { return Dest{b, args} }

// inst adds an instruction.
func (k *Block) inst(row string, results []any, rest ...any) *inst {
	in := &inst{id: k.body.p.thing(""), pos: k.body.pos, row: row, results: results, rest: rest}
	params := nodes.IDRowNamed(row).Params
	for _, p := range params {
		in.hasExc = in.hasExc || p.Role == 'E'
		in.hasKeep = in.hasKeep || p.Role == 'K'
	}
	k.insts = append(k.insts, in)
	return in
}

// dest is a destination of an instruction.
func (in *inst) dest(k *Block, to Dest, exceptional bool) thing {
	d := dest{k.body.p.thing(""), to, exceptional}
	in.dests = append(in.dests, d)
	return d.id
}

// some makes values.
func (k *Block) some(n int) (l []Value) {
	for range n {
		l = append(l, Value{k.body.p.thing("")})
	}
	return l
}

// one adds an instruction with one result.
func (k *Block) one(row string, rest ...any) Value {
	r := k.some(1)
	k.inst(row, []any{r[0]}, rest...)
	return r[0]
}

// last is the instruction that clauses are added to.
func (k *Block) last(what string) *inst {
	if len(k.insts) == 0 {
		k.body.p.errorf(k.body.pos, "%s without an instruction in front of it, in %s", what, k.body.f.name)
		return nil
	}
	return k.insts[len(k.insts)-1]
}

// Exc gives the instruction made last an exception clause, which ends the block. Its results may be arguments of normal,
// and variables that are set to them have these values only there.
func (k *Block) Exc(normal, exceptional Dest) {
	in := k.last("an exception clause")
	switch {
	case in == nil:
	case !in.hasExc || in.exc.id != 0:
		k.body.p.errorf(k.body.pos, "an exception clause for an instruction that has one, or cannot have one, in %s", k.body.f.name)
	default:
		in.exc = k.body.p.thing("")
		in.dest(k, normal, false)
		in.dest(k, exceptional, true)
	}
}

// Keep gives the instruction made last variables that a trap handler may read.
func (k *Block) Keep(vals ...Value) {
	in := k.last("a keep-alive clause")
	switch {
	case in == nil:
	case !in.hasKeep:
		k.body.p.errorf(k.body.pos, "a keep-alive clause for an instruction that cannot have one, in %s", k.body.f.name)
	default:
		if in.keep.id == 0 {
			in.keep = k.body.p.thing("")
		}
		in.alive = append(in.alive, vals...)
	}
}

// InstName names the instruction made last, for traps and traces.
func (k *Block) InstName(name string) {
	if in := k.last("a name"); in != nil {
		k.body.p.rename(in.id, k.id, name, in.pos)
	}
}

// Computation. t is the type of the operands.

// Bin is a binary operation.
func (k *Block) Bin(op BinOp, t Type, x, y Value) Value {
	return k.one("new_binop", uint64(op), t, x, y)
}

// BinStatus is an integer operation with the status flags of a set, in the order Negative, Zero, Carry, Overflow; n is
// how many these are.
func (k *Block) BinStatus(op BinOp, flags Status, t Type, x, y Value) (r Value, status []Value) {
	for f := Negative; f <= Overflow; f <<= 1 {
		if flags&f != 0 {
			status = append(status, k.some(1)...)
		}
	}
	r = k.some(1)[0]
	k.inst("new_binop_with_status", []any{r, status}, uint64(op), uint64(flags), t, x, y)
	return r, status
}

// Cmp is a comparison; its result is an int<1> or a vector of it.
func (k *Block) Cmp(op CmpOp, t Type, x, y Value) Value {
	return k.one("new_cmp", uint64(op), t, x, y)
}

// Conv is a conversion.
func (k *Block) Conv(op ConvOp, from, to Type, x Value) Value {
	return k.one("new_conv", uint64(op), from, to, x)
}

// Select is yes if cond is 1, else no; condType is int<1> or a vector of it.
func (k *Block) Select(condType, t Type, cond, yes, no Value) Value {
	return k.one("new_select", condType, t, cond, yes, no)
}

// Control flow.

// Branch goes to a block.
func (k *Block) Branch(to *Block, args ...Value) {
	in := k.inst("new_branch", nil)
	in.rest = []any{in.dest(k, To(to, args...), false)}
}

// Branch2 goes to yes if cond, an int<1>, is 1, else to no.
func (k *Block) Branch2(cond Value, yes, no Dest) {
	in := k.inst("new_branch2", nil)
	in.rest = []any{cond, in.dest(k, yes, false), in.dest(k, no, false)}
}

// A Case is a case of a Switch: a constant and where it leads.
type Case struct {
	Key  Value
	Dest Dest
}

// Switch goes to the case of x, which has type t, or to otherwise.
func (k *Block) Switch(t Type, x Value, otherwise Dest, cases ...Case) {
	in := k.inst("new_switch", nil)
	rest := []any{t, x, in.dest(k, otherwise, false)}
	var keys []Value
	var to []thing
	for _, c := range cases {
		keys, to = append(keys, c.Key), append(to, in.dest(k, c.Dest, false))
	}
	in.rest = append(rest, keys, to)
}

// Call calls a function of a signature and returns the results.
func (k *Block) Call(sig Sig, callee Value, args ...Value) []Value {
	r := k.some(len(sig.results))
	k.inst("new_call", []any{r}, sig, callee, args)
	return r
}

// CallFunc is Call of a function of the program.
func (k *Block) CallFunc(f *Func, args ...Value) []Value { return k.Call(f.Sig, f.Value, args...) }

// TailCall is a call that replaces the frame.
func (k *Block) TailCall(sig Sig, callee Value, args ...Value) {
	k.inst("new_tailcall", nil, sig, callee, args)
}

// CCall calls a native function, whose pointer has type t, and returns the results.
func (k *Block) CCall(t Type, sig Sig, callee Value, args ...Value) []Value {
	r := k.some(len(sig.results))
	k.inst("new_ccall", []any{r}, uint64(0), t, sig, callee, args)
	return r
}

// Ret returns.
func (k *Block) Ret(vals ...Value) { k.inst("new_ret", nil, vals) }

// Throw throws a ref.
func (k *Block) Throw(exc Value) { k.inst("new_throw", nil, exc) }

// Parts of structs, arrays and vectors.

// ExtractValue is field number field of a struct.
func (k *Block) ExtractValue(t Type, field int, x Value) Value {
	return k.one("new_extractvalue", t, uint64(field), x)
}

// InsertValue is a struct with another field.
func (k *Block) InsertValue(t Type, field int, x, v Value) Value {
	return k.one("new_insertvalue", t, uint64(field), x, v)
}

// ExtractElement is an element of an array or vector.
func (k *Block) ExtractElement(t, indexType Type, x, index Value) Value {
	return k.one("new_extractelement", t, indexType, x, index)
}

// InsertElement is an array or vector with another element.
func (k *Block) InsertElement(t, indexType Type, x, index, v Value) Value {
	return k.one("new_insertelement", t, indexType, x, index, v)
}

// Shuffle is a vector of elements of x and y, which a mask chooses.
func (k *Block) Shuffle(t, maskType Type, x, y, mask Value) Value {
	return k.one("new_shufflevector", t, maskType, x, y, mask)
}

// Memory.

// New makes an object and returns a ref.
func (k *Block) New(t Type) Value { return k.one("new_new", t) }

// NewHybrid makes a hybrid with a number of elements.
func (k *Block) NewHybrid(t, lenType Type, n Value) Value {
	return k.one("new_newhybrid", t, lenType, n)
}

// Alloca makes a place in the frame and returns an iref.
func (k *Block) Alloca(t Type) Value { return k.one("new_alloca", t) }

// AllocaHybrid makes a hybrid in the frame.
func (k *Block) AllocaHybrid(t, lenType Type, n Value) Value {
	return k.one("new_allocahybrid", t, lenType, n)
}

// GetIRef is the place of an object of type t.
func (k *Block) GetIRef(t Type, ref Value) Value { return k.one("new_getiref", t, ref) }

// A Place is how memory is addressed: by irefs, or with Raw by pointers.
type Place bool

// The kinds of places.
const (
	Managed Place = false
	Raw     Place = true
)

// Field is the place of a field of the struct or hybrid t.
func (k *Block) Field(p Place, t Type, field int, loc Value) Value {
	return k.one("new_getfieldiref", bool(p), t, uint64(field), loc)
}

// Elem is the place of an element of the array or vector t.
func (k *Block) Elem(p Place, t, indexType Type, loc, index Value) Value {
	return k.one("new_getelemiref", bool(p), t, indexType, loc, index)
}

// Shift is the place n elements of type t further.
func (k *Block) Shift(p Place, t, offType Type, loc, n Value) Value {
	return k.one("new_shiftiref", bool(p), t, offType, loc, n)
}

// VarPart is the place of the first element of the hybrid t.
func (k *Block) VarPart(p Place, t Type, loc Value) Value {
	return k.one("new_getvarpartiref", bool(p), t, loc)
}

// Load reads a value of type t.
func (k *Block) Load(p Place, ord MemOrder, t Type, loc Value) Value {
	return k.one("new_load", bool(p), uint64(ord), t, loc)
}

// Store writes one.
func (k *Block) Store(p Place, ord MemOrder, t Type, loc, v Value) {
	k.inst("new_store", nil, bool(p), uint64(ord), t, loc, v)
}

// CmpXchg writes desired if the value is expected. The results are the old value and an int<1>, 1 if it has written.
func (k *Block) CmpXchg(p Place, success, failure MemOrder, t Type, loc, expected, desired Value) (old, ok Value) {
	r := k.some(2)
	k.inst("new_cmpxchg", []any{r[0], r[1]}, bool(p), false, uint64(success), uint64(failure), t, loc, expected, desired)
	return r[0], r[1]
}

// RMW changes a value; the result is the old one.
func (k *Block) RMW(p Place, ord MemOrder, op RMWOp, t Type, loc, v Value) Value {
	return k.one("new_atomicrmw", bool(p), uint64(ord), uint64(op), t, loc, v)
}

// Fence orders the accesses around it.
func (k *Block) Fence(ord MemOrder) { k.inst("new_fence", nil, uint64(ord)) }

// Traps, stacks and threads.

// Trap calls the trap handler, which may give it results of types.
func (k *Block) Trap(types ...Type) []Value {
	r := k.some(len(types))
	k.inst("new_trap", []any{r}, types)
	return r
}

// Watchpoint is a trap if the watchpoint is enabled, whose handler may give it results of types. WatchDests must follow.
func (k *Block) Watchpoint(id uint32, types ...Type) []Value {
	r := k.some(len(types))
	k.inst("new_watchpoint", []any{uint64(id), r}, types, thing{}, thing{}, thing{})
	return r
}

// WatchDests gives the watchpoint made last its destinations: if it is disabled, and if it was enabled, to which the
// results may be passed. If the handler throws, it goes to exc, which may be missing.
func (k *Block) WatchDests(disabled, enabled Dest, exc ...Dest) {
	in := k.last("destinations of a watchpoint")
	switch {
	case in == nil:
	case in.row != "new_watchpoint" || len(in.dests) > 0 || len(exc) > 1:
		k.body.p.errorf(k.body.pos, "destinations of a watchpoint that has some, or is none, in %s", k.body.f.name)
	default:
		in.rest[1], in.rest[2] = in.dest(k, disabled, false), in.dest(k, enabled, false)
		for _, d := range exc {
			in.rest[3] = in.dest(k, d, true)
		}
	}
}

// WPBranch goes to one of two blocks by whether a watchpoint is enabled.
func (k *Block) WPBranch(id uint32, disabled, enabled Dest) {
	in := k.inst("new_wpbranch", nil)
	in.rest = []any{uint64(id), in.dest(k, disabled, false), in.dest(k, enabled, false)}
}

// A Resume is how a stack continues: with values of types, or with an exception.
type Resume struct {
	Types  []Type
	Values []Value
	Throw  Value
}

// resume makes the clause for it.
func (k *Block) resume(in *inst, r Resume) thing {
	id := k.body.p.thing("")
	c := clause{"new_nsc_pass_values", []any{id, r.Types, r.Values}}
	if r.Throw.id != 0 {
		c = clause{"new_nsc_throw_exc", []any{id, r.Throw}}
	} else if len(r.Types) != len(r.Values) {
		k.body.p.errorf(in.pos, "a stack continues with %d values of %d types, in %s", len(r.Values), len(r.Types), k.body.f.name)
		c.args = []any{id, []Type(nil), []Value(nil)}
	}
	in.clauses = append(in.clauses, c)
	return id
}

// NewThread starts a thread on a stack. The thread-local reference may be the zero Value.
func (k *Block) NewThread(stack, threadLocal Value, how Resume) Value {
	r := k.some(1)
	in := k.inst("new_newthread", []any{r[0]})
	in.rest = []any{stack, threadLocal, k.resume(in, how)}
	return r[0]
}

// SwapStack continues another stack. This one waits for values of types, which are the results.
func (k *Block) SwapStack(stack Value, how Resume, types ...Type) []Value {
	r := k.some(len(types))
	in := k.inst("new_swapstack", []any{r})
	cur := k.body.p.thing("")
	in.clauses = append(in.clauses, clause{"new_csc_ret_with", []any{cur, types}})
	in.rest = []any{stack, cur, k.resume(in, how)}
	return r
}

// SwapStackKill continues another stack and ends this one.
func (k *Block) SwapStackKill(stack Value, how Resume) {
	in := k.inst("new_swapstack", []any{[]Value(nil)})
	cur := k.body.p.thing("")
	in.clauses = append(in.clauses, clause{"new_csc_kill_old", []any{cur}})
	in.rest = []any{stack, cur, k.resume(in, how)}
}

// A Common is a common instruction (docs/language.md, "Common instructions").
type Common struct {
	Name    string // such as @uvm.new_stack
	Types   []Type
	Sigs    []Sig
	Args    []Value
	Results int  // how many it has
	Native  bool // it has a calling convention
}

// Common adds a common instruction.
func (k *Block) Common(c Common) []Value {
	code := nodes.Opcode(c.Name)
	if code == 0 {
		k.body.p.errorf(k.body.pos, "unknown common instruction %s, in %s", c.Name, k.body.f.name)
		return k.some(c.Results)
	}
	var flags []uint32
	if c.Native {
		flags = []uint32{0}
	}
	r := k.some(c.Results)
	k.inst("new_comminst", []any{r}, code, flags, c.Types, c.Sigs, c.Args)
	return r
}
