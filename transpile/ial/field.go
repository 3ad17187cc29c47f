package ial

import (
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// fieldOps are the operations on members, user slots and fields of modules.
func fieldOps() group {
	g := group{
		module.FieldGet: func(b *body) { b.assign(b.in.Target, b.member(b.in.Src[0])) },
		module.FieldSet: func(b *body) { b.put(b.member(b.in.Src[0]), b.in.Src[1]) },
		module.FieldAddr: func(b *body) {
			if r := b.in.Src[0]; r.Type.Kind != module.StructType {
				b.notNull(b.get(r))
			}
			b.result(b.member(b.in.Src[0]))
		},
		module.FieldUserGet: func(b *body) {
			b.result(b.cast(b.Load(b.user(b.src(0)), b.order()), b.types.register(b.in.Target.Type)))
		},
		module.FieldUserSet: func(b *body) {
			b.Store(b.user(b.src(0)), b.cast(b.src(1), b.types.object), b.order())
		},
		module.FieldUserAddr: func(b *body) {
			v := b.src(0)
			b.notNull(v)
			b.result(b.user(v))
		},
	}
	for _, op := range []module.Op{module.FieldStaticGet, module.FieldGlobalGet, module.FieldThreadGet} {
		g[op] = func(b *body) { b.assign(b.in.Target, b.field()) }
	}
	for _, op := range []module.Op{module.FieldStaticSet, module.FieldGlobalSet, module.FieldThreadSet} {
		g[op] = func(b *body) { b.put(b.field(), b.in.Src[0]) }
	}
	for _, op := range []module.Op{module.FieldStaticAddr, module.FieldGlobalAddr, module.FieldThreadAddr} {
		g[op] = func(b *body) { b.result(b.field()) }
	}
	return g
}

// nullZone is the distance from address 0, in bytes, within which the fault of an access is caught as NULL.
const nullZone = 65536

// member is the location of the member that the instruction names. A register holds its structure
// or points to it.
func (b *body) member(r *module.Register) ir.ValueID {
	f := b.in.Field
	at := ir.ValueID(0)
	switch r.Type.Kind {
	case module.StructType:
		at = b.regs[r.Index].cell
	case module.Pointer:
		at = b.get(r)
	default:
		v := b.get(r)
		b.fitsField(v, r.Type, f)
		at = b.Field(b.GetIRef(v), b.types.payload)
	}
	if l := b.layouts.Offset(f); r.Type.Kind != module.StructType && l.W8+16 >= nullZone {
		b.notNull(b.get(r))
	}
	b.types.memory(b.src0Struct(f))
	return b.Field(at, b.types.members[f])
}

// src0Struct is the type of the structure of a member.
func (b *body) src0Struct(f *module.Field) *module.Type { return b.types.src.Of(f.Struct) }

// user is the location of the user slot of an object.
func (b *body) user(ref ir.ValueID) ir.ValueID {
	return b.Field(b.GetIRef(b.cast(ref, b.Types.Ref(b.Types.Struct(b.types.object)))), userSlot)
}

// field is the location of the global or thread field that the instruction names.
func (b *body) field() ir.ValueID {
	g := b.cell(b.in.Field)
	if g.ThreadLocal {
		return b.ThreadCell(g)
	}
	return b.GlobalRef(g)
}
