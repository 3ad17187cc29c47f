package live

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/osr"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// Each loop of each kernel can leave the engine, unless its body is too large, and the function in which it continues
// is well-formed. That function is made from the text that a unit is made from.
func TestExits(t *testing.T) {
	openUnit = func(string) error { return nil }
	defer func() { openUnit = nil }()
	files, err := filepath.Glob("../../cmd/uvmbench/kernels/*/*.uir")
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	all := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for level := range 2 {
			p, diags := transpile.Load([]transpile.Source{{Name: file, Text: text}}, transpile.Options{Optimize: level})
			if p == nil {
				t.Fatal(diags.Err())
			}
			f, _, err := p.Ready()
			if err != nil {
				t.Fatal(err)
			}
			q := newProgram(f, nil)
			loops := 0
			for _, fn := range f.IR.Funcs {
				if fn.Current() == nil {
					continue
				}
				if k := q.functions[fn].codeOf(); !k.made.cells && !k.made.cookie {
					loops += min(len(k.heads()), k.most())
				}
			}
			exits := q.exits()
			if all += loops; len(exits) != loops {
				t.Errorf("%s at level %d: %d of %d loops can leave", file, level, len(exits), loops)
			}
			var entries []osr.Entry
			for _, x := range exits {
				entries = append(entries, x.entry)
			}
			var b strings.Builder
			osr.Append(&b, entries)
			if err := ir.PrintPlaced(&b, f.IR); err != nil {
				t.Fatal(err)
			}
			entries, rest, err := osr.Cut(b.String())
			if err != nil {
				t.Fatal(err)
			}
			again, diags := transpile.Load([]transpile.Source{{Name: "unit.ir", Text: []byte(rest)}}, transpile.Options{Loops: entries})
			if again == nil {
				t.Errorf("%s at level %d: %v", file, level, diags.Err())
				continue
			}
			for _, fn := range again.IR.Funcs[len(again.IR.Funcs)-len(exits):] {
				if err := verify.Err(verify.Version(again.IR, fn.Current())); err != nil {
					t.Errorf("%s at level %d: %s: %v", file, level, fn.Name, err)
				}
			}
		}
	}
	if all < 300 {
		t.Errorf("%d loops", all)
	}
}

// The cost of exits grows with the size of a body, not with its square: of many loops few can leave, outer ones
// among them.
func TestExitsLinear(t *testing.T) {
	openUnit = func(string) error { return nil }
	defer func() { openUnit = nil }()
	cost := func(n int) int {
		var b strings.Builder
		b.WriteString("func @f: (int<64>) -> ()\nversion @f.v of @f {\n^e(%n: int<64>):\n  branch ^o0(0:int<64>)\n")
		for i := range n {
			fmt.Fprintf(&b, `^o%[1]d(%%i%[1]d: int<64>):
  branch ^h%[1]d(0:int<64>)
^h%[1]d(%%j%[1]d: int<64>):
  %%k%[1]d: int<64> = add <int<64>> %%j%[1]d 1:int<64>
  %%c%[1]d: int<1> = ult <int<64>> %%k%[1]d %%n
  branch2 %%c%[1]d ^h%[1]d(%%k%[1]d) ^l%[1]d()
^l%[1]d():
  %%m%[1]d: int<64> = add <int<64>> %%i%[1]d 1:int<64>
  %%d%[1]d: int<1> = ult <int<64>> %%m%[1]d %%n
  branch2 %%d%[1]d ^o%[1]d(%%m%[1]d) ^o%[2]d(0:int<64>)
`, i, i+1)
		}
		fmt.Fprintf(&b, "^o%d(%%last: int<64>):\n  ret\n}\n", n)
		k, bad := codeOfText(t, b.String())
		if bad != "" {
			t.Fatal(bad)
		}
		list := k.leaving()
		if len(list) == 0 {
			t.Fatalf("no loop of %d can leave", n)
		}
		for _, x := range list[:min(len(list), n)] {
			if name := k.v.Blocks[osr.Blocks(k.v)[x.entry.Head]].Name; name[1] != 'o' {
				t.Errorf("of %d loops in each other, the one at %s can leave and outer ones cannot", n, name)
			}
		}
		return len(list) * len(k.v.Insts)
	}
	if small, large := cost(200), cost(2000); large > 11*small {
		t.Errorf("10 times the loops cost %d instructions instead of %d", large, small)
	}
}
