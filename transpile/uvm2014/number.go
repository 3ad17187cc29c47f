package uvm2014

import (
	"math"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// The entities of a text bundle have the IDs that they would have in its binary form (encode.go):
// types, signatures, constants, cells and functions. Of the first three, those with a name come
// first, then those written in place, which have no names and only take up numbers. Their count
// is known only when bodies have been checked, because bodies determine the types of constants.
// Until then the numbers leave no room for them; numberInline makes the room.

// textIDs records the IDs that a text bundle has assigned, and what is written in place in it.
type textIDs struct {
	first    uint32
	kinds    [entFunc + 1]uint32 // by kind: the first of those with names, or 0
	versions []*ir.Version
	types    []bool // by TypeID: types and signatures
	consts   map[*ir.Const]bool
}

// mark notes that a type or signature is written in place.
func (x *textIDs) mark(id ir.TypeID) {
	if x == nil {
		return
	}
	if int(id) >= len(x.types) {
		x.types = append(x.types, make([]bool, int(id)+1-len(x.types))...)
	}
	x.types[id] = true
}

// inlineCounts are the numbers of types, signatures and constants that are written in place, without those
// equal to one with a name. For this, constants with a name must be in the same bundle, as in encode.go. A
// constant needs its type and the parts of it, even if the text does not have them.
func (l *loader) inlineCounts() (types, sigs, consts uint32) {
	x := l.given
	lists := map[string]bool{}
	for _, d := range l.b.Defs {
		if d, ok := d.(*syntax.ConstDef); ok {
			if c := l.look(d.Name.Sym).con; c.Kind == ir.ConstAggregate {
				lists[constKey(c)] = true
			} else if same := l.lits[keyOf(c)]; same != nil {
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
		l.markParts(c.Type)
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
	return
}

// markParts notes a type and its parts.
func (l *loader) markParts(id ir.TypeID) {
	if int(id) < len(l.given.types) && l.given.types[id] || l.types.At(id).Name != "" {
		return
	}
	l.given.mark(id)
	n := l.types.At(id)
	if n.Elem != ir.NoType {
		l.markParts(n.Elem)
	}
	for _, parts := range [][]ir.TypeID{n.Fields, n.Results} {
		for _, p := range parts {
			l.markParts(p)
		}
	}
}

// numberInline moves IDs to make room for what is written in place.
func (l *loader) numberInline() {
	types, sigs, consts := l.inlineCounts()
	x, end, all := l.given, uint32(l.next), types+sigs+consts
	if all == 0 {
		return
	}
	more := [...]uint32{entSig: types, entConst: types + sigs, entGlobal: all, entFunc: all}
	move := func(id *uint32) {
		if *id < x.first || *id >= end { // no ID, one of an earlier bundle, or of no bundle
			return
		}
		for k := entFunc; k >= entSig; k-- {
			if from := x.kinds[k]; from != 0 && *id >= from {
				*id += more[k]
				return
			}
		}
	}
	global := func(e *entity, name string) {
		switch e.kind {
		case entType, entSig:
			id := l.prog.TypeIDs[name]
			move(&id)
			l.prog.TypeIDs[name] = id
			return
		}
		move(&e.con.ID)
		switch e.kind {
		case entFunc:
			e.fn.ID = e.con.ID
		case entGlobal:
			e.con.Global.ID = e.con.ID
		}
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
		l.moved[v] = all
	}
	l.next += uint64(all)
}

// numberHidden assigns IDs to entities that are not in bundles: versions, and blocks and instructions
// that the translation adds. These IDs follow those of all bundles.
func (l *loader) numberHidden() {
	next := l.next
	give := func(id *uint32) {
		*id = uint32(next)
		next++
	}
	for _, f := range l.prog.Funcs {
		for _, v := range f.Versions {
			give(&v.ID)
			by := l.moved[v]
			for i := range v.Blocks {
				blk := &v.Blocks[i]
				if blk.ID == 0 {
					give(&blk.ID)
				} else {
					blk.ID += by
				}
				for k := range blk.Locals {
					blk.Locals[k].ID += by
				}
			}
			for i := range v.Blocks {
				for _, id := range v.Blocks[i].Insts {
					if in := &v.Insts[id]; in.ID == 0 {
						give(&in.ID)
					} else {
						in.ID += by
					}
				}
			}
		}
	}
	if next > math.MaxUint32 {
		l.errorf(0, "the IDs of the bundles leave none for versions and for what translation adds")
		return
	}
	l.prog.NextID = uint32(next)
}
