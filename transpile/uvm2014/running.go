package uvm2014

import (
	"maps"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/binary"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// Bundles that a running program loads see what it has as that of earlier bundles. The IDs by which binary bundles refer
// to earlier ones are not those of the running program, which has entities of other dialects as well. They are
// numbered as if all bundles of this dialect had been given together.

// arrived is the number of the bundle of what the running program has.
const arrived = -1

// kept is what the reader keeps of bundles that a running program has loaded.
type kept struct {
	byID  map[uint32]string // the names of entities
	names map[string]bool   // the set of these names
	taken syntax.IDs
	next  uint64
}

// running is the running program, and what is read for it.
type running struct {
	*dialect.Running
	*kept
	fresh map[uint32]string // of the bundles being read
	ids   []syntax.IDs
	asked bool // the translated bundles were asked for
}

func beginRunning(to *dialect.Running) *running {
	r := &running{Running: to, fresh: map[uint32]string{}}
	if r.kept, _ = to.Kept.(*kept); r.kept != nil {
		return r
	}
	r.kept = &kept{byID: map[uint32]string{}, names: map[string]bool{}, next: uint64(to.Program.NextID)}
	r.translated()
	return r
}

// translated enters what translated bundles have given IDs to. Later ones become visible when they are loaded.
func (r *running) translated() {
	r.asked = true
	given := r.Given()
	var ids syntax.IDs
	for _, id := range slices.Sorted(maps.Keys(given)) {
		if r.byID[id] == "" {
			r.byID[id], r.names[given[id]] = given[id], true
			ids = ids.Add(id)
		}
	}
	r.taken = r.taken.Union(ids)
	r.next = max(r.next, uint64(r.taken.Last())+1)
}

// first is the first ID for what bundles define.
func (r *running) first(p *ir.Program) uint64 {
	if r == nil {
		return uint64(p.NextID)
	}
	return r.next
}

// earlier are the IDs of earlier bundles.
func (r *running) earlier() []syntax.IDs {
	if r == nil {
		return nil
	}
	return []syntax.IDs{r.taken}
}

// note takes down the IDs of a bundle that has been read.
func (l *loader) note(b *syntax.Bundle) {
	r := l.running
	if r == nil {
		return
	}
	add := func(n syntax.Name, id uint32) {
		name := l.name(n)
		switch e := l.look(n.Sym); {
		case e == nil || id == 0 && e.bundle == arrived:
			return
		case id == 0 && e.con != nil:
			id = e.con.ID
		case id == 0:
			id = l.prog.TypeIDs[name]
		}
		r.fresh[id] = name
	}
	for _, d := range b.Defs {
		h := d.DefHead()
		add(h.Name, h.ID)
	}
	for _, u := range l.undeclared {
		add(u.name, 0)
	}
	r.ids = append(r.ids, b.IDs)
}

// keep keeps what later bundles must know, when the bundles that were read are loaded.
func (l *loader) keep() any {
	k := l.running.kept
	for id, name := range l.running.fresh {
		k.byID[id] = name
		k.names[name] = true
	}
	for _, ids := range l.running.ids {
		k.taken = k.taken.Union(ids)
	}
	k.next = max(k.next, l.next)
	return k
}

// ofID finds the entity that earlier bundles refer to by an ID.
func (l *loader) ofID(id uint32) (binary.Entity, bool) {
	if l.running == nil {
		return binary.Entity{}, false
	}
	name := l.running.byID[id]
	if name == "" && !l.running.asked {
		l.running.translated()
		name = l.running.byID[id]
	}
	if name == "" {
		return binary.Entity{}, false
	}
	e := l.look(l.syms.InternString(name))
	if e == nil || e.kind == entOther {
		return binary.Entity{}, false
	}
	return binary.Entity{Kind: binaryKinds[e.kind], Name: name}, true
}

// arrived enters what the running program has under a name, nil if nothing.
func (l *loader) arrived(s syntax.Sym) *entity {
	if l.running == nil || s.Local() {
		return nil
	}
	name := l.syms.String(s)
	if !ir.IsGlobal(name) || reserved(name) {
		return nil
	}
	e := &entity{bundle: arrived, raw: -1, defined: arrived, declared: arrived, valued: true}
	switch x := l.running.Find(name).(type) {
	case nil:
		return nil
	case ir.TypeID:
		if e.typ = x; l.kind(x) == ir.KSig {
			e.kind = entSig
		}
	case *ir.Const:
		e.kind, e.con, e.typ = entConst, x, x.Type
	case *ir.Global:
		e.kind, e.con = entGlobal, l.out.GlobalConst(x)
	case *ir.Function:
		e.kind, e.con, e.fn = entFunc, l.out.FuncConst(x), x
	case *ir.Expose:
		e.kind, e.con = entConst, l.out.ExposeConst(x)
	default:
		e.kind = entOther
	}
	if e.con != nil {
		e.typ = e.con.Type
	}
	l.set(s, e)
	return e
}
