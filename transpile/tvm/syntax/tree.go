package syntax

import (
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// A Module is one file.
type Module struct {
	File    *diag.File
	Text    Text
	Globals []*Global
	Bad     bool // it has syntax errors
}

// A Name is an identifier with its percent sign, "" if there is none.
type Name struct {
	Text string
	Pos  diag.Pos
}

// A GlobalKind is a kind of globals.
type GlobalKind uint8

// The kinds of globals.
const (
	Variable GlobalKind = iota
	Define
	Recursive
	Base
	Function
)

// A Linkage says where a global can be seen. NoLinkage means private.
type Linkage uint8

// The kinds of linkage.
const (
	NoLinkage Linkage = iota
	Private
	Local
	ODR
	Export
	Import
)

var linkages = map[string]Linkage{"private": Private, "local": Local, "odr": ODR, "export": Export, "import": Import}

// A Global is a definition or declaration of a module.
type Global struct {
	Name    Name
	Pos     diag.Pos // of the text after the equals sign
	Kind    GlobalKind
	Extern  bool
	Const   bool // of a variable
	Linkage Linkage

	Type  *Expr // of a variable; of a recursive value
	Value *Expr // of a variable, nil if none; of a definition; the body of a schema
	// Params of a recursive schema; those in front of Phantoms are phantom.
	Params   []*Param
	Phantoms int
	Derived  Name // of a base
	Offset   Name

	Fn   *Expr // of a function: its type
	Body *Body // nil if none
}

// A Param is a parameter of a function, exists or recursive.
type Param struct {
	Name  Name
	Pos   diag.Pos // of the attributes or the type
	Attrs Attrs
	Type  *Expr
}

// Attrs are the attributes of a parameter or result.
type Attrs uint8

// The attributes.
const (
	ByVal Attrs = 1 << iota
	InReg
)

// attrWords are the attributes as they are written.
var attrWords = [...]struct {
	attr Attrs
	word string
}{{ByVal, "llvm_byval"}, {InReg, "llvm_inreg"}}

// String lists attributes.
func (a Attrs) String() string {
	var words []string
	for _, w := range attrWords {
		if a&w.attr != 0 {
			words = append(words, w.word)
		}
	}
	return strings.Join(words, " ")
}

// A Body is the body of a function. The first block is the entry, which has no name.
type Body struct {
	Blocks []*Block
	End    diag.Pos // of the closing brace
}

// A Block is a list of statements.
type Block struct {
	Name    Name
	Pos     diag.Pos
	Landing bool
	Dom     Name // the block in front, "" for the entry
	Stmts   []*Stmt
}

// A Stmt is a statement.
type Stmt struct {
	Name  Name
	Pos   diag.Pos
	Value *Expr
	Phi   *Phi // instead of Value
}

// A Phi is a statement phi.
type Phi struct {
	Pos   diag.Pos
	Type  *Expr
	Edges []Edge
}

// An Edge is a value of a phi and the block that it comes from; the entry block has no name.
type Edge struct {
	From  Name
	Pos   diag.Pos
	Value *Expr
}

// An ExprKind is a kind of expressions.
type ExprKind uint8

// The kinds of expressions.
const (
	Use    ExprKind = iota // a name
	Lit                    // a number
	Apply                  // an operation with operands
	FnType                 // a function type
	Exists                 // an exists type
)

// A Conv is a calling convention.
type Conv uint8

// The calling conventions.
const (
	NoConv Conv = iota
	ConvC
	ConvStdcall
	ConvThiscall
	ConvFastcall
)

var convs = map[string]Conv{"cc_c": ConvC, "cc_x86_stdcall": ConvStdcall, "cc_x86_thiscall": ConvThiscall, "cc_x86_fastcall": ConvFastcall}

// String is the keyword of the convention.
func (c Conv) String() string {
	for w, k := range convs {
		if k == c {
			return w
		}
	}
	return ""
}

// An Expr is an expression.
type Expr struct {
	Kind ExprKind
	Pos  diag.Pos
	Text string // the name, or the word of the operation
	Int  Int
	Args []*Expr

	Conv        Conv
	SRet        bool
	Params      []*Param
	Phantoms    int // parameters in front of the bar
	Result      *Expr
	ResultAttrs Attrs
}
