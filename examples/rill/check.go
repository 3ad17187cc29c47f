package main

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/front"
)

// A Type is a type of Rill. Two types are the same if they are spelled alike.
type Type struct {
	Name   string
	Struct *Struct // of a struct
	Params []*Type // of a function
	Result *Type
}

func (t *Type) String() string {
	switch {
	case t == nil:
		return "nothing"
	case t.Name != "fn":
		return t.Name
	}
	var l []string
	for _, p := range t.Params {
		l = append(l, p.String())
	}
	s := "fn(" + strings.Join(l, ", ") + ")"
	if t.Result != nil {
		s += " -> " + t.Result.String()
	}
	return s
}

func same(a, b *Type) bool { return a.String() == b.String() }

var (
	intType    = &Type{Name: "int"}
	boolType   = &Type{Name: "bool"}
	stringType = &Type{Name: "string"}
	nilType    = &Type{Name: "nil"}     // that of nil, which every struct has
	unknown    = &Type{Name: "unknown"} // that of a mistake, about which nothing more is said
)

// A checker finds out what names mean and which types expressions have.
type checker struct {
	types map[string]*Type
	funcs map[string]*Func
	fn    *Func    // the function that it is in
	scope []*scope // of that function and those around it
	errs  front.Errors
}

// A scope has the variables of a block.
type scope struct {
	fn   *Func
	vars map[string]*Variable
}

func newChecker() *checker {
	return &checker{types: map[string]*Type{"int": intType, "bool": boolType, "string": stringType}, funcs: map[string]*Func{}}
}

// check checks a program. It may use what was checked before.
func (c *checker) check(prog *Program) error {
	c.errs = nil
	for _, s := range prog.Structs {
		if c.types[s.Name] != nil {
			c.fail(s.Pos, "%s is defined already", s.Name)
		}
		c.types[s.Name] = &Type{Name: s.Name, Struct: s}
	}
	for _, s := range prog.Structs {
		for _, f := range s.Fields {
			f.Type = c.typeOf(f.Of)
		}
	}
	for _, f := range prog.Funcs {
		c.signature(f)
		switch old := c.funcs[f.Name]; {
		case old != nil && old.Body != nil || builtins[f.Name] || c.types[f.Name] != nil:
			c.fail(f.Pos, "%s is defined already", f.Name)
		case old != nil && !same(old.Type, f.Type):
			c.fail(f.Pos, "%s has the type %s, which cannot change to %s", f.Name, old.Type, f.Type)
		}
		c.funcs[f.Name] = f
	}
	for _, f := range prog.Funcs {
		c.function(f)
	}
	if len(c.errs) > 0 {
		return c.errs
	}
	return nil
}

func (c *checker) fail(at front.Pos, format string, args ...any) {
	c.errs = append(c.errs, front.Error{Pos: at, Msg: fmt.Sprintf(format, args...)})
}

// typeOf is the type that a name means.
func (c *checker) typeOf(n *TypeName) *Type {
	switch {
	case n == nil:
		return nil
	case n.Name == "fn":
		t := &Type{Name: "fn", Result: c.typeOf(n.Result)}
		for _, p := range n.Params {
			t.Params = append(t.Params, c.typeOf(p))
		}
		return t
	case c.types[n.Name] == nil:
		c.fail(n.Pos, "unknown type %s", n.Name)
		return unknown
	}
	return c.types[n.Name]
}

// signature finds the type of a function.
func (c *checker) signature(f *Func) {
	f.Type = &Type{Name: "fn", Result: c.typeOf(f.Result)}
	for _, p := range f.Params {
		p.Type = c.typeOf(p.Of)
		f.Type.Params = append(f.Type.Params, p.Type)
	}
}

// function checks the body of a function.
func (c *checker) function(f *Func) {
	f.Outer, c.fn = c.fn, f
	c.open()
	for _, p := range f.Params {
		c.declare(p)
	}
	c.block(f.Body)
	c.close()
	if f.Type.Result != nil && !leaves(f.Body) {
		c.fail(f.Pos, "the end of the function can be reached without a return")
	}
	c.fn = f.Outer
}

func (c *checker) open()  { c.scope = append(c.scope, &scope{c.fn, map[string]*Variable{}}) }
func (c *checker) close() { c.scope = c.scope[:len(c.scope)-1] }

