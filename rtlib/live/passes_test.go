package live

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A bundle has nothing to inline if each of its functions can be replaced. The functions that the support of a
// dialect adds cannot be replaced.
func TestInlines(t *testing.T) {
	p, diags := transpile.Load([]transpile.Source{{Name: "a.uir", Text: []byte(`.funcsig @s = () -> ()
		.funcdecl @g <@s> .funcdef @f VERSION %v <@s> { %e(): CALL <@s> @g() RET () }`)}}, transpile.Options{})
	if p == nil {
		t.Fatal(diags.Err())
	}
	f := p.IR.Entities["@f"].(*ir.Function)
	if !inlines(p.IR) {
		t.Error("a function that cannot be replaced is not inlined")
	}
	if f.Attrs |= ir.Replaceable; inlines(p.IR) {
		t.Error("a function that can be replaced, or has no body, is inlined")
	}
}
