package passes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/passes"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// prelude has what the bundles of these tests share.
const prelude = `.typedef @i1 = int<1> .typedef @i8 = int<8> .typedef @i64 = int<64> .typedef @void = void
.typedef @rv = ref<@void> .typedef @S = struct<@i64 @i64 @rS> .typedef @rS = ref<@S> .typedef @ii64 = iref<@i64>
.typedef @W = struct<@wS> .typedef @wS = weakref<@S> .typedef @rW = ref<@W>
.const @0 <@i64> = 0 .const @1 <@i64> = 1 .const @2 <@i64> = 2 .const @7 <@i64> = 7 .const @NULL <@rv> = NULL
.funcsig @i_i = (@i64) -> (@i64) .funcsig @s_i = (@rS) -> (@i64) .funcsig @ss_i = (@rS @rS) -> (@i64) .funcsig @v_v = () -> ()
.funcsig @si_i = (@rS @i64) -> (@i64) .funcsig @w_i = (@rW) -> (@i64)
.global @g <@i64>
.funcdecl @unknown <@v_v>
`

// optimized is a bundle after the passes, checked one by one.
func optimized(t *testing.T, text string, opt passes.Options) *ir.Program {
	t.Helper()
	return optimize(t, loadText(t, prelude+text), opt)
}

func optimize(t *testing.T, p *ir.Program, opt passes.Options) *ir.Program {
	t.Helper()
	opt.Level, opt.Check = 1, true
	if err := passes.Run(p, opt); err != nil {
		t.Fatal(err)
	}
	if err := verify.Err(verify.Program(p)); err != nil {
		t.Fatal(err)
	}
	return p
}

func function(p *ir.Program, name string) *ir.Version {
	for _, f := range p.Funcs {
		if f.Name == name {
			return f.Current()
		}
	}
	return nil
}

// ops counts the operations of a body.
func ops(v *ir.Version) map[ir.Op]int {
	n := map[ir.Op]int{}
	for b := range v.Blocks {
		for _, id := range v.Blocks[b].Insts {
			n[v.Insts[id].Op]++
		}
	}
	return n
}

