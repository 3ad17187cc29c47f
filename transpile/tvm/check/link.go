package check

import (
	"slices"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/internal/lexis/symbol"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// A global is an entry of the names of a module.
type global struct {
	*syntax.Global
	c      *checker
	module *module
	state  state
	term   term.ID  // what the name means
	out    *Global  // of variables and functions
	def    *global  // of an import: the definition in another module
	old    *earlier // if its module was loaded before
	schema *term.Schema
	body   term.ID
	value  term.ID // the type of a recursive value
}

type state uint8

const (
	fresh state = iota
	working
	done
)

// A module is the globals of one file.
type module struct {
	index  int // negative if it was loaded before
	names  map[string]*global
	old    *earlierModule // if it was loaded before; names has only what was asked for
	text   string
	tokens []syntax.Token // of the text, nil until they are asked for
}

// A deferred is a postponed check, and the global for which it is made.
type deferred struct {
	check func()
	of    []*global
}

type checker struct {
	*term.Graph
	diags   *diag.List
	modules []*module
	earlier *Earlier
	old     map[*earlierModule]*module
	shared  bool // no module has a linkage word
	globals []*global
	prog    *Program
	later   []deferred
	over    bool // the limit of terms was reported
	busy    []*global
	twins   map[pair]bool // pairs that mean the same
}

// limits of the number of terms: a constant, and a number for each byte of text.
const (
	termsAtLeast = 100_000
	termsPerByte = 16
)

// Check checks modules, and a call unless it is nil. Errors are added to diags; the program may be
// used only if there are none.
func Check(list []*syntax.Module, call *Call, diags *diag.List) *Program {
	return After(&Earlier{}, list, call, diags)
}

// After is Check for modules that a running program loads after others.
func After(earlier *Earlier, list []*syntax.Module, call *Call, diags *diag.List) *Program {
	c := &checker{Graph: term.New(), diags: diags, earlier: earlier, old: map[*earlierModule]*module{}, shared: !hasWords(list), twins: map[pair]bool{}}
	c.prog = &Program{Graph: c.Graph}
	c.Limit = termsAtLeast
	for _, m := range list {
		c.Limit += termsPerByte * len(m.Text.Src)
		c.enter(m)
	}
	for _, g := range c.globals {
		c.resolve(g, g.Name.Pos)
	}
	c.settle()
	for _, g := range c.globals {
		c.finish(g)
		c.settle()
	}
	if call != nil && diags.Errors() == 0 {
		c.call(call)
		c.settle()
	}
	return c.prog
}

// settle makes the postponed checks.
func (c *checker) settle() {
	for len(c.later) > 0 {
		d := c.later[0]
		c.later = c.later[1:]
		busy := c.busy
		c.busy = d.of
		d.check()
		c.busy = busy
	}
}

// putOff postpones a check.
func (c *checker) putOff(check func()) {
	c.later = append(c.later, deferred{check, slices.Clone(c.busy)})
}

// errorf reports an error, unless it is a consequence of the limit of terms.
func (c *checker) errorf(pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	if c.Full {
		if c.over {
			return &diag.Diagnostic{}
		}
		c.over = true
		what := "a definition"
		if len(c.busy) > 0 {
			what = c.busy[len(c.busy)-1].Name.Text
		}
		return c.diags.Errorf(pos, "%s: types grow without end, or are too large to be computed: more than %d terms", what, c.Limit)
	}
	return c.diags.Errorf(pos, format, args...)
}

// enter enters the globals of a file.
func (c *checker) enter(m *syntax.Module) {
	mod := &module{index: len(c.modules), names: map[string]*global{}, text: m.Text.Src}
	c.modules = append(c.modules, mod)
	for _, s := range m.Globals {
		g := &global{Global: s, c: c, module: mod}
		if old := mod.names[s.Name.Text]; old != nil {
			c.errorf(s.Name.Pos, "%s redefined", s.Name.Text).Before(old.Name.Pos)
			continue
		}
		mod.names[s.Name.Text] = g
		c.globals = append(c.globals, g)
	}
}

// visible reports whether a global is a definition that other modules may see.
func (g *global) visible() bool {
	if g.old != nil {
		return g.old.visible()
	}
	return g.c.shared || g.Linkage == syntax.Export || g.Linkage == syntax.ODR
}

// declaration reports whether a global is only a declaration.
func (g *global) declaration() bool {
	if g.old != nil {
		return !g.old.defined
	}
	return declares(g.Global)
}

func declares(g *syntax.Global) bool {
	return g.Kind == syntax.Function && g.Body == nil || g.Kind == syntax.Variable && g.Value == nil
}

// find finds what a name means in a module: a global of the module, or a visible one of another.
func (c *checker) find(m *module, name string) *global {
	if g := c.named(m, name); g != nil {
		return g
	}
	if m.old == nil && !c.shared || m.old != nil && m.old.words {
		return nil
	}
	for g := range c.all(name) {
		if g.old == nil || g.visible() {
			return g
		}
	}
	return nil
}

// definition finds the definition of a declared global, or an earlier definition that g merges with.
func (c *checker) definition(g *global) *global {
	if g.Kind != syntax.Function && g.Kind != syntax.Variable {
		return c.twin(g)
	}
	if !g.declaration() && g.Linkage != syntax.ODR {
		return nil
	}
	for d := range c.all(g.Name.Text) {
		switch {
		case d == g && !g.declaration():
			return nil // the first of several
		case d == g || d.Kind != g.Kind || !d.visible():
		case !d.declaration(), g.declaration() && d.module.index < g.module.index:
			return d
		}
	}
	return nil
}

// missing reports an unknown name.
func (c *checker) missing(pos diag.Pos, name string, sc *scope) {
	near := lex.Nearest(name, func(each func(string)) {
		for s := sc; s != nil; s = s.outer {
			for n := range s.names {
				each(n)
			}
		}
		for n := range sc.module.names {
			each(n)
		}
	})
	if near != "" {
		c.errorf(pos, "%s is not defined; did you mean %s?", name, near)
		return
	}
	c.errorf(pos, "%s is not defined", name)
}

// resolve returns the term that a global means, 0 after an error.
func (c *checker) resolve(g *global, use diag.Pos) term.ID {
	switch {
	case g.state == done:
		return g.term
	case g.state == working && g.term != 0:
		return g.term // a schema: its name is known before its parameters are
	case g.state == working:
		d := c.errorf(use, "cyclic definition of %s", g.Name.Text)
		if use != g.Name.Pos {
			d.Also(g.Name.Pos, "definition")
		}
		return 0
	}
	if g.def = c.definition(g); g.def != nil {
		g.state = working
		g.term = c.resolve(g.def, use)
		g.state = done
		c.sameType(g)
		return g.term
	}
	g.state = working
	c.busy = append(c.busy, g)
	switch g.Kind {
	case syntax.Define:
		g.term = c.expr(g.Value, &scope{module: g.module})
	case syntax.Variable, syntax.Function:
		c.header(g)
		if g.out != nil {
			c.meet(g)
		}
	default:
		c.schemaOf(g)
	}
	c.busy = c.busy[:len(c.busy)-1]
	g.state = done
	return g.term
}

// header makes the symbol of a variable or function.
func (c *checker) header(g *global) {
	sc := &scope{module: g.module}
	kind, e := term.Variable, g.Global.Type
	if g.Kind == syntax.Function {
		kind, e = term.Func, g.Fn
	}
	t := c.typ(e, sc)
	if t == 0 {
		return
	}
	sym := c.Symbol(term.Symbol{Kind: kind, Name: g.Name.Text, Pos: g.Name.Pos, Type: c.Pointer(t, 0)})
	g.out = &Global{Name: g.Name.Text, Pos: g.Name.Pos, Module: g.module.index, Syntax: g.Global, Symbol: sym, Type: t}
	sym.Data = g.out
	g.out.External = g.Extern || g.Linkage == syntax.Import || g.declaration() && g.Kind == syntax.Function
	c.prog.Globals = append(c.prog.Globals, g.out)
	g.term = sym.ID
	g.out.Shown = g.visible()
	if g.old != nil {
		g.out.Entity, g.out.External = g.old.entity, false
	}
	if g.out.External {
		if why := symbol.Fault(g.Name.Text[1:]); why != "" {
			c.errorf(g.Name.Pos, "%s is defined nowhere and is no native symbol: %s", g.Name.Text, why)
		}
	}
	has := g.Value != nil || g.Body != nil
	if has && (g.Extern || g.Linkage == syntax.Import) {
		c.errorf(g.Name.Pos, "%s is declared as defined elsewhere, but is defined here", g.Name.Text)
	}
	c.putOff(func() {
		if g.Kind == syntax.Function {
			c.signature(g)
			return
		}
		c.stored(e.Pos, g.Name.Text, t)
	})
}

// stored checks that a type can be that of a global variable.
func (c *checker) stored(pos diag.Pos, name string, t term.ID) {
	if t == 0 || c.broken(t) {
		return
	}
	switch l := c.Layout(t); l.Kind {
	case term.Dynamic:
		c.errorf(pos, "%s: the size of %s is not a literal", name, c.String(t))
	default:
		c.laidOut(pos, t)
	}
}

// laidOut checks that a type has values in memory, does not contain itself and is not too large.
func (c *checker) laidOut(pos diag.Pos, t term.ID) bool {
	switch l := c.Layout(t); {
	case t == 0:
		return false
	case l.Kind == term.NoData:
		c.errorf(pos, "values of type %s cannot be in memory", c.String(t))
		return false
	case l.Kind == term.Cyclic:
		c.errorf(pos, "%s contains itself", c.String(t))
		return false
	case c.tooLarge(t):
		c.errorf(pos, "%s is too large: its size is more than %d bytes", c.String(t), maxSize)
		return false
	}
	return true
}

// maxSize bounds the size in bytes of types whose size is a literal.
const maxSize uint64 = 1 << 31

// tooLarge reports whether the size of a type is known and above the limit.
func (c *checker) tooLarge(t term.ID) bool {
	l := c.Layout(t)
	return l.Kind == term.Static && l.Size.W8 > maxSize
}

// sameType checks that a declaration has the type of the definition.
func (c *checker) sameType(g *global) {
	d := g.def
	if g.Kind != syntax.Variable && g.Kind != syntax.Function || d.out == nil {
		return
	}
	e := g.Global.Type
	if g.Kind == syntax.Function {
		e = g.Fn
	}
	if t := c.typ(e, &scope{module: g.module}); t != 0 && t != d.out.Type {
		declared, defined, more := c.String(t), c.String(d.out.Type), ""
		if declared == defined {
			more = ": schemas of the same name differ"
		}
		if g.old != nil { // its place is in a text that is gone
			c.errorf(d.Name.Pos, "%s is defined as %s, and a module that was loaded before declares it as %s%s", g.Name.Text, defined, declared, more).Before(diag.Pos{})
			return
		}
		e := c.errorf(g.Name.Pos, "%s is declared as %s and defined as %s%s", g.Name.Text, declared, defined, more)
		if d.old == nil {
			e.Also(d.Name.Pos, "definition")
		} else {
			e.Before(diag.Pos{})
		}
	}
}

// schemaOf makes the schema of a recursive or base global.
func (c *checker) schemaOf(g *global) {
	s := &term.Schema{Phantoms: g.Phantoms, IsBase: g.Kind == syntax.Base, Value: g.Kind == syntax.Recursive && g.Global.Type != nil}
	s.Symbol = c.Symbol(term.Symbol{Kind: term.SchemaOf, Name: g.Name.Text, Pos: g.Name.Pos, Schema: s})
	g.schema, g.term = s, s.Symbol.ID
	sc := &scope{module: g.module, names: map[string]term.ID{}}
	var bodyState, typeState state
	// once makes a term at the first call.
	once := func(st *state, id *term.ID, make func() term.ID) func() term.ID {
		return func() term.ID {
			if *st == fresh {
				*st = working
				c.busy = append(c.busy, g)
				*id = make()
				c.busy = c.busy[:len(c.busy)-1]
				*st = done
			}
			return *id
		}
	}
	if s.IsBase {
		d := c.param(sc, g.Derived, c.TypeType(), 0, true)
		o := c.param(sc, g.Offset, c.Mk(op.Member, d.ID, c.Mk(op.Apply, g.term, d.ID)), 1, true)
		s.Params = []*term.Symbol{d, o}
	}
	s.Body = once(&bodyState, &g.body, func() term.ID {
		if s.Value {
			return c.expr(g.Value, sc)
		}
		return c.typ(g.Value, sc)
	})
	s.ValueType = once(&typeState, &g.value, func() term.ID { return c.typ(g.Global.Type, sc) })
	for i, p := range g.Params {
		if p.Attrs != 0 {
			c.errorf(p.Pos, "parameters of a recursive have no attributes")
		}
		s.Params = append(s.Params, c.param(sc, p.Name, c.typ(p.Type, sc), i, true))
	}
	c.putOff(func() {
		body := s.Body()
		if body == 0 {
			return
		}
		if !s.Value {
			if c.Layout(body).Kind == term.Cyclic && c.holds(body, s, map[term.ID]bool{}) {
				c.errorf(g.Name.Pos, "%s contains itself", g.Name.Text)
			}
			return
		}
		want := s.ValueType()
		if want != 0 && !c.IsType(want) {
			return // it was reported
		}
		if want != 0 && !c.Assignable(want, c.TypeOf(body)) {
			c.mismatch(g.Value.Pos, "the body of "+g.Name.Text, want, c.TypeOf(body))
			return
		}
		c.computable(g, body)
	})
}

// holds reports whether values of a type have an instance of a schema in them.
func (c *checker) holds(t term.ID, s *term.Schema, seen map[term.ID]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	parts := c.Args(t)
	switch c.Op(t) {
	case op.Struct, op.Union:
	case op.Array:
		parts = parts[:1]
	case op.Constant:
		parts = []term.ID{c.TypeOf(parts[0])}
	case op.Exists:
		_, result := c.Open(t)
		parts = []term.ID{result}
	case op.Apply:
		if c.Schema(t) == s {
			return true
		}
		parts = []term.ID{c.Body(t)}
	default:
		return false
	}
	return slices.ContainsFunc(parts, func(p term.ID) bool { return c.holds(p, s, seen) })
}

// computable checks that the value of a schema can be computed from its ordinary parameters.
func (c *checker) computable(g *global, body term.ID) {
	env := &solidity{c: c}
	for i, p := range g.schema.Params[g.Phantoms:] {
		pos := g.Params[g.Phantoms+i].Type.Pos
		if c.laidOut(pos, p.Type) && !env.solid(p.Type) {
			c.errorf(pos, "parameter %s has type %s, of which a phantom value must be known at run time: %s", p.Name, c.String(p.Type), c.String(env.bad))
		}
		env.known.add(p.ID)
	}
	if t := g.schema.ValueType(); c.laidOut(g.Global.Type.Pos, t) && !env.solid(t) || !env.solid(body) {
		c.errorf(g.Value.Pos, "%s", env.complaint(body))
	}
}

// finish checks the body or initial value of a global.
func (c *checker) finish(g *global) {
	c.busy = append(c.busy[:0], g)
	switch {
	case g.out != nil && g.Kind == syntax.Function && g.Body != nil:
		c.body(g)
	case g.out != nil && g.Kind == syntax.Variable && g.Value != nil:
		v := c.expr(g.Value, &scope{module: g.module})
		if v != 0 && c.value(g.Value, v) && c.assignable(g.Value.Pos, "the value of "+g.Name.Text, g.out.Type, v) {
			if env := (&solidity{c: c}); c.constant(g.Value.Pos, v) && !env.solid(v) {
				c.errorf(g.Value.Pos, "%s", env.complaint(v))
			}
			g.out.Init = v
		}
	case g.Kind == syntax.Define && c.Op(g.term) == op.Struct:
		c.prog.Structs = append(c.prog.Structs, Struct{g.Name.Text, g.term})
	}
	if g.schema != nil && g.schema.IsBase && g.body != 0 {
		env := &solidity{c: c}
		if !env.solid(g.body) && !env.unsized() {
			c.errorf(g.Value.Pos, "the layout of base %s depends on its derived type", g.Name.Text)
		}
	}
	c.busy = c.busy[:0]
	if c.Full && !c.over {
		c.errorf(g.Name.Pos, "")
	}
}

// constant checks that a value can be known before the program starts.
func (c *checker) constant(pos diag.Pos, v term.ID) bool {
	seen := map[term.ID]bool{}
	var walk func(v term.ID) bool
	walk = func(v term.ID) bool {
		if seen[v] {
			return true
		}
		seen[v] = true
		switch o := c.Op(v); {
		case c.IsType(v) && c.Layout(v).Size.W8 >= layout.TooBig:
			c.errorf(pos, "%s is too large: its size has no value", c.String(v))
			return false
		case c.IsType(v) && c.Layout(v).Kind == term.Static, c.broken(v):
			return true
		case o == op.Element || o == op.Load || o == op.Apply || o == op.Unwrap || o == op.OuterPtr:
			c.errorf(pos, "%s is not constant", c.String(v))
			return false
		case o == op.Div:
			c.errorf(pos, "%s has no value", c.String(v))
			return false
		}
		for _, a := range c.Args(v) {
			if !walk(a) {
				return false
			}
		}
		return true
	}
	return walk(v)
}
