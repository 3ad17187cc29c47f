package live

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// imports makes entities of the running program known to a bundle that names them.
type imports struct {
	vm    *core.VM
	t     *core.Ctx // safe: it does not run
	p     *ir.Program
	first uint32 // the first ID that the program has not used
	types map[*core.VType]ir.TypeID
	made  map[string]any
}

func newImports(vm *core.VM, t *core.Ctx, p *ir.Program) *imports {
	return &imports{vm: vm, t: t, p: p, first: core.NextID(), types: map[*core.VType]ir.TypeID{}, made: map[string]any{}}
}

// find returns what a name denotes, in the form that mu.Running requires.
func (m *imports) find(name string) any {
	if x, ok := m.made[name]; ok {
		return x
	}
	id, ok := m.vm.IDNamed(name)
	if !ok {
		return nil
	}
	return m.have(name, id)
}

// byID returns the entity with an ID, in the form that mu.Running requires.
func (m *imports) byID(id uint32) any { return m.have(m.nameOf(id), id) }

// nameOf is the name of an existing entity, by which bundles and reports refer to it. Without one, or if its name
// denotes an entity of another package, it is a description.
func (m *imports) nameOf(id uint32) string {
	name, _ := m.vm.NameOfID(id)
	if named, ok := m.vm.IDNamed(name); !ok || named != id {
		return nodes.Nameless(id)
	}
	return name
}

// have makes the entity with a name and an ID.
func (m *imports) have(name string, id uint32) any {
	if x, ok := m.made[name]; ok {
		return x
	}
	var x any = mu.Other{}
	if e := m.vm.EntityOf(id); e != nil {
		if x = m.entity(name, e); x == nil {
			x = mu.Other{}
		}
	}
	m.made[name] = x
	return x
}

// meet makes an entity of a program that was read on its own that of the running program, if that has the same.
func (m *imports) meet(name string, x any) {
	id, ok := m.vm.IDNamed(name)
	e := m.vm.EntityOf(id)
	if !ok || e == nil {
		return
	}
	switch x := x.(type) {
	case ir.TypeID:
		if e.Kind != core.TypeEntity && e.Kind != core.SigEntity || m.typeOf(e.Type) != x {
			return
		}
		m.p.TypeIDs[name] = id
	case *ir.Const:
		k, _ := m.entity(name, e).(*ir.Const)
		if k == nil || k.Type != x.Type || k.Key() != x.Key() || k.Kind == ir.ConstAggregate {
			return
		}
		x.ID = id
	case *ir.Global:
		if e.Kind != core.GlobalEntity || m.typeOf(e.Type) != x.Type || x.Init != nil {
			return
		}
		x.ID = id
	case *ir.Function:
		if e.Kind != core.FuncEntity || m.typeOf(e.Type.Elem) != x.Sig {
			return
		}
		x.ID = id
	case *ir.Expose:
		if e.Kind != core.ExposeEntity || m.typeOf(e.Type) != x.Type {
			return
		}
		x.ID = id
	default:
		return
	}
	m.made[name] = x
}

// entity makes an entity, nil if a bundle cannot have it.
func (m *imports) entity(name string, e *core.Entity) any {
	switch e.Kind {
	case core.TypeEntity, core.SigEntity:
		return m.typeOf(e.Type)
	case core.ConstEntity:
		var w []uint64
		var r []uintptr
		func() {
			m.t.Th.LeaveSafe()
			defer m.t.Th.EnterSafe()
			w, r = core.ConstantOf(m.t, e)
		}()
		c := m.constant(m.typeOf(e.Type), &w, &r)
		if c == nil {
			return nil
		}
		c.Name, c.ID = name, e.ID
		return c
	case core.GlobalEntity:
		g := &ir.Global{Name: name, Type: m.typeOf(e.Type), ID: e.ID}
		m.p.Globals = append(m.p.Globals, g)
		return g
	case core.FuncEntity:
		f := &ir.Function{Name: name, Sig: m.typeOf(e.Type.Elem), ID: e.ID}
		m.p.Funcs = append(m.p.Funcs, f)
		return f
	case core.ExposeEntity:
		f := m.function(m.vm.EntityOfFunc(e.Exposure.Func))
		if f == nil {
			return nil
		}
		cookie, none := []uint64{e.Exposure.Cookie}, []uintptr(nil)
		x := &ir.Expose{Name: name, Func: f, Type: m.typeOf(e.Type), ID: e.ID, Cookie: m.constant(m.p.Types.Int(64), &cookie, &none)}
		m.p.Exposes = append(m.p.Exposes, x)
		return x
	}
	return nil
}

