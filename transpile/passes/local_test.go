package passes_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/passes"
)

// TestLocal says which objects may lie in the frame. The script
// testscripts/mem_local_object.txtar tests that programs still do the same.
func TestLocal(t *testing.T) {
	// The objects have a second field, through which a chain is made of them.
	const head = `.typedef @L = struct<@i64 @rL> .typedef @rL = ref<@L> .typedef @irL = iref<@rL> .funcsig @l_l = (@rL) -> (@rL) .funcsig @li_l = (@rL @i64) -> (@rL)
.typedef @V = struct<@i64 @wL> .typedef @wL = weakref<@L> .typedef @rV = ref<@V> .typedef @A = array<@i64 100> .typedef @Big = struct<@A @rBig> .typedef @rBig = ref<@Big>
.const @nil <@rL> = NULL .const @nilB <@rBig> = NULL .global @cell <@rL>
.funcsig @big = (@rBig) -> (@rBig) `
	// chain removes every other element of a list, with an object in front of the rest.
	chain := func(begin, loop, end string) string {
		return `.funcdef @f VERSION %v <@l_l> { %e(<@rL> %l): %h = NEW <@L> ` + begin + ` BRANCH %b(%l %h %h)
%b(<@rL> %l <@rL> %last <@rL> %h): %c = EQ <@rL> %l @nil BRANCH2 %c %x(%h) %do(%l %last %h)
%do(<@rL> %l <@rL> %last <@rL> %h): ` + loop + ` %li = GETIREF <@L> %l %ln = GETFIELDIREF <@L 1> %li %next = LOAD <@rL> %ln
 %i = GETIREF <@L> %last %n = GETFIELDIREF <@L 1> %i STORE <@rL> %n %l BRANCH %b(%next %l %h)
%x(<@rL> %h): ` + end + ` %hi = GETIREF <@L> %h %hn = GETFIELDIREF <@L 1> %hi %r = LOAD <@rL> %hn RET %r }`
	}
	for _, tt := range []struct {
		name string
		text string
		want int
	}{
		{"goes round with others", chain("", "", ""), 1},
		{"compared", chain("", "%eq = EQ <@rL> %l %h %z = ZEXT <@i1 @i64> %eq %hi0 = GETIREF <@L> %h %f = GETFIELDIREF <@L 0> %hi0 STORE <@i64> %f %z", ""), 1},
		{"stored", chain("STORE <@rL> @cell %h", "", ""), 0},
		{"stored in itself", chain("%a = GETIREF <@L> %h %b = GETFIELDIREF <@L 1> %a STORE <@rL> %b %h", "", ""), 0},
		{"what it goes round with is stored", chain("", "STORE <@rL> @cell %last", ""), 0},
		{"passed on", chain("", "", "%q = CALL <@l_l> @other (%h)") + ".funcdecl @other <@l_l>", 0},
		{"something is called", chain("", "CALL <@v_v> @unknown ()", ""), 0},
		{"another object is made and kept", chain("%o = NEW <@L> STORE <@rL> @cell %o", "", ""), 0},
		{"made in a loop", `.funcdef @f VERSION %v <@l_l> { %e(<@rL> %l): BRANCH %b(%l @nil)
%b(<@rL> %l <@rL> %last): %c = EQ <@rL> %l %last BRANCH2 %c %x(%l) %do(%l %last)
%do(<@rL> %l <@rL> %last): %h = NEW <@L> %li = GETIREF <@L> %h %ln = GETFIELDIREF <@L 1> %li STORE <@rL> %ln %l %n = LOAD <@rL> %ln BRANCH %b(%n %h)
%x(<@rL> %l): %li = GETIREF <@L> %l %ln = GETFIELDIREF <@L 1> %li %n = LOAD <@rL> %ln RET %n }`, 0},
		{"returned", `.funcdef @f VERSION %v <@li_l> { %e(<@rL> %l <@i64> %k): %h = NEW <@L> %c = EQ <@i64> %k @0 BRANCH2 %c %x(%l) %x(%h)
%x(<@rL> %l): RET %l }`, 0},
		{"seen by others in order", chain("%a = GETIREF <@L> %h %b = GETFIELDIREF <@L 0> %a STORE RELEASE <@i64> %b @7", "", ""), 0},
		{"large", `.funcdef @f VERSION %v <@big> { %e(<@rBig> %l): %h = NEW <@Big> BRANCH %b(%l %h %h)
%b(<@rBig> %l <@rBig> %last <@rBig> %h): %c = EQ <@rBig> %l @nilB BRANCH2 %c %x(%h) %do(%l %last %h)
%do(<@rBig> %l <@rBig> %last <@rBig> %h): %li = GETIREF <@Big> %l %ln = GETFIELDIREF <@Big 1> %li %next = LOAD <@rBig> %ln
 %i = GETIREF <@Big> %last %n = GETFIELDIREF <@Big 1> %i STORE <@rBig> %n %l BRANCH %b(%next %l %h)
%x(<@rBig> %h): %hi = GETIREF <@Big> %h %hn = GETFIELDIREF <@Big 1> %hi %r = LOAD <@rBig> %hn RET %r }`, 0},
	} {
		for _, sanitize := range []bool{false, true} {
			got := 0
			v := function(optimized(t, head+tt.text, passes.Options{Sanitize: sanitize}), "@f")
			for b := range v.Blocks {
				for _, id := range v.Blocks[b].Insts {
					if in := &v.Insts[id]; in.Op == ir.OpNew && in.Has(ir.FlagLocal) {
						got++
					}
				}
			}
			want := tt.want
			if sanitize {
				want = 0
			}
			if got != want {
				t.Errorf("%s: %d objects in the frame, want %d", tt.name, got, want)
			}
		}
	}
}
