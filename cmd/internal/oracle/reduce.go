package oracle

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Reduction works on the text of a bundle in Mu IR; for IAL and TVM see reducelines.go:
//
//  1. The bundle must show a difference in one way. The kind of difference is
//     recorded (not built, killed, other status, other output).
//  2. Each step is a list of changes to a bundle. They are tried in groups,
//     large ones first; a group stays if the bundle is valid, the interpreter
//     ends it with the same status as before, and it differs as before.
//  3. The steps are repeated until none has an effect, or the time is over.
//
// A change may break the bundle; it is then discarded.

// Shrink makes a bundle smaller that differs in a way. It returns the difference
// that the smaller bundle shows, or "" if the bundle does not differ.
func (l *Lab) Shrink(text string, w Way, log io.Writer) (small, what string, err error) {
	interp := Ways()[0]
	interp.Sanitize = w.Sanitize
	ways := []Way{interp, w}
	if w.Interp && w.Split == 0 || strings.HasPrefix(w.Name, "go build") {
		ways = append([]Way{Ways()[0]}, Ways()[1:3]...)
	}
	r := &reducer{lab: l, ways: ways, until: time.Now().Add(ShrinkTime), log: log}
	r.judge = r.compare
	first := r.judge(text)
	if first.class == "" {
		return text, "", first.err
	}
	r.want = first
	r.text = text
	r.run()
	return r.text, r.last.what, nil
}

// ShrinkTime is the longest time that a reduction may take.
var ShrinkTime = 6 * time.Minute

// A verdict tells how a bundle differs.
type verdict struct {
	class  string // "" for no difference
	status int    // the interpreter's
	what   string
	err    error
}

// ReduceBy makes a valid bundle smaller as long as it is interesting.
func ReduceBy(text string, interesting func(text string) bool) string {
	r := &reducer{until: time.Now().Add(ShrinkTime), text: text, want: verdict{class: "interesting"}}
	r.judge = func(text string) verdict {
		if _, err := load(text, Way{}); err != nil || !interesting(text) {
			return verdict{}
		}
		return r.want
	}
	r.run()
	return r.text
}

type reducer struct {
	judge func(text string) verdict
	lab   *Lab
	ways  []Way
	want  verdict
	last  verdict
	text  string
	until time.Time
	tries int
	log   io.Writer
}

// compare runs a bundle.
func (r *reducer) compare(text string) verdict {
	if _, err := load(text, Way{}); err != nil {
		return verdict{err: err}
	}
	want, err := r.lab.interpret(Exe{way: r.ways[0], text: text}, nil)
	if err != nil || want.Status == Killed || r.want.class != "" && want.Status != r.want.status {
		return verdict{err: err}
	}
	exes, err := r.lab.Build(text, r.ways[1:])
	var bad *BuildError
	if errors.As(err, &bad) {
		return verdict{class: "build " + buildClass(bad.Text), status: want.Status, what: bad.Error()}
	}
	if err != nil {
		return verdict{err: err}
	}
	defer Remove(exes)
	for _, e := range exes {
		got, err := r.lab.Run(e)
		if err != nil {
			return verdict{err: err}
		}
		if d := e.way.differs(want, got); d != "" {
			return verdict{class: class(want, got), status: want.Status, what: e.way.Name + ": " + d}
		}
	}
	return verdict{}
}

// class returns a text that is different for differences with different causes.
func class(want, got Outcome) string {
	switch {
	case got.Status == Killed:
		return "killed"
	case want.Status != got.Status:
		return fmt.Sprint("status ", got.Status)
	}
	return "output"
}

// buildClass returns the message of a failed build without names.
func buildClass(s string) string {
	for _, k := range []string{"declared and not used", "panics", "internal error", "undefined", "cannot use", "jumps", "overflows",
		"truncated", "mismatched", "redeclared", "missing return", "invalid operation", "label"} {
		if strings.Contains(s, k) {
			return k
		}
	}
	return ""
}

// try tests a bundle and keeps it if it differs as before.
func (r *reducer) try(text string) bool {
	if text == "" || text == r.text || time.Now().After(r.until) {
		return false
	}
	r.tries++
	v := r.judge(text)
	if v.class != r.want.class {
		return false
	}
	r.text, r.last = text, v
	return true
}

// A step numbers the places that it can change from 0 and changes the chosen ones;
// it returns the number of places.
type step struct {
	name  string
	apply func(e *edit, chosen func(int) bool) int
}

// run applies the steps until nothing changes.
func (r *reducer) run() {
	if byLines(r.text) {
		r.lines()
		return
	}
	r.last = r.want
	r.try(tidied(r.text))
	for round := 0; ; round++ {
		before := r.text
		for _, s := range steps {
			r.step(s)
		}
		r.constants()
		if r.log != nil {
			fmt.Fprintf(r.log, "reduction, round %d: %d lines after %d tries\n", round+1, strings.Count(r.text, "\n"), r.tries)
		}
		if r.text == before || time.Now().After(r.until) {
			return
		}
	}
}

// step tries the changes of a step, at first half of them together.
func (r *reducer) step(s step) {
	count := 0
	if e := newEdit(r.text); e != nil {
		count = s.apply(e, func(int) bool { return false })
	}
	for size := count; size >= 1; size /= 2 {
		for at := 0; at < count; {
			if time.Now().After(r.until) {
				return
			}
			e := newEdit(r.text)
			if e == nil {
				return
			}
			n := s.apply(e, func(i int) bool { return i >= at && i < at+size })
			if r.try(e.text()) {
				// The next place has moved here.
				if e := newEdit(r.text); e != nil {
					count = s.apply(e, func(int) bool { return false })
				}
				if n == count {
					at += size
				}
			} else {
				at += size
			}
		}
	}
}

// constants makes the numbers of the bundle simpler, one after the other.
func (r *reducer) constants() {
	lines := strings.Split(r.text, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, ".const ") || strings.Contains(line, "{") {
			continue
		}
		head, val, ok := strings.Cut(line, "= ")
		if !ok {
			continue
		}
		var simple []string
		switch {
		case val == "0" || val == "1" || val == "NULL" || val == "0.0d" || val == "0.0f" || val == "1.0d" || val == "1.0f":
			continue
		case strings.HasSuffix(val, "f") && strings.Contains(val, "."), strings.HasPrefix(val, "bitsf"):
			simple = []string{"0.0f", "1.0f"}
		case strings.HasSuffix(val, "d") && strings.Contains(val, "."), strings.HasPrefix(val, "bitsd"):
			simple = []string{"0.0d", "1.0d"}
		case strings.ContainsAny(val, "nif\""):
			continue
		default:
			simple = []string{"0", "1"}
		}
		for _, s := range simple {
			now := strings.Split(r.text, "\n")
			if i >= len(now) || now[i] != line {
				break
			}
			now[i] = head + "= " + s
			if r.try(strings.Join(now, "\n")) {
				break
			}
		}
	}
}
