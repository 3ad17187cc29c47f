package expand

import (
	"fmt"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A stack with arguments begins with a starter, one for each signature. The starter gets
// the stack to which it must swap back immediately, and an object with the function and its
// arguments. When the stack is bound for the first time, it tail-calls the function:
//
//	NEWSTACKWITH f a...   h = NEW holder; store f and a... in h
//	                      s = NEWSTACK starter
//	                      SWAPSTACK s PASS_VALUES (CURRENTSTACK, h)
//
//	starter(back, h):     SWAPSTACK back PASS_VALUES ()
//	                      f, a... = loads from h
//	                      TAILCALL f a...
//
// A stack without arguments is a NEWSTACK. A function that may have no definition, or may
// get another one, is first replaced by its current version, see definition.
func (e *expander) newStack() {
	in := e.v.Insts[e.id]
	c := e.v.Values[in.Args[0]].Const
	dynamic := c == nil || c.Kind != ir.ConstFunc
	if dynamic {
		ty := e.v.Values[in.Args[0]].Type
		null := e.v.ConstValue(&ir.Const{Kind: ir.ConstNull, Type: ty})
		e.failIf(e.before(ir.Inst{Op: ir.OpEQ, Ty: ty, Args: []ir.ValueID{in.Args[0], null}}, e.t.Int(1)), ir.FailNullFunc, "new_stack of NULL")
	}
	if !e.text && (dynamic || c.Func.Open() || len(c.Func.Versions) == 0) {
		e.definition()
	}
	in = e.v.Insts[e.id]
	if len(in.Args) == 1 {
		e.become(ir.OpNewStack, 0, 0, in.Args[0])
		return
	}
	holder := e.holder(in.Sig)
	hi := e.t.IRef(holder)
	h := e.before(ir.Inst{Op: ir.OpNew, Ty: holder}, e.t.Ref(holder))
	at := e.before(ir.Inst{Op: ir.OpGetIRef, Ty: holder, Args: []ir.ValueID{h}}, hi)
	for k, f := range e.t.At(holder).Fields {
		p := e.before(ir.Inst{Op: ir.OpGetFieldIRef, Ty: holder, Imm: uint64(k), Args: []ir.ValueID{at}}, e.t.IRef(f))
		e.v.InsertBefore(e.b, e.at, ir.Inst{Op: ir.OpStore, Ty: f, Args: []ir.ValueID{p, in.Args[k]}, Pos: in.Pos}, nil, nil)
		e.at++
	}
	f := e.starter(in.Sig, holder)
	c = &ir.Const{Kind: ir.ConstFunc, Type: e.t.Of(ir.KFuncRef, f.Sig), Func: f}
	e.become(ir.OpNewStack, 0, 0, e.v.ConstValue(c))
	e.v.Insts[e.id].Sig = f.Sig
	stack := e.t.Opaque(ir.KStackRef)
	cur := e.v.InsertBefore(e.b, e.at+1, ir.Inst{Op: ir.OpCurrentStack, Pos: in.Pos}, []ir.TypeID{stack}, nil)
	swap := ir.Inst{Op: ir.OpSwapStack, Pos: in.Pos, Args: []ir.ValueID{in.Results[0], e.v.Insts[cur].Results[0], h}}
	e.v.InsertBefore(e.b, e.at+2, swap, nil, nil)
	e.at += 2
}

// definition replaces the function of a stack by its current definition, so that the stack
// keeps it. As long as there is none, the client is called as by a CALL:
//
//	      BRANCH again
//	again: g = FUNCNOW f
//	       BRANCH2 (EQ g NULL) ask rest
//	ask:   CALL f a...
//	       BRANCH again
//	rest:  NEWSTACKWITH g a...
func (e *expander) definition() {
	v, name := e.v, e.v.Blocks[e.b].Name
	in := v.Insts[e.id]
	ty := e.v.Values[in.Args[0]].Type
	again, ask := v.NewBlock(name, in.Pos), v.NewBlock(name, in.Pos)
	rest := e.cut()
	to := func(b ir.BlockID) ir.Inst {
		return ir.Inst{Op: ir.OpBranch, Dests: []ir.Dest{{Block: b}}, Pos: in.Pos}
	}
	one := func(in ir.Inst, t ir.TypeID) ir.ValueID {
		return v.Insts[v.Append(again, in, []ir.TypeID{t}, nil)].Results[0]
	}
	v.Append(e.b, to(again), nil, nil)
	now := one(ir.Inst{Op: ir.OpFuncNow, Sig: in.Sig, Args: in.Args[:1:1], Pos: in.Pos}, ty)
	null := v.ConstValue(&ir.Const{Kind: ir.ConstNull, Type: ty})
	is := one(ir.Inst{Op: ir.OpEQ, Ty: ty, Args: []ir.ValueID{now, null}, Pos: in.Pos}, e.t.Int(1))
	v.Append(again, ir.Inst{Op: ir.OpBranch2, Args: []ir.ValueID{is}, Dests: []ir.Dest{{Block: ask}, {Block: rest}}, Pos: in.Pos}, nil, nil)
	v.Append(ask, ir.Inst{Op: ir.OpCall, Sig: in.Sig, Args: slices.Clone(in.Args)}.InPlaceOf(&in), e.t.At(in.Sig).Results, nil)
	v.Append(ask, to(again), nil, nil)
	e.b, e.at = rest, 0
	args := slices.Clone(in.Args)
	args[0] = now
	v.Insts[e.id].Args = args
}

// holder is the type of objects with a function of a signature and its arguments.
func (e *expander) holder(sig ir.TypeID) ir.TypeID {
	return e.t.Struct(append([]ir.TypeID{e.t.Of(ir.KFuncRef, sig)}, e.t.At(sig).Fields...)...)
}

// starter is the first function of stacks for functions of a signature.
func (e *expander) starter(sig, holder ir.TypeID) *ir.Function {
	if f := e.starters[sig]; f != nil {
		return f
	}
	p := e.p
	stack, ref := e.t.Opaque(ir.KStackRef), e.t.Ref(holder)
	f := &ir.Function{Name: ir.GlobalName(fmt.Sprintf("uvm2go.start%d", len(e.starters))), ID: p.TakeID(),
		Sig: e.t.Sig([]ir.TypeID{stack, ref}, e.t.At(sig).Results)}
	p.Funcs = append(p.Funcs, f)
	v := p.NewVersion(f, f.Name+".v", f.Pos)
	b := v.NewBlock("%entry", f.Pos)
	back, h := v.AddParam(b, stack, "%back"), v.AddParam(b, ref, "%arguments")
	one := func(in ir.Inst, t ir.TypeID) ir.ValueID {
		return v.Insts[v.Append(b, in, []ir.TypeID{t}, nil)].Results[0]
	}
	v.Append(b, ir.Inst{Op: ir.OpSwapStack, Args: []ir.ValueID{back}}, nil, nil)
	at := one(ir.Inst{Op: ir.OpGetIRef, Ty: holder, Args: []ir.ValueID{h}}, e.t.IRef(holder))
	call := ir.Inst{Op: ir.OpTailCall, Sig: sig}
	for k, t := range e.t.At(holder).Fields {
		p := one(ir.Inst{Op: ir.OpGetFieldIRef, Ty: holder, Imm: uint64(k), Args: []ir.ValueID{at}}, e.t.IRef(t))
		call.Args = append(call.Args, one(ir.Inst{Op: ir.OpLoad, Ty: t, Args: []ir.ValueID{p}}, t))
	}
	v.Append(b, call, nil, nil)
	e.starters[sig] = f
	return f
}
