package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A definition gives a function a body.
type definition struct {
	name   string
	params []string
	body   ast.Expr
}

// formula is the name of the function that a formula becomes. No function can be called by it.
const formula = "-formula"

// symbol is the name of a function for the engine. Functions of one name with different numbers of parameters
// are different functions.
func symbol(name string, params int) string { return fmt.Sprintf("@%s.%d", name, params) }

// parse reads a line, f(x, y) = FORMULA or FORMULA, whose parts are expressions of Go; nil if it is empty.
func parse(text string) (*definition, error) {
	text, _, _ = strings.Cut(text, "//")
	head, body, isDefinition := strings.Cut(text, " = ")
	if !isDefinition {
		body = text
	}
	if strings.TrimSpace(body) == "" {
		return nil, nil
	}
	e, err := parser.ParseExpr(body)
	if err != nil || !isDefinition {
		return &definition{name: formula, body: e}, err
	}
	h, err := parser.ParseExpr(head)
	call, ok := h.(*ast.CallExpr)
	if err != nil || !ok {
		return nil, fmt.Errorf("want f(x, y) = FORMULA")
	}
	d := &definition{body: e}
	for i, x := range append([]ast.Expr{call.Fun}, call.Args...) {
		id, ok := x.(*ast.Ident)
		switch {
		case !ok:
			return nil, fmt.Errorf("want a name in front of =")
		case i == 0:
			d.name = id.Name
		default:
			d.params = append(d.params, id.Name)
		}
	}
	return d, nil
}

// compile makes a program from a definition. The functions that it calls are declared without bodies: the engine finds them
// among the functions loaded before, or waits for their definitions.
func compile(d *definition, version string) (p *ir.Program, err error) {
	c := &compiler{b: ir.NewBuilder(nil), params: map[string]ir.ValueID{}, funcs: map[string]*ir.Function{}}
	c.int = c.b.Types.Int(64)
	defer func() {
		if e, ok := recover().(fault); ok {
			err = e
		}
	}()
	c.f = c.b.Body(c.function(d.name, len(d.params)), version)
	for i, name := range d.params {
		c.params[name] = c.f.Param(c.f.Current(), i)
	}
	c.f.Ret(c.value(d.body))
	return c.b.Finish()
}

// fault is an error in a formula. The compiler panics with it.
type fault struct{ error }

// compiler makes the body of a function. All values are integers of 64 bits.
type compiler struct {
	b      *ir.Builder
	f      *ir.BodyBuilder
	int    ir.TypeID
	params map[string]ir.ValueID
	funcs  map[string]*ir.Function // functions that are called or defined, by symbol
	blocks int
}

// function declares a function, unless it is already declared.
func (c *compiler) function(name string, params int) *ir.Function {
	sym := symbol(name, params)
	if f := c.funcs[sym]; f != nil {
		return f
	}
	types := make([]ir.TypeID, params)
	for i := range types {
		types[i] = c.int
	}
	c.funcs[sym] = c.b.Func(sym, c.b.Types.Sig(types, []ir.TypeID{c.int}))
	return c.funcs[sym]
}

var arithmetic = map[token.Token]ir.Op{token.ADD: ir.OpAdd, token.SUB: ir.OpSub, token.MUL: ir.OpMul, token.QUO: ir.OpSDiv, token.REM: ir.OpSRem}

var comparisons = map[token.Token]ir.Op{token.EQL: ir.OpEQ, token.NEQ: ir.OpNE, token.LSS: ir.OpSLT, token.LEQ: ir.OpSLE, token.GTR: ir.OpSGT,
	token.GEQ: ir.OpSGE}

// value makes the instructions that compute an expression.
func (c *compiler) value(e ast.Expr) ir.ValueID {
	switch e := e.(type) {
	case *ast.BasicLit:
		if n, err := strconv.ParseInt(e.Value, 0, 64); err == nil {
			return c.f.Int(c.int, n)
		}
		panic(fault{fmt.Errorf("%s is not a whole number", e.Value)})
	case *ast.Ident:
		if v, ok := c.params[e.Name]; ok {
			return v
		}
		panic(fault{fmt.Errorf("unknown name %s", e.Name)})
	case *ast.ParenExpr:
		return c.value(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.SUB {
			return c.f.Bin(ir.OpSub, c.f.Int(c.int, 0), c.value(e.X))
		}
	case *ast.BinaryExpr:
		if op, ok := arithmetic[e.Op]; ok {
			return c.f.Bin(op, c.value(e.X), c.value(e.Y))
		}
		if op, ok := comparisons[e.Op]; ok {
			return c.f.Conv(ir.OpZExt, c.f.Cmp(op, c.value(e.X), c.value(e.Y)), c.int)
		}
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.Ident); ok {
			return c.call(f.Name, e.Args)
		}
	}
	panic(fault{fmt.Errorf("this is no formula")})
}

// call makes a call, or of when(C, A, B) a choice: only one of A and B is computed.
func (c *compiler) call(name string, args []ast.Expr) ir.ValueID {
	if name == "when" && len(args) == 3 {
		return c.choice(args[0], args[1], args[2])
	}
	var vals []ir.ValueID
	for _, a := range args {
		vals = append(vals, c.value(a))
	}
	return c.f.Call(c.f.FuncRef(c.function(name, len(args))), vals...)[0]
}

func (c *compiler) choice(cond, yes, no ast.Expr) ir.ValueID {
	block := func(params ...ir.TypeID) ir.BlockID {
		c.blocks++
		return c.f.Block(fmt.Sprintf("%%b%d", c.blocks), params...)
	}
	ifYes, ifNo, after := block(), block(), block(c.int)
	c.f.Branch2(c.f.Cmp(ir.OpNE, c.value(cond), c.f.Int(c.int, 0)), ir.Dest{Block: ifYes}, ir.Dest{Block: ifNo})
	c.f.At(ifYes)
	c.f.Branch(after, c.value(yes))
	c.f.At(ifNo)
	c.f.Branch(after, c.value(no))
	c.f.At(after)
	return c.f.Param(after, 0)
}
