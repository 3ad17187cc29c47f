package litmus_test

import (
	"fmt"
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
	got, err := litmus.FromProgram("t.uir", p.IR, entry, litmus.Question{Ask: ask, Expect: "Sometimes"})
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
	want := `litmus t
p0: st.na x 1; fence.sc; p0_a = ld.con y; st.rel x 0 dep p0_a; p0_b = add.ar y p0_a
p1: p1_o = cas.acq.rlx x 0 2; p1_r = ld.sc y if p1_o=0; st.rlx y p1_o if p1_o=0 if p1_r!=1; st.rlx y 2 if p1_o!=0
ask p1_o=0 | x!=1
expect Sometimes
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
		{body("CALL <@w> @other (@1) CALL <@v> @main () CALL <@v> @p () RET ()"), "t.uir:9:42: calls in a litmus test are at most 16 deep"},
		{".typedef @i32 = int<32> .typedef @p8 = uptr<@i64> .typedef @p4 = uptr<@i32>" + body("%p = COMMINST @uvm.native.pin <@c> (@x) %q = PTRCAST <@p8 @p4> %p %a = LOAD PTR <@i32> %q RET ()") + ".typedef @c = iref<@i64>",
			"t.uir:9:72: cell @x of 64 bits is accessed with 32 bits: the memory model says nothing about accesses of mixed sizes"},
	} {
		if _, err := test(t, k.text, "x=1"); err == nil || !strings.HasPrefix(err.Error(), k.want) {
			t.Errorf("%s\ngot  %v\nwant %s", k.text, err, k.want)
		}
	}
}

// TestQuestionErrors: errors in a question name what it may ask about.
func TestQuestionErrors(t *testing.T) {
	_, err := test(t, ".funcdef @p VERSION %v <@v> {\n%e():\n%a = LOAD <@i64> @x\nRET ()\n}\n", "p_b=1")
	if want := "t.uir: the question: p_b is neither a register nor a location\nt.uir: the question may use p_a, x, y"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// TestDialects makes the same test of bundles in all dialects that have atomic accesses; that of TVM, which has none, is a
// race. Lines are those of the file.
func TestDialects(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"mp.uir", `.typedef @i64 = int<64> .funcsig @v = () -> () .const @1 <@i64> = 1 .global @data <@i64> .global @flag <@i64>
.funcdef @p0 VERSION %v <@v> { %e(): STORE <@i64> @data @1
STORE SEQ_CST <@i64> @flag @1 RET () }
.funcdef @p1 VERSION %v <@v> { %e(): %f = LOAD SEQ_CST <@i64> @flag %c = EQ <@i64> %f @1 BRANCH2 %c %then() %end()
%then(): %d = LOAD <@i64> @data RET ()
%end(): RET () }`, "p0: st.na data 1 (2); st.sc flag 1 (3)\np1: p1_f = ld.sc flag (4); p1_d = ld.na data if p1_f=1 (5)\n"},
		{"mp.uir", `.typedef @i64 = int<64>
.typedef @void = void
.funcsig @v = @void ()
.const @1 <@i64> = 1
.global @data <@i64>
.global @flag <@i64>
.funcdef @p0 <@v> { %e: STORE <@i64> @data @1
STORE SEQ_CST <@i64> @flag @1
RETVOID }
.funcdef @p1 <@v> { %e: %f = LOAD SEQ_CST <@i64> @flag
%c = EQ <@i64> %f @1
BRANCH2 %c %then %end
%then: %d = LOAD <@i64> @data
RETVOID
%end: RETVOID }`, "p0: st.na data 1 (7); st.sc flag 1 (8)\np1: p1_f = ld.sc flag (10); p1_d = ld.na data if p1_f=1 (13)\n"},
		{"mp.ir", `program 99 1
global @data: int<64> = 0
global @flag: int<64> = 0
func @p0: () -> ()
version @p0.v of @p0 {
^e():
  store <int<64>> @data 1:int<64>
  store.seq_cst <int<64>> @flag 1:int<64>
  ret
}
`, "p0: st.na data 1 (7); st.sc flag 1 (8)\n"},
		{"mp.ial", `field global uint data; field global uint flag;
function void p0() { register uint* p; register uint one; register uint64 k; block entry {
  k = load.ui64 (1); one = conv k; field.global.set one (data);
  p = field.global.addr (flag); arg.push p; arg.push one;
  invoke (mci/atomic_store_u); leave; } }
function void p1() { register uint* p; register uint f; register uint d; register uint one; register uint64 k; register uint c;
  block entry { p = field.global.addr (flag); arg.push p;
  f = call (mci/atomic_load_u); k = load.ui64 (1); one = conv k; c = cmp.eq f, one;
  jump.cond c (then, end); }
  block then { d = field.global.get (data); leave; }
  block end { fence; leave; } }
`, "mp_p0: st.na mp_data_field 1 (3); st.sc mp_flag_field 1 (5)\n" +
			"mp_p1: mp_p1_1 = ld.sc mp_flag_field (8); mp_p1_2 = ld.na mp_data_field if mp_p1_1=1 (10); fence.sc if mp_p1_1!=1 (11)\n"},
		{"sb.tvm", `%x = global i32 #i0;
%y = global i32 #i0;
%p0 = function () > empty {
  store #i1 %x;
  %r = load %y;
  return empty_v;
};
`, "p0: st.na x 1 (4); p0_r = ld.na y (5)\n"},
	} {
		p, diags := transpile.Load([]transpile.Source{{Name: c.file, Text: []byte(c.text)}}, transpile.Options{})
		if p == nil {
			var b strings.Builder
			diags.Print(&b)
			t.Error(b.String())
			continue
		}
		ask := strings.TrimSuffix(strings.Fields(c.want)[2], ";") + "=1"
		entry, _ := p.EntryFunction()
		got, err := litmus.FromProgram(c.file, p.IR, entry, litmus.Question{Ask: ask})
		if err != nil {
			t.Error(err)
			continue
		}
		var b strings.Builder
		for _, th := range got.Threads {
			b.WriteString(th.Name + ":")
			for i, s := range th.Code {
				if i > 0 {
					b.WriteString(";")
				}
				fmt.Fprintf(&b, " %s (%d)", s.String(), s.Line)
			}
			b.WriteString("\n")
		}
		if b.String() != c.want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", c.file, b.String(), c.want)
		}
	}
}
