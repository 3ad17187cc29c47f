package mu_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/rtlib/native"
)

func goroutines() int { return runtime.NumGoroutine() }

func init() {
	if err := native.Register("uvm_test_native", testNative); err != nil {
		panic(err)
	}
	children["deletes"] = deletes
	children["pushes"] = pushes
	children["native elsewhere"] = nativeElsewhere
}

var nothing *int

// nativePointer is the address of testNative for Mu code.
func nativePointer(c *mu.Ctx) mu.Value {
	addr, _ := native.Symbol("uvm_test_native")
	ty, _ := c.TypeNamed("@cbp")
	p, _ := c.Pointer(ty, addr)
	return p
}

// testNative is a native implemented in Go.
func testNative(n int64) int64 {
	switch n {
	case 1:
		runtime.Goexit()
	case 2:
		panic("the native's own fault")
	case 3:
		return int64(*nothing)
	case 4:
		return n / (n - 4)
	case 5:
		return int64(len(strings.Repeat("a", int(-n))))
	case 6:
		return deep(1000)
	}
	return n + 1
}

// deep fails in more frames than are looked at.
func deep(n int64) int64 {
	if n == 0 {
		return 1 / n
	}
	return deep(n-1) + 1
}

// The calling goroutine ends; the context can still be used. The same is true after a panic, which is an error
// with its place in Go.
func TestNative(t *testing.T) {
	c := open(t)
	f, p := fn(t, c, "@through"), nativePointer(c)
	done := make(chan bool)
	go func() {
		defer close(done)
		c.Call(f, p, c.Int(1, 64))
		t.Error("Goexit was swallowed")
	}()
	<-done
	works := func() {
		t.Helper()
		res := must[[]mu.Value](t)(c.Call(f, p, c.Int(7, 64)))
		if n := res[0].(mu.Int).Int64(); n != 8 {
			t.Errorf("result %d", n)
		}
	}
	works()
	_, err := c.CallContext(timeout(), f, p, 1)
	wantCode(t, err, mu.ThreadExit)
	works()
	for _, test := range []struct {
		n         int64
		who, text string
	}{
		{2, "testNative", "the native's own fault"},
		{3, "testNative", "runtime error: invalid memory address or nil pointer dereference"},
		{4, "testNative", "runtime error: integer divide by zero"},
		{5, "strings.Repeat", "strings: negative Repeat count"},
		{6, "deep", "runtime error: integer divide by zero"},
	} {
		_, err := c.Call(f, p, test.n)
		wantCode(t, err, mu.Failed)
		var e *core.Error
		if !errors.As(err, &e) {
			t.Fatalf("error %v", err)
		}
		if e.Kind != core.Native || e.Detail != "the native uvm_test_native panicked: "+test.text {
			t.Errorf("%d: %v, want NATIVE with %q", test.n, e, test.text)
		}
		if first := e.Trace[0]; !strings.HasSuffix(first.Func, test.who) || first.Line == 0 || first.Line != e.Line || first.File != e.File || e.Where != first.Func {
			t.Errorf("%d: %v, at %v, want the place in %s", test.n, e, e.Trace, test.who)
		}
		last := e.Trace[len(e.Trace)-1]
		if test.n != 6 && (last.Func != "@through" || !strings.HasSuffix(e.Trace[len(e.Trace)-2].Func, "testNative")) {
			t.Errorf("%d: trace %v", test.n, e.Trace)
		}
		if !strings.Contains(e.GoStack, test.who) {
			t.Errorf("%d: error without the Go stack", test.n)
		}
		works()
	}
	if err := c.Collect(); err != nil {
		t.Error(err)
	}
}

// nativeElsewhere lets a thread started by Mu end in a native.
func nativeElsewhere() {
	vm, _ := mu.Open()
	c := vm.NewContext()
	f, _ := c.FuncNamed("@through")
	s, _ := c.NewStack(f)
	_, err := c.NewThread(s, mu.Ref{}, mu.PassValues{Values: []mu.Value{nativePointer(c), c.Int(1, 64)}})
	err2 := vm.Wait(timeout())
	fmt.Println(err, err2, c.Collect())
}

