package verify

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// instruction checks one instruction, except for dominance.
func (x *Verifier) instruction(in *ir.Inst) {
	if in.Placed && in.Name == "" {
		x.faultf("the place of the instruction is missing")
	}
	if in.Op == ir.OpInvalid || in.Op >= ir.NumOps {
		x.faultf("%s is no operation", in.Op)
		x.broken = true
		return
	}
	x.fields(in)
	x.orders(in)
	x.typeArgs(in)
	x.operands(in)
	x.resultValues(in)
	x.keep(in)
	x.dests(in)
	x.threadCells(in)
	if in.Op.Is(ir.Access|ir.Writes) && len(in.Args) > 0 && x.isValue(in.Args[0]) {
		if c := x.v.Values[in.Args[0]].Const; c != nil && c.Kind == ir.ConstGlobal && c.Global != nil && c.Global.ReadOnly {
			x.faultf("%s writes to %s, which is read-only", in.Op, c.Global.Name)
		}
	}
	switch in.Op {
	case ir.OpSwitch:
		x.switchKeys(in)
	case ir.OpTailCall:
		x.tailCall(in)
	}
}

// flagNames are the names of flags in faults. The table of operations says which
// operations may have them.
var flagNames = []struct {
	flag ir.InstFlags
	name string
}{
	{ir.FlagPtr, "PTR"}, {ir.FlagWeak, "WEAK"}, {ir.FlagExc, "EXC"}, {ir.FlagKillOld, "KILL_OLD"},
	{ir.FlagThrowExc, "THROW_EXC"}, {ir.FlagThreadLocal, "THREADLOCAL"}, {ir.FlagWPExc, "WPEXC"},
	{ir.FlagLocal, "LOCAL"}, {ir.FlagRaw, "RAW"}, {ir.FlagPointer, "POINTER"}, {ir.FlagObject, "OBJECT"},
	{ir.FlagUnsure, "UNSURE"}, {ir.FlagFixed, "FIXED"}, {ir.FlagRoots, "ROOTS"}, {ir.FlagReplaced, "REPLACED"},
}

// fields checks that only fields that the operation uses are set.
func (x *Verifier) fields(in *ir.Inst) {
	if in.Flags != 0 {
		if in.Has(ir.FlagRaw) && !in.Has(ir.FlagPtr) {
			x.faultf("%s is RAW, but not PTR", in.Op)
		}
		rest, legal := in.Flags, in.Op.Info().InstFlags
		for _, r := range flagNames {
			if rest&r.flag&^legal != 0 {
				x.faultf("%s has no %s", in.Op, r.name)
			}
			rest &^= r.flag
		}
		if rest != 0 {
			x.faultf("%s has unknown flags %#x", in.Op, uint16(rest))
		}
	}
	s := in.Op.Shape()
	for _, u := range [...]struct {
		set, used bool
		name      string
	}{
		{in.Sig != ir.NoType, s.Sig, "signature"},
		{in.Imm != 0, s.Imm != ir.ImmNone, "immediate"},
		{len(in.Types) > 0, s.Types && !in.Has(ir.FlagKillOld), "type list"},
		{in.Ord != ir.NotAtomic, in.Op.Is(ir.HasOrder), "memory order"},
		{in.OrdFail != ir.NotAtomic, in.Op.Info().FailOrders != 0, "memory order on failure"},
		{in.RMW != 0, in.Op == ir.OpAtomicRMW, "read-modify-write operation"},
		{in.HasKeep || len(in.Keep) > 0, in.Op.Is(ir.MayKeep), "keep-alive clause"},
	} {
		if u.set && !u.used {
			x.faultf("%s has no %s", in.Op, u.name)
		}
	}
}

