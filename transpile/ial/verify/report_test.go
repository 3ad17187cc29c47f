package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ial/verify"
)

// TestReport has whole reports, with the other places that they name.
func TestReport(t *testing.T) {
	const text = `type T { field static int8 'data'; }
function ssa void 'two words'(uint)
{
    register uint c; register int8 x; register int8 x2; register int8 y;
    block entry { c = arg.pop; jump.cond c (left, join); }
    block left { x = load.i8 (1); x = load.i8 (2); jump (join); }
    block join { x2 = ari.neg x2; jump ('unit test'); }
    block 'unit test' { eh.rethrow; }
    block late { y = field.get x (T:'data'); leave; }
}
`
	p, diags := assembled("m.ial", text)
	if p == nil {
		t.Fatal(diags.Err())
	}
	verify.Program(p, diags)
	var got strings.Builder
	if err := diags.Print(&got); err != nil {
		t.Fatal(err)
	}
	const want = `m.ial:6:35: function 'two words', block left, load.i8: x is assigned twice, but the function is ssa (V1)
	assigned before at m.ial:6:18
m.ial:7:31: function 'two words', block join, ari.neg: x2 is used before it is assigned (V1)
	assigned at m.ial:7:18
m.ial:8:25: function 'two words', block 'unit test', eh.rethrow: block join branches here, but no exception leads to it (V16)
	branch at m.ial:7:41
m.ial:9:35: function 'two words', block late, field.get: 'data' is a static member, want an instance member; use field.static.* (V47)
	declared at m.ial:1:28
`
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

// TestModules: types and functions of other modules have their module in front.
func TestModules(t *testing.T) {
	check(t, `type Weak {} function void f() { register mci/Weak& w; register Weak& own; block entry { @w = copy own; leave; } }`,
		[]string{"function f, block entry, copy: w is mci/Weak&, want Weak& like own (V33)"})
	check(t, `function void f() { block entry { @invoke (mci/gc_set_free_callback); leave; } }`,
		[]string{"function f, block entry, invoke: mci/gc_set_free_callback wants 2 arguments, but arg.push gives it 0 (V19)"})
}

// TestTooLarge: sizes that double with each definition are an error that names one.
func TestTooLarge(t *testing.T) {
	var text strings.Builder
	text.WriteString("type t0 { field int64 a; }\n")
	for i := 1; i <= 60; i++ {
		mark := ""
		if i == 17 {
			mark = "@"
		}
		fmt.Fprintf(&text, "type %st%d { field t%d a; field t%d b; }\n", mark, i, i-1, i-1)
	}
	text.WriteString("function t60 f() { register t60 r; block entry { return r; } }")
	check(t, text.String(), []string{"type t17 is too large: it has more than 65536 scalars, those of its members counted, of a static array those of one element"})
}
