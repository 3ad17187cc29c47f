package lower

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/internal/clib"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// ccall emits CCALL.
func (e *fn) ccall(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	if c := e.v.Values[e.plan.Alias[in.Args[0]]].Const; e.Opt.Sandbox && c != nil && c.Kind == ir.ConstExtern && c.Sym == "write" {
		e.guardedWrite(out, id, in, next)
		return
	}
	if row, ok := e.direct(in); ok {
		e.directCall(out, in, row, next)
		return
	}
	e.rest(out, id, in)
	if in.Has(ir.FlagUnsure) {
		out.Do(rt("CheckNative", tVar, e.expr(in.Args[0]), repr.CSigRow(e.CSig(in.Sig)), str(e.v.SiteName(id))))
	}
	if e.Cgo {
		e.cgoCall(out, id, in, next)
		return
	}
	e.pass(out, in.Args[1:])
	out.Do(rt("CCall", tVar, e.expr(in.Args[0]), repr.CSigRow(e.CSig(in.Sig)), str(e.v.SiteName(id))))
	e.resumed(out, in)
	e.normal(out, in, next)
}

// guardedWrite emits a call of write by the runtime, which checks what memory it reads. Package sandbox has checked the
// number of operands.
func (e *fn) guardedWrite(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	args := []expr{tVar}
	for i, want := range []goT{gotree.Uint32, gotree.Uintptr, gotree.Uint64} {
		args = append(args, e.directArg(in.Args[i+1], want))
	}
	x := rtInt("GuardedWrite", append(args, str(e.v.SiteName(id)))...)
	if len(in.Results) == 1 && e.plan.Used[in.Results[0]] {
		e.set(out, in.Results[0], e.directResult(x, 'l', e.v.Values[in.Results[0]].Type))
	} else {
		out.Do(x)
	}
	e.normal(out, in, next)
}

// direct is the row of a callee that is called as a Go function, if any. The runtime calls those that in turn call
// functions.
func (e *fn) direct(in *ir.Inst) (clib.Row, bool) {
	c := e.v.Values[e.plan.Alias[in.Args[0]]].Const
	if c == nil || c.Kind != ir.ConstExtern {
		return clib.Row{}, false
	}
	row, ok := clib.Table[c.Sym]
	if !ok || row.Has(clib.Calls) || e.Cgo && !e.inGoAnyway(c.Sym, row) {
		return clib.Row{}, false
	}
	return row, e.fitsNative(row, in)
}

// inGoAnyway reports whether a program made for cgo calls the function in Go all
// the same.
func (e *fn) inGoAnyway(sym string, row clib.Row) bool {
	switch {
	case repr.ErrnoSymbols[sym]:
		return true
	case row.Has(clib.Pure | clib.Exact | clib.Own):
		return true
	case row.Has(clib.Own):
		return !e.Opt.Libs
	}
	return !e.Opt.NativeC && row.Has(clib.Pure|clib.Exact)
}

// fitsNative reports whether a bundle's signature can call the Go function:
// enough parameters, each a number or pointer where C has one.
func (e *fn) fitsNative(row clib.Row, in *ir.Inst) bool {
	sig := row.Signature()
	params := sig.Params
	n := len(in.Args) - 1
	if n < sig.Least || n > len(params) && !sig.Variadic {
		return false
	}
	for i, a := range in.Args[1:] {
		want := byte('l')
		if i < len(params) {
			want = params[i]
		}
		got := e.CLetter(e.v.Values[a].Type)
		if fp := want == 'f' || want == 'd'; fp && got != string(want) || !fp && i < len(params) && (got == "f" || got == "d") || len(got) > 1 {
			return false
		}
	}
	return true
}

// nativeArg converts an argument to the parameter of a native served in Go. As for C, narrow
// integers are extended by sign to 32 bits.
func nativeArg(x expr, have, want goT, isConst bool) expr {
	if isConst {
		x = opaque(x) // Go refuses constants that do not fit
	}
	if want != gotree.Uint8 && want != gotree.Uint16 && (have == gotree.Uint8 || have == gotree.Uint16) {
		narrow := gotree.Int8
		if have == gotree.Uint16 {
			narrow = gotree.Int16
		}
		if x = conv(gotree.Uint32, conv(narrow, x)); want == gotree.Uint32 {
			return x
		}
	}
	return conv(want, x)
}

