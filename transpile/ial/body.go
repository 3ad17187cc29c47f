package ial

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/ssabuild"
)

// A body is the translation of the body of a function.
//
//  1. The entry block of the representation makes the stack cells of registers that are in
//     memory, and jumps to the block named entry, which other jumps may also lead to.
//  2. Every block of the function begins a block of the representation; checks and calls that
//     may throw end it and begin another.
//  3. Exceptions in blocks with an unwind block go to a landing block, which records the
//     exception and jumps to the unwind block.
type body struct {
	*translator
	*ir.BodyBuilder
	s  *ssabuild.Builder
	fn *module.Function

	regs     []register // by Register.Index
	blocks   []ir.BlockID
	landings map[*module.Block]ir.BlockID
	inflight ssabuild.Var // ref<void>: the exception that was caught last
	caught   ssabuild.Var // int<1>: whether there is one
	pushed   []ir.ValueID // arguments of the next call
	left     bool         // a tail call was made and has ended the block

	selects   map[*module.Instr]selector // by PHI instruction
	definedIn []*module.Block            // by Register.Index: the block with the last definition

	block *module.Block // that is being translated
	nth   int           // index in its instructions
	in    *module.Instr

	through ir.InstFlags // what the instruction accesses memory through
}

// A register is a variable or, if cell is not 0, the location of a stack cell.
type register struct {
	*module.Register
	v    ssabuild.Var
	cell ir.ValueID
	// Index and length for the address in the register, if it is that of an array
	// element; 0 and 1 for other addresses. Only if indexed.
	indexed       bool
	exposed       bool // an address is taken
	index, length ssabuild.Var
}

func (t *translator) body(f *module.Function) {
	b := t.newBody(f, t.funcs[f])
	b.registers()
	for _, k := range f.Blocks {
		b.blocks = append(b.blocks, b.Block("%"+k.Name))
		b.V.Blocks[b.blocks[k.Index]].Pos = k.Pos
	}
	b.jump(b.blocks[f.Entry().Index])
	for _, k := range f.Blocks {
		b.block = k
		b.At(b.blocks[k.Index])
		b.left = false
		for i, in := range k.Instrs {
			if b.left {
				break
			}
			b.nth, b.in, b.Pos, b.through = i, in, in.Pos, through(in)
			if r := b.facts.looks[in]; r != nil {
				b.look(r)
				continue
			}
			translations[in.Op](b)
		}
	}
	b.finish()
}

// newBody begins a body of a function.
func (t *translator) newBody(f *module.Function, fn *ir.Function) *body {
	b := &body{translator: t, BodyBuilder: t.b.Body(fn, "v"), fn: f, landings: map[*module.Block]ir.BlockID{}}
	b.V.Pos, b.Pos = fn.Pos, fn.Pos
	zero := map[ssabuild.Var]*ir.Const{}
	b.s = ssabuild.New(b.V, func(_ ir.BlockID, x ssabuild.Var, _ string) ir.ValueID {
		c := zero[x]
		if c == nil {
			c = b.zero(b.s.Type(x))
			zero[x] = c
		}
		return b.Const(c)
	})
	b.inflight = b.s.Var(t.types.object, "%exception")
	b.caught = b.s.Var(t.types.i1, "")
	return b
}

// finish completes the landings and the variables.
func (b *body) finish() {
	for _, k := range b.fn.Blocks {
		l, ok := b.landings[k]
		if !ok {
			continue
		}
		b.At(l)
		b.s.Def(l, b.inflight, b.Exception(l))
		b.s.Def(l, b.caught, b.Int(b.types.i1, 1))
		b.jump(b.blocks[k.Index])
	}
	if err := b.s.Finish(); err != nil {
		panic(err)
	}
}

// registers makes variables and cells of the registers.
func (b *body) registers() {
	b.regs = make([]register, len(b.fn.Registers))
	b.definedIn, b.selects = make([]*module.Block, len(b.regs)), map[*module.Instr]selector{}
	for i, r := range b.fn.Registers {
		b.regs[i] = register{Register: r}
	}
	for _, k := range b.fn.Blocks {
		for _, in := range k.Instrs {
			switch in.Op {
			case module.MemAddr:
				b.takes(in.Src[0], b.facts.looks[in] == nil)
			case module.ArrayAddr:
				b.regs[in.Target.Index].indexed = true
				b.takes(in.Src[0], in.Src[0].Type.Kind == module.Static)
			case module.FieldAddr:
				b.takes(in.Src[0], in.Src[0].Type.Kind == module.StructType)
			case module.Phi:
				b.selector(in)
			}
			if in.Target != nil {
				b.definedIn[in.Target.Index] = k
			}
		}
	}
	for i := range b.regs {
		r := &b.regs[i]
		switch {
		case r.exposed || composite(r.Type):
			b.Pos = r.Pos
			r.cell = b.Name(b.frameCell(r.Type, r.exposed), "%"+r.Name)
		default:
			r.v = b.s.Var(b.types.register(r.Type), "%"+r.Name)
		}
	}
	for i := range b.regs {
		if r := &b.regs[i]; r.indexed {
			r.index, r.length = b.s.Var(b.types.i64, ""), b.s.Var(b.types.i64, "")
			b.s.Def(b.Current(), r.length, b.Int(b.types.i64, 1))
		}
	}
}

