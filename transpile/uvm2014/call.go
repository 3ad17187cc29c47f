package uvm2014

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/symbol"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// keep fills the KEEPALIVE clause.
func (b *body) keep(out *ir.Inst) {
	if !b.in.HasKeep {
		return
	}
	out.HasKeep = true
	for _, n := range b.in.Keep {
		if s := b.local(n); s != nil && s.def >= 0 && b.flow.Index[b.blk] >= 0 && b.infos[s.def].typ != ir.NoType && !b.dominates(s.def, b.blk, b.at) {
			b.errorf(n.Off, "%s is not defined where KEEPALIVE names it", b.name(n))
			continue
		}
		if s := b.local(n); s != nil && s.con != nil && s.con.Type != ir.NoType {
			b.errorf(n.Off, "%s is a constant: KEEPALIVE names parameters and results", b.name(n))
			continue
		}
		if _, val := b.localValue(n); val != 0 {
			b.ssa.Keep(val) // traps show it by its name
			out.Keep = append(out.Keep, val)
		}
	}
}

// exception sets the destinations of an instruction, the last of which is for exceptions.
func (b *body) exception(out *ir.Inst) {
	out.Dests = b.destinations()
	out.Flags |= ir.FlagExc
}

// arguments resolves the arguments of a call after the callee.
func (b *body) arguments(sig ir.TypeID) []ir.ValueID {
	args := b.in.Args[1:]
	params := b.types.At(sig).Fields
	if sig != ir.NoType && len(args) != len(params) {
		b.errorf(b.in.OpOff, "%s wants %s, got %d", b.in.Op, count(len(params), "argument"), len(args))
	}
	vals := b.vals.Make(len(args))
	for i := range args {
		t := ir.NoType
		if i < len(params) {
			t = params[i]
		}
		vals[i] = b.passed(&args[i], t, argument(i))
	}
	return vals
}

// argument is the name of an argument in messages.
func argument(i int) string {
	if i < len(argumentNames) {
		return argumentNames[i]
	}
	return fmt.Sprintf("argument %d", i+1)
}

// argumentNames are the names of arguments that are enough for most calls.
var argumentNames = func() (l [8]string) {
	for i := range l {
		l[i] = fmt.Sprintf("argument %d", i+1)
	}
	return
}()

// callee resolves an operand of type func<sig>. Old bundles call functions that are not
// defined anywhere: callee declares them.
func (b *body) callee(sig ir.TypeID) ir.ValueID {
	v := &b.in.Args[0]
	if sig == ir.NoType {
		_, val := b.value(v, sig)
		return val
	}
	if v.Const == nil && !v.Name.IsZero() && !v.Name.Sym.Local() && b.find(v.Name.Sym) == nil && !b.b.Gaps && !reserved(b.name(v.Name)) {
		b.deviate(b.devs, "undeclared", v.Off, "%s is declared nowhere: it is taken as a function with the signature of the call", b.name(v.Name))
		e := &entity{kind: entFunc, pos: b.b.Pos(v.Off), bundle: b.number, raw: -1, defined: -1, declared: b.number}
		b.set(v.Name.Sym, e)
		b.shows(b.name(v.Name), e)
		e.fn = &ir.Function{Name: b.name(v.Name), Sig: sig, ID: b.takeID(0), Pos: e.pos}
		b.prog.Funcs = append(b.prog.Funcs, e.fn)
		b.prog.Entities[e.fn.Name] = e.fn
		e.typ = b.types.Of(ir.KFuncRef, sig)
		e.con = &ir.Const{Kind: ir.ConstFunc, Func: e.fn, Name: e.fn.Name, ID: e.fn.ID, Pos: e.pos, Type: e.typ}
		b.undeclared = append(b.undeclared, undeclared{v.Name, sig})
	}
	return b.exact(v, b.types.Of(ir.KFuncRef, sig), func() string { return "the callee" })
}

// call makes a CALL, INVOKE or TAILCALL.
func (b *body) call(out *ir.Inst) {
	d := &b.infos[b.at]
	callee := b.callee(d.sig)
	out.Args = append(b.list(callee), b.arguments(d.sig)...)
	switch b.in.Op {
	case syntax.TailCall:
		if d.sig == ir.NoType || b.sig == ir.NoType {
			break
		}
		ret := ir.NoType
		if r := b.types.At(d.sig).Results; len(r) > 0 {
			ret = r[0]
		}
		if ret != b.ret {
			b.errorf(b.in.Sig.Off, "TAILCALL wants the return type of %s, which is %s; found %s", b.name(b.d.Name), b.retText(b.ret), b.retText(ret))
		}
	case syntax.Invoke:
		b.keep(out)
		b.exception(out)
	default:
		b.keep(out)
	}
}

