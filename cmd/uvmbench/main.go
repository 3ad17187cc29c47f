// Uvmbench compares the speed of translated programs with that of twins written by hand.
//
// The kernels in the folder of that name, a Mu bundle each with twins in Go, C and
// for some in Java, IAL, TVM, Python and Lua, are embedded in the executable. For each, uvmbench builds the
// translated program and the twins, checks that all print the same line, and then
// runs them in turn, several times each, so that other load on the machine affects
// all of them alike. It reports medians, ratios with their spread, and geometric
// means by group; as a table, as JSON and as an SVG plot.
//
// It is not a profiler (docs/performance.md says how to use one on the programs that
// it leaves in the work folder), and does not test the translator.
//
// The files: kernel.go finds the kernels, tools.go the compilers, build.go makes
// programs, engines.go makes those for other engines, measure.go runs one program,
// bench.go the suite; report.go has the result, stats.go its statistics; goals.go,
// table.go, compare.go and svg.go show it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Exit statuses.
const (
	statusOK    = 0
	statusFail  = 1 // a program could not be built, or its output was wrong
	statusUsage = 2
)

// config holds the settings from the command line.
type config struct {
	repeats  int
	size     string
	levels   bool
	check    bool
	list     bool
	quiet    bool
	work     string
	json     string
	svg      string
	compare  string
	from     string
	metric   metric
	twins    map[string]bool // nil for all
	disable  []string        // passes
	timeout  time.Duration
	patterns []string
}

