package mu_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// Children that close the VM during other operations. Each prints the results of the calls and waits in
// progress.
func init() {
	for name, test := range underWay {
		children["close "+name] = func() { closeUnderWay(test) }
	}
	children["close traps"] = closeTraps
	children["close handlers"] = closeHandlers
	children["close waits"] = closeWaits
	children["close storm"] = closeStorm
	for i := range 4 {
		children[fmt.Sprint("close mixture ", i)] = closeMixture
	}
}

// underWay are functions that a Go caller calls and that never return. They count in @cell while they
// run.
var underWay = map[string]string{
	"loop":       "@forever",
	"allocation": "@allocates",
	"stack":      "@on_another",
	"coroutine":  "@in_coroutine",
	"futex":      "@asleep",
}

// counter returns a function that reads @cell, which is 0.
func counter(c *mu.Ctx) func() int64 {
	id, _ := c.ID("@cell")
	cell, _ := c.Global(id)
	p, _ := c.Pin(cell)
	return func() int64 { return count(p) }
}

func closeUnderWay(name string) {
	vm, _ := mu.Open()
	c, d := vm.NewContext(), vm.NewContext()
	n := counter(c)
	f, _ := d.FuncNamed(name)
	result := make(chan error)
	go func() {
		_, err := d.Call(f)
		result <- err
	}()
	for n() == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(time.Millisecond)
	err := vm.Close()
	fmt.Println(err, code(<-result), code(d.Close()))
}

// closeTraps closes while Mu threads and Go callers trap all the time.
func closeTraps() {
	vm, _ := mu.Open()
	var mutex sync.Mutex
	traps := 0
	vm.SetTrapHandler(func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ uint32) mu.TrapResult {
		mutex.Lock()
		traps++
		mutex.Unlock()
		cur, err := tc.NewCursor(s)
		if err == nil {
			err = tc.CloseCursor(cur)
		}
		if err != nil && code(err) != mu.CtxClosed {
			fmt.Println("in a handler:", err)
		}
		return mu.PassValues{Stack: s}
	})
	c := vm.NewContext()
	f, _ := c.FuncNamed("@traps")
	result := make(chan error)
	for range 4 {
		s, _ := c.NewStack(f)
		c.NewThread(s, mu.Ref{}, mu.PassValues{})
		go func() {
			d := vm.NewContext()
			f, _ := d.FuncNamed("@traps")
			_, err := d.Call(f)
			result <- err
		}()
	}
	for n := 0; n < 1000; {
		time.Sleep(time.Millisecond)
		mutex.Lock()
		n = traps
		mutex.Unlock()
	}
	fmt.Println(vm.Close())
	for range 4 {
		fmt.Println(code(<-result))
	}
	fmt.Println(code(vm.Wait(context.Background())))
}

// closeHandlers closes from a trap handler, while another one waits.
func closeHandlers() {
	vm, _ := mu.Open()
	first, done := make(chan bool), make(chan bool)
	var closed string
	var once sync.Once
	vm.SetTrapHandler(func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ uint32) mu.TrapResult {
		closes := true
		once.Do(func() { closes = false })
		if closes {
			closed = fmt.Sprint(vm.Close(), " ", code(tc.Collect()))
			close(done)
		} else {
			close(first)
			<-done
		}
		return mu.PassValues{Stack: s}
	})
	result := make(chan error)
	call := func() {
		d := vm.NewContext()
		f, _ := d.FuncNamed("@traps")
		_, err := d.Call(f)
		result <- err
	}
	go call()
	<-first
	go call()
	fmt.Println(code(<-result), code(<-result))
	<-done
	fmt.Println(closed)
}

// closeMixture closes while goroutines do everything that a client can do. Each operation works or returns CtxClosed.
func closeMixture() {
	vm, _ := mu.Open()
	answer := func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ uint32) mu.TrapResult {
		cell, err := tc.GlobalNamed("@cell")
		if err == nil {
			_, err = tc.Pin(cell)
		}
		if err == nil {
			_, err = tc.Call(must2(tc.FuncNamed("@gcd")), 6, 4)
		}
		if err != nil && !errors.Is(err, mu.CtxClosed) {
			fmt.Println("in a handler:", err)
		}
		return mu.PassValues{Stack: s, Values: []mu.Value{tc.Int(4, 64)}}
	}
	vm.SetTrapHandler(answer)
	things := []func(c *mu.Ctx) error{
		func(c *mu.Ctx) error { return second(mu.Call1[int64](c, must2(c.FuncNamed("@pushed")), 5)) },
		func(c *mu.Ctx) error { return second(mu.Call1[int64](c, must2(c.FuncNamed("@gcd")), 5, 6)) },
		func(c *mu.Ctx) error { return second(c.Call(must2(c.FuncNamed("@echo_once")), 5)) },
		func(c *mu.Ctx) error { return second(c.Call(must2(c.FuncNamed("@on_new_thread")))) },
		func(c *mu.Ctx) error {
			s, err := c.NewStack(must2(c.FuncNamed("@none_to_none")))
			if err == nil {
				_, err = c.NewThread(s, mu.Ref{}, mu.PassValues{})
			}
			return err
		},
		func(c *mu.Ctx) error { return c.LoadHAIL(".init @cell = 44") },
		func(c *mu.Ctx) error { return c.LoadBundleText("// nothing") },
		func(c *mu.Ctx) error { return c.Define(must2(c.FuncNamed("@later")), must2(c.FuncNamed("@twice"))) },
		func(c *mu.Ctx) error { return c.Collect() },
		func(c *mu.Ctx) error {
			ty, err := c.TypeNamed("@pair")
			if err == nil {
				_, err = c.NewFixed(ty)
			}
			return err
		},
		func(c *mu.Ctx) error {
			d := c.VM().NewContext()
			cell, err := d.GlobalNamed("@cell")
			if err == nil {
				_, err = d.Pin(cell)
			}
			if e := d.Close(); err == nil {
				err = e
			}
			return err
		},
		func(c *mu.Ctx) error {
			ctx, cancel := context.WithTimeout(context.Background(), time.Microsecond)
			defer cancel()
			_, err := c.CallContext(ctx, must2(c.FuncNamed("@gcd")), 7, 6)
			if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, mu.CtxBusy) {
				return nil
			}
			return err
		},
		func(c *mu.Ctx) error { return c.VM().Wait(timeout()) },
	}
	var wg sync.WaitGroup
	for range 3 {
		for i, thing := range things {
			wg.Go(func() {
				c := vm.NewContext()
				var err error
				for err == nil {
					err = thing(c)
					c.OpenScope().Close()
				}
				if !errors.Is(err, mu.CtxClosed) {
					fmt.Println(i, err)
				}
			})
		}
	}
	time.Sleep(20 * time.Millisecond)
	fmt.Println(vm.Close())
	stuck := time.AfterFunc(time.Minute, func() { panic("something did not return") })
	wg.Wait()
	stuck.Stop()
}

