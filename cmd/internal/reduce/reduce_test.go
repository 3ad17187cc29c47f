package reduce_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
	"github.com/uvm2go/uvm2go/cmd/internal/reduce"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

func reduced(name, text string, keep func(text string) bool) string {
	return reducedWith(reduce.Options{}, name, text, keep)
}

func reducedWith(opt reduce.Options, name, text string, keep func(text string) bool) string {
	opt.Keep = func(_ context.Context, _ int, files []transpile.Source) bool { return keep(string(files[0].Text)) }
	return string(reduce.Reduce(context.Background(), []transpile.Source{{Name: name, Text: []byte(text)}}, opt)[0].Text)
}

// differs is a program for TestReduce. The names of its two traps tell which branch was taken.
const differs = `
.typedef @i64 = int<64>  .typedef @i1 = int<1>
.const @i64_0 <@i64> = 0  .const @i64_7 <@i64> = 7  .const @i64_9 <@i64> = 9
.global @g <@i64>
.funcsig @v_v = () -> ()
.funcsig @one = (@i64) -> (@i64)
.funcdef @work VERSION %v <@one> {
  %e(<@i64> %x):
    %y = ADD <@i64> %x @i64_7
    %z = MUL <@i64> %y %y
    STORE <@i64> @g %z
    RET %z
}
.funcdef @main VERSION %v <@v_v> {
  %e():
    %a = CALL <@one> @work (@i64_9)
    %c = EQ <@i64> %a @i64_0
    BRANCH2 %c %yes(%a) %no(%a)
  %yes(<@i64> %a):
    [@yes] TRAP <> KEEPALIVE(%a)
    RET ()
  %no(<@i64> %a):
    [@no] TRAP <> KEEPALIVE(%a)
    RET ()
}
`

// TestReduce shrinks with a test of its own: a bundle is interesting as long as it
// has a MUL whose result is stored.
func TestReduce(t *testing.T) {
	small := reduced("p.uir", differs, func(text string) bool {
		return strings.Contains(text, "MUL") && strings.Contains(text, "STORE")
	})
	if n := strings.Count(small, "\n"); n > 18 {
		t.Errorf("%d lines are left:\n%s", n, small)
	}
	for _, gone := range []string{"@yes", "@no", "BRANCH2", "@i64_7"} {
		if strings.Contains(small, gone) {
			t.Errorf("%s is left:\n%s", gone, small)
		}
	}
}

// TestReduceIAL shrinks a program in IAL to the function that divides.
func TestReduceIAL(t *testing.T) {
	text := ""
	for seed := int64(1); strings.Count(text, "ari.div") < 2; seed++ {
		text = randprog.Bundle([]randprog.Program{randprog.GenerateIAL(seed, "@p.")})
	}
	small := reduced("p.ial", text, func(text string) bool { return strings.Contains(text, "= ari.div") })
	if n := strings.Count(small, "\n"); n > 20 {
		t.Errorf("%d lines are left:\n%s", n, small)
	}
	for _, gone := range []string{"jump.cond", "type ", "data "} {
		if strings.Contains(small, gone) {
			t.Errorf("%s is left:\n%s", gone, small)
		}
	}
}

// TestReduceTVM shrinks a program in TVM to the function that divides.
func TestReduceTVM(t *testing.T) {
	text := randprog.Bundle([]randprog.Program{randprog.GenerateTVM(1, "@p.")})
	if strings.Count(text, "(div") < 3 || !strings.Contains(text, "cond_br") {
		t.Fatal("the program divides or jumps too seldom")
	}
	small := reduced("p.tvm", text, func(text string) bool { return strings.Contains(text, "(div") })
	if n := strings.Count(small, "\n"); n > 12 {
		t.Errorf("%d lines are left:\n%s", n, small)
	}
	for _, gone := range []string{"(add", "(select", "phi", "cond_br"} {
		if strings.Contains(small, gone) {
			t.Errorf("%s is left:\n%s", gone, small)
		}
	}
}