func main() {
	if os.Getenv(measureEnv) != "" {
		os.Exit(measureMain(os.Args[1:], os.Stdout, os.Stderr))
	}
	if len(os.Args) == 3 && os.Args[1] == liveCommand {
		os.Exit(liveMain(os.Args[2], os.Stderr))
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

const usage = `usage: uvmbench [flags] [kernel...]

Compares translated programs with twins in Go, C and Java. Without arguments it runs all
kernels; uvmbench -list lists them.

flags:
`

// parseFlags reads the command line; done is true if the command ends there.
func parseFlags(args []string, stdout, stderr io.Writer) (c *config, status int, done bool) {
	c = &config{metric: byCPU, size: sizeFull}
	var twins, disable string
	fs := flag.NewFlagSet("uvmbench", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.IntVar(&c.repeats, "n", 5, "time each program `N` times")
	small := fs.Bool("small", false, "use small sizes, for a quick test; the times mean nothing")
	middle := fs.Bool("middle", false, "do a twelfth of the work, for comparing slow engines")
	fs.BoolVar(&c.levels, "levels", false, "also translate at -O0")
	fs.BoolVar(&c.check, "check", false, "build the programs and compare their output, without timing them")
	fs.BoolVar(&c.list, "list", false, "list the kernels")
	fs.BoolVar(&c.quiet, "q", false, "do not show progress on standard error")
	fs.StringVar(&c.work, "work", "", "build in folder `DIR` and leave sources and programs there (default: in the user's cache)")
	fs.StringVar(&c.json, "json", "", "write the measurements to `FILE`")
	fs.StringVar(&c.svg, "svg", "", "write a plot of the ratios to `FILE`")
	fs.StringVar(&c.compare, "compare", "", "compare with the earlier measurements in `OLD.json`")
	fs.StringVar(&c.from, "from", "", "measure nothing; read the measurements from `FILE`, which -json wrote")
	fs.Var(&c.metric, "metric", "time to compare: `cpu` (user and system time of all threads) or wall")
	fs.StringVar(&twins, "twins", "", "comma-separated `list` of twins to run (default mu, go, go_err, go_chan, c and java): mu, mu2014, ial, ialfree, tvm, go, go_err, go_chan, c, java, live, wasmint, wasm, python, lua")
	fs.StringVar(&disable, "disable", "", "comma-separated optimising `passes` to leave out, as with uvm2go -disable")
	fs.DurationVar(&c.timeout, "timeout", 2*time.Minute, "stop a program that runs longer than this `time`")
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		fs.SetOutput(stdout)
		fs.PrintDefaults()
		return nil, statusOK, true
	}
	switch {
	case *small && *middle && err == nil:
		err = errors.New("-small and -middle exclude each other")
	case *small:
		c.size = sizeSmall
	case *middle:
		c.size = sizeMiddle
	}
	if disable != "" {
		c.disable = strings.Split(disable, ",")
	}
	if err == nil {
		err = c.finish(fs.Args(), twins)
	}
	if err != nil {
		fmt.Fprintf(stderr, "uvmbench: %v (uvmbench -h lists the flags)\n", err)
		return nil, statusUsage, true
	}
	return c, statusOK, false
}

// twinNames are the twins that -twins accepts, in the order of listings and runs.
var twinNames = []string{twinMu, twinOld, twinIAL, twinFree, twinTVM, twinGo, twinErr, twinChan, twinC, twinJava,
	twinLive, twinWasmInt, twinWasm, twinPython, twinLua}

// finish makes the checks that the flag package cannot make.
func (c *config) finish(args []string, twins string) error {
	c.patterns = args
	if c.repeats < 1 {
		return fmt.Errorf("-n %d: want 1 or more", c.repeats)
	}
	if c.timeout <= 0 {
		return fmt.Errorf("-timeout %v: want a time above 0", c.timeout)
	}
	if c.from != "" && (c.check || c.levels || c.size != sizeFull || c.disable != nil) {
		return errors.New("-from measures nothing: it goes with -json, -svg, -compare, -metric and kernels only")
	}
	if twins == "" {
		return nil
	}
	c.twins = map[string]bool{}
	for _, t := range strings.Split(twins, ",") {
		t = strings.TrimSpace(t)
		if !slices.Contains(twinNames, t) {
			return fmt.Errorf("-twins: unknown twin %q: want %s", t, strings.Join(twinNames, ", "))
		}
		c.twins[t] = true
	}
	return nil
}

// workDir makes the folder for builds.
func (c *config) workDir() (string, error) {
	dir := c.work
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("no folder to build in, give one with -work: %v", err)
		}
		dir = filepath.Join(cache, "uvm2go", "bench")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return dir, os.MkdirAll(dir, 0o777)
}

// run is the command; it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	c, status, done := parseFlags(args, stdout, stderr)
	if done {
		return status
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "uvmbench: %v\n", err)
		return statusUsage
	}
	kernels, err := loadKernels()
	if err != nil {
		return fail(err)
	}
	if kernels, err = selectKernels(kernels, c.patterns); err != nil {
		return fail(err)
	}
	if c.list {
		if err := listKernels(stdout, kernels); err != nil {
			return fail(err)
		}
		return statusOK
	}
	// Read the file of old measurements first, so that an error in it is reported before the run.
	var old *Report
	if c.compare != "" {
		if old, err = readReport(c.compare); err != nil {
			return fail(err)
		}
	}
	var rep *Report
	ok := true
	if c.from != "" {
		if rep, err = readReport(c.from); err != nil {
			return fail(err)
		}
		if len(c.patterns) > 0 {
			rep.keep(kernels)
		}
	} else {
		dir, err := c.workDir()
		if err != nil {
			return fail(err)
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		s := newSuite(ctx, c, dir, stderr)
		rep, ok = s.run(kernels)
	}
	if c.check {
		if !ok {
			return statusFail
		}
		fmt.Fprintln(stdout, "all programs print what they should")
		return statusOK
	}
	if !ok && len(rep.Results) == 0 {
		return statusFail
	}
	if err := show(c, rep, old, stdout); err != nil {
		return fail(err)
	}
	if !ok {
		fmt.Fprintln(stderr, "uvmbench: there were failures, see above")
		return statusFail
	}
	return statusOK
}

// show writes the report in all requested forms.
func show(c *config, rep, old *Report, stdout io.Writer) error {
	var b strings.Builder
	writeTable(&b, rep, c.metric)
	if old != nil {
		b.WriteString("\n")
		writeComparison(&b, old, rep, c.metric)
	}
	if _, err := io.WriteString(stdout, b.String()); err != nil {
		return err
	}
	if c.json != "" {
		if err := rep.write(c.json); err != nil {
			return err
		}
	}
	if c.svg != "" {
		return os.WriteFile(c.svg, plot(rep, c.metric), 0o666)
	}
	return nil
}