func (b *body) retText(t ir.TypeID) string {
	if t == ir.NoType {
		return "void"
	}
	return b.text(t)
}

// trap makes a TRAP or WATCHPOINT.
func (b *body) trap(out *ir.Inst) {
	d := &b.infos[b.at]
	out.Op = ir.OpTrap
	if d.typ != ir.NoType {
		out.Types = []ir.TypeID{d.typ}
	}
	b.keep(out)
	switch b.in.Op {
	case syntax.Trap:
		b.exception(out)
	case syntax.Watchpoint:
		out.Op = ir.OpWatchpoint
		id := b.in.Imm
		if !id.IsUint64() || id.Lo >= 1<<32 {
			b.errorf(id.Off, "invalid watchpoint %s: it lies in 0 to 2^32-1", b.b.IntText(id))
		}
		out.Imm = id.Lo
		out.Flags |= ir.FlagWPExc
		out.Dests = b.destinations()
	}
}

// ccall makes a CCALL. References become pointers to their objects, which are pinned during the
// call, and a returned pointer becomes a reference before its object is unpinned.
func (b *body) ccall(out *ir.Inst) {
	in, d := b.in, &b.infos[b.at]
	if in.HasKeep {
		b.deviate(b.devs, "KEEPALIVE", cmp.Or(in.KeepOff, in.OpOff), "CCALL takes no KEEPALIVE clause: it has no effect")
	}
	if d.sig == ir.NoType {
		return
	}
	n := b.types.At(d.sig)
	native := ir.Type{Kind: ir.KSig, Fields: slices.Clone(n.Fields), Results: slices.Clone(n.Results)}
	for i, p := range n.Fields {
		if b.isRef(p) {
			native.Fields[i] = b.pointer(p)
		} else if !b.isNative(p) {
			b.errorf(in.Sig.Off, "CCALL: parameter %d has type %s, which C does not have", i+1, b.text(p))
		}
	}
	for i, r := range n.Results {
		if b.isRef(r) {
			native.Results[i] = b.pointer(r)
		} else if !b.isNative(r) {
			b.errorf(in.Sig.Off, "CCALL: the result has type %s, which C does not have", b.text(r))
		}
	}
	sig := b.types.Intern(native)
	fp := b.types.Of(ir.KUFuncPtr, sig)
	callee := b.nativeCallee(fp)
	args := b.list(callee)
	var pinned []ir.Inst
	pin := func(val ir.ValueID, t ir.TypeID) ir.ValueID {
		pinned = append(pinned, ir.Inst{Op: ir.OpUnpin, Ty: t, Args: b.list(val)})
		return b.one(ir.Inst{Op: ir.OpPin, Ty: t, Args: b.list(val)}, b.pointer(t))
	}
	if len(in.Args)-1 != len(n.Fields) {
		b.errorf(in.OpOff, "CCALL wants %s, got %d", count(len(n.Fields), "argument"), len(in.Args)-1)
		return
	}
	for i, p := range n.Fields {
		v := &in.Args[1+i]
		if p == b.word && v.Const == nil {
			// Old bundles pass references where the native function expects an address.
			have, val := b.value(v, p)
			if b.isRef(have) {
				b.deviate(b.devs, "reference for int<64>", v.Off, "%s: %s wants int<64>, found %s: its address is passed", b.valueText(v), argument(i), b.text(have))
				ptr := pin(val, have)
				args = append(args, b.one(ir.Inst{Op: ir.OpPtrCast, Ty: b.pointer(have), Ty2: b.word, Args: b.list(ptr)}, b.word))
				continue
			} else if b.kind(have) == ir.KStackRef {
				b.deviate(b.devs, "stack for int<64>", v.Off, "%s: %s wants int<64>, found stack: a stack has no address here, 0 is passed", b.valueText(v), argument(i))
				args = append(args, b.zero(b.word))
				continue
			}
		}
		val := b.passed(v, p, argument(i))
		if b.isRef(p) {
			val = pin(val, p)
		}
		args = append(args, val)
	}
	*out = ir.Inst{Op: ir.OpCCall, Ty: fp, Sig: sig, Args: args}
	if d.typ != ir.NoType && b.isRef(d.typ) {
		b.finishAs(*out, b.pointer(d.typ), ir.OpRefAt)
	} else {
		b.finish(out)
	}
	for _, u := range pinned {
		b.add(u)
	}
}

// isRef reports whether a type is a ref or iref, which C sees as a pointer.
func (b *body) isRef(t ir.TypeID) bool { return b.kind(t) == ir.KRef || b.kind(t) == ir.KIRef }