// directCall emits a call of a native served in Go.
func (e *fn) directCall(out *code, in *ir.Inst, row clib.Row, next ir.BlockID) {
	sig := row.Signature()
	params, result := sig.Params, sig.Result
	var args []expr
	switch {
	case row.Has(clib.Waits):
		args = append(args, rt("Errno", tVar))
	case sig.Errno:
		args = append(args, e.errnoArg())
	}
	fixed := len(args) + len(params)
	for i, a := range in.Args[1:] {
		want := gotree.Uint64
		if i < len(params) {
			want = repr.CTypes[params[i]]
		}
		args = append(args, e.directArg(a, want))
	}
	for i := len(in.Args) - 1; i < len(params); i++ {
		args = append(args, zero)
	}
	if sig.Variadic {
		args = append(args[:fixed:fixed], wordList(args[fixed:]))
	}
	x := call(qual("libc", row.Go), args...)
	blocks := row.Has(clib.Blocks)
	if blocks {
		out.Do(method(dot(tVar, "Th"), "EnterSafe"))
	}
	leave := func() {
		if blocks {
			out.Do(method(dot(tVar, "Th"), "LeaveSafe"))
		}
	}
	switch {
	case len(in.Results) == 1 && e.plan.Used[in.Results[0]] && result != 'v':
		if blocks {
			v := e.scope.Local("v")
			out.Define(v, repr.CTypes[result], x)
			x = name(v)
			leave()
		}
		e.set(out, in.Results[0], e.directResult(x, result, e.v.Values[in.Results[0]].Type))
	default:
		out.Do(x)
		if len(in.Results) == 1 && e.plan.Used[in.Results[0]] {
			e.set(out, in.Results[0], conv(e.GoType(e.v.Values[in.Results[0]].Type), zero))
		}
		leave()
	}
	e.normal(out, in, next)
}

// directArg is an operand as a parameter of a native served in Go.
func (e *fn) directArg(a ir.ValueID, want goT) expr {
	x, have := e.typed(a), e.GoType(e.v.Values[a].Type)
	switch {
	case have == gotree.BoolType:
		x, have = rt("B2U", x), gotree.Uint64
	case have == gotree.Float64 && want == gotree.Uint64:
		return bits64(x)
	case have == gotree.Float32 && want == gotree.Uint64:
		return bits64(conv(gotree.Float64, x))
	case have == u128:
		x, have = dot(x, "Lo"), gotree.Uint64
	}
	if have != want {
		return nativeArg(x, have, want, e.isConst(a))
	}
	return x
}

// directResult is the result of a native served in Go as a value of a type.
func (e *fn) directResult(x expr, result byte, ty ir.TypeID) expr {
	t := e.GoType(ty)
	switch {
	case t == gotree.BoolType:
		return odd(x)
	case t == u128:
		return numCall("From64", conv(gotree.Uint64, x))
	case t == repr.CTypes[result]:
		return x
	case e.Kind(ty) == ir.KInt:
		return masked(conv(t, x), e.At(ty).Bits)
	}
	return conv(t, x)
}

// errnoArg is the cell in which a native served in Go stores error numbers: none where nothing can read it,
// so that a square root stays an instruction.
func (e *fn) errnoArg() expr {
	if e.Errno {
		return rt("Errno", tVar)
	}
	return zero
}

// wordList is the Go expression of further arguments, which a variadic native takes as a list of words.
func wordList(words []expr) expr {
	if len(words) == 0 {
		return gotree.Nil
	}
	return composite(gotree.SliceOf(gotree.Uint64), elems(words)...)
}

// cgoCall emits a CCALL of a program made for cgo.
func (e *fn) cgoCall(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	k := e.CSig(in.Sig)
	args := []expr{tVar}
	var callee string
	if c := e.v.Values[e.plan.Alias[in.Args[0]]].Const; e.isC(c) {
		callee = e.CCallSymbol(k, c)
	} else {
		callee = e.CCallName(k)
		f := e.temp(out, in.Args[0])
		args = append(args, f)
		if c == nil || c.Kind != ir.ConstExtern && c.Kind != ir.ConstExpose {
			null := out.Sub()
			e.rtFail(null, id, "NullFunc", "calling native code at NULL")
			out.If(eq(f, zero), null, nil)
		}
	}
	for _, a := range in.Args[1:] {
		ty := e.v.Values[a].Type
		e.EachLeaf(ty, e.whole(out, ty, a), func(x expr, _ ir.TypeID) { args = append(args, x) })
	}
	x := call(name(callee), args...)
	if len(in.Results) == 0 || !e.plan.Used[in.Results[0]] {
		out.Do(x)
	} else if r := in.Results[0]; e.Kind(e.v.Values[r].Type) == ir.KStruct {
		ty := e.v.Values[r].Type
		v := e.scope.Local("v")
		out.Var(e.GoType(ty), v)
		var leaves []expr
		e.EachLeaf(ty, name(v), func(x expr, _ ir.TypeID) { leaves = append(leaves, x) })
		out.SetAll(leaves, []expr{x})
		e.set(out, r, name(v))
	} else {
		e.set(out, r, x)
	}
	exc := out.Sub()
	e.caught(exc, in, in.ExcDest())
	out.If(thrown(), exc, nil)
	e.normal(out, in, next)
}

// isC reports whether a callee, nil if it is no constant, is a symbol that the C linker
// resolves.
func (e *fn) isC(c *ir.Const) bool {
	return c != nil && c.Kind == ir.ConstExtern && !repr.GoOnly(c.Sym) && !e.GoNative(c.Sym)
}
