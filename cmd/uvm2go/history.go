package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/dump"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// parseRun reads PASS or PASS:N.
func parseRun(s string) (pass string, n int, err error) {
	if s == "" {
		return "", 0, nil
	}
	pass, number, given := strings.Cut(s, ":")
	if !slices.Contains(transpile.Passes(), pass) {
		return "", 0, transpile.UnknownPass(pass)
	}
	if given {
		if n, err = strconv.Atoi(number); err != nil || n <= 0 {
			return "", 0, fmt.Errorf("%q: the runs of a pass are counted from 1", s)
		}
	}
	return pass, n, nil
}

// dumpAfter shows the program, or a function, with each version as it is after a run of a pass, and tells
// which run that is. Versions on which the pass does not run are shown in their final state.
func (e *env) dumpAfter(out *bufio.Writer, p *transpile.Program, want dump.Run, form dump.Form, fn string) error {
	vs, err := dump.Select(p.IR, fn)
	if err != nil {
		return err
	}
	h := dump.History{}
	type shot struct {
		dump.Run
		body *ir.Version
	}
	shots := map[*ir.Version]shot{}
	err = e.optimized(p, func(pass string, body *ir.Version) {
		v := body.Func.Current() // body is a different version if it is resumable
		r, _ := h.Add(v, pass)
		if pass == want.Pass && (want.N == 0 || want.N == r.N) && slices.Contains(vs, v) {
			shots[v] = shot{r, body.Clone()}
		}
	})
	if err != nil {
		return err
	}
	for i, v := range vs {
		title := "without a run of " + want.Pass
		s, ok := shots[v]
		switch n := h.Count(v, want.Pass); {
		case ok:
			title = h.Title(v, s.Run)
		case want.N > n && n > 0:
			return fmt.Errorf("pass %s has no run %d: it runs %d times on %s", want.Pass, want.N, n, v.Name)
		default: // the pass does not run on this body at this level
			s.body = v.Clone()
		}
		vs[i] = s.body
		if form == dump.Text {
			fmt.Fprintf(out, "// %s %s\n", v.Name, title)
			v.Func.Versions[slices.Index(v.Func.Versions, v)] = s.body
		} else {
			s.body.Name += " " + title
		}
	}
	if form == dump.Text {
		return dump.Dump(out, p.IR, dump.Options{Func: fn})
	}
	return dump.Versions(out, p.IR, vs, form)
}

// dumpHTML writes the HTML page. It has a column for each run of a pass that changed something.
func (e *env) dumpHTML(out io.Writer, p *transpile.Program, title, fn string) error {
	vs, err := dump.Select(p.IR, fn)
	if err != nil {
		return err
	}
	shots := dump.NewShots(p.IR, vs)
	if err := e.optimized(p, shots.After); err != nil {
		return err
	}
	code, err := goFunctions(p)
	if err != nil {
		return err
	}
	columns := append([]dump.Column{dump.SourceColumn("bundle", p.IR)}, shots.Columns()...)
	columns = append(columns, dump.Column{Title: "Go", Text: func(v *ir.Version) string { return code[v.Name] }})
	return dump.HTML(out, p.IR, title, vs, columns)
}
