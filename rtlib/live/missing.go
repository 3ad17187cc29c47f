package live

import (
	"fmt"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// Native symbols that a process which runs a program as a whole does not have. Nothing links such a program, and it may
// name functions that it never calls. So a symbol has an address in any case, and calling it is an error.

// whyMissing says why a symbol is missing, in a process that runs a program by Run; nil in others, where a bundle with a
// missing symbol is refused.
var whyMissing func(name string) string

// defaultWhy is whyMissing for programs without Config.Missing.
func defaultWhy(string) string {
	return "is not possible: the runtime does not have it in Go, and this process does not call C"
}

// whyLate is whyMissing for a VM whose code may name symbols that only files made of it will have.
func whyLate(string) string { return "is not possible: no library that the program has loaded has it" }

// deferMissing says that symbols may be missing from now on.
func deferMissing(why func(name string) string) {
	if whyMissing = why; why == nil {
		whyMissing = defaultWhy
	}
}

// symbolAddr is the address of a native symbol; false if there is none.
func (p *program) symbolAddr(name string) (uintptr, bool) {
	if p.vm == nil { // a whole program
		return core.Symbol(name)
	}
	return p.vm.Symbol(name)
}

// resolve sets the addresses of the native symbols of a program. An error means that one is missing.
func (p *program) resolve() error {
	for i := range p.tell.Externs {
		e := &p.tell.Externs[i]
		addr, ok := p.symbolAddr(e.Name)
		why := whyMissing
		if p.vm != nil && p.vm.LateSymbols() {
			why = whyLate
		}
		if !ok && why != nil {
			addr = core.MissingSymbol(e.Name, fmt.Sprintf("calling the native symbol %q %s", e.Name, why(e.Name)))
			ok = addr != 0
		}
		if !ok {
			why := "the program does not refer to it"
			if core.CallsCLate() {
				why = "no library that the program has loaded has it"
			}
			if e.Pos != "" {
				e.Pos += ": "
			}
			return fmt.Errorf("%snative symbol %q is not available: %s", e.Pos, e.Name, why)
		}
		*e.Addr = addr
	}
	return nil
}
