package passes_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/passes"
)

// turns is a loop of 4 turns with the state %x, which begins as the parameter
// of the function; code computes %y from %x, %i and the parameter %n.
func turns(code string) string {
	return `.const @4 <@i64> = 4 .const @5 <@i64> = 5 .const @-1 <@i64> = -1
.funcdef @f VERSION %v <@i_i> { %e(<@i64> %n): BRANCH %h(%n %n @0)
%h(<@i64> %n <@i64> %x <@i64> %i): ` + code + ` %j = ADD <@i64> %i @1 %c = ULT <@i64> %j @4 BRANCH2 %c %h(%n %y %j) %z(%y)
%z(<@i64> %y): RET %y }
`
}

// TestBalance says how many additions are left between the state of a loop in one
// turn and in the next, and how many ANDs there are in a turn.
func TestBalance(t *testing.T) {
	// %s is known three operations after %x, so that the turns wait.
	slow := "%p = MUL <@i64> %x @7 %q = LSHR <@i64> %p @5 %s = XOR <@i64> %q %n "
	for _, tt := range []struct {
		name        string
		code        string
		adds, masks int // -1: not looked at
	}{
		{"what is known late comes last", slow + "%a = ADD <@i64> %s %n %b = ADD <@i64> %a %i %y = ADD <@i64> %b %n", 1, -1},
		{"it is last already", slow + "%a = ADD <@i64> %i %n %b = ADD <@i64> %a %n %y = ADD <@i64> %b %s", 1, -1},
		{"on both sides", slow + "%a = ADD <@i64> %s %i %b = ADD <@i64> %n %n %y = ADD <@i64> %a %b", 1, -1},
		{"a constant", slow + "%a = ADD <@i64> %s %i %y = ADD <@i64> %a @5", 1, -1},
		{"a sum that is read elsewhere stays", slow + "%a = ADD <@i64> %s %n %b = ADD <@i64> %a %i %t = ADD <@i64> %b %n %u = LSHR <@i64> %a @2 %y = XOR <@i64> %t %u", 2, -1},
		{"another operation", slow + "%a = ADD <@i64> %s %n %b = SUB <@i64> %i %a %y = ADD <@i64> %b %n", 2, -1},
		{"a mixture", "%m = XOR <@i64> %x @-1 %a = AND <@i64> %x %n %b = AND <@i64> %m %i %y = XOR <@i64> %a %b", -1, 1},
		{"the other way round", "%m = XOR <@i64> %x @-1 %a = AND <@i64> %m %n %b = AND <@i64> %i %x %y = OR <@i64> %a %b", -1, 1},
		{"added", "%m = XOR <@i64> @-1 %x %a = AND <@i64> %n %x %b = AND <@i64> %i %m %y = ADD <@i64> %b %a", -1, 1},
		{"of something else", "%m = XOR <@i64> %i @-1 %a = AND <@i64> %x %n %b = AND <@i64> %m %n %y = XOR <@i64> %a %b", -1, 2},
		{"not all bits", "%m = XOR <@i64> %x @7 %a = AND <@i64> %x %n %b = AND <@i64> %m %i %y = XOR <@i64> %a %b", -1, 2},
		{"a part that is read elsewhere", "%m = XOR <@i64> %x @-1 %a = AND <@i64> %x %n %b = AND <@i64> %m %i %o = XOR <@i64> %a %b %y = ADD <@i64> %o %a", -1, 2},
	} {
		p := optimized(t, turns(tt.code), passes.Options{Disable: []string{"unroll"}})
		v := function(p, "@f")
		adds, masks := afterState(v)
		if tt.adds >= 0 && adds != tt.adds || tt.masks >= 0 && masks != tt.masks {
			var b strings.Builder
			ir.PrintVersion(&b, p, v)
			t.Errorf("%s: %d additions after the state and %d ANDs, want %d and %d\n%s", tt.name, adds, masks, tt.adds, tt.masks, &b)
		}
		plain := loadText(t, prelude+turns(tt.code))
		for _, n := range []uint64{0, 1, 7, 1<<63 + 12345, ^uint64(0)} {
			args := []interp.Value{interp.Int64(int64(n), 64)}
			want, _, err := interp.Call(plain, "@f", args, interp.Config{})
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := interp.Call(p, "@f", args, interp.Config{})
			if err != nil {
				t.Fatal(err)
			}
			if got[0].Lo != want[0].Lo {
				t.Errorf("%s of %d: got %#x, want %#x", tt.name, n, got[0].Lo, want[0].Lo)
			}
		}
	}
}

// afterState counts the additions on the longest way from the state of the
// loop to what it is in the next turn, and all ANDs of the loop.
func afterState(v *ir.Version) (adds, masks int) {
	for b := range v.Blocks {
		t := v.Term(ir.BlockID(b))
		if v.Blocks[b].Dead || t.Op != ir.OpBranch2 || t.Dests[0].Block != ir.BlockID(b) {
			continue
		}
		far := map[ir.ValueID]int{}
		counter := map[ir.ValueID]bool{}
		for i, p := range v.Blocks[b].Params {
			if d := v.Values[t.Dests[0].Args[i]]; d.Kind == ir.ValueResult && v.Insts[d.Def].Op == ir.OpAdd && v.Insts[d.Def].Args[0] == p {
				counter[p] = true
			}
		}
		for i, p := range v.Blocks[b].Params {
			if !counter[p] && t.Dests[0].Args[i] != p {
				far[p] = 1
			}
		}
		for _, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			n := 0
			for _, a := range in.Args {
				n = max(n, far[a])
			}
			if n > 0 && in.Op == ir.OpAdd {
				n++
			}
			if in.Op == ir.OpAnd {
				masks++
			}
			for _, r := range in.Results {
				far[r] = n
			}
		}
		for _, a := range t.Dests[0].Args {
			adds = max(adds, far[a]-1)
		}
	}
	return adds, masks
}
