package check

import (
	"math/big"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// A Call is a call of a function by its name (docs/tvm.md, "Programs"), with or
// without the percent sign.
type Call struct {
	Name string
	Args []CallArg // without those for phantom parameters
}

// A CallArg is an argument: an expression, or the address of new memory with these bytes.
type CallArg struct {
	Value *syntax.Expr // nil for memory
	Bytes []byte
}

// memoryAlign is a type with the alignment of new memory.
const memoryAlign = op.I128

// maxPrinted is the largest result that is printed.
const maxPrinted = 1 << 20

// call adds a function without parameters that makes a call. Its result is a struct with the
// result of the call, and then the bytes of each new memory.
func (c *checker) call(call *Call) {
	name := "%" + strings.TrimLeft(call.Name, "%@")
	var g *global
	for _, m := range c.modules {
		if d := m.names[name]; d != nil && d.Kind == syntax.Function && d.Body != nil {
			g = d
		}
	}
	if g == nil || g.term == 0 {
		c.errorf(diag.Pos{}, "call: no function %s", name)
		return
	}
	f := c.Sym(g.term).Data.(*Global).Type
	phantoms := c.FormOf(f).Phantoms
	if n := c.NumParams(f) - phantoms; n != len(call.Args) {
		c.errorf(diag.Pos{}, "call: %s wants %d arguments, got %d: its type is %s", name, n, len(call.Args), c.String(f))
		return
	}
	block := &Block{Pos: g.Name.Pos}
	in := &Inst{Op: op.Call, Pos: g.Name.Pos}
	var ids, loads, types []term.ID
	for i := range phantoms {
		ids = append(ids, c.Symbol(term.Symbol{Kind: term.Param, Type: c.ParamType(f, i, ids), Phantom: true}).ID)
	}
	for i, a := range call.Args {
		want := c.ParamType(f, len(ids), ids)
		id := term.ID(0)
		if a.Value != nil && c.Op(want) == op.Constant {
			id = c.known(g, i, a.Value, want, ids[:phantoms])
		} else if a.Value != nil {
			id = c.callValue(g, i, a.Value, want)
		} else if to, upref, ok := c.Target(want); ok {
			bytes := c.memory(g.module.index, a.Bytes)
			id = c.PointerCast(bytes, to, upref)
			t, _, _ := c.Target(c.TypeOf(bytes))
			loads = append(loads, bytes)
			types = append(types, t)
		} else {
			c.errorf(diag.Pos{}, "call: argument %d of %s: wanted type %s, got memory", i+1, name, c.String(want))
		}
		if id == 0 {
			return
		}
		ids = append(ids, id)
	}
	in.Args = append([]term.ID{g.term}, ids...)
	result := c.ParamType(f, len(ids), ids)
	switch l := c.Layout(result); {
	case l.Kind != term.Static:
		c.errorf(diag.Pos{}, "call: the result of %s has type %s, whose size is not known", name, c.String(result))
		return
	case l.Size.W8 > maxPrinted:
		c.errorf(diag.Pos{}, "call: the result of %s has type %s, of more than %d bytes", name, c.String(result), maxPrinted)
		return
	}
	c.step(block, in, result)
	results := []term.ID{in.Sym.ID}
	for i, p := range loads {
		results = append(results, c.step(block, &Inst{Op: op.Load, Args: []term.ID{p}}, types[i]).Sym.ID)
	}
	all := c.Mk(op.StructV, results...)
	c.step(block, &Inst{Op: op.Return, Args: []term.ID{all}}, 0)

	out := c.unwritten("%-call", term.Func, g.module.index, c.Function(term.Form{}, nil, c.TypeOf(all)))
	out.Func = &Func{Global: out, Result: c.TypeOf(all), Blocks: []*Block{block}}
	c.prog.Call = out
	(&body{checker: c, g: g, fn: out.Func}).flow()
}

// step adds an instruction to a block, with a result if t is not 0.
func (c *checker) step(k *Block, in *Inst, t term.ID) *Inst {
	in.Pos = k.Pos
	in.At = make([]diag.Pos, len(in.Args))
	for i := range in.At {
		in.At[i] = k.Pos
	}
	if t != 0 {
		in.Sym = c.Symbol(term.Symbol{Kind: term.Result, Pos: k.Pos, Type: t, Data: k})
	}
	k.Insts = append(k.Insts, in)
	return in
}

// known is the term of an argument whose type is constant. If the constant is a phantom parameter, the
// argument determines it.
func (c *checker) known(g *global, i int, e *syntax.Expr, want term.ID, phantoms []term.ID) term.ID {
	inner := c.Arg(want, 0)
	id := c.callValue(g, i, e, c.TypeOf(inner))
	if k := slices.Index(phantoms, inner); k >= 0 {
		phantoms[k], inner = id, id
	}
	if id != 0 && id != inner {
		c.errorf(diag.Pos{}, "call: argument %d of %s: wanted the value %s, got %s", i+1, g.Name.Text, c.String(inner), c.String(id))
		return 0
	}
	return c.Zero(c.Mk(op.Constant, id))
}

// callValue is the term of an argument; 0 after an error.
func (c *checker) callValue(g *global, i int, e *syntax.Expr, want term.ID) term.ID {
	id := c.expr(e, &scope{module: g.module})
	if id == 0 || !c.value(e, id) {
		return 0
	}
	if have := c.TypeOf(id); !c.Assignable(want, have) {
		c.errorf(diag.Pos{}, "call: argument %d of %s: wanted type %s, got %s", i+1, g.Name.Text, c.String(want), c.describe(id))
		return 0
	}
	return id
}

// memory is the address of a variable with some bytes, aligned enough for any type.
func (c *checker) memory(module int, bytes []byte) term.ID {
	list := []term.ID{c.Prim(op.UI8)}
	for _, b := range bytes {
		list = append(list, c.Lit(syntax.MakeInt(op.UI8, big.NewInt(int64(b)))))
	}
	v := c.Mk(op.StructV, c.Mk(op.ArrayV, c.Prim(memoryAlign)), c.Mk(op.ArrayV, list...))
	g := c.unwritten("%-mem", term.Variable, module, c.TypeOf(v))
	g.Init = v
	c.prog.Globals = append(c.prog.Globals, g)
	return c.Gep(g.Symbol.ID, c.Index(1))
}

// unwritten is a global that is not in any text.
func (c *checker) unwritten(name string, kind term.SymbolKind, module int, t term.ID) *Global {
	g := &Global{Name: name, Module: module, Syntax: &syntax.Global{}, Type: t}
	g.Symbol = c.Symbol(term.Symbol{Kind: kind, Name: name, Type: c.Pointer(t, 0), Data: g})
	return g
}
