package ial

import (
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Calls between managed and native code. Managed code calls a function of convention cdecl or
// stdcall like any other. Native code gets the address of another function, which converts
// the arguments of C and calls the former. C sees references as addresses.

// toNative converts a value to the form that native code gets; fromNative is the
// reverse.
func (b *body) toNative(v ir.ValueID, t *module.Type) ir.ValueID {
	switch {
	case t.IsManaged():
		return b.address(v)
	case t.Kind == module.Int, t.Kind == module.Uint, t.Kind == module.Pointer, t.Kind == module.FuncType:
		return b.toAddress(v, t)
	}
	return v
}

func (b *body) fromNative(v ir.ValueID, t *module.Type) ir.ValueID {
	switch {
	case t.IsManaged():
		return b.Conv(ir.OpRefAt, v, b.types.register(t))
	case t.Kind == module.Int, t.Kind == module.Uint, t.Kind == module.Pointer, t.Kind == module.FuncType:
		return b.fromAddress(v, t)
	}
	return v
}

// toNatives converts arguments of a function of a type.
func (b *body) toNatives(args []ir.ValueID, t *module.Type) []ir.ValueID {
	out := make([]ir.ValueID, len(args))
	for i, a := range args {
		out[i] = b.toNative(a, t.Params[i])
	}
	return out
}

// nativeCall calls through a pointer for native code.
func (b *body) nativeCall(t *module.Type, f ir.ValueID) {
	b.byValue(b.in.Pos, b.fn.Module, t)
	b.require(b.Cmp(ir.OpNE, f, b.Int(b.TypeOf(f), 0)), b.trap(ir.FailNullFunc, "null function pointer"))
	in := ir.Inst{Op: ir.OpCCall, Ty: b.TypeOf(f), Sig: b.types.nativeSig(t), Args: append([]ir.ValueID{f}, b.toNatives(b.args(), t)...)}
	if b.facts.tainted(t) {
		in.Flags = ir.FlagUnsure
	}
	r := b.Inst(in)
	b.throws()
	if b.in.Target != nil {
		b.give(b.in.Target, b.fromNative(r[0], t.Elem))
	}
}

// forward makes the body of a function that stands for another.
func (t *translator) forward(f *module.Function) {
	b := t.newBody(f, t.funcs[f])
	in := f.Blocks[0].Instrs[0]
	b.Pos = in.Pos
	if f.Forward == nil {
		b.fail(ir.FailTrap, "forward target "+in.Module+"/"+in.Symbol+" not found")
		b.end()
		b.finish()
		return
	}
	callee := b.FuncRef(t.function(f.Forward))
	if b.V.Func.Attrs&(ir.NoReturn|ir.NoThrow) == 0 {
		b.TailCall(callee, b.params(len(f.Params))...)
		b.end()
		b.finish()
		return
	}
	b.forwardTo(f.Type(&t.src.Types), func(args []ir.ValueID) []ir.ValueID { return b.Call(callee, args...) })
}

// params are the parameters of the function.
func (b *body) params(n int) []ir.ValueID {
	args := make([]ir.ValueID, n)
	for i := range args {
		args[i] = b.Param(0, i)
	}
	return args
}

// forwardTo completes a body that passes its parameters to a call and returns its results.
func (b *body) forwardTo(t *module.Type, call func(args []ir.ValueID) []ir.ValueID) {
	b.Ret(call(b.params(len(t.Params)))...)
	b.end()
	b.finish()
}

// expose is the address of a function for native code. No exception may reach native code.
func (t *translator) expose(f *module.Function) *ir.Const {
	if c := t.exposed[f]; c != nil {
		return c
	}
	typ, name := f.Type(&t.src.Types), "@"+qualified(f.Module, f.Name)
	fn := t.b.Func(name+".native", t.types.nativeSig(typ))
	fn.Pos, fn.Title, fn.Attrs = f.Pos, ir.Bare(fn.Name), ir.Internal
	e := t.b.Expose(name+".exposed", fn, 0)
	c := t.b.ExposeConst(e)
	t.exposed[f] = c
	if !t.running.Has(fn.Name) {
		t.entrance(fn, f, typ, func(b *body) ir.ValueID { return b.FuncRef(t.function(f)) })
	}
	return c
}

// entrance makes the body of fn, which native code calls instead of a function of type typ. callee
// is that function.
func (t *translator) entrance(fn *ir.Function, f *module.Function, typ *module.Type, callee func(*body) ir.ValueID) {
	b := t.newBody(f, fn)
	target := callee(b)
	args := b.params(len(typ.Params))
	for i := range args {
		args[i] = b.fromNative(args[i], typ.Params[i])
	}
	r := b.Call(target, args...)
	next, bad := b.Block("%returned"), b.Block("%thrown")
	b.Exc(ir.To(next), ir.To(bad))
	b.end()
	b.s.Seal(next)
	b.s.Seal(bad)
	b.At(bad)
	if t.facts.finalizers && len(r) == 0 { // exceptions of finalizers are dropped
		flag := t.b.Prog.Entities["@ial.in_callback"].(*ir.Global)
		dropped, crossed := b.fork(b.Cmp(ir.OpNE, b.Load(b.ThreadCell(flag), ir.NotAtomic), b.i64(0)))
		b.At(dropped)
		b.Ret()
		b.end()
		b.At(crossed)
	}
	b.fail(ir.FailTrap, "exception crossed native code")
	b.end()
	b.At(next)
	var results []ir.ValueID
	for _, x := range r {
		results = append(results, b.toNative(x, typ.Elem))
	}
	b.Ret(results...)
	b.end()
	b.finish()
}

// tramp makes the native address for a function pointer. Each type of functions has an
// entrance, which is exposed with the function as its cookie.
func (b *body) tramp() {
	from, to := b.in.Src[0].Type, b.in.Target.Type
	v, id := b.src(0), b.types.register(to)
	if from.Conv != module.Standard {
		b.result(b.ptrcast(v, id))
		return
	}
	key := b.ptrcast(b.toAddress(v, from), b.types.i64)
	none, some := b.fork(b.Cmp(ir.OpEQ, key, b.i64(0)))
	name := b.V.Blocks[none].Name
	join := b.Block(name, id)
	b.At(none)
	b.Branch(join, b.Int(id, 0))
	b.end()
	b.At(some)
	addr := b.support("trampoline", key)
	missing, known := b.fork(b.Cmp(ir.OpEQ, addr, b.i64(0)))
	b.At(known)
	b.Branch(join, b.ptrcast(addr, id))
	b.end()
	b.At(missing)
	made := b.BodyBuilder.Expose(b.FuncRef(b.trampoline(from, to)), key)
	made = b.ptrcast(made, id)
	b.support("enter", key, b.ptrcast(made, b.types.i64))
	b.Branch(join, made)
	b.end()
	b.s.Seal(join)
	b.At(join)
	b.result(b.Param(join, 0))
}

// trampoline is the entrance of functions of a type.
func (t *translator) trampoline(from, to *module.Type) *ir.Function {
	if fn := t.entrances[from]; fn != nil {
		return fn
	}
	fn := t.b.Func(t.fresh("@trampoline"), t.types.nativeSig(to))
	fn.Title, fn.Attrs = ir.Bare(fn.Name), ir.Internal
	t.entrances[from] = fn
	sig := t.types.signature(from)
	f := &module.Function{Module: &module.Module{Name: intrinsics}, Name: "trampoline", Result: from.Elem}
	t.entrance(fn, f, from, func(b *body) ir.ValueID {
		return b.FuncAt(sig, b.ptrcast(b.GetCookie(), b.types.word), "")
	})
	return fn
}