// TestEffects says for small functions how many operations of a kind are left.
func TestEffects(t *testing.T) {
	field := func(i int, obj string) string {
		return fmt.Sprintf("%%i%[2]s%[1]d = GETIREF <@S> %%%[2]s %%f%[2]s%[1]d = GETFIELDIREF <@S %[1]d> %%i%[2]s%[1]d ", i, obj)
	}
	body := func(sig, params, code string) string {
		return ".funcdef @f VERSION %v <" + sig + "> { %e(" + params + "): " + code + "}"
	}
	for _, tt := range []struct {
		name string
		text string
		op   ir.Op
		want int
	}{
		{"parameters that go round",
			body("@i_i", "<@i64> %n", `BRANCH %h(%n %n @0)
%h(<@i64> %a <@i64> %b <@i64> %i): %c = ULT <@i64> %i %b BRANCH2 %c %l(%a %b %i) %x(%a)
%l(<@i64> %a <@i64> %b <@i64> %i): %j = ADD <@i64> %i @1 BRANCH %h(%b %a %j)
%x(<@i64> %a): %z = SUB <@i64> %a %a RET %z`), ir.OpSub, 0},
		{"equal operations", body("@i_i", "<@i64> %n", "%a = MUL <@i64> %n @7 %b = MUL <@i64> @7 %n %c = XOR <@i64> %a %b RET %c"), ir.OpMul, 0},
		{"a fact of a branch", body("@i_i", "<@i64> %n", `%c = EQ <@i64> %n @7 BRANCH2 %c %y(%n) %z(%n)
%y(<@i64> %n): %m = MUL <@i64> %n %n RET %m
%z(<@i64> %n): RET %n`), ir.OpMul, 0},
		{"a division that may fail stays", body("@i_i", "<@i64> %n", "%a = SDIV <@i64> @7 %n RET @0"), ir.OpSDiv, 1},
		{"the second of two equal divisions goes", body("@i_i", "<@i64> %n", "%a = SDIV <@i64> @7 %n %b = SDIV <@i64> @7 %n RET @0"), ir.OpSDiv, 1},
		{"a load that may fail stays", body("@s_i", "<@rS> %s", field(0, "s")+"%a = LOAD <@i64> %fs0 RET @0"), ir.OpLoad, 1},
		{"a load that nothing needs, of an object that was accessed", body("@s_i", "<@rS> %s",
			field(0, "s")+field(1, "s")+"%a = LOAD <@i64> %fs0 %b = LOAD <@i64> %fs1 RET %a"), ir.OpLoad, 1},
		{"of one that will be", body("@s_i", "<@rS> %s",
			field(0, "s")+field(1, "s")+"%b = LOAD <@i64> %fs1 %a = LOAD <@i64> %fs0 RET %a"), ir.OpLoad, 2},
		{"of one that was stored to on the way", body("@si_i", "<@rS> %s <@i64> %n", field(0, "s")+field(1, "s")+`STORE <@i64> %fs0 %n %c = SLT <@i64> %n @7 BRANCH2 %c %y(%fs1 %n) %x(@0)
%y(<@ii64> %f <@i64> %n): %a = LOAD <@i64> %f %d = UDIV <@i64> @7 %n BRANCH %x(%d)
%x(<@i64> %m): RET %m`), ir.OpLoad, 0},
		{"of one that was accessed on one way only", body("@si_i", "<@rS> %s <@i64> %n", field(0, "s")+field(1, "s")+`%c = SLT <@i64> %n @7 BRANCH2 %c %y(%fs0 %fs1 %n) %x(%fs1 @0)
%y(<@ii64> %f <@ii64> %g <@i64> %n): STORE <@i64> %f %n BRANCH %x(%g %n)
%x(<@ii64> %g <@i64> %m): %a = LOAD <@i64> %g RET %m`), ir.OpLoad, 1},
		{"of another object", body("@ss_i", "<@rS> %s <@rS> %t",
			field(0, "s")+field(1, "t")+"%a = LOAD <@i64> %fs0 %b = LOAD <@i64> %ft1 RET %a"), ir.OpLoad, 2},
		{"a load after a load", body("@s_i", "<@rS> %s", field(0, "s")+"%a = LOAD <@i64> %fs0 %b = LOAD <@i64> %fs0 %c = ADD <@i64> %a %b RET %c"), ir.OpLoad, 1},
		{"a load after a store", body("@si_i", "<@rS> %s <@i64> %n", field(0, "s")+"STORE <@i64> %fs0 %n %b = LOAD <@i64> %fs0 RET %b"), ir.OpLoad, 0},
		{"a store to another field", body("@s_i", "<@rS> %s",
			field(0, "s")+field(1, "s")+"%a = LOAD <@i64> %fs0 STORE <@i64> %fs1 @7 %b = LOAD <@i64> %fs0 %c = ADD <@i64> %a %b RET %c"), ir.OpLoad, 1},
		{"a store to another field of what may be another object", body("@ss_i", "<@rS> %s <@rS> %t",
			field(0, "s")+field(1, "t")+"%a = LOAD <@i64> %fs0 STORE <@i64> %ft1 @7 %b = LOAD <@i64> %fs0 %c = ADD <@i64> %a %b RET %c"), ir.OpLoad, 2},
		{"a store of a reference leaves numbers", body("@ss_i", "<@rS> %s <@rS> %t",
			field(0, "s")+field(2, "t")+"%a = LOAD <@i64> %fs0 STORE <@rS> %ft2 %s %b = LOAD <@i64> %fs0 %c = ADD <@i64> %a %b RET %c"), ir.OpLoad, 1},
		{"a call may write", body("@s_i", "<@rS> %s",
			field(0, "s")+"%a = LOAD <@i64> %fs0 CALL <@v_v> @unknown () %b = LOAD <@i64> %fs0 %c = ADD <@i64> %a %b RET %c"), ir.OpLoad, 2},
		{"acquire orders", body("@s_i", "<@rS> %s",
			field(0, "s")+"%a = LOAD <@i64> %fs0 %x = LOAD ACQUIRE <@i64> @g %b = LOAD <@i64> %fs0 %c = ADD <@i64> %a %b RET %c"), ir.OpLoad, 3},
		{"a fence orders", body("@s_i", "<@rS> %s",
			field(0, "s")+"%a = LOAD <@i64> %fs0 FENCE SEQ_CST %b = LOAD <@i64> %fs0 %c = ADD <@i64> %a %b RET %c"), ir.OpLoad, 2},
		{"atomic loads stay", body("@i_i", "<@i64> %n", "%a = LOAD RELAXED <@i64> @g %b = LOAD RELAXED <@i64> @g %c = ADD <@i64> %a %b RET %c"), ir.OpLoad, 2},
		{"weak references may be cleared", body("@w_i", "<@rW> %w",
			"%i = GETIREF <@W> %w %f = GETFIELDIREF <@W 0> %i %a = LOAD <@wS> %f %b = LOAD <@wS> %f %c = EQ <@rS> %a %b %z = ZEXT <@i1 @i64> %c RET %z"), ir.OpLoad, 2},
		{"an object of its own", body("@i_i", "<@i64> %n", "%s = NEW <@S> "+field(0, "s")+field(1, "s")+
			"STORE <@i64> %fs0 %n CALL <@v_v> @unknown () %a = LOAD <@i64> %fs0 %b = LOAD <@i64> %fs1 %c = ADD <@i64> %a %b RET %c"), ir.OpNew, 0},
		{"an object that is stored", body("@s_i", "<@rS> %t", "%s = NEW <@S> "+field(2, "t")+"STORE <@rS> %ft2 %s RET @0"), ir.OpNew, 1},
		{"a cell in a loop", body("@i_i", "<@i64> %n", `BRANCH %h(%n @0)
%h(<@i64> %n <@i64> %i): %p = ALLOCA <@i64> %a = LOAD <@i64> %p STORE <@i64> %p %i %b = LOAD <@i64> %p %s = ADD <@i64> %a %b %j = ADD <@i64> %s @1
 %c = ULT <@i64> %j %n BRANCH2 %c %h(%n %j) %x(%j)
%x(<@i64> %j): RET %j`), ir.OpAlloca, 0},
		{"a choice between values", body("@i_i", "<@i64> %n", `%c = SLT <@i64> %n @7 BRANCH2 %c %y(%n) %x(%n)
%y(<@i64> %n): %m = ADD <@i64> %n @1 BRANCH %x(%m)
%x(<@i64> %m): RET %m`), ir.OpSelect, 1},
		{"no choice of a load", body("@ss_i", "<@rS> %s <@rS> %t", field(0, "s")+`%c = EQ <@rS> %s %t BRANCH2 %c %y(%fs0) %x(@0)
%y(<@ii64> %p): %m = LOAD <@i64> %p BRANCH %x(%m)
%x(<@i64> %m): RET %m`), ir.OpSelect, 0},
		{"no choice of a division", body("@i_i", "<@i64> %n", `%c = SLT <@i64> %n @7 BRANCH2 %c %y(%n) %x(%n)
%y(<@i64> %n): %m = UDIV <@i64> @7 %n BRANCH %x(%m)
%x(<@i64> %m): RET %m`), ir.OpSelect, 0},
		{"a function that calls itself", body("@i_i", "<@i64> %n", `%c = ULT <@i64> %n @2 BRANCH2 %c %x(%n) %y(%n)
%y(<@i64> %n): %m = SUB <@i64> %n @1 %r = CALL <@i_i> @f (%m) %s = MUL <@i64> %r %n RET %s
%x(<@i64> %n): RET %n`), ir.OpMul, 5},
		{"one that works in a loop", body("@i_i", "<@i64> %n", `%c = ULT <@i64> %n @2 BRANCH2 %c %x(%n) %y(%n)
%y(<@i64> %n): %m = SUB <@i64> %n @1 %r = CALL <@i_i> @f (%m) %s = MUL <@i64> %r %n BRANCH %l(%s)
%l(<@i64> %s): %t = LSHR <@i64> %s @1 %d = ULT <@i64> %t @7 BRANCH2 %d %x(%t) %l(%t)
%x(<@i64> %n): RET %n`), ir.OpMul, 1},
		{"one that calls something else in its loop", body("@i_i", "<@i64> %n", `%c = ULT <@i64> %n @2 BRANCH2 %c %x(%n) %y(%n)
%y(<@i64> %n): %m = SUB <@i64> %n @1 %r = CALL <@i_i> @f (%m) %s = MUL <@i64> %r %n BRANCH %l(%s)
%l(<@i64> %s): %t = LSHR <@i64> %s @1 CALL <@v_v> @unknown () %d = ULT <@i64> %t @7 BRANCH2 %d %x(%t) %l(%t)
%x(<@i64> %n): RET %n`), ir.OpMul, 5},
		{"one that calls itself in its loop", body("@i_i", "<@i64> %n", `BRANCH %l(%n)
%l(<@i64> %n): %m = LSHR <@i64> %n @1 %c = EQ <@i64> %m @0 BRANCH2 %c %x(%n) %y(%m)
%y(<@i64> %m): %r = CALL <@i_i> @f (%m) %s = MUL <@i64> %r %m %t = LSHR <@i64> %s @7 BRANCH %l(%t)
%x(<@i64> %n): RET %n`), ir.OpMul, 5},
		{"a tail call of itself", body("@i_i", "<@i64> %n", `%c = EQ <@i64> %n @0 BRANCH2 %c %x() %y(%n)
%y(<@i64> %n): %m = SUB <@i64> %n @1 TAILCALL <@i_i> @f (%m)
%x(): RET @7`), ir.OpTailCall, 0},
		{"tail calls of each other", body("@i_i", "<@i64> %n", `%c = EQ <@i64> %n @0 BRANCH2 %c %x() %y(%n)
%y(<@i64> %n): %m = SUB <@i64> %n @1 TAILCALL <@i_i> @other (%m)
%x(): RET @7`) + `.funcdef @other VERSION %v <@i_i> { %e(<@i64> %n): %c = EQ <@i64> %n @0 BRANCH2 %c %x() %y(%n)
%y(<@i64> %n): %m = SUB <@i64> %n @1 TAILCALL <@i_i> @f (%m)
%x(): RET @1 }
.funcdef @main VERSION %v <@v_v> { %e(): %a = CALL <@i_i> @f (@7) RET () }`, ir.OpTailCall, 0},
		{"a tail call with a stack cell", body("@i_i", "<@i64> %n", `%p = ALLOCA <@i64> %q = LOAD <@ii64> @h STORE <@ii64> @h %p %c = EQ <@ii64> %p %q BRANCH2 %c %x() %y(%n)
%y(<@i64> %n): TAILCALL <@i_i> @f (%n)
%x(): RET @7`) + ".global @h <@ii64>", ir.OpTailCall, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := function(optimized(t, tt.text, passes.Options{Origins: &passes.Origins{}}), "@f")
			if got := ops(v)[tt.op]; got != tt.want {
				t.Errorf("%d %v left, want %d", got, tt.op, tt.want)
			}
		})
	}
}