// pointer is the type of the pointers that C sees instead of a ref or iref.
func (b *body) pointer(t ir.TypeID) ir.TypeID { return b.types.Of(ir.KUPtr, b.types.At(t).Elem) }

// nativeCallee is the callee of a CCALL, which is an address, as a pointer.
func (b *body) nativeCallee(fp ir.TypeID) ir.ValueID {
	v := &b.in.Args[0]
	if v.Const == nil && !v.Name.Sym.Local() && b.find(v.Name.Sym) == nil && !b.b.Gaps && !reserved(b.name(v.Name)) {
		native := strings.TrimPrefix(strings.TrimPrefix(b.name(v.Name), "@"), "_")
		if why := symbol.Fault(native); why != "" {
			b.errorf(v.Off, "%s is defined nowhere and is no native symbol: %s", b.name(v.Name), why)
			return 0
		}
		b.deviate(b.devs, "native name", v.Off, "%s is defined nowhere: it is taken as the native symbol %s", b.name(v.Name), native)
		return b.v.ConstValue(b.extern(fp, native))
	}
	val := b.operand(v, b.word, "the callee")
	return b.one(ir.Inst{Op: ir.OpPtrCast, Ty: b.word, Ty2: fp, Args: b.list(val)}, fp)
}

// isNative reports whether a type can be that of a parameter or result in C.
func (b *body) isNative(t ir.TypeID) bool {
	n := b.types.At(t)
	switch n.Kind {
	case ir.KInt:
		return n.Bits == 8 || n.Bits == 16 || n.Bits == 32 || n.Bits == 64
	case ir.KFloat, ir.KDouble:
		return true
	case ir.KStruct:
		for _, f := range n.Fields {
			if !b.isNative(f) {
				return false
			}
		}
		return len(n.Fields) > 0
	}
	return false
}

// newStack makes a NEWSTACK, which binds the function and the arguments immediately.
func (b *body) newStack(out *ir.Inst) {
	d := &b.infos[b.at]
	callee := b.callee(d.sig)
	args := b.arguments(d.sig)
	if d.sig == ir.NoType {
		return
	}
	if len(args) > 0 || !b.defines(&b.in.Args[0]) {
		out.Op = ir.OpNewStackWith
	}
	out.Args = append(b.list(callee), args...)
	b.finish(out)
}

// defines reports whether an operand names a function that has a definition.
func (b *body) defines(v *syntax.Value) bool {
	if v.Const != nil || v.Name.Sym.Local() {
		return false
	}
	e := b.find(v.Name.Sym)
	return e != nil && e.defined >= 0
}

// An intrinsicRow describes an intrinsic function.
type intrinsicRow struct {
	params []func(*loader) ir.TypeID
	result func(*loader) ir.TypeID // nil if there is none
	throws bool
	osr    bool // its KEEPALIVE has a meaning
	ends   bool // never returns
	op     ir.Op
}

func (l *loader) stackType() ir.TypeID  { return l.stack }
func (l *loader) threadType() ir.TypeID { return l.thread }
func (l *loader) taggedType() ir.TypeID { return l.tagged }
func (l *loader) boolType() ir.TypeID   { return l.i1 }
func (l *loader) doubleType() ir.TypeID { return l.types.Double() }
func (l *loader) int52() ir.TypeID      { return l.types.Int(52) }
func (l *loader) int6() ir.TypeID       { return l.types.Int(6) }
func (l *loader) refVoid() ir.TypeID    { return l.exc }

