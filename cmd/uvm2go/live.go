package main

import (
	"fmt"
	"os"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/transpile"
)

// live runs a program in this process, on the engine for code that is not compiled. If try is set,
// done is false for a program that cannot run in this way.
func (e *env) live(in *input, srcs []transpile.Source, trap string, args []string, try bool) (status int, done bool) {
	p, status := e.loadSources(in, srcs)
	if p == nil {
		return status, true
	}
	if try && len(p.CSymbols()) > 0 {
		return 0, false
	}
	missing, status := e.openC(p, in)
	if status != statusOK {
		return status, true
	}
	if err := e.runLive(p, in, missing, trap, args); err != nil {
		return e.inputError(fmt.Errorf("uvm2go: %w", err)), true
	}
	return statusOK, true
}

// runLive returns only if the program cannot start. missing is that of live.Config.
func (e *env) runLive(p *transpile.Program, in *input, missing func(string) string, trap string, args []string) error {
	known, origins, err := p.Ready()
	if err != nil {
		return err
	}
	cfg := live.Config{Origins: origins, TrapMode: in.opt.TrapMode, Names: p.EntityNames(), Missing: missing, Sandbox: in.opt.Sandbox != nil}
	if in.opt.Call != "" {
		if cfg.Entry, cfg.Args, err = p.CallArgs(); err != nil {
			return err
		}
		cfg.Print, cfg.Notation = true, p.CallResults(cfg.Entry)
	} else if cfg.Entry, err = p.EntryFunction(); err != nil {
		return err
	}
	if trap != "" {
		os.Setenv("UVM_TRAP", trap)
	}
	os.Args = args
	return live.Run(known, cfg)
}
