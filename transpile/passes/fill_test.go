package passes_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/passes"
)

// TestFill says which loops only fill memory with zeros. The script
// testscripts/mem_fill_loop.txtar tests that their replacements do the same.
func TestFill(t *testing.T) {
	const head = `.typedef @H = hybrid<@i64> .typedef @p64 = uptr<@i64> .funcsig @fill = (@ii64 @i64) -> () .funcsig @fill.p = (@p64 @i64) -> ()
.typedef @i32 = int<32> .const @32.0 <@i32> = 0 .const @32.1 <@i32> = 1 .funcsig @fill.32 = (@ii64 @i32) -> () `
	loop := func(body string) string {
		return `.funcdef @f VERSION %v <@fill> { %e(<@ii64> %p <@i64> %n): BRANCH %h(%p %n @0)
%h(<@ii64> %p <@i64> %n <@i64> %k): %c = SLT <@i64> %k %n BRANCH2 %c %l(%p %n %k) %x()
%l(<@ii64> %p <@i64> %n <@i64> %k): ` + body + `
%x(): RET () }`
	}
	for _, tt := range []struct {
		name string
		text string
		want int
	}{
		{"zeros", loop("%q = SHIFTIREF <@i64 @i64> %p %k STORE <@i64> %q @0 %j = ADD <@i64> %k @1 BRANCH %h(%p %n %j)"), 1},
		{"the test at the end", `.funcdef @f VERSION %v <@fill> { %e(<@ii64> %p <@i64> %n): BRANCH %l(%p %n @7)
%l(<@ii64> %p <@i64> %n <@i64> %k): %q = SHIFTIREF <@i64 @i64> %p %k STORE <@i64> %q @0 %j = ADD <@i64> %k @1 %c = EQ <@i64> %n %j BRANCH2 %c %x() %l(%p %n %j)
%x(): RET () }`, 1},
		{"another value", loop("%q = SHIFTIREF <@i64 @i64> %p %k STORE <@i64> %q @7 %j = ADD <@i64> %k @1 BRANCH %h(%p %n %j)"), 0},
		{"a value that changes", loop("%q = SHIFTIREF <@i64 @i64> %p %k STORE <@i64> %q %k %j = ADD <@i64> %k @1 BRANCH %h(%p %n %j)"), 0},
		{"each second", loop("%q = SHIFTIREF <@i64 @i64> %p %k STORE <@i64> %q @0 %j = ADD <@i64> %k @2 BRANCH %h(%p %n %j)"), 0},
		{"downward", loop("%q = SHIFTIREF <@i64 @i64> %p %k STORE <@i64> %q @0 %j = SUB <@i64> %k @1 BRANCH %h(%p %n %j)"), 0},
		{"for other threads to see one by one", loop("%q = SHIFTIREF <@i64 @i64> %p %k STORE RELAXED <@i64> %q @0 %j = ADD <@i64> %k @1 BRANCH %h(%p %n %j)"), 0},
		{"a limit that changes", loop("%q = SHIFTIREF <@i64 @i64> %p %k STORE <@i64> %q @0 %j = ADD <@i64> %k @1 %m = SUB <@i64> %n @1 BRANCH %h(%p %m %j)"), 0},
		{"a base that moves", loop("%q = SHIFTIREF <@i64 @i64> %p %k STORE <@i64> %q @0 %j = ADD <@i64> %k @1 BRANCH %h(%q %n %j)"), 0},
		{"two stores", loop("%q = SHIFTIREF <@i64 @i64> %p %k STORE <@i64> %q @0 %j = ADD <@i64> %k @1 STORE <@i64> %p %j BRANCH %h(%p %n %j)"), 0},
		{"something else", loop("%q = SHIFTIREF <@i64 @i64> %p %k STORE <@i64> %q @0 %j = ADD <@i64> %k @1 CALL <@v_v> @unknown () BRANCH %h(%p %n %j)"), 0},
		{"at the next index", loop("%j = ADD <@i64> %k @1 %q = SHIFTIREF <@i64 @i64> %p %j STORE <@i64> %q @0 BRANCH %h(%p %n %j)"), 0},
		{"with an exception clause", loop("%q = SHIFTIREF <@i64 @i64> %p %k %j = ADD <@i64> %k @1 STORE <@i64> %q @0 EXC(%h(%p %n %j) %x())"), 0},
		{"while it is greater", `.funcdef @f VERSION %v <@fill> { %e(<@ii64> %p <@i64> %n): BRANCH %h(%p %n @0)
%h(<@ii64> %p <@i64> %n <@i64> %k): %c = SGT <@i64> %k %n BRANCH2 %c %l(%p %n %k) %x()
%l(<@ii64> %p <@i64> %n <@i64> %k): %q = SHIFTIREF <@i64 @i64> %p %k STORE <@i64> %q @0 %j = ADD <@i64> %k @1 BRANCH %h(%p %n %j)
%x(): RET () }`, 0},
		{"until it is less", `.funcdef @f VERSION %v <@fill> { %e(<@ii64> %p <@i64> %n): BRANCH %h(%p %n @0)
%h(<@ii64> %p <@i64> %n <@i64> %k): %c = SLT <@i64> %k %n BRANCH2 %c %x() %l(%p %n %k)
%l(<@ii64> %p <@i64> %n <@i64> %k): %q = SHIFTIREF <@i64 @i64> %p %k STORE <@i64> %q @0 %j = ADD <@i64> %k @1 BRANCH %h(%p %n %j)
%x(): RET () }`, 0},
		{"of the index itself, up to what it is", loop("%q = SHIFTIREF <@i64 @i64> %p %n STORE <@i64> %q @0 %j = ADD <@i64> %k @1 BRANCH %h(%p %n %j)"), 0},
		{"an index of 32 bits", `.funcdef @f VERSION %v <@fill.32> { %e(<@ii64> %p <@i32> %n): BRANCH %h(%p %n @32.0)
%h(<@ii64> %p <@i32> %n <@i32> %k): %c = SLT <@i32> %k %n BRANCH2 %c %l(%p %n %k) %x()
%l(<@ii64> %p <@i32> %n <@i32> %k): %q = SHIFTIREF <@i64 @i32> %p %k STORE <@i64> %q @0 %j = ADD <@i32> %k @32.1 BRANCH %h(%p %n %j)
%x(): RET () }`, 0},
		{"through a pointer", `.funcdef @f VERSION %v <@fill.p> { %e(<@p64> %p <@i64> %n): BRANCH %h(%p %n @0)
%h(<@p64> %p <@i64> %n <@i64> %k): %c = SLT <@i64> %k %n BRANCH2 %c %l(%p %n %k) %x()
%l(<@p64> %p <@i64> %n <@i64> %k): %q = SHIFTIREF PTR <@i64 @i64> %p %k STORE PTR <@i64> %q @0 %j = ADD <@i64> %k @1 BRANCH %h(%p %n %j)
%x(): RET () }`, 0},
	} {
		for _, op := range []ir.Op{ir.OpInvalid, ir.OpZExtWord, ir.OpSExtWord} {
			p := loadText(t, prelude+head+tt.text)
			if op != ir.OpInvalid {
				inWords(p, op)
			}
			n := ops(function(optimize(t, p, passes.Options{}), "@f"))
			if n[ir.OpMemFill] != tt.want || tt.want > 0 && n[ir.OpStore] != 1 {
				t.Errorf("%s, with %v: %d fills beside %d stores, want %d", tt.name, op, n[ir.OpMemFill], n[ir.OpStore], tt.want)
			}
		}
	}
}
