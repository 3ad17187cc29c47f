package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uvm2go/uvm2go/atomicsmodel"
	"github.com/uvm2go/uvm2go/atomicsmodel/report"
)

// A litmusRun runs litmus tests on this machine: package atomicsmodel makes one bundle of them, which this command runs.
type litmusRun struct {
	e        *env
	on       bool
	live     bool   // on the engine
	exec     string // a command that runs the program, with its arguments
	affinity string
	seed     string
	bundle   atomicsmodel.BundleOptions
}

// flags defines the flags that go with -run.
func (r *litmusRun) flags(fs *flag.FlagSet) {
	fs.BoolVar(&r.live, "live", false, "with -run: run on the engine for live code instead of building")
	fs.StringVar(&r.exec, "exec", "", "with -run: run the program with this `command`, as an emulator for the port of GOOS and GOARCH")
	fs.IntVar(&r.bundle.Iterations, "n", 0, "with -run: run each test `times` times (default 200,000)")
	fs.IntVar(&r.bundle.Bits, "bits", 0, "with -run: the `width` of locations: 8, 16, 32 or 64 (default)")
	fs.StringVar(&r.affinity, "affinity", "random", "with -run: the `processors` of threads: random ones in turn, spread, or none")
	fs.BoolVar(&r.bundle.Prefill, "prefill", true, "with -run: distribute the cells over the caches before the threads start")
	fs.BoolVar(&r.bundle.Delays, "delays", true, "with -run: at times wait between statements")
	fs.StringVar(&r.seed, "seed", "", "with -run: the `number` that decides about all that is random (default: another one each time)")
}

// finish checks the flags.
func (r *litmusRun) finish(fs *flag.FlagSet) error {
	var given []string
	fs.Visit(func(f *flag.Flag) {
		if slices.Contains([]string{"live", "exec", "n", "bits", "affinity", "prefill", "delays", "seed"}, f.Name) {
			given = append(given, "-"+f.Name)
		}
	})
	switch {
	case !r.on && given != nil:
		return fmt.Errorf("%s without -run", given[0])
	case r.live && r.exec != "":
		return errors.New("-live and -exec exclude each other: the engine is part of uvm2go")
	}
	var ok bool
	if r.bundle.Affinity, ok = atomicsmodel.AffinityByName(r.affinity); !ok {
		return fmt.Errorf("-affinity is random, spread or none, not %q", r.affinity)
	}
	r.bundle.Seed = uint64(time.Now().UnixNano())
	if r.seed != "" {
		n, err := strconv.ParseUint(r.seed, 10, 64)
		if err != nil {
			return fmt.Errorf("-seed is a number, not %q", r.seed)
		}
		r.bundle.Seed = n
	}
	return nil
}

// again is the flags that make the same choices again.
func (r *litmusRun) again() string {
	s := fmt.Sprintf("-run -seed %d", r.bundle.Seed)
	if r.live {
		s += " -live"
	}
	if r.bundle.Iterations != 0 {
		s += fmt.Sprintf(" -n %d", r.bundle.Iterations)
	}
	if r.bundle.Bits != 0 {
		s += fmt.Sprintf(" -bits %d", r.bundle.Bits)
	}
	if r.bundle.Affinity != atomicsmodel.Random {
		s += " -affinity " + r.affinity
	}
	if !r.bundle.Prefill {
		s += " -prefill=false"
	}
	if !r.bundle.Delays {
		s += " -delays=false"
	}
	if r.exec != "" {
		s += fmt.Sprintf(" -exec '%s'", r.exec)
	}
	return s
}

// run runs the tests of the reports that can be run, and notes there what was seen. It returns an exit status.
func (r *litmusRun) run(ctx context.Context, reports []*report.Report) int {
	var tests []*atomicsmodel.Test
	var ran []*report.Report
	for _, rep := range reports {
		if rep.Verdict.Result == atomicsmodel.UB {
			rep.Skipped = "its behaviour is undefined"
		} else if _, err := atomicsmodel.Bundle([]*atomicsmodel.Test{rep.Test}, r.bundle); err != nil {
			rep.Skipped = err.Error()
		} else {
			tests, ran = append(tests, rep.Test), append(ran, rep)
		}
	}
	if len(tests) == 0 {
		return statusOK
	}
	if system := cmp.Or(os.Getenv("GOOS"), runtime.GOOS); r.bundle.Affinity != atomicsmodel.Floating && (system != "linux" || r.live && runtime.GOOS != "linux") {
		fmt.Fprintf(r.e.stderr, "uvm2go: litmus: threads run without -affinity, which is for Linux only\n")
		r.bundle.Affinity = atomicsmodel.Floating
	}
	done := r.e.step(fmt.Sprintf("running %d tests", len(tests)))
	counts, err := r.counts(ctx, tests)
	done()
	if ctx.Err() != nil {
		return r.e.errorf("litmus: interrupted while running %d tests", len(tests))
	}
	if err != nil {
		return r.e.errorf("litmus: %v", err)
	}
	for i, rep := range ran {
		rep.Observe(counts[i], r.again())
	}
	return statusOK
}

// counts returns how often each test ended in which states.
func (r *litmusRun) counts(ctx context.Context, tests []*atomicsmodel.Test) ([][]atomicsmodel.Count, error) {
	text, err := atomicsmodel.Bundle(tests, r.bundle)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "uvm2go-litmus-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	bundle := filepath.Join(dir, "litmus"+atomicsmodel.BundleEnding)
	if err := os.WriteFile(bundle, []byte(text), 0o666); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	run := []string{self, "run", bundle}
	switch {
	case r.live:
		run = []string{self, "run", "-live", bundle}
	case r.exec != "":
		program := filepath.Join(dir, "litmus.exe")
		if _, err := outputOf(ctx, self, "build", "-o", program, bundle); err != nil {
			return nil, fmt.Errorf("building the tests: %w", err)
		}
		run = append(strings.Fields(r.exec), program)
	}
	out, err := outputOf(ctx, run...)
	if err != nil {
		return nil, fmt.Errorf("running the tests: %w", err)
	}
	return atomicsmodel.ReadCounts(tests, out)
}

// outputOf runs a command and returns what it prints on standard output. The error has the rest. When the context is done, the command
// is interrupted, so that it stops what it has started.
func outputOf(ctx context.Context, command ...string) (string, error) {
	var stderr strings.Builder
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, stderr.String())
	}
	return string(out), err
}