// takes notes that an instruction may take the address of a register.
func (b *body) takes(r *module.Register, taken bool) {
	x := &b.regs[r.Index]
	x.exposed = x.exposed || taken
}

// get is the value of a register.
func (b *body) get(r *module.Register) ir.ValueID {
	x := &b.regs[r.Index]
	if x.cell != 0 {
		return b.load(x.cell, r.Type)
	}
	return b.s.Use(b.Current(), x.v)
}

// src is the value of source register i.
func (b *body) src(i int) ir.ValueID { return b.get(b.in.Src[i]) }

// set assigns to a register.
func (b *body) set(r *module.Register, v ir.ValueID) {
	x := &b.regs[r.Index]
	if x.cell != 0 {
		b.store(x.cell, r.Type, v)
		return
	}
	b.s.Def(b.Current(), x.v, v)
	if k := &b.V.Values[v]; k.Kind != ir.ValueConst && k.Name == "" {
		b.Name(v, "%"+r.Name)
	}
	if x.indexed {
		b.s.Def(b.Current(), x.index, b.Int(b.types.i64, 0))
		b.s.Def(b.Current(), x.length, b.Int(b.types.i64, 1))
	}
}

// result assigns to the target register.
func (b *body) result(v ir.ValueID) { b.set(b.in.Target, v) }

// zero is the initial value of registers of a type.
func (t *translator) zero(id ir.TypeID) *ir.Const {
	switch n := t.b.Types.At(id); {
	case n.Kind == ir.KFloat || n.Kind == ir.KDouble:
		return t.b.FloatConst(id, 0)
	case n.Kind.IsNullable():
		return t.b.NullConst(id)
	}
	return t.b.IntConst(id, 0)
}

// Control flow. A block ends with exactly one of these, or with a terminator and a call of end.

func (b *body) end() { b.s.End(b.Current()) }

func (b *body) jump(to ir.BlockID) {
	b.Branch(to)
	b.end()
}

// fork ends the block with a branch to two new blocks, which have no other predecessors.
func (b *body) fork(cond ir.ValueID) (yes, no ir.BlockID) {
	name := b.V.Blocks[b.Current()].Name
	yes, no = b.Block(name), b.Block(name)
	b.Branch2(cond, ir.To(yes), ir.To(no))
	b.end()
	b.s.Seal(yes)
	b.s.Seal(no)
	return yes, no
}

// require continues in a new block if a condition holds; otherwise the program fails. fail
// adds the instructions for the failure, the last of which is a terminator.
func (b *body) require(cond ir.ValueID, fail func()) {
	if c := b.V.Values[cond].Const; c != nil && c.Lo != 0 {
		return
	}
	yes, no := b.fork(cond)
	b.At(no)
	fail()
	b.end()
	b.At(yes)
}

// fail ends the block with an error, see the texts of docs/ial.md, "Traps".
func (b *body) fail(kind ir.Failure, text string) {
	b.Fail(kind, text+" in "+qualified(b.fn.Module, b.fn.Name))
}

// trap is the fail argument of require for an error without parameters.
func (b *body) trap(kind ir.Failure, text string) func() { return func() { b.fail(kind, text) } }

// Values.

func (b *body) i64(n int64) ir.ValueID { return b.Int(b.types.i64, n) }

func (b *body) cast(v ir.ValueID, to ir.TypeID) ir.ValueID {
	if b.TypeOf(v) == to {
		return v
	}
	return b.Conv(ir.OpRefCast, v, to)
}

func (b *body) ptrcast(v ir.ValueID, to ir.TypeID) ir.ValueID {
	if b.TypeOf(v) == to {
		return v
	}
	return b.Conv(ir.OpPtrCast, v, to)
}

// extended is a word in the form of registers, made from the low bits of a 64-bit number.
func (b *body) extended(v ir.ValueID, t *module.Type) ir.ValueID {
	switch t.Kind {
	case module.Int:
		return b.SExtWord(v)
	case module.Uint:
		return b.ZExtWord(v)
	}
	return v
}

// bit is the result of a comparison, 1 or 0, as a value of a type.
func (b *body) bit(cond ir.ValueID, t ir.TypeID) ir.ValueID { return b.Conv(ir.OpZExt, cond, t) }

