package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Numbers that generated code and the runtime agree upon. A program with an entry function has
// them as constants: it is alone in its process. A package may share one with others, so that
// the runtime numbers anew what their tables have, see link.go of rtlib: its code takes the
// numbers from its tables.

// alone reports whether numbers are constants.
func (g *gen) alone() bool { return g.opt.Package == "main" }

// numberOf is the number that a row of a table has.
func numberOf(table string, row int) expr { return word(index(name(table), row), "No") }

// listNo is the number of a value list; that of the empty list is 0 everywhere.
func (g *gen) listNo(n int) expr {
	if n == 0 || g.alone() {
		return lit(n)
	}
	return numberOf("lists", n)
}

// classNo is the number of a signature class.
func (g *gen) classNo(class int) expr {
	if g.alone() {
		return lit(class)
	}
	return numberOf("classes", class)
}

// frameNo is the number of a place where frames rest, from 1.
func (g *gen) frameNo(site int) expr {
	if g.alone() {
		return lit(site)
	}
	return numberOf("frameSites", site-1)
}

// typeNo is what the header of an object has of its type.
func (g *gen) typeNo(ty ir.TypeID) expr {
	if g.alone() {
		return add(qual("rt", "FirstTypeID"), g.typeConst(ty))
	}
	return conv(gotree.Uint64, word(g.descVar(ty), "ID"))
}

// classTable emits the signature classes of a package.
func (g *gen) classTable() []gotree.Decl {
	if g.alone() || len(g.Classes()) == 0 {
		return nil
	}
	var rows []expr
	for _, sig := range g.Classes() {
		n := g.at(sig)
		rows = append(rows, composite(nil, intField("Params", g.listOf(n.Fields)), intField("Results", g.listOf(n.Results))))
	}
	return []gotree.Decl{table("classes", rtType("Class"), rows)}
}