// closeStorm goes on calling, in contexts whose calls Close has ended, while collections take the locks that Close needs.
func closeStorm() {
	vm, _ := mu.Open()
	n := counter(vm.NewContext())
	for range 2 {
		go func() {
			for vm.GC() == nil {
			}
		}()
	}
	var wg sync.WaitGroup
	for i := range 32 {
		name, args := []string{"@forever", "@allocates", "@in_coroutine", "@gcd"}[i%4], []any(nil)
		if name == "@gcd" {
			args = nums(6, 4)
		}
		wg.Go(func() {
			c := vm.NewContext()
			f, err := c.FuncNamed(name)
			for err == nil {
				_, err = c.Call(f, args...)
			}
			for range 500 {
				if !errors.Is(err, mu.CtxClosed) {
					fmt.Println(name, err)
				}
				_, err = c.Call(f, args...)
			}
		})
	}
	for n() == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(10 * time.Millisecond)
	fmt.Println(vm.Close())
	wg.Wait()
}

func second[T any](_ T, err error) error { return err }

// must2 drops an error that is reported again when the value is used.
func must2[T any](v T, _ error) T { return v }

// closeWaits waits before and after.
func closeWaits() {
	vm, _ := mu.Open()
	c := vm.NewContext()
	fmt.Println(vm.Wait(context.Background()))
	n := counter(c)
	f, _ := c.FuncNamed("@forever")
	s, _ := c.NewStack(f)
	c.NewThread(s, mu.Ref{}, mu.PassValues{})
	for n() == 0 {
		time.Sleep(time.Millisecond)
	}
	result := make(chan error)
	go func() { result <- vm.Wait(context.Background()) }()
	_, same := mu.Open()
	fmt.Println(vm.Close(), code(<-result), code(vm.Wait(context.Background())), same)
}

func TestClose(t *testing.T) {
	for name, want := range map[string]string{
		"close loop":       "<nil> E_CTX_CLOSED E_CTX_CLOSED\n",
		"close allocation": "<nil> E_CTX_CLOSED E_CTX_CLOSED\n",
		"close stack":      "<nil> E_CTX_CLOSED E_CTX_CLOSED\n",
		"close coroutine":  "<nil> E_CTX_CLOSED E_CTX_CLOSED\n",
		"close futex":      "<nil> E_CTX_CLOSED E_CTX_CLOSED\n",
		"close traps":      "<nil>\nE_CTX_CLOSED\nE_CTX_CLOSED\nE_CTX_CLOSED\nE_CTX_CLOSED\nE_CTX_CLOSED\n",
		"close handlers":   "E_CTX_CLOSED E_CTX_CLOSED\n<nil> E_CTX_CLOSED\n",
		"close waits":      "<nil>\n<nil> E_CTX_CLOSED E_CTX_CLOSED <nil>\n",
		"close storm":      "<nil>\n",
		"close mixture 0":  "<nil>\n",
		"close mixture 1":  "<nil>\n",
		"close mixture 2":  "<nil>\n",
		"close mixture 3":  "<nil>\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if out, status := child(t, name); out != want || status != 0 {
				t.Errorf("status %d, output %q, want %q", status, out, want)
			}
		})
	}
}

// After a Wait that times out no goroutine is left.
func TestWaitLeavesNothing(t *testing.T) {
	c := open(t)
	leave := make(chan bool)
	c.VM().SetTrapHandler(func(*mu.Ctx, mu.ThreadRef, mu.StackRef, uint32) mu.TrapResult {
		<-leave
		return mu.ThreadEnd{}
	})
	s := must[mu.StackRef](t)(c.NewStack(fn(t, c, "@traps")))
	must[mu.ThreadRef](t)(c.NewThread(s, mu.Ref{}, mu.PassValues{}))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	before := goroutines()
	for range 100 {
		if err := c.VM().Wait(ctx); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if n := goroutines(); n > before+10 {
		t.Errorf("%d goroutines, %d before", n, before)
	}
	close(leave)
	wait(t, c)
}
