package mu

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// Expose gives native code a function pointer to call a function by, on the stack that
// called native code, with a cookie that only that call can ask for. It works for
// signatures to which the bundles have pointers: ufuncptr<sig> must be the type of a
// name in them. The calling convention is #DEFAULT, C's.
func (c *Ctx) Expose(f FuncRef, cookie uint64) (UFuncPtr, error) {
	e, err := c.function(f)
	if err != nil {
		return UFuncPtr{}, err
	}
	if e.CSig == nil {
		return UFuncPtr{}, fail(TypeMismatch, "%s: the bundles have no type of function pointers of its signature", e.Func.Name)
	}
	var p UFuncPtr
	err = c.do(func(t *core.Ctx) error {
		p = UFuncPtr{(*held[UFuncPtr])(c.addWord(e.Pointer, uint64(core.ExposeFunc(t, f.raw().address(), cookie, e.CSig))))}
		return nil
	})
	return p, err
}

// Unexpose takes a function pointer of Expose back. Calling it is an error from then on.
func (c *Ctx) Unexpose(p UFuncPtr) error {
	if err := c.check(p.raw()); err != nil {
		return err
	}
	return c.do(func(t *core.Ctx) error { core.Unexpose(t, p.raw().address()); return nil })
}
