package mu

import (
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

func itoa(n int) string { return strconv.Itoa(n) }

// A commRow describes a common instruction (mu-language 9). Parameters and
// result are letters:
//
//	1 6 i x l  int<1>, int<6>, int<32>, int<52>, int<64>
//	f d        float, double
//	T          the type argument; L iref to it; U what pin gives for it
//	F P Q      funcref<sig>, ufuncptr<sig>, any ufuncptr
//	R V        any ref, ref<void>
//	s c t n    stackref, framecursorref, tagref64, irnoderef
//	B S        ref<@uvm.meta.bytes>, ref<@uvm.meta.refs>
//	H          funcref<@uvm.meta.trap_handler.sig>
//	N A        iref<@uvm.meta.bytes>; iref<irnoderef>
//	w W        iref<int<32>>, iref<int<64>>
type commRow struct {
	conv   bool // one calling convention
	sig    bool // one signature
	typ    typeRule
	params string
	result string
	op     ir.Op // set by the table's initialiser
	code   uint64
}

// A typeRule says what the one type argument of a common instruction may be.
type typeRule uint8

const (
	noTypeArg  typeRule = iota
	anyValue            // any type of values
	futexInt            // int<8>, int<16>, int<32>, int<64>
	pinnable            // ref or iref
	floating            // float or double
	integerArg          // any int
)

var typeRuleText = [...]string{
	anyValue: "a type of values", futexInt: "int<8>, int<16>, int<32> or int<64>",
	pinnable: "a ref or iref", floating: "float or double", integerArg: "an int type",
}

// commRows has the common instructions by name.
var commRows = func() map[string]*commRow {
	t := map[string]*commRow{
		"@uvm.new_stack":       {sig: true, params: "F", result: "s"},
		"@uvm.kill_stack":      {params: "s"},
		"@uvm.thread_exit":     {},
		"@uvm.current_stack":   {result: "s"},
		"@uvm.set_threadlocal": {params: "R"},
		"@uvm.get_threadlocal": {result: "V"},

		"@uvm.tr64.is_fp":    {params: "t", result: "1"},
		"@uvm.tr64.is_int":   {params: "t", result: "1"},
		"@uvm.tr64.is_ref":   {params: "t", result: "1"},
		"@uvm.tr64.from_fp":  {params: "d", result: "t"},
		"@uvm.tr64.from_int": {params: "x", result: "t"},
		"@uvm.tr64.from_ref": {params: "R6", result: "t"},
		"@uvm.tr64.to_fp":    {params: "t", result: "d"},
		"@uvm.tr64.to_int":   {params: "t", result: "x"},
		"@uvm.tr64.to_ref":   {params: "t", result: "V"},
		"@uvm.tr64.to_tag":   {params: "t", result: "6"},

		"@uvm.futex.wait":         {typ: futexInt, params: "LT", result: "i"},
		"@uvm.futex.wait_timeout": {typ: futexInt, params: "LTl", result: "i"},
		"@uvm.futex.wake":         {typ: futexInt, params: "Li", result: "i"},
		"@uvm.futex.cmp_requeue":  {typ: futexInt, params: "LLTi", result: "i"},

		"@uvm.kill_dependency":   {typ: anyValue, params: "T", result: "T"},
		"@uvm.native.pin":        {typ: pinnable, params: "T", result: "U"},
		"@uvm.native.unpin":      {typ: pinnable, params: "T"},
		"@uvm.native.expose":     {conv: true, sig: true, params: "Fl", result: "P"},
		"@uvm.native.unexpose":   {conv: true, params: "Q"},
		"@uvm.native.get_cookie": {result: "l"},

		"@uvm.meta.id_of":              {params: "B", result: "i"},
		"@uvm.meta.name_of":            {params: "i", result: "B"},
		"@uvm.meta.load_bundle":        {params: "B"},
		"@uvm.meta.load_hail":          {params: "B"},
		"@uvm.meta.new_cursor":         {params: "s", result: "c"},
		"@uvm.meta.next_frame":         {params: "c"},
		"@uvm.meta.copy_cursor":        {params: "c", result: "c"},
		"@uvm.meta.close_cursor":       {params: "c"},
		"@uvm.meta.cur_func":           {params: "c", result: "i"},
		"@uvm.meta.cur_func_ver":       {params: "c", result: "i"},
		"@uvm.meta.cur_inst":           {params: "c", result: "i"},
		"@uvm.meta.dump_keepalives":    {params: "c", result: "S"},
		"@uvm.meta.pop_frames_to":      {params: "c"},
		"@uvm.meta.push_frame":         {sig: true, params: "sF"},
		"@uvm.meta.enable_watchpoint":  {params: "i"},
		"@uvm.meta.disable_watchpoint": {params: "i"},
		"@uvm.meta.set_trap_handler":   {params: "HR"},

		"@uvm.math.sin":     {typ: floating, params: "T", result: "T"},
		"@uvm.math.cos":     {typ: floating, params: "T", result: "T"},
		"@uvm.math.tan":     {typ: floating, params: "T", result: "T"},
		"@uvm.math.sqrt":    {typ: floating, params: "T", result: "T"},
		"@uvm.math.add_ovf": {typ: integerArg, params: "TT", result: "T"},
	}
	for alias, name := range map[string]string{ // D36
		"@uvm.meta.cur_func_Ver":       "@uvm.meta.cur_func_ver",
		"@uvm.meta.enable_watchPoint":  "@uvm.meta.enable_watchpoint",
		"@uvm.meta.disable_watchPoint": "@uvm.meta.disable_watchpoint",
	} {
		t[alias] = t[name]
	}
	for name, r := range t {
		r.op, _ = ir.OpByMnemonic(name)
	}
	for i, row := range builderRows {
		name, params, _ := strings.Cut(row, " ")
		params, result, _ := strings.Cut(params, ">")
		t["@uvm.irbuilder."+name] = &commRow{params: params, result: result, op: ir.OpIRBuilder, code: 0x300 + uint64(i)}
	}
	return t
}()

// common checks a common instruction, and reports whether it may have an
// exception clause.
func (b *body) common() bool {
	in, x := b.in, b.in.Ext
	if x == nil {
		return true
	}
	row := commRows[b.name(x.Common)]
	if row == nil {
		b.errorf(x.Common.Off, "unknown common instruction %s%s", b.name(x.Common), b.hintCommon(x.Common))
		for _, n := range in.Args {
			b.value(n)
		}
		b.unknownResults()
		return true
	}
	b.out.Op, b.out.Imm = row.op, row.code
	n := func(have, want int, what string) bool {
		if have != want {
			b.errorf(x.Common.Off, "%s wants %s, got %d", b.name(x.Common), count(want, what), have)
		}
		return have == want
	}
	want := func(some bool) int {
		if some {
			return 1
		}
		return 0
	}
	n(len(x.Flags), want(row.conv), "flag")
	if row.conv {
		b.callConv(x.Flags)
	}
	sig := ir.NoType
	if n(len(x.Sigs), want(row.sig), "signature") && row.sig {
		sig = b.sigOf(x.Sigs[0])
		if row.conv && sig != ir.NoType {
			b.checkNative(&b.devs, x.Sigs[0], sig)
		}
	}
	t := ir.NoType
	if n(len(in.Types), want(row.typ != noTypeArg), "type") && row.typ != noTypeArg {
		t = b.typeArg(0)
		if t != ir.NoType && !b.commType(row.typ, t) {
			t = b.badType(0, typeRuleText[row.typ])
		}
	}
	if n(len(in.Args), len(row.params), "argument") {
		t = b.ownCommType(row, t)
		b.out.Args = b.alloc(len(in.Args))
		for i, a := range in.Args {
			b.out.Args[i] = b.commArg(a, row.params[i], t, sig, role{text: "argument %d", i: i + 1})
		}
	} else {
		for _, a := range in.Args {
			b.value(a)
		}
	}
	b.out.Ty, b.out.Sig = t, sig
	if row.result != "" {
		b.res = append(b.res, b.commLetter(row.result[0], t, sig))
	}
	return row.op.Is(ir.MayEXC)
}

// commType reports whether a type argument obeys a rule.
func (b *body) commType(r typeRule, t ir.TypeID) bool {
	switch n := b.types.At(t); r {
	case futexInt:
		return n.Kind == ir.KInt && (n.Bits == 8 || n.Bits == 16 || n.Bits == 32 || n.Bits == 64)
	case pinnable:
		return n.Kind == ir.KRef || n.Kind == ir.KIRef
	case floating:
		return isFP(n.Kind)
	case integerArg:
		return n.Kind == ir.KInt
	}
	return b.info.isValue(t)
}

// ownCommType gives the type argument of a common instruction, or the type that
// its first operand shows instead, if that obeys the rule too (13.2 j).
func (b *body) ownCommType(row *commRow, t ir.TypeID) ir.TypeID {
	if t == ir.NoType {
		return t
	}
	first := b.in.Args[0]
	have := b.v.Values[b.value(first)].Type
	own := have
	if row.params[0] == 'L' {
		if b.types.Kind(have) != ir.KIRef {
			return t
		}
		own = b.types.At(have).Elem
	}
	if own == t || own == ir.NoType || !b.commType(row.typ, own) {
		return t
	}
	b.deviate(&b.devs, devJ, b.in.Types[0].Off, "%s: %s has an operand %s of type %s", b.name(b.in.Types[0]), b.opName(), b.name(first), b.types.String(have))
	return own
}

// commArg resolves an argument of a common instruction.
func (b *body) commArg(n syntax.Name, letter byte, t, sig ir.TypeID, r role) ir.ValueID {
	switch letter {
	case 'R':
		return b.objectArg(n, r)
	case 'F':
		return b.callee(n, sig, r)
	case 'Q':
		val := b.value(n)
		have := b.v.Values[val].Type
		switch k := b.types.Kind(have); {
		case k == ir.KUPtr:
			d := b.types.Of(ir.KUFuncPtr, b.types.Sig(nil, nil))
			b.report(n, devB, have, d, r)
			return b.convert(val, d, devB)
		case k != ir.KUFuncPtr && have != ir.NoType:
			b.errorf(n.Off, "%s: %s wants a ufuncptr, got %s", b.name(n), b.roleText(r), b.typeText(have))
		}
		return val
	}
	return b.arg(n, b.commLetter(letter, t, sig), useInt, r)
}

// commLetter is the type that a letter of a commRow stands for.
func (b *body) commLetter(letter byte, t, sig ir.TypeID) ir.TypeID {
	x := &b.info
	switch letter {
	case '1':
		return x.i1
	case '6':
		return x.i6
	case 'i':
		return x.i32
	case 'x':
		return x.i52
	case 'l':
		return x.i64
	case 'f':
		return x.float
	case 'd':
		return x.double
	case 'T':
		return t
	case 'L':
		return x.irefOf(t)
	case 'U':
		if t == ir.NoType {
			return t
		}
		u := b.types.At(t).Elem
		if !x.nativeSafe(u) {
			b.deviate(&b.devs, devM, b.in.Types[0].Off, "%s: %s wants a native-safe referent, got %s", b.name(b.in.Types[0]), b.opName(), b.types.String(u))
		}
		return x.uptrOf(u)
	case 'P':
		if sig == ir.NoType {
			return sig
		}
		return b.types.Of(ir.KUFuncPtr, sig)
	case 'V':
		return x.refVoid
	case 's':
		return x.stack
	case 'c':
		return x.cursor
	case 't':
		return x.tagref
	case 'n':
		return x.node
	case 'B':
		return x.bytesRef
	case 'S':
		return x.refsRef
	case 'H':
		return b.types.Of(ir.KFuncRef, x.handlerSig)
	case 'N':
		return x.irefOf(x.bytes)
	case 'A':
		return x.irefNode
	case 'w':
		return x.irefOf(x.i32)
	case 'W':
		return x.irefOf(x.i64)
	}
	return ir.NoType
}
