package assemble

import (
	"github.com/uvm2go/uvm2go/internal/lexis/symbol"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ial/syntax"
)

// bodies resolves the bodies of a module's functions.
func (a *assembler) bodies(u *unit) {
	for _, s := range u.scopes {
		for i, d := range s.file.Funcs {
			b := body{scope: s, d: d, f: s.functions[i]}
			b.resolve()
		}
	}
}

// A body resolves one function.
type body struct {
	*scope
	d      *syntax.FuncDecl
	f      *module.Function
	regs   map[string]*module.Register
	blocks map[string]*module.Block
}

// resolve enters registers and blocks, then resolves instructions.
func (b *body) resolve() {
	b.regs = make(map[string]*module.Register, len(b.d.Registers))
	regs := make([]module.Register, len(b.d.Registers))
	for i, d := range b.d.Registers {
		r := &regs[i]
		*r = module.Register{Name: d.Name.Text, Type: b.typ(d.Type), Index: len(b.f.Registers), Meta: meta(d.Meta), Pos: b.pos(d.Name.Off)}
		if enter(b.scope, b.regs, d.Name, r, "register", func(r *module.Register) diag.Pos { return r.Pos }) {
			b.f.Registers = append(b.f.Registers, r)
		}
	}
	b.blocks = make(map[string]*module.Block, len(b.d.Blocks))
	blocks := make([]module.Block, len(b.d.Blocks))
	for i, d := range b.d.Blocks {
		blk := &blocks[i]
		*blk = module.Block{Name: d.Name.Text, Index: len(b.f.Blocks), Meta: meta(d.Meta), Pos: b.pos(d.Name.Off), End: b.pos(d.Close)}
		if enter(b.scope, b.blocks, d.Name, blk, "block", func(x *module.Block) diag.Pos { return x.Pos }) {
			b.f.Blocks = append(b.f.Blocks, blk)
		}
	}
	for i, d := range b.d.Blocks {
		if d.Unwind.Text != "" {
			blocks[i].Unwind = b.block(d.Unwind)
		}
		instrs := make([]module.Instr, len(d.Instrs))
		blocks[i].Instrs = make([]*module.Instr, len(d.Instrs))
		for k := range d.Instrs {
			b.instr(&instrs[k], &d.Instrs[k])
			blocks[i].Instrs[k] = &instrs[k]
		}
	}
	if in := b.forward(); in != nil {
		b.forwardTo(in)
	}
}

// reg finds a register.
func (b *body) reg(n syntax.Name) *module.Register {
	r := b.regs[n.Text]
	if r == nil && !b.d.Lost && n.Text != "" {
		b.errorf(n.Off, "unknown register %s%s", module.Quote(n.Text), hint(b.scope, "register", n.Text, b.regs))
	}
	return r
}

// block finds a block.
func (b *body) block(n syntax.Name) *module.Block {
	blk := b.blocks[n.Text]
	if blk == nil && !b.d.Lost && n.Text != "" {
		b.errorf(n.Off, "unknown block %s%s", module.QuoteBlock(n.Text), hint(b.scope, "block", n.Text, b.blocks))
	}
	return blk
}

// literal returns the bits of a literal.
func (s *scope) literal(l syntax.Lit, k module.Kind, what string) uint64 {
	bits, err := l.Bits(k)
	if err != nil {
		s.errorf(l.Off, "bad %s: %v", what, err)
	}
	return bits
}

