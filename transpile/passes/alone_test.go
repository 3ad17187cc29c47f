package passes_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/passes"
)

// tally counts instructions, at least so deep in loops.
func tally(v *ir.Version, depth int32, what func(*ir.Inst) bool) (n int) {
	cfg := analysis.NewCFG(v)
	loops := analysis.NewLoops(v, cfg)
	for _, b := range cfg.Order {
		if loops.Depth(b) < depth {
			continue
		}
		for _, id := range v.Blocks[b].Insts {
			if what(&v.Insts[id]) {
				n++
			}
		}
	}
	return n
}

// TestAlone runs each pass of the table alone, but for those that it needs, on a
// function that it has something to do on, and counts before and after: without the
// pass, which shows that it can be left out by its name, and with it. What is shown
// after it (uvm2go dump -after) is what was counted.
func TestAlone(t *testing.T) {
	type measure = func(*ir.Version) int
	op := func(list ...ir.Op) measure {
		return func(v *ir.Version) int {
			return tally(v, 0, func(in *ir.Inst) bool { return slices.Contains(list, in.Op) })
		}
	}
	loop := func(op ir.Op) measure {
		return func(v *ir.Version) int { return tally(v, 1, func(in *ir.Inst) bool { return in.Op == op }) }
	}
	flag := func(op ir.Op, f ir.InstFlags) measure {
		return func(v *ir.Version) int {
			return tally(v, 0, func(in *ir.Inst) bool { return in.Op == op && in.Has(f) })
		}
	}
	named := func(v *ir.Version) int {
		return tally(v, 0, func(in *ir.Inst) bool { return in.Op == ir.OpSDiv && in.Name != "" })
	}
	places := func(v *ir.Version) int { // that are loaded from
		seen := map[ir.ValueID]bool{}
		return tally(v, 0, func(in *ir.Inst) bool {
			if in.Op != ir.OpLoad || seen[in.Args[0]] {
				return false
			}
			seen[in.Args[0]] = true
			return true
		})
	}
	blocks := func(v *ir.Version) int { return len(analysis.NewCFG(v).Order) }
	params := func(v *ir.Version) (n int) {
		for _, b := range analysis.NewCFG(v).Order[1:] {
			n += len(v.Blocks[b].Params)
		}
		return n
	}
	// chain is how many additions are behind the state of a loop.
	chain := func(v *ir.Version) int { adds, _ := afterState(v); return adds }
	ints := func(code string) string { return ".funcdef @f VERSION %v <@i_i> { %e(<@i64> %n): " + code + " }\n" }
	refs := func(code string) string {
		return ".funcdef @f VERSION %v <@s_i> { %e(<@rS> %s): %i = GETIREF <@S> %s %f = GETFIELDIREF <@S 0> %i " + code + " }\n"
	}
	counted := func(code string) string { // a loop of %n turns
		return ints(`BRANCH %h(%n @0 @1)
%h(<@i64> %n <@i64> %i <@i64> %s): ` + code + ` %j = ADD <@i64> %i @1 %c = ULT <@i64> %j %n BRANCH2 %c %h(%n %j %t) %x(%t)
%x(<@i64> %s): RET %s`)
	}
	rows := []struct {
		pass, what    string
		needs         string
		text          string
		count         measure
		before, after int
	}{
		{"names", "instructions that can fail", "", ints("%a = SDIV <@i64> @7 %n RET %a"), named, 0, 1},
		{"simplify", "blocks that follow each other", "", ints("BRANCH %a(%n) %a(<@i64> %n): BRANCH %b(%n) %b(<@i64> %n): RET %n"), blocks, 3, 1},
		{"simplify", "a branch whose way is known", "", ints("%c = EQ <@i64> %n %n BRANCH2 %c %a() %a() %a(): RET @7"), op(ir.OpBranch2), 1, 0},
		{"simplify", "parameters that are always the same", "", counted("%t = XOR <@i64> %s %i"), params, 4, 2},
		{"number", "constants", "dce", ints("%a = MUL <@i64> @7 @2 %b = ADD <@i64> %a @1 %c = XOR <@i64> %b %n RET %c"), op(ir.OpMul, ir.OpAdd), 2, 0},
		{"number", "copies", "", refs("%v = REFCAST <@rS @rv> %s %w = REFCAST <@rv @rS> %v %wi = GETIREF <@S> %w %wf = GETFIELDIREF <@S 0> %wi %a = LOAD <@i64> %wf %b = LOAD <@i64> %f %c = XOR <@i64> %a %b RET %c"), places, 2, 1},
		{"number", "what was computed before, in a block above too", "simplify dce", ints("%a = MUL <@i64> %n @7 %c = EQ <@i64> %a @2 BRANCH2 %c %x(%a) %y(%n) %y(<@i64> %n): %b = MUL <@i64> @7 %n RET %b %x(<@i64> %a): RET %a"), op(ir.OpMul), 2, 1},
		{"number", "a division that cannot fail", "", ints("%a = SDIV <@i64> %n @7 EXC(%x(%a) %y()) %x(<@i64> %a): RET %a %y(): RET @0"), flag(ir.OpSDiv, ir.FlagExc), 1, 0},
		{"number", "one that may", "", ints("%a = SDIV <@i64> @7 %n EXC(%x(%a) %y()) %x(<@i64> %a): RET %a %y(): RET @0"), flag(ir.OpSDiv, ir.FlagExc), 1, 1},
		{"number", "an access of a new object", "", ints("%s = NEW <@S> %i = GETIREF <@S> %s %f = GETFIELDIREF <@S 0> %i %a = LOAD <@i64> %f EXC(%x(%a) %y()) %x(<@i64> %a): RET %a %y(): RET @0"), flag(ir.OpLoad, ir.FlagExc), 1, 0},
		{"number", "the second access of a place", "", refs("STORE <@i64> %f @7 %a = LOAD <@i64> %f EXC(%x(%a) %y()) %x(<@i64> %a): RET %a %y(): RET @0"), flag(ir.OpLoad, ir.FlagExc), 1, 0},
		{"number", "the first", "", refs("%a = LOAD <@i64> %f EXC(%x(%a) %y()) %x(<@i64> %a): RET %a %y(): RET @0"), flag(ir.OpLoad, ir.FlagExc), 1, 1},
		{"scalar", "a stack cell", "dce", ints("%p = ALLOCA <@i64> STORE <@i64> %p %n %a = LOAD <@i64> %p RET %a"), op(ir.OpAlloca, ir.OpLoad, ir.OpStore), 3, 0},
		{"scalar", "an object", "dce", ints("%s = NEW <@S> %i = GETIREF <@S> %s %f = GETFIELDIREF <@S 0> %i STORE <@i64> %f %n %a = LOAD <@i64> %f RET %a"), op(ir.OpNew, ir.OpLoad, ir.OpStore), 3, 0},
		{"scalar", "an object that is seen elsewhere", "", ints("%s = NEW <@S> STORE <@rS> @h %s RET %n"), op(ir.OpNew), 1, 1},
		{"dce", "what nothing reads", "", ints("%a = MUL <@i64> %n @7 %b = ADD <@i64> %a @1 RET %n"), op(ir.OpMul, ir.OpAdd), 2, 0},
		{"dce", "what only goes round", "", counted("%t = XOR <@i64> @7 %i"), params, 4, 3},
		{"tails", "a tail call of itself", "", ints("%c = EQ <@i64> %n @0 BRANCH2 %c %x() %y(%n) %y(<@i64> %n): %m = SUB <@i64> %n @1 TAILCALL <@i_i> @f (%m) %x(): RET @7"), op(ir.OpTailCall), 1, 0},
		{"inline", "a small function", "", ints("%a = CALL <@i_i> @small (%n) RET %a"), op(ir.OpCall), 1, 0},
		{"inline", "a function in itself, so many times", "", ints("%c = ULT <@i64> %n @2 BRANCH2 %c %x(%n) %y(%n) %y(<@i64> %n): %m = SUB <@i64> %n @1 %r = CALL <@i_i> @f (%m) %s = MUL <@i64> %r %n RET %s %x(<@i64> %n): RET %n"), op(ir.OpMul), 1, 5},
		{"loads", "the second load of a place", "dce", refs("%a = LOAD <@i64> %f %b = LOAD <@i64> %f %c = ADD <@i64> %a %b RET %c"), op(ir.OpLoad), 2, 1},
		{"loads", "a load of what was stored", "dce", refs("STORE <@i64> %f @7 %b = LOAD <@i64> %f RET %b"), op(ir.OpLoad), 1, 0},
		{"licm", "a product in a loop", "simplify", counted("%m = MUL <@i64> %n %n %t = XOR <@i64> %m %i"), loop(ir.OpMul), 1, 0},
		{"licm", "a load of what the loop does not write", "simplify", counted("%m = LOAD <@i64> @g %t = XOR <@i64> %m %i"), loop(ir.OpLoad), 1, 0},
		{"licm", "a load of what it writes", "simplify", counted("%m = LOAD <@i64> @g %t = XOR <@i64> %m %i STORE <@i64> @g %t"), loop(ir.OpLoad), 1, 1},
		{"licm", "a division that is not always reached", "simplify", ints(`BRANCH %h(%n @0 @1)
%h(<@i64> %n <@i64> %i <@i64> %s): %c = ULT <@i64> %i %n BRANCH2 %c %l(%n %i) %x(%s)
%l(<@i64> %n <@i64> %i): %t = SDIV <@i64> @7 %n %j = ADD <@i64> %i @1 BRANCH %h(%n %j %t)
%x(<@i64> %s): RET %s`), loop(ir.OpSDiv), 1, 1},
		{"choose", "a branch between values", "simplify", ints("%c = SLT <@i64> %n @7 BRANCH2 %c %y(%n) %x(%n) %y(<@i64> %n): %m = ADD <@i64> %n @1 BRANCH %x(%m) %x(<@i64> %m): RET %m"), op(ir.OpBranch2), 1, 0},
		{"fill", "a loop that stores zeros", "simplify", `.funcsig @fill = (@ii64 @i64) -> () .funcdef @f VERSION %v <@fill> { %e(<@ii64> %p <@i64> %n): BRANCH %h(%p %n @0)
%h(<@ii64> %p <@i64> %n <@i64> %k): %c = SLT <@i64> %k %n BRANCH2 %c %l(%p %n %k) %x()
%l(<@ii64> %p <@i64> %n <@i64> %k): %q = SHIFTIREF <@i64 @i64> %p %k STORE <@i64> %q @0 %j = ADD <@i64> %k @1 BRANCH %h(%p %n %j)
%x(): RET () }`, flag(ir.OpStore, ir.FlagFill), 0, 1},
		{"strength", "a product that goes round", "simplify", counted("%m = MUL <@i64> %i %n %t = XOR <@i64> %s %m"), loop(ir.OpMul), 1, 0},
		{"unroll", "a small loop", "simplify", counted("%m = MUL <@i64> %s @7 %t = XOR <@i64> %i %m"), loop(ir.OpMul), 1, 4},
		{"balance", "what is known late", "simplify", turns("%p = MUL <@i64> %x @7 %q = LSHR <@i64> %p @5 %s = XOR <@i64> %q %n %a = ADD <@i64> %s %n %b = ADD <@i64> %a %i %y = ADD <@i64> %b %n"), chain, 3, 1},
		{"local", "an object that goes round", "simplify", `.typedef @L = struct<@i64 @rL> .typedef @rL = ref<@L> .funcsig @l_l = (@rL) -> (@rL) .const @nil <@rL> = NULL
.funcdef @f VERSION %v <@l_l> { %e(<@rL> %l): %h = NEW <@L> BRANCH %b(%l %h %h)
%b(<@rL> %l <@rL> %last <@rL> %h): %c = EQ <@rL> %l @nil BRANCH2 %c %x(%h) %do(%l %last %h)
%do(<@rL> %l <@rL> %last <@rL> %h): %li = GETIREF <@L> %l %ln = GETFIELDIREF <@L 1> %li %next = LOAD <@rL> %ln %i = GETIREF <@L> %last %n = GETFIELDIREF <@L 1> %i STORE <@rL> %n %l BRANCH %b(%next %l %h)
%x(<@rL> %h): %hi = GETIREF <@L> %h %hn = GETFIELDIREF <@L 1> %hi %r = LOAD <@rL> %hn RET %r }`, flag(ir.OpNew, ir.FlagLocal), 0, 1},
	}
	tested := map[string]bool{}
	for _, tt := range rows {
		tested[tt.pass] = true
		t.Run(tt.pass+" "+tt.what, func(t *testing.T) {
			text := tt.text + ".global @h <@rS> .funcdef @small VERSION %v <@i_i> { %e(<@i64> %n): %a = ADD <@i64> %n @7 RET %a }\n"
			run := func(on ...string) (int, string) {
				var off []string
				for _, p := range passes.Names() {
					if !slices.Contains(on, p) {
						off = append(off, p)
					}
				}
				shown := ""
				p := optimized(t, text, passes.Options{Disable: off, Origins: &passes.Origins{}, After: func(pass string, v *ir.Version) {
					if pass == tt.pass && v.Func.Name == "@f" {
						shown = pass
					}
				}})
				return tt.count(function(p, "@f")), shown
			}
			needs := strings.Fields(tt.needs)
			if n, shown := run(needs...); n != tt.before || shown != "" {
				t.Errorf("before: %d, want %d; shown %q", n, tt.before, shown)
			}
			if n, shown := run(append(needs, tt.pass)...); n != tt.after || shown != tt.pass {
				t.Errorf("after: %d, want %d; shown %q", n, tt.after, shown)
			}
		})
	}
	for _, p := range passes.Names() {
		if !tested[p] {
			t.Errorf("pass %s is not tested alone", p)
		}
	}
}