func TestNativeElsewhere(t *testing.T) {
	if out, status := child(t, "native elsewhere"); out != "<nil> <nil> <nil>\n" || status != 0 {
		t.Errorf("status %d, output %q", status, out)
	}
}

// deletes makes and deletes handles while another context collects.
func deletes() {
	vm, _ := mu.Open()
	stop := make(chan bool)
	for range 2 {
		go func() {
			c := vm.NewContext()
			ty, _ := c.TypeNamed("@pair")
			for {
				r, _ := c.NewFixed(ty)
				i, _ := c.IRef(r)
				c.Delete(r)
				c.Delete(i)
				d := vm.NewContext()
				d.NewFixed(ty)
				d.Close()
			}
		}()
	}
	go func() {
		time.Sleep(300 * time.Millisecond)
		close(stop)
	}()
	fmt.Println("fine", collectUntil(vm.NewContext(), stop) > 10)
}

// collectUntil collects until done is closed, and returns how often.
func collectUntil(c *mu.Ctx, done chan bool) int {
	for n := 0; ; n++ {
		select {
		case <-done:
			return n
		default:
			c.Collect()
		}
	}
}

func TestDeletes(t *testing.T) {
	t.Setenv("UVMDEBUG", "gcverify=1")
	if out, status := child(t, "deletes"); out != "fine true\n" || status != 0 {
		t.Errorf("status %d, output %q", status, out)
	}
}

// pushes pushes frames until there is an error.
func pushes() {
	vm, _ := mu.New(mu.Config{StackLimit: 64 << 10})
	c := vm.NewContext()
	f, _ := c.FuncNamed("@twice")
	zero := c.Int(0, 64)
	for _, base := range []string{"@twice", "@deep"} {
		g, _ := c.FuncNamed(base)
		s, _ := c.NewStack(g)
		var err error
		n := 0
		for ; err == nil && n < 100000; n++ {
			err = c.PushFrame(s, f)
		}
		// The frames that were pushed can be run.
		vm.SetTrapHandler(func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ uint32) mu.TrapResult {
			return mu.PassValues{s, []mu.Value{tc.Int(1, 64)}}
		})
		_, err2 := c.NewThread(s, mu.Ref{}, mu.PassValues{Values: []mu.Value{zero}})
		fmt.Println(code(err), n > 100, err2, vm.Wait(timeout()))
	}
}

func TestPushes(t *testing.T) {
	want := "E_STACK_OVERFLOW true <nil> <nil>\nE_STACK_OVERFLOW true <nil> <nil>\n"
	if out, status := child(t, "pushes"); out != want || status != 0 {
		t.Errorf("status %d, output %q, want %q", status, out, want)
	}
}

// Equal types without a name are one Type, wherever they come from.
func TestUnnamedTypes(t *testing.T) {
	c := open(t)
	handle(t, c, func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, site string, _ uint32) mu.TrapResult {
		cur := must[mu.Cursor](t)(tc.NewCursor(s))
		keep := must[[]mu.Value](t)(tc.DumpKeepalives(cur))
		i := must[mu.IRef](t)(tc.IRef(keep[0].(mu.Ref)))
		if i.Type() != keep[1].Type() {
			t.Errorf("two types %s and %s", i.Type(), keep[1].Type())
		}
		if same, err := tc.Same(i, keep[1]); !same || err != nil {
			t.Errorf("%t, %v", same, err)
		}
		tc.CloseCursor(cur)
		return mu.PassValues{Stack: s}
	})
	want(t, call(t, c, "@unnamed", 4), 4)
	// References to void, which the runtime makes in many places.
	void := must[mu.Type](t)(c.TypeNamed("@R"))
	o := must[mu.Ref](t)(c.NewFixed(must[mu.Type](t)(c.TypeNamed("@pair"))))
	_, err := c.Call(fn(t, c, "@throws"), o)
	var exc *mu.Exception
	if !errors.As(err, &exc) || exc.Exc.Type() != void {
		t.Errorf("an exception of %s, want %s", exc.Exc.Type(), void)
	}
	back, _, err := c.Ref(must[mu.TagRef64](t)(c.TagRef(o, 1)))
	if err != nil || back.Type() != void {
		t.Errorf("a reference of %s, want %s", back.Type(), void)
	}
}

