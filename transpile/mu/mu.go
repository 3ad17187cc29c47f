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
//     and the files of the instruction groups). Each is read just before, into the
//     memory of the one before; the other steps see no bodies.
//
// The first error ends this. Then everything is done again with the bodies read at first and their
// names entered in step 1, and all errors are reported.
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
	first := len(srcs) // later bundle
	srcs = append(srcs[:first:first], opt.Later...)
	read, err := add(srcs, diags)
	if err == nil {
		l := newLoader(nil, files, syntax.NewSymbols(), opt, diag.NewList(files))
		if l.eachBody(read, srcs[first:]) {
			diags.Merge(l.diags)
			diags.Sort()
			return l.prog, true
		}
	}
	l := newLoader(nil, files, syntax.NewSymbols(), opt, diags)
	bundles := l.parse(read)
	if err != nil {
		diags.Errorf(diag.Pos{}, "%v", err)
	}
	done := 0
	for i, b := range bundles {
		if b.Unread {
			break
		}
		if i >= first {
			l.startLater(srcs[i], b)
		}
		l.bundle(b, nil)
		done++
	}
	if done == len(srcs) && !l.bad {
		l.finish(before)
	}
	l.asWritten()
	diags.Sort()
	return l.prog, diags.Errors() == before
}

// add enters the texts of bundles. After an error it gives those before it.
func add(srcs []Source, diags *diag.List) (read []*diag.File, err error) {
	for _, src := range srcs {
		f, err := diags.Open(src.Name, src.Text)
		if err != nil {
			return read, err
		}
		read = append(read, f)
	}
	return read, nil
}

// parse reads bundles whole.
func (l *loader) parse(files []*diag.File) (bundles []*syntax.Bundle) {
	for _, f := range files {
		bundles = append(bundles, syntax.Parse(f, l.syms, l.diags, 0))
	}
	return bundles
}

// outlines reads bundles without their bodies. It reports whether there were no errors.
func (l *loader) outlines(files []*diag.File) (list []*syntax.Outline, ok bool) {
	for _, f := range files {
		o, ok := syntax.ReadOutline(f, l.syms, 0)
		if !ok {
			return nil, false
		}
		list = append(list, o)
	}
	return list, true
}

// eachBody loads bundles, the last of which are later bundles, and reads one body at a time, so that there is never
// the tree of more than one. It reports whether there are no errors. If there are, the loader must not be used further:
// it does not know all of them, and what it knows of names defined in bodies depends on their order.
func (l *loader) eachBody(files []*diag.File, later []Source) bool {
	list, ok := l.outlines(files)
	if !ok {
		return false
	}
	first := len(files) - len(later)
	for i, o := range list {
		if i >= first {
			l.startLater(later[i-first], o.Bundle)
		}
		if !l.bundle(o.Bundle, o) {
			return false
		}
	}
	if l.diags.HasErrors() {
		return false
	}
	l.finish(0)
	return !l.diags.HasErrors()
}
