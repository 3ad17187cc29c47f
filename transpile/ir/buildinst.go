package ir

import "fmt"

// Inst adds an instruction as it is, with results of the types that the operation
// prescribes, and reports operands and type arguments that do not fit. The other
// methods call it. The position is Pos, unless the instruction has one. The types in
// results are for operations whose result types the table of operations leaves open.
func (f *BodyBuilder) Inst(in Inst, results ...TypeID) []ValueID { return f.Add(&in, results...) }

// Add is Inst for readers, which make many instructions: in is copied once, and its block and position may be set before.
func (f *BodyBuilder) Add(in *Inst, results ...TypeID) []ValueID {
	f.typer.Sig = f.V.Func.Sig
	if t := f.V.Term(f.cur); t != nil && t.IsTerminator() {
		f.errorIn(in, "%s after a terminator", in.Op)
		return nil
	}
	for i, a := range in.Args {
		// If errors have been reported, a value without type is a
		// consequence of one.
		if f.TypeOf(a) == NoType && len(f.errs) == 0 {
			f.errorIn(in, "%s: operand %d is no value", in.Op, i+1)
		}
	}
	ok := f.checkTypes(in)
	if ok {
		f.checkOperands(in)
	}
	types := append(f.types[:0], results...)
	if !in.Has(FlagKillOld) {
		wants, loose := f.typer.Results(in, f.wants[:0])
		if loose {
			wants = wants[:0]
		}
		f.wants = wants
		for i := range f.wants {
			t := f.wants[i].Make(f.Types)
			if t < 0 || !ok {
				t = NoType
			}
			types = append(types, t)
		}
	}
	f.types = types
	if !in.Pos.IsValid() {
		in.Pos = f.Pos
	}
	f.last = f.V.Put(f.cur, in, types, nil)
	return f.V.Insts[f.last].Results
}

// checkTypes checks type arguments and the signature. It reports whether they fit.
func (f *BodyBuilder) checkTypes(in *Inst) bool {
	s := in.Op.Shape()
	ok := f.typeArg(in, s.Ty, in.Ty)
	ok = f.typeArg(in, s.Ty2, in.Ty2) && ok
	if s.Sig && f.typer.at(in.Sig).Kind != KSig {
		if in.Sig != NoType {
			f.errorIn(in, "%s wants a signature, got %s", in.Op, f.Types.Text(in.Sig))
		}
		ok = false
	}
	if ok && in.Op.Info().Class == ClassConv {
		if fits, want := f.typer.Convertible(in.Op, in.Ty, in.Ty2); !fits {
			f.errorIn(in, "%s wants %s, got %s and %s", in.Op, want, f.Types.Text(in.Ty), f.Types.Text(in.Ty2))
			ok = false
		}
	}
	return ok
}

// typeArg checks a type argument. A missing one was reported where it comes from.
func (f *BodyBuilder) typeArg(in *Inst, rule TypeArg, t TypeID) bool {
	if f.typer.Allows(rule, t) {
		return true
	}
	if t != NoType {
		f.errorIn(in, "%s wants %s as type argument, got %s", in.Op, rule, f.Types.Text(t))
	}
	return false
}

// checkOperands checks number and types of operands.
func (f *BodyBuilder) checkOperands(in *Inst) {
	wants, repeat := f.typer.Args(in, f.wants[:0])
	f.wants = wants
	least := len(wants)
	if repeat {
		least--
	}
	what, noun, skip := in.Op.String(), "operand", 0
	if in.Op.Info().Class == ClassCall { // the callee is operand 0
		what, noun, skip = f.callText(in), "argument", 1
	}
	if len(in.Args) < least || len(in.Args) > least && !repeat {
		f.errorIn(in, "%s wants %d %ss, got %d", what, least-skip, noun, len(in.Args)-skip)
		return
	}
	for i, a := range in.Args {
		w := &wants[min(i, len(wants)-1)]
		switch have := f.TypeOf(a); {
		case have == NoType || w.Matches(f.Types, have):
		case i < skip:
			f.errorIn(in, "%s wants %s, got %s for the callee", what, w.Text(f.Types), f.Types.Text(have))
		default:
			f.errorIn(in, "%s wants %s, got %s for %s %d", what, w.Text(f.Types), f.Types.Text(have), noun, i+1-skip)
		}
	}
}

