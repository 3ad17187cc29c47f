// Package reduce makes bundles smaller while they keep a property, such as that a command fails on them:
// uvm2go reduce and the reductions of uvmfuzz.
//
// It knows three ways, which Reduce uses one after the other as far as the bundle allows:
//
//   - steps on the tree of Mu text (edit.go), which replace functions, branches, instructions and operands by
//     simpler ones, so that the bundle stays valid;
//   - steps on lines (lines.go), for every dialect: definitions, groups of lines and jumps;
//   - steps on tokens (tokens.go), if the bundle was not valid in the first place.
//
// It does not know what makes a text interesting: the caller decides. A change that makes the text invalid,
// or that loses the property, is undone.
package reduce

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/uvm2go/uvm2go/transpile"
)

// Options say what to reduce and how.
type Options struct {
	Name    string // the name of the file, from which its dialect follows
	Dialect string // "" to recognise the dialect by name and content
	// Keep reports whether a text has the property. It is called only with texts that are valid bundles, if
	// the first text is one.
	Keep  func(text string) bool
	Until time.Time // when to stop
	Log   io.Writer // a line for each round, or nil
}

// Reduce returns the smallest text that it finds with the property of opt.Keep, which text itself must have.
func Reduce(text string, opt Options) string {
	r := &reducer{opt: opt, text: text}
	p := r.load(text)
	r.valid = p != nil
	switch {
	case p == nil:
		r.rounds(r.lines, r.tokens)
	case p.Dialect.Name == "mu":
		if !r.try(tidied(r.text, false)) && !r.kept(tidied(r.text, false)) {
			r.all = true
			r.try(tidied(r.text, true))
		}
		r.rounds(r.tree, r.constants)
		r.rounds(r.lines)
	default:
		r.rounds(r.lines)
	}
	return r.text
}

type reducer struct {
	opt   Options
	text  string // the smallest so far
	valid bool   // only valid bundles count
	all   bool   // see edit.all
	tries int
}

// load reads a bundle; nil if it has errors.
func (r *reducer) load(text string) *transpile.Program {
	p, _ := transpile.Load([]transpile.Source{{Name: r.opt.Name, Text: []byte(text)}}, transpile.Options{Dialect: r.opt.Dialect})
	return p
}

func (r *reducer) over() bool { return time.Now().After(r.opt.Until) }

// kept reports whether the text is the present one, which has the property.
func (r *reducer) kept(text string) bool { return text == r.text }

// try tests a text and keeps it if it has the property.
func (r *reducer) try(text string) bool {
	if text == "" || r.kept(text) || r.over() {
		return false
	}
	r.tries++
	if r.valid && r.load(text) == nil || !r.opt.Keep(text) {
		return false
	}
	r.text = text
	return true
}

// rounds calls the functions until none changes the text, or the time is over.
func (r *reducer) rounds(list ...func()) {
	for round := 1; ; round++ {
		before := r.text
		for _, f := range list {
			f()
		}
		if r.opt.Log != nil {
			fmt.Fprintf(r.opt.Log, "reduction, round %d: %d lines after %d tries\n", round, strings.Count(r.text, "\n"), r.tries)
		}
		if r.text == before || r.over() {
			return
		}
	}
}

// parts tries to leave out parts of the text, at first half of them together. split cuts a text into its parts.
func (r *reducer) parts(split func(text string) []string) {
	for size := len(split(r.text)) / 2; size >= 1; size /= 2 {
		for at := 0; !r.over(); {
			l := split(r.text)
			if at >= len(l) {
				break
			}
			if !r.try(strings.Join(slices.Delete(l, at, min(at+size, len(l))), "")) {
				at += size
			}
		}
	}
}

// A step numbers the places of a tree that it can change from 0 and changes the chosen ones;
// it returns the number of places.
type step struct {
	name  string
	apply func(e *edit, chosen func(int) bool) int
}

// tree takes the steps on the tree of Mu text.
func (r *reducer) tree() {
	for _, s := range steps {
		r.step(s)
	}
}

// step tries the changes of a step, at first half of them together.
func (r *reducer) step(s step) {
	places := func() int {
		if e := r.newEdit(); e != nil {
			return s.apply(e, func(int) bool { return false })
		}
		return 0
	}
	count := places()
	for size := count; size >= 1; size /= 2 {
		for at := 0; at < count; {
			if r.over() {
				return
			}
			e := r.newEdit()
			if e == nil {
				return
			}
			n := s.apply(e, func(i int) bool { return i >= at && i < at+size })
			changed := r.try(e.text())
			if changed {
				count = places() // the next place has moved here
			}
			if !changed || n == count {
				at += size
			}
		}
	}
}

// constants makes the numbers of Mu text simpler, one after the other.
func (r *reducer) constants() {
	lines := strings.Split(r.text, "\n")
	for i, line := range lines {
		head, val, ok := strings.Cut(line, "= ")
		if !ok || !strings.HasPrefix(line, ".const ") || strings.Contains(line, "{") {
			continue
		}
		for _, s := range simpler(val) {
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

// simpler lists numbers that are simpler than a literal of Mu text.
func simpler(val string) []string {
	switch {
	case val == "0" || val == "1" || val == "NULL" || val == "0.0d" || val == "0.0f" || val == "1.0d" || val == "1.0f":
		return nil
	case strings.HasSuffix(val, "f") && strings.Contains(val, "."), strings.HasPrefix(val, "bitsf"):
		return []string{"0.0f", "1.0f"}
	case strings.HasSuffix(val, "d") && strings.Contains(val, "."), strings.HasPrefix(val, "bitsd"):
		return []string{"0.0d", "1.0d"}
	case strings.ContainsAny(val, "nif\""):
		return nil
	}
	return []string{"0", "1"}
}
