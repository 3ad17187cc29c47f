package transpile

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/expand"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Interpreter gives the configuration with which the reference interpreter runs
// the program as it would run translated with the same options:
//
//	status, err := interp.Run(p.IR, p.Interpreter())
//
// The program must not have been optimized.
func (p *Program) Interpreter() interp.Config {
	return interp.Config{
		Entry:            p.opts.Entry,
		Strict:           p.opts.Strict,
		CheckNullAddress: p.opts.Sanitize,
		LoadHAIL:         LoadHAIL,
		LoadText:         LoadText,
	}
}

// notReady are passes whose code only compiled frames fit: strength makes addresses that lie outside of
// their objects and relies on what they were made from being a root instead.
var notReady = []string{"strength"}

// Ready runs the optimising passes of the level that the options ask for and gives what is known of the
// program after them, for an engine that runs it as it is; origins are those of instructions that the
// passes copied, by their numbers.
func (p *Program) Ready() (known *facts.Program, origins func(v *ir.Version) []*ir.Inlined, err error) {
	p.opts.DisablePasses = slices.Concat(p.opts.DisablePasses, notReady)
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

// EntityNames lists the names of the entities, if the program asks for them.
func (p *Program) EntityNames() []ir.EntityName { return p.names }
