package oracle

import (
	"fmt"
	"strings"
	"time"

	"github.com/uvm2go/uvm2go/cmd/internal/randprog"
)

// A Difference is a program of a batch whose outcome in one way differs from that
// of the interpreter.
type Difference struct {
	Program randprog.Program
	Way     Way
	Want    Outcome
	Got     Outcome
	// Note tells what is wrong if there are no outcomes to compare.
	Note string
}

func (d *Difference) String() string {
	what := d.Note
	if what == "" {
		what = d.Way.differs(d.Want, d.Got)
	}
	return fmt.Sprintf("seed %d, %s: %s", d.Program.Seed, d.Way.Name, what)
}

// Batch compares some programs in every way.
func (l *Lab) Batch(ps []randprog.Program, ways []Way) ([]Difference, error) {
	return l.batch(ps, ways, newProgress(0))
}

// batch runs programs in every way and gives the differences. They share one
// bundle and one build. progress counts them.
func (l *Lab) batch(ps []randprog.Program, ways []Way, progress *Progress) ([]Difference, error) {
	text := randprog.Bundle(ps)
	began := time.Now()
	exes, err := l.Build(text, ways)
	if err != nil {
		return l.unbuilt(ps, ways, progress, err)
	}
	building := time.Since(began)
	defer Remove(exes)
	var diffs []Difference
	results := make([][]Outcome, len(ways))
	errs := make([]error, len(ways))
	times := make([]time.Duration, len(ways))
	l.parallel(len(ways), func(i int) {
		began := time.Now()
		results[i], errs[i] = l.runAll(exes[i], ps)
		times[i] = time.Since(began)
	})
	built := 0
	for _, w := range ways {
		if w.isBuilt() {
			built++
		}
	}
	for i, w := range ways {
		if errs[i] != nil {
			return nil, fmt.Errorf("%s: %w", w.Name, errs[i])
		}
		t := progress.tally(w)
		t.Programs, t.Time = t.Programs+len(ps), t.Time+times[i]
		if w.isBuilt() {
			t.Time += building / time.Duration(built)
		}
		for k := range ps {
			if w.differs(results[0][k], results[i][k]) != "" {
				diffs = append(diffs, Difference{Program: ps[k], Way: w, Want: results[0][k], Got: results[i][k]})
			}
		}
	}
	return diffs, nil
}

// parallel calls fn for 0 to n-1, several at the same time.
func (l *Lab) parallel(n int, fn func(int)) {
	sem := make(chan struct{}, max(l.Jobs, 1))
	done := make(chan struct{})
	for i := range n {
		go func() {
			sem <- struct{}{}
			fn(i)
			<-sem
			done <- struct{}{}
		}()
	}
	for range n {
		<-done
	}
}

// unbuilt finds the programs that prevent a batch from being built.
func (l *Lab) unbuilt(ps []randprog.Program, ways []Way, progress *Progress, err error) ([]Difference, error) {
	if len(ps) == 1 {
		return []Difference{{Program: ps[0], Way: ways[0], Note: err.Error()}}, nil
	}
	mid := len(ps) / 2
	a, err := l.batch(ps[:mid], ways, progress)
	if err != nil {
		return nil, err
	}
	b, err := l.batch(ps[mid:], ways, progress)
	return append(a, b...), err
}

// runAll runs the programs of a batch, with a new process after each that
// ends it, and gives the outcome of each.
func (l *Lab) runAll(e Exe, ps []randprog.Program) ([]Outcome, error) {
	res := make([]Outcome, 0, len(ps))
	for len(res) < len(ps) {
		at := len(res)
		o, err := l.run(e, l.Timeout+l.Timeout/10*time.Duration(len(ps)-at), make([]string, at))
		if err != nil {
			return nil, err
		}
		parts := split(o.Out, ps[at:])
		for i, p := range parts {
			one := Outcome{Out: p}
			if i == len(parts)-1 {
				one.Status, one.Err = o.Status, o.Err
			}
			res = append(res, one)
		}
		if len(parts) == 0 {
			// The process ended before it printed anything.
			res = append(res, o)
		}
		if o.Status == 0 && len(res) < len(ps) {
			// A program that ends the thread ends the whole process; the remaining programs run in a new one.
			continue
		}
	}
	return res, nil
}

// split splits the output of a batch at the traps that precede its programs.
func split(out string, ps []randprog.Program) []string {
	var parts []string
	for i, p := range ps {
		mark := "trap " + p.Prefix[1:] + "start\n"
		at := strings.Index(out, mark)
		if at < 0 {
			break
		}
		if i > 0 {
			parts = append(parts, out[:at])
		}
		out = out[at+len(mark):]
		if i == len(ps)-1 {
			return append(parts, out)
		}
		if !strings.Contains(out, "trap "+ps[i+1].Prefix[1:]+"start\n") {
			return append(parts, out)
		}
	}
	return parts
}
