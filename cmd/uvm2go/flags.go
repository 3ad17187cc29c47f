package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/uvm2go/uvm2go/transpile"
)

// list is a flag that may be repeated, or given several values with commas.
type list struct {
	vals  []string
	comma bool
}

func (l *list) String() string { return strings.Join(l.vals, ",") }

func (l *list) Set(s string) error {
	if l.comma {
		l.vals = append(l.vals, strings.Split(s, ",")...)
	} else {
		l.vals = append(l.vals, s)
	}
	return nil
}

// input holds the flags of all commands that read bundles, and the bundles.
type input struct {
	set     *flag.FlagSet
	opt     transpile.Options
	dialect string
	hail    list
	o0, o1  bool
	export  list
	libs    list
}

// flags makes the flag set of a command.
func (e *env) flags(c string) *input {
	in := &input{set: flag.NewFlagSet(c, flag.ContinueOnError), export: list{comma: true}}
	fs := in.set
	fs.SetOutput(io.Discard)
	fs.BoolVar(&in.opt.Strict, "strict", false, "treat accepted deviations from the typing rules as errors")
	fs.IntVar(&in.opt.MaxErrors, "max-errors", 0, "report at most `N` errors (default 10; negative: all)")
	fs.StringVar(&in.dialect, "dialect", "", "dialect of the bundles: `mu`")
	fs.Var(&in.hail, "hail", "load the HAIL script `FILE` after the bundles (repeatable)")
	return in
}

// program adds the flags of the commands that generate code.
func (in *input) program() {
	fs := in.set
	fs.BoolVar(&in.o0, "O0", false, "without optimising passes")
	fs.BoolVar(&in.o1, "O1", false, "with optimising passes (the default)")
	fs.StringVar(&in.opt.Entry, "entry", "@main", "entry `function`")
	fs.BoolVar(&in.opt.Sanitize, "sanitize", false, "check what the reference calls undefined")
	fs.Var(&in.libs, "lib", "native library `FILE` to resolve symbols in (repeatable)")
}

// parse reads the command line. done is true when the command is over, with
// that status.
func (e *env) parse(in *input, usage string, args []string) (rest []string, status int, done bool) {
	err := in.set.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(e.stdout, "usage: uvm2go %s\n\nflags:\n", usage)
		in.set.SetOutput(e.stdout)
		in.set.PrintDefaults()
		return nil, statusOK, true
	}
	if err != nil {
		return nil, e.errorf("%v (uvm2go %s -h lists the flags)", err, in.set.Name()), true
	}
	in.opt.Optimize = 1
	if in.o0 {
		in.opt.Optimize = 0
	}
	in.opt.Libs = in.libs.vals
	if in.export.vals != nil {
		in.opt.Export = in.export.vals
	}
	return in.set.Args(), 0, false
}

// load reads and checks the bundles.
func (e *env) load(in *input, files []string) (*transpile.Program, int) {
	if len(files) == 0 {
		return nil, e.errorf("no bundle given (uvm2go %s -h shows the usage)", in.set.Name())
	}
	var srcs []transpile.Source
	for _, f := range files {
		s, err := e.read(f)
		if err != nil {
			return nil, e.errorf("%v", err)
		}
		srcs = append(srcs, s)
	}
	for _, f := range in.hail.vals {
		s, err := e.read(f)
		if err != nil {
			return nil, e.errorf("%v", err)
		}
		in.opt.Images = append(in.opt.Images, s)
	}
	p, diags := transpile.Load(srcs, in.opt)
	if err := diags.Print(e.stderr); err != nil {
		return nil, e.errorf("%v", err)
	}
	if p == nil {
		return nil, statusInput
	}
	return p, statusOK
}

func (e *env) read(name string) (transpile.Source, error) {
	var b []byte
	var err error
	if name == "-" {
		b, err = io.ReadAll(e.stdin)
		name = "<stdin>"
	} else {
		b, err = os.ReadFile(name)
	}
	return transpile.Source{Name: name, Text: b}, err
}
