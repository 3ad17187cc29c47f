package repr

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// Numbers that generated code and the runtime agree upon. In a program with an entry function
// they are constants, because it is alone in its process. A package may share a process with
// others: the runtime then assigns new numbers to the rows of its tables (link.go of
// rtlib/internal/core), and its code takes the numbers from the tables. A unit is told the number of its first place.

// Alone reports whether numbers are constants.
func (g *Program) Alone() bool { return g.Opt.Package == "main" }

// numberOf is the number that a row of a table has.
func numberOf(table string, row int) gotree.Expr {
	return node.Word(node.Index(node.Name(table), row), "No")
}

// ListNo is the number of a value list; that of the empty list is 0 everywhere.
func (g *Program) ListNo(n int) gotree.Expr {
	if n == 0 || g.Alone() {
		return node.Lit(n)
	}
	return numberOf("lists", n)
}

// ClassNo is the number of a signature class.
func (g *Program) ClassNo(class int) gotree.Expr {
	if g.Alone() {
		return node.Lit(class)
	}
	return numberOf("classes", class)
}

// FrameNo is the number of a place where frames rest, from 1.
func (g *Program) FrameNo(site int) gotree.Expr {
	switch {
	case g.Alone():
		return node.Lit(site)
	case g.Opt.Unit:
		return node.Lit(g.Opt.FirstPlace + uint32(site) - 1)
	}
	return numberOf("frameSites", site-1)
}

// TypeNo is the number by which the header of an object refers to its type.
func (g *Program) TypeNo(ty ir.TypeID) gotree.Expr { return g.DescNo(Plain(ty)) }

// DescNo is the number by which the header of an object or stack cell refers to its descriptor.
func (g *Program) DescNo(d Described) gotree.Expr {
	n := g.desc(d)
	if g.Alone() {
		return node.Add(node.Qual("rt", "FirstTypeID"), node.Name(g.TypeNames[n]))
	}
	return node.Conv(gotree.Uint64, node.Word(node.Name(g.DescNames[n]), "ID"))
}