// TestInlining says which bodies are copied into callers.
func TestInlining(t *testing.T) {
	const caller = `.funcdef @f VERSION %v <@i_i> { %e(<@i64> %n): %r = CALL <@i_i> @g.f (%n) EXC(%ok(%r) %bad(%n))
%ok(<@i64> %r): RET %r
%bad(<@i64> %n) [%x]: %s = EQ <@rv> %x @NULL %z = ZEXT <@i1 @i64> %s %y = ADD <@i64> %z %n RET %y }
`
	full := passes.Options{Origins: &passes.Origins{}}
	for _, tt := range []struct {
		name   string
		callee string
		opt    passes.Options
		calls  int
	}{
		{"a leaf", "RET %n", passes.Options{}, 0},
		{"what can fail shows in backtraces", "%a = LOAD <@i64> @g %b = SDIV <@i64> %a %n RET %b", passes.Options{}, 1},
		{"unless origins are noted", "%a = LOAD <@i64> @g %b = SDIV <@i64> %a %n RET %b", full, 0},
		{"an exception becomes a jump", "THROW @NULL", full, 0},
		{"a call in it gets the clause", "CALL <@v_v> @unknown () RET %n", full, 1},
		{"a trap", "TRAP <> RET %n", full, 1},
		{"a cookie", "%a = COMMINST @uvm.native.get_cookie RET %a", full, 1},
		{"a stack cell", "%p = ALLOCA <@i64> STORE <@ii64> @h %p RET %n", full, 1},
		{"frames can be observed", "CALL <@v_v> @unknown () RET %n", passes.Options{Origins: full.Origins, Frames: true}, 1},
		{"but not of what calls nothing", "%a = LOAD <@i64> @g RET %a", passes.Options{Origins: full.Origins, Frames: true}, 0},
		{"passes can be left out", "RET %n", passes.Options{Disable: []string{"inline"}}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := caller + ".global @h <@ii64> .funcdef @g.f VERSION %v <@i_i> { %e(<@i64> %n): " + tt.callee + " }"
			v := function(optimized(t, text, tt.opt), "@f")
			if got := ops(v)[ir.OpCall]; got != tt.calls {
				t.Errorf("%d calls left, want %d", got, tt.calls)
			}
		})
	}
}

