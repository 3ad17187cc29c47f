package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ial/verify"
)

// TestLoads: each load of literals takes its own type and no other.
func TestLoads(t *testing.T) {
	var scalars, arrays int
	for op := range module.NumOps {
		row := module.Ops[op]
		var types module.Types
		own := types.Basic(row.Literal).String()
		if !row.Target || row.Literal == module.Void {
			continue
		}
		for kind := module.Int8; kind <= module.Float64; kind++ {
			other := types.Basic(kind).String()
			literal, suffix, wants := "(1)", "", own
			if row.Operand == module.OperandLiterals {
				arrays++
				literal, suffix = "(1, 2)", "[]"
				wants = fmt.Sprintf("%s[], %[1]s*, %[1]s[2] or %[1]s{2}", own)
			} else {
				scalars++
			}
			if other == own {
				check(t, fmt.Sprintf("function void f() { register %s%s x; block entry { x = %s %s; leave; } }", own, suffix, op, literal), nil)
				continue
			}
			advice := ""
			if suffix == "" && (kind == module.Int || kind == module.Uint) {
				advice = "; load an int64 or uint64 and conv it"
			}
			check(t, fmt.Sprintf("function void f() { register %s%s x; block entry { @x = %s %s; leave; } }", other, suffix, op, literal),
				[]string{fmt.Sprintf("function f, block entry, %s: x is %s%s, want %s%s (V%d)", op, other, suffix, wants, advice, map[string]int{"": 28, "[]": 29}[suffix])})
		}
	}
	if scalars != 10*12 || arrays != 10*12 {
		t.Errorf("%d scalars, %d arrays", scalars, arrays)
	}
}

// TestFamilies: operations that differ only in what they compute accept the same types.
func TestFamilies(t *testing.T) {
	for _, f := range []struct {
		ops  string
		rule int
		form string // of an instruction; %s is the operation
		good string // sets of registers for R, S and so on
		bad  string // the first of which is wrong
	}{
		{"ari.add ari.sub ari.mul ari.div ari.rem", 34, "R = %s @R, R;", "i j u k f e i8 ui8", "s a v2 q t2 sv"},
		{"ari.neg not", 34, "R = %s @R;", "i j u k f e i8 ui8", "p s a v2 q t2 sv"},
		{"ari.mul ari.div ari.rem", 34, "p = %s @R, u;", "", "p pj"},
		{"bit.and bit.or bit.xor", 35, "R = %s @R, R;", "i j u k i8 ui8", "f e p s a v2 q t2 sv"},
		{"bit.neg", 35, "R = %s @R;", "i j u k i8 ui8", "f e p s a v2 q t2 sv"},
		{"shl shr rol ror", 36, "R = %s @R, u;", "i j u k i8 ui8", "f e p s a v2 q t2 sv"},
		{"shl shr rol ror", 36, "i = %s i, @R;", "u", "i j k ul f p s"},
		{"cmp.eq cmp.neq", 37, "u = %s @R, R;", "i j u k f e p ps q qc", "s a v2 t2 sv"},
		{"cmp.lt cmp.gt cmp.lteq cmp.gteq", 37, "u = %s @R, R;", "i j u k f e p ps", "q qc s a v2 t2 sv"},
		{"cmp.eq cmp.neq cmp.lt cmp.gt cmp.lteq cmp.gteq", 37, "@R = %s i, i2;", "u", "i k ul f p"},
		{"array.ari.add array.ari.sub array.ari.mul array.ari.div array.ari.rem", 43, "%s @R, R, R;", "a ua fa ja v2 uv t2", "sa qa st"},
		{"array.ari.add array.ari.sub", 43, "%s pa, pa, @R;", "u ua uv", "i k pa a fa"},
		{"array.ari.mul array.ari.div array.ari.rem", 43, "%s @R, R, R;", "", "pa"},
		{"array.ari.mul array.ari.div array.ari.rem array.bit.and array.bit.or array.bit.xor", 43, "%s a, a, @R;", "i a v2 t2", "u ua f fa"},
		{"array.ari.neg array.not", 43, "%s @R, R;", "a ua fa ja v2 uv t2", "pa sa qa st"},
		{"array.bit.and array.bit.or array.bit.xor", 43, "%s @R, R, R;", "a ua ja v2 uv t2", "fa pa sa qa st"},
		{"array.bit.neg", 43, "%s @R, R;", "a ua ja v2 uv t2", "fa pa sa qa st"},
		{"array.shl array.shr array.rol array.ror", 43, "%s @R, R, u;", "a ua ja v2 uv t2", "fa pa sa qa st"},
		{"array.shl array.shr array.rol array.ror", 43, "%s a, a, @R;", "u ua uv", "i k a fa pa"},
		{"array.cmp.eq array.cmp.neq", 44, "%s ua, @R, R;", "a ua fa ja v2 uv t2 pa qa", "sa st"},
		{"array.cmp.lt array.cmp.gt array.cmp.lteq array.cmp.gteq", 44, "%s ua, @R, R;", "a ua fa ja v2 uv t2 pa", "sa st qa"},
		{"array.cmp.eq array.cmp.neq array.cmp.lt array.cmp.gt array.cmp.lteq array.cmp.gteq", 44, "%s @R, a, i;", "ua uv", "a fa ja v2 u"},
	} {
		for _, op := range strings.Fields(f.ops) {
			for _, set := range []struct {
				regs string
				fits bool
			}{{f.good, true}, {f.bad, false}} {
				for _, r := range strings.Fields(set.regs) {
					body := strings.ReplaceAll(fmt.Sprintf(f.form, op), "R", r)
					plain, at := marked((&row{body: body}).text())
					p, diags := assembled("m.ial", plain)
					if p == nil {
						t.Fatal(diags.Err())
					}
					verify.Program(p, diags)
					all := diags.All()
					switch {
					case set.fits && len(all) > 0:
						t.Errorf("%s: %s", body, all[0].Msg)
					case !set.fits && (len(all) != 1 || int(all[0].Pos.Off) != at[0] || !strings.HasSuffix(all[0].Msg, fmt.Sprintf("(V%d)", f.rule))):
						t.Errorf("%s: %d faults, %v", body, len(all), diags.Err())
					}
				}
			}
		}
	}
}
