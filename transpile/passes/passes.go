// Package passes transforms programs so that the generated Go runs faster.
//
// A pass is a row of the table below: a name, the stage it belongs to and a function that
// rewrites one version. The table in order.go, checked at
// start-up, says which passes must precede which, and why. The driver in this file can
// check each body after each pass, show it, leave out passes by name and count their
// changes.
//
// The package does not translate, does not compute layouts and does not choose the form of the
// Go code. A program behaves the same before and after, including run-time errors and the names
// they report, and also backtraces if the code that writes them uses Origins. Only behaviour
// that the language leaves open may change: how deep a recursion goes before it overflows.
//
// # Invariants
//
//   - Only the current version of a function is rewritten, and nothing of the
//     program but bodies: signatures, cells, constants of bundles stay.
//   - A body is valid (package verify) after every pass.
//   - An instruction that can fail, trap or be observed on a stack keeps its
//     position and its global name, wherever it goes: the first pass spells
//     the names of unnamed ones out.
//   - A keep-alive clause lists the same variables under the same names: a variable that was
//     replaced by another is represented by an identity.
//   - The same program gives the same result; nothing depends on map order.
//
// # Stages
//
// Passes of the first stage see each body on its own. Then the driver orders the bodies
// so that callees come before their callers, as far as possible, and takes each body
// through the second stage, so that inlined bodies are already optimised.
package passes

