package reduce_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
	"github.com/uvm2go/uvm2go/cmd/internal/reduce"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

func reduced(name, text string, keep func(text string) bool) string {
	return reduce.Reduce(text, reduce.Options{Name: name, Keep: keep, Until: time.Now().Add(time.Minute)})
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
	for _, gone := range []string{"@main", "@yes", "branch2", "add <", "uvm.meta"} {
		if strings.Contains(small, gone) {
			t.Errorf("%s is left:\n%s", gone, small)
		}
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

// TestReduceStops returns what it has when the time is over.
func TestReduceStops(t *testing.T) {
	text := reduce.Reduce(differs, reduce.Options{Name: "p.uir", Keep: func(string) bool { return true }})
	if text != differs {
		t.Errorf("without time the text became\n%s", text)
	}
}
