package main

import "github.com/uvm2go/uvm2go/transpile/front"

// A Program is what a file contains.
type Program struct {
	Structs []*Struct
	Funcs   []*Func
}

// A Struct is a definition of a type of objects with fields.
type Struct struct {
	Pos    front.Pos
	Name   string
	Fields []*Variable
}

// A Func is a function, defined or written as an expression.
type Func struct {
	Pos    front.Pos
	Name   string // "" of an expression
	Params []*Variable
	Result *TypeName // nil for none
	Body   []Stmt    // nil if an earlier line of a session has the body

	// What the checker finds out:
	Type     *Type
	Outer    *Func       // the function that the expression is in
	Captures []*Variable // variables of outer functions that it uses
}

// A Variable is a parameter, a field or a local variable.
type Variable struct {
	Pos  front.Pos
	Name string
	Of   *TypeName // nil if the type is that of the first value

	// What the checker finds out:
	Type     *Type
	Owner    *Func
	Captured bool // a function inside of Owner uses it
}

// A TypeName is a type as it is written.
type TypeName struct {
	Pos    front.Pos
	Name   string // int, bool, string, the name of a struct, or fn
	Params []*TypeName
	Result *TypeName
}

// A Stmt is one of the following statements, or an Expr that is executed for its effect.
type Stmt interface{ position() front.Pos }

type (
	VarStmt struct {
		*Variable
		Value Expr
	}
	AssignStmt struct{ To, Value Expr }
	IfStmt     struct {
		Pos        front.Pos
		Cond       Expr
		Then, Else []Stmt
	}
	WhileStmt struct {
		Pos  front.Pos
		Cond Expr
		Body []Stmt
	}
	ReturnStmt struct {
		Pos   front.Pos
		Value Expr // nil for none
	}
	ThrowStmt struct {
		Pos   front.Pos
		Value Expr
	}
	TryStmt struct {
		Pos   front.Pos
		Body  []Stmt
		Catch *Variable
		Then  []Stmt
	}
)

// An Expr is one of the following expressions.
type Expr interface {
	Stmt
	node() *Node
}

// A Node is what all expressions have.
type Node struct {
	Pos  front.Pos
	Type *Type // what the checker finds out; nil of a call without result
}

type (
	Number struct {
		Node
		Value int64
	}
	Bool struct {
		Node
		Value bool
	}
	Text struct {
		Node
		Value string
	}
	Nil  struct{ Node }
	Name struct {
		Node
		Name string
		Var  *Variable // what it names: a variable,
		Func *Func     // or a function
	}
	Unary struct {
		Node
		Op string
		X  Expr
	}
	Binary struct {
		Node
		Op   string
		X, Y Expr
	}
	Call struct {
		Node
		Fun    Expr
		Args   []Expr
		Struct *Struct // if Fun names one: the call makes an object
	}
	Field struct {
		Node
		X     Expr
		Name  string
		Index int
	}
	Index struct {
		Node
		X, I Expr
	}
	FuncExpr struct {
		Node
		Func *Func
	}
)

func (s VarStmt) position() front.Pos    { return s.Variable.Pos }
func (s AssignStmt) position() front.Pos { return s.To.position() }
func (s IfStmt) position() front.Pos     { return s.Pos }
func (s WhileStmt) position() front.Pos  { return s.Pos }
func (s ReturnStmt) position() front.Pos { return s.Pos }
func (s ThrowStmt) position() front.Pos  { return s.Pos }
func (s TryStmt) position() front.Pos    { return s.Pos }
func (n *Node) position() front.Pos      { return n.Pos }
func (n *Node) node() *Node              { return n }
