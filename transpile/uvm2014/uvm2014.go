// Package uvm2014 reads µVM IR of 2014 into the representation of package ir: it
// resolves names, makes types canonical, evaluates constants, checks the rules of the
// dialect (docs/uvm2014.md) and translates function bodies.
//
// It is not a parser (package syntax is) and not a verifier of ir. Its output has no PHI
// nodes, landing pads, inline types and constants, and intrinsic functions.
//
// # Order of work
//
// Bundles are loaded one after the other; within one bundle:
//
//  1. All definitions are entered into the one flat name space (entity.go).
//  2. Types and signatures, including those written inside definitions, become one
//     graph and are made canonical (types.go).
//  3. Constants, cells and functions get their types, then constants their values
//     (consts.go).
//  4. Bodies are checked and translated, one after the other (body.go, inst.go,
//     call.go).
//  5. In text, IDs are moved to make room for what is written in place (number.go).
//
// Entities that are not in bundles get IDs when all bundles are loaded.
//
// # Invariants
//
//   - A definition that cannot be understood is entered with type ir.NoType. Nothing is
//     reported about an entity of type NoType, so that one mistake causes one error.
//   - The program is strictly typed: accepted deviations have become explicit
//     conversions.
//   - The result depends only on the sources.
package uvm2014

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/binary"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// Load reads the bundles in order, as a client would load them one after the other: a
// later one may use, define or redefine entities that an earlier one declared. Errors are
// added to diags, sorted; the program may be used only if the second result is true.
func Load(files *diag.Set, srcs []dialect.Source, opt dialect.Options, diags *diag.List) (*ir.Program, bool) {
	before := diags.Errors()
	l := newLoader(files, opt, diags)
	l.prog.Given = true
	first := len(srcs) // later bundle
	srcs = append(srcs[:first:first], opt.Later...)
	for i, src := range srcs {
		b := l.parse(src, binary.Streamed)
		if b == nil || b.Unread {
			break
		}
		if i >= first {
			l.startLater(src, b)
		}
		l.bundle(b)
		l.note(b)
	}
	if diags.Errors() == before {
		l.numberHidden()
	}
	if l.running != nil {
		l.running.Keep = l.keep
	} else {
		l.prog.Main, _ = l.prog.Find(mainName).(*ir.Function)
	}
	diags.Sort()
	return l.prog, diags.Errors() == before
}

// parse makes the tree of a bundle, nil if that is not possible.
func (l *loader) parse(src dialect.Source, mode binary.Mode) *syntax.Bundle {
	if isBinary(src.Text) {
		f, err := l.files.AddBinary(src.Name, src.Text)
		if err != nil {
			l.diags.Errorf(diag.Pos{}, "%v", err)
			return nil
		}
		return binary.Read(f, l.syms, l, l.diags, mode)
	}
	f, err := l.diags.Open(src.Name, src.Text)
	if err != nil {
		l.diags.Errorf(diag.Pos{}, "%v", err)
		return nil
	}
	return syntax.Parse(f, l.syms, l.diags, 0)
}

// isBinary reports whether a bundle is in the binary form. That form has no mark, but its
// first byte is the code of a definition.
func isBinary(src []byte) bool { return len(src) > 0 && src[0] >= 1 && src[0] <= 7 }
