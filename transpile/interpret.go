package transpile

import "github.com/uvm2go/uvm2go/transpile/interp"

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