// TestOrigins checks what is known of copied instructions.
func TestOrigins(t *testing.T) {
	origins := &passes.Origins{}
	p := optimized(t, `.funcdef @c VERSION %v <@i_i> { %e(<@i64> %n): %a = SDIV <@i64> @7 %n RET %a }
.funcdef @b VERSION %v <@i_i> { %e(<@i64> %n): %a = CALL <@i_i> @c (%n) RET %a }
.funcdef @a VERSION %v <@i_i> { %e(<@i64> %n): %a = CALL <@i_i> @b (%n) RET %a }`, passes.Options{Origins: origins})
	v := function(p, "@a")
	var got []string
	for b := range v.Blocks {
		for _, id := range v.Blocks[b].Insts {
			if v.Insts[id].Op == ir.OpSDiv {
				got = append(got, v.SiteName(id))
				for o := origins.Of(v)[id]; o != nil; o = o.Below {
					got = append(got, fmt.Sprintf("%s %d", o.Func.Name, p.Files.Position(o.Call).Line))
				}
			}
		}
	}
	first := strings.Count(prelude, "\n") + 1
	want := fmt.Sprintf("@c.v.e+0 @c %d @b %d", first+1, first+2)
	if s := strings.Join(got, " "); s != want {
		t.Errorf("origin %q, want %q", s, want)
	}
}

