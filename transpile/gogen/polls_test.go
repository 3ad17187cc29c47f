package gogen

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
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

const pollsPrelude = `.typedef @i64 = int<64> .typedef @void = void .typedef @rv = ref<@void> .typedef @S = struct<@i64 @rS> .typedef @rS = ref<@S>
.funcsig @v_v = () -> () .funcsig @i_i = (@i64) -> (@i64) .funcsig @s_s = (@rS) -> (@rS) .typedef @fr = funcref<@i_i> .funcsig @fi_i = (@fr @i64) -> (@i64)
.const @0 <@i64> = 0 .const @1 <@i64> = 1 .const @7 <@i64> = 7 .const @NULL <@rv> = NULL
`

// TestPolls counts the polls in functions: one at each jump back of a loop, so that it
// lets collections of others in (runtime 10), where there may be others.
func TestPolls(t *testing.T) {
	const loops = `
.funcdef @straight VERSION %v <@i_i> { %e(<@i64> %n): %c = EQ <@i64> %n @0 BRANCH2 %c %x(%n) %y(%n) %x(<@i64> %n): BRANCH %z(%n) %y(<@i64> %n): BRANCH %z(%n) %z(<@i64> %n): RET %n }
.funcdef @once VERSION %v <@i_i> { %e(<@i64> %n): BRANCH %h(%n) %h(<@i64> %n): %a = SUB <@i64> %n @1 %c = EQ <@i64> %a @0 BRANCH2 %c %x(%a) %h(%a) %x(<@i64> %a): RET %a }
.funcdef @twice VERSION %v <@i_i> { %e(<@i64> %n): BRANCH %h(%n) %h(<@i64> %n): %a = SUB <@i64> %n @1 %c = EQ <@i64> %a @0 BRANCH2 %c %k(%a) %h(%a)
%k(<@i64> %n): %a = ADD <@i64> %n @1 %c = EQ <@i64> %a @7 BRANCH2 %c %x(%a) %h(%a) %x(<@i64> %a): RET %a }
`
	const start = `.typedef @st = stackref .typedef @th = threadref
.funcdef @other VERSION %v <@v_v> { %e(): COMMINST @uvm.thread_exit }
.funcdef @main VERSION %v <@v_v> { %e(): %s = COMMINST @uvm.new_stack <[@v_v]> (@other) %t = NEWTHREAD %s PASS_VALUES <> () RET () }
`
	for _, tt := range []struct {
		name, text, pkg string
		polls           map[string]int
	}{
		{"one thread", loops + ".funcdef @main VERSION %v <@v_v> { %e(): RET () }", "main", map[string]int{"straight": 0, "once": 0, "twice": 0}},
		{"several", loops + start, "main", map[string]int{"straight": 0, "once": 1, "twice": 2}},
		{"Go may have more", loops, "p", map[string]int{"straight": 0, "once": 1, "twice": 2}},
	} {
		files, err := Generate(facts.Of(mustLoad(t, pollsPrelude+tt.text), facts.Options{Open: tt.pkg != "main"}), Options{Options: repr.Options{Package: tt.pkg}, Runtime: "example.com/rtlib"})
		if err != nil {
			t.Fatal(err)
		}
		all := ""
		for _, f := range files {
			all += string(f.Data)
		}
		for name, want := range tt.polls {
			_, body, ok := strings.Cut(all, "func "+name+"(")
			body, _, ok2 := strings.Cut(body, "\n}\n")
			if !ok || !ok2 {
				t.Fatalf("%s: no function %s in\n%s", tt.name, name, all)
			}
			if got := strings.Count(body, "t.Poll"); got != want {
				t.Errorf("%s: %d polls in %s, want %d\n%s", tt.name, got, name, want, body)
			}
		}
	}
}
