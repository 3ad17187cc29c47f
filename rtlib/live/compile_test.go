package live

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// codeOfText makes the code of function @f of a text of the representation.
func codeOfText(t *testing.T, text string) (*code, string) {
	t.Helper()
	p, err := ir.Parse(diag.NewSet(), "prog.ir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	q := newProgram(facts.Of(p, facts.Options{}), nil)
	return q.compile(q.functions[p.Entities["@f"].(*ir.Function)])
}

// TestCompile compares the names of the instructions.
func TestCompile(t *testing.T) {
	const node = "type @node = struct<int<64> ref<@node>>\ntype @list = array<int<32> 100>\n"
	for _, c := range []struct{ name, text, want string }{
		{"a comparison and its branch are one instruction, the other way round if its destination comes next", `
func @f: (int<64>) -> (int<64>)
version @f.v of @f {
^e(%x: int<64>):
  %c: int<1> = slt <int<64>> %x 10:int<64>
  branch2 %c ^a() ^b()
^a():
  ret 1:int<64>
^b():
  ret 2:int<64>
}`, "JSGEI Imm Ret1 Imm Ret1"},
		{"an access computes its address, and a variable of a loop that is not used after it is not moved", node + `
func @f: (ref<@node> int<64>) -> (int<64>)
version @f.v of @f {
^e(%l: ref<@node>, %n: int<64>):
  branch ^loop(%l 0:int<64>)
^loop(%p: ref<@node>, %s: int<64>):
  %end: int<1> = eq <ref<@node>> %p null:ref<@node>
  branch2 %end ^done() ^next()
^next():
  %i: iref<@node> = getiref <@node> %p
  %v: iref<int<64>> = getfieldiref <@node> #0 %i
  %m: iref<ref<@node>> = getfieldiref <@node> #1 %i
  %x: int<64> = load <int<64>> %v
  %q: ref<@node> = load <ref<@node>> %m
  %t: int<64> = add <int<64>> %s %x
  branch ^loop(%q %t)
^done():
  ret %s
}`, "Imm JNull Load64 LoadR Add Mov Loop Ret1"},
		{"an index is part of the access", node + `
func @f: (iref<@list> int<64>) -> (int<64>)
version @f.v of @f {
^e(%l: iref<@list>, %i: int<64>):
  %a: iref<int<32>> = getelemiref <@list int<64>> %l %i
  %b: iref<int<32>> = shiftiref <int<32> int<64>> %a 3:int<64>
  %x: int<32> = load <int<32>> %b
  %y: int<64> = zext <int<32> int<64>> %x
  ret %y
}`, "Load32X Ret1"},
		{"the address of a row is computed once, and the access adds the index of a column", node + `
func @f: (iref<@list> int<64>) -> ()
version @f.v of @f {
^e(%l: iref<@list>, %i: int<64>):
  %r: iref<@list> = shiftiref <@list int<64>> %l %i
  %c: iref<int<32>> = getelemiref <@list int<64>> %r 0:int<64>
  branch ^loop(0:int<64>)
^loop(%j: int<64>):
  %a: iref<int<32>> = shiftiref <int<32> int<64>> %c %j
  %x: int<32> = load <int<32>> %a
  %y: int<32> = add <int<32>> %x 1:int<32>
  store <int<32>> %a %y
  %k: int<64> = add <int<64>> %j 1:int<64>
  %m: int<1> = slt <int<64>> %k 100:int<64>
  branch2 %m ^loop(%k) ^done()
^done():
  ret
}`, "LeaX Imm Load32X AddI32 Store32X AddI JSLTI Ret Loop"},
		{"variables that change places go by way of a third word", `
func @f: (int<64> int<64> int<64>) -> (int<64>)
version @f.v of @f {
^e(%x: int<64>, %y: int<64>, %n: int<64>):
  branch ^loop(%x %y %n)
^loop(%a: int<64>, %b: int<64>, %k: int<64>):
  %m: int<64> = sub <int<64>> %k 1:int<64>
  %c: int<1> = eq <int<64>> %m 0:int<64>
  branch2 %c ^done() ^again()
^again():
  branch ^loop(%b %a %m)
^done():
  ret %a
}`, "SubI JEQI Mov Mov Mov Loop Ret1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, bad := codeOfText(t, c.text)
			if bad != "" {
				t.Fatal(bad)
			}
			var got []string
			for _, x := range k.ins {
				got = append(got, opNames[single[x.op]])
			}
			if cap(k.ins) == len(k.ins) {
				t.Error("the pointer after the last instruction is outside of the code")
			}
			if g := strings.Join(got, " "); g != c.want {
				t.Errorf("got  %s\nwant %s\n%s", g, c.want, k)
			}
		})
	}
}

// TestTooManyWords compiles a body that has more variables than a frame has room for.
func TestTooManyWords(t *testing.T) {
	var b strings.Builder
	b.WriteString("global @g: int<64>\nfunc @f: () -> (int<64>)\nversion @f.v of @f {\n^e():\n")
	const n = maxWords
	for i := range n {
		fmt.Fprintf(&b, "  %%x%d: int<64> = load <int<64>> @g\n", i)
	}
	b.WriteString("  %s0: int<64> = add <int<64>> %x0 %x0\n")
	for i := range n {
		fmt.Fprintf(&b, "  %%s%d: int<64> = add <int<64>> %%s%d %%x%d\n", i+1, i, i)
	}
	fmt.Fprintf(&b, "  ret %%s%d\n}\n", n)
	if _, bad := codeOfText(t, b.String()); !strings.Contains(bad, "@f.v has too many variables") {
		t.Errorf("got %q", bad)
	}
}

// TestChains counts the reads of the accesses along a chain of addresses, each link of which is used: a chain
// twice as long has twice as many.
func TestChains(t *testing.T) {
	reads := func(links int, step string) (n int) {
		var b strings.Builder
		b.WriteString("func @f: (iref<int<64>> int<64>) -> ()\nversion @f.v of @f {\n^e(%p0: iref<int<64>>, %d: int<64>):\n")
		for i := range links {
			fmt.Fprintf(&b, "  %%p%d: iref<int<64>> = shiftiref <int<64> int<64>> %%p%d %s\n  store <int<64>> %%p%d 1:int<64>\n", i+1, i, step, i+1)
		}
		b.WriteString("  ret\n}\n")
		p, err := ir.Parse(diag.NewSet(), "prog.ir", []byte(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		q := newProgram(facts.Of(p, facts.Options{}), nil)
		f := q.functions[p.Entities["@f"].(*ir.Function)]
		v := f.ir.Current()
		c := &compiler{room: new(room), types: q.types, p: q, f: f, v: v, cfg: analysis.NewCFG(v)}
		c.prepare()
		for _, id := range v.Blocks[0].Insts {
			c.reads(id, func(ir.ValueID) { n++ })
		}
		return n
	}
	for _, step := range []string{"%d", "1:int<64>"} {
		if a, b := reads(200, step), reads(400, step); b > 2*a+a/10 {
			t.Errorf("shifts by %s: %d reads for 200 links, %d for 400", step, a, b)
		}
	}
}
