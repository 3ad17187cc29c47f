package verify

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/layout"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// A Rule is the number of a rule of the verifier.
type Rule uint8

// String is V and the number.
func (r Rule) String() string { return fmt.Sprintf("V%d", uint8(r)) }

// Program checks all functions of a program, and the size of its types.
func Program(p *module.Program, diags *diag.List) {
	layout.Limits(p, layout.New(), diags)
	c := &checker{types: &p.Types, diags: diags, functions: map[*module.Function]*module.Type{}, circular: circular(p)}
	for _, m := range p.Modules {
		c.spelled = map[*module.Type]string{}
		for _, f := range m.Functions {
			c.f = f
			c.function()
		}
	}
}

// A checker checks one function after the other.
type checker struct {
	types *module.Types
	diags *diag.List
	f     *module.Function
	block *module.Block // where faults are; nil outside blocks
	in    *module.Instr // the instruction that is at fault; nil outside

	circular map[*module.Function]bool // functions that stand for themselves

	// Caches, because each instruction may need types of any size.
	functions map[*module.Function]*module.Type
	spelled   map[*module.Type]string // by the module of f
}

// at sets the place of the faults that follow.
func (c *checker) at(b *module.Block, in *module.Instr) { c.block, c.in = b, in }

// fault reports a broken rule.
func (c *checker) fault(r Rule, pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	where := "function " + module.Quote(c.f.Name)
	if c.block != nil {
		where += ", block " + c.block.Label()
	}
	if c.in != nil {
		where += ", " + c.in.Op.String()
	}
	args = append(append([]any{where}, args...), r.String())
	return c.diags.Errorf(pos, "%s: "+format+" (%s)", args...)
}

// spell spells a type for messages, shortened, as the function's module does.
func (c *checker) spell(t *module.Type) string {
	s, ok := c.spelled[t]
	if !ok {
		s = diag.Short(t.Spell(c.f.Module))
		c.spelled[t] = s
	}
	return s
}

// pointer is the type of pointers to a function.
func (c *checker) pointer(f *module.Function) *module.Type {
	t := c.functions[f]
	if t == nil {
		t = f.Type(c.types)
		c.functions[f] = t
	}
	return t
}

// name spells a function.
func (c *checker) name(f *module.Function) string { return f.Spell(c.f.Module) }

// reg spells a register.
func reg(r *module.Register) string { return module.Quote(r.Name) }

// count is a number of things, with the plural of regular nouns.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// each calls f for each instruction, with the place of faults set to it.
func (c *checker) each(f func(b *module.Block, i int, in *module.Instr)) {
	for _, b := range c.f.Blocks {
		for i, in := range b.Instrs {
			c.at(b, in)
			f(b, i, in)
		}
	}
	c.at(nil, nil)
}

// function applies all rules to the function.
func (c *checker) function() {
	if !c.belongs() {
		return // nothing can be found by its number
	}
	c.entry()
	c.terminators()
	c.body()
	c.returns()
	c.pops()
	c.calls()
	c.each(func(_ *module.Block, _ int, in *module.Instr) { c.typing(in) })
	g := newGraph(c.f)
	c.unwinding(g)
	if c.f.Has(module.SSA) {
		defs := c.definitions()
		c.uses(g, defs)
		c.phis(g, defs)
	} else {
		c.noPhi()
	}
}
