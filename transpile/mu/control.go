package mu

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// valueTypes resolves a list of types of values.
func (b *body) valueTypes(names []syntax.Name) []ir.TypeID {
	if len(names) == 0 {
		return nil
	}
	out := make([]ir.TypeID, len(names))
	for i, n := range names {
		t := b.typeOf(n)
		if t != ir.NoType && !b.info.isValue(t) {
			b.errorf(n.Off, "%s: invalid type in the type list of %s: %s is not a type of values", b.name(n), b.opName(), b.info.notValue(t))
			t = ir.NoType
		}
		out[i] = t
	}
	return out
}

// trapOrBranch checks the instructions that have no operands except those of their
// destinations.
func (b *body) trapOrBranch() {
	in := b.in
	if id := in.Int; id != nil {
		if !id.IsUint64() || id.Lo == 0 || id.Lo >= 1<<32 {
			b.errorf(id.Off, "%s: invalid watchpoint %s: it must lie in 1 to 2^32-1", b.opName(), b.b.Literal(id))
		}
		b.out.Imm = id.Lo
	}
	if in.Op == syntax.OpTrap || in.Op == syntax.OpWatchpoint {
		b.out.Types = b.valueTypes(in.Types)
		if in.Flags&syntax.HasWPEx != 0 {
			b.out.Flags |= ir.FlagWPExc
		}
	}
}

// switchInst checks a SWITCH.
func (b *body) switchInst() {
	in := b.in
	t := b.restrict(0, b.typeArg(0), false, isEQ, "an EQ-comparable type (int, pointer or reference, but not weakref)")
	b.out.Ty = t
	b.out.Args = b.alloc(len(in.Args))
	b.out.Args[0] = b.arg(in.Args[0], t, 0, role{})
	seen := make(map[ir.ConstKey]syntax.Name, len(in.Args)-1)
	for i, n := range in.Args[1:] {
		val := b.value(n)
		v := b.v.Values[val]
		if val == 0 || v.Type == ir.NoType {
			continue
		}
		if v.Kind != ir.ValueConst || v.Const.Name == "" && !b.inline[n.Sym] {
			b.errorf(n.Off, "%s is a local variable: the keys of a SWITCH are constants", b.name(n))
			continue
		}
		key := v.Const
		if key.Type != t && t != ir.NoType {
			d := b.accept(n, key.Type, t, 0, role{text: "the key"})
			switch d {
			case devA, devB:
				val = b.v.ConstValue(retyped(key, t))
			case devI:
				val = b.null(t)
			default:
				continue
			}
			key = b.v.Values[val].Const
		}
		b.out.Args[1+i] = val
		k := key.Key()
		if prev, ok := seen[k]; ok {
			b.errorf(n.Off, "%s: duplicate key in SWITCH", b.name(n)).Also(b.b.Pos(prev.Off), "previous key "+b.name(prev))
			continue
		}
		seen[k] = n
	}
}

// signature returns parameters and results of a signature; both nil if unknown.
func (b *body) signature(sig ir.TypeID) (params, results []ir.TypeID) {
	n := b.types.At(sig)
	return n.Fields, n.Results
}

// callee resolves an operand of type funcref<sig>. For a function that is known
// here, only a signature of the same machine classes is accepted (README, point 13).
func (b *body) callee(n syntax.Name, sig ir.TypeID, r role) ir.ValueID {
	if sig == ir.NoType {
		return b.value(n)
	}
	want := b.types.Of(ir.KFuncRef, sig)
	val := b.value(n)
	v := b.v.Values[val]
	if v.Kind != ir.ValueConst || v.Const.Kind != ir.ConstFunc || v.Type == want || v.Type == ir.NoType {
		return b.arg(n, want, 0, r)
	}
	real := v.Const.Func.Sig
	format := "%s: %s has signature %s, but the function has %s"
	if !b.info.sameSigClass(real, sig) {
		b.errorf(n.Off, format, b.name(n), b.roleText(r), b.types.String(sig), b.types.String(real))
		return 0
	}
	b.deviate(&b.devs, devS, n.Off, format, b.name(n), b.roleText(r), b.types.String(sig), b.types.String(real))
	return b.convert(val, want, devA)
}

