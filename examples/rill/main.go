package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/uvm2go/uvm2go"
	"github.com/uvm2go/uvm2go/rtlib"
	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/front"
)

const usage = `rill compiles programs in Rill.

	rill check FILE             reports mistakes
	rill run [-interp] FILE     runs a program, on the engine or on the interpreter
	rill build [-o EXE] FILE    makes an executable
	rill text FILE              prints Mu text
	rill mu FILE                prints Mu text that is made without package front
	rill repl                   reads definitions and statements, and executes them
`

func main() { os.Exit(command(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// command executes a command line, and returns the exit status.
func command(args []string, in io.Reader, out, errs io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(errs, usage)
		return 2
	}
	flags := flag.NewFlagSet("rill", flag.ContinueOnError)
	flags.SetOutput(errs)
	interp, exe := flags.Bool("interp", false, ""), flags.String("o", "", "")
	if flags.Parse(args[1:]) != nil {
		return 2
	}
	if args[0] == "repl" {
		return report(errs, repl(in, out, errs))
	}
	file := flags.Arg(0)
	prog, entry, err := read(file)
	if err != nil {
		return report(errs, err)
	}
	switch args[0] {
	case "check":
		err = compile(prog, entry, 1).Check()
	case "run":
		if !*interp {
			return run(compile(prog, entry, 1), errs)
		}
		status, err := compile(prog, entry, 1).Run("", out, errs)
		if err != nil {
			return report(errs, err)
		}
		return status
	case "build":
		err = build(compile(prog, entry, 1), file, *exe)
	case "text":
		var text []byte
		text, err = compile(prog, entry, 1).Text("uir")
		out.Write(text)
	case "mu":
		err = muText(out, prog)
	default:
		fmt.Fprint(errs, usage)
		return 2
	}
	return report(errs, err)
}

// report prints an error, and returns the exit status.
func report(errs io.Writer, err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintln(errs, err)
	var f failure
	if errors.As(err, &f) {
		return f.status
	}
	return 1
}

// A failure is the end of a program by an error or an exception.
type failure struct {
	report string // with the trace
	status int    // that programs of uvm2go have
}

func (f failure) Error() string { return "uvm: " + strings.TrimSpace(f.report) }

//go:embed prelude.rill
var prelude string

// read reads and checks a program, and adds the prelude.
func read(file string) (*Program, *Func, error) {
	text, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer text.Close()
	prog, err := parse("prelude.rill", strings.NewReader(prelude))
	if err != nil {
		return nil, nil, err
	}
	own, err := parse(file, text)
	if err != nil {
		return nil, nil, err
	}
	prog.Structs, prog.Funcs = append(prog.Structs, own.Structs...), append(prog.Funcs, own.Funcs...)
	if err := newChecker().check(prog); err != nil {
		return nil, nil, err
	}
	for _, f := range own.Funcs {
		if f.Name == "main" && len(f.Params) == 0 && f.Result == nil {
			return prog, f, nil
		}
	}
	return nil, nil, fmt.Errorf("%s: no fn main()", file)
}

// run runs a program on the engine.
func run(p *front.Program, errs io.Writer) int {
	vm, err := live.New(mu.Config{})
	if err != nil {
		return report(errs, err)
	}
	ctx := vm.NewContext()
	defer ctx.Close()
	if err := load(ctx, p); err != nil {
		return report(errs, err)
	}
	return report(errs, call(ctx, "@main"))
}

// load makes the functions of a program known to a context.
func load(ctx *mu.Ctx, p *front.Program) error {
	q, err := p.IR()
	if err != nil {
		return err
	}
	return live.Load(ctx, q)
}

// call calls a function without parameters.
func call(ctx *mu.Ctx, name string) error {
	f, err := ctx.FuncNamed(name)
	if err != nil {
		return err
	}
	_, err = ctx.Call(f)
	var failed *rtlib.Error
	var thrown *rtlib.Exception
	switch {
	case errors.As(err, &failed):
		return failure{failed.Report(), 4}
	case errors.As(err, &thrown):
		return failure{thrown.Report(), 3}
	}
	return err
}

// build makes an executable, called like the file unless it has another name.
func build(p *front.Program, file, exe string) error {
	name := strings.TrimSuffix(filepath.Base(file), ".rill")
	if exe == "" {
		exe = name
	}
	exe, err := filepath.Abs(exe)
	if err != nil {
		return err
	}
	files, err := p.Go(transpile.Options{Optimize: 1, Lines: true})
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "rill")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := transpile.WriteModule(dir, transpile.ModulePath(name, true), files, uvm2go.Runtime); err != nil {
		return err
	}
	cmd := exec.Command("go", "build", "-trimpath", "-o", exe)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v\n%s", err, out)
	}
	return nil
}
