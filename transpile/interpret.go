package transpile

import (
	"fmt"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/expand"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/gogen"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/passes"
)

// Interpreter returns the configuration with which the reference interpreter runs
// the program as a translation with the same options would:
//
//	status, err := interp.Run(p.IR, p.Interpreter())
//
// The program must not have been optimized.
func (p *Program) Interpreter() interp.Config {
	entry := p.opts.Entry
	if f, ok := p.Dialect.Find(p.IR, entry).(*ir.Function); ok {
		entry = f.Name
	}
	return interp.Config{
		Entry:            entry,
		Strict:           p.opts.Strict,
		CheckNullAddress: p.opts.Sanitize,
		LoadHAIL:         LoadHAIL,
		LoadText:         LoadText,
	}
}

// Ready runs the optimising passes of the level that the options ask for, and returns the facts about the
// program after them, for an engine that runs the representation itself. origins says where the instructions
// that the passes copied come from, by their numbers.
func (p *Program) Ready() (known *facts.Program, origins func(v *ir.Version) []*ir.Inlined, err error) {
	for _, f := range p.IR.Funcs {
		if v := f.Current(); v != nil {
			for i := range v.Insts {
				if op := v.Insts[i].Op; compiledOnly(op) {
					return nil, nil, fmt.Errorf("%s: %s is for Go code only, the engine cannot run it: dump the program after an earlier pass", v.Name, op)
				}
			}
		}
	}
	p.opts.DisablePasses = slices.Concat(p.opts.DisablePasses, passes.NotLive)
	if err := p.Optimized(nil); err != nil {
		return nil, nil, err
	}
	p.listNames()
	p.expand(expand.Program)
	if p.known == nil {
		p.known = facts.Of(p.IR, p.factOptions())
	}
	return p.known, p.origins.Of, nil
}

// admit prepares a program that may get new code while it runs, because it loads bundles or because the
// options say so: the new code may give functions other bodies, start threads and look at frames.
func (p *Program) admit() {
	if !p.opts.Live && !(p.opts.Tier2 && p.pkg() != "main") && !facts.LoadsCode(p.IR) {
		return
	}
	p.open, p.opts.Introspect = true, true
	for _, f := range p.IR.Funcs {
		if f.Of == nil && f.CopyOf == nil {
			f.Attrs |= ir.Replaceable
		}
	}
}

// compiledOnly reports whether only Go code can do what an operation does.
func compiledOnly(op ir.Op) bool {
	switch op {
	case ir.OpUnchanged, ir.OpLanding, ir.OpLanded, ir.OpUnwind, ir.OpDispatch, ir.OpSuspend, ir.OpReload, ir.OpWoken:
		return true
	}
	return false
}

// EntityNames lists the names of the entities, if the program asks for them.
func (p *Program) EntityNames() []ir.EntityName { return p.names }

// EntryFunction is the function that the program begins with.
func (p *Program) EntryFunction() (*ir.Function, error) {
	var err error
	f := p.IR.Main
	switch {
	case p.opts.Entry != "":
		f, err = p.function(p.opts.Entry)
	case f == nil:
		err = fmt.Errorf("no entry point: there is no function %s; -entry names another, -call calls one", p.Dialect.Main)
	default:
		err = f.Defined()
	}
	if err != nil {
		return nil, gogen.NewInputError("entry: %v", err)
	}
	return f, nil
}
