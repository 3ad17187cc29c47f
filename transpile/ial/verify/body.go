package verify

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// belongs is V4: blocks and registers are those of the function. Programs that were
// assembled from text have no others.
func (c *checker) belongs() bool {
	ok := true
	block := func(b *module.Block, pos diag.Pos) {
		if b.Index < 0 || b.Index >= len(c.f.Blocks) || c.f.Blocks[b.Index] != b {
			c.fault(4, pos, "block %s is none of the function", b.Label())
			ok = false
		}
	}
	register := func(r *module.Register, pos diag.Pos) {
		if r.Index < 0 || r.Index >= len(c.f.Registers) || c.f.Registers[r.Index] != r {
			c.fault(4, pos, "register %s is none of the function", reg(r))
			ok = false
		}
	}
	for _, b := range c.f.Blocks {
		c.at(b, nil)
		block(b, b.Pos)
		if b.Unwind != nil {
			block(b.Unwind, b.Pos)
		}
	}
	c.each(func(_ *module.Block, _ int, in *module.Instr) {
		if in.Target != nil {
			register(in.Target, in.TargetPos)
		}
		for i, r := range in.Src {
			register(r, in.SrcPos[i])
		}
		for i, r := range in.Regs {
			register(r, in.OperandPos[i])
		}
		for i, b := range in.Blocks {
			block(b, in.OperandPos[i])
		}
	})
	return ok
}

// entry is V3: there is a block named entry.
func (c *checker) entry() {
	if c.f.Entry() == nil {
		c.fault(3, c.f.Pos, "no block is named entry")
	}
}

// terminators is V5: the last instruction of a block, and no other, ends it.
func (c *checker) terminators() {
	for _, b := range c.f.Blocks {
		last := len(b.Instrs) - 1
		for i, in := range b.Instrs {
			if i < last && in.Row().Terminator {
				c.at(b, in)
				c.fault(5, in.Pos, "it ends the block, but is not its last instruction")
			}
		}
		c.at(b, nil)
		switch {
		case last < 0:
			c.fault(5, b.End, "the block is empty, want an instruction that ends it")
		case !b.Instrs[last].Row().Terminator:
			c.fault(5, b.End, "the block ends with %s, which does not say where to go on; add a jump, leave, return or the like", b.Instrs[last].Op)
		}
	}
	c.at(nil, nil)
}

// foreign gives the rule about functions whose body is the operation op, 0 for operations of
// ordinary bodies.
func foreign(op module.Op) Rule {
	switch op {
	case module.FFI:
		return 6
	case module.Raw:
		return 7
	case module.Forward:
		return 8
	}
	return 0
}

// foreignBody is the instruction that is the whole body of the function, and its
// block; nil if the body is ordinary.
func (c *checker) foreignBody() (*module.Block, *module.Instr) {
	for _, b := range c.f.Blocks {
		for _, in := range b.Instrs {
			if foreign(in.Op) != 0 {
				return b, in
			}
		}
	}
	return nil, nil
}

// body is V6, V7 and V8: ffi, raw and forward are the only instruction of their function, which
// must be suitable for them.
func (c *checker) body() {
	b, in := c.foreignBody()
	if in == nil {
		return
	}
	r := foreign(in.Op)
	c.alone(r, b, in)
	c.at(b, in)
	switch {
	case in.Op == module.Forward && c.f.Conv != module.Standard:
		c.fault(r, in.Pos, "the function is %s, want standard calling convention", c.f.Conv)
	case in.Op != module.Forward && c.f.Conv == module.Standard:
		c.fault(r, in.Pos, "the function has standard calling convention, want cdecl or stdcall")
	}
	switch in.Op {
	case module.FFI:
		c.native(in)
	case module.Forward:
		c.forward(in)
	}
	c.at(nil, nil)
}

// alone reports the first thing in a function besides its foreign body.
func (c *checker) alone(r Rule, b *module.Block, in *module.Instr) {
	for _, other := range c.f.Blocks {
		if other != b {
			c.at(other, nil)
			c.fault(r, other.Pos, "%s must be all of a function", in.Op)
			return
		}
	}
	for _, other := range b.Instrs {
		if other != in {
			c.at(b, other)
			c.fault(r, other.Pos, "%s must be all of a function", in.Op)
			return
		}
	}
}