// orders checks memory orders, and that the type can be accessed with them.
func (x *Verifier) orders(in *ir.Inst) {
	if !in.Op.Is(ir.HasOrder) {
		return
	}
	legal := in.Op.Info()
	if in.Ord > ir.SeqCst || legal.Orders>>in.Ord&1 == 0 {
		x.faultf("%s has order %s", in.Op, in.Ord)
	}
	if in.OrdFail > ir.SeqCst || max(legal.FailOrders, 1<<ir.NotAtomic)>>in.OrdFail&1 == 0 {
		x.faultf("%s has order %s on failure", in.Op, in.OrdFail)
	}
	if !in.Op.Is(ir.Access) || !x.t.Valid(in.Ty) {
		return
	}
	n := x.t.At(in.Ty)
	ok, what := true, "accessed atomically"
	width := n.Bits == 8 || n.Bits == 16 || n.Bits == 32 || n.Bits == 64
	number := n.Kind == ir.KInt && width
	word := n.Kind.IsNullable() || n.Kind.IsPointer() || n.Kind == ir.KWeakRef
	switch {
	case in.Op == ir.OpCmpXchg:
		ok, what = number || word || n.Kind == ir.KTagRef64, "compared and exchanged"
	case in.Op == ir.OpAtomicRMW && in.RMW > ir.RMWUMin:
		x.faultf("%s has operation %s", in.Op, in.RMW)
	case in.Op == ir.OpAtomicRMW && in.RMW != ir.RMWXchg:
		ok, what = number, "computed with atomically"
	case in.Op == ir.OpAtomicRMW || in.Ord != ir.NotAtomic:
		ok = number || word || n.Kind.IsFP() || n.Kind == ir.KTagRef64
	}
	if !ok {
		x.faultf("%s: %s cannot be %s", in.Op, x.t.Text(in.Ty), what)
	}
}

// typeArgs checks type arguments, signature, immediate and type list.
func (x *Verifier) typeArgs(in *ir.Inst) {
	s := in.Op.Shape()
	ok := true
	for _, a := range [...]struct {
		rule ir.TypeArg
		id   ir.TypeID
	}{{s.Ty, in.Ty}, {s.Ty2, in.Ty2}} {
		if !x.y.Allows(a.rule, a.id) {
			ok = false
			got := "none"
			if a.id != ir.NoType {
				got = x.t.Text(a.id)
			}
			x.faultf("%s wants %s as type argument, got %s", in.Op, a.rule, got)
		}
	}
	if s.Sig && (!x.t.Valid(in.Sig) || x.t.Kind(in.Sig) != ir.KSig) {
		x.faultf("%s wants a signature, got %s", in.Op, x.t.Text(in.Sig))
		ok = false
	}
	for i, id := range in.Types {
		if !x.y.IsValue(id) {
			x.faultf("type %d of %s wants a type of values, got %s", i+1, in.Op, x.t.Text(id))
		}
	}
	if !ok {
		return
	}
	switch c := in.Op.Info().Class; {
	case c == ir.ClassConv:
		if ok, want := x.y.Convertible(in.Op, in.Ty, in.Ty2); !ok {
			x.faultf("%s wants %s, got %s and %s", in.Op, want, x.t.Text(in.Ty), x.t.Text(in.Ty2))
		}
	case c == ir.ClassShift:
		n, m := x.t.At(in.Ty), x.t.At(in.Ty2)
		if (n.Kind == ir.KVector) != (m.Kind == ir.KVector) || n.Kind == ir.KVector && n.Len != m.Len {
			x.faultf("%s wants two int types or two vectors of one length, got %s and %s", in.Op, x.t.Text(in.Ty), x.t.Text(in.Ty2))
		}
	case c == ir.ClassSelect:
		if n := x.t.At(in.Ty); n.Kind == ir.KVector {
			if m := x.t.At(in.Ty2); m.Kind != ir.KVector || m.Len != n.Len {
				x.faultf("%s wants a vector of %d elements, got %s", in.Op, n.Len, x.t.Text(in.Ty2))
			}
		}
	}
	switch s.Imm {
	case ir.ImmField:
		if n := len(x.t.At(in.Ty).Fields); in.Imm >= uint64(n) {
			x.faultf("%s: field %d of %s does not exist: it has %d", in.Op, in.Imm, x.t.Text(in.Ty), n)
		}
	case ir.ImmID:
		if in.Imm == 0 || in.Imm >= 1<<32 {
			x.faultf("%s: watchpoint %d does not lie in 1 to 2^32-1", in.Op, in.Imm)
		}
	case ir.ImmFailure:
		if in.Imm >= uint64(ir.NumFailures) {
			x.faultf("%s: %d is no kind of failure", in.Op, in.Imm)
		}
		x.text(in.Op, in.Args)
	case ir.ImmCode:
		if in.Imm < 0x300 || in.Imm > 0x358 {
			x.faultf("%s: there is no instruction %#x", in.Op, in.Imm)
		}
	}
	if in.Op == ir.OpFailIndex && len(in.Args) == 3 {
		x.text(in.Op, in.Args[2:])
	}
	if in.Op == ir.OpFuncAt && len(in.Args) == 2 {
		x.text(in.Op, in.Args[1:])
	}
	if in.Op == ir.OpUnchanged && len(in.Args) == 1 && x.isValue(in.Args[0]) {
		if c := x.v.Values[in.Args[0]].Const; c == nil || c.Kind != ir.ConstFunc || c.Func.Current() == nil {
			x.faultf("%s wants a constant, a function with a body", in.Op)
		}
	}
	if s.Ty == ir.ArgFuncPtr && x.t.At(in.Ty).Elem != in.Sig {
		x.faultf("%s wants ufuncptr<%s>, got %s", in.Op, x.t.Text(in.Sig), x.t.Text(in.Ty))
	}
	if in.Op.Is(ir.Native) {
		x.native(in)
	}
}