// TestKeepalive checks that traps show the same variables under the same names,
// whatever became of them.
func TestKeepalive(t *testing.T) {
	const text = `.funcdef @main VERSION %v <@v_v> { %e(): %a = ADD <@i64> @1 @2 BRANCH %n(%a %a @7)
%n(<@i64> %x <@i64> %y <@i64> %z): %w = ADD <@i64> %x @0 [%t] TRAP <> KEEPALIVE(%x %y %z %w %x) RET () }`
	j := job{}
	p := optimized(t, text, passes.Options{})
	want := "status 0\ntrap main.v.n.t x=3 y=3 z=7 w=3 x=3\n"
	if got := j.outcome(p); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFolding compares folded operations with the interpreter's.
func TestFolding(t *testing.T) {
	vals := []string{"0", "1", "2", "3", "-1", "5", "7"}
	for _, w := range []int{1, 6, 8, 16, 31, 32, 52, 64} {
		var b strings.Builder
		fmt.Fprintf(&b, ".typedef @i1. = int<1> .funcsig @sbool = () -> (@i1.)\n")
		fmt.Fprintf(&b, ".typedef @t%d = int<%d> .funcsig @s%[1]d = () -> (@t%[1]d) .funcsig @c%[1]d = () -> (@t%[1]d @i1.)\n", w, w)
		names := []string{}
		for i, v := range vals {
			if w == 1 && i > 1 || w < 4 && i > 2 {
				break
			}
			fmt.Fprintf(&b, ".const @k%d_%d <@t%d> = %s\n", w, i, w, v)
			names = append(names, fmt.Sprintf("@k%d_%d", w, i))
		}
		if w > 1 {
			fmt.Fprintf(&b, ".const @k%d_min <@t%d> = -%d\n", w, w, uint64(1)<<(w-1))
			names = append(names, fmt.Sprintf("@k%d_min", w))
		}
		for _, op := range []string{"ADD", "SUB", "MUL", "SDIV", "SREM", "UDIV", "UREM", "SHL", "LSHR", "ASHR", "AND", "OR", "XOR",
			"EQ", "NE", "SGE", "SGT", "SLE", "SLT", "UGE", "UGT", "ULE", "ULT"} {
			sig := fmt.Sprintf("@s%d", w)
			if strings.Contains(" EQ NE SGE SGT SLE SLT UGE UGT ULE ULT ", " "+op+" ") {
				sig = "@sbool"
			}
			var calls []string
			var defs strings.Builder
			for i, x := range names {
				for k, y := range names {
					if strings.HasSuffix(op, "DIV") && k == 0 || strings.HasSuffix(op, "REM") && k == 0 {
						continue
					}
					f := fmt.Sprintf("@f_%s_%d_%d_%d", op, w, i, k)
					calls = append(calls, f)
					fmt.Fprintf(&defs, ".funcdef %s VERSION %%v <%s> { %%e(): %%r = %s <@t%d> %s %s RET %%r }\n", f, sig, op, w, x, y)
				}
			}
			folds(t, b.String()+defs.String(), calls)
		}
	}
}

// folds wants each function to be a RET of what the interpreter computes. The time of a call on the interpreter
// grows with the length of the program, so many small programs take less.
func folds(t *testing.T, text string, calls []string) {
	t.Helper()
	before, after := loadText(t, prelude+text), optimized(t, text, passes.Options{})
	for _, f := range calls {
		if n := ops(function(after, f)); len(n) != 1 {
			t.Errorf("%s is not folded: %v", f, n)
		}
		want, _, err := interp.Call(before, f, nil, interp.Config{})
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := interp.Call(after, f, nil, interp.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if got[0].Lo != want[0].Lo || got[0].Hi != want[0].Hi {
			t.Errorf("%s: got %#x, want %#x", f, got[0].Lo, want[0].Lo)
		}
	}
}

func TestDisable(t *testing.T) {
	p := loadText(t, prelude)
	if err := passes.Run(p, passes.Options{Level: 1, Disable: []string{"nothing"}}); err == nil || err.Error() != `no pass "nothing"` {
		t.Errorf("got %v", err)
	}
	var seen []string
	p = loadText(t, prelude+".funcdef @f VERSION %v <@i_i> { %e(<@i64> %n): RET %n }")
	opt := passes.Options{Level: 1, Disable: passes.Names()[1:], After: func(pass string, _ *ir.Version) { seen = append(seen, pass) }}
	if err := passes.Run(p, opt); err != nil || len(seen) != 1 || seen[0] != passes.Names()[0] {
		t.Errorf("ran %v, error %v", seen, err)
	}
}
