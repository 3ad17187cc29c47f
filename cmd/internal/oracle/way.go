package oracle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/cmd/internal/goprog"
	"github.com/uvm2go/uvm2go/cmd/internal/player"
	"github.com/uvm2go/uvm2go/cmd/internal/ports"
)

// A Way is a way to run a program.
type Way struct {
	Name     string
	Interp   bool
	Live     bool           // on the engine for live code, in a process that calls Child
	Host     bool           // loaded as a whole by the program of host.uir, and run on the engine
	Unit     int            // of what is loaded: 1 compiled before it runs, 2 while it runs
	Parts    bool           // with Host: in several bundles, by randprog.Parts
	Builder  player.Builder // with Host: the client in C builds the bundle with it (package player)
	Race     bool           // built for the race detector
	Optimize int            // Options.Optimize of the translation
	Sanitize bool           // Options.Sanitize; of the interpreter, addressing from NULL is an error
	Disable  []string       // passes that are not run
	Debug    string         // UVMDEBUG
	Port     ports.Port     // the zero value is the port of this machine
	Split    int64          // if not 0, the program loads bundles: randprog.Split with this seed
}

// Stress is the setting with which the collector runs every few allocations,
// checks the heap, and overwrites the memory that it frees.
const Stress = "gcstress=5,gcverify=1,clobberfree=1"

// usual and splitWays are the names of the ways that are usual, for whole programs and for those that are split. allWays are
// all that any dialect has on this machine.
const (
	usual       = "O0,O1,O0-stress,O1-stress,live-O0,live-O1,live-O1-stress"
	splitWays   = "split-interp,split-O0,split-O1,split-O1-stress,split-live-O1,split-live-O1-stress"
	builderWays = "builder,builder-stress,builder-2016,builder-2016-stress"
	unitWays    = "loaded,loaded-stress,unit,unit-stress,unit-late,unit-late-stress"
	partsWays   = "parts-loaded,parts-loaded-stress,parts-unit,parts-unit-stress,parts-unit-late"
	raceWays    = "O1-race,O1-race-stress,loaded-race-stress,unit-race-stress"
)

// groups are the names of lists of ways.
var groups = map[string]string{"split": splitWays, "split-units": "split-unit,split-unit-stress,split-unit-late", "units": unitWays, "parts": partsWays, "builders": builderWays, "race": raceWays}

// Ways are the usual ways; the first is what the others are compared with.
func Ways() []Way {
	ways, err := SelectWays(usual)
	if err != nil {
		panic(err)
	}
	return ways
}

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

// SelectWays picks ways by a comma-separated list of names. The interpreter of the whole program is always the first. ""
// means Ways; split, split-units, units, parts, builders and race are lists. "sanitize" cannot be combined with other ways: its programs stop at addresses
// made from NULL, and so does the interpreter in this case.
func SelectWays(list string) ([]Way, error) {
	if list == "" {
		list = usual
	}
	ways := []Way{{Name: "interp", Interp: true}}
	for n := range strings.SplitSeq(list, ",") {
		n = strings.TrimSpace(n)
		if group := groups[n]; group != "" {
			more, err := SelectWays(group)
			if err != nil {
				return nil, err
			}
			ways = append(ways, more[1:]...)
			continue
		}
		if p, err := ports.Parse(n); err == nil {
			ways = append(ways, Way{Name: n, Port: p, Optimize: 1}, Way{Name: n + " stress", Port: p, Debug: Stress})
			continue
		}
		w, ok := wayNamed(n)
		if !ok {
			return nil, fmt.Errorf("unknown way %q: want %s; split- before O0, O1, live-, interp or unit; parts- before loaded or unit; "+
				"-race and -stress after others; the lists split, split-units, units, parts, builders, race; sanitize; a GOOS/GOARCH, or a GOARCH of linux", n, usual+",O1-no-mono,loaded,builder,builder-2016,unit,unit-late")
		}
		if !w.Interp || w.Split != 0 {
			ways = append(ways, w)
		}
	}
	for _, w := range ways {
		ways[0].Sanitize = ways[0].Sanitize || w.Sanitize
	}
	if ways[0].Sanitize && len(ways) > 2 {
		return nil, fmt.Errorf("sanitize cannot be compared with other ways: it stops where they go on")
	}
	return ways, nil
}

// wayNamed makes a way of its name, whose parts are separated by "-" or spaces.
func wayNamed(name string) (w Way, ok bool) {
	w.Name = strings.ReplaceAll(name, "-", " ")
	base := w.Name
	cut := func(part string) bool {
		found := false
		if base, found = strings.CutSuffix(base, " "+part); !found {
			base, found = strings.CutPrefix(base, part+" ")
		}
		return found
	}
	if cut("stress") {
		w.Debug = Stress
	}
	w.Race = cut("race")
	if cut("split") {
		w.Split = 1
	}
	w.Parts = cut("parts")
	switch base {
	case "interp":
		w.Interp = true
	case "O0":
	case "O1":
		w.Optimize = 1
	case "O1 no mono":
		w.Optimize, w.Disable = 1, []string{"mono"}
	case "sanitize":
		w.Optimize, w.Sanitize = 1, true
	case "live O0":
		w.Live = true
	case "live O1":
		w.Live, w.Optimize = true, 1
	case "loaded":
		w.Host = true
	case "builder":
		w.Host, w.Builder = true, player.Later
	case "builder 2016":
		w.Host, w.Builder = true, player.Earlier
	case "unit":
		w.Unit = 1
	case "unit late":
		w.Unit = 2
	default:
		return w, false
	}
	if w.Unit > 0 {
		w.Host, w.Optimize = w.Split == 0, 1
	}
	switch {
	case w.Interp && (w.Race || w.Parts || w.Debug != ""), w.Live && w.Race, w.Parts && !w.Host, w.Builder != player.None && (w.Parts || w.Race), w.Split != 0 && (w.Host || w.Sanitize || w.Disable != nil):
		return w, false
	}
	return w, true
}

// isBuilt reports whether a program is built for the way.
func (w Way) isBuilt() bool { return !w.Interp && !w.Live && !w.Host }

// compiles reports whether the way needs the command uvm2go, which compiles what is loaded.
func (w Way) compiles() bool { return w.Host && w.Builder == player.None || w.Unit > 0 }

// An Outcome is the result of a run of a program. If the status is not 0, the report of the error on
// standard error is compared; other text on standard error is not.
type Outcome goprog.Outcome

// Killed is the status of a program that did not end in time.
const Killed = goprog.Killed

// Equal reports whether two outcomes agree in everything that must be equal.
func (o Outcome) Equal(p Outcome) bool { return o.Differs(p) == "" }

// differs is like Differs for an outcome of a way. It allows for programs that are loaded, where code has other
// places, for split ones, where functions have more versions, and for a client in C, which knows less about errors.
func (w Way) differs(want, got Outcome) string {
	if w.Builder != player.None {
		want = forClient(want)
	}
	if w.Split != 0 || w.Host {
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
