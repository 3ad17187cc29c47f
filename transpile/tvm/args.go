package tvm

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/tvm/check"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

// call reads a call whose arguments are values as TVM writes them, type(SIZE,ALIGN) or
// mem(BYTE,...). It returns nil after an error, or if there is no call.
func call(files *diag.Set, from *dialect.Call, diags *diag.List) *check.Call {
	if from == nil {
		return nil
	}
	c := &check.Call{Name: from.Name}
	before := diags.Errors()
	for i, w := range dialect.SplitArgs(from.Args) {
		w = strings.TrimSpace(w)
		var a check.CallArg
		var err error
		if list, ok := inParens(w, "mem"); ok {
			a.Bytes, err = bytesOf(list)
		} else {
			if list, ok := inParens(w, "type"); ok {
				size, align, _ := strings.Cut(list, ",")
				w = "type_v #up" + strings.TrimSpace(size) + " #up" + strings.TrimSpace(align)
			}
			var f *diag.File
			if f, err = files.Add(fmt.Sprintf("argument %d", i+1), []byte(w)); err == nil {
				a.Value = syntax.ParseValue(f, diags)
			}
		}
		if err != nil {
			diags.Errorf(diag.Pos{}, "call: argument %d of %s: %v", i+1, c.Name, err)
		}
		c.Args = append(c.Args, a)
	}
	if diags.Errors() > before {
		return nil
	}
	return c
}

// inParens returns the text between the parentheses after a word.
func inParens(text, word string) (string, bool) {
	rest, ok1 := strings.CutPrefix(text, word+"(")
	list, ok2 := strings.CutSuffix(rest, ")")
	return list, ok1 && ok2
}

// bytesOf reads numbers of bytes, with or without a sign.
func bytesOf(list string) ([]byte, error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	var out []byte
	for _, w := range strings.Split(list, ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(w), 0, 16)
		if err != nil || n < -128 || n > 255 {
			return nil, fmt.Errorf("bad byte %s in mem(...)", w)
		}
		out = append(out, byte(n))
	}
	return out, nil
}
