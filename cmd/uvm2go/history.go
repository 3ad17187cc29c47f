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

// A run is one of the runs of a pass on a body; the first is 1, the last 0 where one is asked for.
type run struct {
	pass string
	n    int
}

// parseRun reads PASS or PASS:N.
func parseRun(s string) (pass string, n int, err error) {
	if s == "" {
		return "", 0, nil
	}
	pass, number, given := strings.Cut(s, ":")
	if !slices.Contains(transpile.Passes(), pass) {
		return "", 0, fmt.Errorf("unknown pass %q: the passes are %s", pass, strings.Join(transpile.Passes(), ", "))
	}
	if given {
		if n, err = strconv.Atoi(number); err != nil || n <= 0 {
			return "", 0, fmt.Errorf("%q: the runs of a pass are counted from 1", s)
		}
	}
	return pass, n, nil
}

// A history lists the runs of passes on each body, in their order. All bodies have the same.
type history map[*ir.Version][]run

// add enters the next run of a pass and returns it and its place in the list.
func (h history) add(v *ir.Version, pass string) (r run, place int) {
	r = run{pass, h.count(v, pass) + 1}
	h[v] = append(h[v], r)
	return r, len(h[v]) - 1
}

// count is how often a pass has run on a body.
func (h history) count(v *ir.Version, pass string) int {
	n := 0
	for _, r := range h[v] {
		if r.pass == pass {
			n++
		}
	}
	return n
}

// title names a run, with its number if there are several.
func (h history) title(v *ir.Version, r run) string {
	if n := h.count(v, r.pass); n > 1 {
		return fmt.Sprintf("after %s, run %d of %d", r.pass, r.n, n)
	}
	return "after " + r.pass
}

// dumpAfter shows the program, or a function, with each version as a run of a pass left it, and which
// run that is. Versions on which the pass does not run are as they are at the end.
func (e *env) dumpAfter(out *bufio.Writer, p *transpile.Program, want run, form dump.Form, fn string) error {
	vs, err := dump.Select(p.IR, fn)
	if err != nil {
		return err
	}
	h := history{}
	type shot struct {
		run
		body *ir.Version
	}
	shots := map[*ir.Version]shot{}
	err = e.optimized(p, func(pass string, body *ir.Version) {
		v := body.Func.Current() // body is another one if it is resumable
		r, _ := h.add(v, pass)
		if pass == want.pass && (want.n == 0 || want.n == r.n) && slices.Contains(vs, v) {
			shots[v] = shot{r, body.Clone()}
		}
	})
	if err != nil {
		return err
	}
	for i, v := range vs {
		title := "without a run of " + want.pass
		s, ok := shots[v]
		switch n := h.count(v, want.pass); {
		case ok:
			title = h.title(v, s.run)
		case want.n > n && n > 0:
			return fmt.Errorf("pass %s has no run %d: it runs %d times on %s", want.pass, want.n, n, v.Name)
		default: // it does not run on this body, at this level
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

// dumpHTML writes the page. A run of a pass has a column if it changed something.
func (e *env) dumpHTML(out io.Writer, p *transpile.Program, title, fn string) error {
	vs, err := dump.Select(p.IR, fn)
	if err != nil {
		return err
	}
	read := map[*ir.Version]string{}
	last := map[*ir.Version]string{}
	for _, v := range vs {
		read[v] = text(p.IR, v)
		last[v] = read[v]
	}
	h := history{}
	var shots []map[*ir.Version]string // by place in the history
	var some *ir.Version               // one that was optimised
	err = e.optimized(p, func(pass string, body *ir.Version) {
		v := body.Func.Current()
		if _, ok := last[v]; !ok {
			return
		}
		_, place := h.add(v, pass)
		if len(h[v]) > len(h[some]) {
			some = v
		}
		for len(shots) <= place {
			shots = append(shots, map[*ir.Version]string{})
		}
		if s := text(p.IR, body); s != last[v] {
			shots[place][v], last[v] = s, s
		}
	})
	if err != nil {
		return err
	}
	code, err := goFunctions(p)
	if err != nil {
		return err
	}
	columns := []dump.Column{dump.SourceColumn("bundle", p.IR),
		{Title: "as read", Text: func(v *ir.Version) string { return read[v] }}}
	for place, m := range shots {
		columns = append(columns, dump.Column{Title: h.title(some, h[some][place]), Text: func(v *ir.Version) string { return m[v] }})
	}
	columns = append(columns, dump.Column{Title: "Go", Text: func(v *ir.Version) string { return code[v.Name] }})
	return dump.HTML(out, p.IR, title, vs, columns)
}

func text(p *ir.Program, v *ir.Version) string {
	var b strings.Builder
	ir.PrintVersion(&b, p, v)
	return b.String()
}
