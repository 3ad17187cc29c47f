package tvm

import (
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/internal/clib"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/tvm/check"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
)

// External functions are native symbols with the names of the functions: functions of the C library that
// the runtime implements in Go, Go functions that a client registers, or symbols that a linker finds in the
// given libraries. Without libraries, symbols that no option names as registered by a client are looked up
// at the first call.

// native makes the body of an external function: it calls the native symbol of its name, or fails.
func (b *body) native(g *check.Global, a *abi) {
	name := g.Name[1:]
	row, inC := clib.Table[name]
	params, result, ok := b.types.natives(a)
	switch {
	case inC && !(ok && fits(row.Signature(), params, result)):
		b.Fail(ir.FailNative, "external function "+g.Name+" has other types than "+name+" in C")
		return
	case !ok:
		b.Fail(ir.FailNative, "unresolved external function "+g.Name)
		return
	}
	var types, results []ir.TypeID
	var args []ir.ValueID
	for i, l := range params {
		v := b.toMemory(b.Param(0, i), l)
		if inC && i < len(row.Signature().Params) {
			v = b.extended(v, l, row.Signature().Params[i])
		}
		args, types = append(args, v), append(types, b.BodyBuilder.TypeOf(v))
	}
	for _, l := range result {
		results = append(results, l.mem)
	}
	id := b.Types.Of(ir.KUFuncPtr, b.Types.Sig(types, results))
	var callee ir.ValueID
	if inC || b.inLibrary(g) || slices.Contains(b.registered, name) {
		callee = b.Const(b.ExternConst(id, name))
	} else {
		callee = b.Conv(ir.OpPtrCast, b.lookUp(name, "unresolved external function "+g.Name), id)
	}
	given := b.CCall(callee, args...)
	var out []ir.ValueID
	for i, l := range result {
		out = append(out, b.fromMemory(given[i], l))
	}
	b.Ret(out...)
}

// inLibrary reports whether the linker must find a global, because no module defines it.
func (t *translator) inLibrary(g *check.Global) bool {
	return t.linked && !slices.Contains(t.registered, g.Name[1:])
}

// lookUp is the address of the function that Go code has registered under a name. A cell has it after the first call.
func (b *body) lookUp(name, missing string) ir.ValueID {
	word := b.types.word
	cell := b.GlobalRef(b.b.Global(b.fresh("tvm.symbol"), word))
	known := b.Load(cell, ir.Acquire)
	label := b.V.Blocks[b.Current()].Name
	first, found := b.Block(label), b.Block(label, word)
	b.Branch2(b.Cmp(ir.OpEQ, known, b.Int(word, 0)), ir.To(first), ir.To(found, known))
	b.At(first)
	c := b.b.Bytes(name + "\x00")
	text := b.b.Global(b.fresh("tvm.name"), c.Type)
	text.Init, text.ReadOnly = c, true
	finder := b.ExternConst(b.Types.Of(ir.KUFuncPtr, b.Types.Sig([]ir.TypeID{word}, []ir.TypeID{word})), "uvmRegistered")
	addr := b.CCall(b.Const(finder), b.addressOf(b.GlobalRef(text)))[0]
	have, none := b.Block(label), b.Block(label)
	b.Branch2(b.Cmp(ir.OpNE, addr, b.Int(word, 0)), ir.To(have), ir.To(none))
	b.At(none)
	b.Fail(ir.FailNative, missing)
	b.At(have)
	b.Store(cell, addr, ir.Release)
	b.Branch(found, addr)
	b.At(found)
	return b.Param(found, 0)
}

// natives are the scalars of the parameters and of the result of a native function; ok reports whether
// it can be called in this way.
func (ts *types) natives(a *abi) (params, result []leaf, ok bool) {
	for _, p := range append(slices.Clone(a.params), a.result) {
		r := ts.rep(p)
		if !r.flat || len(r.leaves) > 1 || ts.whole(r) {
			return nil, nil, false
		}
		for _, l := range r.leaves {
			if l.prim.IsInt() && l.prim.Bits() > 64 {
				return nil, nil, false
			}
		}
		params = append(params, r.leaves...)
		result = r.leaves
	}
	return params[:len(params)-len(result)], result, true
}

// fits reports whether a C function has these scalars as parameters and as result.
func fits(sig clib.Sig, params, result []leaf) bool {
	class := func(class byte, l leaf) bool {
		switch class {
		case 'f':
			return l.prim == op.FP32
		case 'd':
			return l.prim == op.FP64
		}
		return class != 'v' && !l.prim.IsFloat()
	}
	if len(params) < sig.Least || len(params) > len(sig.Params) && !sig.Variadic || len(result) > 0 && !class(sig.Result, result[0]) {
		return false
	}
	for i, c := range []byte(sig.Params[:min(len(params), len(sig.Params))]) {
		if !class(c, params[i]) {
			return false
		}
	}
	return true
}

// extended is an argument extended to the width of the C type, by the sign of its type.
func (b *body) extended(v ir.ValueID, l leaf, class byte) ir.ValueID {
	to := b.Types.Int(8 << max(0, strings.IndexByte("bhil", class)))
	have := b.Types.At(l.mem)
	switch {
	case have.Kind != ir.KInt || have.Bits >= b.Types.At(to).Bits:
		return v
	case l.prim.IsInt() && l.prim.Signed():
		return b.Conv(ir.OpSExt, v, to)
	}
	return b.Conv(ir.OpZExt, v, to)
}