// arguments resolves the arguments of a call after the callee.
func (b *body) arguments(callee ir.ValueID, sig ir.TypeID) {
	in := b.in
	params, _ := b.signature(sig)
	args := in.Args[1:]
	if sig != ir.NoType && len(args) != len(params) {
		what := b.opName() + ": " + b.name(in.Sig)
		if b.nameless(in.Sig.Sym) {
			what = "call of " + b.name(in.Args[0])
		}
		b.errorf(in.OpOff, "%s wants %s, got %d", what, count(len(params), "argument"), len(args))
		params = nil
	}
	b.out.Sig = sig
	list := b.alloc(1 + len(args))
	list[0] = callee
	for i, n := range args {
		if i < len(params) {
			list[1+i] = b.arg(n, params[i], useInt, role{text: "argument %d", i: i + 1})
		} else {
			list[1+i] = b.value(n)
		}
	}
	b.out.Args = list
}

// call checks a CALL.
func (b *body) call() {
	sig := b.sigOf(b.in.Sig)
	b.arguments(b.callee(b.in.Args[0], sig, role{}), sig)
	b.vague = sig == ir.NoType
}

// tailCall checks a TAILCALL. Results whose types differ from those of the calling
// function only in a type parameter are taken to have the latter types.
func (b *body) tailCall() {
	in := b.in
	sig := b.sigOf(in.Sig)
	callee := b.callee(in.Args[0], sig, role{})
	params, results := b.signature(sig)
	if _, want := b.signature(b.sig); sig != ir.NoType && b.sig != ir.NoType && !equalTypes(results, want) {
		d := devNone
		if len(results) != len(want) {
			d = devBad
		} else {
			for i := range results {
				if d != devBad && results[i] != want[i] {
					if d = b.classify(results[i], want[i], 0); d != devA && d != devB {
						d = devBad
					}
				}
			}
		}
		format := "%s: TAILCALL wants the result types of %s, which has %s; got %s"
		args := []any{b.name(in.Sig), b.name(b.d.Name), b.types.Structure(b.sig, 2), b.types.Structure(sig, 2)}
		if d == devBad {
			b.errorf(in.Sig.Off, format, args...)
		} else {
			b.deviate(&b.devs, d, in.Sig.Off, format, args...)
			sig = b.types.Sig(params, want)
			if callee != 0 {
				callee = b.recast(callee, b.types.Of(ir.KFuncRef, sig))
			}
		}
	}
	b.arguments(callee, sig)
}

func equalTypes(a, b []ir.TypeID) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// ret checks a RET.
func (b *body) ret() {
	in := b.in
	_, want := b.signature(b.sig)
	if b.sig != ir.NoType && len(want) != len(in.Args) {
		b.errorf(in.OpOff, "RET: %s returns %s, got %d", b.name(b.d.Name), count(len(want), "value"), len(in.Args))
		want = nil
	}
	b.out.Args = b.alloc(len(in.Args))
	for i, n := range in.Args {
		if i < len(want) {
			b.out.Args[i] = b.arg(n, want[i], 0, role{text: "value %d", i: i + 1})
		} else {
			b.out.Args[i] = b.value(n)
		}
	}
}

// ccall checks a CCALL.
func (b *body) ccall() {
	in := b.in
	if x := in.Ext; x != nil {
		b.callConv(x.Flags)
	}
	t, sig := b.typeArg(0), b.sigOf(in.Sig)
	if t != ir.NoType && !isPointer(b.types.Kind(t)) {
		t = b.badType(0, "a ufuncptr")
	}
	if sig == ir.NoType {
		b.arguments(b.value(in.Args[0]), sig)
		b.vague = true
		return
	}
	b.checkNative(&b.devs, in.Sig, sig)
	want := b.types.Of(ir.KUFuncPtr, sig)
	if t != ir.NoType && t != want {
		b.deviate(&b.devs, devL, in.Types[0].Off, "%s: CCALL wants ufuncptr<%s>, got %s", b.name(in.Types[0]), b.name(in.Sig), b.types.Structure(t, 2))
	}
	b.out.Ty = want
	var callee ir.ValueID
	if t != ir.NoType {
		callee = b.value(in.Args[0])
		if have := b.v.Values[callee].Type; have != ir.NoType && have != want {
			if have != t || t == want {
				callee = b.arg(in.Args[0], want, 0, role{})
			} else {
				callee = b.convert(callee, want, devB) // the deviation was reported for the type
			}
		}
	} else {
		callee = b.value(in.Args[0])
	}
	b.arguments(callee, sig)
}

