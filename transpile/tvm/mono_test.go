package tvm_test

import (
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// copies loads a module and returns its program, and the copies of each function.
func copies(t *testing.T, text string, disable ...string) (*ir.Program, map[string][]*ir.Function) {
	t.Helper()
	p, diags := transpile.Load([]transpile.Source{{Name: "t.tvm", Text: []byte(text)}}, transpile.Options{Optimize: 1, Verify: true, DisablePasses: disable})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	of := map[string][]*ir.Function{}
	for _, f := range p.IR.Funcs {
		if f.CopyOf != nil {
			of[f.CopyOf.Name] = append(of[f.CopyOf.Name], f)
		}
	}
	return p.IR, of
}

// TestMono checks which copies are made, and that they compute no sizes.
func TestMono(t *testing.T) {
	text, err := os.ReadFile("testdata/mono.tvm")
	if err != nil {
		t.Fatal(err)
	}
	p, of := copies(t, string(text))
	got := map[string]int{}
	for name, list := range of {
		got[name] = len(list)
		for _, f := range list {
			if sig, root := p.Types.At(f.Sig), p.Types.At(f.CopyOf.Sig); len(sig.Fields) >= len(root.Fields) {
				t.Errorf("%s takes %d values, %s %d", f.Name, len(sig.Fields), name, len(root.Fields))
			}
			for _, in := range f.Current().Insts {
				if in.Op == ir.OpAllocaHybrid && name != "@two" {
					t.Errorf("%s has memory whose size it computes", f.Name)
				}
			}
		}
	}
	want := map[string]int{
		"@swap": 3, "@through": 2, "@same": 2, // i32 or what is as large, the padded struct, bool
		"@sort": 1, "@apply2": 5, "@generic": 1, "@second": 1, // known functions make copies of their own
		"@make": 1, "@choose": 1, "@keep": 3,
		"@grow":    8, // and no more
		"@two":     1, // for the first argument
		"@field":   2, // whatever the phantoms are
		"@nothing": 1, "@first": 1, "@divide": 1,
	}
	if !maps.Equal(got, want) {
		t.Errorf("copies %v, want %v", got, want)
	}
	if _, of := copies(t, string(text), "mono"); len(of) > 0 {
		t.Errorf("copies of %v, switched off", slices.Collect(maps.Keys(of)))
	}
}

// TestMonoLimits checks that the number of copies is bounded, and for which types there are copies.
func TestMonoLimits(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       map[string]int
	}{
		{"mutual", `%f = function (%t : type, %n : i32) > uiptr { cond_br (cmp_eq %n #i0) %a %b; block %a: return (sizeof %t);
			block %b: %x = call %g (struct %t %t) (sub %n #i1); return %x; };
			%g = function (%t : type, %n : i32) > uiptr { %x = call %f (struct i8 %t) %n; return %x; };
			%m = function () > uiptr { %x = call %f i64 #i5; return %x; };`, map[string]int{"@f": 4, "@g": 4}},
		{"pointers are one type", `%f = function (%t : type, %p : pointer %t) > %t { %x = load %p; return %x; };
			%m = function (%p : pointer (pointer i8), %q : pointer (pointer i16)) > i32 { %x = call %f (pointer i8) %p;
			%y = call %f (pointer i16) %q; %z = call %f (apply %s) (pointer_cast %q (apply %s)); return #i0; };
			%s = recursive > (pointer (apply %s));`, map[string]int{"@f": 1}},
		{"through a pointer", `%f = function (%t : type) > uiptr { return (sizeof %t); };
			%m = function (%p : pointer (pointer (function (type) > uiptr))) > uiptr { store %f %p; %q = load %p; %x = call %q i8; return %x; };`, map[string]int{}},
		{"large", `%f = function (%t : type) > uiptr { %x = alloca (array %t #up70000); return (sizeof %t); };
			%m = function () > uiptr { %x = call %f i8; return %x; };`, map[string]int{}},
		{"many types", "%f = function (%t : type) > uiptr { return (sizeof (struct i8 %t)); };\n%m = function () > i32 {" +
			repeat(40, "call %f (array i8 #up@);") + "return #i0; };", map[string]int{"@f": 32}},
	} {
		_, of := copies(t, c.text)
		got := map[string]int{}
		for name, list := range of {
			got[name] = len(list)
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: copies %v, want %v", c.name, got, c.want)
		}
	}
}

// repeat is a text several times, with the number for @.
func repeat(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "@", strconv.Itoa(i+1)))
	}
	return b.String()
}

// TestVirtual checks the calls in examples/tvm/bases, shapes and layers, in both styles of virtual functions:
// they are direct and use copies in the functions that make the objects, and no table of functions is read.
func TestVirtual(t *testing.T) {
	for _, name := range []string{"bases", "shapes", "layers"} {
		text, err := os.ReadFile("../../examples/tvm/" + name + "/" + name + ".tvm")
		if err != nil {
			t.Fatal(err)
		}
		for _, disable := range [][]string{nil, {"direct"}} {
			p, diags := transpile.Load([]transpile.Source{{Name: "t.tvm", Text: text}}, transpile.Options{Optimize: 1, Verify: true, DisablePasses: disable})
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			if err := p.Optimized(nil); err != nil {
				t.Fatal(err)
			}
			calls := 0
			v := p.IR.Main.Current()
			for b := range v.Blocks {
				for _, id := range v.Blocks[b].Insts {
					if o := v.Insts[id].Op; o == ir.OpFuncAt || o == ir.OpCall {
						calls++
					}
				}
			}
			if calls > 0 != (disable != nil) {
				t.Errorf("%s without %v: %d calls in main", name, disable, calls)
			}
		}
	}
}
