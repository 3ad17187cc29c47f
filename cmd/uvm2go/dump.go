package main

import (
	"bufio"
	"bytes"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/dump"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

func runDump(e *env, args []string) int {
	in := e.flags("dump")
	in.program()
	after := in.set.String("after", "", "show the representation after this `pass` instead of the last")
	fn := in.set.String("func", "", "show only this `function`")
	cfg := in.set.Bool("cfg", false, "draw the control flow as SVG")
	dot := in.set.Bool("dot", false, "write the control flow for Graphviz")
	html := in.set.Bool("html", false, "one page with source, representation after each pass and Go side by side")
	files, status, done := e.parse(in, "dump [-after PASS] [-func NAME] [-cfg] [-dot] [-html] BUNDLE...", args)
	if done {
		return status
	}
	if *after != "" && !slices.Contains(transpile.Passes(), *after) {
		return e.errorf("dump: unknown pass %q: the passes are %s", *after, strings.Join(transpile.Passes(), ", "))
	}
	if *fn != "" && !strings.HasPrefix(*fn, "@") {
		*fn = "@" + *fn
	}
	if *html {
		in.opt.Package = "bundle" // a program would need an entry function
	}
	in.noC = true
	p, status := e.load(in, files)
	if p == nil {
		return status
	}
	out := bufio.NewWriter(e.stdout)
	var err error
	switch {
	case *html:
		err = e.dumpHTML(out, p, files[0], *fn)
	case *after != "":
		err = e.dumpAfter(out, p, *after, *fn)
	default:
		if err = e.optimized(p, nil); err != nil {
			break
		}
		form := dump.Text
		switch {
		case *cfg:
			form = dump.SVG
		case *dot:
			form = dump.DOT
		}
		err = dump.Dump(out, p.IR, dump.Options{Form: form, Func: *fn})
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return e.errorf("dump: %v", err)
	}
	return statusOK
}

// optimized is Optimized of the program, with progress.
func (e *env) optimized(p *transpile.Program, after func(pass string, v *ir.Version)) error {
	defer e.step("optimising")()
	return p.Optimized(after)
}

func text(p *ir.Program, v *ir.Version) string {
	var b strings.Builder
	ir.PrintVersion(&b, p, v)
	return b.String()
}

// dumpAfter shows the program, or a function, with each version as it is after the
// last run of a pass on it; those on which the pass does not run as they are at
// the end.
func (e *env) dumpAfter(out *bufio.Writer, p *transpile.Program, pass, fn string) error {
	if _, err := dump.Select(p.IR, fn); err != nil {
		return err
	}
	shots := map[*ir.Version]*ir.Version{}
	err := e.optimized(p, func(name string, v *ir.Version) {
		if name == pass {
			shots[v.Func.Current()] = v.Clone()
		}
	})
	if err != nil {
		return err
	}
	for _, f := range p.IR.Funcs {
		for i, v := range f.Versions {
			if s := shots[v]; s != nil {
				f.Versions[i] = s
			}
		}
	}
	return dump.Dump(out, p.IR, dump.Options{Func: fn})
}

// dumpHTML writes the page. A pass has a column if it changed something.
func (e *env) dumpHTML(out *bufio.Writer, p *transpile.Program, title, fn string) error {
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
	shots := map[string]map[*ir.Version]string{}
	err = e.optimized(p, func(name string, body *ir.Version) {
		v := body.Func.Current() // body is another one if it is resumable
		if _, ok := last[v]; !ok {
			return
		}
		if s := text(p.IR, body); s != last[v] {
			if shots[name] == nil {
				shots[name] = map[*ir.Version]string{}
			}
			shots[name][v] = s
			last[v] = s
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
	for _, name := range transpile.Passes() {
		if m := shots[name]; m != nil {
			columns = append(columns, dump.Column{Title: "after " + name, Text: func(v *ir.Version) string { return m[v] }})
		}
	}
	columns = append(columns, dump.Column{Title: "Go", Text: func(v *ir.Version) string { return code[v.Name] }})
	return dump.HTML(out, p.IR, title, vs, columns)
}

// goFunctions finds the Go function of each version in the generated files, by
// the comment that precedes it.
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