// fromMemory converts a value from the form in memory to the form in registers; toMemory is the reverse.
func (b *body) fromMemory(v ir.ValueID, t *module.Type) ir.ValueID {
	switch t.Kind {
	case module.Uint:
		return b.ptrcast(v, b.types.i64)
	case module.Int:
		return b.extended(b.ptrcast(v, b.types.i64), t)
	case module.Pointer:
		return b.Conv(ir.OpRefAt, v, b.types.register(t))
	case module.Reference, module.Array, module.Vector:
		return b.cast(v, b.types.register(t))
	case module.FuncType:
		if b.Types.Kind(b.TypeOf(v)) == ir.KFuncRef {
			return b.cast(v, b.types.register(t))
		}
	}
	return v
}

func (b *body) toMemory(v ir.ValueID, t *module.Type) ir.ValueID {
	switch t.Kind {
	case module.Uint, module.Int:
		return b.ptrcast(v, b.types.word)
	case module.Pointer:
		return b.address(v)
	case module.Reference, module.Array, module.Vector:
		return b.cast(v, b.types.object)
	case module.FuncType:
		if b.Types.Kind(b.TypeOf(v)) == ir.KFuncRef {
			return b.cast(v, b.types.memory(t))
		}
	}
	return v
}

// address is a pointer as a number.
func (b *body) address(v ir.ValueID) ir.ValueID { return b.Conv(ir.OpRefAddr, v, b.types.word) }

// peek loads a word. The location may hold a reference: then the word is its address.
func (b *body) peek(loc ir.ValueID, t *module.Type) ir.ValueID {
	v := b.Inst(ir.Inst{Op: ir.OpLoad, Flags: ir.FlagPtr | ir.FlagRaw | b.through, Ty: b.types.word, Args: []ir.ValueID{b.address(loc)}})[0]
	return b.fromMemory(v, t)
}

// through reports whether an instruction accesses memory through a pointer or a reference, for reports of NULL.
func through(in *module.Instr) ir.InstFlags {
	switch {
	case in.Op == module.MemGet || in.Op == module.MemSet:
		return ir.FlagPointer
	case len(in.Src) == 0:
		return 0
	case in.Src[0].Type.Kind == module.Pointer:
		return ir.FlagPointer
	case slices.ContainsFunc(in.Src, func(r *module.Register) bool { return r.Type.IsManaged() }):
		return ir.FlagObject
	}
	return 0
}

// Unlike the methods of the builder, Load, Store and move set the flags of through.
func (b *body) Load(loc ir.ValueID, ord ir.Order) ir.ValueID {
	return b.Inst(ir.Inst{Op: ir.OpLoad, Flags: b.through, Ty: b.Types.At(b.TypeOf(loc)).Elem, Ord: ord, Args: []ir.ValueID{loc}})[0]
}

func (b *body) Store(loc, v ir.ValueID, ord ir.Order) {
	b.Inst(ir.Inst{Op: ir.OpStore, Flags: b.through, Ty: b.Types.At(b.TypeOf(loc)).Elem, Ord: ord, Args: []ir.ValueID{loc, v}})
}

// load and store access a location and convert between the forms in memory and in registers.
func (b *body) load(loc ir.ValueID, t *module.Type) ir.ValueID {
	return b.fromMemory(b.Load(loc, ir.NotAtomic), t)
}

func (b *body) store(loc ir.ValueID, t *module.Type, v ir.ValueID) {
	b.Store(loc, b.toMemory(v, t), ir.NotAtomic)
}

// move copies a value from one location to another.
func (b *body) move(to, from ir.ValueID) {
	n := b.i64(1)
	b.Inst(ir.Inst{Op: ir.OpMemMove, Flags: b.through, Ty: b.Types.At(b.TypeOf(to)).Elem, Ty2: b.types.i64, Args: []ir.ValueID{to, from, n}})
}

// composite reports whether registers of a type are cells with several values.
func composite(t *module.Type) bool { return t.Kind == module.StructType || t.Kind == module.Static }

// assign sets a register to the value at a location.
func (b *body) assign(r *module.Register, loc ir.ValueID) {
	if composite(r.Type) {
		b.move(b.regs[r.Index].cell, loc)
		return
	}
	b.set(r, b.fromMemory(b.Load(loc, b.order()), r.Type))
}

// put writes a register to a location.
func (b *body) put(loc ir.ValueID, r *module.Register) {
	if composite(r.Type) {
		b.move(loc, b.regs[r.Index].cell)
		return
	}
	b.Store(loc, b.toMemory(b.get(r), r.Type), b.order())
}

// order is the memory order of the access of an instruction: no pass removes a volatile access.
func (b *body) order() ir.Order {
	if b.in.Volatile {
		return ir.Relaxed
	}
	return ir.NotAtomic
}
