package atomicsmodel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// allocated is how many bytes f allocates, and how many of them remain with what it returns.
func allocated(f func() any) (all, kept int64) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after, end runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	result := f()
	runtime.ReadMemStats(&after)
	runtime.GC()
	runtime.ReadMemStats(&end)
	runtime.KeepAlive(result)
	return int64(after.TotalAlloc - before.TotalAlloc), int64(end.HeapAlloc) - int64(before.HeapAlloc)
}

// TestMemory compares the memory for tests of different sizes. It grows with the number of states that are listed, by few bytes for each;
// not with the number of executions; and not at all where no states are asked for. Nothing is allocated that is not kept, but for the table of
// states, which doubles.
func TestMemory(t *testing.T) {
	loads := func(n int) string { // C(2n, n) states
		return "P0:" + chain(n, "x") + "\nP1:" + loadsOf(n, "a", "x") + "\nask x=99\n"
	}
	same := func(n int) string { // 25 states, as all stores have the same value
		return "P0:" + strings.Repeat(" st.rlx x 1;", n) + "\nP1:" + loadsOf(4, "a", "x") + "\nP2:" + loadsOf(4, "b", "x") + "\nask x=99\n"
	}
	for _, k := range []struct {
		name         string
		small, large string
		decide       bool
	}{
		{"states", loads(4), loads(8), false},
		{"executions", same(2), same(7), false},
		{"no states", loads(4), loads(8), true},
	} {
		measure := func(text string) (all, kept int64, states int) {
			test := mustParse(t, "litmus memory\n"+text)
			check := Check
			if k.decide {
				check = func(test *Test, o Options) (*Verdict, error) { return Decide(t.Context(), test, o) }
			}
			all, kept = allocated(func() any {
				v, err := check(test, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if v.States != nil {
					states = v.States.Len()
				}
				return v
			})
			return all, kept, states
		}
		measure(k.small)
		all, kept, states := measure(k.small)
		bigAll, bigKept, bigStates := measure(k.large)
		added := int64(bigStates - states)
		t.Logf("%s: %s", k.name, fmt.Sprintf("%d states, %d bytes allocated, %d kept; %d, %d, %d", states, all, kept, bigStates, bigAll, bigKept))
		if most := 40*added + 80_000; bigAll-all > 2*most || bigKept-kept > most {
			t.Errorf("%s: %d more states take %d bytes more, and %d of them remain", k.name, added, bigAll-all, bigKept-kept)
		}
	}
}
