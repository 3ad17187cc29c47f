package textform

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// NoBundle says what a program has that no bundle of either generation of Mu can say in its text, nil if there is
// nothing.
func NoBundle(p *ir.Program) (err error) {
	fail := func(format string, args ...any) {
		if err == nil {
			err = fmt.Errorf(format, args...)
		}
	}
	for _, f := range p.Funcs {
		if len(f.Versions) > 1 {
			fail("%s has %d versions: a bundle defines a function once", f.Name, len(f.Versions))
		}
	}
	for _, g := range p.Globals {
		switch {
		case g.Init != nil:
			fail("%s has an initial value: cells of a bundle begin as zeros", g.Name)
		case g.ThreadLocal:
			fail("%s is a thread-local cell: a bundle has none", g.Name)
		}
	}
	if p.Image != nil {
		fail("a heap image cannot be written in a bundle")
	}
	p.Hooks.Each(func(k ir.HookKind, f *ir.Function) { fail("%s is a %s hook: a bundle has none", f.Name, k) })
	return err
}

// HeadPos is where the name of the function in a version's head comes from: the place of the version, or that of the
// function's name if it is in the same line.
func HeadPos(p *ir.Program, v *ir.Version) diag.Pos {
	fn, ver := p.Files.Position(v.Func.Pos), p.Files.Position(v.Pos)
	if fn.File == ver.File && fn.Line == ver.Line {
		return v.Func.Pos
	}
	return v.Pos
}
