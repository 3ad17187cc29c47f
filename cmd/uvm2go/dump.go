package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/dump"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

func runDump(e *env, args []string) int {
	in := e.flags("dump")
	in.program()
	after := in.set.String("after", "", "show the representation after the last run of this `pass`, or with PASS:N after its N-th run")
	only := list{comma: true}
	in.set.Var(&only, "passes", "run only these `passes`, in this order, each on all functions, and verify after each; a name may occur repeatedly; with an empty list the text is as read")
	fn := in.set.String("func", "", "show only this `function`")
	cfg := in.set.Bool("cfg", false, "draw the control flow as SVG")
	dot := in.set.Bool("dot", false, "write the control flow for Graphviz")
	html := in.set.Bool("html", false, "one page with source, representation after each pass and Go side by side")
	files, status, done := e.parse(in, "dump [-after PASS[:N]] [-passes PASS,...] [-func NAME] [-cfg] [-dot] [-html] BUNDLE...", args)
	if done {
		return status
	}
	pass, nth, err := parseRun(*after)
	if err != nil {
		return e.errorf("dump: %v", err)
	}
	if err := in.selectPasses(only.vals); err != nil {
		return e.errorf("dump: %v", err)
	}
	if *html {
		in.opt.Package = "bundle" // package main would need an entry function
	}
	in.noC = true
	p, status := e.load(in, files)
	if p == nil {
		return status
	}
	if *fn != "" {
		*fn = p.Dialect.NameOf(p.IR, *fn)
	}
	out := bufio.NewWriter(e.stdout)
	form := dump.Text
	switch {
	case *cfg:
		form = dump.SVG
	case *dot:
		form = dump.DOT
	}
	switch {
	case *html:
		err = e.dumpHTML(out, p, files[0], *fn)
	case *after != "":
		err = e.dumpAfter(out, p, dump.Run{Pass: pass, N: nth}, form, *fn)
	default:
		if err = e.optimized(p, nil); err != nil {
			break
		}
		err = dump.Dump(out, p.IR, dump.Options{Form: form, Func: *fn})
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return e.errorf("dump: %v", err)
	}
	e.idle(p)
	return statusOK
}

// selectPasses makes the program run only some passes, if there is a list. An empty list leaves it as read.
func (in *input) selectPasses(names []string) error {
	switch {
	case names == nil:
		return nil
	case len(names) == 1 && names[0] == "":
		names = []string{}
	case in.opt.Optimize == 0:
		return errors.New("-passes needs -O1: with -O0 no pass runs")
	}
	if in.disable.vals != nil {
		return errors.New("-passes and -disable exclude each other: -passes names all that runs")
	}
	if err := transpile.CheckPasses(names); err != nil {
		return fmt.Errorf("-passes: %w", err)
	}
	in.opt.SelectPasses, in.opt.Verify = names, true
	return nil
}

// idle says which passes of -passes changed nothing, if they had not all that they usually have.
func (e *env) idle(p *transpile.Program) {
	for _, i := range p.Idle() {
		var needs []string
		for _, n := range i.Needs {
			needs = append(needs, fmt.Sprintf("%s (%s)", n.Pass, n.Why))
		}
		fmt.Fprintf(e.stderr, "uvm2go: warning: pass %s changed nothing; it usually follows %s\n", i.Name, strings.Join(needs, ", "))
	}
}

// optimized calls Optimized of the program and shows progress.
func (e *env) optimized(p *transpile.Program, after func(pass string, v *ir.Version)) error {
	defer e.step("optimising")()
	return p.Optimized(after)
}

// goFunctions finds the Go function of each version in the generated files by
// the comment before it.
func goFunctions(p *transpile.Program) (map[string]string, error) {
	files, err := p.Generate()
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	const mark = " of the bundle.\n"
	for _, f := range files {
		rest := f.Data
		for {
			i := bytes.Index(rest, []byte(mark))
			if i < 0 {
				break
			}
			head := rest[:i]
			name := string(head[bytes.LastIndexByte(head, ' ')+1:])
			rest = rest[i+len(mark):]
			end := bytes.Index(rest, []byte("\n}\n"))
			if end < 0 {
				break
			}
			out[name] = string(rest[:end+3])
			rest = rest[end+3:]
		}
	}
	return out, nil
}
