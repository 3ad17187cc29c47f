// Package diag has source positions and diagnostics, which all readers and checkers use for
// their reports, and formats the reports (docs/commands.md, "Diagnostics").
//
// It does not look for errors and does not end the program: library code adds to a List,
// and the command prints the list and chooses the exit status.
//
// Invariants: a Pos has a meaning only with the Set whose File made it; a printed
// list is sorted by file, in the order in which the files were added, and by offset,
// and has no line twice.
package diag

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// DefaultMaxErrors is the number of errors printed by default.
const DefaultMaxErrors = 10

// A Severity is error or warning.
type Severity uint8

// The severities. After an error no output is written; a warning changes
// nothing.
const (
	Error Severity = iota
	Warning
)

// String returns "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// A Related is another place that a diagnostic is about. Msg describes the place,
// such as "previous definition".
type Related struct {
	Pos      Pos
	Msg      string
	Previous bool // where a name was defined before that is defined again
}

// A Diagnostic is one error or warning. Msg is lower case, without a full stop,
// with names as the user wrote them; List shortens very long text.
type Diagnostic struct {
	Pos      Pos
	Severity Severity
	Msg      string
	Related  []Related
}

// Also adds a related place and returns d, so that calls can be chained.
func (d *Diagnostic) Also(pos Pos, msg string) *Diagnostic {
	d.Related = append(d.Related, Related{Pos: pos, Msg: shortMessage(msg)})
	return d
}

// Before adds the place where a name was defined before and returns d.
func (d *Diagnostic) Before(pos Pos) *Diagnostic {
	return d.Contradicts(pos, "previous definition")
}

// Contradicts adds the place of an earlier definition or declaration of the same name, which is another one. It returns d.
func (d *Diagnostic) Contradicts(pos Pos, msg string) *Diagnostic {
	d.Related = append(d.Related, Related{Pos: pos, Msg: msg, Previous: true})
	return d
}

// A List collects diagnostics. It must not be used by several goroutines at the
// same time; give each its own and Merge them.
type List struct {
	// MaxErrors is the number of errors that Print writes: 0 means
	// DefaultMaxErrors, a negative number means all. Warnings do not count.
	MaxErrors int

	set    *Set
	diags  []*Diagnostic
	errors int
	sorted bool
}

// NewList makes an empty list for positions of the files in set.
func NewList(set *Set) *List { return &List{set: set} }

// Parsed parses a single file. If it has syntax errors, the error is a *List.
func Parsed[T any](name string, src []byte, parse func(f *File, errs *List) T) (tree T, err error) {
	set := NewSet()
	errs := NewList(set)
	f, err := errs.Open(name, src)
	if err != nil {
		return tree, err
	}
	tree = parse(f, errs)
	return tree, errs.Err()
}

// Set returns the files that the list's positions belong to.
func (l *List) Set() *Set { return l.set }

// Errorf adds an error. The result may be used to add related places, but must
// not be kept.
func (l *List) Errorf(pos Pos, format string, args ...any) *Diagnostic {
	return l.Add(&Diagnostic{Pos: pos, Severity: Error, Msg: sprintf(format, args)})
}

// Warnf adds a warning.
func (l *List) Warnf(pos Pos, format string, args ...any) *Diagnostic {
	return l.Add(&Diagnostic{Pos: pos, Severity: Warning, Msg: sprintf(format, args)})
}

// Add adds d and returns it.
func (l *List) Add(d *Diagnostic) *Diagnostic {
	d.Msg = shortMessage(d.Msg)
	l.diags = append(l.diags, d)
	l.sorted = false
	if d.Severity == Error {
		l.errors++
	}
	return d
}

// Merge adds everything in m, which must be about the same Set.
func (l *List) Merge(m *List) {
	if m == nil || len(m.diags) == 0 {
		return
	}
	l.diags = append(l.diags, m.diags...)
	l.errors += m.errors
	l.sorted = false
}

// HasErrors reports whether the list has an error.
func (l *List) HasErrors() bool { return l.errors > 0 }

// Errors returns the number of different errors.
func (l *List) Errors() int {
	l.Sort()
	return l.errors
}

