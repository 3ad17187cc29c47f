package goprog

import (
	"fmt"
	"strings"
)

// An Outcome is the result of a run of a program.
type Outcome struct {
	Status int    // exit status; Killed after a timeout
	Out    string // standard output
	Err    string // standard error
}

// Killed is the status of a program that did not end in time.
const Killed = -1

// Differs tells in one line how p differs from o, or returns "" if it does not. It compares only the part
// of standard error that the function returns.
func (o Outcome) Differs(p Outcome, report func(Outcome) string) string {
	switch a, b := report(o), report(p); {
	case o.Status == p.Status && o.Out == p.Out && a == b:
		return ""
	case p.Status == Killed:
		return "does not end"
	case o.Status != p.Status:
		return fmt.Sprintf("exit status %d, want %d: %s", p.Status, o.Status, FirstLine(p.Err))
	case o.Out != p.Out:
		a, b := strings.Split(o.Out, "\n"), strings.Split(p.Out, "\n")
		for i := range a {
			if i >= len(b) {
				return fmt.Sprintf("line %d missing: %s", i+1, Clip(a[i]))
			}
			if a[i] != b[i] {
				return fmt.Sprintf("line %d: %s, want %s", i+1, Clip(b[i]), Clip(a[i]))
			}
		}
		return fmt.Sprintf("%d lines more", len(b)-len(a))
	default:
		return fmt.Sprintf("reports %q, want %q", b, a)
	}
}

// FirstLine is the first line of a text.
func FirstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// Clip shortens a text to the length that fits into a report.
func Clip(s string) string {
	if len(s) > 160 {
		return s[:160] + "..."
	}
	return s
}
