package mu_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// TestInterrupt ends calls of functions that never return. The context can be used again.
func TestInterrupt(t *testing.T) {
	c := open(t)
	cell := must[mu.IRef](t)(c.GlobalNamed("@cell"))
	before := must[mu.Value](t)(c.Load(mu.SeqCst, cell))
	defer func() { c.Store(mu.SeqCst, cell, before) }()
	id := must[mu.ID](t)(c.ID("@cell"))
	p := must[mu.UPtr](t)(c.Pin(must[mu.IRef](t)(c.Global(id))))
	for name, function := range underWay {
		d := c.VM().NewContext()
		f := fn(t, d, function)
		n := count(p)
		go func() {
			for count(p) == n {
				time.Sleep(time.Millisecond)
			}
			d.Interrupt()
		}()
		_, err := d.Call(f)
		wantCode(t, err, mu.Interrupted)
		d.Interrupt() // no call runs
		if r, err := d.Call(fn(t, d, "@gcd"), nums(6, 4)...); err != nil || r[0].(mu.Int).Int64() != 2 {
			t.Errorf("%s: the call after that: %v, %v", name, r, err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestInterruptContext ends a function that CallContext has left.
func TestInterruptContext(t *testing.T) {
	c := open(t)
	cell := must[mu.IRef](t)(c.GlobalNamed("@cell"))
	before := must[mu.Value](t)(c.Load(mu.SeqCst, cell))
	defer func() { c.Store(mu.SeqCst, cell, before) }()
	d := c.VM().NewContext()
	defer d.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if _, err := d.CallContext(ctx, fn(t, d, "@forever")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	var err error
	for range 1000 {
		if _, err = d.Call(fn(t, c, "@gcd"), nums(6, 4)...); !errors.Is(err, mu.CtxBusy) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if errors.Is(err, mu.CtxBusy) {
		t.Error("the function has not ended")
	}
}
