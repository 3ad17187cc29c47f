package passes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/passes"
)

// loop is the body of a function with a loop of the given number of operations, and
// one more instruction in front of it.
func loop(operations int, first string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "{ %%e(<@i64> %%n): %s BRANCH %%h(%%n @0) ", first)
	b.WriteString("%h(<@i64> %n <@i64> %i): %c = ULT <@i64> %i %n BRANCH2 %c %l(%n %i) %x(%i) %l(<@i64> %n <@i64> %i): ")
	x := "%i"
	for k := range operations {
		fmt.Fprintf(&b, "%%a%d = MUL <@i64> %s %%n %%b%d = XOR <@i64> %%a%d %%n ", k, x, k, k)
		x = fmt.Sprintf("%%b%d", k)
	}
	fmt.Fprintf(&b, "%%j = ADD <@i64> %s @1 BRANCH %%h(%%n %%j) %%x(<@i64> %%i): RET %%i }\n", x)
	return b.String()
}

// products is a chain of n operations, each on the result of the one before.
func products(n int) string {
	var b strings.Builder
	x := "%n"
	for k := range n {
		fmt.Fprintf(&b, "%%p%d = MUL <@i64> %s %%n ", k, x)
		x = fmt.Sprintf("%%p%d", k)
	}
	return b.String()
}

// TestInliningLoops says which bodies with loops are copied into callers.
func TestInliningLoops(t *testing.T) {
	const straight = "{ %e(<@i64> %n): %r = CALL <@i_i> @g.f (%n) RET %r }\n"
	const looping = `{ %e(<@i64> %n): BRANCH %h(%n)
%h(<@i64> %n): %c = ULT <@i64> @7 %n BRANCH2 %c %l(%n) %x(%n)
%l(<@i64> %n): %r = CALL <@i_i> @g.f (%n) BRANCH %h(%r)
%x(<@i64> %n): RET %n }
`
	for _, tt := range []struct {
		name           string
		caller, callee string
		calls          int
	}{
		{"not in a loop", straight, loop(4, ""), 1},
		{"a tiny one", straight, loop(3, ""), 0},
		{"a tiny one that calls something", straight, loop(2, "CALL <@v_v> @unknown ()"), 1},
		{"a small one", looping, loop(4, ""), 0},
		{"a small one after a call", looping, loop(4, "CALL <@v_v> @unknown ()"), 0},
		{"a small one with a call in it", looping, `{ %e(<@i64> %n): BRANCH %l(%n)
%l(<@i64> %n): CALL <@v_v> @unknown () %m = MUL <@i64> %n %n %c = ULT <@i64> %m @7 BRANCH2 %c %x(%m) %l(%m)
%x(<@i64> %m): RET %m }
`, 1},
		{"a larger one that calls nothing", looping, loop(12, ""), 0},
		{"the same that calls something", looping, loop(12, "CALL <@v_v> @unknown ()"), 1},
		{"the same that allocates", looping, loop(12, "%o = NEW <@S> STORE <@rS> @h %o"), 1},
		{"a large one", looping, loop(16, ""), 1},
		{"no loop, but a jump to a block written before", straight, `{ %e(<@i64> %n): %c = ULT <@i64> %n @7 BRANCH2 %c %y(%n) %z(%n)
%x(<@i64> %n): RET %n
%y(<@i64> %n): ` + products(10) + ` BRANCH %x(%p9)
%z(<@i64> %n): %m = SUB <@i64> %n @7 BRANCH %x(%m) }
`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := ".global @h <@rS> .funcdef @f VERSION %v <@i_i> " + tt.caller + ".funcdef @g.f VERSION %v <@i_i> " + tt.callee +
				".funcdef @k VERSION %v <@i_i> " + straight // the only call of a function is another matter
			v := function(optimized(t, text, passes.Options{Origins: &passes.Origins{}}), "@f")
			got := 0
			for b := range v.Blocks {
				for _, id := range v.Blocks[b].Insts {
					if in := &v.Insts[id]; in.Op == ir.OpCall && v.Values[in.Args[0]].Const.Func.Name == "@g.f" {
						got++
					}
				}
			}
			if got != tt.calls {
				t.Errorf("%d calls left, want %d", got, tt.calls)
			}
		})
	}
}

