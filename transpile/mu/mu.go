// Package mu reads Mu text bundles of the 2016 edition into the representation of
// package ir: it resolves names, makes types canonical, evaluates constants, checks
// every static rule of the language (docs/language.md) and translates function
// bodies. It also checks HAIL scripts (docs/hail.md) against a loaded program.
//
// It does not parse (package syntax does) and does not verify ir (package verify does): it
// reports the errors of a bundle in terms of the bundle's text.
//
// # Order of work
//
// Bundles are loaded one after the other; within one bundle:
//
//  1. All definitions are entered into the one flat name space (entity.go).
//  2. Types and signatures become one graph, are checked and made canonical
//     (types.go).
//  3. Constants, cells, functions and exposed functions get their types, then
//     constants their values (consts.go).
//  4. Bodies are checked and translated, one version after the other (body.go
//     and the files of the instruction groups).
//
// When all bundles are loaded, the names that local names expand to are checked
// for clashes (names.go).
//
// # Invariants
//
//   - A definition with an error is entered with type ir.NoType. Nothing is reported
//     about entities of type NoType, so that one mistake causes one error.
//   - The program is strictly typed: Load has turned accepted deviations into
//     explicit conversions (deviate.go).
//   - A block with an exception parameter is only reached by exceptional edges.
//   - The result, including the number of each type, depends only on the sources.
package mu

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// Options say how bundles are checked. With Strict the deviations that existing clients
// rely on (docs/language.md, "Accepted deviations") are errors; otherwise they are
// warnings.
type Options = dialect.Options

// A Source is one bundle: its name as the user gave it, and its text.
type Source = dialect.Source

// Load reads the bundles in order, as a client would load them one after the other: a later
// one may use, define or redefine entities that an earlier one declared (docs/language.md,
// "Definitions"). Errors are added to diags, sorted; the program may be used only if the
// second result is true.
//
// Definitions with syntax errors define their names, but are not checked further;
// all others are.
func Load(files *diag.Set, srcs []Source, opt Options, diags *diag.List) (*ir.Program, bool) {
	before := diags.Errors()
	l := newLoader(nil, files, opt, diags)
	var bundles []*syntax.Bundle
	first := len(srcs) // later bundle
	srcs = append(srcs[:first:first], opt.Later...)
	for _, src := range srcs {
		f, err := files.Add(src.Name, src.Text)
		if err != nil {
			diags.Errorf(diag.Pos{}, "%v", err)
			break
		}
		bundles = append(bundles, syntax.Parse(f, l.syms, diags, 0))
	}
	done := 0
	for i, b := range bundles {
		if b.Unread {
			break
		}
		if i >= first {
			l.startLater(srcs[i], b)
		}
		l.bundle(b)
		done++
	}
	l.later = nil
	if done == len(srcs) && !l.bad {
		l.finish(before)
	}
	l.prog.Main, _ = l.prog.Find(mainName).(*ir.Function)
	diags.Sort()
	return l.prog, diags.Errors() == before
}
