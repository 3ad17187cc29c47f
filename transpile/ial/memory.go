package ial

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// memoryOps are the operations on all of the memory that a pointer or reference refers to.
var memoryOps = group{
	module.MemAlloc:  (*body).memAlloc,
	module.MemNew:    (*body).memNew,
	module.MemFree:   (*body).memFree,
	module.MemSalloc: (*body).memSalloc,
	module.MemSnew:   func(b *body) { b.result(b.frameCell(b.in.Target.Type.Elem, true)) },
	module.MemPin: func(b *body) {
		v := b.src(0)
		b.notNull(v)
		b.result(b.support("pin", b.cast(v, b.types.object)))
	},
	module.MemUnpin: func(b *body) {
		ok := b.support("unpin", b.src(0))
		b.require(ok, b.trap(ir.FailTrap, "invalid pin handle"))
	},
	module.MemGet: func(b *body) {
		b.checkIndex(b.in.Src[0])
		loc := b.src(0)
		switch t := b.in.Target.Type; {
		case !b.in.Volatile && b.facts.peeks && (t.Kind == module.Int || t.Kind == module.Uint || t.Kind == module.Pointer):
			b.result(b.peek(loc, t))
		default:
			b.assign(b.in.Target, loc)
		}
	},
	module.MemSet: func(b *body) {
		b.checkIndex(b.in.Src[0])
		b.put(b.src(0), b.in.Src[1])
	},
	module.MemAddr: func(b *body) { b.result(b.regs[b.in.Src[0].Index].cell) },
}

// notNull fails if a reference or pointer is NULL. Accesses need no such test: their fault is
// caught.
func (b *body) notNull(ref ir.ValueID) {
	text := "null reference"
	if b.Types.Kind(b.TypeOf(ref)) == ir.KIRef {
		text = "null pointer dereference"
	}
	b.require(b.Cmp(ir.OpNE, ref, b.Null(b.TypeOf(ref))), b.trap(ir.FailNullRef, text))
}

func (b *body) memAlloc() {
	n, t := b.src(0), b.in.Target.Type
	if t.Kind == module.Pointer {
		b.result(b.nativeBlock(t.Elem, n))
		return
	}
	b.result(b.newArray(t, n))
}

func (b *body) memNew() {
	switch t := b.in.Target.Type; t.Kind {
	case module.Pointer:
		b.result(b.nativeBlock(t.Elem, 0))
	case module.Reference:
		b.result(b.newObject(t))
	default:
		b.result(b.newArray(t, b.i64(int64(t.Count))))
	}
}

// newObject makes an object of a structure, NULL if there is no memory.
func (b *body) newObject(t *module.Type) ir.ValueID {
	return b.orNull(b.New(b.types.objectOf(t.Elem.Struct)), nil)
}

// newArray makes an array or vector of n elements, NULL if there is no memory.
func (b *body) newArray(t *module.Type, n ir.ValueID) ir.ValueID {
	return b.orNull(b.NewHybrid(b.types.arrayOf(t.Elem), n), func(ref ir.ValueID) {
		at := b.Field(b.GetIRef(ref), b.types.lengthSlot)
		b.Inst(ir.Inst{Op: ir.OpStore, Flags: b.through | ir.FlagFixed, Ty: b.types.i64, Args: []ir.ValueID{at, n}})
	})
}

// orNull gives the allocation that was made last an exception clause: the result is NULL if there
// is no memory. init, if not nil, initialises the new object.
func (b *body) orNull(ref ir.ValueID, init func(ref ir.ValueID)) ir.ValueID {
	id := b.TypeOf(ref)
	name := b.V.Blocks[b.Current()].Name
	made, full, join := b.Block(name), b.Block(name), b.Block(name, id)
	b.Exc(ir.To(made), ir.To(full))
	b.end()
	b.s.Seal(made)
	b.s.Seal(full)
	b.At(made)
	if init != nil {
		init(ref)
	}
	b.allocated(ref)
	b.Branch(join, ref)
	b.end()
	b.At(full)
	b.Branch(join, b.Null(id))
	b.end()
	b.s.Seal(join)
	b.At(join)
	return b.Param(join, 0)
}

// allocated calls the callbacks of an allocation, and the finalizers that are due after a
// collection, if the program can have either.
func (b *body) allocated(ref ir.ValueID) {
	if b.facts.callbacks {
		b.support("allocated", b.cast(ref, b.types.object))
	}
	if b.facts.finalizers {
		b.support("finalize_due")
	}
}

