package mu_test

import (
	"errors"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// TestExpose exposes functions at run time (docs/native.md, "Function pointers").
func TestExpose(t *testing.T) {
	c := open(t)
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		return mu.PassValues{Stack: s}
	})
	through := fn(t, c, "@through")
	call := func(p mu.UFuncPtr, n int64) int64 {
		t.Helper()
		res := must[[]mu.Value](t)(c.Call(through, p, c.Int(n, 64)))
		return res[0].(mu.Int).Int64()
	}
	p := must[mu.UFuncPtr](t)(c.Expose(fn(t, c, "@back"), 1000))
	q := must[mu.UFuncPtr](t)(c.Expose(fn(t, c, "@back"), 2000))
	if p.Addr() == q.Addr() || p.Type() != must[mu.Type](t)(c.TypeNamed("@cbp")) {
		t.Errorf("%#x and %#x of %s", p.Addr(), q.Addr(), p.Type())
	}
	if a, b := call(p, 7), call(q, 7); a != 1007 || b != 2007 {
		t.Errorf("results %d %d", a, b)
	}
	if err := c.Unexpose(p); err != nil {
		t.Error(err)
	}
	wantCode(t, c.Unexpose(p), mu.NotExposed)
	_, err := c.Call(through, p, c.Int(7, 64))
	var e *mu.Error
	if !errors.As(err, &e) {
		t.Errorf("calling what is not exposed any more: %v", err)
	}
	if b := call(q, 7); b != 2007 {
		t.Errorf("result %d", b)
	}
	static := must[mu.UFuncPtr](t)(c.ExposedNamed("@callback"))
	if a := call(static, 7); a != 12 {
		t.Errorf("result %d", a)
	}
	wantCode(t, c.Unexpose(static), mu.NotExposed)
	_, err = c.Expose(fn(t, c, "@gcd"), 0) // no ufuncptr<@two> in the bundle
	wantCode(t, err, mu.TypeMismatch)
	null := must[mu.Value](t)(c.Null(fn(t, c, "@back").Type())).(mu.FuncRef)
	_, err = c.Expose(null, 0)
	wantCode(t, err, mu.Null)
	if err := c.Unexpose(q); err != nil {
		t.Error(err)
	}
}
