package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// startRepeats is the least number of runs of a program of which only the start is
// timed.
const startRepeats = 20

// A suite runs kernels.
type suite struct {
	c      *config
	tools  *tools
	build  *builder
	runner *runner
	stderr io.Writer
	ok     bool
}

func newSuite(ctx context.Context, c *config, dir string, stderr io.Writer) *suite {
	t := findTools()
	return &suite{
		c: c, tools: t, build: &builder{dir: dir, tools: t, size: c.size, disable: c.disable},
		runner: &runner{ctx: ctx, timeout: c.timeout}, stderr: stderr, ok: true,
	}
}

func (s *suite) progress(format string, args ...any) {
	if !s.c.quiet {
		fmt.Fprintf(s.stderr, format+"\n", args...)
	}
}

func (s *suite) failure(k *kernel, twin, format string, args ...any) {
	s.ok = false
	fmt.Fprintf(s.stderr, "uvmbench: %s, %s: %s\n", k.name, twin, fmt.Sprintf(format, args...))
}

// run builds, checks and times kernels. ok is false if something failed; the report
// has the rest. All programs are built before any is timed.
func (s *suite) run(ks []*kernel) (*Report, bool) {
	s.build.findEngines(s.c.twins)
	rep := &Report{
		Format: reportFormat, Date: time.Now().UTC().Format(time.RFC3339), Size: s.build.size, Repeats: s.c.repeats,
		OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), Tools: s.tools.versions,
	}
	rep.Notes = append(rep.Notes, s.tools.missing...)
	if s.c.disable != nil {
		rep.Notes = append(rep.Notes, "translated without the passes "+strings.Join(s.c.disable, ", "))
	}
	for _, n := range s.tools.missing {
		fmt.Fprintf(s.stderr, "uvmbench: %s\n", n)
	}
	if s.tools.golang == "" {
		fmt.Fprintln(s.stderr, "uvmbench: no go command: nothing can be built")
		return rep, false
	}
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintf(s.stderr, "uvmbench: %v\n", err)
		return rep, false
	}
	s.runner.self = self
	ready := make([][]*program, len(ks))
	for i, k := range ks {
		if s.interrupted() {
			return rep, false
		}
		s.progress("building %s (%d of %d)", k.name, i+1, len(ks))
		ready[i] = s.buildAll(k)
	}
	for i, k := range ks {
		if s.interrupted() {
			return rep, false
		}
		s.progress("checking %s (%d of %d)", k.name, i+1, len(ks))
		ready[i] = s.checked(k, ready[i])
	}
	if s.c.check {
		return rep, s.ok
	}
	before, known := load()
	for i, k := range ks {
		if s.interrupted() {
			rep.Notes = append(rep.Notes, "interrupted: not all kernels were timed")
			return rep, false
		}
		s.progress("timing %s (%d of %d)", k.name, i+1, len(ks))
		rep.Results = append(rep.Results, s.time(k, ready[i])...)
	}
	if after, ok := load(); ok && known {
		rep.Load = []float64{before, after}
	}
	return rep, s.ok
}

// interrupted reports whether the user ended the run, and prints a message the first time.
func (s *suite) interrupted() bool {
	if s.runner.ctx.Err() == nil {
		return false
	}
	fmt.Fprintln(s.stderr, "uvmbench: interrupted")
	return true
}

// twins lists the twins of a kernel that are to be run.
func (s *suite) twins(k *kernel) []string {
	var names []string
	add := func(asked, twin string) {
		if s.c.twins == nil || s.c.twins[asked] {
			names = append(names, twin)
		}
	}
	for _, src := range k.sources {
		_, ok := writings[src.twin]
		if s.c.twins == nil && (ok || src.twin == twinPython || src.twin == twinLua) {
			continue
		}
		add(src.twin, src.twin)
		if src.twin == twinIAL && s.c.twins[twinFree] && slices.Contains(untestedOf, k.name) {
			names = append(names, twinFree)
		}
		if src.twin != twinMu {
			continue
		}
		if s.c.twins[twinOld] {
			names = append(names, twinOld)
		}
		if k.group != groupOverheads {
			for _, twin := range []string{twinLive, twinWasmInt, twinWasm} {
				if s.c.twins[twin] && k.runs(twin) {
					names = append(names, twin)
				}
			}
		}
		if k.without != nil {
			add(twinMu, twinWithout)
		} else if s.c.levels && k.name != startKernel {
			add(twinMu, twinMu0)
		}
	}
	return names
}

// buildAll builds the twins of a kernel.
func (s *suite) buildAll(k *kernel) []*program {
	var ps []*program
	for _, twin := range s.twins(k) {
		p, err := s.build.build(k, twin)
		switch {
		case errors.Is(err, errNoTool):
		case err != nil:
			s.failure(k, twin, "%v", err)
		default:
			ps = append(ps, p)
		}
	}
	return ps
}

// checked runs each program once and returns those with the right output.
func (s *suite) checked(k *kernel, ps []*program) []*program {
	var good []*program
	want := k.output(s.c.size)
	for _, p := range ps {
		o, err := s.runner.run(p)
		switch {
		case errors.Is(err, errInterrupted):
			return nil
		case err != nil:
			s.failure(k, p.twin, "%v", err)
		case o.Error != "":
			s.failure(k, p.twin, "%s\n%s", o.Error, strings.TrimSpace(o.Stderr))
		case !p.prints(o.Stdout, want):
			s.failure(k, p.twin, "prints %q, want %q", o.Stdout, want)
		default:
			good = append(good, p)
		}
	}
	return good
}

// prints reports whether the output of a program is right. Text of 2014 cannot choose
// the names of traps freely, so only the text after the name is compared.
func (p *program) prints(got, want string) bool {
	if p.twin != twinOld {
		return got == want
	}
	_, got, _ = strings.Cut(strings.TrimPrefix(got, "trap "), " ")
	_, want, _ = strings.Cut(strings.TrimPrefix(want, "trap "), " ")
	return got == want
}

// time runs the programs of a kernel in turn. Each round begins with another
// program, so that none always runs after the same one.
func (s *suite) time(k *kernel, ps []*program) []*Result {
	rs := make([]*Result, len(ps))
	for i, p := range ps {
		rs[i] = &Result{Kernel: k.name, Group: k.group, Twin: p.twin}
	}
	repeats := s.c.repeats
	if k.name == startKernel {
		repeats = max(repeats, startRepeats)
	}
	for round := range repeats {
		for j := range ps {
			i := (round + j) % len(ps)
			o, err := s.runner.run(ps[i])
			if err == nil && o.Error != "" {
				err = errors.New(o.Error)
			}
			if err == nil && !ps[i].prints(o.Stdout, k.output(s.c.size)) {
				err = fmt.Errorf("prints %q, and did not when it was checked", o.Stdout)
			}
			if err != nil {
				if !errors.Is(err, errInterrupted) {
					s.failure(k, ps[i].twin, "%v", err)
				}
				return nil
			}
			rs[i].Samples = append(rs[i].Samples, o.Sample)
		}
	}
	return rs
}
