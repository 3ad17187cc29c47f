package mu

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// A dev is a kind of deviation from the typing rules that existing clients rely on
// (docs/language.md, "Accepted deviations", whose letters these are), or a verdict about two types.
type dev uint8

const (
	devNone dev = iota // the types are equal
	devA               // other referent or signature
	devB               // other pointer type
	devC               // other integer width
	devD               // the type of the reference where the referent belongs
	devE               // access of another type than the location's
	devT               // the same where one of the two is a reference (README, point 15)
	devF               // shift count of another width
	devG               // condition that is not int<1>
	devH               // ref where a uptr belongs
	devI               // number where a reference belongs
	devJ               // type list that differs from the operand's type
	devK               // integer constant out of range
	devL               // CCALL with a callee type of another signature
	devM               // pointer to a type that is not native-safe
	devN               // exception parameter of a block reached normally
	devS               // static callee with another signature (README, point 13)
	numDevs
	devBad // not accepted
)

// meaning says how an accepted deviation is interpreted.
var meaning = [numDevs]string{
	devA: "converted as by REFCAST",
	devB: "converted as by PTRCAST",
	devC: "truncated or zero-extended",
	devD: "taken as the type of the reference; its referent counts",
	devE: "the type of the location counts",
	devT: "the type of the instruction counts",
	devF: "taken as unsigned",
	devG: "taken as not zero",
	devH: "the address of the object, unpinned",
	devI: "NULL",
	devJ: "the operand's type counts",
	devK: "taken modulo 2^n",
	devL: "the signature counts",
	devM: "accepted, but nothing in it is traced",
	devN: "the exception parameter is NULL",
	devS: "converted as by REFCAST",
}

// deviations counts the deviations of one function, or of the top level of a
// bundle: there is one warning for each kind, at the first place.
type deviations [numDevs]struct {
	count int
	pos   diag.Pos
	msg   string
}

// deviate records an accepted deviation; with -strict it is an error.
func (l *loader) deviate(d *deviations, kind dev, off syntax.Off, format string, args ...any) {
	if l.strict {
		l.errorf(off, format, args...)
		return
	}
	x := &d[kind]
	if x.count == 0 {
		x.pos, x.msg = l.b.Pos(off), fmt.Sprintf(format, args...)
	}
	x.count++
}

// flush turns the recorded deviations into warnings.
func (l *loader) flush(d *deviations, where string) {
	for kind := range d {
		switch x := &d[kind]; x.count {
		case 0:
		case 1:
			l.diags.Warnf(x.pos, "%s: %s", x.msg, meaning[kind])
		default:
			l.diags.Warnf(x.pos, "%s: %s (and %d more in %s)", x.msg, meaning[kind], x.count-1, where)
		}
	}
}

// A use says which deviations are accepted for an operand.
type use uint8

const (
	useInt use = 1 << iota // integers of another width (row c of the table)
)

// classify compares the type of an operand with the wanted type.
func (l *loader) classify(have, want ir.TypeID, u use) dev {
	if have == want {
		return devNone
	}
	h, w := l.types.Kind(have), l.types.Kind(want)
	switch {
	case h == w && (h == ir.KRef || h == ir.KIRef || h == ir.KFuncRef):
		return devA
	case isPointer(h) && isPointer(w):
		return devB
	case h == ir.KInt && w == ir.KInt && u&useInt != 0:
		return devC
	case h == ir.KRef && w == ir.KUPtr:
		return devH
	case (h == ir.KInt || isFP(h)) && isNullable(w):
		return devI
	}
	return devBad
}

// convert converts a value that classify has accepted to type want.
func (b *body) convert(val ir.ValueID, want ir.TypeID, d dev) ir.ValueID {
	have := b.v.Values[val].Type
	var op ir.Op
	switch d {
	case devNone:
		return val
	case devA:
		op = ir.OpRefCast
	case devB:
		op = ir.OpPtrCast
	case devC, devF:
		op = ir.OpZExt
		if b.types.At(b.info.lane(want)).Bits < b.types.At(b.info.lane(have)).Bits {
			op = ir.OpTrunc
		}
	case devH:
		op = ir.OpRefAddr
	case devI:
		return b.null(want)
	default:
		return 0
	}
	return b.emit(ir.Inst{Op: op, Ty: have, Ty2: want, Args: b.list(val)})
}

// recast converts between values whose types differ only in a type parameter, or
// between a weak and a strong reference.
func (b *body) recast(val ir.ValueID, want ir.TypeID) ir.ValueID {
	if have := b.v.Values[val].Type; val == 0 || have == want || have == ir.NoType || want == ir.NoType {
		return val
	}
	return b.convert(val, want, devA)
}

// mended moves the name of a variable from the value that the bundle makes to the value that the
// variable denotes because of a deviation: traps, scripts and converted text show the latter. It
// returns the latter; a constant, which has no name of a variable, becomes the result of an identity.
func (b *body) mended(name string, made, val ir.ValueID) ir.ValueID {
	if made <= 0 || val <= 0 || made == val {
		return val
	}
	b.f.Name(made, "")
	if v := b.v.Values[val]; v.Kind == ir.ValueConst {
		val = b.emit(ir.Inst{Op: ir.OpKillDependency, Ty: v.Type, Args: b.list(val)})
	}
	return b.f.Name(val, name)
}

// null returns the NULL constant of a type.
func (b *body) null(t ir.TypeID) ir.ValueID { return b.f.Null(t) }

// zero returns the constant that BRANCH2 compares with: 0 or NULL.
func (b *body) zero(t ir.TypeID) ir.ValueID {
	if isNullable(b.types.Kind(t)) {
		return b.null(t)
	}
	return b.f.Int(t, 0)
}
