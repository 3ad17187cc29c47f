package passes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/passes"
)

// TestBounds runs loops with tests of indices before and after the pass, with various
// limits, first indices and steps, and compares how often they go round, where they leave,
// and what they have written by then.
func TestBounds(t *testing.T) {
	const text = `type @A = hybrid<int<64> int<64>>
func @f: (int<64> int<64> int<64> int<64> int<64> int<64>) -> (int<64>)

version @f.v of @f {
^e(%n: int<64>, %len: int<64>, %c: int<64>, %first: int<64>, %step: int<64>, %null: int<64>):
  %a: ref<@A> = newhybrid <@A int<64>> 64:int<64>
  %ai: iref<@A> = getiref <@A> %a
  %af: iref<int<64>> = getfieldiref <@A> #0 %ai
  store.fixed <int<64>> %af %len
  %some: int<1> = eq <int<64>> %null 0:int<64>
  branch2 %some ^h(%a %first 1:int<64>) ^h(null:ref<@A> %first 1:int<64>)
^h(%x: ref<@A>, %i: int<64>, %s: int<64>):
  branch ^l(%i %s)
^l(%j: int<64>, %t: int<64>):
  %go: int<1> = ORDER <int<64>> %j %n
  branch2 %go ^b() ^x(%j %t)
^b():
  %sum: int<64> = add <int<64>> %j %c
  %at: int<64> = zextword %sum
  %xi: iref<@A> = getiref <@A> %x
  %xf: iref<int<64>> = getfieldiref <@A> #0 %xi
  %limit: int<64> = load.fixed <int<64>> %xf
  %in: int<1> = ult <int<64>> %at %limit
  branch2 %in ^y() ^out()
^y():
  %v: iref<int<64>> = getvarpartiref <@A> %xi
  %p: iref<int<64>> = shiftiref <int<64> int<64>> %v %at
  %old: int<64> = load <int<64>> %p
  %w: int<64> = xor <int<64>> %old %t
  store <int<64>> %p %w
  %r: int<64> = mul <int<64>> %t 31:int<64>
  %u: int<64> = add <int<64>> %r %at
  %k: int<64> = add <int<64>> %j %step
  branch ^l(%k %u)
^out():
  %o: int<64> = xor <int<64>> %t %j
  %q: int<64> = sub <int<64>> %o 1:int<64>
  branch ^x(%limit %q)
^x(%y: int<64>, %z: int<64>):
  %e: int<64> = mul <int<64>> %z 31:int<64>
  %g: int<64> = add <int<64>> %e %y
  ret %g
}
`
	for _, order := range []string{"ult", "slt"} {
		text := strings.Replace(text, "ORDER", order, 1)
		once := passes.Options{Level: 1, Disable: []string{"unroll", "fill", "strength"}}
		before, after, all := readText(t, []byte(text)), readText(t, []byte(text)), readText(t, []byte(text))
		optimize(t, after, once)
		optimize(t, all, passes.Options{Level: 1})
		if v := function(after, "@f"); len(analysis.LoopTree(analysis.NewCFG(v)).List) != 2 {
			t.Errorf("%s: the loop has no copy", order)
		}
		for _, n := range []int64{0, 1, 5, 40, -1} {
			for _, length := range []int64{0, 1, 6, 60} {
				for _, c := range []int64{0, 1, 7, -2, 61, -1 << 63} {
					for _, first := range []int64{0, 3, -2} {
						for _, step := range []int64{1, 3, -1} {
							null := int64(0)
							if n == 5 && step == 3 {
								null = 1
							}
							var args []interp.Value
							for _, x := range []int64{n, length, c, first, step, null} {
								args = append(args, interp.Int64(x, 64))
							}
							want := outcomeOf(before, args)
							for name, p := range map[string]*ir.Program{"bounds": after, "all passes": all} {
								if got := outcomeOf(p, args); got != want {
									t.Errorf("%s, %s, of %d, %d, %d, %d, %d, %d: got %s, want %s", order, name, n, length, c, first, step, null, got, want)
								}
							}
						}
					}
				}
			}
		}
	}
}

// outcomeOf is the outcome of a call of @f: results, status, and what is reported.
func outcomeOf(p *ir.Program, args []interp.Value) string {
	var report strings.Builder
	got, status, err := interp.Call(p, "@f", args, interp.Config{Stderr: &report})
	return fmt.Sprint(got, status, err, report.String())
}
