package mu

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// NewCursor opens a frame cursor at the top frame of a READY stack.
func (c *Ctx) NewCursor(s StackRef) (Cursor, error) {
	p, err := c.referent(s.raw(), "stack")
	if err != nil {
		return Cursor{}, err
	}
	return c.cursor(func(t *core.Ctx) uintptr { return core.MetaNewCursor(t, p) })
}

func (c *Ctx) cursor(f func(t *core.Ctx) uintptr) (Cursor, error) {
	var cur Cursor
	err := c.do(func(t *core.Ctx) error {
		cur = Cursor{(*held[Cursor])(c.addRef(core.SimpleType(core.VCursorRef), f(t)))}
		return nil
	})
	return cur, err
}

// onCursor does something with an open cursor.
func (c *Ctx) onCursor(cur Cursor, f func(t *core.Ctx, p uintptr)) error {
	p, err := c.referent(cur.raw(), "cursor")
	if err != nil {
		return err
	}
	return c.do(func(t *core.Ctx) error { f(t, p); return nil })
}

// NextFrame moves a cursor one frame down.
func (c *Ctx) NextFrame(cur Cursor) error {
	return c.onCursor(cur, func(t *core.Ctx, p uintptr) { core.MetaNextFrame(t, p) })
}

// CopyCursor opens another cursor at the frame of one.
func (c *Ctx) CopyCursor(cur Cursor) (Cursor, error) {
	p, err := c.referent(cur.raw(), "cursor")
	if err != nil {
		return Cursor{}, err
	}
	return c.cursor(func(t *core.Ctx) uintptr { return core.MetaCopyCursor(t, p) })
}

// CloseCursor closes a cursor. Cursors must be closed before the stack is bound.
func (c *Ctx) CloseCursor(cur Cursor) error {
	return c.onCursor(cur, func(t *core.Ctx, p uintptr) { core.MetaCloseCursor(t, p) })
}

// CurFunc returns the ID of the function of the cursor's frame; 0 for native code.
func (c *Ctx) CurFunc(cur Cursor) (ID, error) { return c.cursorID(cur, core.MetaCurFunc) }

// CurFuncVer returns the ID of the version; 0 for native code and undefined functions.
func (c *Ctx) CurFuncVer(cur Cursor) (ID, error) { return c.cursorID(cur, core.MetaCurFuncVer) }

// CurInst returns the ID of the instruction at which the frame rests; 0 for native code,
// undefined functions and frames that have not started.
func (c *Ctx) CurInst(cur Cursor) (ID, error) { return c.cursorID(cur, core.MetaCurInst) }

func (c *Ctx) cursorID(cur Cursor, f func(t *core.Ctx, p uintptr) uint32) (id ID, err error) {
	err = c.onCursor(cur, func(t *core.Ctx, p uintptr) { id = ID(f(t, p)) })
	return id, err
}

// DumpKeepalives returns the values of the KEEPALIVE clause of the instruction at which
// the cursor's frame rests, the arguments for an undefined function.
func (c *Ctx) DumpKeepalives(cur Cursor) ([]Value, error) {
	var vals []Value
	err := c.onCursor(cur, func(t *core.Ctx, p uintptr) {
		var types []*core.VType
		for _, k := range core.Keepalives(t, p) {
			types = append(types, k.Type)
		}
		vals = c.fromTransfer(t, types)
	})
	return vals, err
}

// PopFramesTo removes the frames above a cursor's (docs/internals.md, "Introspection").
func (c *Ctx) PopFramesTo(cur Cursor) error {
	return c.onCursor(cur, func(t *core.Ctx, p uintptr) { core.MetaPopFramesTo(t, p) })
}

// PushFrame adds a frame of a function on top of a READY stack.
func (c *Ctx) PushFrame(s StackRef, f FuncRef) error {
	e, err := c.function(f)
	if err != nil {
		return err
	}
	p, err := c.referent(s.raw(), "stack")
	if err != nil {
		return err
	}
	return c.do(func(t *core.Ctx) error { core.PushFrame(t, p, e.Func); return nil })
}
