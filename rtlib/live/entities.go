package live

import (
	"slices"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/live/regs"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// What programs that load scripts and bundles are told about themselves.

// describe makes the table of the entities.
func (p *program) describe() {
	prog := p.facts.IR
	p.tell.Given = prog.Given
	add := func(e core.Entity) { p.tell.Entities = append(p.tell.Entities, e) }
	for name, id := range prog.TypeIDs {
		if ty, ok := prog.Entities[name].(ir.TypeID); ok {
			kind := core.TypeEntity
			if p.at(ty).Kind == ir.KSig {
				kind = core.SigEntity
			}
			add(core.Entity{ID: id, Kind: kind, Type: p.vtype(ty)})
		}
	}
	slices.SortFunc(p.tell.Entities, func(a, b core.Entity) int { return int(a.ID) - int(b.ID) })
	consts := map[uint32]*ir.Const{}
	for _, k := range prog.Consts {
		if k.ID != 0 {
			p.scanConst(k)
			consts[k.ID] = k
			add(core.Entity{ID: k.ID, Kind: core.ConstEntity, Type: p.vtype(k.Type)})
		}
	}
	p.tell.Constant = func(t *core.Ctx, id uint32) {
		k := consts[id]
		if k == nil {
			core.NoConstant(id)
		}
		x, w := core.X(t), p.constWords(k)
		for i, u := range w[regs.Root] {
			x.R[i] = uintptr(u)
		}
		copy(x.W, w[regs.Plain])
	}
	for _, sig := range p.facts.Classes() {
		n := p.at(sig)
		p.tell.Thunks = append(p.tell.Thunks, core.Thunk{Params: p.list(n.Fields), Results: p.list(n.Results), New: stand})
	}
	for _, g := range prog.Globals {
		add(core.Entity{ID: g.ID, Kind: core.GlobalEntity, Type: p.vtype(g.Type), Addr: p.cells[g]})
	}
	for _, x := range prog.Exposes {
		add(core.Entity{ID: x.ID, Kind: core.ExposeEntity, Type: p.vtype(x.Type), Exposure: p.exposes[x]})
	}
	for _, f := range prog.Funcs {
		if f.Of == nil {
			sig := p.at(f.Sig)
			add(core.Entity{ID: f.ID, Kind: core.FuncEntity, Type: p.vtype(prog.Types.Of(ir.KFuncRef, f.Sig)), Func: p.functions[f].to,
				Params: p.vtypesOf(sig.Fields), Results: p.vtypesOf(sig.Results)})
		}
	}
}

// stand makes the stand-in for a function that a text declares. Only code that is compiled would call
// it: here its record counts.
func stand(s core.Self) unsafe.Pointer {
	f := func() core.Self { return s }
	return *(*unsafe.Pointer)(unsafe.Pointer(&f))
}

// later makes the tables of the bundles that are loaded while the program runs.
func (p *program) later(names []ir.EntityName) {
	hidden := p.facts.IR.Hidden()
	numbers := func(l []int) (out []uint32) {
		for _, i := range l {
			out = append(out, uint32(i))
		}
		return out
	}
	p.tell.Later = make([]core.LaterBundle, len(p.facts.IR.Later))
	for i, l := range p.facts.IR.Later {
		b := &p.tell.Later[i]
		b.Name, b.Hash = l.Name, l.Hash
		for _, f := range l.Impls {
			b.Impls = append(b.Impls, core.Impl{Of: p.functions[f.Of].to, Func: p.functions[f].to})
		}
		for _, n := range l.Needs {
			b.Needs = append(b.Needs, core.Need{Name: n, In: numbers(hidden[n])})
		}
	}
	for _, e := range names {
		if e.In != nil {
			p.tell.Hidden = append(p.tell.Hidden, core.HiddenEntity{ID: e.ID, In: numbers(e.In)})
		}
	}
}