// callConv checks the flags of an instruction that has one calling convention.
func (b *body) callConv(flags []syntax.Name) {
	for _, f := range flags {
		if s := b.name(f); s != "#DEFAULT" {
			b.errorf(f.Off, "%s: unknown calling convention of %s, want #DEFAULT", s, b.opName())
		}
	}
}

// checkNative checks that a signature can be called from, or call, native code: known C types, at
// most one result. n is the name to report it at. d counts the references that a CCALL passes, a
// deviation; nil means that the function is exposed: native code has no references to pass to it.
func (l *loader) checkNative(d *deviations, n syntax.Name, sig ir.TypeID) {
	t := l.types.At(sig)
	if len(t.Results) > 1 {
		l.errorf(n.Off, "%s: a native function has at most one result, got %d", l.name(n), len(t.Results))
		return
	}
	for i, p := range append(append([]ir.TypeID(nil), t.Fields...), t.Results...) {
		if l.isNative(p, false) {
			continue
		}
		role := "parameter " + itoa(i+1)
		if i == len(t.Fields) {
			role = "result"
		}
		switch {
		case !l.isNative(p, true):
			l.errorf(n.Off, "%s: %s of a native function has type %s (%s), which C does not have", l.name(n), role, l.types.String(p), l.types.Structure(p, 2))
			return
		case d == nil:
			l.errorf(n.Off, "%s: %s of an exposed function has type %s, which is not native-safe; pass a pointer, for example of @uvm.native.pin", l.name(n), role, l.types.String(p))
			return
		default:
			l.deviate(d, devM, n.Off, "%s: %s of a native function has type %s, which is not native-safe", l.name(n), role, l.types.String(p))
		}
	}
}

// isNative reports whether a type has a C type as parameter or result; if references
// is set, whether it would if references were pointers.
func (l *loader) isNative(id ir.TypeID, references bool) bool {
	n := l.types.At(id)
	switch n.Kind {
	case ir.KInt:
		return n.Bits == 8 || n.Bits == 16 || n.Bits == 32 || n.Bits == 64
	case ir.KFloat, ir.KDouble, ir.KUPtr, ir.KUFuncPtr, ir.KInvalid:
		return true
	case ir.KStruct:
		for _, f := range n.Fields {
			for l.types.Kind(f) == ir.KArray {
				f = l.types.At(f).Elem
			}
			if !l.isNative(f, references) {
				return false
			}
		}
		return true
	case ir.KVector, ir.KArray, ir.KVoid, ir.KHybrid:
		return false
	}
	return references
}

// stackInst checks NEWTHREAD and SWAPSTACK.
func (b *body) stackInst() {
	in, x := b.in, b.in.Ext
	args := b.alloc(1)
	args[0] = b.arg(in.Args[0], b.info.stack, 0, role{text: "the stack"})
	if x == nil {
		b.out.Args = args
		return
	}
	if !x.ThreadLocal.IsZero() {
		b.out.Flags |= ir.FlagThreadLocal
		args = append(args, b.objectArg(x.ThreadLocal, role{text: "the thread-local reference"}))
	}
	switch x.New {
	case syntax.ThrowExc:
		b.out.Flags |= ir.FlagThrowExc
		args = append(args, b.objectArg(x.Throw, role{text: "the exception"}))
	case syntax.PassValues:
		types := b.valueTypes(x.PassTypes)
		if len(types) != len(x.PassArgs) {
			b.errorf(x.NewOff, "PASS_VALUES has %s, got %s", count(len(types), "type"), count(len(x.PassArgs), "value"))
		}
		for i, n := range x.PassArgs {
			val := b.value(n)
			args = append(args, val)
			have := b.v.Values[val].Type
			if i < len(types) && have != types[i] && have != ir.NoType && types[i] != ir.NoType {
				b.deviate(&b.devs, devJ, n.Off, "%s: PASS_VALUES wants %s, got %s", b.name(n), b.name(x.PassTypes[i]), b.typeText(have))
			}
		}
	}
	b.out.Args = args
	if in.Op == syntax.OpNewThread {
		return
	}
	if x.Cur == syntax.KillOld {
		b.out.Flags |= ir.FlagKillOld
		return
	}
	b.out.Types = b.valueTypes(x.RetTypes)
}
