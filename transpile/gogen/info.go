package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// funcInfo is what the output calls a function, and what its tables say of it.
type funcInfo struct {
	*facts.Func
	fn     *ir.Function
	goName string // what calls name
	body   string // what is emitted; differs from goName after a tail-call driver
	rec    string // the record variable
	enter  string // the untyped adaptor
	resume string // the resumable body, "" if there is none

	recorded bool // a table refers to the record

	sites   []string // lines "LINE NAME" of instructions that may fault
	siteSet map[string]bool
	inlined []string // rows of the table of copies; see inlined.go

	resumeInlined []string // of the resumable body
}

// entry is the Go function that a call of the function names.
func (fi *funcInfo) entry() expr {
	if fi.fn.Current() == nil || fi.fn.Open() {
		return dot(name(fi.rec), "F")
	}
	return name(fi.goName)
}

// record is the address of what the runtime knows of the function.
func (fi *funcInfo) record() expr { return addr(dot(name(fi.rec), "Func")) }