func (c *checker) declare(v *Variable) {
	v.Owner = c.fn
	vars := c.scope[len(c.scope)-1].vars
	if vars[v.Name] != nil {
		c.fail(v.Pos, "%s is defined already", v.Name)
	}
	vars[v.Name] = v
}

// variable finds a variable. If it belongs to a function around this one, all functions in between capture it.
func (c *checker) variable(name string) *Variable {
	for i := len(c.scope) - 1; i >= 0; i-- {
		v := c.scope[i].vars[name]
		if v == nil {
			continue
		}
		for f := c.fn; f != v.Owner; f = f.Outer {
			v.Captured = true
			f.capture(v)
		}
		return v
	}
	return nil
}

func (f *Func) capture(v *Variable) {
	for _, x := range f.Captures {
		if x == v {
			return
		}
	}
	f.Captures = append(f.Captures, v)
}

// leaves reports whether the end of a list of statements cannot be reached.
func leaves(l []Stmt) bool {
	if len(l) == 0 {
		return false
	}
	switch s := l[len(l)-1].(type) {
	case ReturnStmt, ThrowStmt:
		return true
	case IfStmt:
		return leaves(s.Then) && leaves(s.Else)
	case TryStmt:
		return leaves(s.Body) && leaves(s.Then)
	}
	return false
}

func (c *checker) block(l []Stmt) {
	c.open()
	for i, s := range l {
		c.statement(s)
		if i < len(l)-1 && leaves(l[:i+1]) {
			c.fail(l[i+1].position(), "this statement cannot be reached")
			break
		}
	}
	c.close()
}

func (c *checker) statement(s Stmt) {
	switch s := s.(type) {
	case VarStmt:
		v := s.Variable
		if v.Type = c.typeOf(v.Of); v.Type != nil {
			c.want(s.Value, v.Type)
		} else if v.Type = c.value(s.Value); v.Type == nilType {
			c.fail(v.Pos, "%s needs a type: var %s TYPE = nil", v.Name, v.Name)
		}
		c.declare(v)
	case AssignStmt:
		switch x := s.To.(type) {
		case *Name:
			if c.variable(x.Name) == nil {
				c.fail(x.Pos, "%s is no variable", x.Name)
			}
		case *Field:
		default:
			c.fail(s.To.position(), "only variables and fields can be assigned to")
		}
		c.want(s.Value, c.value(s.To))
	case IfStmt:
		c.want(s.Cond, boolType)
		c.block(s.Then)
		c.block(s.Else)
	case WhileStmt:
		c.want(s.Cond, boolType)
		c.block(s.Body)
	case ReturnStmt:
		switch want := c.fn.Type.Result; {
		case s.Value == nil && want != nil:
			c.fail(s.Pos, "want a value of type %s", want)
		case s.Value != nil && want == nil:
			c.fail(s.Value.position(), "the function has no result")
		case s.Value != nil:
			c.want(s.Value, want)
		}
	case ThrowStmt:
		c.want(s.Value, stringType)
	case TryStmt:
		c.block(s.Body)
		c.open()
		s.Catch.Type = stringType
		c.declare(s.Catch)
		c.block(s.Then)
		c.close()
	case Expr:
		c.expr(s)
		if _, ok := s.(*Call); !ok && s.node().Type != unknown {
			c.fail(s.position(), "the value is not used")
		}
	}
}

// want checks an expression that must have a type.
func (c *checker) want(x Expr, want *Type) {
	c.value(x)
	c.fit(x, want)
}

// fit compares the type of an expression with the wanted one.
func (c *checker) fit(x Expr, want *Type) {
	switch got := x.node().Type; {
	case got == unknown || want == unknown || same(got, want):
	case got == nilType && want.Struct != nil:
		x.node().Type = want
	default:
		c.fail(x.position(), "want %s, got %s", want, got)
	}
}

// value checks an expression that must have a value.
func (c *checker) value(x Expr) *Type {
	c.expr(x)
	if x.node().Type == nil {
		c.fail(x.position(), "the call has no value")
		x.node().Type = unknown
	}
	return x.node().Type
}

