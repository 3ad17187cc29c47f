package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/uvm2go/uvm2go/atomicsmodel"
	"github.com/uvm2go/uvm2go/atomicsmodel/report"
	"github.com/uvm2go/uvm2go/cmd/internal/litmus"
	"github.com/uvm2go/uvm2go/transpile"
)

func runLitmus(e *env, args []string) int {
	fs := newFlags("litmus")
	var o atomicsmodel.Options
	fs.BoolVar(&o.WW, "ww", false, "add the rule of later C++ about stores and SEQ_CST fences")
	fs.BoolVar(&o.ThinAir, "air", false, "allow values out of thin air")
	asJSON := fs.Bool("json", false, "print the verdicts on standard output, each a JSON object on a line")
	page := fs.Bool("html", false, "write one page about all tests, with pictures of executions")
	svg := fs.Bool("svg", false, "draw the execution with the outcome of one test, or the one that an axiom forbids")
	quiet := fs.Bool("q", false, "print only the line of each verdict")
	r := litmusRun{e: e}
	fs.BoolVar(&r.on, "run", false, "also run the tests on this machine, and compare what is seen with what is allowed")
	r.flags(fs)
	gen := fs.String("gen", "", "print the test of this `cycle` of relations, such as 'PodWW rel Rfe acq PodRR Fre', or of a shape such as IRIW")
	var q litmus.Question
	fs.StringVar(&q.Ask, "ask", "", "the `question` about the bundles among the files, such as 'p1_r=1 p1_s=0'")
	fs.StringVar(&q.Expect, "expect", "", "the `verdict` that is expected for the bundles: Never, Sometimes, Always, Possible, UB or MIXED")
	files, status, done := e.parseFlags(fs, "litmus [-json] [-q] [-run] FILE... | -gen CYCLE", args)
	switch {
	case done:
		return status
	case *gen != "":
		return e.generateLitmus(*gen, files, o)
	case len(files) == 0:
		return e.errorf("no file given (uvm2go litmus -h shows the usage)")
	case count(*asJSON, *page, *svg) > 1:
		return e.errorf("litmus: -json, -html and -svg exclude each other")
	}
	if err := r.finish(fs); err != nil {
		return e.errorf("litmus: %v", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	judge := report.Judge
	if *quiet && !r.on && !*asJSON && !*page && !*svg {
		judge = report.Decide
	}
	reports, worst := e.litmusTests(ctx, files, q, o, judge)
	var err error
	if r.on && worst < statusUsage {
		worst = max(worst, r.run(ctx, reports))
	}
	stop()
	switch {
	case *page:
		err = writeLitmusPage(e.stdout, reports)
	case *svg:
		err = writeLitmusPicture(e.stdout, reports)
	}
	for _, rep := range reports {
		switch {
		case err != nil:
			return e.errorf("%v", err)
		case *asJSON:
			err = rep.WriteJSON(e.stdout)
		case !*page && !*svg:
			err = rep.Print(e.stdout, *quiet)
		}
		if err != nil {
			return e.errorf("%v", err)
		}
		if rep.Bad() {
			worst = max(worst, statusInput)
		}
	}
	return worst
}

// generateLitmus prints the test of a cycle, with its verdict.
func (e *env) generateLitmus(cycle string, files []string, o atomicsmodel.Options) int {
	if len(files) > 0 {
		return e.errorf("litmus: -gen takes no files, got %s", files[0])
	}
	if c := atomicsmodel.Shapes()[cycle]; c != "" {
		cycle = c
	}
	t, err := atomicsmodel.Cycle("", cycle)
	if err != nil {
		return e.errorf("litmus: -gen: %v", err)
	}
	v, err := atomicsmodel.Check(t, o)
	if err != nil {
		return e.errorf("litmus: %v", err)
	}
	t.Expect = []atomicsmodel.Expectation{{Options: o, Result: v.Result}}
	if _, err := io.WriteString(e.stdout, t.String()); err != nil {
		return e.errorf("%v", err)
	}
	return statusOK
}

// judge is report.Judge or report.Decide.
type judge = func(context.Context, string, *atomicsmodel.Test, atomicsmodel.Options) (*report.Report, error)

// litmusTests judges the tests in files, until the context is done; then it says how far it came.
func (e *env) litmusTests(ctx context.Context, files []string, q litmus.Question, o atomicsmodel.Options, judge judge) (reports []*report.Report, worst int) {
	for i, name := range files {
		rep, status := e.litmus(ctx, name, fmt.Sprintf("judging %s, test %d of %d", name, i+1, len(files)), q, o, judge)
		if ctx.Err() != nil {
			return reports, e.errorf("litmus: interrupted in test %d of %d, %s", i+1, len(files), name)
		}
		worst = max(worst, status)
		if rep != nil {
			reports = append(reports, rep)
		}
	}
	return reports, worst
}

// litmus judges the test in a file. It prints errors itself; the report is then nil.
func (e *env) litmus(ctx context.Context, name, what string, q litmus.Question, o atomicsmodel.Options, judge judge) (*report.Report, int) {
	src, err := e.read(name)
	if err != nil {
		return nil, e.errorf("%v", err)
	}
	var t *atomicsmodel.Test
	switch {
	case slices.ContainsFunc(transpile.Dialects.Endings(), func(end string) bool { return strings.HasSuffix(src.Name, end) }):
		t, err = e.litmusOf(src, q)
	default:
		t, err = report.Read(src.Name, string(src.Text))
	}
	if err != nil {
		fmt.Fprintln(e.stderr, err)
	}
	if t == nil {
		return nil, statusInput
	}
	done := e.step(what)
	r, err := judge(ctx, src.Name, t, o)
	done()
	if err != nil && ctx.Err() == nil {
		fmt.Fprintf(e.stderr, "%s: %v\n", src.Name, err)
	}
	if err != nil {
		return nil, statusInput
	}
	return r, statusOK
}

// litmusOf makes a test of a bundle. It prints the diagnostics of the bundle itself; the test is then nil.
func (e *env) litmusOf(src transpile.Source, q litmus.Question) (*atomicsmodel.Test, error) {
	if q.Ask == "" {
		return nil, fmt.Errorf("%s: a bundle has no question: -ask gives it, such as -ask 'p1_r=1 p1_s=0' for variables %%r and %%s of function @p1", src.Name)
	}
	p, diags := transpile.Load([]transpile.Source{src}, transpile.Options{})
	if err := e.report(diags); err != nil || p == nil {
		return nil, err
	}
	entry, _ := p.EntryFunction()
	return litmus.FromProgram(src.Name, p.IR, entry, q)
}

// count returns how many of the values are true.
func count(list ...bool) (n int) {
	for _, b := range list {
		if b {
			n++
		}
	}
	return n
}
