package check

import (
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// A body reads the statements of a function.
type body struct {
	*checker
	g      *global
	fn     *Func
	sc     *scope
	block  *Block
	text   map[*Block]*syntax.Block
	phis   []pendingPhi
	failed bool // a terminator has an error: the edges are not all known
}

// A pendingPhi is a phi whose values are read when all names are known.
type pendingPhi struct {
	phi   *Phi
	block *Block
	text  *syntax.Phi
}

// signature checks that values of the parameters and the result of a function can be in memory; function
// has checked that the types need no phantom value.
func (c *checker) signature(g *global) {
	params, result := c.symbols(g, &scope{module: g.module})
	for i, p := range params[g.Fn.Phantoms:] {
		c.laidOut(g.Fn.Params[g.Fn.Phantoms+i].Type.Pos, p.Type)
	}
	c.laidOut(g.Fn.Result.Pos, result)
}

// symbols makes symbols for the parameters of a function, and its result type with them.
func (c *checker) symbols(g *global, sc *scope) ([]*term.Symbol, term.ID) {
	var params []*term.Symbol
	var ids []term.ID
	for i, p := range g.Fn.Params {
		s := c.param(sc, p.Name, c.ParamType(g.out.Type, i, ids), i, i < g.Fn.Phantoms)
		params, ids = append(params, s), append(ids, s.ID)
	}
	return params, c.ParamType(g.out.Type, len(ids), ids)
}

// body reads the body of a function.
func (c *checker) body(g *global) {
	b := &body{checker: c, g: g, text: map[*Block]*syntax.Block{}}
	b.sc = &scope{module: g.module, labels: map[string]*Block{}}
	b.fn = &Func{Global: g.out, Form: c.FormOf(g.out.Type)}
	b.fn.Params, b.fn.Result = c.symbols(g, b.sc)
	g.out.Func = b.fn
	b.enter()
	for _, k := range b.fn.Blocks {
		b.block = k
		b.statements(b.text[k])
	}
	for _, p := range b.phis {
		b.edges(p)
	}
	if !b.failed {
		c.settle()
		b.flow()
	}
}

// enter enters the blocks and their declared dominators.
func (b *body) enter() {
	for i, t := range b.g.Body.Blocks {
		k := &Block{Name: t.Name.Text, Pos: t.Pos, Index: i, landing: t.Landing}
		if i == 0 {
			k.Pos = b.g.Name.Pos
		}
		b.fn.Blocks = append(b.fn.Blocks, k)
		b.text[k] = t
		if i == 0 {
			continue
		}
		b.name(b.sc, t.Name, 0)
		k.declared = b.fn.Blocks[0]
		if t.Dom.Text != "" {
			if k.declared = b.sc.labels[t.Dom.Text]; k.declared == nil {
				b.errorf(t.Dom.Pos, "%s is no block in front of this one", t.Dom.Text)
				b.failed = true
			}
		}
		if b.sc.labels[k.Name] == nil {
			b.sc.labels[k.Name] = k
		}
	}
}

// statements reads the statements of a block.
func (b *body) statements(t *syntax.Block) {
	if b.block.Index == 0 && len(t.Stmts) == 0 && len(b.fn.Blocks) > 1 {
		b.block.Insts = append(b.block.Insts, &Inst{Op: op.Br, Pos: b.block.Pos, Blocks: b.fn.Blocks[1:2], To: []diag.Pos{b.block.Pos}})
		return
	}
	for _, s := range t.Stmts {
		id := b.statement(s)
		if s.Name.Text != "" {
			b.name(b.sc, s.Name, id)
		}
	}
	if n := len(b.block.Insts); !b.failed && (n == 0 || !b.block.Insts[n-1].Op.Ends()) {
		what := "block " + b.block.Name
		if b.block.Name == "" {
			what = "the entry block of " + b.g.Name.Text
		}
		b.errorf(b.block.Pos, "%s does not end with return, br, cond_br or unreachable", what)
		b.failed = true
	}
}

// statement reads a statement and returns the term that its name means.
func (b *body) statement(s *syntax.Stmt) term.ID {
	name := s.Name.Text
	if s.Phi != nil {
		t := b.expr(s.Phi.Type, b.sc)
		if t != 0 && !b.IsType(t) {
			b.errorf(s.Phi.Type.Pos, "wanted a type, got %s", b.describe(t))
			t = 0
		}
		if b.ended(s.Pos, "phi") || t == 0 {
			return 0
		}
		p := &Phi{Pos: s.Pos, Sym: b.Symbol(term.Symbol{Kind: term.Phi, Name: name, Pos: s.Pos, Type: t, Data: b.block})}
		b.block.Phis = append(b.block.Phis, p)
		b.phis = append(b.phis, pendingPhi{p, b.block, s.Phi})
		return p.Sym.ID
	}
	o, isInst := op.Op(0), false
	if s.Value.Kind == syntax.Apply {
		o, isInst = op.Find(s.Value.Text)
		isInst = isInst && o.IsInst()
	}
	if !isInst {
		return b.expr(s.Value, b.sc)
	}
	in := b.inst(o, s)
	if o.Ends() && in == nil {
		b.failed = true
	}
	if in == nil || b.ended(s.Pos, o.String()) {
		return 0
	}
	b.block.Insts = append(b.block.Insts, in)
	if in.Sym == nil {
		return b.Symbol(term.Symbol{Kind: term.Failed, Name: name, Data: o}).ID
	}
	return in.Sym.ID
}

// ended reports an instruction after the end of a block.
func (b *body) ended(pos diag.Pos, what string) bool {
	n := len(b.block.Insts)
	if n == 0 || !b.block.Insts[n-1].Op.Ends() {
		return false
	}
	b.errorf(pos, "%s after %s, which ends the block", what, b.block.Insts[n-1].Op)
	return true
}

// label returns the block that an operand of a jump names.
func (b *body) label(e *syntax.Expr) *Block {
	k := b.sc.labels[e.Text]
	switch {
	case e.Kind != syntax.Use:
		b.errorf(e.Pos, "wanted the name of a block, got an expression: jumps cannot be computed")
	case k == nil:
		if _, ok := b.sc.names[e.Text]; ok {
			b.errorf(e.Pos, "%s is no block", e.Text)
			return nil
		}
		msg := lex.Message("%s is no block of %s", e.Text, b.g.Name.Text)
		if near := lex.Nearest(e.Text, func(each func(string)) {
			for l := range b.sc.labels {
				each(l)
			}
		}); near != "" {
			msg += "; did you mean " + near + "?"
		}
		b.errorf(e.Pos, "%s", msg)
	case k.landing:
		b.errorf(e.Pos, "%s is a landing pad, which no jump may lead to", e.Text)
	default:
		return k
	}
	return nil
}

// inst makes an instruction; nil if it has an error.
func (b *body) inst(o op.Op, s *syntax.Stmt) *Inst {
	e := s.Value
	if _, ok := b.operation(e); !ok {
		return nil
	}
	in := &Inst{Op: o, Pos: s.Pos}
	values := e.Args
	if o == op.Br || o == op.CondBr {
		values = e.Args[:len(e.Args)/3] // one operand, or three of which the first is a value
		for _, a := range e.Args[len(values):] {
			k := b.label(a)
			if k == nil {
				b.failed = true
			}
			in.Blocks, in.To = append(in.Blocks, k), append(in.To, a.Pos)
		}
	}
	part := *e
	part.Args = values
	x, ok := b.operands(&part, o, b.sc)
	if !ok {
		return nil
	}
	for _, a := range values {
		in.At = append(in.At, a.Pos)
	}
	in.Args = x.args
	result, ok := instRules[o](b, x, in)
	if !ok {
		return nil
	}
	if o.HasResult() {
		in.Sym = b.Symbol(term.Symbol{Kind: term.Result, Name: s.Name.Text, Pos: s.Pos, Type: result, Data: b.block})
	}
	return in
}

// instRules check the operands of instructions and give the type of the result.
var instRules map[op.Op]func(b *body, x *operation, in *Inst) (term.ID, bool)

func init() {
	instRules = map[op.Op]func(b *body, x *operation, in *Inst) (term.ID, bool){
		op.Alloca: func(b *body, x *operation, in *Inst) (term.ID, bool) {
			x.isType(0)
			for i := 1; i < len(x.args); i++ {
				if in.Args[i] = x.usize(i); in.Args[i] == 0 {
					return 0, false
				}
			}
			if !b.aligned(x, 2) {
				return 0, false
			}
			x.afterwards(func() { x.laidOut(x.pos(0), x.args[0]) })
			return x.Pointer(x.args[0], 0), true
		},
		op.AllocaConst: func(_ *body, x *operation, _ *Inst) (term.ID, bool) {
			t := x.typeOf(0)
			return x.Pointer(t, 0), t != 0
		},
		op.Load: func(_ *body, x *operation, _ *Inst) (term.ID, bool) {
			t, ok := x.access(0)
			return t, ok
		},
		op.Store: func(_ *body, x *operation, _ *Inst) (term.ID, bool) {
			t, ok := x.access(1)
			if v := x.typeOf(0); !ok || v == 0 {
				return 0, false
			} else if !x.Assignable(t, v) {
				x.mismatch(x.pos(0), "store", t, v)
				return 0, false
			}
			return 0, x.writable(1)
		},
		op.Call: call,
		op.Memcpy: func(b *body, x *operation, in *Inst) (term.ID, bool) {
			d, ok1 := x.access(0)
			s, ok2 := x.access(1)
			if !ok1 || !ok2 {
				return 0, false
			}
			if d != s {
				x.bad(1, "wants a pointer to %s, as the first operand is, got one to %s", x.String(d), x.String(s))
				return 0, false
			}
			in.Args[2] = x.usize(2)
			return 0, in.Args[2] != 0 && x.writable(0) && b.aligned(x, 3)
		},
		op.Memzero: func(b *body, x *operation, in *Inst) (term.ID, bool) {
			_, ok := x.access(0)
			if !ok {
				return 0, false
			}
			in.Args[1] = x.usize(1)
			return 0, in.Args[1] != 0 && x.writable(0) && b.aligned(x, 2)
		},
		op.Freea: func(b *body, x *operation, _ *Inst) (term.ID, bool) {
			s := x.Sym(x.args[0])
			if s == nil || s.Kind != term.Result || !b.allocates(s) {
				x.wants(0, "the result of alloca or alloca_const")
				return 0, false
			}
			return 0, true
		},
		op.Eval: func(_ *body, x *operation, _ *Inst) (term.ID, bool) { return 0, x.typeOf(0) != 0 },
		op.Solidify: func(_ *body, x *operation, _ *Inst) (term.ID, bool) {
			t := x.typeOf(0)
			if x.Op(t) != op.Constant {
				if t != 0 {
					x.wants(0, "a value of a type constant")
				}
				return 0, false
			}
			return 0, true
		},
		op.Return: func(b *body, x *operation, _ *Inst) (term.ID, bool) {
			t := x.typeOf(0)
			if t == 0 || b.fn.Result == 0 {
				return 0, false
			}
			if !x.Assignable(b.fn.Result, t) {
				x.mismatch(x.pos(0), "return from "+b.g.Name.Text, b.fn.Result, t)
			}
			return 0, true
		},
		op.Br: func(_ *body, _ *operation, _ *Inst) (term.ID, bool) { return 0, true },
		op.CondBr: func(_ *body, x *operation, _ *Inst) (term.ID, bool) {
			t := x.typeOf(0)
			if t != x.Prim(op.Bool) && t != 0 {
				x.wants(0, "a bool")
			}
			return 0, true
		},
		op.Unreachable: func(_ *body, _ *operation, _ *Inst) (term.ID, bool) { return 0, true },
	}
}

// aligned checks that operand i, if it exists, can be an alignment.
func (b *body) aligned(x *operation, i int) bool {
	if i >= len(x.args) {
		return true
	}
	n, ok := b.LitOf(x.usize(i))
	if ok && n.Lo&(n.Lo-1) != 0 {
		x.bad(i, "wants a power of two as alignment, got %s", n)
		return false
	}
	return x.usize(i) != 0
}

// allocates reports whether a symbol is the result of an allocation.
func (b *body) allocates(s *term.Symbol) bool {
	for _, in := range s.Data.(*Block).Insts {
		if in.Sym == s {
			return in.Op == op.Alloca || in.Op == op.AllocaConst
		}
	}
	return false
}

// access returns the type that an operand, which must be a pointer, points to.
func (x *operation) access(i int) (term.ID, bool) {
	if !x.isPointer(i) {
		return 0, false
	}
	t, _, _ := x.Target(x.TypeOf(x.args[i]))
	return t, x.laidOut(x.pos(i), t)
}

// writable reports an operand that is an address in a constant.
func (x *operation) writable(i int) bool {
	for p := x.args[i]; ; p = x.Arg(p, 0) {
		switch x.Op(p) {
		case op.Gep, op.PointerCast, op.PointerOffset, op.OuterPtr,
			op.MemberApply, op.MemberApplyPtr, op.MemberPtrCombine, op.MemberInner, op.MemberOuter, op.Unapply, op.Unbase:
			continue
		case op.Symbol:
			if s := x.Sym(p); s.Kind == term.Variable {
				if g := s.Data.(*Global); g.Syntax.Const {
					x.bad(i, "writes to %s, which is constant", g.Name)
					return false
				}
			}
		}
		return true
	}
}

// call checks the arguments of a call.
func call(_ *body, x *operation, _ *Inst) (term.ID, bool) {
	f, ok := x.callee()
	if !ok {
		return 0, false
	}
	args := x.args[1:]
	if n := x.NumParams(f); n != len(args) {
		x.errorf(x.e.Pos, "call of %s wants %d arguments, got %d: its type is %s", x.String(x.args[0]), n, len(args), x.String(f))
		return 0, false
	}
	form := x.FormOf(f)
	for i := range args {
		want := x.ParamType(f, i, args)
		have := x.typeOf(i + 1)
		if want == 0 || have == 0 {
			return 0, false
		}
		if !x.Assignable(want, have) {
			x.mismatch(x.pos(i+1), "parameter "+x.paramName(f, i)+" of "+x.String(x.args[0]), want, have)
			ok = false
		} else if form.ByVal(i) {
			copied, _, _ := x.Target(want)
			ok = x.laidOut(x.pos(i+1), copied) && ok
		}
	}
	if !ok {
		return 0, false
	}
	return x.ParamType(f, len(args), args), true
}

// edges reads the values of a phi.
func (b *body) edges(p pendingPhi) {
	for _, e := range p.text.Edges {
		from := b.fn.Blocks[0]
		if e.From.Text != "" {
			if from = b.sc.labels[e.From.Text]; from == nil {
				b.errorf(e.Pos, "%s is no block of %s", e.From.Text, b.g.Name.Text)
				b.failed = true
			}
		}
		v := b.expr(e.Value, b.sc)
		if v != 0 && b.value(e.Value, v) {
			b.assignable(e.Value.Pos, "phi", p.phi.Sym.Type, v)
		}
		p.phi.Edges = append(p.phi.Edges, Edge{from, v, e.Pos, e.Value.Pos})
	}
}
