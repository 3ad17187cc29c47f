// Package report has what is told about a litmus test, to people and to programs: its verdict, the final states with how
// often each was seen, and the execution or the cycle that is the reason, as text and as a picture. The command litmus and
// the playground show it. Package atomicsmodel judges the tests.
package report

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/atomicsmodel"
)

// maxCases is how many cases a question has at most for which each gets a result of its own. Questions in C that negate much
// have up to a thousand.
const maxCases = 16

// Read reads a test in either form.
func Read(file, text string) (*atomicsmodel.Test, error) {
	if atomicsmodel.IsC(text) {
		return atomicsmodel.ParseC(file, text)
	}
	return atomicsmodel.Parse(file, text)
}

// A Report is what is found out about a test. Its fields are those of the objects of uvm2go litmus -json.
type Report struct {
	File     string                `json:"file"`
	Name     string                `json:"name"`
	Result   string                `json:"result"`             // Never, Sometimes, Always, UB or MIXED
	Expected string                `json:"expected,omitempty"` // "" if the file does not say
	Met      bool                  `json:"met"`                // the result is the expected one, if there is one
	Reason   string                `json:"reason,omitempty"`   // of UB and MIXED
	Cases    []Case                `json:"cases,omitempty"`    // of a question with several, at most 16, unless the result is UB or MIXED
	List     struct{}              `json:"states"`             // the place of States; WriteJSON fills it
	More     bool                  `json:"more,omitempty"`     // there are more states than can be listed
	Example  string                `json:"example,omitempty"`  // an execution with the outcome asked for, or with the fault
	Refusal  *atomicsmodel.Refusal `json:"refusal,omitempty"`  // why no execution has the outcome
	// After a run: how often the test ran, and the states that were seen, though the model forbids them.
	Ran       int64   `json:"ran,omitempty"`
	Seen      int64   `json:"seen,omitempty"`  // with the outcome asked for
	Again     string  `json:"again,omitempty"` // the flags of a run with the same random choices
	Skipped   string  `json:"skipped,omitempty"`
	Forbidden []State `json:"forbidden,omitempty"`

	Test    *atomicsmodel.Test    `json:"-"`
	Verdict *atomicsmodel.Verdict `json:"-"`

	names []string      // of the values of a state
	seen  map[int]int64 // by number of a state: how often a run has ended there
}

// A Case is one of the cases of a question, of which one must hold.
type Case struct {
	Text   string `json:"text"`
	Result string `json:"result"` // Never, Sometimes or Always
}

// A State is a final state. There may be a million of them, so what is shown of one is made when it is shown.
type State struct {
	Asked bool  // the test asks for it
	Seen  int64 // how often a run has ended there

	names  []string
	values atomicsmodel.State
}

// Text is the state for people: the value of each register and location; a dash where there is none.
func (s State) Text() string { return string(s.appendText(nil)) }

// appendText adds the text of the state.
func (s State) appendText(b []byte) []byte {
	for i, n := range s.names {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(append(b, n...), '=')
		if s.values[i].Defined {
			b = strconv.AppendInt(b, s.values[i].N, 10)
		} else {
			b = append(b, '-')
		}
	}
	return b
}

// MarshalJSON writes the state as an object with values, asked and seen; registers that have no value are left out.
func (s State) MarshalJSON() ([]byte, error) {
	values := map[string]int64{}
	for i, n := range s.names {
		if s.values[i].Defined {
			values[n] = s.values[i].N
		}
	}
	return json.Marshal(struct {
		Values map[string]int64 `json:"values"`
		Asked  bool             `json:"asked"`
		Seen   int64            `json:"seen,omitempty"`
	}{values, s.Asked, s.Seen})
}

// Judge judges a test. It fails where atomicsmodel.CheckContext does.
func Judge(ctx context.Context, file string, t *atomicsmodel.Test, o atomicsmodel.Options) (*Report, error) {
	v, err := atomicsmodel.CheckContext(ctx, t, o)
	if err != nil {
		return nil, err
	}
	r := newReport(file, t, o, v)
	r.More = v.More
	if n := len(t.Ask); 1 < n && n <= maxCases && v.Result <= atomicsmodel.Always && !v.More {
		for i := range t.Ask {
			r.Cases = append(r.Cases, Case{t.Case(i), v.Case(t, i).String()})
		}
	}
	if v.Result == atomicsmodel.Never {
		r.Refusal = atomicsmodel.Explain(ctx, t, o)
	}
	return r, nil
}

// Decide is like Judge, but leaves out the states, the cases and the explanation.
func Decide(ctx context.Context, file string, t *atomicsmodel.Test, o atomicsmodel.Options) (*Report, error) {
	v, err := atomicsmodel.Decide(ctx, t, o)
	if err != nil {
		return nil, err
	}
	return newReport(file, t, o, v), nil
}

func newReport(file string, t *atomicsmodel.Test, o atomicsmodel.Options, v *atomicsmodel.Verdict) *Report {
	r := &Report{File: file, Name: t.Name, Result: v.Result.String(), Met: true, Reason: v.Reason, Test: t, Verdict: v, seen: map[int]int64{}}
	for _, x := range t.Expect {
		if x.Options == o {
			r.Expected, r.Met = x.String(), x.Met(v.Result)
		}
	}
	r.names = slices.Concat(t.Registers(), t.Locations())
	if v.Example != nil {
		r.Example = v.Example.String()
	}
	return r
}

