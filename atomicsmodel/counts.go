package atomicsmodel

import (
	"fmt"
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
func (s State) Matches(seen State) bool { return s.digits() == seen.digits() }

// digits is what a program shows of a state.
func (s State) digits() string {
	var b []byte
	for _, v := range s {
		b = append(b, byte(digit(v)))
	}
	return string(b)
}

// Allows reports whether a state that a program saw is one of those that the
// model allows.
func (v *Verdict) Allows(s State) bool {
	return v.Result == UB || v.More || v.Find([]Count{{State: s}})[0] >= 0
}

// Find returns, for each count, the first of the verdict's states that a program shows so, by number; -1 if there is none.
func (v *Verdict) Find(counts []Count) []int {
	shown := map[string]int{} // -1 until the state is found
	for _, c := range counts {
		shown[c.State.digits()] = -1
	}
	for i, s := range v.States.All() {
		d := s.digits()
		if n, ok := shown[d]; ok && n < 0 {
			shown[d] = i
		}
	}
	var list []int
	for _, c := range counts {
		list = append(list, shown[c.State.digits()])
	}
	return list
}

// Asked reports whether a final state has the outcome that the test asks for.
func (t *Test) Asked(s State) bool { return t.asked(s) }
