package tvm

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// Aggregates that functions pass and return are values of the representation's types in memory.

// whole converts a value to one aggregate; fromWhole is the reverse.
func (b *body) whole(v value, t term.ID) ir.ValueID {
	r := b.types.rep(t)
	if !r.flat {
		return b.Load(b.pointer(v[0], r.mem), ir.NotAtomic)
	}
	x, _ := b.compose(v, t)
	return x
}

func (b *body) fromWhole(x ir.ValueID, t term.ID) value {
	r := b.types.rep(t)
	if !r.flat {
		room := b.room(t)
		b.Store(b.pointer(room, r.mem), x, ir.NotAtomic)
		return value{room}
	}
	return b.decompose(nil, x, t)
}

// compose makes an aggregate of the first scalars of a list, and returns it and the other scalars.
func (b *body) compose(v value, t term.ID) (ir.ValueID, value) {
	r := b.types.rep(t)
	n := *b.Graph.At(t)
	switch n.Op {
	case op.Struct, op.Array:
		x := b.Const(b.zero(r.mem))
		for i, m := range b.parts(t) {
			var part ir.ValueID
			part, v = b.compose(v, m)
			if n.Op == op.Struct {
				x = b.InsertValue(x, i, part)
			} else {
				x = b.InsertElement(x, b.i64(int64(i)), part)
			}
		}
		return x, v
	case op.TypeType:
		x := b.Const(b.zero(r.mem))
		for i, l := range r.leaves {
			x = b.InsertValue(x, i, b.toMemory(v[i], l))
		}
		return x, v[2:]
	case op.Apply, op.Exists, op.Constant, op.Given:
		return b.compose(v, b.inside(t))
	case op.Empty:
		return b.Const(b.zero(r.mem)), v
	}
	return b.toMemory(v[0], r.leaves[0]), v[1:]
}

// decompose adds the scalars of an aggregate to a list.
func (b *body) decompose(v value, x ir.ValueID, t term.ID) value {
	r := b.types.rep(t)
	n := *b.Graph.At(t)
	switch n.Op {
	case op.Struct, op.Array:
		for i, m := range b.parts(t) {
			switch {
			case len(b.types.rep(m).leaves) == 0:
			case n.Op == op.Struct:
				v = b.decompose(v, b.ExtractValue(x, i), m)
			default:
				v = b.decompose(v, b.ExtractElement(x, b.i64(int64(i))), m)
			}
		}
		return v
	case op.TypeType:
		for i, l := range r.leaves {
			v = append(v, b.fromMemory(b.ExtractValue(x, i), l))
		}
		return v
	case op.Apply, op.Exists, op.Constant, op.Given:
		return b.decompose(v, x, b.inside(t))
	case op.Empty:
		return v
	}
	return append(v, b.fromMemory(x, r.leaves[0]))
}

// parts are the types of the members or elements of a flat type.
func (b *body) parts(t term.ID) []term.ID {
	if b.Op(t) == op.Struct {
		return b.Graph.Args(t)
	}
	n, _ := b.LitOf(b.Arg(t, 1))
	list := make([]term.ID, n.Lo)
	for i := range list {
		list[i] = b.Arg(t, 0)
	}
	return list
}

// inside is the type whose values a type has: the body of an instance of a schema, the result of an
// exists type, the type of a constant, or the type that replaces a parameter.
func (b *body) inside(t term.ID) term.ID {
	switch b.Op(t) {
	case op.Apply:
		return b.Graph.Body(t)
	case op.Exists:
		_, result := b.Open(t)
		return result
	case op.Given:
		return b.Arg(t, 0)
	}
	return b.Graph.TypeOf(b.Arg(t, 0))
}
