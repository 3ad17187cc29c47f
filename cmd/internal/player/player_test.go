package player

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/muapi"
	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes/remake"
)

// rare are the functions that no random program needs: the client itself has a framecursorref, other clients of cmd/libmu call
// those for constants and status flags, and only Mu code that has the builder needs the other types.
var rare = map[Builder][]string{
	Later:   {"new_type_irbuilderref", "new_const_extern", "new_binop_with_status", "new_type_framecursorref"},
	Earlier: {"new_type_irnoderef", "new_type_framecursorref"},
}

// TestFunctions: the client has a case for each function of a builder, and random programs need nearly all of them.
func TestFunctions(t *testing.T) {
	api, err := muapi.Read()
	if err != nil {
		t.Fatal(err)
	}
	called := map[Builder]map[string]bool{Later: {}, Earlier: {}}
	for seed := range int64(40) {
		f := &file{}
		calls, err := f.calls(randprog.Generate(seed, "@p.").Text)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range calls {
			called[Later][c.Row.Name] = true
		}
		list, _ := remake.Earlier(calls, f.nameOf)
		for _, c := range list {
			called[Earlier][c.Row.Name] = true
		}
	}
	for b, of := range map[Builder]string{Later: "b->", Earlier: "ctx->"} {
		source, err := Source(b)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range b.functions(api) {
			slot := f.Slot[b.Generation()]
			_, part, _ := strings.Cut(source, fmt.Sprintf("\tcase %d: {\n", slot))
			if part, _, _ = strings.Cut(part, "\n\t}\n"); !strings.Contains(part, of+f.Name+"(") {
				t.Errorf("%v: no case for slot %d, %s: %s", b.Generation(), slot, f.Name, part)
			}
			if called[b][f.Name] == slices.Contains(rare[b], f.Name) {
				t.Errorf("%v: %s is called: %v", b.Generation(), f.Name, called[b][f.Name])
			}
		}
	}
}

// TestHasCalls: what a builder has no call for.
func TestHasCalls(t *testing.T) {
	for _, c := range []struct {
		inst           string
		later, earlier bool
	}{
		{"COMMINST @uvm.thread_exit", true, true},
		{"%p = COMMINST @uvm.native.get_addr <@r> (@n)", true, false},
		{"COMMINST @uvm.irbuilder.abort_bundle_node (%b)", false, false},
		{"SWITCH <@r> @n %e() {@n %e()}", true, true},
		{"SWITCH <@fr> @f %e() {@f %e()}", true, false},
		{"SWAPSTACK %s KILL_OLD THROW_EXC @n EXC (%e() %e())", true, true},
	} {
		text := ".funcdef @f VERSION %v <@s> { %e(): " + c.inst + " RET () } .typedef @v = void .typedef @r = ref<@v> .typedef @fr = funcref<@s> " +
			".const @n <@r> = NULL .funcsig @s = () -> ()"
		if later, earlier := HasCalls(Later, text), HasCalls(Earlier, text); later != c.later || earlier != c.earlier {
			t.Errorf("%s: %v, %v", c.inst, later, earlier)
		}
	}
}

// TestOutput: numbers are completed, and errors are found.
func TestOutput(t *testing.T) {
	if got, want := Render("trap x a={\x01f3dcccccd\x02 \x01d3fb999999999999a\x02} b=1\n"), "trap x a={0.1 0.1} b=1\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for stderr, want := range map[string]string{
		"":                                    "",
		"libmu: load: E_CHECK: no\n":          "",
		"libmu: execute: E_DIVZERO: by 0\n":   "E_DIVZERO",
		"player: E_UNHANDLED_TRAP\n":          "E_UNHANDLED_TRAP",
		"libmu: execute: internal error: x\n": "",
		"x\nlibmu: execute: uncaught exception in thread 12: NULL\n": "uncaught exception",
	} {
		if got := Failure(stderr); got != want {
			t.Errorf("%q: %q, want %q", stderr, got, want)
		}
	}
}