// callText names a call and its callee, if that is known.
func (f *BodyBuilder) callText(in *Inst) string {
	if len(in.Args) > 0 {
		if c := f.V.Values[in.Args[0]].Const; c != nil && c.Kind == ConstFunc {
			return fmt.Sprintf("%s of %s", in.Op, c.Func.Name)
		}
	}
	return in.Op.String()
}

// one adds an instruction with one result.
func (f *BodyBuilder) one(in Inst) ValueID {
	if r := f.Inst(in); len(r) > 0 {
		return r[0]
	}
	return 0
}

// elem is the type parameter of the type of a value: referent, signature or element.
func (f *BodyBuilder) elem(v ValueID) TypeID { return f.typer.at(f.TypeOf(v)).Elem }

// ptr is FlagPtr if v is a pointer.
func (f *BodyBuilder) ptr(v ValueID) InstFlags {
	if f.typer.at(f.TypeOf(v)).Kind == KUPtr {
		return FlagPtr
	}
	return 0
}

// To is a destination with arguments.
func To(b BlockID, args ...ValueID) Dest { return Dest{Block: b, Args: args} }

// Name and clauses of the instruction made last.

// InstName names the instruction made last.
func (f *BodyBuilder) InstName(name string) {
	if f.last != 0 {
		f.V.Insts[f.last].Name = name
	}
}

// Exc gives the instruction made last an exception clause. Its results may be
// arguments of the normal destination.
func (f *BodyBuilder) Exc(normal, exceptional Dest) {
	if f.last == 0 || !f.V.Insts[f.last].Op.Is(MayEXC) {
		f.errorAt("exception clause of an instruction that has none")
		return
	}
	in := &f.V.Insts[f.last]
	in.Flags |= FlagExc
	in.Dests = []Dest{normal, exceptional}
}

// Keep gives the instruction made last a keep-alive clause.
func (f *BodyBuilder) Keep(vals ...ValueID) {
	if f.last == 0 || !f.V.Insts[f.last].Op.Is(MayKeep) {
		f.errorAt("keep-alive clause of an instruction that has none")
		return
	}
	in := &f.V.Insts[f.last]
	in.HasKeep, in.Keep = true, append(in.Keep, vals...)
}

// Computation.

// Bin adds a binary operation on operands of one type.
func (f *BodyBuilder) Bin(op Op, a, b ValueID) ValueID {
	return f.one(Inst{Op: op, Ty: f.TypeOf(a), Args: []ValueID{a, b}})
}

// Cmp adds a comparison, whose result is an int<1> or a vector of it.
func (f *BodyBuilder) Cmp(op Op, a, b ValueID) ValueID { return f.Bin(op, a, b) }

// Conv adds a conversion to a type.
func (f *BodyBuilder) Conv(op Op, a ValueID, to TypeID) ValueID {
	return f.one(Inst{Op: op, Ty: f.TypeOf(a), Ty2: to, Args: []ValueID{a}})
}

// field adds an instruction on a field of its type.
func (f *BodyBuilder) field(in Inst, field int) ValueID {
	if n := len(f.typer.at(in.Ty).Fields); in.Ty != NoType && (field < 0 || field >= n) {
		f.errorAt("%s: field %d of %s does not exist: it has %d", in.Op, field, f.Types.Text(in.Ty), n)
		return 0
	}
	in.Imm = uint64(field)
	return f.one(in)
}

// Control flow.

// Branch adds a jump.
func (f *BodyBuilder) Branch(to BlockID, args ...ValueID) {
	f.Inst(Inst{Op: OpBranch, Dests: []Dest{To(to, args...)}})
}

