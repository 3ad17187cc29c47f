package main

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/diag"
)

func runCheck(e *env, args []string) int {
	in := e.flags("check")
	stage := in.set.String("stage", "", "check up to a `stage`, in dialects that have some: "+strings.Join(stages(), ", "))
	asJSON := in.set.Bool("json", false, "print the diagnostics on standard output, each a JSON object on a line")
	asSARIF := in.set.Bool("sarif", false, "print the diagnostics on standard output as a SARIF 2.1.0 log")
	files, status, done := e.parse(in, "check [flags] BUNDLE...", args)
	if done {
		return status
	}
	switch {
	case *asJSON && *asSARIF:
		return e.errorf("check: -json and -sarif exclude each other")
	case *asJSON:
		e.print = func(l *diag.List) error { return l.PrintJSON(e.stdout) }
	case *asSARIF:
		e.print = func(l *diag.List) error { return l.PrintSARIF(e.stdout, version()) }
	}
	srcs, status := e.sources(in, files)
	if status != statusOK {
		return status
	}
	d, err := transpile.Dialects.Choose(in.opt.Dialect, srcs)
	if *stage == "" && err == nil {
		*stage = d.Checks
	}
	if *stage == "" {
		_, status = e.loadSources(in, srcs)
		return status
	}
	if err == nil {
		_, err = d.Stage(*stage, transpile.Dialects)
	}
	if err != nil {
		return e.errorf("check -stage: %v", err)
	}
	checked := e.step("reading and checking")
	list := transpile.Check(srcs, *stage, in.opt)
	checked()
	if err := e.report(list); err != nil {
		return e.errorf("%v", err)
	}
	if list.HasErrors() {
		return statusInput
	}
	return statusOK
}

// stages lists the stages of all dialects; the name of each dialect precedes its stages.
func stages() []string {
	var all []string
	for _, d := range transpile.Dialects {
		for _, s := range d.Stages {
			all = append(all, d.Name+" "+s.Name)
		}
	}
	return all
}

// report prints the diagnostics of loaded bundles. On a terminal it adds the lines
// of source that they refer to.
func (e *env) report(l *diag.List) error {
	if e.notes != nil {
		if err := l.Print(e.notes); err != nil {
			return err
		}
	}
	switch {
	case e.print != nil:
		if err := e.print(l); err != nil {
			return err
		}
		return l.PrintMore(e.stderr)
	case e.terminal:
		return l.PrintSource(e.stderr)
	}
	return l.Print(e.stderr)
}

// inputError reports errors in the input that do not come from Load, in the same
// form as report.
func (e *env) inputError(err error) int {
	var list *diag.List
	if !errors.As(err, &list) {
		list = diag.NewList(diag.NewSet())
		list.Errorf(diag.Pos{}, "%v", err)
	}
	if err := e.report(list); err != nil {
		return e.errorf("%v", err)
	}
	return statusInput
}

// isTerminal reports whether w is a terminal. Other devices, such as /dev/null, are not.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
