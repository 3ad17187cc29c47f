package main

import (
	"io"
	"strings"

	"github.com/uvm2go/uvm2go/cmd/internal/repl"
	"github.com/uvm2go/uvm2go/transpile/dialects"
)

func runRepl(e *env, args []string) int {
	fs := newFlags("repl")
	e.verboseFlag(fs)
	name := fs.String("dialect", "", "`dialect` of definitions that are typed (default: that of Mu text)")
	files, status, done := e.parseFlags(fs, "repl [flags] [BUNDLE...]", args)
	if done {
		return status
	}
	d, err := dialects.All.Choose(*name, nil)
	if err != nil {
		return e.errorf("%v", err)
	}
	var bundles []repl.Source
	for _, name := range files {
		if strings.HasPrefix(name, "-") {
			return e.errorf("%s: flags go before the bundles, which are files: standard input has the entries", name)
		}
		src, err := e.read(name)
		if err != nil {
			return e.errorf("%v", err)
		}
		bundles = append(bundles, repl.Source{Name: src.Name, Text: src.Text})
	}
	var out io.Writer = e.stdout
	if isTerminal(e.stdout.file) {
		out = e.stdout.file // lines are edited there
	}
	s := repl.Session{In: e.stdin, Name: stdinName, Out: out, Errs: e.stderr, Prompt: isTerminal(e.stdin), Dialect: d}
	loaded, err := s.Run(bundles)
	switch {
	case err != nil:
		return e.errorf("%v", err)
	case !loaded:
		return statusInput
	}
	return statusOK
}