func (c *checker) expr(x Expr) {
	n := x.node()
	n.Type = unknown
	switch x := x.(type) {
	case *Number:
		n.Type = intType
	case *Bool:
		n.Type = boolType
	case *Text:
		n.Type = stringType
	case *Nil:
		n.Type = nilType
	case *Name:
		if x.Var = c.variable(x.Name); x.Var != nil {
			n.Type = x.Var.Type
		} else if x.Func = c.funcs[x.Name]; x.Func != nil {
			n.Type = x.Func.Type
		} else {
			c.fail(n.Pos, "unknown name %s", x.Name)
		}
	case *Unary:
		n.Type = map[string]*Type{"-": intType, "!": boolType}[x.Op]
		c.want(x.X, n.Type)
	case *Binary:
		n.Type = c.binary(x)
	case *Call:
		n.Type = c.call(x)
	case *Field:
		n.Type = c.field(x)
	case *Index:
		c.want(x.X, stringType)
		c.want(x.I, intType)
		n.Type = intType
	case *FuncExpr:
		c.signature(x.Func)
		c.function(x.Func)
		n.Type = x.Func.Type
	}
}

func (c *checker) binary(x *Binary) *Type {
	if _, ok := x.X.(*Nil); ok {
		x.X, x.Y = x.Y, x.X
	}
	t := c.value(x.X)
	switch {
	case t == unknown:
		c.value(x.Y)
	case x.Op == "&&" || x.Op == "||":
		c.fit(x.X, boolType)
		c.want(x.Y, boolType)
	case x.Op == "==" || x.Op == "!=":
		if t == nilType || t.Name == "fn" {
			c.fail(x.Pos, "%s cannot be compared", t)
		}
		c.want(x.Y, t)
	case x.Op == "+" && t == stringType:
		c.want(x.Y, stringType)
		return stringType
	default:
		c.fit(x.X, intType)
		c.want(x.Y, intType)
	}
	if strings.Contains("+-*/%", x.Op) {
		return intType
	}
	return boolType
}

func (c *checker) field(x *Field) *Type {
	t := c.value(x.X)
	if t.Struct != nil {
		for i, f := range t.Struct.Fields {
			if f.Name == x.Name {
				x.Index = i
				return f.Type
			}
		}
	}
	if t != unknown {
		c.fail(x.Pos, "%s has no field %s", t, x.Name)
	}
	return unknown
}

// builtins are functions that the compiler makes itself.
var builtins = map[string]bool{"print": true, "len": true, "newstring": true, "setbyte": true, "write": true}

// call checks a call: of a builtin, of a struct, which makes an object, or of a function.
func (c *checker) call(x *Call) *Type {
	var name string
	if n, ok := x.Fun.(*Name); ok && c.variable(n.Name) == nil {
		name = n.Name
	}
	switch t := c.types[name]; {
	case name == "print":
		if len(x.Args) != 1 {
			c.fail(x.Pos, "want one argument, got %d", len(x.Args))
			return nil
		}
		if t := c.value(x.Args[0]); t != intType && t != boolType && t != stringType && t != unknown {
			c.fail(x.Args[0].position(), "print wants int, bool or string, got %s", t)
		}
		return nil
	case name == "len":
		c.args(x, []*Type{stringType})
		return intType
	case name == "write":
		c.args(x, []*Type{stringType})
		return nil
	case name == "newstring":
		c.args(x, []*Type{intType})
		return stringType
	case name == "setbyte":
		c.args(x, []*Type{stringType, intType, intType})
		return nil
	case t != nil && t.Struct != nil:
		x.Struct = t.Struct
		var l []*Type
		for _, f := range t.Struct.Fields {
			l = append(l, f.Type)
		}
		c.args(x, l)
		return t
	}
	t := c.value(x.Fun)
	if t.Name != "fn" {
		if t != unknown {
			c.fail(x.Pos, "want a function, got %s", t)
		}
		return unknown
	}
	c.args(x, t.Params)
	return t.Result
}

func (c *checker) args(x *Call, want []*Type) {
	if len(x.Args) != len(want) {
		c.fail(x.Pos, "want %d arguments, got %d", len(want), len(x.Args))
		return
	}
	for i, a := range x.Args {
		c.want(a, want[i])
	}
}
