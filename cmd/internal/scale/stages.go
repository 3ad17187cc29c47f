package main

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A Job is a bundle and a stage for it.
type Job struct {
	File  string // its ending tells the dialect
	Text  []byte
	Image []byte // a HAIL script, if not nil
	Stage string
}

// stages are the stages for a bundle. Conversion to each form is a stage, such as "to uirb".
var stages = append([]string{"check", "format", "dump", "generate -O0", "generate -O1", "generate -sanitize", "interpret"}, forms()...)

func forms() (list []string) {
	for _, f := range transpile.Dialects.FormNames() {
		list = append(list, "to "+f)
	}
	return list
}

// do runs the stage on the bundle, and returns the first error.
func (j *Job) do() string {
	if err := j.run(); err != nil {
		return err.Error()
	}
	return ""
}

func (j *Job) run() error {
	src := transpile.Source{Name: j.File, Text: j.Text}
	d := transpile.Dialects.Of(src)
	opt := transpile.Options{Package: "p"}
	if j.Image != nil {
		opt.Images = []transpile.Source{{Name: "a.hail", Text: j.Image}}
	}
	if j.Stage == "format" {
		if f := d.FormOf(src); f.Format != nil {
			_, err := f.Format(src.Name, src.Text)
			return err
		}
		return nil
	}
	own, form := transpile.Dialects.Form(strings.TrimPrefix(j.Stage, "to "))
	if own == d && form.Convert != nil {
		_, diags := form.Convert(src, dialect.Options{})
		if diags == nil {
			return nil
		}
		return printed(diags)
	}
	opt.Sanitize = j.Stage == "generate -sanitize"
	if opt.Sanitize || j.Stage == "generate -O1" {
		opt.Optimize = 1
	}
	p, diags := transpile.Load([]transpile.Source{src}, opt)
	if err := printed(diags); p == nil {
		return err
	}
	switch j.Stage {
	case "check":
		return nil
	case "dump":
		return ir.Print(io.Discard, p.IR)
	case "interpret":
		return interpret(p)
	case "generate -O0", "generate -O1", "generate -sanitize":
		_, err := p.Generate()
		return err
	}
	if form.Write != nil {
		_, err := p.Write(form)
		return err
	}
	return nil
}

// printed writes all diagnostics, because this takes time as well, and returns the errors.
func printed(l *diag.List) error {
	l.MaxErrors = -1
	var text strings.Builder
	if err := l.Print(&text); err != nil || !l.HasErrors() {
		return err
	}
	return errors.New(text.String())
}

// maxSteps is the largest number of instructions that a job interprets: the job measures how the
// interpreter prepares a program, and loops of test programs may not end.
const maxSteps = 1000

// interpret calls the function of a test program, with zeros for integers and NULL for other parameters.
func interpret(p *transpile.Program) error {
	for _, f := range p.IR.Funcs {
		if f.Current() == nil {
			continue
		}
		cfg := p.Interpreter()
		cfg.MaxSteps = maxSteps
		cfg.Stdout, cfg.Stderr = io.Discard, io.Discard
		args := make([]interp.Value, len(p.IR.Types.At(f.Sig).Fields))
		if slices.ContainsFunc(p.IR.Types.At(f.Sig).Fields, func(t ir.TypeID) bool { return p.IR.Types.Kind(t) != ir.KInt }) {
			continue
		}
		for i := range args {
			args[i] = interp.Int64(0, 64)
		}
		if _, _, err := interp.Call(p.IR, f.Name, args, cfg); err != nil && !errors.Is(err, interp.ErrSteps) {
			return err
		}
		return nil
	}
	return nil
}
