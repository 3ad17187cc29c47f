package thread

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// Cursor is a frame cursor (docs/internals.md, "Introspection"). The layer above guards its fields;
// the stack is held while a cursor on it is open. The object that stands for it keeps the object of
// its stack alive.
type Cursor struct {
	Stack  *Stack
	Frame  int // frames below it
	Closed bool
}

// NewCursor makes the object of a cursor on a stack that has an object; 0 when the heap is
// exhausted. It may collect. t is the context of the caller.
func (m *Machine) NewCursor(t *gc.Ctx, c *Cursor) uintptr {
	n := m.cursors.put(c)
	if n == 0 {
		return 0
	}
	obj := t.NewKind(m.cursorType, n)
	if obj == 0 {
		m.cursors.drop(n)
	}
	return obj
}

// Cursor returns the cursor that a framecursorref, not NULL, refers to.
func (m *Machine) Cursor(ref uintptr) *Cursor {
	return m.cursors.get(mem.Load64(mem.Address(ref)))
}

func (m *Machine) markCursor(word uint64, v *gc.Visitor) {
	if c := m.cursors.get(word); c != nil && !c.Closed {
		v.Addr(c.Stack.obj)
	}
}

func (m *Machine) deadCursor(word uint64) { m.cursors.drop(word) }
