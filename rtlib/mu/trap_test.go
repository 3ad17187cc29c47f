package mu_test

import (
	"sync"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// TestAsk has a trap handler that returns values, or an exception, on the trapped stack.
func TestAsk(t *testing.T) {
	c := open(t)
	var shown int64
	answer := func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult { return mu.PassValues{s, []mu.Value{tc.Int(12, 64)}} }
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		switch site {
		case "@ask.v1.entry.ask":
			return answer(tc, s)
		case "@ask.v1.ok.show":
			cur := must[mu.Cursor](t)(tc.NewCursor(s))
			shown = must[[]mu.Value](t)(tc.DumpKeepalives(cur))[0].(mu.Int).Int64()
			if err := tc.CloseCursor(cur); err != nil {
				t.Error(err)
			}
		}
		return mu.PassValues{Stack: s}
	})
	want(t, call(t, c, "@ask"), 144)
	if shown != 144 {
		t.Errorf("shown %d", shown)
	}
	answer = func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
		return mu.ThrowExc{s, must[mu.Ref](t)(tc.NewFixed(must[mu.Type](t)(tc.TypeNamed("@void"))))}
	}
	want(t, call(t, c, "@ask"), -1)
	answer = func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
		return mu.ThrowExc{s, must[mu.Value](t)(tc.Null(must[mu.Type](t)(tc.TypeNamed("@R")))).(mu.Ref)}
	}
	want(t, call(t, c, "@ask"), 0)
}

// TestThreadEnd: the handler ends the thread, the trapped stack is left, and another thread
// continues it.
func TestThreadEnd(t *testing.T) {
	c := open(t)
	var keep mu.StackRef
	var once sync.Once
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		first := false
		once.Do(func() { first = true })
		if first {
			return mu.ThreadEnd{}
		}
		if site == "@ask.v1.ok.show" {
			cur := must[mu.Cursor](t)(tc.NewCursor(s))
			if v := must[[]mu.Value](t)(tc.DumpKeepalives(cur))[0].(mu.Int).Int64(); v != 81 {
				t.Errorf("shown %d", v)
			}
			tc.CloseCursor(cur)
		}
		return mu.PassValues{Stack: s}
	})
	keep = must[mu.StackRef](t)(c.NewStack(fn(t, c, "@ask")))
	must[mu.ThreadRef](t)(c.NewThread(keep, mu.Ref{}, mu.PassValues{}))
	wait(t, c)
	_, err := c.NewThread(keep, mu.Ref{}, mu.PassValues{})
	wantCode(t, err, mu.TypeMismatch)
	must[mu.ThreadRef](t)(c.NewThread(keep, mu.Ref{}, mu.PassValues{Values: []mu.Value{c.Int(9, 64)}}))
	wait(t, c)
	_, err = c.NewThread(keep, mu.Ref{}, mu.PassValues{})
	wantCode(t, err, mu.StackState)
	wantCode(t, c.KillStack(keep), mu.StackState)
}

// TestOtherStack: the thread continues on another stack.
func TestOtherStack(t *testing.T) {
	c := open(t)
	cell := must[mu.IRef](t)(c.GlobalNamed("@cell"))
	if err := c.Store(mu.SeqCst, cell, c.Int(0, 64)); err != nil {
		t.Fatal(err)
	}
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		other := must[mu.StackRef](t)(tc.NewStack(fn(t, tc, "@none_to_none")))
		if err := tc.KillStack(s); err != nil {
			t.Error(err)
		}
		return mu.PassValues{Stack: other}
	})
	s := must[mu.StackRef](t)(c.NewStack(fn(t, c, "@ask")))
	must[mu.ThreadRef](t)(c.NewThread(s, mu.Ref{}, mu.PassValues{}))
	wait(t, c)
	if v := must[mu.Value](t)(c.Load(mu.SeqCst, cell)).(mu.Int); v.Int64() != 1 {
		t.Errorf("cell %d", v.Int64())
	}
	wantCode(t, c.KillStack(s), mu.StackState)
}