// TestRecursion counts the copies of a function in itself: each has one FENCE.
func TestRecursion(t *testing.T) {
	self := func(code string) string {
		return `{ %e(<@i64> %n): FENCE SEQ_CST %c = EQ <@i64> %n @0 BRANCH2 %c %x(%n) %y(%n)
%y(<@i64> %n): ` + code + `
%z(<@i64> %n): %m = SUB <@i64> %n @1 %r = CALL <@i_i> @f (%m) RET %r
%x(<@i64> %n): RET %n }
`
	}
	const goOn = " BRANCH %z(%n)"
	mul := func(n int) string {
		var b strings.Builder
		for k := range n {
			fmt.Fprintf(&b, "%%a%d = MUL <@i64> %%n @7 STORE <@i64> @g %%a%d FENCE RELEASE ", k, k)
		}
		return b.String()
	}
	const calls = " %r = CALL <@i_i> @g.f (%n) BRANCH %z(%r)"
	for _, tt := range []struct {
		name, code string
		copies     int
	}{
		{"a small body", goOn, 5},
		{"a large one", mul(60) + goOn, 3},
		{"one that will be large", mul(40) + calls, 3},
		{"too large", mul(110) + goOn, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := ".funcdef @f VERSION %v <@i_i> " + self(tt.code) + ".funcdef @g.f VERSION %v <@i_i> { %e(<@i64> %n): " + mul(8) + "RET %n }" +
				".funcdef @k VERSION %v <@i_i> { %e(<@i64> %n): %r = CALL <@i_i> @g.f (%n) RET %r }"
			v := function(optimized(t, text, passes.Options{Origins: &passes.Origins{}}), "@f")
			got := 0
			for b := range v.Blocks {
				for _, id := range v.Blocks[b].Insts {
					if in := &v.Insts[id]; in.Op == ir.OpFence && in.Ord == ir.SeqCst {
						got++
					}
				}
			}
			if got != tt.copies {
				t.Errorf("%d copies, want %d", got, tt.copies)
			}
		})
	}
}

// TestInliningRoom has rows of calls of small functions, straight and recursive, that are each worth
// a copy, but would make a program of many such rows twenty times as large.
func TestInliningRoom(t *testing.T) {
	rows := func(n int) string {
		var b strings.Builder
		b.WriteString(".funcdef @g.f VERSION %v <@i_i> { %e(<@i64> %n): " + products(28) + "RET %p27 }\n")
		for f := range n {
			fmt.Fprintf(&b, ".funcdef @r%d VERSION %%v <@i_i> { %%e(<@i64> %%n): ", f)
			x := "%n"
			for k := range 40 {
				fmt.Fprintf(&b, "%%p%d = CALL <@i_i> @g.f (%s) ", k, x)
				x = fmt.Sprintf("%%p%d", k)
			}
			fmt.Fprintf(&b, "RET %s }\n.funcdef @s%d VERSION %%v <@i_i> { %%e(<@i64> %%n): %%m = SUB <@i64> %%n @1 %%c = EQ <@i64> %%n @0 BRANCH2 %%c %%x(%%n) %%y(%%m)\n", x, f)
			fmt.Fprintf(&b, "%%y(<@i64> %%m): %%r = CALL <@i_i> @s%d (%%m) RET %%r\n%%x(<@i64> %%m): RET %%m }\n", f)
		}
		return b.String()
	}
	insts := func(p *ir.Program) (n int) {
		for _, f := range p.Funcs {
			if v := f.Current(); v != nil {
				for b := range v.Blocks {
					n += len(v.Blocks[b].Insts)
				}
			}
		}
		return n
	}
	for _, tt := range []struct{ rows, least, most int }{
		{3, 10, 30},  // within the room that every program has
		{300, 4, 10}, // 14,400 instructions
	} {
		before := insts(optimized(t, rows(tt.rows), passes.Options{Disable: []string{"inline"}, Origins: &passes.Origins{}}))
		after := insts(optimized(t, rows(tt.rows), passes.Options{Origins: &passes.Origins{}}))
		if after < tt.least*before || after > tt.most*before {
			t.Errorf("%d rows: %d instructions, %d with copies", tt.rows, before, after)
		}
	}
}
