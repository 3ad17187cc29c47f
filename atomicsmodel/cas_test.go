package atomicsmodel

import (
	"strings"
	"testing"
)

// TestCompareExchange judges compare-exchanges in C: of two strong ones exactly one stores, weak ones may fail both; who fails finds the value
// that it read in the variable, or in the location, of the expected value.
func TestCompareExchange(t *testing.T) {
	const text = `C cas { x=0; old=0; }
P0 (atomic_int* x) { int e = 0; int ok = atomic_compare_exchange_strong_explicit(x, &e, 1, memory_order_acq_rel, memory_order_acquire); }
P1 (atomic_int* x, int* old) { int ok = atomic_compare_exchange_strong(x, old, 2); }
`
	weak := strings.ReplaceAll(text, "strong", "weak")
	for _, k := range []struct {
		text, question string
		want           Result
	}{
		{text, `exists (0:ok=1 /\ 1:ok=1)`, Never},
		{text, `exists (0:ok=0 /\ 1:ok=0)`, Never},
		{text, `exists (0:ok=0 /\ 1:ok=1)`, Sometimes},
		{text, `forall (0:ok=1 /\ 0:e=0 /\ x=1 \/ 0:ok=0 /\ 0:e=2 /\ x=2)`, Always},
		{text, `forall (1:ok=1 /\ old=0 /\ x=2 \/ 1:ok=0 /\ old=1 /\ x=1)`, Always},
		{weak, `exists (0:ok=1 /\ 1:ok=1)`, Never},
		{weak, `exists (0:ok=0 /\ 1:ok=0 /\ x=0 /\ 0:e=0 /\ old=0)`, Sometimes},
		{weak, `exists (0:ok=0 /\ 0:e=2 /\ x=2)`, Sometimes},
		{weak, `exists (0:ok=0 /\ 0:e=0 /\ x=2)`, Sometimes}, // before the other one stored
		{weak, `exists (0:ok=1 /\ 0:e!=0)`, Never},
		{text, `filter (0:ok=1) exists (x=2)`, Never},
		{text, `filter (0:ok=1) forall (1:ok=0)`, Always},
	} {
		test, err := ParseC("cas.litmus", k.text+k.question)
		if err != nil {
			t.Fatal(k.question, err)
		}
		again := mustParse(t, test.String())
		for _, test := range []*Test{test, again} {
			v, err := Check(test, Options{})
			if err != nil {
				t.Fatal(err)
			}
			d, err := Decide(t.Context(), test, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if v.Result != k.want || d.Result != k.want {
				t.Errorf("%s: %v, and without states %v, want %v\n%s", k.question, v.Result, d.Result, k.want, test)
			}
		}
	}
}
