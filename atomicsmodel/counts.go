package atomicsmodel

import (
	"fmt"
	"slices"
	"strings"
)

// A Count tells how often a final state was seen. A value that is not defined
// also stands for values for which the report has no digit.
type Count struct {
	State State
	N     int64
}

// ReadCounts reads the output of a program made by Bundle: the states that it saw,
// for each test.
func ReadCounts(tests []*Test, output string) ([][]Count, error) {
	counts := make([][]Count, len(tests))
	for line := range strings.Lines(output) {
		var trap, test int
		var state, n int64
		line = strings.TrimSpace(line)
		if _, err := fmt.Sscanf(line, "trap "+trapName+".%d test=%d state=%d count=%d", &trap, &test, &state, &n); err != nil {
			return nil, fmt.Errorf("not the report of a state: %q", line)
		}
		if test < 0 || test >= len(tests) {
			return nil, fmt.Errorf("no test %d: %q", test, line)
		}
		s := make(State, len(tests[test].registers)+len(tests[test].locations))
		for i := len(s) - 1; i >= 0; i-- {
			if d := state % radix; d != other {
				s[i] = Value{d, true}
			}
			state /= radix
		}
		counts[test] = append(counts[test], Count{s, n})
	}
	return counts, nil
}

// Matches reports whether a program shows the state s as seen (Count).
func (s State) Matches(seen State) bool {
	return slices.EqualFunc(s, seen, func(a, b Value) bool { return digit(a) == digit(b) })
}

// Allows reports whether a state that a program saw is one of those that the
// model allows.
func (v *Verdict) Allows(s State) bool {
	return v.Result == UB || v.More || v.Index(s) >= 0
}

// Index returns the number of the state that a program shows as seen, or -1 if it is not among the states.
func (v *Verdict) Index(seen State) int {
	for i, s := range v.States.All() {
		if s.Matches(seen) {
			return i
		}
	}
	return -1
}

// Asked reports whether a final state has the outcome that the test asks for.
func (t *Test) Asked(s State) bool { return t.asked(s) }
