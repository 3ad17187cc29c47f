package mu

import (
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// ID identifies an entity: a function, type, constant, instruction ... 0 is not an ID.
type ID uint32

// named looks an entity up by name.
func named[T any](c *Ctx, name string, find func(ID) (T, error)) (T, error) {
	id, err := c.ID(name)
	if err != nil {
		var none T
		return none, err
	}
	return find(id)
}

// Entity describes an entity.
type Entity struct {
	Kind Kind
	Type Type // the type itself, or the signature of a function or exposed function
}

// Kind is the kind of an entity.
type Kind string

// The kinds of entities.
const (
	KindType     Kind = "type"
	KindSig      Kind = "signature"
	KindConst    Kind = "constant"
	KindGlobal   Kind = "global cell"
	KindFunc     Kind = "function"
	KindExposed  Kind = "exposed function"
	KindInternal Kind = "part of a function" // a version, block, instruction or variable; it has no type here
)

var kinds = map[core.EntityKind]Kind{core.TypeEntity: KindType, core.SigEntity: KindSig, core.ConstEntity: KindConst,
	core.GlobalEntity: KindGlobal, core.FuncEntity: KindFunc, core.ExposeEntity: KindExposed}

// Lookup returns the description of the entity with an ID.
func (vm *VM) Lookup(id ID) (Entity, error) {
	if _, err := vm.Name(id); err != nil {
		return Entity{}, err
	}
	e := vm.core.EntityOf(uint32(id))
	if e == nil {
		return Entity{Kind: KindInternal}, nil
	}
	ty := e.Type
	if e.Kind == core.FuncEntity || e.Kind == core.ExposeEntity {
		ty = ty.Elem
	}
	return Entity{kinds[e.Kind], Type{ty, vm.core}}, nil
}

// Names lists the entities whose names begin with a prefix, in the order of their names, without the parts
// of functions.
func (vm *VM) Names(prefix string) []string { return vm.core.EntityNames(prefix) }

// entity returns an entity of a kind.
func (c *Ctx) entity(id ID, kind core.EntityKind, what string) (*core.Entity, error) {
	if err := c.open(); err != nil {
		return nil, err
	}
	if e := c.vm.core.EntityOf(uint32(id)); e != nil && e.Kind == kind {
		return e, nil
	}
	return nil, fail(NoID, "%d is not the ID of a %s", id, what)
}

// Type returns the type with an ID.
func (c *Ctx) Type(id ID) (Type, error) {
	e, err := c.entity(id, core.TypeEntity, "type")
	if err != nil {
		return Type{}, err
	}
	return Type{e.Type, c.vm.core}, nil
}

// TypeNamed returns the type with a name.
func (c *Ctx) TypeNamed(name string) (Type, error) { return named(c, name, c.Type) }

// Const returns the value of a constant.
func (c *Ctx) Const(id ID) (Value, error) {
	e, err := c.entity(id, core.ConstEntity, "constant")
	if err != nil {
		return nil, err
	}
	var v Value
	err = c.do(func(t *core.Ctx) error {
		w, r := core.ConstantOf(t, e)
		v = wrap(c.add(e.Type, w, r))
		return nil
	})
	return v, err
}

// ConstNamed returns the value of the constant with a name.
func (c *Ctx) ConstNamed(name string) (Value, error) { return named(c, name, c.Const) }

// Global returns an iref to a global cell.
func (c *Ctx) Global(id ID) (IRef, error) {
	e, err := c.entity(id, core.GlobalEntity, "global cell")
	if err != nil {
		return IRef{}, err
	}
	return c.iref(e.Addr, e.Type, true), nil
}

// GlobalNamed returns an iref to the global cell with a name.
func (c *Ctx) GlobalNamed(name string) (IRef, error) { return named(c, name, c.Global) }

// Func returns a reference to a function.
func (c *Ctx) Func(id ID) (FuncRef, error) {
	e, err := c.entity(id, core.FuncEntity, "function")
	if err != nil {
		return FuncRef{}, err
	}
	return FuncRef{(*held[FuncRef])(c.addWord(e.Type, uint64(uintptr(unsafe.Pointer(e.Func)))))}, nil
}

// FuncID returns the ID of the function that a reference refers to.
func (c *Ctx) FuncID(f FuncRef) (ID, error) {
	e, err := c.function(f)
	if err != nil {
		return 0, err
	}
	return ID(e.ID), nil
}

// FuncNamed returns a reference to the function with a name.
func (c *Ctx) FuncNamed(name string) (FuncRef, error) { return named(c, name, c.Func) }

// Exposed returns the value of an exposed function.
func (c *Ctx) Exposed(id ID) (UFuncPtr, error) {
	e, err := c.entity(id, core.ExposeEntity, "exposed function")
	if err != nil {
		return UFuncPtr{}, err
	}
	return UFuncPtr{(*held[UFuncPtr])(c.addWord(e.Type, uint64(core.ExposedAddr(e.Exposure))))}, nil
}

// ExposedNamed returns the value of the exposed function with a name.
func (c *Ctx) ExposedNamed(name string) (UFuncPtr, error) { return named(c, name, c.Exposed) }
