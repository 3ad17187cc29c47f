package repr

import (
	"strconv"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// A Func has the names of a function in the output, and what the tables say about it.
type Func struct {
	*facts.Func
	fn     *ir.Function
	GoName string // what calls name
	Body   string // what is emitted; differs from GoName if there is a driver of tail calls
	Record string // the variable with the record, in a unit that with its address
	Impl   string // in a unit, the variable with the record of the body; else Record
	Enter  string // the adaptor without types
	Resume string // the resumable body, "" if there is none

	Recorded bool // a table refers to the record

	Sites         []string // lines "LINE NAME" of instructions that may fault, some with a tab and what NULL is there
	siteSet       map[string]bool
	Inlined       []string // rows of the table of copies, see inlined.go of lower
	Columns       []string // rows of the table of columns
	ResumeInlined []string // those of the resumable body
	ResumeColumns []string

	Lines, ResumeLines string // constants with the positions of the bodies, "" if these have directives
}

// AddSite notes an instruction that may fault; null says what NULL is there, if that is known.
func (fi *Func) AddSite(at diag.Position, name, null string) {
	site := strconv.Itoa(at.Line)
	if at.Col > 0 {
		site += ":" + strconv.Itoa(at.Col)
	}
	site += " " + lex.Line(name)
	if null != "" {
		site += "\t" + null
	}
	if fi.siteSet[site] {
		return
	}
	if fi.siteSet == nil {
		fi.siteSet = map[string]bool{}
	}
	fi.siteSet[site] = true
	fi.Sites = append(fi.Sites, site)
}

// Entry is the Go function that a call of the function names.
func (fi *Func) Entry() gotree.Expr {
	if fi.fn.Current() == nil || fi.fn.Open() {
		return node.Shared(node.Name(fi.Record), "F")
	}
	return node.Name(fi.GoName)
}

// Unchanged asks whether the function still has the body that it was translated with.
func (fi *Func) Unchanged(unit bool) gotree.Expr {
	if unit { // its record is one of the program
		return node.Eq(node.Dot(node.Name(fi.Record), "VersionID"), node.Lit(fi.fn.Current().ID))
	}
	// A bool that is nearly always true, because Go's compiler puts the branch for false behind the one for true.
	return node.Shared(node.Name(fi.Record), "Intact")
}

// ImplAddr is the address of the runtime's description of the body.
func (fi *Func) ImplAddr() gotree.Expr { return node.Addr(node.Dot(node.Name(fi.Impl), "Func")) }

// RecordAddr is the address of the runtime's description of the function.
func (fi *Func) RecordAddr() gotree.Expr { return node.Addr(node.Dot(node.Name(fi.Record), "Func")) }