import (
	"fmt"
	"time"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// Options say what to run.
type Options struct {
	Level   int      // 0 runs nothing
	Disable []string // names of passes to leave out; without names, messages name instructions after places that others change
	// Select, if not nil, names the passes to run instead of the table: each, in this order, on all bodies. A name
	// may occur repeatedly. Unreachable blocks are removed before each; nothing else that a pass usually relies on (Needs) is
	// added. With Check, each body is verified after each of them.
	Select []string
	// Sanitize keeps the failures that only checking mode reports: addressing
	// instructions on NULL may not go.
	Sanitize bool
	// Origins, if not nil, is filled with the origins of copied instructions,
	// for backtraces. If it is nil, no body is copied that a backtrace may show.
	Origins *Origins
	// Alone leaves out the passes after the first stage, which take most of the time.
	Alone bool
	// Frames says that a client can look at the frames of stacks at rest, even
	// if the program itself does not.
	Frames bool
	// Compiled says that Go code is made of the program: pass share does nothing otherwise.
	Compiled bool
	// Check verifies each body after each pass that changed it, and that passes
	// which are not run because they have nothing to do would change nothing.
	Check bool
	// After, if not nil, is called after each pass on each body.
	After func(pass string, v *ir.Version)
	// Stats, if not nil, is filled.
	Stats *Stats
}

// Stats says what the passes did.
type Stats struct {
	Passes []PassStats // in the order of the table
}

// PassStats is the account of one pass.
type PassStats struct {
	Name    string
	Runs    int // without those skipped because the pass had nothing left to do
	Changes int
	Time    time.Duration
}

// stage is when a pass runs; see the package comment.
type stage uint8

const (
	alone stage = iota
	bottomUp
	last
)

// A pass is a row of the table. Its function returns the number of changes.
//
// A pass that has nothing to do on a body is not run on it again before another has
// changed it. So a pass that stands in the table repeatedly may look at nothing but
// the body and what no pass changes.
type pass struct {
	name  string
	stage stage
	run   func(*unit) int
}

// table lists the passes in the order in which they run. A pass may stand
// there repeatedly; it is switched off everywhere.
var table = []pass{
	{"names", alone, nameSites},
	{"natives", alone, natives},
	{"simplify", alone, simplify},
	{"number", alone, number},
	{"simplify", alone, simplify},
	{"scalar", alone, scalar},
	{"direct", alone, direct},
	{"simplify", alone, simplify},
	{"number", alone, number},
	{"dce", alone, dce},

	{"tails", bottomUp, tails},
	{"inline", bottomUp, inline},
	{"share", bottomUp, share},
	{"simplify", bottomUp, simplify},
	{"number", bottomUp, number},
	{"simplify", bottomUp, simplify},
	{"scalar", bottomUp, scalar},
	{"direct", bottomUp, direct},
	{"number", bottomUp, number},
	{"loads", bottomUp, loads},
	{"direct", bottomUp, direct},
	{"inline", bottomUp, inlineDirect},
	{"simplify", bottomUp, simplify},
	{"direct", bottomUp, direct},
	{"number", bottomUp, number},
	{"simplify", bottomUp, simplify},
	{"dce", bottomUp, dce},
	{"licm", bottomUp, licm},
	{"loads", bottomUp, loads},
	{"direct", bottomUp, direct},
	{"inline", bottomUp, inlineDirect},
	{"simplify", bottomUp, simplify},
	{"number", bottomUp, number},
	{"simplify", bottomUp, simplify},
	{"dce", bottomUp, dce},
	{"choose", bottomUp, choose},
	{"simplify", bottomUp, simplify},

	{"fork", last, fork},
	{"bounds", last, bounds},
	{"simplify", last, simplify},
	{"number", last, number},
	{"dce", last, dce},
	{"fill", last, fill},
	{"strength", last, strength},
	{"unroll", last, unroll},
	{"simplify", last, simplify},
	{"number", last, number},
	{"loads", last, loads},
	{"number", last, number},
	{"simplify", last, simplify},
	{"dce", last, dce},
	{"balance", last, balance},
	{"dce", last, dce},
	{"local", last, local},
}

// NotLive lists passes whose code only works in compiled frames: strength makes addresses that lie outside
// of their objects and relies on the values that they were computed from being roots instead; share makes copies of bodies
// that have no frames of their own.
var NotLive = []string{"strength", "share"}

// Names lists the passes, each once, in the order of their first run.
func Names() []string {
	var names []string
	seen := map[string]bool{}
	for _, p := range table {
		if !seen[p.name] {
			seen[p.name] = true
			names = append(names, p.name)
		}
	}
	return names
}

// first returns the number of the first row of a pass.
func first(name string) (int, error) {
	for i, p := range table {
		if p.name == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("no pass %q", name)
}

// rows returns the first row of each pass.
func rows(names []string) ([]int, error) {
	var list []int
	for _, n := range names {
		i, err := first(n)
		if err != nil {
			return nil, err
		}
		list = append(list, i)
	}
	return list, nil
}

// Run transforms a verified program. An error is a mistake in Disable or Select, or with
// Check a fault of a pass.
func Run(p *ir.Program, opt Options) error {
	off := map[string]bool{}
	for _, d := range opt.Disable {
		if _, err := first(d); err != nil {
			return err
		}
		off[d] = true
	}
	selected, err := rows(opt.Select)
	if err != nil {
		return err
	}
	if opt.Level <= 0 {
		return nil
	}
	r := &runner{s: newState(p, opt), off: off, stats: make([]PassStats, len(table))}
	var units []*unit
	for _, f := range p.Funcs {
		if v := f.Current(); v != nil && len(v.Blocks) > 0 {
			unmark(v)
			units = append(units, r.s.unit(v))
		}
	}
	if opt.Select != nil {
		err = r.selected(units, selected)
	} else {
		err = r.stages(units)
	}
	if err != nil {
		return err
	}
	if opt.Origins != nil {
		opt.Origins.fill(r.s.units)
	}
	if opt.Stats != nil {
		opt.Stats.Passes = r.stats
	}
	return nil
}

// unmark removes the marks of an earlier run, which are not valid for a body that
// changes.
func unmark(v *ir.Version) {
	for i := range v.Insts {
		v.Insts[i].Flags &^= ir.FlagLocal
	}
}

// runner is the state of the driver.
type runner struct {
	s     *state
	off   map[string]bool
	check *verify.Verifier
	stats []PassStats // by row
}

// stages takes the bodies through the table.
func (r *runner) stages(units []*unit) error {
	for _, u := range units {
		if err := r.stage(u, alone); err != nil {
			return err
		}
	}
	if r.s.opt.Alone {
		return nil
	}
	r.s.budget(units)
	for _, u := range r.s.bottomUp(units) {
		if err := r.stage(u, bottomUp); err != nil {
			return err
		}
	}
	for _, u := range units {
		if err := r.stage(u, last); err != nil {
			return err
		}
	}
	return nil
}

// selected runs rows of the table, each on all bodies, callees first. Passes need bodies without unreachable blocks.
func (r *runner) selected(units []*unit, rows []int) error {
	r.s.budget(units)
	units = r.s.bottomUp(units)
	for _, i := range rows {
		for _, u := range units {
			u.unreachable()
			if err := r.row(u, i); err != nil {
				return err
			}
			r.done(u)
		}
	}
	return nil
}

func (r *runner) stage(u *unit, st stage) error {
	for i := range table {
		if table[i].stage != st || r.off[table[i].name] {
			continue
		}
		if err := r.row(u, i); err != nil {
			return err
		}
	}
	r.done(u)
	return nil
}

// done drops what was computed about a body while passes ran on it.
func (r *runner) done(u *unit) {
	u.flow = nil
	r.s.graphs.Reset()
}

// row runs a row of the table on a body, unless it has nothing to do there.
func (r *runner) row(u *unit, i int) error {
	opt := &r.s.opt
	p := &table[i]
	s := &r.stats[i]
	s.Name = p.name
	n, settled := 0, u.settled(p.name)
	if !settled || opt.Check {
		var start time.Time
		if opt.Stats != nil {
			start = time.Now()
		}
		n = p.run(u)
		if opt.Stats != nil {
			s.Runs++
			s.Changes += n
			s.Time += time.Since(start)
		}
		u.ran(p.name, n)
	}
	if opt.Check && !u.cfg().Equal(analysis.NewCFG(u.v)) {
		return fmt.Errorf("internal error: pass %s, %s: the control flow has changed, but nothing is said to have", p.name, u.v.Name)
	}
	if settled && n > 0 {
		return fmt.Errorf("internal error: pass %s, %s: %d changes of a body on which it had nothing to do before", p.name, u.v.Name, n)
	}
	if opt.Check && (n > 0 || opt.Select != nil) {
		if r.check == nil {
			r.check = verify.New(r.s.p)
		}
		if err := verify.Err(r.check.Version(u.v)); err != nil {
			return fmt.Errorf("internal error: pass %s, %s: %w", p.name, u.v.Name, err)
		}
	}
	if opt.After != nil {
		opt.After(p.name, u.v)
	}
	return nil
}
