package litmus_test

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/cmd/internal/litmus"
	"github.com/uvm2go/uvm2go/transpile"
)

const prelude = `.typedef @i64 = int<64> .typedef @i1 = int<1> .typedef @d = double
.funcsig @v = () -> () .funcsig @w = (@i64) -> ()
.const @0 <@i64> = 0 .const @1 <@i64> = 1 .const @2 <@i64> = 2
.global @x <@i64> .global @y <@i64> .global @z <@d>
.funcdef @main VERSION %v <@v> { %e(): RET () }
.funcdef @other VERSION %v <@w> { %e(<@i64> %n): STORE <@i64> @x %n RET () }
`

func test(t *testing.T, text, ask string) (string, error) {
	t.Helper()
	p, diags := transpile.Load([]transpile.Source{{Name: "t.uir", Text: []byte(prelude + text)}}, transpile.Options{})
	if p == nil {
		var b strings.Builder
		diags.Print(&b)
		t.Fatal(b.String())
	}
	entry, err := p.EntryFunction()
	if err != nil {
		t.Fatal(err)
	}
	got, err := litmus.FromProgram("t.uir", p.IR, entry, ask)
	if err != nil {
		return "", err
	}
	return got.String(), nil
}

// TestFromProgram writes the operations, orders, branches and dependencies of functions as a test.
func TestFromProgram(t *testing.T) {
	got, err := test(t, `
.funcdef @p0 VERSION %v <@v> {
  %e():
    STORE <@i64> @x @1
    FENCE SEQ_CST
    %a = LOAD CONSUME <@i64> @y
    %z = XOR <@i64> %a %a
    %s = ADD <@i64> %z @0
    STORE RELEASE <@i64> @x %s
    %b = ATOMICRMW ACQ_REL ADD <@i64> @y %a
    RET ()
}
.funcdef @p1 VERSION %v <@v> {
  %e():
    (%o %ok) = CMPXCHG ACQUIRE RELAXED <@i64> @x @0 @2
    BRANCH2 %ok %then(%o) %else(%o)
  %then(<@i64> %q):
    %r = LOAD SEQ_CST <@i64> @y
    %c = NE <@i64> %r @1
    BRANCH2 %c %in(%q) %end()
  %in(<@i64> %q):
    STORE RELAXED <@i64> @y %q
    BRANCH %end()
  %else(<@i64> %q):
    STORE RELAXED <@i64> @y @2
    RET ()
  %end():
    RET ()
}
`, "p1_o=0 | x!=1")
	want := `litmus t_uir
p0: st.na x 1; fence.sc; p0_a = ld.con y; st.rel x 0 dep p0_a; p0_b = add.ar y p0_a
p1: p1_o = cas.acq.rlx x 0 2; p1_r = ld.sc y if p1_o=0; st.rlx y p1_o if p1_o=0 if p1_r!=1; st.rlx y 2 if p1_o!=0
ask p1_o=0 | x!=1
`
	if err != nil || got != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
}

func TestErrors(t *testing.T) {
	body := func(s string) string { return ".funcdef @p VERSION %v <@v> {\n%e():\n" + s + "\n}\n" }
	for _, k := range []struct{ text, want string }{
		{"", "t.uir: no threads: want functions without parameters beside the entry function"},
		{body("%n = NEW <@i64> RET ()"), "t.uir:9:6: NEW is not supported in a litmus test"},
		{body("%a = LOAD <@i64> @x %b = ADD <@i64> %a @1 STORE <@i64> @x %b RET ()"),
			"t.uir:9:26: ADD is not supported in a litmus test, unless its result does not depend on its operands, as that of r^r and r&0"},
		{body("%a = LOAD <@d> @z RET ()"), "t.uir:9:6: only cells of integers can be accessed in a litmus test"},
		{body("BRANCH %l() %l(): BRANCH %l()"), "t.uir:9:1: several branches lead to"},
		{body("%a = LOAD <@i64> @x %c = EQ <@i64> %a @1 BRANCH2 %c %j() %k() %k(): STORE <@i64> @x @1 BRANCH %j() %j(): STORE <@i64> @x @2 RET ()"),
			"t.uir:9:42: several branches lead to %j: a litmus test has no loops, and its branches do not meet again before the end"},
		{body("%a = LOAD <@i64> @x %c = SLT <@i64> %a @1 BRANCH2 %c %j() %k() %k(): RET () %j(): RET ()"),
			"t.uir:9:26: SLT is not supported in a litmus test, unless"},
	} {
		if _, err := test(t, k.text, "x=1"); err == nil || !strings.HasPrefix(err.Error(), k.want) {
			t.Errorf("%s\ngot  %v\nwant %s", k.text, err, k.want)
		}
	}
}
