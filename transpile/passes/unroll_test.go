package passes_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/passes"
)

// TestUnroll says how many copies of loops there are, and compares what they
// compute in any number of turns with what they did before.
func TestUnroll(t *testing.T) {
	const cells = `.typedef @arr = array<@i64 64> .global @cells <@arr> `
	for _, tt := range []struct {
		name   string
		body   string // of @f(%n); a MUL for each copy
		copies int
	}{
		{"a value passed to the exit", `%e(<@i64> %n): BRANCH %h(%n @0 @1)
%h(<@i64> %n <@i64> %i <@i64> %s): %c = ULT <@i64> %i %n BRANCH2 %c %l(%n %i %s) %x(%s)
%l(<@i64> %n <@i64> %i <@i64> %s): %m = MUL <@i64> %s @7 %t = XOR <@i64> %m %i %j = ADD <@i64> %i @1 BRANCH %h(%n %j %t)
%x(<@i64> %s): RET %s`, 4},
		{"results used after the exit", `%e(<@i64> %n): BRANCH %h(%n @0 @1)
%h(<@i64> %n <@i64> %i <@i64> %s): %m = MUL <@i64> %s @7 %t = XOR <@i64> %m %i %j = ADD <@i64> %i @1
 %c = ULT <@i64> %j %n BRANCH2 %c %h(%n %j %t) %x(%n %m %t %j %s)
%x(<@i64> %n <@i64> %m <@i64> %t <@i64> %j <@i64> %s): %a = SUB <@i64> %m %s %b = ADD <@i64> %t %j %d = XOR <@i64> %a %b %q = ULT <@i64> %d %n BRANCH2 %q %y(%d) %z(%d %m %j)
%y(<@i64> %d): RET %d
%z(<@i64> %d <@i64> %m <@i64> %j): %r = ADD <@i64> %m %j RET %r`, 4},
		{"two exits that meet", `%e(<@i64> %n): BRANCH %h(%n @0 @1)
%h(<@i64> %n <@i64> %i <@i64> %s): %c = ULT <@i64> %i %n BRANCH2 %c %l(%n %i %s) %x(%i %s)
%l(<@i64> %n <@i64> %i <@i64> %s): %m = MUL <@i64> %s @7 %t = XOR <@i64> %m %i %j = ADD <@i64> %i @1 %q = ULT <@i64> %m %i BRANCH2 %q %y(%t %i) %h(%n %j %t)
%y(<@i64> %t <@i64> %i): %z = ADD <@i64> %t @7 BRANCH %x(%i %z)
%x(<@i64> %i <@i64> %s): %r = XOR <@i64> %i %s RET %r`, 4},
		{"a way within", `%e(<@i64> %n): BRANCH %h(%n @0 @1)
%h(<@i64> %n <@i64> %i <@i64> %s): %c = ULT <@i64> %i %n BRANCH2 %c %l(%n %i %s) %x(%s)
%l(<@i64> %n <@i64> %i <@i64> %s): %j = ADD <@i64> %i @1 %b = AND <@i64> %i @1 %q = EQ <@i64> %b @0 BRANCH2 %q %h(%n %j %s) %o(%n %j %s)
%o(<@i64> %n <@i64> %j <@i64> %s): %m = MUL <@i64> %s %s %t = ADD <@i64> %m %j BRANCH %h(%n %j %t)
%x(<@i64> %s): RET %s`, 4},
		{"accesses", `%e(<@i64> %n): %k = AND <@i64> %n @63 BRANCH %h(%k @0)
%h(<@i64> %n <@i64> %i): %c = ULT <@i64> %i %n BRANCH2 %c %l(%n %i) %x(%n)
%l(<@i64> %n <@i64> %i): %p = GETELEMIREF <@arr @i64> @cells %i %v = LOAD <@i64> %p %m = MUL <@i64> %i %i %w = ADD <@i64> %v %m
 %j = ADD <@i64> %i @1 %q = GETELEMIREF <@arr @i64> @cells %j STORE <@i64> %q %w BRANCH %h(%n %j)
%x(<@i64> %n): %p = GETELEMIREF <@arr @i64> @cells %n %v = LOAD <@i64> %p RET %v`, 4},
		{"parameters that change places", `%e(<@i64> %n): BRANCH %h(%n @0 @1 @2 @7)
%h(<@i64> %n <@i64> %i <@i64> %a <@i64> %b <@i64> %d): %m = MUL <@i64> %a %b %s = ADD <@i64> %m %d %j = ADD <@i64> %i @1
 %c = ULT <@i64> %j %n BRANCH2 %c %h(%n %j %b %d %s) %x(%a %b %d)
%x(<@i64> %a <@i64> %b <@i64> %d): %s = SUB <@i64> %a %b %r = XOR <@i64> %s %d RET %r`, 4},
		{"a loop after a loop", `%e(<@i64> %n): BRANCH %h(%n @0 @1)
%h(<@i64> %n <@i64> %i <@i64> %s): %m = MUL <@i64> %s @7 %t = ADD <@i64> %m %i %j = ADD <@i64> %i @1 %c = ULT <@i64> %j %n BRANCH2 %c %h(%n %j %t) %k(%n %i %m %t %n)
%k(<@i64> %n <@i64> %i <@i64> %m <@i64> %t <@i64> %z): %w = LSHR <@i64> %z @1 %c = ULT <@i64> %i %w BRANCH2 %c %k(%n %i %m %t %w) %x(%m %t %w %i)
%x(<@i64> %m <@i64> %t <@i64> %w <@i64> %i): %a = ADD <@i64> %m %t %b = XOR <@i64> %w %i %r = ADD <@i64> %a %b RET %r`, 4},
		{"a call stays alone", `%e(<@i64> %n): BRANCH %h(%n @0 @1)
%h(<@i64> %n <@i64> %i <@i64> %s): %c = ULT <@i64> %i %n BRANCH2 %c %l(%n %i %s) %x(%s)
%l(<@i64> %n <@i64> %i <@i64> %s): CALL <@v_v> @unknown () %m = MUL <@i64> %s @7 %j = ADD <@i64> %i @1 BRANCH %h(%n %j %m)
%x(<@i64> %s): RET %s`, 1},
		{"so does an access that others order", `%e(<@i64> %n): BRANCH %h(%n @0 @1)
%h(<@i64> %n <@i64> %i <@i64> %s): %c = ULT <@i64> %i %n BRANCH2 %c %l(%n %i %s) %x(%s)
%l(<@i64> %n <@i64> %i <@i64> %s): %g = LOAD RELAXED <@i64> @g %m = MUL <@i64> %s @7 %j = ADD <@i64> %i @1 BRANCH %h(%n %j %m)
%x(<@i64> %s): RET %s`, 1},
		{"and a switch", `%e(<@i64> %n): BRANCH %h(%n @0 @1)
%h(<@i64> %n <@i64> %i <@i64> %s): %m = MUL <@i64> %s @7 %j = ADD <@i64> %i @1 %c = ULT <@i64> %j %n %w = ZEXT <@i1 @i64> %c SWITCH <@i64> %w %x(%m) { @1 %h(%n %j %m) @7 %x(%s) }
%x(<@i64> %s): RET %s`, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := cells + ".const @63 <@i64> = 63 .funcdef @f VERSION %v <@i_i> { " + tt.body + " }\n"
			if got := ops(function(optimized(t, text, passes.Options{}), "@f"))[ir.OpMul]; got != tt.copies {
				t.Errorf("%d copies, want %d", got, tt.copies)
			}
			for _, op := range []ir.Op{ir.OpZExtWord, ir.OpSExtWord} {
				p := loadText(t, prelude+text)
				inWords(p, op)
				if got := ops(function(optimize(t, p, passes.Options{}), "@f"))[ir.OpMul]; got != tt.copies {
					t.Errorf("with %v: %d copies, want %d", op, got, tt.copies)
				}
			}
			if tt.copies == 1 {
				return
			}
			for n := range 14 {
				// Programs of their own: one has written to the cells.
				args := []interp.Value{interp.Int64(int64(n), 64)}
				want, _, err := interp.Call(loadText(t, prelude+text), "@f", args, interp.Config{})
				if err != nil {
					t.Fatal(err)
				}
				got, _, err := interp.Call(optimized(t, text, passes.Options{}), "@f", args, interp.Config{})
				if err != nil {
					t.Fatal(err)
				}
				if got[0].Lo != want[0].Lo {
					t.Errorf("of %d: got %#x, want %#x", n, got[0].Lo, want[0].Lo)
				}
			}
		})
	}
}