func TestThreadLocal(t *testing.T) {
	c := open(t)
	handle(t, c, func(tc *mu.Ctx, th mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		was := must[mu.Ref](t)(tc.ThreadLocal(th))
		if was.IsNull() {
			t.Error("the thread has no thread-local reference")
		}
		o := must[mu.Ref](t)(tc.NewFixed(must[mu.Type](t)(tc.TypeNamed("@i64"))))
		at := must[mu.IRef](t)(tc.IRef(o))
		if err := tc.Store(mu.NotAtomic, at, tc.Int(31, 64)); err != nil {
			t.Error(err)
		}
		if err := tc.SetThreadLocal(th, o); err != nil {
			t.Error(err)
		}
		return mu.PassValues{Stack: s}
	})
	o := must[mu.Ref](t)(c.NewFixed(must[mu.Type](t)(c.TypeNamed("@i64"))))
	s := must[mu.StackRef](t)(c.NewStack(fn(t, c, "@setlocal")))
	th := must[mu.ThreadRef](t)(c.NewThread(s, o, mu.PassValues{}))
	_, err := c.ThreadLocal(th)
	wantCode(t, err, mu.NotInTrap)
	wait(t, c)
	root := must[mu.IRef](t)(c.GlobalNamed("@root"))
	x := must[mu.Value](t)(c.Load(mu.NotAtomic, root))
	ri := must[mu.Value](t)(c.RefCast(x, must[mu.Type](t)(c.TypeNamed("@Ri")))).(mu.Ref)
	if v := must[mu.Value](t)(c.Load(mu.NotAtomic, must[mu.IRef](t)(c.IRef(ri)))).(mu.Int); v.Int64() != 31 {
		t.Errorf("%d", v.Int64())
	}
}

// TestLazy calls functions without a version (docs/language.md, "Definitions") that stay undefined.
func TestLazy(t *testing.T) {
	c := open(t)
	tries := 0
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, wpid uint32) mu.TrapResult {
		cur := must[mu.Cursor](t)(tc.NewCursor(s))
		f := must[mu.ID](t)(tc.CurFunc(cur))
		ver := must[mu.ID](t)(tc.CurFuncVer(cur))
		args := must[[]mu.Value](t)(tc.DumpKeepalives(cur))
		if name := must[string](t)(tc.VM().Name(f)); name != "@lazy" || ver != 0 || site != "" || wpid != 0 || args[0].(mu.Int).Int64() != 5 {
			t.Errorf("%s %d %q %d %v", name, ver, site, wpid, args)
		}
		if err := tc.CloseCursor(cur); err != nil {
			t.Error(err)
		}
		tries++
		switch tries {
		case 1: // tried again
			return mu.PassValues{Stack: s}
		case 2:
			return mu.ThrowExc{s, must[mu.Ref](t)(tc.NewFixed(must[mu.Type](t)(tc.TypeNamed("@void"))))}
		}
		popTo(t, tc, s, 1)
		push(t, tc, s, "@gcd")
		return mu.PassValues{s, ints(tc, 6, 4)}
	})
	want(t, call(t, c, "@calls_lazy", 5), -5)
	want(t, call(t, c, "@calls_lazy", 5), 2)
	if tries != 3 {
		t.Errorf("%d traps", tries)
	}
}

