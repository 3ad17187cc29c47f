package oracle

import (
	"regexp"
	"strings"

	"github.com/uvm2go/uvm2go/cmd/internal/player"
)

// What programs report beside their errors: the race detector's reports, and what becomes of bundles that are
// compiled. Neither is part of the behaviour that is compared, but some of it is a fault of its own.

// Faulty is the status of a program with such a fault. The fault is the outcome's text on standard error.
const Faulty = -2

var (
	raceReport = regexp.MustCompile(`(?s)==================\nWARNING: DATA RACE\n.*?\n==================\n`)
	// intended is in the reports of the one race that is intended (docs/testing.md, "Race detector").
	intended = regexp.MustCompile(`gc\.\(\*world\)\.trip`)
	liveLine = regexp.MustCompile(`(?m)^uvm: live: (.*)\n`)
	// loadFrame is a frame of the host, or of what Parts adds, in a trace.
	loadFrame = regexp.MustCompile(`(?m)^\t(@h\.|\S*h\.begin).*\n?`)
)

// noticed takes from an outcome what is not compared. If some of it is a fault, it is the outcome.
func (w Way) noticed(o Outcome) Outcome {
	faults := ""
	if w.Race {
		for _, r := range raceReport.FindAllString(o.Err, -1) {
			if !intended.MatchString(r) {
				faults += r
			}
		}
		o.Err = raceReport.ReplaceAllString(o.Err, "")
	}
	if w.Unit > 0 {
		for _, m := range liveLine.FindAllStringSubmatch(o.Err, -1) {
			if strings.Contains(m[1], "stays on the engine") {
				faults += m[1] + "\n"
			}
		}
		if w.Host && w.Unit == 1 && !strings.Contains(o.Err, " is compiled\n") {
			faults += "nothing was compiled\n" + o.Err
		}
		o.Err = liveLine.ReplaceAllString(o.Err, "")
	}
	if w.Builder != player.None {
		return ofClient(o)
	}
	if w.Host {
		o.Err = strings.ReplaceAll(loadFrame.ReplaceAllString(o.Err, ""), "text/", "prog/") // IAL's name of the module
	}
	if faults != "" {
		return Outcome{Status: Faulty, Out: o.Out, Err: faults}
	}
	return o
}