// Branch2 adds a jump to ifTrue if cond is 1, else to ifFalse.
func (f *BodyBuilder) Branch2(cond ValueID, ifTrue, ifFalse Dest) {
	f.Inst(Inst{Op: OpBranch2, Args: []ValueID{cond}, Dests: []Dest{ifTrue, ifFalse}})
}

// A Case is a case of a SWITCH.
type Case struct {
	Key  *Const
	Dest Dest
}

// Switch adds a jump by the value of x.
func (f *BodyBuilder) Switch(x ValueID, otherwise Dest, cases ...Case) {
	in := Inst{Op: OpSwitch, Ty: f.TypeOf(x), Args: []ValueID{x}, Dests: []Dest{otherwise}}
	for _, c := range cases {
		in.Args = append(in.Args, f.Const(c.Key))
		in.Dests = append(in.Dests, c.Dest)
	}
	f.Inst(in)
}

func (f *BodyBuilder) call(op Op, callee ValueID, args []ValueID) []ValueID {
	in := Inst{Op: op, Sig: f.elem(callee), Args: append([]ValueID{callee}, args...)}
	if op == OpCCall {
		in.Ty = f.TypeOf(callee)
	}
	return f.Inst(in)
}

// Call adds a call through a funcref and returns the results.
func (f *BodyBuilder) Call(callee ValueID, args ...ValueID) []ValueID {
	return f.call(OpCall, callee, args)
}

// TailCall adds a call that replaces the frame.
func (f *BodyBuilder) TailCall(callee ValueID, args ...ValueID) { f.call(OpTailCall, callee, args) }

// CCall adds a call through a ufuncptr and returns the results.
func (f *BodyBuilder) CCall(callee ValueID, args ...ValueID) []ValueID {
	return f.call(OpCCall, callee, args)
}

// Ret adds a return.
func (f *BodyBuilder) Ret(vals ...ValueID) { f.Inst(Inst{Op: OpRet, Args: vals}) }

// Fail adds the end of the program with an error of a kind and a text.
func (f *BodyBuilder) Fail(kind Failure, text string) {
	f.Inst(Inst{Op: OpFail, Imm: uint64(kind), Args: []ValueID{f.Const(f.Bytes(text))}})
}

// FuncAt adds the conversion of an address to the function of a signature at that address. NULL fails with the text null,
// or stays NULL if that is "".
func (f *BodyBuilder) FuncAt(sig TypeID, addr ValueID, null string) ValueID {
	return f.one(Inst{Op: OpFuncAt, Sig: sig, Args: []ValueID{addr, f.Const(f.Bytes(null))}})
}

// NewStackWith adds the creation of a stack that begins with a call of a function with
// these arguments; resuming it passes no values.
func (f *BodyBuilder) NewStackWith(fn ValueID, args ...ValueID) ValueID {
	return f.one(Inst{Op: OpNewStackWith, Sig: f.elem(fn), Args: append([]ValueID{fn}, args...)})
}

// ThreadCell adds the location of the running thread's copy of a thread-local cell.
func (f *BodyBuilder) ThreadCell(g *Global) ValueID {
	return f.one(Inst{Op: OpThreadCell, Ty: g.Type, Args: []ValueID{f.GlobalRef(g)}})
}

// Memory.

// CmpXchg adds a compare-and-exchange; its results are the old value and an int<1>, 1 for success.
func (f *BodyBuilder) CmpXchg(loc, expected, desired ValueID, success, failure Order) (old, ok ValueID) {
	r := f.Inst(Inst{Op: OpCmpXchg, Flags: f.ptr(loc), Ord: success, OrdFail: failure, Ty: f.elem(loc), Args: []ValueID{loc, expected, desired}})
	if len(r) < 2 {
		return 0, 0
	}
	return r[0], r[1]
}

// RMW adds an atomic read-modify-write; its result is the old value.
func (f *BodyBuilder) RMW(op RMWOp, loc, v ValueID, ord Order) ValueID {
	return f.one(Inst{Op: OpAtomicRMW, Flags: f.ptr(loc), RMW: op, Ord: ord, Ty: f.elem(loc), Args: []ValueID{loc, v}})
}

