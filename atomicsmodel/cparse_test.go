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
  *x = 1UL; *y = 2;
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
		{`C cas { x=0; 1:e=1; } P0 (atomic_int* x, int* old) {
  int e = 0;
  int ok = atomic_compare_exchange_strong_explicit(x, &e, 1, memory_order_acq_rel, memory_order_relaxed);
  if (ok == 0) { ok = atomic_compare_exchange_weak(x, &e, 2); }
}
P1 (atomic_int* x, int* old) {
  if (!atomic_compare_exchange_strong(x, &e, 3)) atomic_store(x, e);
  int r = atomic_compare_exchange_weak_explicit(x, old, 4, memory_order_release, memory_order_acquire);
}
exists (0:ok=1 /\ 1:r=0 /\ old=1)`, `litmus cas
init x=0
P0: P0_e, P0_ok = cas.ar.rlx x 0 1; P0_e_2, P0_ok_2 = casw.sc.sc x P0_e 2 if P0_ok=0
P1: P1_e, P1_value = cas.sc.sc x 1 3; st.sc x P1_e if P1_value=0; P1_old = ld.na old; P1_old_2, P1_r = casw.rel.acq x P1_old 4; st.na old P1_old_2 if P1_r=0
ask P0_ok_2=1 P1_r=0 old=1 | P0_ok!=0 P0_ok=1 P1_r=0 old=1
expect Possible`},
		{`C filtered { 0:s=3; } P0 (int* x, int* y) {
  int r = 7, a = *x;
  if (a == 1) { r = *y; s = 4; } else if (*y) r = 8;
}
locations [0:r; x]
filter (x=1)
exists (0:r!=7 /\ 0:s=4 /\ true \/ 0:s=3 /\ 0:r=8)`, `litmus filtered
P0: P0_a = ld.na x; P0_r = ld.na y if P0_a=1; P0_value = ld.na y if P0_a!=1
ask x=1 P0_a=1 P0_r!=7 | x=1 P0_a!=1 P0_value!=0 | x=1 P0_a!=1 P0_value=0 P0_r=8
expect Possible`},
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
		{in("int q = *x; int r = 5 + (q^q);"), "e:3:21: a variable can only get the value of an access, a number, or the value of another variable"},
		{in("*x = q;"), "e:3:6: unknown variable q"},
		{in("int q; *x = q;"), "e:3:13: q has no value yet"},
		{in("int q = *x; *x = q + 1;"), "e:3:20: + computes with a register: only r^r, r-r, r&0 and r*0 are supported"},
		{in("atomic_store_explicit(x, 1, memory_order_acquire);"), "e:3:1: atomic_store_explicit cannot have the order ACQUIRE"},
		{in("atomic_store_explicit(x, 1, acquire);"), `e:3:29: want a memory order such as memory_order_relaxed, got "acquire"`},
		{in("int r = atomic_compare_exchange_strong(x, 1, 2);"), `e:3:43: want the expected value, got "1"`},
		{in("int e = 0; int r = atomic_compare_exchange_strong(x, e, 2);"), "e:3:54: want the address of the expected value, such as &e"},
		{in("int e; int r = atomic_compare_exchange_weak(x, &e, 2);"), "e:3:49: e has no value yet"},
		{in("int e = 0; atomic_compare_exchange_strong_explicit(x, &e, 2, memory_order_relaxed, memory_order_release);"),
			"e:3:12: atomic_compare_exchange_strong_explicit cannot have the order of failure RELEASE"},
		{in("int e = 0; atomic_compare_exchange_strong_explicit(x, &e, 2, memory_order_relaxed);"), `e:3:82: want ",", got ")"`},
		{in("int r = atomic_flag_test_and_set(x);"), "e:3:9: atomic_flag_test_and_set is not supported: want atomic_load, atomic_store, atomic_exchange, atomic_fetch_OP, atomic_compare_exchange_strong or _weak,"},
		{in("int a = *z; if (a && *x) *z = 1;"), "e:3:22: an access after && is not supported: assign it to a variable in an if of its own"},
		{in("int a = 1; if (a) *z = 1;"), "e:3:15: a condition that is always true: leave out the if"},
		{in("int a = *z; int b = 0; if (a) b = 1; *x = b;"), "e:3:43: b has another value here if the branch before was taken: use another variable in the branch"},
		{in("int a = *z; if (a < 2) *z = 1;"), `e:3:19: want r, !r, r == NUMBER or r != NUMBER as a condition, or several with &&, got "<"`},
		{in("int a = x;"), "e:3:9: x is a location, with the value *x: pointers as values are not supported"},
		{in("lock(x);"), `e:3:1: want a statement, got "lock"`},
		{"C e {} P0 (int* x) { int a = 1; } exists (0:a=1)", "e:1:35: a question that does not depend on the execution"},
		{in("int r = atomic_store(x, 1);"), "e:3:9: atomic_store has no result"},
		{in("*x = 1"), `e:4:1: want ";", got "}"`},
		{"C e { 0:1=1; } P0 (int* x) {} exists (x=1)", `e:1:9: want a variable, got "1"`},
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