// TestReduceIR shrinks the text of the representation.
func TestReduceIR(t *testing.T) {
	p, _ := transpile.Load([]transpile.Source{{Name: "p.uir", Text: []byte(differs)}}, transpile.Options{})
	var b bytes.Buffer
	if err := ir.Print(&b, p.IR); err != nil {
		t.Fatal(err)
	}
	small := reduced("p.ir", b.String(), func(text string) bool { return strings.Contains(text, "mul <") })
	if n := strings.Count(small, "\n"); n > 9 {
		t.Errorf("%d lines are left:\n%s", n, small)
	}
	for _, gone := range []string{"@main", "@yes", "branch2", "add <", "uvm.meta", "!", "program"} {
		if strings.Contains(small, gone) {
			t.Errorf("%s is left:\n%s", gone, small)
		}
	}
}

// TestReduceIRParams drops parameters of functions in the text of the representation, with the arguments of their calls.
func TestReduceIRParams(t *testing.T) {
	small := reduced("p.ir", `type @sig = (int<64> int<64> ref<void>) -> (int<64>)
const @n: ref<void> = null
func @f: @sig noinline
func @main: () -> ()
version @f.v of @f {
^e.0(%a.1: int<64>, %b.2: int<64>, %c.3: ref<void>):
  %r.4: int<64> = sdiv <int<64>> %a.1 %b.2
  ret %r.4
}
version @main.v of @main {
^e.0():
  %x.1: int<64> = call <@sig> @f 1:int<64> 2:int<64> @n exc ^y.1() ^z.2()
^y.1():
  ret
^z.2() [%q.2: ref<void>]:
  throw %q.2
}
`, func(text string) bool {
		return strings.Contains(text, "sdiv") && strings.Contains(text, "call <")
	})
	for _, want := range []string{"func @f: () -> (int<64>)", "^e.0():\n  %r.4: int<64> = sdiv", "call <() -> (int<64>)> @f"} {
		if !strings.Contains(small, want) {
			t.Errorf("%q is not in\n%s", want, small)
		}
	}
	if strings.Contains(small, "@sig") || strings.Contains(small, "@n") {
		t.Errorf("more than needed is left:\n%s", small)
	}
}

// TestReduceWithoutMain keeps functions that @main does not reach, if the property needs them.
func TestReduceWithoutMain(t *testing.T) {
	text := strings.Replace(differs, "@main", "@start", 1)
	small := reduced("p.uir", text, func(text string) bool { return strings.Contains(text, "MUL") })
	if n := strings.Count(small, "\n"); n > 10 || strings.Contains(small, "@start") {
		t.Errorf("%d lines are left:\n%s", n, small)
	}
}

// TestReduceInvalid shrinks a text with errors to the tokens that matter.
func TestReduceInvalid(t *testing.T) {
	text := strings.Replace(differs, "ADD", "AD", 1)
	small := reduced("p.uir", text, func(text string) bool { return strings.Contains(text, "AD <") && strings.Contains(text, "@work") })
	if want := "@workAD <"; small != want && small != "@work AD <" {
		t.Errorf("got %q, want %q", small, want)
	}
}

// TestReduceValid never asks about a text that has errors, if the first has none.
func TestReduceValid(t *testing.T) {
	reduced("p.uir", differs, func(text string) bool {
		if p, _ := transpile.Load([]transpile.Source{{Name: "p.uir", Text: []byte(text)}}, transpile.Options{}); p == nil {
			t.Errorf("asked about\n%s", text)
		}
		return strings.Contains(text, "MUL")
	})
}

// TestReduceStops returns what it has when the context ends.
func TestReduceStops(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	files := []transpile.Source{{Name: "p.uir", Text: []byte(differs)}}
	var better []string
	opt := reduce.Options{
		Better: func(files []transpile.Source) {
			better = append(better, string(files[0].Text))
			stop()
		},
		Keep: func(context.Context, int, []transpile.Source) bool { return true },
	}
	small := string(reduce.Reduce(ctx, files, opt)[0].Text)
	if len(better) != 1 || small != better[0] || small == differs {
		t.Errorf("after %d changes:\n%s", len(better), small)
	}
	if text := string(reduce.Reduce(ctx, files, opt)[0].Text); text != differs {
		t.Errorf("without time the text became\n%s", text)
	}
}

