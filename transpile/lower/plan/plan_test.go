package plan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/plan"
	"github.com/uvm2go/uvm2go/transpile/mu"
)

const prelude = `.typedef @i64 = int<64> .typedef @void = void .typedef @S = struct<@i64 @rS> .typedef @rS = ref<@S> .typedef @iS = iref<@S> .typedef @irS = iref<@rS>
.typedef @H = hybrid<@S> .typedef @rH = ref<@H> .const @0 <@i64> = 0 .const @1 <@i64> = 1 .const @7 <@i64> = 7
.funcsig @v_v = () -> () .funcsig @i_i = (@i64) -> (@i64) .funcsig @s_s = (@rS) -> (@rS) .funcsig @ss_s = (@rS @rS) -> (@rS) .funcsig @h_i = (@rH) -> (@i64)
.funcdecl @other <@v_v> .funcdecl @eat <@s_s> .global @table <@T> .typedef @T = array<@S 10>
`

// planOf is the plan of @f.
func planOf(t *testing.T, text string, polls bool) *plan.Func {
	t.Helper()
	files := diag.NewSet()
	list := diag.NewList(files)
	p, ok := mu.Load(files, []mu.Source{{Name: "test.uir", Text: []byte(prelude + text)}}, mu.Options{}, list)
	if !ok {
		t.Fatal(list.Error())
	}
	for _, f := range p.Funcs {
		if f.Name == "@f" {
			return plan.Of(facts.Of(p, facts.Options{}), f.Current(), plan.Options{Polls: polls})
		}
	}
	t.Fatal("no @f")
	return nil
}

// TestRoots says which variables are rooted, and in how many slots (docs/internals.md, "Frames
// and roots"): live references are kept across every place that may collect, and no longer.
func TestRoots(t *testing.T) {
	for _, tt := range []struct {
		name, sig, body string
		polls           bool
		roots           string
		slots           int
	}{
		{"read after a call", "@s_s", "%e(<@rS> %a): CALL <@v_v> @other () RET %a", false, "%a", 1},
		{"read before it", "@s_s", "%e(<@rS> %a): %i = GETIREF <@S> %a %f = GETFIELDIREF <@S 1> %i %b = LOAD <@rS> %f STORE <@rS> %f %b %c = CALL <@s_s> @eat (%b) RET %c", false, "", 0},
		{"an operand that is read again", "@s_s", "%e(<@rS> %a): %b = CALL <@s_s> @eat (%a) RET %a", false, "%a", 1},
		{"both are alive", "@ss_s", "%e(<@rS> %a <@rS> %b): CALL <@v_v> @other () %c = CALL <@s_s> @eat (%a) RET %b", false, "%a %b", 2},
		{"one after the other", "@s_s", "%e(<@rS> %a): CALL <@v_v> @other () %c = CALL <@s_s> @eat (%a) %b = NEW <@S> CALL <@v_v> @other () RET %b", false, "%a %b", 1},
		{"no safepoint", "@s_s", "%e(<@rS> %a): %i = GETIREF <@S> %a %f = GETFIELDIREF <@S 1> %i %b = LOAD <@rS> %f RET %b", false, "", 0},
		{"numbers", "@i_i", "%e(<@i64> %a): CALL <@v_v> @other () RET %a", false, "", 0},
		{"on one way only", "@s_s", `%e(<@rS> %a): %c = EQ <@i64> @0 @1 BRANCH2 %c %x(%a) %y()
%x(<@rS> %a): CALL <@v_v> @other () RET %a
%y(): CALL <@v_v> @other () %b = NEW <@S> RET %b`, false, "%a", 1},
		{"in the next turn of a loop", "@s_s", `%e(<@rS> %a): BRANCH %h(%a @0)
%h(<@rS> %a <@i64> %i): %k = GETIREF <@S> %a %f = GETFIELDIREF <@S 1> %k %b = LOAD <@rS> %f CALL <@v_v> @other () %j = ADD <@i64> %i @1 %c = EQ <@i64> %j @7 BRANCH2 %c %x(%b) %h(%b %j)
%x(<@rS> %b): RET %b`, false, "%b", 1},
		{"jumps back that are safepoints", "@s_s", `%e(<@rS> %a): BRANCH %h(%a @0)
%h(<@rS> %a <@i64> %i): %j = ADD <@i64> %i @1 %c = EQ <@i64> %j @7 BRANCH2 %c %x(%a) %h(%a %j)
%x(<@rS> %b): RET %b`, true, "%a", 1},
		{"and those that are none", "@s_s", `%e(<@rS> %a): BRANCH %h(%a @0)
%h(<@rS> %a <@i64> %i): %j = ADD <@i64> %i @1 %c = EQ <@i64> %j @7 BRANCH2 %c %x(%a) %h(%a %j)
%x(<@rS> %b): RET %b`, false, "", 0},
		{"a part by the whole", "@s_s", "%e(<@rS> %a): %i = GETIREF <@S> %a %f = GETFIELDIREF <@S 1> %i CALL <@v_v> @other () %b = LOAD <@rS> %f RET %b", false, "%a", 1},
		{"what moves by what it came from", "@h_i", `%e(<@rH> %a): %i = GETIREF <@H> %a %p = GETVARPARTIREF <@H> %i BRANCH %h(%p @0)
%h(<@iS> %p <@i64> %k): CALL <@v_v> @other () %q = SHIFTIREF <@S @i64> %p @1 %f = GETFIELDIREF <@S 0> %q %x = LOAD <@i64> %f %j = ADD <@i64> %k %x %c = EQ <@i64> %j @7 BRANCH2 %c %x(%j) %h(%q %j)
%x(<@i64> %j): RET %j`, false, "%a", 1},
		{"what moves in a cell of the program", "@i_i", `%e(<@i64> %a): %p = GETELEMIREF <@T @i64> @table %a BRANCH %h(%p @0)
%h(<@iS> %p <@i64> %k): CALL <@v_v> @other () %q = SHIFTIREF <@S @i64> %p @1 %f = GETFIELDIREF <@S 0> %q %x = LOAD <@i64> %f %j = ADD <@i64> %k %x %c = EQ <@i64> %j @7 BRANCH2 %c %x(%j) %h(%q %j)
%x(<@i64> %j): RET %j`, false, "", 0},
		{"a stack cell", "@i_i", "%e(<@i64> %a): %p = ALLOCA <@i64> CALL <@v_v> @other () STORE <@i64> %p %a %b = LOAD <@i64> %p RET %b", false, "", 0},
	} {
		f := planOf(t, ".funcdef @f VERSION %v <"+tt.sig+"> { "+tt.body+" }", tt.polls)
		var roots []string
		for x, s := range f.Slot {
			if n := f.V.Values[x].Name; s >= 0 && !slices.Contains(roots, n) {
				roots = append(roots, n)
			}
		}
		slices.Sort(roots)
		if got := strings.Join(roots, " "); got != tt.roots || f.NumSlots != tt.slots {
			t.Errorf("%s: %q in %d slots, want %q in %d", tt.name, got, f.NumSlots, tt.roots, tt.slots)
		}
	}
}