// memFree frees a block of native memory. For a managed object it only calls the finalizer; the
// memory of the object stays until nothing refers to it.
func (b *body) memFree() {
	v := b.src(0)
	if b.in.Src[0].Type.Kind == module.Pointer {
		ok := b.support("free", b.address(v))
		b.require(ok, b.trap(ir.FailTrap, "invalid free"))
		return
	}
	if b.facts.finalizers {
		b.support("finalize", b.cast(v, b.types.object))
	}
}

// memSalloc makes a block in the frame.
func (b *body) memSalloc() {
	t, n := b.in.Target.Type, b.src(0)
	none, some := b.fork(b.Cmp(ir.OpEQ, n, b.i64(0)))
	id := b.types.register(t)
	join := b.Block(b.V.Blocks[none].Name, id)
	b.At(none)
	b.Branch(join, b.Null(id))
	b.end()
	b.At(some)
	cell := b.frameBlock(t.Elem, n)
	name := b.V.Blocks[some].Name
	made, full := b.Block(name), b.Block(name)
	b.Exc(ir.To(made), ir.To(full))
	b.end()
	b.s.Seal(made)
	b.s.Seal(full)
	b.At(made)
	b.Branch(join, b.cast(b.VarPart(cell), id))
	b.end()
	b.At(full)
	b.Branch(join, b.Null(id))
	b.end()
	b.s.Seal(join)
	b.At(join)
	b.result(b.Param(join, 0))
}

// nativeBlock makes a block of native memory for n elements, or for one if n is 0. It may hold
// references if its elements do, so it is an object that a table keeps alive until it is freed
// (see support), though the program does not see it as managed.
func (b *body) nativeBlock(t *module.Type, n ir.ValueID) ir.ValueID {
	id := b.types.IRef(b.types.memory(t))
	join := b.Block(b.V.Blocks[b.Current()].Name, id)
	if n == 0 {
		n = b.i64(1)
	} else {
		none, some := b.fork(b.Cmp(ir.OpEQ, n, b.i64(0)))
		b.At(none)
		b.Branch(join, b.Null(id))
		b.end()
		b.At(some)
	}
	hybrid := b.Types.Hybrid(b.types.memory(t), b.Types.StructOf(0, 16))
	ref := b.NewHybrid(hybrid, n)
	name := b.V.Blocks[b.Current()].Name
	made, full := b.Block(name), b.Block(name)
	b.Exc(ir.To(made), ir.To(full))
	b.end()
	b.s.Seal(made)
	b.s.Seal(full)
	b.At(made)
	loc := b.VarPart(b.GetIRef(ref))
	b.support("keep", b.address(loc), b.cast(ref, b.types.object))
	b.Branch(join, loc)
	b.end()
	b.At(full)
	b.Branch(join, b.Null(id))
	b.end()
	b.s.Seal(join)
	b.At(join)
	return b.Param(join, 0)
}

// loadArray makes a new copy of an array of literals.
func (b *body) loadArray() {
	t, lits := b.in.Target.Type, b.in.Lits
	n := b.i64(int64(len(lits)))
	if t.Kind == module.Static {
		b.move(b.regs[b.in.Target.Index].cell, b.image(t.Elem, lits))
		return
	}
	var v ir.ValueID
	if t.Kind == module.Pointer {
		v = b.nativeBlock(t.Elem, n)
	} else {
		v = b.newArray(t, n)
	}
	if len(lits) == 0 {
		b.result(v)
		return
	}
	some, join := b.fork(b.Cmp(ir.OpNE, v, b.Null(b.TypeOf(v))))
	b.At(some)
	loc := v
	if t.Kind != module.Pointer {
		loc = b.VarPart(b.GetIRef(v))
	}
	b.MemMove(loc, b.Elem(b.image(t.Elem, lits), b.i64(0)), n)
	next := b.Block(b.V.Blocks[some].Name)
	b.jump(next)
	b.At(join)
	b.jump(next)
	b.s.Seal(next)
	b.At(next)
	b.result(v)
}

// image is the location of constant memory with an array of literals.
func (b *body) image(elem *module.Type, lits []uint64) ir.ValueID {
	return b.GlobalRef(b.literals(elem, lits))
}

// literals makes a cell for literals; equal ones share it.
func (t *translator) literals(elem *module.Type, lits []uint64) *ir.Global {
	key := fmt.Sprint(elem.Kind, lits)
	if g := t.images[key]; g != nil {
		return g
	}
	list := make([]*ir.Const, len(lits))
	for i, x := range lits {
		list[i] = t.constant(elem, x)
	}
	id := t.types.Array(t.types.memory(elem), uint64(len(lits)))
	g := t.b.Global(t.fresh("@literals"), id)
	g.Init, g.ReadOnly = t.b.ListConst(id, list...), true
	t.images[key] = g
	return g
}
