package live

import (
	"maps"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
)

// Bundles of dialects other than that of the API. A reader gets the running program (dialect.Running), and what it has
// kept of the bundles before. One that does not know it reads bundles on their own (adopt).

// kept is what readers have kept of the bundles of a VM. The runtime reads one bundle at a time, and enters it before the
// next.
type kept map[*dialect.Dialect]any

// keptOf is what readers have kept for a VM.
func keptOf(vm *core.VM) kept {
	if vm.Engine == nil {
		vm.Engine = kept{}
	}
	return vm.Engine.(kept)
}

// loadOther makes code of bundles of such a dialect.
func (r *reader) loadOther(d *dialect.Dialect, srcs []dialect.Source) (b *core.LiveBundle, err error) {
	files := diag.NewSet()
	diags := diag.NewList(files)
	into := ir.NewProgram()
	vm := core.VMOf(r.t)
	known, kept := newImports(vm, r.t, into), keptOf(vm)
	to := &dialect.Running{Program: into, Find: known.find, Given: vm.GivenIDs, Kept: kept[d]}
	p, ok := d.Load(files, srcs, dialect.Options{Running: to}, diags)
	if !ok {
		r.code = faultCode(diags)
		return nil, mu.Faults(files, diags)
	}
	r.code = check
	p.Files = files
	if p == into {
		renumber(p, known)
		b, err = r.prepare(p, known)
	} else {
		b, err = r.adopt(p)
	}
	if err != nil || to.Keep == nil {
		return b, err
	}
	bind := b.Bind
	b.Bind = func(find func(string) *core.Entity, first uint32) {
		bind(find, first)
		kept[d] = to.Keep()
	}
	return b, nil
}

// faultCode is the code of the errors of a reader: that of the first.
func faultCode(diags *diag.List) string {
	for _, d := range diags.All() {
		if d.Severity == diag.Error {
			if slices.ContainsFunc(d.Related, func(r diag.Related) bool { return r.Previous }) {
				return mu.Clash.Code()
			}
			break
		}
	}
	return check
}

// adopt takes a program that was read, or built, on its own. What it declares and the running program has as well, under
// the same name and of the same type, is that of the running program.
func (r *reader) adopt(p *ir.Program) (*core.LiveBundle, error) {
	known := newImports(core.VMOf(r.t), r.t, p)
	renumber(p, known)
	for name, x := range p.Entities {
		known.meet(name, x)
	}
	return r.prepare(p, known)
}

// renumber gives what a bundle defines IDs that the running program has not used, in the order of the IDs that it has.
func renumber(p *ir.Program, known *imports) {
	ids := map[uint32]uint32{}
	each := func(f func(id *uint32)) {
		own := func(x any, name string, id *uint32) {
			if *id >= firstID && (known.made[name] != x || x == nil) {
				f(id)
			}
		}
		for name, id := range p.TypeIDs {
			own(nil, name, &id)
			p.TypeIDs[name] = id
		}
		for _, c := range p.Consts {
			own(c, c.Name, &c.ID)
		}
		for _, g := range p.Globals {
			own(g, g.Name, &g.ID)
		}
		for _, x := range p.Exposes {
			own(x, x.Name, &x.ID)
		}
		for _, fn := range p.Funcs {
			own(fn, fn.Name, &fn.ID)
			for _, v := range fn.Versions {
				own(nil, v.Name, &v.ID)
				for i := range v.Blocks {
					blk := &v.Blocks[i]
					own(nil, "", &blk.ID)
					for k := range blk.Locals {
						own(nil, "", &blk.Locals[k].ID)
					}
					for _, id := range blk.Insts {
						own(nil, "", &v.Insts[id].ID)
					}
				}
			}
		}
	}
	each(func(id *uint32) { ids[*id] = 0 })
	p.NextID = core.NextID()
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		ids[id] = p.TakeID()
	}
	each(func(id *uint32) { *id = ids[*id] })
}

// placeIn spells a place of a bundle, "" if it is none.
func placeIn(p *ir.Program, at diag.Pos) string {
	if !at.IsValid() || p.Files == nil {
		return ""
	}
	return mu.Place(p.Files, at)
}

// inside says where a name inside a function is, and how reports call it.
func inside(p *ir.Program, name string) (in core.Inside) {
	in.Title = name
	version := ""
	for _, f := range p.Funcs {
		for _, v := range f.Versions {
			if name != v.Name && !strings.HasPrefix(name, v.Name+".") || len(v.Name) < len(version) {
				continue
			}
			version = v.Name
			in = core.Inside{Of: f.Name, Body: name == v.Name, Title: name, Place: placeIn(p, v.Pos)}
			switch {
			case f.Title != "" && in.Body:
				in.Title = f.Title
			case f.Title != "":
				in.Title = f.Title + name[len(v.Name):]
			}
		}
	}
	return in
}
