package check

import (
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// A scope has the names of parameters, or all names in a function.
type scope struct {
	names  map[string]term.ID
	places map[string]diag.Pos
	outer  *scope
	module *module
	labels map[string]*Block // of the function
}

// param enters a parameter.
func (c *checker) param(sc *scope, name syntax.Name, t term.ID, index int, phantom bool) *term.Symbol {
	s := c.Symbol(term.Symbol{Kind: term.Param, Name: name.Text, Pos: name.Pos, Type: t, Index: index, Phantom: phantom})
	if t == 0 { // the error was reported; uses of the parameter are not
		c.name(sc, name, 0)
	} else {
		c.name(sc, name, s.ID)
	}
	return s
}

// broken reports whether a type is an instance of a schema whose body has an error that was reported.
func (c *checker) broken(t term.ID) bool {
	s := c.Schema(t)
	return s != nil && c.Op(t) == op.Apply && !s.Value && c.Body(t) == 0 && c.diags.Errors() > 0
}

// name enters a name of a scope.
func (c *checker) name(sc *scope, name syntax.Name, id term.ID) {
	if name.Text == "" {
		return
	}
	if sc.names == nil {
		sc.names = map[string]term.ID{}
	}
	if sc.places == nil {
		sc.places = map[string]diag.Pos{}
	}
	if old, ok := sc.places[name.Text]; ok {
		c.errorf(name.Pos, "%s redefined", name.Text).Before(old)
		return
	}
	sc.names[name.Text], sc.places[name.Text] = id, name.Pos
}

// lookup returns the term that a name means, 0 after an error.
func (c *checker) lookup(e *syntax.Expr, sc *scope) term.ID {
	for s := sc; s != nil; s = s.outer {
		if s.labels[e.Text] != nil {
			c.errorf(e.Pos, "%s is a block, not a value", e.Text)
			return 0
		}
		if id, ok := s.names[e.Text]; ok {
			if sym := c.Sym(id); sym != nil && sym.Kind == term.Failed {
				c.errorf(e.Pos, "%s names the instruction %s, which yields no value", e.Text, sym.Data)
				return 0
			}
			return id
		}
	}
	if g := c.find(sc.module, e.Text); g != nil {
		return c.resolve(g, e.Pos)
	}
	c.missing(e.Pos, e.Text, sc)
	return 0
}

// expr makes the term of an expression, 0 after an error.
func (c *checker) expr(e *syntax.Expr, sc *scope) term.ID {
	if e == nil {
		return 0
	}
	switch e.Kind {
	case syntax.Use:
		return c.lookup(e, sc)
	case syntax.Lit:
		return c.Lit(e.Int)
	case syntax.FnType:
		return c.function(e, sc)
	case syntax.Exists:
		inner := &scope{outer: sc, module: sc.module}
		for _, p := range e.Params {
			if p.Attrs != 0 {
				c.errorf(p.Pos, "parameters of exists have no attributes, got %s", p.Attrs)
			}
		}
		params := c.params(e.Params, inner, len(e.Params))
		return c.Exists(params, c.typ(e.Result, inner))
	}
	o, ok := c.operation(e)
	if !ok {
		return 0
	}
	if o.IsInst() {
		c.errorf(e.Pos, "%s is an instruction, not a functional operation: it must be a statement of its own", o)
		return 0
	}
	x, ok := c.operands(e, o, sc)
	if !ok {
		return 0
	}
	return rules[o](x)
}

// operation finds the operation of an expression and checks the number of operands.
func (c *checker) operation(e *syntax.Expr) (op.Op, bool) {
	o, ok := op.Find(e.Text)
	if !ok {
		msg := lex.Message("%s is no operation", e.Text)
		if near := lex.Nearest(e.Text, op.Words); near != "" {
			msg += "; did you mean " + near + "?"
		}
		c.errorf(e.Pos, "%s", msg)
		return 0, false
	}
	row := op.Table[o]
	if n := len(e.Args); n < row.Min || n > row.Max {
		usage := row.Name
		if row.Usage != "" {
			usage += " " + row.Usage
		}
		c.errorf(e.Pos, "%s wants %s, got %d: %s", row.Name, count(row.Min, row.Max), n, usage)
		return 0, false
	}
	return o, true
}

// count spells how many operands there may be.
func count(low, high int) string {
	switch {
	case high == op.Many:
		return lex.Message("at least %d operands", low)
	case low != high:
		return lex.Message("%d to %d operands", low, high)
	case low == 1:
		return "1 operand"
	case low == 0:
		return "no operands"
	}
	return lex.Message("%d operands", low)
}

// An operation is an operation with its operands, as its rule sees it.
type operation struct {
	*checker
	o    op.Op
	e    *syntax.Expr
	args []term.ID
}

// operands makes the operands of an operation; false if one has an error.
func (c *checker) operands(e *syntax.Expr, o op.Op, sc *scope) (*operation, bool) {
	x := &operation{checker: c, o: o, e: e, args: make([]term.ID, len(e.Args))}
	ok := true
	for i, a := range e.Args {
		x.args[i] = c.expr(a, sc)
		ok = ok && x.args[i] != 0
	}
	return x, ok
}

// typ makes the term of an expression that must be a type. That is checked when all
// globals are known.
func (c *checker) typ(e *syntax.Expr, sc *scope) term.ID {
	id := c.expr(e, sc)
	c.mustBeType(e, id)
	return id
}

func (c *checker) mustBeType(e *syntax.Expr, id term.ID) {
	if id == 0 || op.Table[c.Op(id)].Class == op.Type && c.Op(id) != op.Apply {
		return
	}
	c.putOff(func() {
		if !c.IsType(id) {
			c.errorf(e.Pos, "wanted a type, got %s", c.describe(id))
		}
	})
}

// describe names a term for messages, with its type.
func (c *checker) describe(id term.ID) string {
	if s := c.Sym(id); s != nil && s.Kind == term.SchemaOf {
		what := "type"
		if s.Schema.Value {
			what = "value"
		}
		return s.Name + ", which is a schema: apply makes a " + what + " of it"
	}
	if c.IsType(id) && c.TypeOf(id) != 0 {
		return "the type " + c.String(id)
	}
	t := c.TypeOf(id)
	if t == 0 {
		return c.String(id)
	}
	return c.String(id) + " of type " + c.String(t)
}

// value reports terms that are not values: type, upref_type and schemas have no type.
func (c *checker) value(e *syntax.Expr, id term.ID) bool {
	if id == 0 {
		return false
	}
	if c.TypeOf(id) == 0 {
		c.errorf(e.Pos, "wanted a value, got %s", c.describe(id))
		return false
	}
	return true
}

// mismatch reports a term of a wrong type.
func (c *checker) mismatch(pos diag.Pos, what string, want, have term.ID) {
	if want == 0 || have == 0 || c.broken(want) || c.broken(have) {
		return
	}
	c.errorf(pos, "%s: wanted type %s, got %s", what, c.String(want), c.String(have))
}

// assignable checks that a value may be used where a type is expected.
func (c *checker) assignable(pos diag.Pos, what string, want, v term.ID) bool {
	have := c.TypeOf(v)
	if want == 0 || have == 0 || c.Assignable(want, have) {
		return want != 0 && have != 0
	}
	c.mismatch(pos, what, want, have)
	return false
}

// params makes symbols of parameters in a new scope; the first ones are phantom.
func (c *checker) params(list []*syntax.Param, sc *scope, phantoms int) []*term.Symbol {
	var out []*term.Symbol
	for i, p := range list {
		t := c.typ(p.Type, sc)
		out = append(out, c.param(sc, p.Name, t, i, i < phantoms))
	}
	return out
}

// dependsOn returns a function for types: it returns a term in the type that cannot be computed because of
// these phantom parameters, or 0. Phantom parameters of others do not count: the type may be used where
// they are known.
func (c *checker) dependsOn(phantoms []*term.Symbol) func(t term.ID) term.ID {
	own := map[term.ID]bool{}
	for _, p := range phantoms {
		own[p.ID] = true
	}
	env := &solidity{c: c}
	return func(t term.ID) term.ID {
		for len(own) > 0 && !env.solid(t) {
			switch {
			case c.Mentions(env.bad, own):
				return env.bad
			case env.known.has(env.bad) || env.unsized():
				return 0
			}
			env.known.add(env.bad)
		}
		return 0
	}
}

// function makes a function type.
func (c *checker) function(e *syntax.Expr, sc *scope) term.ID {
	inner := &scope{outer: sc, module: sc.module}
	form := term.Form{Phantoms: e.Phantoms, Conv: e.Conv, SRet: e.SRet}
	for i, p := range e.Params {
		form.Attrs = append(form.Attrs, p.Attrs)
		if p.Attrs != 0 && i < e.Phantoms {
			c.errorf(p.Pos, "phantom parameters have no attributes")
		}
	}
	form.Attrs = append(form.Attrs, e.ResultAttrs)
	params := c.params(e.Params, inner, e.Phantoms)
	result := c.typ(e.Result, inner)
	for _, p := range params {
		if p.Type == 0 {
			return 0
		}
	}
	id := c.Function(form, params, result)
	c.putOff(func() {
		phantom := c.dependsOn(params[:e.Phantoms])
		for i, p := range params[e.Phantoms:] {
			if own := phantom(p.Type); own != 0 {
				c.errorf(e.Params[e.Phantoms+i].Type.Pos, "parameter %s has type %s, of which a phantom value must be known at run time: %s", c.paramName(id, e.Phantoms+i), c.String(p.Type), c.String(own))
			}
		}
		if own := phantom(result); own != 0 {
			c.errorf(e.Result.Pos, "the result has type %s, of which a phantom value must be known at run time: %s", c.String(result), c.String(own))
		}
		for i, p := range e.Params {
			t := params[i].Type
			if _, _, pointer := c.Target(t); p.Attrs&syntax.ByVal != 0 && !pointer && t != 0 {
				c.errorf(p.Pos, "llvm_byval wants a pointer, got a parameter of type %s", c.String(t))
			}
		}
		if !e.SRet {
			return
		}
		last := len(params) - 1
		_, _, pointer := c.Target(0)
		if last >= e.Phantoms {
			_, _, pointer = c.Target(params[last].Type)
		}
		if c.Op(result) != op.Empty || !pointer {
			c.errorf(e.Pos, "sret wants the result type empty and a pointer as the last parameter")
		}
	})
	return id
}
