package syntax

import (
	"fmt"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

var attributes = map[string]module.Attrs{
	"ssa": module.SSA, "pure": module.Pure, "nooptimize": module.NoOptimize,
	"noinline": module.NoInline, "noreturn": module.NoReturn, "nothrow": module.NoThrow,
}

// funcDecl reads a function.
func (p *parser) funcDecl(meta []Pair) {
	p.about("function")
	d := &FuncDecl{Meta: meta, Off: p.tok.Off}
	p.next()
	for p.tok.Kind == Keyword || p.tok.Kind == Ident {
		a := attributes[p.text(p.tok)]
		if a == 0 {
			break
		}
		if d.Attrs&a != 0 {
			p.errorf(p.tok.Off, "bad function: attribute %s is there twice", p.found())
		}
		d.Attrs |= a
		p.next()
	}
	d.Result = p.result()
	d.Name = p.ident("the name of the function", p.attributeHint())
	p.name = d.Name.Text
	p.declared(d.Name)
	p.f.Funcs = append(p.f.Funcs, d)
	p.punct('(', "a function is written function RESULT NAME(PARAMETERS) { ... }")
	p.list(')', func() { p.param(d) })
	d.Conv = p.convention()
	p.open()
	if p.failed {
		return
	}
	d.Lost = !p.body(d.Off, "register", func() { p.funcItem(d) })
	d.Close = p.f.Text.Tokens[p.i-1].Off
}

// result reads the type of a result. void means no result, unless a parenthesis follows: then
// the type is a pointer to a function without result.
func (p *parser) result() *Type {
	if p.isKeyword("void") && p.peek(1).Kind != '(' {
		t := p.types.One()
		t.Off = p.tok.Off
		p.next()
		return t
	}
	return p.typ("the type of the result, or void")
}

// param reads a parameter.
func (p *parser) param(d *FuncDecl) {
	param := Param{Meta: p.meta()}
	if !p.failed && p.isSoft("noescape") {
		param.NoEscape = true
		p.next()
	}
	param.Type = p.typ("the type of a parameter")
	if !p.failed && p.tok.isName() {
		p.fail(", or )", "parameters have no names, arg.pop fetches them")
	}
	if param.Type != nil {
		d.Params = append(d.Params, param)
	}
}

// funcItem reads a register or a block.
func (p *parser) funcItem(d *FuncDecl) {
	p.about("function")
	p.name = d.Name.Text
	meta := p.meta()
	switch {
	case p.failed:
	case p.isKeyword("register"):
		p.register(d, meta)
	case p.isKeyword("block"):
		p.block(d, meta)
	default:
		hint := near(p, "register", "block")
		if _, ok := p.mnemonic(); ok || p.peek(1).Kind == '=' {
			hint = "instructions stand in a block, as in block entry { ... }"
		}
		p.fail("register, block or }", hint)
	}
}

// register reads the declaration of a register.
func (p *parser) register(d *FuncDecl, meta []Pair) {
	p.about("register")
	r := &Register{Meta: meta}
	p.next()
	r.Type = p.typ("a type")
	r.Name = p.ident("the name of the register")
	p.name = r.Name.Text
	if r.Name.Text == "" {
		d.Lost = true
	} else {
		d.Registers = append(d.Registers, r)
	}
	hint := p.reserved()
	if p.is(',') {
		hint = "each register has a declaration of its own"
	}
	p.end(hint)
}

// block reads a basic block.
func (p *parser) block(d *FuncDecl, meta []Pair) {
	p.about("block")
	b := &Block{Meta: meta}
	begin := p.tok.Off
	p.next()
	b.Name = p.blockName("the name of the block")
	p.name = b.Name.Text
	if !p.failed && p.isKeyword("unwind") {
		p.next()
		b.Unwind = p.blockName("the name of the unwind block")
	}
	if b.Name.Text == "" {
		d.Lost = true
	} else {
		d.Blocks = append(d.Blocks, b)
	}
	p.open()
	if p.failed {
		return
	}
	first := len(p.instrBuf)
	p.body(begin, "block", p.instr)
	b.Instrs = p.instrs.Copy(p.instrBuf[first:])
	p.instrBuf = p.instrBuf[:first]
	b.Close = p.f.Text.Tokens[p.i-1].Off
}

// mnemonic returns the operation of the current token.
func (p *parser) mnemonic() (module.Op, bool) {
	if p.tok.Kind != Keyword && !p.isSoft("forward") {
		return 0, false
	}
	op, ok := module.Mnemonics[p.text(p.tok)]
	return op, ok
}

// instr reads an instruction.
func (p *parser) instr() {
	p.about("instruction")
	in := Instr{Meta: p.meta()}
	if p.failed {
		return
	}
	if p.isSoft("volatile") && p.peek(1).Kind != '=' {
		in.Volatile = true
		p.next()
	}
	if p.tok.isName() && p.peek(1).Kind == '=' {
		in.Target = p.takeName()
		p.next()
	}
	op, ok := p.mnemonic()
	if !ok || p.peek(1).Kind == '=' {
		p.fail("a mnemonic", p.mnemonicHint())
		return
	}
	in.Op, in.Off = op, p.tok.Off
	p.subject = op.String()
	p.next()
	row := &module.Ops[op]
	in.Src = p.sources(row)
	bracket := !p.failed && p.is('(')
	switch {
	case p.failed:
	case bracket && row.Operand == module.OperandNone:
		p.fail(";", "write "+usages[op])
	case bracket:
		p.bracket()
		p.operand(&in, row)
	case row.Operand != module.OperandNone && (p.tok.isLit() || p.tok.Kind == Keyword):
		p.fail("(", "write "+usages[op])
	}
	if !p.failed && p.is(';') {
		p.shape(&in, row, bracket)
	}
	p.end("write " + usages[op])
	p.instrBuf = append(p.instrBuf, in)
}

// sources reads the source registers.
func (p *parser) sources(row *module.Row) []Name {
	p.nameBuf = p.nameBuf[:0]
	if p.tok.isName() {
		p.nameBuf = append(p.nameBuf, p.takeName())
		for p.is(',') {
			p.next()
			p.source()
			if p.failed {
				return nil
			}
		}
	} else if row.Sources > 0 && (p.tok.Kind == Keyword || p.tok.isLit()) {
		p.source()
	}
	return p.names.Copy(p.nameBuf)
}

// source reads a source register.
func (p *parser) source() {
	hint := ""
	switch {
	case p.tok.isLit():
		hint = "a constant is loaded into a register first, as by load.i32 (1)"
	case p.is(';') || p.is('('):
		hint = "a list does not end with a comma"
	}
	n := p.ident("a register", hint)
	if !p.failed {
		p.nameBuf = append(p.nameBuf, n)
	}
}

// operand reads an operand after its opening parenthesis.
func (p *parser) operand(in *Instr, row *module.Row) {
	p.nameBuf = p.nameBuf[:0]
	add := func(n Name) { p.nameBuf = append(p.nameBuf, n) }
	switch row.Operand {
	case module.OperandLiteral:
		if !p.tok.isLit() {
			p.fail("a literal")
			return
		}
		p.litBuf = append(p.litBuf[:0], p.lit())
		in.Lits = p.lits.Copy(p.litBuf)
	case module.OperandLiterals:
		in.Lits = p.litList("a literal")
		return
	case module.OperandType:
		in.Type = p.typ("a type")
	case module.OperandMember:
		in.Ref = p.ref("a type")
		p.punct(':', "a member is written (TYPE:MEMBER)")
		in.Member = p.ident("a member")
	case module.OperandGlobal, module.OperandThread:
		in.Ref = p.ref("a field")
	case module.OperandFunc:
		in.Ref = p.ref("a function")
	case module.OperandData:
		in.Ref = p.ref("a data block")
	case module.OperandLabel:
		add(p.blockName("a block"))
	case module.OperandBranch:
		add(p.blockName("a block"))
		p.punct(',', "write "+usages[in.Op])
		add(p.blockName("a block"))
	case module.OperandSymbol:
		add(p.ident("a library or module"))
		p.punct(',', "write "+usages[in.Op])
		add(p.ident("a name"))
	case module.OperandRegs:
		p.list(')', func() { add(p.ident("a register")) })
		in.Names = p.names.Copy(p.nameBuf)
		return
	}
	in.Names = p.names.Copy(p.nameBuf)
	p.punct(')', "write "+usages[in.Op])
}

// shape compares the parts of an instruction with those that its operation prescribes.
func (p *parser) shape(in *Instr, row *module.Row, operand bool) {
	bad := func(off Off, format string, args ...any) {
		p.errorf(off, "bad %s: %s; write %s", row.Mnemonic, fmt.Sprintf(format, args...), usages[in.Op])
	}
	switch n := len(in.Src); {
	case in.Target.Text != "" && !row.Target:
		bad(in.Target.Off, "it has no result, found %s =", lex.Quote([]byte(module.Quote(in.Target.Text))))
	case in.Target.Text == "" && row.Target:
		bad(in.Off, "wanted a register for its result")
	case n > row.Sources:
		extra := in.Src[row.Sources]
		bad(extra.Off, "wanted %s, got %d", plural(row.Sources, "source"), n)
	case n < row.Sources:
		bad(in.Off, "wanted %s, got %d", plural(row.Sources, "source"), n)
	case row.Operand != module.OperandNone && !operand:
		bad(in.Off, "wanted an operand in parentheses")
	}
}

func plural(n int, word string) string {
	switch n {
	case 0:
		return "no " + word + "s"
	case 1:
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
