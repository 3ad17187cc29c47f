package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/dump"
)

// A part is what diff compares at once: a function, or the definitions.
type part struct{ name, text string }

func runDiff(e *env, args []string) int {
	in := e.flags("diff")
	in.program()
	goCode := in.set.Bool("go", false, "compare the Go functions instead of the representation")
	list := in.set.Bool("l", false, "only list what differs")
	files, status, done := e.parse(in, "diff [-O0] [-go] [-l] BUNDLE BUNDLE", args)
	switch {
	case done:
		return status
	case len(files) != 2:
		return e.errorf("diff: want two bundles, got %d", len(files))
	}
	in.noC = true
	if *goCode {
		in.opt.Package = "bundle" // package main would need an entry function
		in.opt.Lines = false
	}
	var sides [2][]part
	for i, f := range files {
		p, status := e.load(in, files[i:i+1])
		if p == nil {
			return status
		}
		var err error
		if sides[i], err = e.parts(p, *goCode); err != nil {
			return e.errorf("diff: %s: %v", f, err)
		}
	}
	differs, err := writeDiff(e.stdout, files, sides, *list)
	switch {
	case err != nil:
		return e.errorf("diff: %v", err)
	case differs:
		return statusInput
	}
	return statusOK
}

// parts lists what diff compares of a program: its definitions, and the functions with bodies in their order.
func (e *env) parts(p *transpile.Program, goCode bool) ([]part, error) {
	var code map[string]string
	var err error
	definitions := part{"the definitions", dump.PlainDefinitions(p.IR)}
	if goCode {
		code, err = goFunctions(p)
	} else {
		err = e.optimized(p, nil)
	}
	if err != nil {
		return nil, err
	}
	list := []part{definitions}
	for _, f := range p.IR.Funcs {
		v := f.Current()
		switch {
		case v == nil:
		case goCode:
			list = append(list, part{f.Name, code[v.Name]})
		default:
			list = append(list, part{f.Name, dump.Plain(p.IR, v)})
		}
	}
	return list, nil
}

// writeDiff writes the differences, in the order of the first side, and then what only the second side has.
func writeDiff(w io.Writer, files []string, sides [2][]part, list bool) (differs bool, err error) {
	second := map[string]string{}
	for _, b := range sides[1] {
		second[b.name] = b.text
	}
	report := func(name, what, a, b string) {
		if a == b || err != nil {
			return
		}
		differs = true
		if list {
			_, err = fmt.Fprintf(w, "%s %s\n", name, what)
			return
		}
		_, changes, _ := bytes.Cut(diff.Diff(files[0]+" "+name, []byte(a), files[1]+" "+name, []byte(b)), []byte("\n"))
		_, err = w.Write(changes)
	}
	for _, a := range sides[0] {
		what := "differs"
		if strings.HasPrefix(a.name, "the ") {
			what = "differ"
		}
		b, ok := second[a.name]
		if !ok {
			what = "is only in " + files[0]
		}
		delete(second, a.name)
		report(a.name, what, a.text, b)
	}
	for _, b := range sides[1] {
		if _, ok := second[b.name]; ok {
			report(b.name, "is only in "+files[1], "", b.text)
		}
	}
	return differs, err
}