// intrinsics are the intrinsic functions by name.
var intrinsics = func() map[string]*intrinsicRow {
	type p = []func(*loader) ir.TypeID
	m := map[string]*intrinsicRow{
		"@uvm.new_thread":    {params: p{(*loader).stackType}, result: (*loader).threadType},
		"@uvm.swap_stack":    {params: p{(*loader).stackType}, throws: true, osr: true},
		"@uvm.kill_stack":    {params: p{(*loader).stackType}},
		"@uvm.swap_and_kill": {params: p{(*loader).stackType}, ends: true},
		"@uvm.thread_exit":   {ends: true},
		"@uvm.current_stack": {result: (*loader).stackType},
		"@uvm.tr64.is_fp":    {params: p{(*loader).taggedType}, result: (*loader).boolType},
		"@uvm.tr64.is_int":   {params: p{(*loader).taggedType}, result: (*loader).boolType},
		"@uvm.tr64.is_ref":   {params: p{(*loader).taggedType}, result: (*loader).boolType},
		"@uvm.tr64.from_fp":  {params: p{(*loader).doubleType}, result: (*loader).taggedType},
		"@uvm.tr64.from_int": {params: p{(*loader).int52}, result: (*loader).taggedType},
		"@uvm.tr64.from_ref": {params: p{(*loader).refVoid, (*loader).int6}, result: (*loader).taggedType},
		"@uvm.tr64.to_fp":    {params: p{(*loader).taggedType}, result: (*loader).doubleType},
		"@uvm.tr64.to_int":   {params: p{(*loader).taggedType}, result: (*loader).int52},
		"@uvm.tr64.to_ref":   {params: p{(*loader).taggedType}, result: (*loader).refVoid},
		"@uvm.tr64.to_tag":   {params: p{(*loader).taggedType}, result: (*loader).int6},
	}
	for _, name := range []string{"@uvm.sin", "@uvm.cos", "@uvm.tan", "@uvm.sqrt"} {
		m[name] = &intrinsicRow{params: p{(*loader).doubleType}, result: (*loader).doubleType}
	}
	ops := map[string]ir.Op{}
	for _, s := range ir.Spellings("uvm2014") {
		ops[s.Name] = s.Op
	}
	for name, row := range m {
		row.op = ops[name]
	}
	return m
}()

// intrinsic makes an ICALL or IINVOKE.
func (b *body) intrinsic(out *ir.Inst) {
	in, d := b.in, &b.infos[b.at]
	f := intrinsics[b.name(in.Intrinsic)]
	if f == nil {
		return
	}
	if len(in.Args) != len(f.params) {
		b.errorf(in.OpOff, "%s: %s wants %s, got %d", in.Op, b.name(in.Intrinsic), count(len(f.params), "argument"), len(in.Args))
		return
	}
	var args []ir.ValueID
	for i, p := range f.params {
		t := p(b.loader)
		if t == b.exc {
			args = append(args, b.object(&in.Args[i], argument(i)))
		} else {
			args = append(args, b.passed(&in.Args[i], t, argument(i)))
		}
	}
	if in.HasKeep && !f.osr {
		b.deviate(b.devs, "KEEPALIVE", cmp.Or(in.KeepOff, in.OpOff), "%s is nowhere that frames are looked at: its KEEPALIVE clause has no effect", b.name(in.Intrinsic))
	}
	if b.emit && f.op == ir.OpInvalid {
		b.errorf(in.OpOff, "internal error: no operation for %s", b.name(in.Intrinsic))
		return
	}
	*out = ir.Inst{Op: f.op, Args: args}
	switch b.name(in.Intrinsic) {
	case "@uvm.swap_and_kill":
		out.Flags |= ir.FlagKillOld
	case "@uvm.swap_stack":
		b.keep(out)
	case "@uvm.sin", "@uvm.cos", "@uvm.tan", "@uvm.sqrt":
		out.Ty = d.typ
	}
	switch {
	case in.Op == syntax.IInvoke && f.throws:
		b.exception(out)
		b.finish(out)
	case in.Op == syntax.IInvoke:
		b.finish(out)
		if b.emit && !f.ends {
			d.inst = b.add(ir.Inst{Op: ir.OpBranch, Dests: []ir.Dest{b.dest(0)}})
			if x, ok := b.vars[b.at]; ok {
				b.ssa.Def(b.cur, x, d.val)
			}
		}
	default:
		b.finish(out)
	}
}

// print translates the printing instructions of old bundles to calls of native functions.
func (b *body) print() {
	in := b.in
	call := func(symbol string, params []ir.TypeID, results []ir.TypeID, args ...ir.ValueID) {
		sig := b.types.Sig(params, results)
		fp := b.types.Of(ir.KUFuncPtr, sig)
		callee := b.v.ConstValue(b.extern(fp, symbol))
		b.add(ir.Inst{Op: ir.OpCCall, Ty: fp, Sig: sig, Args: append(b.list(callee), args...)}, results...)
	}
	switch in.Op {
	case syntax.PrintInt64, syntax.PrintPtr:
		symbol := "uvmPrintInt64"
		if in.Op == syntax.PrintPtr {
			symbol = "uvmPrintPtr"
		}
		call(symbol, []ir.TypeID{b.word}, nil, b.operand(&in.Args[0], b.word, in.Op.String()))
	default:
		i32 := b.types.Int(32)
		for _, c := range []byte(in.Text + "\n") {
			ch := b.v.ConstValue(b.literal(ir.Const{Kind: ir.ConstInt, Type: i32, Lo: uint64(c)}))
			call("putchar", []ir.TypeID{i32}, []ir.TypeID{i32}, ch)
		}
	}
}
