package mu_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/mu"
	_ "github.com/uvm2go/uvm2go/rtlib/mu/internal/fixture/demo"
)

// open returns a context that closes with the test, without a trap handler.
func open(t testing.TB) *mu.Ctx {
	t.Helper()
	vm, err := mu.Open()
	if err != nil {
		t.Fatal(err)
	}
	c := vm.NewContext()
	t.Cleanup(func() {
		c.Close()
		vm.SetTrapHandler(nil)
	})
	return c
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func fn(t testing.TB, c *mu.Ctx, name string) mu.FuncRef {
	t.Helper()
	return must[mu.FuncRef](t)(c.FuncNamed(name))
}

// call calls a function of int<64>s.
func call(t testing.TB, c *mu.Ctx, name string, args ...int64) []int64 {
	t.Helper()
	res := must[[]mu.Value](t)(c.Call(fn(t, c, name), nums(args...)...))
	var out []int64
	for _, r := range res {
		out = append(out, r.(mu.Int).Int64())
	}
	return out
}

func want(t testing.TB, got []int64, w ...int64) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(w) {
		t.Errorf("got %d, want %d", got, w)
	}
}

func wantCode(t testing.TB, err error, code mu.Code) {
	t.Helper()
	if !errors.Is(err, code) {
		t.Errorf("error %v, want %s", err, code)
	}
}

// handle makes h the trap handler; errors inside fail the test.
func handle(t testing.TB, c *mu.Ctx, h func(c *mu.Ctx, th mu.ThreadRef, s mu.StackRef, site string, wpid uint32) mu.TrapResult) {
	c.VM().SetTrapHandler(func(tc *mu.Ctx, th mu.ThreadRef, s mu.StackRef, wpid uint32) mu.TrapResult {
		cur := must[mu.Cursor](t)(tc.NewCursor(s))
		id := must[mu.ID](t)(tc.CurInst(cur))
		site := ""
		if id != 0 {
			site = must[string](t)(tc.VM().Name(id))
		}
		if err := tc.CloseCursor(cur); err != nil {
			t.Error(err)
		}
		return h(tc, th, s, site, wpid)
	})
}

func TestCall(t *testing.T) {
	c := open(t)
	want(t, call(t, c, "@gcd", 48, 36), 12)
	e := must[mu.Ref](t)(c.NewFixed(must[mu.Type](t)(c.TypeNamed("@i64"))))
	r := must[mu.Value](t)(c.RefCast(e, must[mu.Type](t)(c.TypeNamed("@R"))))
	_, err := c.Call(fn(t, c, "@throws"), r)
	var exc *mu.Exception
	if !errors.As(err, &exc) {
		t.Fatalf("error %v, want an exception", err)
	}
	if same, err := c.Same(exc.Exc, r); err != nil || !same {
		t.Errorf("another exception: %v", err)
	}
	_, err = c.Call(fn(t, c, "@divide"), c.Int(1, 64), c.Int(0, 64))
	wantCode(t, err, mu.DivByZero)
	_, err = c.Call(fn(t, c, "@gcd"), c.Int(1, 64))
	wantCode(t, err, mu.TypeMismatch)
	_, err = c.Call(fn(t, c, "@gcd"), c.Int(1, 64), c.Int(1, 7))
	wantCode(t, err, mu.TypeMismatch)
}

func wait(t testing.TB, c *mu.Ctx) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := c.VM().Wait(ctx); err != nil {
		t.Fatal(err)
	}
}

// nums are arguments of Call.
func nums(vals ...int64) []any {
	var l []any
	for _, v := range vals {
		l = append(l, v)
	}
	return l
}

func ints(c *mu.Ctx, vals ...int64) []mu.Value {
	var l []mu.Value
	for _, v := range vals {
		l = append(l, c.Int(v, 64))
	}
	return l
}

// TestManyCallers calls from several goroutines at the same time, with traps and collections.
func TestManyCallers(t *testing.T) {
	c := open(t)
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		if site == "@ask.v1.entry.ask" {
			runtime.Gosched()
			return mu.PassValues{s, ints(tc, 3)}
		}
		if site == "@inner.v1.trap.hot" {
			popTo(t, tc, s, 1)
			return mu.PassValues{s, ints(tc, 7)}
		}
		return mu.PassValues{Stack: s}
	})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			d := c.VM().NewContext()
			defer d.Close()
			for range 20 {
				want(t, call(t, d, "@ask"), 9)
				want(t, call(t, d, "@osr", 2), 7+2+200)
				if err := d.Collect(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestBusy(t *testing.T) {
	c := open(t)
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		_, err := c.ConstNamed("@half")
		wantCode(t, err, mu.CtxBusy)
		if site == "@ask.v1.entry.ask" {
			return mu.PassValues{s, ints(tc, 3)}
		}
		return mu.PassValues{Stack: s}
	})
	want(t, call(t, c, "@ask"), 9)
}

func BenchmarkCall(b *testing.B) {
	c := open(b)
	f := fn(b, c, "@sub")
	x, y := c.Int(7, 64), c.Int(5, 64)
	for b.Loop() {
		res := must[[]mu.Value](b)(c.Call(f, x, y))
		c.Delete(res[0])
	}
}

// BenchmarkTrap is a trap with a handler that inspects the frame.
func BenchmarkTrap(b *testing.B) {
	c := open(b)
	handle(b, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		return mu.PassValues{s, ints(tc, 4)}
	})
	f, x := fn(b, c, "@pushed"), c.Int(7, 64)
	for b.Loop() {
		res := must[[]mu.Value](b)(c.Call(f, x))
		c.Delete(res[0])
	}
}

// timeout is a context for operations that must end within the time of a test.
func timeout() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(2*time.Minute, cancel)
	return ctx
}