// text checks that operands that must be constants of bytes are.
func (x *Verifier) text(op ir.Op, args []ir.ValueID) {
	for i, id := range args {
		if x.isValue(id) {
			if v := &x.v.Values[id]; v.Kind != ir.ValueConst || v.Const == nil || v.Const.Kind != ir.ConstBytes {
				x.faultf("%s wants a constant of bytes, got %s for operand %d (%s)", op, describe(v), i+1, x.value(id))
			}
		}
	}
}

// threadCells checks that thread-local cells are operands only of THREADCELL, which has no
// other operands.
func (x *Verifier) threadCells(in *ir.Inst) {
	local := func(id ir.ValueID) (*ir.Global, bool) {
		if !x.isValue(id) {
			return nil, true // reported
		}
		c := x.v.Values[id].Const
		if c == nil || c.Kind != ir.ConstGlobal || c.Global == nil {
			return nil, false
		}
		return c.Global, c.Global.ThreadLocal
	}
	for i, id := range in.Args {
		g, ok := local(id)
		switch {
		case in.Op == ir.OpThreadCell && !ok:
			x.faultf("%s wants a thread-local cell, got %s", in.Op, x.value(id))
		case in.Op != ir.OpThreadCell && ok && g != nil:
			x.faultf("operand %d of %s is %s, which is thread-local", i+1, in.Op, g.Name)
		}
	}
	for k := range in.Dests {
		for _, id := range in.Dests[k].Args {
			if g, ok := local(id); ok && g != nil {
				x.faultf("an argument of destination %d is %s, which is thread-local", k, g.Name)
			}
		}
	}
}

// native checks a signature that is called from, or calls, native code.
func (x *Verifier) native(in *ir.Inst) {
	if n := len(x.t.At(in.Sig).Results); n > 1 {
		x.faultf("%s wants a signature of at most one result, got %d", in.Op, n)
	}
}

// operands checks number and types of the operands.
func (x *Verifier) operands(in *ir.Inst) {
	wants, repeat := x.y.Args(in, x.wants[:0])
	x.wants = wants
	least := len(wants)
	if repeat {
		least--
	}
	if len(in.Args) < least || len(in.Args) > least && !repeat {
		if !(in.Op == ir.OpRet && x.y.Sig == ir.NoType) {
			x.faultf("%s wants %s, got %d", in.Op, count(least, "operand"), len(in.Args))
		}
		wants = nil
	}
	for i, id := range in.Args {
		if !x.used(id, "operand", i) || len(wants) == 0 {
			continue
		}
		x.match(in, &wants[min(i, len(wants)-1)], id, "operand", i)
	}
}

// match checks the type of an operand or result.
func (x *Verifier) match(in *ir.Inst, w *ir.Want, id ir.ValueID, what string, i int) {
	have := x.v.Values[id].Type
	if !w.Matches(x.t, have) {
		x.faultf("%s wants %s, got %s for %s %d (%s)", in.Op, w.Text(x.t), x.t.Text(have), what, i+1, x.value(id))
	}
}

func (x *Verifier) resultValues(in *ir.Inst) {
	wants, loose := x.y.Results(in, x.wants[:0])
	x.wants = wants
	if in.Has(ir.FlagKillOld) {
		wants = nil
	}
	if len(in.Results) != len(wants) && !(loose && len(in.Results) == 0) {
		x.faultf("%s has %s, got %d", in.Op, count(len(wants), "result"), len(in.Results))
	}
	for i, id := range in.Results {
		if x.defines(id, ir.ValueResult, int32(x.inst), i, "result") && i < len(wants) {
			x.match(in, &wants[i], id, "result", i)
		}
	}
}