// TestReduceJobs gives the same result however many candidates are tried at a time.
func TestReduceJobs(t *testing.T) {
	for name, text := range map[string]string{
		"p.uir": differs,
		"p.tvm": randprog.Bundle([]randprog.Program{randprog.GenerateTVM(1, "@p.")}),
	} {
		keep := func(text string) bool { return strings.Contains(text, "MUL") || strings.Contains(text, "(div") }
		if !keep(text) {
			t.Fatalf("%s has not what must stay", name)
		}
		one := reduced(name, text, keep)
		for _, jobs := range []int{2, 5} {
			if got := reducedWith(reduce.Options{Jobs: jobs}, name, text, keep); got != one {
				t.Errorf("%s, %d jobs:\n%swith one:\n%s", name, jobs, got, one)
			}
		}
	}
}

// TestReduceParams drops parameters of functions, with the arguments of their calls, and fields of types.
func TestReduceParams(t *testing.T) {
	small := reduced("p.uir", `.typedef @i64 = int<64> .typedef @S = struct<@i64 @i64 @i64> .typedef @rS = ref<@S> .typedef @iS = iref<@S>
		.const @1 <@i64> = 1 .funcsig @main.sig = () -> () .funcsig @f.sig = (@i64 @i64 @i64) -> (@i64)
		.funcdef @f VERSION %v <@f.sig> { %e(<@i64> %a <@i64> %b <@i64> %c): %r = SDIV <@i64> %a %c %n = NEW <@S> %i = GETIREF <@S> %n %p = GETFIELDIREF <@S 0> %i STORE <@i64> %p %r RET %r }
		.funcdef @main VERSION %v <@main.sig> { %e(): %x = CALL <@f.sig> @f (@1 @1 @1) RET () }`, func(text string) bool {
		return strings.Contains(text, "CALL") && strings.Contains(text, "SDIV") && strings.Contains(text, "STORE")
	})
	for _, want := range []string{"struct<@i64>", "%e():\n", "@f ()\n"} {
		if !strings.Contains(small, want) {
			t.Errorf("%q is not in\n%s", want, small)
		}
	}
}

// TestReduceFiles reduces the bundles of a program together: what only another one needs stays.
func TestReduceFiles(t *testing.T) {
	first := `.typedef @i64 = int<64> .typedef @f64 = double .const @7 <@i64> = 7 .const @8 <@i64> = 8 .funcsig @s = () -> (@i64)
		.funcdef @seven VERSION %v <@s> { %e(): RET @7 }
		.funcdef @eight VERSION %v <@s> { %e(): RET @8 }`
	second := `.funcsig @v = () -> () .funcdef @main VERSION %v <@v> { %e(): %x = CALL <@s> @seven() %y = CALL <@s> @eight() RET () }`
	third := `.funcsig @w = () -> ()`
	files := []transpile.Source{{Name: "a.uir", Text: []byte(first)}, {Name: "b.uir", Text: []byte(second)}, {Name: "c.uir", Text: []byte(third)}}
	small := reduce.Reduce(context.Background(), files, reduce.Options{Keep: func(_ context.Context, _ int, files []transpile.Source) bool {
		if p, _ := transpile.Load(files, transpile.Options{}); p == nil {
			t.Error("asked about bundles with errors")
		}
		return strings.Contains(string(files[1].Text), "@seven")
	}})
	if a, b := string(small[0].Text), string(small[1].Text); strings.Contains(a, "@eight") || strings.Contains(a, "double") || !strings.Contains(a, "@seven") ||
		strings.Contains(b, "@eight") || len(small[2].Text) > 0 || string(files[0].Text) != first {
		t.Errorf("left:\n%s\n%s\n%s", a, b, small[2].Text)
	}
}

// TestReduceToInvalid leaves a valid text only if it may.
func TestReduceToInvalid(t *testing.T) {
	small := reducedWith(reduce.Options{Invalid: true}, "p.uir", differs, func(text string) bool { return strings.Contains(text, "MUL") })
	if small != "MUL" {
		t.Errorf("got %q", small)
	}
}
