package atomicsmodel

import (
	"strings"
	"testing"
)

const mpC = `C MP+rel+acq
"a flag hands data over"
Cycle=Rfe PodRR Fre PodWW
{ int x=0; [y]=0; }
P0 (atomic_int* x, volatile atomic_int *y) {
  // data, then flag
  atomic_store_explicit(x, 1, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_release);
}
P1 (atomic_int* x, volatile atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_acquire); /* flag */
  int r1;
  if (r0 == 1) { r1 = atomic_load_explicit(x, memory_order_relaxed); }
}
(* the data must be there *)
~exists (1:r0=1 /\ 1:r1=0)
`

// TestParseC compares tests in C with the same tests in the format of the package.
func TestParseC(t *testing.T) {
	for _, k := range []struct{ c, want string }{
		{mpC, `litmus MP+rel+acq
doc a flag hands data over
init x=0
init y=0
P0: st.rlx x 1; st.rel y 1
P1: P1_r0 = ld.acq y; P1_r1 = ld.rlx x if P1_r0=1
ask P1_r0=1 P1_r1=0
expect Never`},
		{`C ops { } P0 (int* x, _Atomic int* y) {
  *x = 1; *y = 2;
  int a = *x, b = *y;
  int c = atomic_fetch_add(y, a), d = atomic_exchange_explicit(y, 7, memory_order_acq_rel);
  atomic_fetch_or_explicit(y, 1 + 2*3, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_thread_fence(memory_order_relaxed);
  c = atomic_load(y);
  atomic_store(y, 5 + (a ^ a));
  *x = (b & 0) + c;
}
forall (0:c=1 \/ ~(x=1 /\ y!=2))`, `litmus ops
P0: st.na x 1; st.sc y 2; P0_a = ld.na x; P0_b = ld.sc y; P0_c = add.sc y P0_a; P0_d = xchg.ar y 7; or.rlx y 7; fence.sc; P0_c_2 = ld.sc y; st.sc y 5 dep P0_a; st.na x P0_c_2 dep P0_b
ask P0_c_2=1 | x!=1 | y=2
expect Always`},
		{`C branches {} P0 (int* x, int* y) {
  int a = *x;
  if (a) *y = 1; else { *y = 2; if (!a && a != 3) *y = 3; }
}
exists (not (y=0 \/ y=1) /\ (x=0 \/ x=1))`, `litmus branches
P0: P0_a = ld.na x; st.na y 1 if P0_a!=0; st.na y 2 if P0_a=0; st.na y 3 if P0_a=0 if P0_a=0 if P0_a!=3
ask y!=0 y!=1 x=0 | y!=0 y!=1 x=1
expect Possible`},
	} {
		got, err := ParseC("t.litmus", k.c)
		if err != nil {
			t.Error(err)
			continue
		}
		if want := mustParse(t, k.want); got.String() != want.String() {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if !IsC(k.c) || IsC(got.String()) {
			t.Error("the form is not recognised")
		}
	}
}

func TestParseCErrors(t *testing.T) {
	in := func(body string) string {
		return "C e { x=0; }\nP0 (atomic_int* x, int* z) {\n" + body + "\n}\nexists (x=1)\n"
	}
	for _, k := range []struct{ text, want string }{
		{in("while (1) {}"), "e:3:1: while is not supported: a litmus test has no loops and no jumps"},
		{in("int r = *y;"), "e:3:10: y is no parameter of the thread"},
		{in("x = 1;"), "e:3:1: x is a location: store to *x"},
		{in("int r = 5;"), "e:3:9: a variable can only get the value of an access, or of another variable"},
		{in("*x = q;"), "e:3:6: unknown variable q"},
		{in("int q; *x = q;"), "e:3:13: q has no value yet"},
		{in("int q = *x; *x = q + 1;"), "e:3:20: + computes with a register: only r^r, r-r, r&0 and r*0 are supported"},
		{in("atomic_store_explicit(x, 1, memory_order_acquire);"), "e:3:1: atomic_store_explicit cannot have the order ACQUIRE"},
		{in("atomic_store_explicit(x, 1, acquire);"), `e:3:29: want a memory order such as memory_order_relaxed, got "acquire"`},
		{in("int r = atomic_compare_exchange_strong(x, 1, 2);"), "e:3:9: atomic_compare_exchange_strong is not supported: want atomic_load,"},
		{in("int r = atomic_store(x, 1);"), "e:3:9: atomic_store has no result"},
		{in("int a = *z; int b = *z; if (a) { b = *x; }"), "e:3:34: b has a value before this if, or in its other branch: assign to another variable"},
		{in("*x = 1"), `e:4:1: want ";", got "}"`},
		{"C e { 0:r=1; } P0 (int* x) {} exists (x=1)", `e:1:7: want a location, got "0"`},
		{"C e {} P1 (int* x) {} exists (x=1)", "e:1:8: want thread P0, got P1"},
		{"C e {} exists (x=1)", `e:1:8: want a thread such as P0, got "exists"`},
		{"C e {} P0 (int* x) {} exists (0:r=1)", "e:1:33: thread P0 has no variable r"},
		{"C e {} P0 (int* x) {} exists (r=1)", `e:1:31: "r" is no location; a register is written THREAD:NAME`},
		{"C e {} P0 (int* x) {} maybe (x=1)", `e:1:23: want exists, ~exists or forall, got "maybe"`},
		{"C e {} P0 (int* x) { *x", `e:1:24: want "=", got the end of the file`},
		{"C e {} P0 (atomic_int* x) {} P1 (atomic_char* x) {} exists (x=1)",
			"e:1:47: x has 8 bits here and 32 in another thread: the model says nothing about accesses of mixed sizes"},
		{"C e {} P0 (volatile long* x) {} P1 (long long* y, unsigned short* x) {} exists (x=1)", "e:1:67: x has 16 bits here and 64 in another thread"},
		{"C e", "e:1:4: want { before the initial values, got the end of the file"},
	} {
		_, err := ParseC("e", k.text)
		if err == nil || !strings.HasPrefix(err.Error(), k.want) {
			t.Errorf("%s\ngot  %v\nwant %s", k.text, err, k.want)
		}
	}
}

func FuzzParseC(f *testing.F) {
	f.Add(mpC)
	f.Add("C e {} P0 (int* x) { if (1) { int a = *x; } else *x = (2); } forall (x=1 \\/ 0:a!=2)")
	f.Fuzz(func(t *testing.T, text string) {
		test, err := ParseC("f", text)
		if err != nil {
			return
		}
		again, err := Parse("again", test.String())
		if err != nil {
			t.Fatalf("printed as\n%s\n%v", test, err)
		}
		if again.String() != test.String() {
			t.Fatalf("printed as\n%s\nand then as\n%s", test, again)
		}
	})
}