// TestBrokenHandler: an invalid result of a handler is an error of the client's call.
func TestBrokenHandler(t *testing.T) {
	tests := []struct {
		name string
		how  func(c, tc *mu.Ctx, s mu.StackRef) mu.TrapResult
		code mu.Code
	}{
		{"values", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult { return mu.PassValues{Stack: s} }, mu.TypeMismatch},
		{"types", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
			return mu.PassValues{s, []mu.Value{tc.Double(1)}}
		}, mu.TypeMismatch},
		{"after an edit", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
			push(t, tc, s, "@sub")
			return mu.PassValues{s, ints(tc, 1)}
		}, mu.TypeMismatch},
		{"no stack", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult { return mu.PassValues{} }, mu.BadHandle},
		{"NULL", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
			return mu.PassValues{Stack: must[mu.Value](t)(tc.Null(s.Type())).(mu.StackRef)}
		}, mu.Null},
		{"foreign stack", func(c, tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
			return mu.PassValues{must[mu.Value](t)(c.Null(s.Type())).(mu.StackRef), nil}
		}, mu.BadHandle},
		{"foreign value", func(c, tc *mu.Ctx, s mu.StackRef) mu.TrapResult { return mu.PassValues{s, ints(c, 1)} }, mu.BadHandle},
		{"no exception", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult { return mu.ThrowExc{Stack: s} }, mu.BadHandle},
		{"open cursor", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
			must[mu.Cursor](t)(tc.NewCursor(s))
			return mu.PassValues{s, ints(tc, 1)}
		}, mu.CursorOpen},
		{"dead stack", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
			o := must[mu.StackRef](t)(tc.NewStack(fn(t, tc, "@none_to_none")))
			if err := tc.KillStack(o); err != nil {
				t.Error(err)
			}
			return mu.PassValues{Stack: o}
		}, mu.StackState},
		{"nothing", func(_, tc *mu.Ctx, s mu.StackRef) mu.TrapResult { return nil }, mu.BadArg},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, other := open(t), open(t)
			handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
				return test.how(other, tc, s)
			})
			_, err := c.Call(fn(t, c, "@ask"))
			wantCode(t, err, test.code)
			want(t, call(t, c, "@gcd", 4, 6), 2) // the context can still be used
		})
	}
}

// TestDefine defines a function lazily: the trapped call is repeated, other calls enter the
// newest version, and existing frames continue.
func TestDefine(t *testing.T) {
	c := open(t)
	later := fn(t, c, "@later")
	traps := 0
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		traps++
		if site == "@pushed.v1.entry.again" {
			if err := tc.Define(fn(t, tc, "@later"), fn(t, tc, "@twice")); err != nil {
				t.Error(err)
			}
			return mu.PassValues{s, ints(tc, 4)}
		}
		if err := tc.Define(fn(t, tc, "@later"), fn(t, tc, "@pushed")); err != nil {
			t.Error(err)
		}
		return mu.PassValues{Stack: s}
	})
	wantCode(t, c.Define(later, fn(t, c, "@sub")), mu.TypeMismatch)
	wantCode(t, c.Define(later, fn(t, c, "@lazy")), mu.Conflict)
	wantCode(t, c.Define(fn(t, c, "@sub"), fn(t, c, "@gcd")), mu.Conflict)
	want(t, call(t, c, "@calls_later", 10), 14) // trap, then @pushed, which traps and continues
	want(t, call(t, c, "@calls_later", 10), 20)
	want(t, call(t, c, "@later", 11), 22)
	if traps != 2 {
		t.Errorf("%d traps", traps)
	}
}

// TestWatchpoint enables a watchpoint from another thread.
func TestWatchpoint(t *testing.T) {
	c := open(t)
	traps := 0
	var how func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, wpid uint32) mu.TrapResult {
		traps++
		if wpid != 7 || site != "@watched.v1.entry.wp" {
			t.Errorf("watchpoint %d at %s", wpid, site)
		}
		return how(tc, s)
	})
	want(t, call(t, c, "@watched", 5), 5)
	c.VM().EnableWatchpoint(7)
	c.VM().EnableWatchpoint(123456)
	how = func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
		tc.VM().DisableWatchpoint(7)
		return mu.PassValues{Stack: s} // still continues at ena
	}
	want(t, call(t, c, "@watched", 5), 50)
	want(t, call(t, c, "@watched", 5), 5)
	c.VM().EnableWatchpoint(7)
	how = func(tc *mu.Ctx, s mu.StackRef) mu.TrapResult {
		return mu.ThrowExc{s, must[mu.Value](t)(tc.Null(must[mu.Type](t)(tc.TypeNamed("@R")))).(mu.Ref)}
	}
	want(t, call(t, c, "@watched", 5), -1)
	c.VM().DisableWatchpoint(7)
	if traps != 2 {
		t.Errorf("%d traps", traps)
	}
}

func TestSwap(t *testing.T) {
	c := open(t)
	want(t, call(t, c, "@echo_once", 5), 6, 7)
}