// Traps, threads and stacks.

// Trap adds a trap with results of the given types.
func (f *BodyBuilder) Trap(results ...TypeID) []ValueID {
	return f.Inst(Inst{Op: OpTrap, Types: results})
}

// Watchpoint adds a watchpoint with results of the given types. WatchDests must
// follow.
func (f *BodyBuilder) Watchpoint(id uint32, results ...TypeID) []ValueID {
	return f.Inst(Inst{Op: OpWatchpoint, Imm: uint64(id), Types: results})
}

// WatchDests gives the watchpoint made last its destinations. The results may be
// arguments of enabled; exc may be missing.
func (f *BodyBuilder) WatchDests(disabled, enabled Dest, exc ...Dest) {
	if f.last == 0 || f.V.Insts[f.last].Op != OpWatchpoint || len(exc) > 1 {
		f.errorAt("destinations of a watchpoint that is none")
		return
	}
	in := &f.V.Insts[f.last]
	if in.Dests = append([]Dest{disabled, enabled}, exc...); len(exc) > 0 {
		in.Flags |= FlagWPExc
	}
}

// WPBranch adds a branch on whether a watchpoint is enabled.
func (f *BodyBuilder) WPBranch(id uint32, disabled, enabled Dest) {
	f.Inst(Inst{Op: OpWPBranch, Imm: uint64(id), Dests: []Dest{disabled, enabled}})
}

// A Pass says with what a stack is resumed: values, or the exception Throw if that
// is not 0.
type Pass struct {
	Values []ValueID
	Throw  ValueID
}

func (p Pass) add(in *Inst) {
	if p.Throw != 0 {
		in.Flags |= FlagThrowExc
		in.Args = append(in.Args, p.Throw)
		return
	}
	in.Args = append(in.Args, p.Values...)
}

// NewThread adds the start of a thread on a stack; threadLocal may be 0.
func (f *BodyBuilder) NewThread(stack, threadLocal ValueID, pass Pass) ValueID {
	in := Inst{Op: OpNewThread, Args: []ValueID{stack}}
	if threadLocal != 0 {
		in.Flags |= FlagThreadLocal
		in.Args = append(in.Args, threadLocal)
	}
	pass.add(&in)
	return f.one(in)
}

// SwapStack adds a swap to another stack; the current stack can be resumed with values
// of the given types.
func (f *BodyBuilder) SwapStack(stack ValueID, pass Pass, results ...TypeID) []ValueID {
	in := Inst{Op: OpSwapStack, Types: results, Args: []ValueID{stack}}
	pass.add(&in)
	return f.Inst(in)
}

// SwapStackKill adds a swap to another stack that kills the current one.
func (f *BodyBuilder) SwapStackKill(stack ValueID, pass Pass) {
	in := Inst{Op: OpSwapStack, Flags: FlagKillOld, Args: []ValueID{stack}}
	pass.add(&in)
	f.Inst(in)
}

// Comm adds a common instruction. Pass NoType for a type argument or a signature that
// it does not have.
func (f *BodyBuilder) Comm(op Op, t, sig TypeID, args ...ValueID) []ValueID {
	return f.Inst(Inst{Op: op, Ty: t, Sig: sig, Args: args})
}

// Target adds a TARGET, whose result is fact number what about the target.
func (f *BodyBuilder) Target(what int) ValueID { return f.one(Inst{Op: OpTarget, Imm: uint64(what)}) }

// HasType adds a test of the type of an object.
func (f *BodyBuilder) HasType(t TypeID, ref ValueID) ValueID {
	return f.one(Inst{Op: OpHasType, Ty: t, Args: []ValueID{ref}})
}

// NextFinal adds a NEXTFINAL. Its results are an object and the address with which it was registered.
func (f *BodyBuilder) NextFinal() (object, what ValueID) {
	r := f.Inst(Inst{Op: OpNextFinal})
	return r[0], r[1]
}