// function returns a function, which need not have a name; nil if it is no entity.
func (m *imports) function(e *core.Entity) *ir.Function {
	if e == nil {
		return nil
	}
	f, _ := m.have(m.nameOf(e.ID), e.ID).(*ir.Function)
	return f
}

// kindOf is the kind of a type.
var kindOf = func() map[core.VKind]ir.Kind {
	of := map[core.VKind]ir.Kind{}
	for k, v := range vkinds {
		of[v] = k
	}
	return of
}()

// typeOf is the type in the bundle for a type of the running program.
func (m *imports) typeOf(v *core.VType) ir.TypeID {
	if id, ok := m.types[v]; ok {
		return id
	}
	var list []*core.VType
	raw := map[*core.VType]ir.TypeID{}
	var visit func(v *core.VType) ir.TypeID
	all := func(l []*core.VType) (ids []ir.TypeID) {
		for _, v := range l {
			ids = append(ids, visit(v))
		}
		return ids
	}
	var nodes []ir.Node
	visit = func(v *core.VType) ir.TypeID {
		if v == nil {
			return ir.NoType
		}
		if id, ok := m.types[v]; ok {
			return id
		}
		if id, ok := raw[v]; ok {
			return id
		}
		i := len(list)
		raw[v] = ir.Raw(i)
		list = append(list, v)
		nodes = append(nodes, ir.Node{})
		n := ir.Node{Kind: kindOf[v.Kind], Bits: v.Bits, Len: v.Len, Elem: visit(v.Elem), Fields: all(v.Fields), Results: all(v.Results)}
		nodes[i] = n
		return raw[v]
	}
	visit(v)
	for i, id := range m.p.Types.Add(nodes) {
		m.types[list[i]] = id
		if name := m.vm.ImportedName(list[i]); ir.IsGlobal(name) {
			m.p.Types.SetName(id, name)
		}
	}
	return m.types[v]
}

// constant makes a constant of the words and references of its value, which it takes; nil if it has
// an address that no constant has.
func (m *imports) constant(ty ir.TypeID, w *[]uint64, r *[]uintptr) *ir.Const {
	c := &ir.Const{Type: ty}
	word := func() uint64 {
		x := (*w)[0]
		*w = (*w)[1:]
		return x
	}
	n := m.p.Types.At(ty)
	switch n.Kind {
	case ir.KInt:
		c.Lo = word()
		if n.Bits > 64 {
			c.Hi = word()
		}
	case ir.KFloat, ir.KDouble:
		c.Kind, c.Lo = ir.ConstFP, word()
	case ir.KUPtr, ir.KUFuncPtr:
		c.Lo = word()
		if name, ok := core.SymbolAt(uintptr(c.Lo)); ok { // the next start, which has it elsewhere, uses the same plugin
			c.Kind, c.Lo, c.Sym = ir.ConstExtern, 0, name
		}
	case ir.KFuncRef:
		c.Kind = ir.ConstNull
		if x := word(); x != 0 {
			f := m.function(m.vm.EntityAt(uintptr(x)))
			if f == nil {
				return nil
			}
			c.Kind, c.Func = ir.ConstFunc, f
		}
	case ir.KTagRef64:
		*r = (*r)[1:]
		m.tagged(c, word())
	case ir.KStruct:
		return m.list(c, n.Fields, w, r)
	case ir.KArray, ir.KVector:
		elems := make([]ir.TypeID, n.Len)
		for i := range elems {
			elems[i] = n.Elem
		}
		return m.list(c, elems, w, r)
	default:
		c.Kind = ir.ConstNull
		if (*r)[0] != 0 {
			return nil
		}
		*r = (*r)[1:]
	}
	return c
}

func (m *imports) list(c *ir.Const, types []ir.TypeID, w *[]uint64, r *[]uintptr) *ir.Const {
	c.Kind = ir.ConstAggregate
	for _, ty := range types {
		e := m.constant(ty, w, r)
		if e == nil {
			return nil
		}
		c.Elems = append(c.Elems, e)
	}
	return c
}

// tagged makes a constant of type tagref64, the inverse of the function of the name.
func (m *imports) tagged(c *ir.Const, w uint64) {
	switch {
	case gc.TagIsInt(w):
		c.Lo = gc.TagToInt(w)
	case gc.TagIsFP(w):
		c.Kind, c.Lo = ir.ConstFP, w
	default:
		t := m.p.Types
		c.Kind = ir.ConstAggregate
		c.Elems = []*ir.Const{{Kind: ir.ConstNull, Type: t.Ref(t.Void())}, {Type: t.Int(6), Lo: uint64(gc.TagToTag(w))}}
	}
}
