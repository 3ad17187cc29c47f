package uvm2014

import (
	"maps"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/binary"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// The things of a text bundle have the IDs that they have in the binary form made of it (encode.go):
// types, signatures, constants, cells and functions, of the first three those with a name first, then
// those that are written out, which have no names and so no more than a place in the numbers. How many
// they are is known when bodies have been checked, since these tell the types of constants. Until then
// no room is left for them; numberInline makes it.

// textIDs is what a text bundle has got IDs for, and what is written out in it.
type textIDs struct {
	first    uint32
	kinds    [entFunc + 1]uint32 // by kind: the first of those with names, or 0
	versions []*ir.Version
	types    []bool // by TypeID: types and signatures
	consts   map[*ir.Const]bool
}

// mark notes that a type or signature is written out.
func (x *textIDs) mark(id ir.TypeID) {
	if x == nil {
		return
	}
	if int(id) >= len(x.types) {
		x.types = append(x.types, make([]bool, int(id)+1-len(x.types))...)
	}
	x.types[id] = true
}

// inlineCounts are how many types, signatures and constants are written out, those left out that are
// equal to one with a name. Only named constants of the same bundle count, as in encode.go.
func (l *loader) inlineCounts() (types, sigs, consts uint32) {
	x := l.given
	for c := range x.consts {
		x.mark(c.Type)
	}
	for id, is := range x.types {
		switch {
		case !is || l.types.At(ir.TypeID(id)).Name != "":
		case l.kind(ir.TypeID(id)) == ir.KSig:
			sigs++
		default:
			types++
		}
	}
	lists := map[string]bool{}
	for _, d := range l.b.Defs {
		if d, ok := d.(*syntax.ConstDef); ok {
			if c := l.look(d.Name.Sym).con; c.Kind == ir.ConstAggregate {
				lists[constKey(c)] = true
			} else if same := l.lits[litKey{c.Kind, c.Type, c.Lo, c.Hi, c.Sym}]; same != nil {
				delete(x.consts, same)
			}
		}
	}
	for c := range x.consts {
		if c.Kind == ir.ConstAggregate {
			k := constKey(c)
			if lists[k] {
				continue
			}
			lists[k] = true
		}
		consts++
	}
	return
}

// numberInline makes room for what is written out.
func (l *loader) numberInline() {
	types, sigs, consts := l.inlineCounts()
	x, end, all := l.given, *l.counter(), types+sigs+consts
	if all == 0 {
		return
	}
	more := [...]uint32{entSig: types, entConst: types + sigs, entGlobal: all, entFunc: all}
	move := func(id *uint32) {
		if *id < x.first || *id >= end { // none, of an earlier bundle, or not of a bundle
			return
		}
		for k := entFunc; k >= entSig; k-- {
			if from := x.kinds[k]; from != 0 && *id >= from {
				*id += more[k]
				return
			}
		}
	}
	moved := map[uint32]binary.Entity{} // of byID
	global := func(e *entity, name string) {
		id := l.prog.TypeIDs[name]
		if e.con != nil {
			id = e.con.ID
		}
		if known, ok := l.byID[id]; ok {
			delete(l.byID, id)
			move(&id)
			moved[id] = known
		} else {
			move(&id)
		}
		switch e.kind {
		case entType, entSig:
			l.prog.TypeIDs[name] = id
			return
		case entFunc:
			e.fn.ID = id
		case entGlobal:
			e.con.Global.ID = id
		}
		e.con.ID = id
	}
	for _, d := range l.b.Defs {
		if h := d.DefHead(); l.look(h.Name.Sym).def == d {
			global(l.look(h.Name.Sym), l.name(h.Name))
		}
	}
	for _, u := range l.undeclared {
		global(l.look(u.name.Sym), l.name(u.name))
	}
	for _, v := range x.versions {
		move(&v.ID)
		for i := range v.Blocks {
			move(&v.Blocks[i].ID)
		}
		for i := range v.Insts {
			move(&v.Insts[i].ID)
		}
	}
	maps.Copy(l.byID, moved)
	if taken := l.taken[len(l.taken)-1]; len(taken) > 0 {
		taken[0].Last += all
	}
	*l.counter() += all
}
