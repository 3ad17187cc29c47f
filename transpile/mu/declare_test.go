package mu

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// TestExtendUndone extends a program by texts with errors, which must leave it as it was, and then by one without.
func TestExtendUndone(t *testing.T) {
	p := load(t, `.funcdef @h VERSION %v1 <@s1> { %e(<@i64> %x): RET %x }`)
	h := p.Entities["@h"].(*ir.Function)
	first, funcs, ents := h.Current(), len(p.Funcs), len(p.Entities)
	extend := func(text string) Fault {
		files := diag.NewSet()
		diags := diag.NewList(files)
		find := func(name string) any { return p.Entities[name] }
		_, fault := Extend(p, files, []Source{{Name: Unnamed, Text: []byte(text)}}, Running{Find: find, Bodies: true}, diags)
		return fault
	}
	for text, want := range map[string]Fault{
		`.funcdef @h VERSION %v2 <@s1> { %e(<@i64> %x): RET %nothing }`:                                                                               BadCheck,
		`.funcdef @h VERSION %v2 <@s1> { %e(<@i64> %x): RET %x } .funcdef @g VERSION %v1 <@s1> { %e(<@i64> %x): RET %nothing }`:                       BadCheck,
		`.funcdef @h VERSION %v2 <@s1> { %e(<@i64> %x): RET %x } .global @id <@i64>`:                                                                  Clash,
		`.funcdef @h VERSION %v2 <@s1> { %e(<@i64> %x): RET %x } .funcdef @g VERSION %v1 <@s1> { %e(<@i64> %x): RET }  %f(): RET %x }`:                BadText,
		`.funcdef @g VERSION %a <@s1> { %e(<@i64> %x): RET %x } .funcdef @g.a VERSION %b <@s1> { %e(<@i64> %x): RET %x } .global @g.a.b <@i64>`:       BadCheck,
		`.funcdef @g VERSION %v <@s1> { %e(<@i64> %x): BRANCH @o(%x)  @o(<@i64> %x): RET %x } .funcdef @o VERSION %v <@s1> { %e(<@i64> %x): RET %x }`: Clash,
	} {
		if got := extend(text); got != want {
			t.Errorf("%s: fault %q, want %q", text, got.Code(), want.Code())
		}
		if h.Current() != first || len(h.Versions) != 1 || len(p.Funcs) != funcs || len(p.Entities) != ents {
			t.Fatalf("%s: %d versions, %d functions, %d entities", text, len(h.Versions), len(p.Funcs), len(p.Entities))
		}
	}
	if fault := extend(`.funcdef @h VERSION %v2 <@s1> { %e(<@i64> %x): RET %x }`); fault != NoFault || h.Current() == first {
		t.Errorf("fault %q", fault.Code())
	}
}
