package report

import (
	"testing"

	"github.com/uvm2go/uvm2go/atomicsmodel"
)

// TestObserve: a state that was seen is forbidden if the list of states is complete and does not have it.
func TestObserve(t *testing.T) {
	test, err := atomicsmodel.Parse("t", "litmus t\nP0: st.rlx x 1\nask x=1\n")
	if err != nil {
		t.Fatal(err)
	}
	state := func(n int64) atomicsmodel.State { return atomicsmodel.State{{N: n, Defined: true}} }
	counts := []atomicsmodel.Count{{State: state(2), N: 3}, {State: state(1), N: 5}}
	for _, row := range []struct {
		result    atomicsmodel.Result
		more      bool
		forbidden int
	}{{atomicsmodel.Always, false, 1}, {atomicsmodel.Always, true, 0}, {atomicsmodel.UB, false, 0}} {
		v := &atomicsmodel.Verdict{Result: row.result, States: atomicsmodel.NewStates(state(0), state(1)), More: row.more}
		r := newReport("t", test, atomicsmodel.Options{}, v)
		r.Observe(counts, "")
		if len(r.Forbidden) != row.forbidden || r.Ran != 8 || r.Seen != 5 || r.Bad() != (row.forbidden > 0) {
			t.Errorf("%v, more %v: forbidden %v, %d runs, %d with the outcome", row.result, row.more, r.Forbidden, r.Ran, r.Seen)
		}
		seen := map[int64]int64{}
		for s := range r.States() {
			seen[s.values[0].N] = s.Seen
		}
		if seen[0] != 0 || seen[1] != 5 {
			t.Errorf("%v: states were seen %v times", row.result, seen)
		}
	}
}
