package mu

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// Expose returns a function pointer with which native code can call a function, on the
// stack that called native code, with a cookie that only that call can read. It works for
// signatures to which the bundles have pointers: ufuncptr<sig> must be a type with a name
// in them. In a program with cgo that can run code which arrives, any signature of C will do.
// The calling convention is #DEFAULT, that of C.
func (c *Ctx) Expose(f FuncRef, cookie uint64) (UFuncPtr, error) {
	e, err := c.function(f)
	if err != nil {
		return UFuncPtr{}, err
	}
	sig, pointer := e.CSig, e.Pointer
	if sig == nil && core.CallsCLate() && core.OfC(e.Type.Elem) {
		sig, pointer = core.NewCSig(e.Type.Elem), core.TypeTo(core.VUFuncPtr, e.Type.Elem)
	}
	if sig == nil {
		return UFuncPtr{}, fail(TypeMismatch, "%s: the bundles have no type of function pointers of its signature", e.Func.Name)
	}
	var p UFuncPtr
	err = c.do(func(t *core.Ctx) error {
		p = UFuncPtr{(*held[UFuncPtr])(c.addWord(pointer, uint64(core.ExposeFunc(t, f.raw().address(), cookie, sig))))}
		return nil
	})
	return p, err
}

// Unexpose invalidates a function pointer of Expose. Calling it is an error from then on.
func (c *Ctx) Unexpose(p UFuncPtr) error {
	if err := c.check(p.raw()); err != nil {
		return err
	}
	return c.do(func(t *core.Ctx) error { core.Unexpose(t, p.raw().address()); return nil })
}
