package tvm_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// TestListed: values listed element by element become constants of the representation. Where the
// text has a value once but it is needed a million times, the program makes it when it starts.
func TestListed(t *testing.T) {
	var doubled strings.Builder
	doubled.WriteString("%s0 = define struct_v #l1 #l2;\n%t0 = define struct i64 i64;\n")
	for i := range 17 {
		fmt.Fprintf(&doubled, "%%s%d = define struct_v %%s%d %%s%[2]d;\n%%t%[1]d = define struct %%t%[2]d %%t%[2]d;\n", i+1, i)
	}
	doubled.WriteString("%g = global %t17 %s17;\n%f = function () > i64 { %x = load (struct_ep (pointer_cast (pointer_offset (pointer_cast %g %t0) #up77777) %t0) #i1); return %x; };\n")
	listed := fmt.Sprintf("%%g = global (array i64 #up100000) (array_v i64%s);\n%%f = function () > i64 { %%x = load (array_ep %%g #up99999); return %%x; };\n", strings.Repeat(" #l2", 100000))
	zeros := "%g = global (array (array i64 #up1000) #up1000) (zero (array (array i64 #up1000) #up1000));\n%f = function () > i64 { %x = load (array_ep (array_ep %g #up999) #up999); return (add %x #l2); };\n"
	for _, c := range []struct {
		name, text string
		constant   bool
	}{{"doubled", doubled.String(), false}, {"listed", listed, true}, {"zeros", zeros, false}} {
		src := transpile.Source{Name: "a.tvm", Text: []byte(c.text)}
		p, diags := transpile.Load([]transpile.Source{src}, transpile.Options{Package: "p"})
		if p == nil {
			t.Fatal(diags.Err())
		}
		var text bytes.Buffer
		if err := ir.Print(&text, p.IR); err != nil {
			t.Fatal(err)
		}
		if (p.IR.Globals[0].Init != nil) != c.constant || text.Len() > 100000+10*len(c.text) {
			t.Errorf("%s: a constant: %v; the representation has %d bytes", c.name, p.IR.Globals[0].Init != nil, text.Len())
		}
		if got := call(t, transpile.Options{Optimize: 1}, "%f", "", src); got != "#l2" {
			t.Errorf("%s: got %s", c.name, got)
		}
	}
}
