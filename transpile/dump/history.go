package dump

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A Run is one of the runs of a pass on a body; the first has number 1.
type Run struct {
	Pass string
	N    int
}

// A History lists the runs of passes on each body, in their order. All bodies have the same passes.
type History map[*ir.Version][]Run

// Add enters the next run of a pass and returns it and its index in the list.
func (h History) Add(v *ir.Version, pass string) (r Run, place int) {
	r = Run{pass, h.Count(v, pass) + 1}
	h[v] = append(h[v], r)
	return r, len(h[v]) - 1
}

// Count is the number of runs of a pass on a body.
func (h History) Count(v *ir.Version, pass string) int {
	n := 0
	for _, r := range h[v] {
		if r.Pass == pass {
			n++
		}
	}
	return n
}

// Title names a run, with its number if there are several.
func (h History) Title(v *ir.Version, r Run) string {
	if n := h.Count(v, r.Pass); n > 1 {
		return fmt.Sprintf("after %s, run %d of %d", r.Pass, r.N, n)
	}
	return "after " + r.Pass
}

// Shots are snapshots of the texts of versions: as they were read, and after each run of a pass.
type Shots struct {
	p    *ir.Program
	h    History
	read map[*ir.Version]string
	last map[*ir.Version]string
	runs []map[*ir.Version]string // by place in the history, of the bodies that the run changed
	some *ir.Version              // the optimised version with the longest history
}

// NewShots takes the first texts of the versions, before any pass.
func NewShots(p *ir.Program, vs []*ir.Version) *Shots {
	s := &Shots{p: p, h: History{}, read: map[*ir.Version]string{}, last: map[*ir.Version]string{}}
	for _, v := range vs {
		s.read[v] = text(p, v)
		s.last[v] = s.read[v]
	}
	return s
}

// After notes the text of a body after a run of a pass. A body that is not the current version of its function
// was made from it.
func (s *Shots) After(pass string, body *ir.Version) {
	v := body.Func.Current()
	if _, ok := s.last[v]; !ok {
		return
	}
	_, place := s.h.Add(v, pass)
	if len(s.h[v]) > len(s.h[s.some]) {
		s.some = v
	}
	for len(s.runs) <= place {
		s.runs = append(s.runs, map[*ir.Version]string{})
	}
	if t := text(s.p, body); t != s.last[v] {
		s.runs[place][v], s.last[v] = t, t
	}
}

// Columns are a column with the texts that were read, and one for each run of a pass, with the texts of the
// versions that the run changed.
func (s *Shots) Columns() []Column {
	columns := []Column{{Title: "as read", Text: func(v *ir.Version) string { return s.read[v] }}}
	for place, m := range s.runs {
		columns = append(columns, Column{Title: s.h.Title(s.some, s.h[s.some][place]), Text: func(v *ir.Version) string { return m[v] }})
	}
	return columns
}

func text(p *ir.Program, v *ir.Version) string {
	var b strings.Builder
	ir.PrintVersion(&b, p, v)
	return b.String()
}