// native checks the conditions of V6 that V7 does not have.
func (c *checker) native(in *module.Instr) {
	if c.f.Has(module.Pure) {
		c.fault(6, in.Pos, "the function is pure, which no native function is known to be")
	}
	const no = "no native function has %s of type %s; use a pointer"
	if c.f.Result.Kind == module.Static {
		c.fault(6, c.f.Pos, no, "a result", c.spell(c.f.Result))
	}
	for i := range c.f.Params {
		if p := &c.f.Params[i]; p.Type.Kind == module.Static {
			c.fault(6, p.Pos, no, "a parameter", c.spell(p.Type))
		}
	}
}

// contract are the attributes that callers of a function rely on.
const contract = module.Pure | module.NoReturn | module.NoThrow

// forward checks the conditions of V8 for the function that another stands for: callers must
// not see a difference.
func (c *checker) forward(in *module.Instr) {
	to := c.f.Forward
	if to == nil {
		return // its module is not known; the program reports this when it runs
	}
	pos := in.OperandPos[len(in.OperandPos)-1]
	differs := func(what string) {
		c.fault(8, pos, "%s of %s differ: %s has %s", what, c.name(to), c.name(to), c.signature(to)).Also(to.Pos, "defined")
	}
	switch {
	case to.Result != c.f.Result, !sameTypes(to.Params, c.f.Params):
		differs("result or parameters")
	case to.Attrs&contract != c.f.Attrs&contract:
		c.fault(8, pos, "attributes of %s differ: pure, noreturn and nothrow must be the same", c.name(to)).Also(to.Pos, "defined")
	case !sameEscapes(to.Params, c.f.Params):
		c.fault(8, pos, "attributes of the parameters of %s differ: noescape must be the same", c.name(to)).Also(to.Pos, "defined")
	}
	if c.circular[c.f] {
		c.fault(8, pos, "the function stands for itself")
	}
}

// circular finds the functions that stand for themselves, directly or through others.
func circular(p *module.Program) map[*module.Function]bool {
	on := map[*module.Function]bool{}
	seen := map[*module.Function]*module.Function{} // with the start of the path that reached it
	for _, m := range p.Modules {
		for _, start := range m.Functions {
			f := start
			for f.Forward != nil && seen[f] == nil {
				seen[f] = start
				f = f.Forward
			}
			for seen[f] == start && !on[f] {
				on[f] = true
				f = f.Forward
			}
		}
	}
	return on
}

// signature spells result and parameters of a function.
func (c *checker) signature(f *module.Function) string { return c.spell(c.pointer(f)) }

func sameTypes(a, b []module.Param) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Type != b[i].Type {
			return false
		}
	}
	return true
}

func sameEscapes(a, b []module.Param) bool {
	for i := range a {
		if a[i].NoEscape != b[i].NoEscape {
			return false
		}
	}
	return true
}

// returns is V10 and V11: functions end as their result says.
func (c *checker) returns() {
	void := c.f.Result.Kind == module.Void
	c.each(func(_ *module.Block, _ int, in *module.Instr) {
		switch {
		case in.Op == module.Leave && !void:
			c.fault(10, in.Pos, "the function returns %s; use return", c.spell(c.f.Result))
		case in.Op == module.Return && void:
			c.fault(10, in.Pos, "the function returns nothing; use leave")
		case in.Op == module.Return && in.Src[0].Type != c.f.Result:
			c.fault(11, in.SrcPos[0], "%s is %s, want %s, the result of the function", reg(in.Src[0]), c.spell(in.Src[0].Type), c.spell(c.f.Result))
		}
	})
}

// pops is V21, V22 and V23: entry begins with one arg.pop for each parameter.
func (c *checker) pops() {
	if _, in := c.foreignBody(); in != nil {
		return
	}
	params := c.f.Params
	entry := c.f.Entry()
	n, run := 0, 0
	for entry != nil && run < len(entry.Instrs) && entry.Instrs[run].Op == module.ArgPop {
		run++
	}
	c.each(func(b *module.Block, i int, in *module.Instr) {
		if in.Op != module.ArgPop {
			return
		}
		n++
		switch {
		case b != entry || i >= run:
			c.fault(21, in.Pos, "want it at the start of block entry, before all else")
		case i >= len(params):
			if i == len(params) {
				c.fault(22, in.Pos, "the function has %s, this would fetch one more", count(len(params), "parameter"))
			}
		case in.Target.Type != params[i].Type:
			c.fault(23, in.TargetPos, "%s is %s, want %s, parameter %d", reg(in.Target), c.spell(in.Target.Type), c.spell(params[i].Type), i+1)
		}
	})
	if entry != nil && n < len(params) {
		c.at(entry, nil)
		c.fault(22, entry.Pos, "the function has %s, but there is arg.pop for %d", count(len(params), "parameter"), n)
		c.at(nil, nil)
	}
}
