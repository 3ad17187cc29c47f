package main

import (
	"fmt"
	"os"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// live runs a program in this process, on the engine for code that is not compiled. With try, done
// is false for a program that cannot run so.
func (e *env) live(in *input, srcs []transpile.Source, trap string, args []string, try bool) (status int, done bool) {
	p, status := e.loadSources(in, srcs)
	if p == nil {
		return status, true
	}
	if c := p.CSymbols(); len(c) > 0 {
		if try {
			return 0, false
		}
		at := ""
		if c[0].Pos != "" {
			at = c[0].Pos + ": "
		}
		return e.errorf("%s%s is a function of C, which only programs that are built call: run without -live", at, c[0].Name), true
	}
	if err := e.runLive(p, in, trap, args); err != nil {
		return e.inputError(fmt.Errorf("uvm2go: %w", err)), true
	}
	return statusOK, true
}

// runLive does not return unless the program cannot begin.
func (e *env) runLive(p *transpile.Program, in *input, trap string, args []string) error {
	known, origins, err := p.Ready()
	if err != nil {
		return err
	}
	cfg := live.Config{Origins: origins, TrapMode: in.opt.TrapMode, Names: p.EntityNames()}
	if in.opt.Call != "" {
		if cfg.Entry, cfg.Args, err = p.CallArgs(); err != nil {
			return err
		}
		cfg.Print, cfg.Notation = true, p.CallResults(cfg.Entry)
	} else if cfg.Entry, err = entry(p.IR, in.opt.Entry); err != nil {
		return err
	}
	if trap != "" {
		os.Setenv("UVM_TRAP", trap)
	}
	os.Args = args
	return live.Run(known, cfg)
}

// entry finds the function that a program begins with.
func entry(p *ir.Program, name string) (*ir.Function, error) {
	if name == "" {
		name = "@main"
	}
	f, ok := p.Find(name).(*ir.Function)
	switch {
	case !ok && name == "@main":
		return nil, fmt.Errorf("entry: no entry point: there is no function @main; -entry names another, -call calls one")
	case !ok:
		return nil, fmt.Errorf("entry: no function %s", name)
	case f.Current() == nil:
		return nil, fmt.Errorf("entry: function %s is declared but not defined", f.Name)
	}
	return f, nil
}