// instr resolves an instruction.
func (b *body) instr(in *module.Instr, d *syntax.Instr) {
	*in = module.Instr{Op: d.Op, Volatile: d.Volatile, Meta: meta(d.Meta), Pos: b.pos(d.Off)}
	row := in.Row()
	if d.Target.Text != "" {
		in.Target, in.TargetPos = b.reg(d.Target), b.pos(d.Target.Off)
	}
	in.Src, in.SrcPos = b.registers(d.Src)
	at := func(off syntax.Off) { in.OperandPos = append(in.OperandPos, b.pos(off)) }
	switch row.Operand {
	case module.OperandLiteral, module.OperandLiterals:
		if len(d.Lits) == 0 {
			break
		}
		in.Lits, in.OperandPos = make([]uint64, len(d.Lits)), make([]diag.Pos, len(d.Lits))
		for i, l := range d.Lits {
			in.Lits[i], in.OperandPos[i] = b.literal(l, row.Literal, row.Mnemonic), b.pos(l.Off)
		}
	case module.OperandType:
		if d.Type != nil {
			in.Type = b.typ(d.Type)
			at(d.Type.Off)
		}
	case module.OperandMember:
		in.Field = b.member(d)
		at(d.Ref.Off())
	case module.OperandGlobal:
		in.Field = b.global(d.Ref, module.Global, module.Thread)
		at(d.Ref.Off())
	case module.OperandThread:
		in.Field = b.global(d.Ref, module.Thread, module.Global)
		at(d.Ref.Off())
	case module.OperandFunc:
		in.Func, _ = find(b.scope, d.Ref, "function", (*unit).functionSpace)
		at(d.Ref.Off())
	case module.OperandData:
		in.Data, _ = find(b.scope, d.Ref, "data block", (*unit).dataSpace)
		at(d.Ref.Off())
	case module.OperandLabel, module.OperandBranch:
		for _, n := range d.Names {
			in.Blocks = append(in.Blocks, b.block(n))
			at(n.Off)
		}
	case module.OperandRegs:
		in.Regs, in.OperandPos = b.registers(d.Names)
	case module.OperandSymbol:
		if len(d.Names) == 2 {
			in.Module, in.Symbol = d.Names[0].Text, d.Names[1].Text
			at(d.Names[0].Off)
			at(d.Names[1].Off)
			if why := symbol.Fault(in.Symbol); why != "" && in.Op == module.FFI && d.Names[1].Off > 0 { // else the syntax is wrong
				b.errorf(d.Names[1].Off, "%s", why)
			}
		}
	}
}

// registers finds a list of registers.
func (b *body) registers(names []syntax.Name) ([]*module.Register, []diag.Pos) {
	if len(names) == 0 {
		return nil, nil
	}
	regs, at := make([]*module.Register, len(names)), make([]diag.Pos, len(names))
	for i, n := range names {
		regs[i], at[i] = b.reg(n), b.pos(n.Off)
	}
	return regs, at
}

// member finds the member that an operand names.
func (b *body) member(d *syntax.Instr) *module.Field {
	t, ok := find(b.scope, d.Ref, "type", (*unit).structSpace)
	if !ok || d.Member.Text == "" {
		return nil
	}
	u := b.unit(d.Ref)
	members, lost := u.membersOf(t)
	f := members[d.Member.Text]
	if f == nil && !lost {
		b.errorf(d.Member.Off, "type %s has no member %s%s", b.spell(d.Ref), module.Quote(d.Member.Text), hint(b.scope, "member", d.Member.Text, members)).
			Also(t.Pos, "declared")
	}
	return f
}

// global finds a field outside types. Fields of the other storage class have an instruction of
// their own.
func (b *body) global(r syntax.Ref, storage, other module.Storage) *module.Field {
	if u := b.named(r.Module.Text); r.Module.Text == "" || u != nil {
		if u == nil {
			u = b.u
		}
		f, is := get(u, r.Name.Text, fieldSpace(other))
		if _, both := get(u, r.Name.Text, fieldSpace(storage)); is && !both {
			b.errorf(r.Name.Off, "%s is a %s: wanted a %s", b.spell(r), fieldWord(f), map[module.Storage]string{
				module.Global: "global field", module.Thread: "thread field"}[storage]).Also(f.Pos, "declared")
			return nil
		}
	}
	f, _ := find(b.scope, r, fieldWord(&module.Field{Storage: storage}), fieldSpace(storage))
	return f
}

// forward returns the tree of the FORWARD instruction of a body that stands for another
// function, nil for other bodies.
func (b *body) forward() *syntax.Instr {
	if b.f.Body() != module.Forward || len(b.d.Blocks) != 1 {
		return nil
	}
	return &b.d.Blocks[0].Instrs[0]
}

// forwardTo finds the function that a body stands for. A module that is not part of the program
// is looked up at run time.
func (b *body) forwardTo(d *syntax.Instr) {
	if len(d.Names) != 2 || b.named(d.Names[0].Text) == nil {
		return
	}
	b.f.Forward, _ = find(b.scope, syntax.Ref{Module: d.Names[0], Name: d.Names[1]}, "function", (*unit).functionSpace)
}
