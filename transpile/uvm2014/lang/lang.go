// Package lang is what editors need to know about the text of µVM IR of 2014; see transpile/lang.
//
// It works on tokens, so that a text with errors has an index too.
package lang

import (
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lang"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// sigils begin names: global ones and those of a function.
const sigils = "@%"

// Language describes the text of 2014.
var Language = &lang.Language{Index: Index, Operations: Operations, Keywords: syntax.Keywords, Rename: lang.Marked(sigils), Sigils: sigils}

// parts has how each part of an instruction is written, by its letter (syntax.Op.Form).
var parts = map[rune]string{
	'T': "<type>", 'U': "<from to>", 'F': "<struct 0>", 'E': "<type index>", 'S': "<signature>",
	'v': "%value", 'c': "%function", 'a': "(%arguments)", 'L': "%label", 's': "{ value: %label; }", 'p': "{ %label: %value; }",
	'o': "ORDER", 'O': "ORDER", 'R': "OPERATION", 'I': "1", 'g': "@uvm.name", 'D': "DEFAULT",
	'k': "KEEPALIVE(%values)", 'K': "KEEPALIVE(%values)", 'n': "0", 'l': "%label", 'q': `"text"`,
}

// Operations lists the instructions and the intrinsic functions.
func Operations() (list []lang.Operation) {
	docs := map[string]string{}
	for _, s := range ir.Spellings("uvm2014") {
		if docs[s.Name] == "" {
			docs[s.Name] = lang.Meaning(s.Op)
		}
		if ir.IsGlobal(s.Name) {
			list = append(list, lang.Operation{Name: s.Name, Form: "ICALL " + s.Name + " (%arguments)", Doc: lang.Meaning(s.Op)})
		}
	}
	for op := syntax.NoOp + 1; op < syntax.NumOps; op++ {
		form := []string{op.String()}
		for _, c := range op.Form() {
			form = append(form, parts[c])
		}
		list = append(list, lang.Operation{Name: op.String(), Form: strings.Join(form, " "), Doc: docs[op.String()]})
	}
	return list
}
