package mu

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// handle is a value, flattened as in a transfer area. The value never changes.
type handle struct {
	ctx *Ctx
	ty  *core.VType // nil for a value that could not be made
	w   []uint64
	r   []uintptr
	err error // why it could not be made

	inside bool // of a ref or iref: what it refers to is known to be, as a whole, in an object or a cell

	scope      *Scope  // the scope with which it is deleted; nil after that; guarded by Ctx.mu
	next, prev *handle // in the list of the scope, if it has references; guarded by Ctx.mu

	room  [2]uint64 // memory for w and r if they fit
	rooms [1]uintptr
}

// newHandle makes a handle of a value in words and references, which it copies.
func newHandle(c *Ctx, ty *core.VType, w []uint64, r []uintptr) *handle {
	h := &handle{ctx: c, ty: ty}
	h.w, h.r = append(h.room[:0], w...), append(h.rooms[:0], r...)
	return h
}

// add makes a handle in the innermost scope. If the value is not held elsewhere, the caller must be
// inside do.
func (c *Ctx) add(ty *core.VType, w []uint64, r []uintptr) *handle {
	h := newHandle(c, ty, w, r)
	c.mu.Lock()
	c.scope.enter(h)
	c.mu.Unlock()
	return h
}

// addRef makes a handle of a reference.
func (c *Ctx) addRef(ty *core.VType, ref uintptr) *handle {
	r := [1]uintptr{ref}
	return c.add(ty, nil, r[:])
}

// addWord makes a handle of a value of one word.
func (c *Ctx) addWord(ty *core.VType, word uint64) *handle {
	w := [1]uint64{word}
	return c.add(ty, w[:], nil)
}

// bad makes the handle of a value that could not be made: every use of it returns the error.
func (c *Ctx) bad(err error) *handle { return &handle{ctx: c, err: err} }

// check returns an error unless all handles belong to the context and are not deleted.
func (c *Ctx) check(list ...*handle) error {
	if err := c.open(); err != nil {
		return err
	}
	return c.valid(list...)
}

// valid is check for callers that may use the context even if it is closed.
func (c *Ctx) valid(list ...*handle) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range list {
		switch {
		case h == nil:
			return errNoValue
		case h.ctx != c && h.ctx != nil && h.ctx.vm != c.vm:
			return errOtherVM
		case h.ctx != c:
			return errForeign
		case h.err != nil:
			return h.err
		case h.scope == nil || h.scope.closed:
			return errDeleted
		}
	}
	return nil
}

// allValid is valid for values.
func (c *Ctx) allValid(vals []Value) error {
	for _, v := range vals {
		if err := c.valid(raw(v)); err != nil {
			return err
		}
	}
	return nil
}

var (
	errNoValue = fail(BadHandle, "no value")
	errForeign = fail(BadHandle, "a value of another context")
	errOtherVM = fail(BadHandle, "a value of another VM")
	errDeleted = fail(BadHandle, "the value was deleted")
)

// referent checks a handle and that its reference is not NULL.
func (c *Ctx) referent(h *handle, what string) (uintptr, error) {
	if err := c.check(h); err != nil {
		return 0, err
	}
	if h.r[0] == 0 {
		return 0, fail(Null, "the %s is NULL", what)
	}
	return h.r[0], nil
}

// Delete invalidates a value and its copies.
func (c *Ctx) Delete(v Value) error {
	h := raw(v)
	if err := c.check(h); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if h.scope == nil {
		return errDeleted
	}
	h.scope.leave(h)
	return nil
}
