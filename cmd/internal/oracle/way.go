package oracle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/cmd/internal/goprog"
	"github.com/uvm2go/uvm2go/cmd/internal/ports"
)

// A Way is a way to run a program.
type Way struct {
	Name     string
	Interp   bool
	Live     bool       // on the engine for live code, in a process that calls Child
	Optimize int        // Options.Optimize of the translation
	Sanitize bool       // Options.Sanitize; of the interpreter, addressing from NULL is an error
	Disable  []string   // passes that are not run
	Debug    string     // UVMDEBUG
	Port     ports.Port // the zero value is the port of this machine
	Split    int64      // if not 0, the program loads bundles: randprog.Split with this seed
}

// Stress is the setting with which the collector runs every few allocations,
// checks the heap, and overwrites the memory that it frees.
const Stress = "gcstress=5,gcverify=1,clobberfree=1"

// Ways are the usual ways; the first is what the others are compared with.
func Ways() []Way {
	return []Way{
		{Name: "interp", Interp: true},
		{Name: "O0"},
		{Name: "O1", Optimize: 1},
		{Name: "O0 stress", Debug: Stress},
		{Name: "O1 stress", Optimize: 1, Debug: Stress},
		{Name: "live O0", Live: true},
		{Name: "live O1", Live: true, Optimize: 1},
		{Name: "live O1 stress", Live: true, Optimize: 1, Debug: Stress},
	}
}

// splitWays are the names of the ways that are usual for split programs.
const splitWays = "split-interp,split-O0,split-O1,split-O1-stress,split-live-O1,split-live-O1-stress"

// WithSplit returns the ways with another seed for splits.
func WithSplit(ways []Way, seed int64) []Way {
	ways = slices.Clone(ways)
	for i := range ways {
		if ways[i].Split != 0 && seed != 0 {
			ways[i].Split = seed
		}
	}
	return ways
}

// SelectWays picks ways by a comma-separated list of names, in which an element
// may also be "386" (or another port), "O1-no-mono" (without copies of the generic
// functions of TVM), "sanitize", or "split-" and another name for programs that are split. The
// interpreter of the whole program is always the first. "" means Ways, "split" all ways that support
// splits. "sanitize" cannot be combined with other ways: its programs stop at addresses made from
// NULL, and so does the interpreter in this case.
func SelectWays(list string) ([]Way, error) {
	all := Ways()
	if list == "" {
		return all, nil
	}
	if list == "split" {
		list = splitWays
	}
	ways := append([]Way(nil), all[0])
	sanitize := false
	for _, n := range strings.Split(list, ",") {
		switch n = strings.TrimSpace(n); n {
		case "interp":
		case "O1-no-mono":
			ways = append(ways, Way{Name: n, Optimize: 1, Disable: []string{"mono"}})
		case "sanitize":
			ways = append(ways, Way{Name: n, Sanitize: true, Optimize: 1})
			sanitize = true
		default:
			if p, err := ports.Parse(n); err == nil {
				ways = append(ways, Way{Name: n, Port: p, Optimize: 1}, Way{Name: n + " stress", Port: p, Debug: Stress})
				continue
			}
			found := false
			whole, split := strings.CutPrefix(n, "split-")
			for _, w := range all {
				if split && strings.ReplaceAll(w.Name, " ", "-") == whole {
					w.Name, w.Split = "split "+w.Name, 1
					ways, found = append(ways, w), true
				} else if strings.ReplaceAll(w.Name, " ", "-") == n || w.Name == n {
					ways, found = append(ways, w), true
				}
			}
			if !found {
				return nil, fmt.Errorf("unknown way %q: want O0, O1, O0-stress, O1-stress, O1-no-mono, live-O0, live-O1, live-O1-stress, split, split-interp and so on, sanitize, a GOOS/GOARCH, or a GOARCH of linux", n)
			}
		}
	}
	if ways[0].Sanitize = sanitize; sanitize && len(ways) > 2 {
		return nil, fmt.Errorf("sanitize cannot be compared with other ways: it stops where they go on")
	}
	return ways, nil
}

// An Outcome is the result of a run of a program. If the status is not 0, the report of the error on
// standard error is compared; other text on standard error is not.
type Outcome goprog.Outcome

// Killed is the status of a program that did not end in time.
const Killed = goprog.Killed

// Equal reports whether two outcomes agree in everything that must be equal.
func (o Outcome) Equal(p Outcome) bool { return o.Differs(p) == "" }

// differs is like Differs for an outcome of a way. It allows for split programs, where code has other
// places and functions have more versions.
func (w Way) differs(want, got Outcome) string {
	if w.Split != 0 {
		want.Err, got.Err = errorPlace.ReplaceAllString(want.Err, ""), errorPlace.ReplaceAllString(got.Err, "")
		got.Out, got.Err = versionAgain.ReplaceAllString(got.Out, ".v1."), versionAgain.ReplaceAllString(got.Err, ".v1.")
	}
	return want.Differs(got)
}

// versionAgain is the name of a version that a bundle defines again (randprog.Split), in the name of an instruction.
var versionAgain = regexp.MustCompile(`\.v1again[0-9]+\.`)

// errorPlace is a place in the text of a program, in a report.
var errorPlace = regexp.MustCompile(` \([^() ]*:[0-9]+(:[0-9]+)?\)`)

// Differs tells in one line how p differs from o, or returns "" if it does not.
func (o Outcome) Differs(p Outcome) string {
	return goprog.Outcome(o).Differs(goprog.Outcome(p), func(o goprog.Outcome) string {
		if o.Status == 0 {
			return ""
		}
		return report(o.Err)
	})
}

// errorLine matches the report of a run-time error: its kind and position are compared;
// the spelling of the place and the detail are not. The other alternative is the report
// of an exception: its thread is compared.
var errorLine = regexp.MustCompile(`^(uvm: run-time error: \w+)(?: at \S+)?( \([^)]*\))?|^(uvm: uncaught exception in thread \d+)`)

// report returns the part of a report on standard error that is compared: the matches of
// errorLine, and the trace, except for an exhausted stack or heap, whose place is not fixed.
func report(s string) string {
	first, frames, _ := strings.Cut(s, "\n")
	m := errorLine.FindStringSubmatch(first)
	if m == nil {
		return first
	}
	first = m[1] + m[2] + m[3]
	if strings.HasSuffix(m[1], "STACK_OVERFLOW") || strings.HasSuffix(m[1], "OUT_OF_MEMORY") {
		return first
	}
	return first + "\n" + frames
}
