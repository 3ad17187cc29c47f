package mu

import (
	"strconv"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

func itoa(n int) string { return strconv.Itoa(n) }

// A commRow describes a common instruction (docs/language.md, "Common instructions"). Parameters
// and result are letters of the table of operations, see ir.Shape:
//
//	1 6 w x l d  int<1>, int<6>, int<32>, int<52>, int<64>, double
//	T i p        the type argument; iref to it; the type that pin returns for it
//	F P Q        funcref<sig>, ufuncptr<sig>, any ufuncptr
//	R O          any ref, ref<void>
//	s c t        stackref, framecursorref, tagref64
//	B S H        ref<@uvm.meta.bytes>, ref<@uvm.meta.refs>, funcref<@uvm.meta.trap_handler.sig>
//
// and, for the instructions of the IR builder, some more:
//
//	n g          irnoderef, float
//	Z A W I      iref to @uvm.meta.bytes, irnoderef, int<64>, int<32>
type commRow struct {
	conv   bool // one calling convention
	sig    bool // one signature
	typ    ir.TypeArg
	params string
	result string
	op     ir.Op
	code   uint64
}

// commRows has the common instructions by name. All but those of the IR builder
// come from the table of operations.
var commRows = func() map[string]*commRow {
	t := map[string]*commRow{}
	for name, op := range ir.CommonInstructions() {
		s := op.Shape()
		t[name] = &commRow{conv: op.Is(ir.HasConv), sig: s.Sig, typ: s.Ty, params: s.Args, result: s.Results, op: op}
	}
	for i, row := range nodes.Rows {
		t["@uvm.irbuilder."+row.Name] = &commRow{params: row.Params, result: row.Result, op: ir.OpIRBuilder, code: nodes.First + uint64(i)}
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
		b.vague = true
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
			b.checkNative(nil, x.Sigs[0], sig)
		}
	}
	t := ir.NoType
	if n(len(in.Types), want(row.typ != ir.ArgNone), "type") && row.typ != ir.ArgNone {
		t = b.typeArg(0)
		if t != ir.NoType && !b.commType(row.typ, t) {
			t = b.badType(0, commTypeText(row.typ))
		}
	}
	b.out.Ty, b.out.Sig = t, sig
	if n(len(in.Args), len(row.params), "argument") {
		t = b.ownCommType(row, t)
		b.out.Ty = t
		b.out.Args = b.alloc(len(in.Args))
		for i, a := range in.Args {
			b.out.Args[i] = b.commArg(a, row.params[i], role{text: "argument %d", i: i + 1})
		}
	} else {
		for _, a := range in.Args {
			b.value(a)
		}
	}
	switch {
	case row.result == "p" && t != ir.NoType && !b.info.nativeSafe(b.types.At(t).Elem):
		b.deviate(&b.devs, devM, in.Types[0].Off, "%s: %s wants a native-safe referent, got %s", b.name(in.Types[0]), b.opName(), b.types.String(b.types.At(t).Elem))
	case row.op == ir.OpIRBuilder && row.result != "":
		b.res = b.commLetter(row.result[0])
	}
	return row.op.Is(ir.MayEXC)
}

// commType reports whether a type argument obeys a rule.
func (b *body) commType(r ir.TypeArg, t ir.TypeID) bool {
	if r == ir.ArgValue {
		return b.info.isValue(t) // it caches answers
	}
	return b.info.Allows(r, t)
}

// commTypeText says in words what a type argument may be.
func commTypeText(r ir.TypeArg) string {
	if r == ir.ArgInt {
		return "an int type"
	}
	return r.String()
}

// ownCommType returns the type argument of a common instruction, or instead the type
// that follows from its first operand, if that also obeys the rule
// (docs/language.md, "Accepted deviations", j).
func (b *body) ownCommType(row *commRow, t ir.TypeID) ir.TypeID {
	if t == ir.NoType {
		return t
	}
	first := b.in.Args[0]
	have := b.v.Values[b.value(first)].Type
	own := have
	if row.params[0] == 'i' {
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
func (b *body) commArg(n syntax.Name, letter byte, r role) ir.ValueID {
	switch letter {
	case 'R':
		return b.objectArg(n, r)
	case 'F':
		return b.callee(n, b.out.Sig, r)
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
	return b.arg(n, b.commLetter(letter), useInt, r)
}

// commLetter is the type that a letter of a commRow stands for.
func (b *body) commLetter(letter byte) ir.TypeID {
	x := &b.info
	switch letter {
	case 'g':
		return x.float
	case 'n':
		return x.node
	case 'Z':
		return x.irefOf(x.bytes)
	case 'A':
		return x.irefNode
	case 'I':
		return x.irefOf(x.i32)
	case 'W':
		return x.irefOf(x.i64)
	}
	return x.Type(letter, &b.out)
}
