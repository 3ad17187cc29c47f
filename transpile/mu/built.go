package mu

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// Bundles that the IR builder has made. The tree is checked as that of a text is. In the program, what has no name is
// called what messages call it: "block 2", and in full "block 2 of version 1 of @f" (ir.FullName).

// ExtendTree is Extend of a tree.
func ExtendTree(p *ir.Program, files *diag.Set, tree *nodes.Tree, to Running, diags *diag.List) Fault {
	l := newExtender(p, files, tree.Syms, to, diags)
	l.begin(tree, to.ByID)
	_, fault := l.extend([]*syntax.Bundle{tree.Bundle}, to)
	if fault == NoFault {
		l.identify()
	}
	return fault
}

// LoadTree is Load of one tree, into a program that has no definitions and whose next ID is after those of the tree.
// The tree may not know other entities than the predefined types.
func LoadTree(p *ir.Program, tree *nodes.Tree, opt Options, diags *diag.List) bool {
	l := newLoader(p, p.Files, tree.Syms, opt, diags)
	l.begin(tree, func(id uint32) any {
		for name, known := range p.TypeIDs {
			if known == id {
				return p.Entities[name]
			}
		}
		return nil
	})
	l.bundle(tree.Bundle, nil)
	l.finish(0)
	diags.Sort()
	if diags.HasErrors() {
		return false
	}
	l.identify()
	return true
}

// begin enters what a tree knows, and reports what is wrong with it.
func (l *loader) begin(tree *nodes.Tree, byID func(id uint32) any) {
	l.tree = tree
	called := tree.Called
	if tree.Names == nil {
		called = nil
	}
	tree.File = l.prog.Files.AddMade(tree.Position, called)
	for _, w := range tree.Wrong {
		l.diags.Errorf(tree.Pos(syntax.Off(w.No)), "%s", w.Msg)
	}
	l.growEnts()
	for _, k := range tree.Known {
		x := byID(k.ID)
		if f, ok := x.(*ir.Function); ok && k.Sig {
			x = f.Sig
		}
		l.enterEntity(k.Sym, x)
	}
}

// identify gives what the tree defines the IDs that were reserved, and removes positions that are none of the author's.
func (l *loader) identify() {
	p, t := l.prog, l.tree
	set := func(id *uint32, node syntax.Off) {
		if n := t.ID(node); n != 0 {
			*id = n
		}
	}
	at := func(pos *diag.Pos) {
		if !t.Position(int(pos.Off)).IsValid() {
			*pos = diag.Pos{}
		}
	}
	for _, d := range t.Defs {
		off, n := d.Head()
		e := l.find(n.Sym)
		switch d.(type) {
		case *syntax.TypeDef, *syntax.SigDef:
			name := l.name(n)
			id := p.TypeIDs[name]
			set(&id, off)
			p.TypeIDs[name] = id
		case *syntax.ConstDef:
			set(&e.con.ID, off)
			at(&e.con.Pos)
		case *syntax.GlobalDef:
			set(&e.con.Global.ID, off)
			at(&e.con.Global.Pos)
		case *syntax.ExposeDef:
			set(&e.con.Expose.ID, off)
			at(&e.con.Expose.Pos)
		case *syntax.FuncDecl:
			set(&e.fn.ID, off)
			at(&e.fn.Pos)
		}
	}
	for i := range l.bodies {
		def := &l.bodies[i]
		if id := t.FuncID(def.def.Off); id != 0 {
			def.fn.ID = id
		}
		v := def.ver
		set(&v.ID, def.def.Off)
		at(&def.fn.Pos)
		at(&v.Pos)
		for b := range v.Blocks {
			blk := &v.Blocks[b]
			if b < len(def.def.Blocks) {
				node := def.def.Blocks[b].Name.Off
				set(&blk.ID, node)
				for _, x := range t.Locals(node) {
					blk.Locals = append(blk.Locals, ir.LocalID{Name: x.Name, ID: x.ID})
				}
			}
			at(&blk.Pos)
		}
		for i := range v.Insts {
			in := &v.Insts[i]
			if in.ID != 0 { // it is not a conversion that the reader has added
				set(&in.ID, syntax.Off(in.Pos.Off))
			}
			at(&in.Pos)
		}
	}
}
