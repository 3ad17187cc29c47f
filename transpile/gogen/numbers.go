package gogen

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

// Numbers that generated code and the runtime agree upon. A program with an entry function has
// them as constants: it is alone in its process. A package may share one with others, so that
// the runtime numbers anew what their tables have, see link.go of rtlib: its code takes the
// numbers from its tables.

// alone reports whether numbers are constants.
func (g *gen) alone() bool { return g.opt.Package == "main" }

// listNo is the number of a value list; that of the empty list is 0 everywhere.
func (g *gen) listNo(n int) string {
	if n == 0 || g.alone() {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("lists[%d].No", n)
}

// classNo is the number of a signature class.
func (g *gen) classNo(class int) string {
	if g.alone() {
		return fmt.Sprint(class)
	}
	return fmt.Sprintf("classes[%d].No", class)
}

// frameNo is the number of a place where frames rest, from 1.
func (g *gen) frameNo(site int) string {
	if g.alone() {
		return fmt.Sprint(site)
	}
	return fmt.Sprintf("frameSites[%d].No", site-1)
}

// typeNo is what the header of an object has of its type.
func (g *gen) typeNo(desc int) string {
	if g.alone() {
		return fmt.Sprintf("rt.FirstTypeID + %d", desc)
	}
	return fmt.Sprintf("uint64(type_%d.ID)", desc)
}

// classTable emits the signature classes of a package.
func (g *gen) classTable(out *code) {
	if g.alone() || len(g.Classes()) == 0 {
		return
	}
	s := "var classes = [...]rt.Class{\n"
	for _, sig := range g.Classes() {
		n := g.at(sig)
		s += fmt.Sprintf("{Params: %d, Results: %d},\n", g.listOf(n.Fields), g.listOf(n.Results))
	}
	out.add("%s}", s)
	*out = append(*out, jen.Line())
}
