// Package lang is what editors need to know about Mu text; see transpile/lang.
//
// It works on tokens, so that a text with errors has an index too. It shares tokens and keywords
// with the grammar, but not the tree, which lacks what could not be read.
package lang

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lang"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// sigils begin names: global ones and those of a function.
const sigils = "@%"

// Language describes Mu text.
var Language = &lang.Language{Index: Index, Operations: Operations, Keywords: syntax.Keywords, Rename: lang.Marked(sigils), Sigils: sigils}

// Operations lists the instructions and the common instructions.
func Operations() (list []lang.Operation) {
	for op := syntax.NoOp + 1; op < syntax.NumOps; op++ {
		o := lang.Operation{Name: op.String(), Form: op.Shape(), Doc: "executes a common instruction, whose name says which"}
		if i, ok := ir.OpByMnemonic(o.Name); ok {
			o.Doc = lang.Meaning(i)
		}
		list = append(list, o)
	}
	for _, s := range ir.Spellings("mu") {
		if ir.IsGlobal(s.Name) {
			list = append(list, lang.Operation{Name: s.Name, Form: "COMMINST " + s.Name, Doc: lang.Meaning(s.Op)})
		}
	}
	return list
}

// commons are the names of the common instructions.
var commons = ir.CommonInstructions()
