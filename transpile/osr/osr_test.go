package osr_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/osr"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// The outer loop computes what the inner one uses: by an instruction, by a call that may throw, and as its own
// parameter. The address of the cell is computed before both.
const nested = `
type @pair = struct<int<64> int<64>>
type @one = (int<64>) -> (int<64>)
global @cell: @pair
func @square: @one
version @square.v of @square {
^e(%x: int<64>):
  %y: int<64> = mul <int<64>> %x %x
  ret %y
}
func @f: @one
version @f.v of @f {
^e(%n: int<64>):
  %a: iref<int<64>> = getfieldiref <@pair> #1 @cell
  branch ^outer(0:int<64> 0:int<64>)
^outer(%i: int<64>, %s: int<64>):
  %more: int<1> = ult <int<64>> %i %n
  branch2 %more ^body() ^done()
^body():
  %odd: int<64> = add <int<64>> %i %i
  %sq: int<64> = call <@one> @square %i exc ^to() ^caught()
^to():
  branch ^inner(0:int<64> %s)
^inner(%j: int<64>, %t: int<64>):
  %p: int<64> = mul <int<64>> %j %sq
  %q: int<64> = add <int<64>> %p %odd
  %u: int<64> = add <int<64>> %t %q
  store <int<64>> %a %u
  %k: int<64> = add <int<64>> %j 1:int<64>
  %again: int<1> = ule <int<64>> %k %i
  branch2 %again ^inner(%k %u) ^left()
^left():
  %m: int<64> = add <int<64>> %i 1:int<64>
  branch ^outer(%m %u)
^caught() [%exc: ref<void>]:
  throw %exc
^done():
  %last: int<64> = load <int<64>> %a
  %sum: int<64> = add <int<64>> %last %s
  ret %sum
}
`

// state is where the loops of @f are.
type state struct{ n, i, s, j, t, cell uint64 }

// from continues with @f, at the head of the inner loop or of the outer one.
func (x state) from(inner bool) uint64 {
	for ; inner || x.i < x.n; x.i++ {
		if !inner {
			x.j, x.t = 0, x.s
		}
		for inner = true; inner; inner = x.j <= x.i {
			x.t += x.j*x.i*x.i + 2*x.i
			x.cell = x.t
			x.j++
		}
		x.s = x.t
	}
	return x.cell + x.s
}

// load reads the program, and gives its @f, which is the last function.
func load(t *testing.T) (*ir.Program, *ir.Version) {
	t.Helper()
	p, diags := transpile.Load([]transpile.Source{{Name: "nested.ir", Text: []byte(nested)}}, transpile.Options{})
	if p == nil {
		t.Fatal(diags.Err())
	}
	return p.IR, p.IR.Funcs[1].Current()
}

// entryAt makes the entry at a head: its parameters are the values that are alive, except the address.
func entryAt(t *testing.T, v *ir.Version, name string) osr.Entry {
	t.Helper()
	number := map[ir.ValueID]int{}
	for i, x := range osr.Values(v) {
		number[x] = i
	}
	c := analysis.NewCFG(v)
	for n, b := range osr.Blocks(v) {
		if v.Blocks[b].Name != name {
			continue
		}
		e := osr.Entry{Func: 1, Head: n}
		alive, _ := osr.Alive(v, b, c.Dominates)
		for _, x := range alive {
			if v.LocalName(x) == "a" {
				e.Again = append(e.Again, number[x])
			} else {
				e.Params = append(e.Params, number[x])
			}
		}
		return e
	}
	t.Fatalf("no block %s", name)
	return osr.Entry{}
}

// A function that begins at the head of a loop continues as the original does there.
func TestAdd(t *testing.T) {
	for _, test := range []struct {
		head  string
		alive string
		inner bool
	}{
		{"%outer", "i s n", false},
		{"%inner", "j t n i s more odd sq", true}, // s and more are computed anew before they are used
	} {
		p, v := load(t)
		e := entryAt(t, v, test.head)
		values, names := osr.Values(v), ""
		for _, n := range e.Params {
			names += " " + v.LocalName(values[n])
		}
		if names != " "+test.alive || len(e.Again) != 1 {
			t.Fatalf("%s: alive are%s and %d addresses, want %s and 1", test.head, names, len(e.Again), test.alive)
		}
		if err := osr.Add(p, []osr.Entry{e}); err != nil {
			t.Fatal(err)
		}
		f := p.Funcs[len(p.Funcs)-1]
		if err := verify.Err(verify.Version(p, f.Current())); err != nil {
			t.Fatal(err)
		}
		if f.Root().Name != "@f" || f.Current().Name != v.Name || f.Current().ID != v.ID {
			t.Errorf("%s: it is %s of %s, not %s of @f", test.head, f.Current().Name, f.Root().Name, v.Name)
		}
		for _, x := range []state{{n: 9, i: 3, s: 100, j: 2, t: 7}, {n: 3, i: 2, j: 2}, {n: 1, i: 0}, {n: 20, i: 19, s: 1, j: 5}} {
			have := map[string]uint64{"n": x.n, "i": x.i, "s": x.s, "j": x.j, "t": x.t, "odd": 2 * x.i, "sq": x.i * x.i}
			var args []interp.Value
			for _, n := range e.Params {
				bits := p.Types.At(v.Values[values[n]].Type).Bits
				args = append(args, interp.Int64(int64(have[v.LocalName(values[n])]), bits))
			}
			p.Entities[f.Name] = f // for the interpreter
			got, _, err := interp.Call(p, f.Name, args, interp.Config{})
			if err != nil {
				t.Fatal(err)
			}
			if want := x.from(test.inner); got[0].Lo != want {
				t.Errorf("%s%+v is %d, want %d", test.head, x, got[0].Lo, want)
			}
		}
	}
}

// Entries that Append has written are read back, whatever text follows.
func TestCut(t *testing.T) {
	want := []osr.Entry{{Func: 1, Head: 2, Params: []int{3, 4}, Again: []int{5}}, {Func: 6, Head: 7, Again: []int{8}}, {Head: 1, Params: []int{9}}, {Func: 2, Head: 3}}
	var b strings.Builder
	osr.Append(&b, want)
	got, rest, err := osr.Cut(b.String() + "program 7 8\nloop")
	if err != nil || rest != "program 7 8\nloop" || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %q, %v", got, rest, err)
	}
	for _, bad := range []string{"loop 1 2 3;\n", "loop 1 x ; ;\n", "loop 1 2 3,y; ;\n"} {
		if _, _, err := osr.Cut(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// What is not in the program, or cannot be a parameter, is an error.
func TestAddErrors(t *testing.T) {
	catching := 0
	_, v := load(t)
	for v.Blocks[osr.Blocks(v)[catching]].Exc == 0 {
		catching++
	}
	for name, change := range map[string]func(e *osr.Entry){
		"function":             func(e *osr.Entry) { e.Func = 2 },
		"block":                func(e *osr.Entry) { e.Head = 99 },
		"the entry":            func(e *osr.Entry) { e.Head = 0 },
		"a catching block":     func(e *osr.Entry) { e.Head = catching },
		"value":                func(e *osr.Entry) { e.Params[0] = 999 },
		"no value of the head": func(e *osr.Entry) { e.Params = e.Params[1:] },
		"a parameter again":    func(e *osr.Entry) { e.Again = []int{e.Params[0]} },
	} {
		p, v := load(t)
		e := entryAt(t, v, "%inner")
		change(&e)
		if err := osr.Add(p, []osr.Entry{e}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
