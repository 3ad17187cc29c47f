package ial

import (
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// An intrinsic makes the body of an intrinsic function, except for its return. It returns the
// result of the function, 0 if there is none.
type intrinsic func(b *body) ir.ValueID

// intrinsicBodies has the intrinsic functions by name (docs/ial.md, "Intrinsics").
// Atomic ones are in atomics.go, the others below.
var intrinsicBodies = map[string]intrinsic{
	"get_compiler":         constantly(0),
	"get_architecture":     target(0),
	"get_operating_system": target(1),
	"get_endianness":       target(2),
	"get_emulation_layer":  constantly(0),
	"is_32_bit":            func(b *body) ir.ValueID { return b.Bin(ir.OpSub, b.i64(1), b.wide()) },

	"gc_collect":                    collect,
	"gc_add_allocate_callback":      func(b *body) ir.ValueID { return b.support("add_callback", b.callback(0)) },
	"gc_remove_allocate_callback":   removeCallback,
	"gc_set_free_callback":          setFreeCallback,
	"gc_wait_for_free_callbacks":    waitForFreeCallbacks,
	"gc_minimize":                   func(b *body) ir.ValueID { return 0 },
	"gc_get_collections":            func(b *body) ir.ValueID { return b.Collections() },
	"gc_add_pressure":               func(b *body) ir.ValueID { return 0 },
	"gc_remove_pressure":            func(b *body) ir.ValueID { return 0 },
	"gc_is_generational":            constantly(0),
	"gc_get_generations":            notGenerational,
	"gc_generation_collect":         notGenerational,
	"gc_generation_minimize":        notGenerational,
	"gc_generation_get_collections": notGenerational,
	"gc_is_interactive":             constantly(1),
	"gc_is_atomic":                  constantly(0),
	"gc_get_barriers":               constantly(0),

	"nan_with_payload_f32": payloadNaN(float32Parts),
	"nan_with_payload_f64": payloadNaN(float64Parts),
	"nan_get_payload_f32":  nanPayload(float32Parts),
	"nan_get_payload_f64":  nanPayload(float64Parts),
	"is_nan_f32":           isNaN,
	"is_nan_f64":           isNaN,
	"is_inf_f32":           isInf(float32Parts),
	"is_inf_f64":           isInf(float64Parts),

	"create_weak": func(b *body) ir.ValueID {
		b.notNull(b.Param(0, 0))
		weak := b.newObject(b.fn.Result)
		some, join := b.fork(b.Cmp(ir.OpNE, weak, b.Null(b.TypeOf(weak))))
		b.At(some)
		b.Store(b.weakSlot(weak), b.cast(b.Param(0, 0), b.types.object), ir.NotAtomic)
		next := b.Block("%entry")
		b.jump(next)
		b.At(join)
		b.jump(next)
		b.s.Seal(next)
		b.At(next)
		return weak
	},
	"get_weak_target": func(b *body) ir.ValueID {
		b.notNull(b.Param(0, 0))
		return b.cast(b.Load(b.weakSlot(b.Param(0, 0)), ir.NotAtomic), b.types.register(b.fn.Result))
	},
	"set_weak_target": func(b *body) ir.ValueID {
		b.notNull(b.Param(0, 0))
		b.Store(b.weakSlot(b.Param(0, 0)), b.cast(b.Param(0, 1), b.types.object), ir.NotAtomic)
		return 0
	},
}

// intrinsic makes the body of an intrinsic function.
func (t *translator) intrinsic(f *module.Function) {
	b := t.newBody(f, t.funcs[f])
	b.Pos = f.Pos
	v := intrinsicBodies[f.Name](b)
	switch last := b.V.Term(b.Current()); {
	case last != nil && last.IsTerminator(): // it always fails
	case v == 0:
		b.Ret()
		b.end()
	default:
		b.Ret(v)
		b.end()
	}
	b.finish()
}

// constantly is an intrinsic with a constant result.
func constantly(n int64) intrinsic {
	return func(b *body) ir.ValueID { return b.Int(b.types.register(b.fn.Result), n) }
}

// target is an intrinsic whose result is a fact about the target, as a uint8.
func target(what int) intrinsic {
	return func(b *body) ir.ValueID {
		return b.Conv(ir.OpTrunc, b.Target(what), b.types.register(b.fn.Result))
	}
}

func notGenerational(b *body) ir.ValueID {
	b.fail(ir.FailTrap, "GC is not generational")
	b.end()
	return 0
}

func collect(b *body) ir.ValueID {
	b.Collect()
	if b.facts.finalizers {
		b.support("finalize_due")
	}
	return 0
}

// callback is the address of the function in parameter i, after a check that it is not NULL.
func (b *body) callback(i int) ir.ValueID {
	v := b.Param(0, i)
	b.require(b.Cmp(ir.OpNE, v, b.Int(b.TypeOf(v), 0)), b.trap(ir.FailNullFunc, "null function pointer"))
	return b.ptrcast(v, b.types.word)
}

func removeCallback(b *body) ir.ValueID {
	if b.facts.callbacks {
		b.support("remove_callback", b.callback(0))
	}
	return 0
}

func setFreeCallback(b *body) ir.ValueID {
	b.notNull(b.Param(0, 0))
	b.SetFinal(b.cast(b.Param(0, 0), b.types.object), b.ptrcast(b.Param(0, 1), b.types.word))
	return 0
}

func waitForFreeCallbacks(b *body) ir.ValueID {
	if b.facts.finalizers {
		b.support("finalize_wait")
	}
	return 0
}

// weakSlot is the location of the target of a weak reference.
func (b *body) weakSlot(weak ir.ValueID) ir.ValueID { return b.Field(b.GetIRef(weak), b.types.payload) }

// floatParts describe a floating-point type: its width, the bits of infinity, the lowest quiet
// NaN, and the bits below the quiet bit.
type floatParts struct {
	width               uint32
	inf, quiet, payload int64
}

var (
	float32Parts = floatParts{32, 0x7f800000, 0x7fc00000, 1<<22 - 1}
	float64Parts = floatParts{64, 0x7ff0000000000000, 0x7ff8000000000000, 1<<51 - 1}
)

// bits are the bits of parameter 0.
func (p floatParts) bits(b *body) (x ir.ValueID, id ir.TypeID) {
	id = b.Types.Int(p.width)
	return b.Conv(ir.OpBitcast, b.Param(0, 0), id), id
}

func payloadNaN(p floatParts) intrinsic {
	return func(b *body) ir.ValueID {
		id := b.Types.Int(p.width)
		x := b.Bin(ir.OpAnd, b.Param(0, 0), b.Int(id, p.payload))
		return b.Conv(ir.OpBitcast, b.Bin(ir.OpOr, x, b.Int(id, p.quiet)), b.types.register(b.fn.Result))
	}
}

func nanPayload(p floatParts) intrinsic {
	return func(b *body) ir.ValueID {
		x, id := p.bits(b)
		is := b.Cmp(ir.OpFUno, b.Param(0, 0), b.Param(0, 0))
		return b.Select(is, b.Bin(ir.OpAnd, x, b.Int(id, p.payload)), b.Int(id, 0))
	}
}

func isNaN(b *body) ir.ValueID {
	return b.bit(b.Cmp(ir.OpFUno, b.Param(0, 0), b.Param(0, 0)), b.types.i64)
}

func isInf(p floatParts) intrinsic {
	return func(b *body) ir.ValueID {
		x, id := p.bits(b)
		magnitude := b.Bin(ir.OpAnd, x, b.Int(id, int64(^uint64(0)>>(65-p.width))))
		return b.bit(b.Cmp(ir.OpEQ, magnitude, b.Int(id, p.inf)), b.types.i64)
	}
}