func TestIntLengths(t *testing.T) {
	c := open(t)
	for _, n := range []uint32{0, 129, 1 << 31} {
		for _, v := range []mu.Int{c.Int(5, n), c.Uint(5, n)} {
			_, err := c.Call(fn(t, c, "@pushed"), v)
			wantCode(t, err, mu.OutOfRange)
			if v.Bits() != 0 {
				t.Errorf("int<%d>", v.Bits())
			}
		}
	}
	_, err := c.Call(fn(t, c, "@wide"), c.BigInt(nil, 100))
	wantCode(t, err, mu.BadArg)
}

func TestClosedLookUps(t *testing.T) {
	c := open(t)
	id := func(name string) mu.ID { return must[mu.ID](t)(c.ID(name)) }
	ids := []mu.ID{id("@gcd"), id("@i64"), id("@cell"), id("@half"), id("@callback")}
	ty := must[mu.Type](t)(c.TypeNamed("@R"))
	ptr := must[mu.Type](t)(c.TypeNamed("@up"))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func() error{
		"ID":        func() error { _, err := c.ID("@gcd"); return err },
		"Name":      func() error { _, err := c.Name(ids[0]); return err },
		"Func":      func() error { _, err := c.Func(ids[0]); return err },
		"FuncNamed": func() error { _, err := c.FuncNamed("@gcd"); return err },
		"Type":      func() error { _, err := c.Type(ids[1]); return err },
		"TypeNamed": func() error { _, err := c.TypeNamed("@i64"); return err },
		"Global":    func() error { _, err := c.Global(ids[2]); return err },
		"Const":     func() error { _, err := c.Const(ids[3]); return err },
		"Exposed":   func() error { _, err := c.Exposed(ids[4]); return err },
		"Null":      func() error { _, err := c.Null(ty); return err },
		"Pointer":   func() error { _, err := c.Pointer(ptr, 8); return err },
	} {
		err := f()
		if err == nil || code(err) != mu.CtxClosed {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDefineSignature(t *testing.T) {
	c := open(t)
	wantCode(t, c.Define(fn(t, c, "@later"), fn(t, c, "@sub")), mu.TypeMismatch)
}

func init() {
	children["pins"] = pinsAtClose
	children["handlers"] = handlers
	children["hook"] = hook
	children["native panics elsewhere"] = nativePanicsElsewhere
	children["handler panics"] = handlerPanics
}

// handlers alternates between trap handlers in Mu, whose user data is an object, and in Go.
func handlers() {
	vm, _ := mu.Open()
	c := vm.NewContext()
	ty, _ := c.TypeNamed("@pair")
	for range 5000 { // so that collections take some time
		c.NewFixed(ty)
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		c := vm.NewContext()
		f, _ := c.FuncNamed("@sets_handler")
		for i := range 100 {
			if _, err := c.Call(f); err != nil {
				fmt.Println(err)
			}
			time.Sleep(time.Duration(i) * 10 * time.Microsecond)
			vm.SetTrapHandler(nil)
		}
	}()
	collectUntil(c, done)
	fmt.Println("fine")
}

func TestHandlers(t *testing.T) {
	t.Setenv("UVMDEBUG", "gcverify=1")
	if out, status := child(t, "handlers"); out != "fine\n" || status != 0 {
		t.Errorf("status %d, output %q", status, out)
	}
}

// hook has a hook that ends its goroutine, like the Fatal of a test.
func hook() {
	vm, _ := mu.New(mu.Config{Fatal: func(err error) {
		fmt.Println(code(err))
		runtime.Goexit()
	}})
	c := vm.NewContext()
	f, _ := c.FuncNamed("@divide")
	s, _ := c.NewStack(f)
	c.NewThread(s, mu.Ref{}, mu.PassValues{Values: []mu.Value{c.Int(1, 64), c.Int(0, 64)}})
	vm.Wait(timeout())
	fmt.Println("the process goes on")
}

func TestHook(t *testing.T) {
	if out, status := child(t, "hook"); out != "E_DIVZERO\n" || status != 4 {
		t.Errorf("status %d, output %q", status, out)
	}
}

// nativePanicsElsewhere lets a native panic on a thread started by Mu.
func nativePanicsElsewhere() {
	vm, _ := mu.Open()
	c := vm.NewContext()
	f, _ := c.FuncNamed("@through")
	s, _ := c.NewStack(f)
	c.NewThread(s, mu.Ref{}, mu.PassValues{Values: []mu.Value{nativePointer(c), c.Int(2, 64)}})
	vm.Wait(timeout())
}

// handlerPanics lets a trap handler divide by zero, while a Go caller waits for the thread.
func handlerPanics() {
	vm, _ := mu.Open()
	c := vm.NewContext()
	vm.SetTrapHandler(dividingHandler)
	f, _ := c.FuncNamed("@ask")
	_, err := c.Call(f)
	fmt.Println("returned", err)
}

func dividingHandler(_ *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, wpid uint32) mu.TrapResult {
	return mu.Pass(s, 1/wpid)
}

// A fault of a handler ends the process, with the place in Go.
func TestHandlerPanics(t *testing.T) {
	out, status := child(t, "handler panics")
	first, _, _ := strings.Cut(out, "\n")
	for _, want := range []string{"uvm: run-time error: NATIVE at ", ".dividingHandler (", "faults_test.go:",
		"the handler of the trap ask.v1.entry.ask panicked: runtime error: integer divide by zero"} {
		if !strings.Contains(first, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if status != 4 || !strings.Contains(out, "goroutine ") || strings.Contains(out, "returned") {
		t.Errorf("status %d, output\n%s", status, out)
	}
}

func TestNativePanicsElsewhere(t *testing.T) {
	out, status := child(t, "native panics elsewhere")
	for _, want := range []string{"uvm: run-time error: NATIVE at ", "testNative (", "the native uvm_test_native panicked: the native's own fault",
		"\n\t@through", "testNative"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if status != 4 {
		t.Errorf("status %d", status)
	}
}

// pinsAtClose closes contexts that have pins, including those of trap handlers, while others collect.
func pinsAtClose() {
	vm, _ := mu.Open()
	vm.SetTrapHandler(func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ uint32) mu.TrapResult {
		cell, _ := tc.GlobalNamed("@cell")
		tc.Pin(cell)
		return mu.PassValues{Stack: s, Values: []mu.Value{tc.Int(1, 64)}}
	})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			c := vm.NewContext()
			f, _ := c.FuncNamed("@pushed")
			for range 3000 {
				switch i {
				case 0:
					c.Collect()
				case 1:
					d := vm.NewContext()
					cell, _ := d.GlobalNamed("@cell")
					d.Pin(cell)
					d.Close()
				default:
					if n, err := mu.Call1[int64](c, f, 4); n != 5 || err != nil {
						fmt.Println(n, err)
					}
				}
			}
		})
	}
	wg.Wait()
	fmt.Println("done")
}

func TestPinsAtClose(t *testing.T) {
	if out, status := child(t, "pins"); out != "done\n" || status != 0 {
		t.Errorf("status %d, output %q", status, out)
	}
}
