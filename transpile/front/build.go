package front

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/gogen"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// An Error is a mistake in a program.
type Error struct {
	Pos Pos // without a line if no position was given
	Msg string
}

func (e Error) Error() string {
	if !e.Pos.IsValid() {
		return e.Msg
	}
	return e.Pos.String() + ": " + e.Msg
}

// Errors are all mistakes in a program, in the order of their positions.
type Errors []Error

// Error has a line for each mistake.
func (l Errors) Error() string {
	var lines []string
	for _, e := range l {
		lines = append(lines, e.Error())
	}
	return strings.Join(lines, "\n")
}

// firstID is the ID of the first thing in a bundle.
const firstID = 65536

// IR makes the representation (package ir) of the program. Each call makes a new one, so the program may be extended
// afterwards. The error is Errors.
func (p *Program) IR() (*ir.Program, error) {
	before := len(p.wrong)
	defer func() { p.wrong = p.wrong[:before] }()
	var bodies []call
	for _, f := range p.funcs {
		if f.body != nil {
			bodies = append(bodies, f.body.emit()...)
		}
	}
	q := ir.NewProgram()
	q.Files = diag.NewSet()
	next := uint32(firstID) - 1
	b := nodes.NewIDs(nodes.Program{
		NextID: func() uint32 { next++; return next },
		Known:  func(uint32) nodes.Kind { return nodes.None },
		NameOf: func(uint32) string { return "" },
	})
	b.Locals = true
	for _, name := range p.names {
		b.GenSym(name)
	}
	for _, c := range slices.Concat(p.calls, bodies) {
		b.At(c.pos)
		if c.row.Name == "new_const_int_ex" {
			p.fit(&c)
		}
		if err := b.Call(c.row, shifted(c)); err != nil {
			p.errorf(c.pos, "%s", err.Msg)
		}
	}
	tree, _ := b.End()
	if p.words {
		tree.Names = p.called
	}
	q.NextID = next + 1
	diags := diag.NewList(q.Files)
	ok := mu.LoadTree(q, tree, mu.Options{Strict: true}, diags)
	errs := slices.Clone(p.wrong)
	for _, d := range diags.All() {
		if d.Severity != diag.Error {
			continue
		}
		e := Error{tree.Position(int(d.Pos.Off)), d.Msg}
		if e.Pos.IsValid() {
			e.Msg = strings.TrimPrefix(e.Msg, e.Pos.String()+": ")
		} else if at := tree.Where(int(d.Pos.Off)); at != "" && !strings.HasPrefix(e.Msg, at) {
			e.Msg = at + ": " + e.Msg
		}
		errs = append(errs, e)
	}
	if !ok || len(errs) > 0 {
		slices.SortStableFunc(errs, func(a, b Error) int {
			return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
		})
		return nil, errs
	}
	return q, nil
}

// shifted are the arguments of a call with IDs as the builder gives them.
func shifted(c call) []nodes.Arg {
	args := slices.Clone(c.args)
	id := func(n uint32) uint32 {
		if n == 0 {
			return 0
		}
		return n - 1 + firstID
	}
	for i := range args {
		if c.row.Params[i].Role == 'I' {
			continue
		}
		args[i].ID = id(args[i].ID)
		args[i].IDs = slices.Clone(args[i].IDs)
		for k, n := range args[i].IDs {
			args[i].IDs[k] = id(n)
		}
	}
	return args
}

// Check checks the program. The error is Errors.
func (p *Program) Check() error {
	_, err := p.IR()
	return err
}

// Translation makes a program of package transpile, which optimises it, makes Go, and more. Each call makes a new one.
func (p *Program) Translation(opt transpile.Options) (*transpile.Program, error) {
	q, err := p.IR()
	if err != nil {
		return nil, err
	}
	t, diags := transpile.Of(q, mu.Dialect.Name, opt)
	if t == nil {
		return nil, diags.Err()
	}
	return t, nil
}

// Run runs the program on the interpreter, from a function with a name, "" for @main. Its output goes to out and errs.
// The status is the exit status.
func (p *Program) Run(entry string, out, errs io.Writer) (status int, err error) {
	t, err := p.Translation(transpile.Options{Entry: entry})
	if err != nil {
		return 0, err
	}
	cfg := t.Interpreter()
	cfg.Stdout, cfg.Stderr = out, errs
	return interp.Run(t.IR, cfg)
}

// Go translates the program to Go files. Options.Package is their package, "" for a program; transpile.WriteModule makes
// a module of them.
func (p *Program) Go(opt transpile.Options) ([]gogen.File, error) {
	t, err := p.Translation(opt)
	if err != nil {
		return nil, err
	}
	return t.Generate()
}

// Text writes the program in a form of a dialect, such as uir for Mu text (transpile.Dialects.FormNames). A form that
// cannot say what is in the program is an error.
func (p *Program) Text(form string) ([]byte, error) {
	t, err := p.Translation(transpile.Options{})
	if err != nil {
		return nil, err
	}
	_, f := transpile.Dialects.Form(form)
	if f == nil || f.Write == nil {
		return nil, fmt.Errorf("no form %q: want one of %s", form, strings.Join(transpile.Dialects.FormNames(), ", "))
	}
	return t.Write(f)
}
