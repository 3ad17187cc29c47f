package libmu

// #include "libmu.h"
import "C"

import (
	"errors"
	"sync/atomic"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

func (c *client) loadBundle(text string) error { return c.mu.LoadBundleText(text) }

func (c *client) loadHail(text string) error { return c.mu.LoadHAIL(text) }

func (c *client) handleFromConst(id mu.ID) (mu.Value, error) { return c.mu.Const(id) }

func (c *client) handleFromGlobal(id mu.ID) (mu.Value, error) { return c.mu.Global(id) }

func (c *client) handleFromFunc(id mu.ID) (mu.Value, error) { return c.mu.Func(id) }

func (c *client) handleFromExpose(id mu.ID) (mu.Value, error) {
	if err := c.vm.calledByC(); err != nil {
		return nil, err
	}
	return c.mu.Exposed(id)
}

// alike converts b to the type of a. Types of references are not compared.
func (c *client) alike(a, b mu.Value) (mu.Value, error) { return c.mu.Convert(b, a.Type()) }

func (c *client) refEq(a, b mu.Value) (bool, error) {
	b, err := c.alike(a, b)
	if err != nil {
		return false, err
	}
	return c.mu.Same(a, b)
}

func (c *client) refUlt(a, b mu.IRef) (bool, error) {
	v, err := c.alike(a, b)
	if err != nil {
		return false, err
	}
	return c.mu.Less(a, v.(mu.IRef))
}

func (c *client) extractValue(s mu.Struct, i int) (mu.Value, error) { return c.mu.Field(s, i) }

func (c *client) insertValue(s mu.Struct, i int, v mu.Value) (mu.Value, error) {
	old, err := c.mu.Field(s, i)
	if err != nil {
		return nil, err
	}
	if v, err = c.alike(old, v); err != nil {
		return nil, err
	}
	return c.mu.WithField(s, i, v)
}

func (c *client) extractElement(seq mu.Value, i mu.Int) (mu.Value, error) {
	n, err := index(i)
	if err != nil {
		return nil, err
	}
	return c.mu.Element(seq, n)
}

func (c *client) insertElement(seq mu.Value, i mu.Int, v mu.Value) (mu.Value, error) {
	n, err := index(i)
	if err != nil {
		return nil, err
	}
	old, err := c.mu.Element(seq, n)
	if err != nil {
		return nil, err
	}
	if v, err = c.alike(old, v); err != nil {
		return nil, err
	}
	return c.mu.WithElement(seq, n, v)
}

// index is an unsigned index.
func index(i mu.Int) (uint64, error) {
	if i.Bits() > 64 && !i.Big().IsUint64() {
		return 0, fail(mu.OutOfRange, "the index is %v", i)
	}
	return i.Uint64(), nil
}

func (c *client) newFixed(id mu.ID) (mu.Value, error) {
	ty, err := c.mu.Type(id)
	if err != nil {
		return nil, err
	}
	ref, err := c.mu.NewFixed(ty)
	return c.allocated(ref, err)
}

// allocated is the result of an allocation. Clients without an error number look whether it is NULL.
func (c *client) allocated(ref mu.Ref, err error) (mu.Value, error) {
	if c.vm.c.generation == C.UVM_ZEBU && errors.Is(err, mu.OutOfMemory) {
		return nil, nil
	}
	return ref, err
}

func (c *client) newHybrid(id mu.ID, n mu.Int) (mu.Value, error) {
	ty, err := c.mu.Type(id)
	if err != nil {
		return nil, err
	}
	length, err := index(n)
	if err != nil {
		return nil, err
	}
	ref, err := c.mu.NewHybrid(ty, length)
	if err == nil {
		c.hybrid = length // for place
	}
	return c.allocated(ref, err)
}

func (c *client) refcast(v mu.Value, id mu.ID) (mu.Value, error) {
	ty, err := c.mu.Type(id)
	if err != nil {
		return nil, err
	}
	cast, err := c.mu.RefCast(v, ty)
	if err == nil {
		c.vm.noteRef(id, cast)
	}
	return cast, err
}

func (c *client) getIRef(ref mu.Ref) (mu.Value, error) { return c.mu.IRef(ref) }

func (c *client) getFieldIRef(loc mu.IRef, i int) (mu.Value, error) { return c.mu.FieldIRef(loc, i) }

func (c *client) getElemIRef(loc mu.IRef, i mu.Int) (mu.Value, error) {
	return c.mu.ElemIRef(loc, i.Int64())
}

func (c *client) shiftIRef(loc mu.IRef, n mu.Int) (mu.Value, error) {
	return c.mu.ShiftIRef(loc, n.Int64())
}

func (c *client) getVarPartIRef(loc mu.IRef) (mu.Value, error) { return c.mu.VarPartIRef(loc) }

func (c *client) load(ord mu.Order, loc mu.IRef) (mu.Value, error) { return c.mu.Load(ord, loc) }

func (c *client) store(ord mu.Order, loc mu.IRef, v mu.Value) error {
	v, err := c.mu.Convert(v, loc.Content())
	if err != nil {
		return err
	}
	return c.mu.Store(ord, loc, v)
}

// cmpxchg is never weak.
func (c *client) cmpxchg(success, failure mu.Order, _ bool, loc mu.IRef, expected, desired mu.Value, stored *C.int) (mu.Value, error) {
	if stored == nil {
		return nil, fail(mu.BadArg, "is_succ is NULL")
	}
	*stored = 0
	expected, err := c.mu.Convert(expected, loc.Content())
	if err != nil {
		return nil, err
	}
	if desired, err = c.mu.Convert(desired, loc.Content()); err != nil {
		return nil, err
	}
	old, ok, err := c.mu.CmpXchg(success, failure, loc, expected, desired)
	if ok {
		*stored = 1
	}
	return old, err
}

func (c *client) atomicrmw(ord mu.Order, op uint32, loc mu.IRef, v mu.Value) (mu.Value, error) {
	if op > uint32(mu.UMin) {
		return nil, fail(mu.BadArg, "op: %#x is no MuAtomicRMWOptr", op)
	}
	v, err := c.mu.Convert(v, loc.Content())
	if err != nil {
		return nil, err
	}
	return c.mu.AtomicRMW(ord, mu.AtomicOp(op), loc, v)
}

func (c *client) fence(ord mu.Order) error { return c.mu.Fence(ord) }

func (c *client) pin(v mu.Value) (mu.Value, error) { return c.mu.Pin(v) }

func (c *client) unpin(v mu.Value) error { return c.mu.Unpin(v) }

func (c *client) getAddr(v mu.Value) (mu.Value, error) { return c.mu.Addr(v) }

func (c *client) tr64IsFP(v mu.TagRef64) (bool, error) { return v.IsDouble(), nil }

func (c *client) tr64IsInt(v mu.TagRef64) (bool, error) { return v.IsInt(), nil }

func (c *client) tr64IsRef(v mu.TagRef64) (bool, error) { return v.IsRef(), nil }

func (c *client) tr64ToFP(v mu.TagRef64) (mu.Value, error) {
	d, err := v.Double()
	return c.mu.Double(d), err
}

func (c *client) tr64ToInt(v mu.TagRef64) (mu.Value, error) {
	n, err := v.Int()
	return c.mu.Uint(n, 52), err
}

func (c *client) tr64ToRef(v mu.TagRef64) (mu.Value, error) {
	ref, _, err := c.mu.Ref(v)
	if err == nil {
		if no, ok := c.vm.known(refVoid(ref)); ok {
			atomic.StoreUint32((*uint32)(&c.vm.c.nothing), no+1)
		}
	}
	return ref, err
}

// refVoid is the type void, to which a reference in a tagref64 refers.
func refVoid(ref mu.Ref) mu.Type {
	at, _ := mu.Locate(ref)
	return at.To
}

func (c *client) tr64ToTag(v mu.TagRef64) (mu.Value, error) {
	_, tag, err := c.mu.Ref(v)
	return c.mu.Uint(uint64(tag), 6), err
}

func (c *client) tr64FromFP(v mu.Double) (mu.Value, error) { return c.mu.TagDouble(v.Float64()), nil }

func (c *client) tr64FromInt(v mu.Int) (mu.Value, error) { return c.mu.TagInt(v.Uint64()), nil }

func (c *client) tr64FromRef(ref mu.Ref, tag mu.Int) (mu.Value, error) {
	return c.mu.TagRef(ref, uint8(tag.Uint64()))
}