func (x *Verifier) keep(in *ir.Inst) {
	if len(in.Keep) > 0 && !in.HasKeep {
		x.faultf("%s has keep-alive variables, but no keep-alive clause", in.Op)
	}
	for i, id := range in.Keep {
		x.used(id, "keep-alive variable", i)
	}
}

func count(n int, what string) string {
	switch n {
	case 0:
		return "no " + what + "s"
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// isExceptional reports whether destination k of an instruction is for exceptions.
func isExceptional(in *ir.Inst, k int) bool {
	return in.Has(ir.FlagExc) && k == 1 || in.Has(ir.FlagWPExc) && k == 2
}

// dests checks the destinations of an instruction and their arguments.
func (x *Verifier) dests(in *ir.Inst) {
	if n := in.DestCount(); n >= 0 && len(in.Dests) != n {
		x.faultf("%s has %s, got %d", in.Op, count(n, "destination"), len(in.Dests))
		x.broken = true
	}
	for k := range in.Dests {
		d := &in.Dests[k]
		for i, id := range d.Args {
			x.used(id, "argument", i)
		}
		if !x.isBlock(d.Block) {
			x.faultf("destination %d is block %d, which does not exist", k, d.Block)
			x.broken = true
			continue
		}
		to := &x.v.Blocks[d.Block]
		switch {
		case d.Block == 0:
			x.faultf("destination %d is the entry block", k)
		case to.Dead:
			x.faultf("destination %d is %s, which is dead", k, x.blockName(d.Block))
			x.broken = true
			continue
		}
		if to.Exc != 0 && !isExceptional(in, k) {
			x.faultf("destination %d is %s, which has an exception parameter", k, x.blockName(d.Block))
		}
		if len(d.Args) != len(to.Params) {
			x.faultf("destination %d: %s wants %s, got %d", k, x.blockName(d.Block), count(len(to.Params), "argument"), len(d.Args))
			continue
		}
		for i, id := range d.Args {
			if !x.isValue(id) || !x.isValue(to.Params[i]) {
				continue
			}
			if have, want := x.v.Values[id].Type, x.v.Values[to.Params[i]].Type; have != want {
				x.faultf("destination %d: %s wants %s, got %s for argument %d (%s)", k, x.blockName(d.Block), x.t.Text(want), x.t.Text(have), i+1, x.value(id))
			}
		}
	}
}

func (x *Verifier) switchKeys(in *ir.Inst) {
	if len(in.Args) < 2 {
		return
	}
	seen := make(map[ir.ConstKey]ir.ValueID, len(in.Args)-1)
	for i, id := range in.Args[1:] {
		if !x.isValue(id) {
			continue
		}
		v := &x.v.Values[id]
		if v.Kind != ir.ValueConst || v.Const == nil {
			x.faultf("key %d (%s) is %s, not a constant", i+1, x.value(id), describe(v))
			continue
		}
		k := v.Const.Key()
		if _, ok := seen[k]; ok {
			x.faultf("key %d (%s) stands there twice", i+1, x.value(id))
		}
		seen[k] = id
	}
}

func (x *Verifier) tailCall(in *ir.Inst) {
	if x.v.Func.Attrs&(ir.NoReturn|ir.NoThrow) != 0 {
		x.faultf("%s leaves a function that promises%s", in.Op, x.v.Func.Attrs&(ir.NoReturn|ir.NoThrow))
	}
	if !x.t.Valid(in.Sig) || x.y.Sig == ir.NoType {
		return
	}
	got := x.t.At(in.Sig).Results
	same := len(got) == len(x.results)
	for i := range got {
		same = same && got[i] == x.results[i]
	}
	if !same {
		x.faultf("%s wants the results of %s, got those of %s", in.Op, x.t.Text(x.y.Sig), x.t.Text(in.Sig))
	}
}

// describe says what kind of value v is.
func describe(v *ir.Value) string {
	switch v.Kind {
	case ir.ValueParam:
		return fmt.Sprintf("parameter %d of block %d", v.Index, v.Def)
	case ir.ValueExcParam:
		return fmt.Sprintf("the exception parameter of block %d", v.Def)
	case ir.ValueResult:
		return fmt.Sprintf("result %d of instruction %d", v.Index, v.Def)
	case ir.ValueConst:
		return "a constant"
	}
	return "no value"
}