// Warnings returns the number of different warnings.
func (l *List) Warnings() int {
	l.Sort()
	return len(l.diags) - l.errors
}

// All returns the diagnostics, sorted and without duplicates. The caller must
// not change the slice.
func (l *List) All() []*Diagnostic {
	l.Sort()
	return l.diags
}

// Sort puts the list in order and drops duplicates: of diagnostics with the same
// place, severity and message only the one added first is kept.
func (l *List) Sort() {
	if l.sorted {
		return
	}
	slices.SortStableFunc(l.diags, func(a, b *Diagnostic) int {
		return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.Severity, b.Severity), strings.Compare(a.Msg, b.Msg))
	})
	l.diags = slices.CompactFunc(l.diags, func(a, b *Diagnostic) bool {
		return a.Pos == b.Pos && a.Severity == b.Severity && a.Msg == b.Msg
	})
	l.errors = 0
	for _, d := range l.diags {
		if d.Severity == Error {
			l.errors++
		}
	}
	l.sorted = true
}

// Err returns the list as an error if it has errors, else nil.
func (l *List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	return l
}

// Error returns the first error, and how many more there are.
func (l *List) Error() string {
	l.Sort()
	for _, d := range l.diags {
		if d.Severity != Error {
			continue
		}
		s := l.line(d)
		if l.errors > 1 {
			s += fmt.Sprintf(" (and %d more)", l.errors-1)
		}
		return s
	}
	return "no errors"
}

// Format returns one diagnostic as it is printed, related places included,
// without the final newline.
func (l *List) Format(d *Diagnostic) string {
	s := l.line(d)
	for _, r := range d.Related {
		s += "\n" + l.related(r)
	}
	return s
}

// related returns a related place, indented.
func (l *List) related(r Related) string {
	s := "\t" + r.Msg
	if pos := l.set.Position(r.Pos); pos.IsValid() {
		s += " at " + pos.String()
	}
	return s + l.Beside(r.Pos)
}

// Beside returns the place in the bundle in parentheses after a space, if the place shown is the author's, else "".
func (l *List) Beside(p Pos) string {
	if own, ok := l.set.Beside(p); ok {
		return " (" + own.String() + ")"
	}
	return ""
}

// line returns FILE:LINE:COL: [warning: ]MESSAGE [(FILE:LINE:COL)].
func (l *List) line(d *Diagnostic) string {
	s := d.Msg
	if d.Severity == Warning {
		s = "warning: " + s
	}
	if pos := l.set.Position(d.Pos); pos.IsValid() {
		s = pos.String() + ": " + s
	}
	return s + l.Beside(d.Pos)
}

// Print writes the list (docs/commands.md, "Diagnostics"): one line for each diagnostic,
// with related positions indented below it, and a last line with the number of errors
// beyond MaxErrors.
func (l *List) Print(w io.Writer) error {
	return l.print(w, l.Format)
}

// print is Print with another format of the diagnostics.
func (l *List) print(w io.Writer, format func(*Diagnostic) string) error {
	b := bufio.NewWriter(w)
	shown, more := l.Shown()
	for _, d := range shown {
		b.WriteString(format(d))
		b.WriteByte('\n')
	}
	printMore(b, more)
	return b.Flush()
}

// PrintMore writes the last line of Print, if there are errors beyond MaxErrors.
func (l *List) PrintMore(w io.Writer) error {
	_, more := l.Shown()
	return printMore(w, more)
}

func printMore(w io.Writer, more int) error {
	if more == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "too many errors (%d more)\n", more)
	return err
}

// Shown returns the diagnostics that Print writes, and the number of errors beyond
// MaxErrors. The caller must not change the slice.
func (l *List) Shown() (shown []*Diagnostic, more int) {
	l.Sort()
	limit := l.MaxErrors
	if limit == 0 {
		limit = DefaultMaxErrors
	}
	if limit < 0 {
		return l.diags, 0
	}
	errors := 0
	for i, d := range l.diags {
		if d.Severity == Error {
			if errors == limit {
				return l.diags[:i], l.errors - errors
			}
			errors++
		}
	}
	return l.diags, 0
}
