// Package lang is what editors need to know about TVM text; see transpile/lang.
//
// The index is made from the tree. Names in globals that could not be read are taken for global ones.
package lang

import (
	"github.com/uvm2go/uvm2go/transpile/lang"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

// Language describes TVM text.
var Language = &lang.Language{Index: Index, Operations: Operations, Keywords: syntax.Keywords, Rename: lang.Marked("%"), Sigils: "%"}

// Operations lists the operations and instructions.
func Operations() (list []lang.Operation) {
	for _, row := range op.Table {
		if row.Name == "" {
			continue
		}
		form := row.Name
		if row.Usage != "" {
			form += " " + row.Usage
		}
		list = append(list, lang.Operation{Name: row.Name, Form: form, Doc: row.Doc})
	}
	return list
}
