package lower

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

func (e *fn) selectInst(out *code, id ir.InstID, in *ir.Inst) {
	if !e.isVector(in.Ty) {
		e.choose(out, []ir.InstID{id})
		return
	}
	r := in.Results[0]
	c, a, b := e.temp(out, in.Args[0]), e.temp(out, in.Args[1]), e.temp(out, in.Args[2])
	tmp := e.scope.Local("lanes")
	out.Define(tmp, e.GoType(e.v.Values[r].Type), b)
	body, then := out.Sub(), out.Sub()
	then.Set(lane(name(tmp)), lane(a))
	body.If(lane(c), then, nil)
	out.Range("i", name(tmp), body)
	e.set(out, r, name(tmp))
}

// sameChoice is how many of the first instructions can be one conditional statement: SELECTs of
// the same condition, of which none needs another's result. The Go compiler makes conditional
// moves of a statement, unless one of its values is the address of a load: a branch that is
// predicted lets the load begin early. That is as good for the other values, which are often
// addresses of stores. A SELECT that would prevent conditional moves altogether is not combined
// with others.
func (e *fn) sameChoice(ids []ir.InstID) int {
	first := &e.v.Insts[ids[0]]
	if !e.moves(first) {
		return 1
	}
	n := 1
	for ; n < len(ids); n++ {
		in := &e.v.Insts[ids[n]]
		if !e.moves(in) || e.plan.Alias[in.Args[0]] != e.plan.Alias[first.Args[0]] {
			break
		}
		free := true
		for _, a := range in.Args {
			e.plan.EachUse(a, func(x ir.ValueID) {
				for _, id := range ids[:n] {
					free = free && e.plan.Alias[e.v.Insts[id].Results[0]] != x
				}
			})
		}
		if !free {
			break
		}
	}
	return n
}

// moves reports whether the Go compiler makes a conditional move of an instruction: a SELECT
// between two integers or addresses, the first of which is in a variable or constant.
func (e *fn) moves(in *ir.Inst) bool {
	if in.Op != ir.OpSelect || e.isVector(in.Ty) || e.plan.Inline[e.plan.Alias[in.Args[1]]] {
		return false
	}
	t := e.GoType(e.v.Values[in.Results[0]].Type)
	return t.K == gotree.Int && t != gotree.Uint8
}

// choose emits SELECTs of the same condition.
func (e *fn) choose(out *code, ids []ir.InstID) {
	then, after := out.Sub(), out.Sub()
	for _, id := range ids {
		in := &e.v.Insts[id]
		r := in.Results[0]
		if !e.plan.Used[r] {
			continue
		}
		old := e.name[r]
		// A hoisted variable may also be an operand: go through a fresh one.
		tmp := ""
		if old == "" {
			tmp = e.localName(r)
			e.name[r] = tmp
		} else {
			tmp = e.scope.Local("v")
		}
		t := e.GoType(e.v.Values[r].Type)
		out.Define(tmp, t, e.expr(in.Args[2]))
		if old == "" {
			e.declared(out, r)
		}
		then.Set(name(tmp), e.expr(in.Args[1]))
		if old != "" {
			after.Set(name(old), name(tmp))
		}
		e.root(after, r)
	}
	if len(then.List) > 0 {
		out.If(e.expr(e.v.Insts[ids[0]].Args[0]), then, nil)
		out.Add(after.List...)
	}
}

// fieldOf is the field of a struct value that an instruction names.
func (e *fn) fieldOf(x expr, in *ir.Inst) expr {
	return &gotree.Dot{X: x, Name: repr.FieldName(int(in.Imm)), K: e.GoType(e.At(in.Ty).Fields[in.Imm]).K}
}

// aggregate emits operations on struct, array and vector values.
func (e *fn) aggregate(out *code, id ir.InstID, in *ir.Inst) {
	r := in.Results[0]
	copied := func() expr {
		tmp := e.scope.Local("v")
		out.Define(tmp, e.GoType(e.v.Values[r].Type), e.expr(in.Args[0]))
		return name(tmp)
	}
	switch in.Op {
	case ir.OpExtractValue:
		e.set(out, r, e.fieldOf(e.temp(out, in.Args[0]), in))
	case ir.OpInsertValue:
		tmp := copied()
		out.Set(e.fieldOf(tmp, in), e.expr(in.Args[1]))
		e.set(out, r, tmp)
	case ir.OpExtractElement:
		x := e.temp(out, in.Args[0])
		e.set(out, r, &gotree.Index{X: x, I: e.index(out, id, in), K: e.GoType(e.v.Values[r].Type).K})
	case ir.OpInsertElement:
		tmp := copied()
		out.Set(&gotree.Index{X: tmp, I: e.index(out, id, in)}, e.expr(in.Args[2]))
		e.set(out, r, tmp)
	case ir.OpShuffleVector:
		a, b, m := e.temp(out, in.Args[0]), e.temp(out, in.Args[1]), e.temp(out, in.Args[2])
		n := e.At(in.Ty).Len
		k := &gotree.Ident{Name: e.scope.Local("k"), K: gotree.Int}
		e.set(out, r, e.lanes(out, e.v.Values[r].Type, func(body *code, to expr) {
			body.Define(k.Name, gotree.Uint64, conv(gotree.Uint64, e.unsignedIndex(e.At(in.Ty2).Elem, lane(m))))
			first, second, neither := out.Sub(), out.Sub(), out.Sub()
			first.Set(to, &gotree.Index{X: a, I: k})
			second.Set(to, &gotree.Index{X: b, I: sub(k, lit(n))})
			e.rtFail(neither, id, "Bounds", "a mask element selects no lane")
			other := out.Sub()
			other.If(bin(gotree.Less, k, lit(2*n)), second, neither)
			body.If(bin(gotree.Less, k, lit(n)), first, other)
		}))
	}
}

// index is an element index as Go wants it, after a check of its bound.
func (e *fn) index(out *code, id ir.InstID, in *ir.Inst) expr {
	n := e.At(in.Ty).Len
	x := in.Args[1]
	if e.isConst(x) {
		c := e.v.Values[e.plan.Alias[x]].Const
		if c.Hi == 0 && c.Lo < n {
			return bitsLit(c.Lo)
		}
	}
	k := &gotree.Ident{Name: e.scope.Local("k"), K: gotree.Int}
	out.Define(k.Name, gotree.Uint64, conv(gotree.Uint64, e.unsignedIndex(in.Ty2, e.typed(x))))
	body := out.Sub()
	e.rtFail(body, id, "Bounds", fmt.Sprintf("the length is %d", n))
	body.Return()
	out.If(bin(gotree.GreaterEq, k, lit(n)), body, nil)
	return k
}

func (e *fn) unsignedIndex(ty ir.TypeID, x expr) expr {
	switch n := e.At(ty).Bits; {
	case n == 1:
		return rt("B2U", x)
	case n > 64:
		return rt("Index128", x)
	}
	return x
}
