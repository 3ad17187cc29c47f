// Package lang is what editors need to know about IAL text; see transpile/lang.
//
// The index is made from the tree, which has all that could be read of a text with errors. Identifiers
// that are in no part of the tree are not in the index.
package lang

import (
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ial/syntax"
	"github.com/uvm2go/uvm2go/transpile/lang"
)

// Language describes IAL text.
var Language = &lang.Language{Index: Index, Operations: Operations, Keywords: module.Words, Rename: rename, Sigils: ""}

// Operations lists the instructions.
func Operations() (list []lang.Operation) {
	for op := module.Op(0); op < module.NumOps; op++ {
		doc := module.Ops[op].Meaning
		if i := strings.Index(doc, " (["); i >= 0 && strings.HasSuffix(doc, ")") {
			doc = doc[:i] // a link within the documentation
		}
		list = append(list, lang.Operation{Name: op.String(), Form: syntax.Usage(op), Doc: doc})
	}
	return list
}

// rename spells a name, in quotes if it needs them.
func rename(_, name string) (string, bool) {
	if n := len(name); n > 2 && name[0] == '\'' && name[n-1] == '\'' {
		name = strings.ReplaceAll(name[1:n-1], `\'`, "'")
	}
	return module.Quote(name), name != "" && !strings.ContainsAny(name, "\r\n")
}