// TestNest says which blocks are written in braces of the one that leads to them,
// and after which block the others are labels.
func TestNest(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"one after the other", "%e(<@i64> %n): BRANCH %a(%n) %a(<@i64> %n): BRANCH %b(%n) %b(<@i64> %n): RET %n", "a in e, b in a"},
		{"two ways that meet", `%e(<@i64> %n): %c = EQ <@i64> %n @0 BRANCH2 %c %a(%n) %b(%n)
%a(<@i64> %n): BRANCH %x(%n)
%b(<@i64> %n): BRANCH %x(%n)
%x(<@i64> %n): RET %n`, "a in e, b in e, x after e"},
		{"a way around", `%e(<@i64> %n): %c = EQ <@i64> %n @0 BRANCH2 %c %a(%n) %x(%n)
%a(<@i64> %n): BRANCH %x(%n)
%x(<@i64> %n): RET %n`, "a in e, x after e"},
		{"a loop", `%e(<@i64> %n): BRANCH %h(%n @0)
%h(<@i64> %n <@i64> %i): %c = ULT <@i64> %i %n BRANCH2 %c %l(%n %i) %x(%i)
%l(<@i64> %n <@i64> %i): %j = ADD <@i64> %i @1 BRANCH %h(%n %j)
%x(<@i64> %i): RET %i`, "h after e, l in h, x in h"},
		{"a loop in a loop", `%e(<@i64> %n): BRANCH %h(%n @0)
%h(<@i64> %n <@i64> %i): BRANCH %k(%n %i)
%k(<@i64> %n <@i64> %i): %j = ADD <@i64> %i @1 %c = ULT <@i64> %j %n BRANCH2 %c %k(%n %j) %l(%n %j)
%l(<@i64> %n <@i64> %i): %c = EQ <@i64> %n %i BRANCH2 %c %x(%i) %h(%n @1)
%x(<@i64> %i): RET %i`, "h after e, k after h, l in k, x in l"},
		{"a loop with two ways in", `%e(<@i64> %n): %c = EQ <@i64> %n @0 BRANCH2 %c %a(%n) %b(%n)
%a(<@i64> %n): %m = ADD <@i64> %n @1 BRANCH %b(%m)
%b(<@i64> %n): %m = ADD <@i64> %n @7 %c = ULT <@i64> %n @7 BRANCH2 %c %a(%m) %x(%m)
%x(<@i64> %i): RET %i`, "a after e, b after e, x in b"},
	} {
		f := planOf(t, ".funcdef @f VERSION %v <@i_i> { "+tt.body+" }", false)
		name := func(b ir.BlockID) string { return strings.TrimPrefix(f.V.Blocks[b].Name, "%") }
		var got []string
		for b := range f.V.Blocks {
			if p := f.InPlace[b]; p >= 0 {
				got = append(got, fmt.Sprintf("%s in %s", name(ir.BlockID(b)), name(p)))
			}
			for _, l := range f.Labels[b] {
				got = append(got, fmt.Sprintf("%s after %s", name(l), name(ir.BlockID(b))))
			}
		}
		slices.Sort(got)
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, s, tt.want)
		}
	}
}
