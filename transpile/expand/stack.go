package expand

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A stack with arguments begins with a function of our own, one for each signature. It
// gets the stack to swap back to at once, and an object with function and arguments; when
// it is bound for the first time, it tail-calls the one with the others:
//
//	NEWSTACKWITH f a...   h = NEW holder; store f and a... in h
//	                      s = NEWSTACK starter
//	                      SWAPSTACK s PASS_VALUES (CURRENTSTACK, h)
//
//	starter(back, h):     SWAPSTACK back PASS_VALUES ()
//	                      f, a... = loads from h
//	                      TAILCALL f a...
func (e *expander) newStack() {
	in := e.v.Insts[e.id]
	if c := e.v.Values[in.Args[0]].Const; c == nil || c.Kind != ir.ConstFunc {
		ty := e.v.Values[in.Args[0]].Type
		null := e.v.ConstValue(&ir.Const{Kind: ir.ConstNull, Type: ty})
		e.failIf(e.before(ir.Inst{Op: ir.OpEQ, Ty: ty, Args: []ir.ValueID{in.Args[0], null}}, e.t.Int(1)), ir.FailNullFunc, "new_stack of NULL")
		in = e.v.Insts[e.id]
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
	c := &ir.Const{Kind: ir.ConstFunc, Type: e.t.Of(ir.KFuncRef, f.Sig), Func: f}
	e.become(ir.OpNewStack, 0, 0, e.v.ConstValue(c))
	e.v.Insts[e.id].Sig = f.Sig
	stack := e.t.Opaque(ir.KStackRef)
	cur := e.v.InsertBefore(e.b, e.at+1, ir.Inst{Op: ir.OpCurrentStack, Pos: in.Pos}, []ir.TypeID{stack}, nil)
	swap := ir.Inst{Op: ir.OpSwapStack, Pos: in.Pos, Args: []ir.ValueID{in.Results[0], e.v.Insts[cur].Results[0], h}}
	e.v.InsertBefore(e.b, e.at+2, swap, nil, nil)
	e.at += 2
}

// holder is the type of objects with a function of a signature and its arguments.
func (e *expander) holder(sig ir.TypeID) ir.TypeID {
	return e.t.Struct(append([]ir.TypeID{e.t.Of(ir.KFuncRef, sig)}, e.t.At(sig).Fields...)...)
}

// starter is the function that stacks for functions of a signature begin with.
func (e *expander) starter(sig, holder ir.TypeID) *ir.Function {
	if f := e.starters[sig]; f != nil {
		return f
	}
	p := e.p
	stack, ref := e.t.Opaque(ir.KStackRef), e.t.Ref(holder)
	f := &ir.Function{Name: fmt.Sprintf("@uvm2go.start%d", len(e.starters)), ID: p.TakeID(),
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
