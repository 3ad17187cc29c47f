package facts_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
)

// mustLoad reads a bundle.
func mustLoad(t *testing.T, text string) *ir.Program {
	t.Helper()
	files := diag.NewSet()
	list := diag.NewList(files)
	p, ok := mu.Load(files, []mu.Source{{Name: "test.uir", Text: []byte(text)}}, mu.Options{}, list)
	if !ok {
		t.Fatal(list.Error())
	}
	p.Files = files
	return p
}

const summaryPrelude = `.typedef @i64 = int<64> .typedef @void = void .typedef @rv = ref<@void> .typedef @S = struct<@i64 @rS> .typedef @rS = ref<@S>
.funcsig @v_v = () -> () .funcsig @i_i = (@i64) -> (@i64) .funcsig @s_s = (@rS) -> (@rS) .typedef @fr = funcref<@i_i> .funcsig @fi_i = (@fr @i64) -> (@i64)
.const @0 <@i64> = 0 .const @1 <@i64> = 1 .const @7 <@i64> = 7 .const @NULL <@rv> = NULL
`

// TestSummary says for small functions whether a call of them may end with an exception and whether
// it may collect, depending on what they do and what they call. A call that may do neither needs no
// test after it and no root.
func TestSummary(t *testing.T) {
	const text = summaryPrelude + `
.funcdef @main VERSION %v <@v_v> { %e(): RET () }
.funcdef @leaf VERSION %v <@i_i> { %e(<@i64> %n): %a = ADD <@i64> %n @1 RET %a }
.funcdef @loop VERSION %v <@i_i> { %e(<@i64> %n): BRANCH %h(%n) %h(<@i64> %n): %a = SUB <@i64> %n @1 %c = EQ <@i64> %a @0 BRANCH2 %c %x(%a) %h(%a) %x(<@i64> %a): RET %a }
.funcdef @divides VERSION %v <@i_i> { %e(<@i64> %n): %a = SDIV <@i64> @7 %n RET %a }
.funcdef @throws VERSION %v <@i_i> { %e(<@i64> %n): THROW @NULL }
.funcdef @callsThrower VERSION %v <@i_i> { %e(<@i64> %n): %a = CALL <@i_i> @throws (%n) RET %a }
.funcdef @callsLeaf VERSION %v <@i_i> { %e(<@i64> %n): %a = CALL <@i_i> @leaf (%n) %b = CALL <@i_i> @loop (%a) RET %b }
.funcdef @recursive VERSION %v <@i_i> { %e(<@i64> %n): %c = EQ <@i64> %n @0 BRANCH2 %c %x(%n) %y(%n) %x(<@i64> %n): RET %n %y(<@i64> %n): %m = SUB <@i64> %n @1 %a = CALL <@i_i> @recursive (%m) RET %a }
.funcdef @even VERSION %v <@i_i> { %e(<@i64> %n): %a = CALL <@i_i> @odd (%n) RET %a }
.funcdef @odd VERSION %v <@i_i> { %e(<@i64> %n): %c = EQ <@i64> %n @0 BRANCH2 %c %x(%n) %y(%n) %x(<@i64> %n): RET %n %y(<@i64> %n): %a = CALL <@i_i> @even (%n) RET %a }
.funcdef @tailToItself VERSION %v <@i_i> { %e(<@i64> %n): %c = EQ <@i64> %n @0 BRANCH2 %c %x(%n) %y(%n) %x(<@i64> %n): RET %n %y(<@i64> %n): %m = SUB <@i64> %n @1 TAILCALL <@i_i> @tailToItself (%m) }
.funcdef @makes VERSION %v <@s_s> { %e(<@rS> %s): %o = NEW <@S> RET %o }
.funcdef @reads VERSION %v <@s_s> { %e(<@rS> %s): %i = GETIREF <@S> %s %f = GETFIELDIREF <@S 1> %i %o = LOAD <@rS> %f RET %o }
.funcdef @callsMaker VERSION %v <@s_s> { %e(<@rS> %s): %o = CALL <@s_s> @makes (%s) RET %o }
.funcdef @stops VERSION %v <@i_i> { %e(<@i64> %n): TRAP <> RET %n }
.funcdecl @undefined <@i_i>
.funcdef @callsUndefined VERSION %v <@i_i> { %e(<@i64> %n): %a = CALL <@i_i> @undefined (%n) RET %a }
.funcdef @callsAny VERSION %v <@fi_i> { %e(<@fr> %f <@i64> %n): %a = CALL <@i_i> %f (%n) RET %a }
.global @f <@fr> .funcdef @takes VERSION %v <@v_v> { %e(): STORE <@fr> @f @recursive RET () }
`
	p := mustLoad(t, text)
	known := facts.Of(p, facts.Options{})
	for _, tt := range []struct {
		name             string
		throws, collects bool
	}{
		{"leaf", false, false},
		{"loop", false, false},
		{"divides", false, false}, // the program ends
		{"throws", true, false},
		{"callsThrower", true, false},
		{"callsLeaf", false, false},
		{"recursive", true, true}, // its frame overflows, or meets a safepoint
		{"even", true, true},
		{"odd", true, true},
		{"tailToItself", false, false},
		{"makes", true, true},
		{"reads", false, false},
		{"callsMaker", true, true},
		{"stops", true, true},
		{"callsUndefined", true, true},
		{"callsAny", true, true}, // @recursive
	} {
		fi := known.Func(p.Entities["@"+tt.name].(*ir.Function))
		if fi.Throws != tt.throws || fi.Collects != tt.collects {
			t.Errorf("%s: may throw %v, may collect %v, want %v, %v", tt.name, fi.Throws, fi.Collects, tt.throws, tt.collects)
		}
	}
	// A computed call reaches functions whose address is taken, and those that may be defined later.
	p = mustLoad(t, strings.NewReplacer("STORE <@fr> @f @recursive", "STORE <@fr> @f @leaf",
		".funcdecl @undefined <@i_i>", ".funcdef @undefined VERSION %v <@i_i> { %e(<@i64> %n): RET %n }").Replace(text))
	known = facts.Of(p, facts.Options{})
	if fi := known.Func(p.Entities["@callsAny"].(*ir.Function)); fi.Throws || fi.Collects {
		t.Errorf("a computed call of a leaf: may throw %v, may collect %v", fi.Throws, fi.Collects)
	}
	// Code that is loaded at run time may do anything.
	const loads = `
.funcdef @loads VERSION %v <@v_v> { %e(): COMMINST @uvm.meta.load_bundle (@none) RET () }
.const @none <@uvm.meta.bytes.r> = NULL
`
	p = mustLoad(t, summaryPrelude+loads+`
.funcdef @leaf VERSION %v <@i_i> { %e(<@i64> %n): RET %n }
.funcdef @callsAny VERSION %v <@fi_i> { %e(<@fr> %f <@i64> %n): %a = CALL <@i_i> %f (%n) RET %a }
`)
	known = facts.Of(p, facts.Options{})
	if fi := known.Func(p.Entities["@callsAny"].(*ir.Function)); !fi.Throws || !fi.Collects {
		t.Errorf("a computed call where bundles are loaded: may throw %v, may collect %v", fi.Throws, fi.Collects)
	}
	if fi := known.Func(p.Entities["@leaf"].(*ir.Function)); fi.Throws || fi.Collects {
		t.Errorf("a leaf where bundles are loaded: may throw %v, may collect %v", fi.Throws, fi.Collects)
	}
}
