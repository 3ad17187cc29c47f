package interp

import (
	"errors"
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Memory access (docs/language.md, "Memory"). Threads switch only between instructions, so
// every access is atomic and sequentially consistent, which all orders allow.

// locate turns the location operand of an access into a unit and an offset.
// isNull reports that the location is NULL.
func (t *thread) locate(v Value, ptr bool) (u *unit, off uint64, isNull bool, m misuse) {
	if ptr {
		if v.Lo < nullZone {
			return nil, 0, true, m
		}
		u, off, m = t.m.addresses.find(v.Lo)
		return u, off, false, m
	}
	u, ok := v.ref.(*unit)
	if !ok {
		if v.Lo >= nullZone {
			return nil, 0, false, misuse{native, fmt.Sprintf("invalid memory access: nothing is at address %#x", v.Lo)}
		}
		return nil, 0, true, m
	}
	return u, v.Lo, false, m
}

// accessFunc does an access whose location is known.
type accessFunc func(f *frame, u *unit, off uint64) misuse

// access makes the step of a memory instruction.
func (d *decoder) access(in *ir.Inst, do accessFunc) (step, error) {
	if err := d.operandKind(in, 0, pointerKind(in)); err != nil {
		return nil, err
	}
	loc, ptr := d.operand(in.Args[0]), in.Has(ir.FlagPtr)
	size := d.m.shapes.of(in.Ty).size
	aligned, writes := ptr && in.Ord != ir.NotAtomic, in.Op.Is(ir.Writes)
	return func(t *thread, f *frame) action {
		v := loc.get(f)
		u, off, isNull, m := t.locate(v, ptr)
		switch {
		case isNull:
			return t.null(f, in)
		case m.kind == noError && writes && u.fixed:
			m = misuse{badType, u.name + " is read-only"}
		case m.kind == noError && !ptr && !span(v.Hi).holds(off, size):
			m = misuse{bounds, fmt.Sprintf("%d bytes at offset %d of a %s, outside of the array", size, int64(off), u.describe())}
		case m.kind == noError && aligned && size > 0 && v.Lo%size != 0:
			m = misuse{native, fmt.Sprintf("atomic access to the misaligned address %#x", v.Lo)}
		case m.kind == noError:
			m = do(f, u, off)
		}
		if m.kind != noError {
			return t.misused(m)
		}
		return next
	}, nil
}

// null handles an access through NULL.
func (t *thread) null(f *frame, in *ir.Inst) action {
	text := in.NullText()
	if t.full != "" {
		text = t.explainNull()
	}
	return t.exceptional(f, nullRef, text)
}

// storable returns the shape of T, if values of it can be loaded and stored.
func (d *decoder) storable(in *ir.Inst) (*shape, error) {
	if validType(d.types, in.Ty) {
		switch d.types.Kind(in.Ty) {
		case ir.KVoid, ir.KHybrid, ir.KSig:
		default:
			return d.m.shapes.of(in.Ty), nil
		}
	}
	return nil, d.mistyped(in)
}

// storedValue checks that operand i is a value of the storable type T; for a weakref
// location it is a ref.
func (d *decoder) storedValue(in *ir.Inst, i int) (operand, error) {
	if i >= len(in.Args) {
		return operand{}, errors.New("an operand is missing")
	}
	if err := d.operandType(in, i, in.Ty); err != nil {
		return operand{}, err
	}
	return d.operand(in.Args[i]), nil
}

func (d *decoder) load(in *ir.Inst) (step, error) {
	s, err := d.storable(in)
	if err != nil {
		return nil, err
	}
	if err := d.results(in, in.Ty); err != nil {
		return nil, err
	}
	to := d.result(in, 0)
	peeks := in.Has(ir.FlagPtr) && s.t.Kind == ir.KUPtr
	return d.access(in, func(f *frame, u *unit, off uint64) misuse {
		v, m := u.load(s, off)
		if m.kind != noError && peeks {
			v, m = d.m.peek(u, off, m)
		}
		if m.kind == noError {
			f.regs[to] = v
		}
		return m
	})
}

// peek reads the slot of a reference as an address, which other accesses must not do: m is the
// misuse that they report.
func (mach *machine) peek(u *unit, off uint64, m misuse) (Value, misuse) {
	for _, k := range []ir.Kind{ir.KRef, ir.KIRef} {
		if _, ok := u.slot(off, k); ok {
			return Value{Lo: mach.addresses.take(u.slots[off/8])}, misuse{}
		}
	}
	return Value{}, m
}

func (d *decoder) store(in *ir.Inst) (step, error) {
	s, err := d.storable(in)
	if err != nil {
		return nil, err
	}
	v, err := d.storedValue(in, 1)
	if err != nil {
		return nil, err
	}
	return d.access(in, func(f *frame, u *unit, off uint64) misuse {
		return u.store(s, off, v.get(f))
	})
}

func (d *decoder) cmpXchg(in *ir.Inst) (step, error) {
	s, err := d.storable(in)
	if err != nil {
		return nil, err
	}
	expected, err := d.storedValue(in, 1)
	if err != nil {
		return nil, err
	}
	desired, err := d.storedValue(in, 2)
	if err != nil {
		return nil, err
	}
	if err := d.resultCount(in, 2); err != nil {
		return nil, err
	}
	equal := scalarCompare(ir.OpEQ, d.types.At(in.Ty))
	if s.t.Kind == ir.KWeakRef {
		equal = sameReferent
	}
	if equal == nil || s.t.Kind == ir.KFloat || s.t.Kind == ir.KDouble {
		return nil, d.mistyped(in)
	}
	old, ok := d.result(in, 0), d.result(in, 1)
	return d.access(in, func(f *frame, u *unit, off uint64) misuse {
		want, set := expected.get(f), desired.get(f)
		v, m := u.load(s, off)
		if m.kind != noError {
			return m
		}
		same := equal(v, want)
		if same {
			u.write(s, off, set)
		}
		f.regs[old], f.regs[ok] = v, boolValue(same)
		return misuse{}
	})
}

func (d *decoder) atomicRMW(in *ir.Inst) (step, error) {
	s, err := d.storable(in)
	if err != nil {
		return nil, err
	}
	v, err := d.storedValue(in, 1)
	if err != nil {
		return nil, err
	}
	if err := d.results(in, in.Ty); err != nil {
		return nil, err
	}
	f := rmw(in.RMW, s.t)
	if f == nil {
		return nil, d.mistyped(in)
	}
	to := d.result(in, 0)
	return d.access(in, func(fr *frame, u *unit, off uint64) misuse {
		operand := v.get(fr)
		old, m := u.load(s, off)
		if m.kind != noError {
			return m
		}
		u.write(s, off, f(old, operand))
		fr.regs[to] = old
		return misuse{}
	})
}

// rmw is the operation of an ATOMICRMW on a type, or nil.
func rmw(op ir.RMWOp, t *ir.Type) valueOp {
	if op == ir.RMWXchg {
		return func(_, v Value) Value { return v }
	}
	if t.Kind != ir.KInt {
		return nil
	}
	choose := func(cmp ir.Op) valueOp { // the old value where the comparison holds
		holds := intCompare(cmp, t.Bits)
		return func(old, v Value) Value {
			if holds(old, v) {
				return old
			}
			return v
		}
	}
	switch op {
	case ir.RMWAdd:
		return scalarBinary(ir.OpAdd, t)
	case ir.RMWSub:
		return scalarBinary(ir.OpSub, t)
	case ir.RMWAnd:
		return scalarBinary(ir.OpAnd, t)
	case ir.RMWNand:
		return func(old, v Value) Value {
			return truncate(Value{Lo: ^(old.Lo & v.Lo), Hi: ^(old.Hi & v.Hi)}, t.Bits)
		}
	case ir.RMWOr:
		return scalarBinary(ir.OpOr, t)
	case ir.RMWXor:
		return scalarBinary(ir.OpXor, t)
	case ir.RMWMax:
		return choose(ir.OpSGE)
	case ir.RMWMin:
		return choose(ir.OpSLE)
	case ir.RMWUMax:
		return choose(ir.OpUGE)
	case ir.RMWUMin:
		return choose(ir.OpULE)
	}
	return nil
}

func (d *decoder) fence(*ir.Inst) (step, error) {
	return func(*thread, *frame) action { return next }, nil
}