// States goes through the final states in the order of their values; that of a register without value comes first.
func (r *Report) States() iter.Seq[State] {
	return func(yield func(State) bool) {
		if r.Verdict.States == nil {
			return
		}
		for i, values := range r.Verdict.States.All() {
			s := r.state(values)
			s.Seen = r.seen[i]
			if !yield(s) {
				return
			}
		}
	}
}

func (r *Report) state(s atomicsmodel.State) State {
	return State{Asked: r.Test.Asked(s), names: r.names, values: s}
}

// Observe notes how often which states were seen in a run, and the flags of one with the same random choices.
func (r *Report) Observe(counts []atomicsmodel.Count, again string) {
	r.Again = again
	numbers := r.Verdict.Find(counts)
	for k, c := range counts {
		s := r.state(c.State)
		s.Seen = c.N
		r.Ran += c.N
		if s.Asked {
			r.Seen += c.N
		}
		switch i := numbers[k]; {
		case i >= 0:
			r.seen[i] += c.N
		case r.Verdict.Result != atomicsmodel.UB && !r.Verdict.More: // otherwise the list is not complete
			r.Forbidden = append(r.Forbidden, s)
		}
	}
}

// maxStates is how many final states pages show.
const maxStates = 200

// Some returns the states that pages show, those that the test asks for first, and how many there are besides.
func (r *Report) Some() (list []State, more int) {
	var others []State
	n := 0
	for s := range r.States() {
		n++
		if s.Asked && len(list) < maxStates {
			list = append(list, s)
		} else if !s.Asked && len(others) < maxStates {
			others = append(others, s)
		}
	}
	list = append(list, others[:min(len(others), maxStates-len(list))]...)
	return list, n - len(list)
}

// Bad reports whether the result is not the expected one, or something was seen that the model forbids.
func (r *Report) Bad() bool { return !r.Met || len(r.Forbidden) > 0 }

// Picture draws the execution that the report is about, as SVG; "" if there is none.
func (r *Report) Picture() string {
	switch {
	case r.Verdict.Example != nil:
		return r.Verdict.Example.SVG(nil)
	case r.Refusal != nil && r.Refusal.Execution != nil:
		return r.Refusal.Execution.SVG(r.Refusal.Cycle)
	}
	return ""
}

// Headline is the result, whether it is expected, and the reason of UB and MIXED.
func (r *Report) Headline() string {
	s := r.Result
	switch {
	case r.Expected == "":
	case r.Met:
		s += ", as expected"
	default:
		s += ", but " + r.Expected + " is expected"
	}
	if r.Reason != "" {
		s += ": " + r.Reason
	}
	return s
}

// Why is the execution with the outcome, or what forbids it, as text.
func (r *Report) Why() string {
	switch {
	case r.Refusal == nil:
		return r.Example
	case r.Refusal.Axiom == "":
		return r.Refusal.String()
	}
	return "forbidden by " + r.Refusal.String()
}

// Print writes the report for people; quiet leaves out the states and what explains them.
func (r *Report) Print(w io.Writer, quiet bool) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s: %s\n", r.Name, r.Headline())
	for _, s := range r.Forbidden {
		fmt.Fprintf(b, "  seen %d times, though the model forbids it: %s\n", s.Seen, s.Text())
	}
	if len(r.Forbidden) > 0 {
		fmt.Fprintf(b, "  to repeat it: uvm2go litmus %s\n", r.Again)
	}
	if r.Skipped != "" {
		fmt.Fprintf(b, "  not run: %s\n", r.Skipped)
	}
	if !quiet {
		r.printStates(b)
	}
	return b.Flush()
}

// printStates writes the states, and why the test has its result.
func (r *Report) printStates(b *bufio.Writer) {
	for _, c := range r.Cases {
		fmt.Fprintf(b, "  %s: %s\n", c.Text, c.Result)
	}
	if r.More {
		fmt.Fprintf(b, "  more than %d states, some of which follow, * asked for", r.Verdict.States.Len())
	} else {
		fmt.Fprintf(b, "  %d states, * asked for", r.Verdict.States.Len())
	}
	if r.Ran > 0 {
		fmt.Fprintf(b, "; seen in %d runs", r.Ran)
	}
	b.WriteByte('\n')
	for s := range r.States() {
		mark := "    "
		if s.Asked {
			mark = "  * "
		}
		b.Write(s.appendText(append(b.AvailableBuffer(), mark...)))
		if r.Ran > 0 {
			fmt.Fprintf(b, "  %d", s.Seen)
		}
		b.WriteByte('\n')
	}
	for line := range strings.Lines(r.Why()) {
		b.WriteString("  " + line)
	}
}

// WriteJSON writes the report as one JSON object on a line. The states, which may be many, are made one by one.
func (r *Report) WriteJSON(w io.Writer) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	before, after, _ := strings.Cut(string(text), `"states":{}`)
	b := bufio.NewWriter(w)
	b.WriteString(before)
	mark := `"states":[`
	for s := range r.States() {
		one, err := json.Marshal(s)
		if err != nil {
			return err
		}
		b.WriteString(mark)
		b.Write(one)
		mark = ","
	}
	if mark != "," {
		b.WriteString(mark)
	}
	b.WriteString("]" + after + "\n")
	return b.Flush()
}
