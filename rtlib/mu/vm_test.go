package mu_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/testscripts/self"
)

// TestLoadHAIL runs HAIL scripts as a client (docs/hail.md).
func TestLoadHAIL(t *testing.T) {
	c := open(t)
	id := must[mu.ID](t)(c.ID("@root"))
	root := must[mu.IRef](t)(c.Global(id))
	if err := c.LoadHAIL(".newhybrid $t <@text> 2 .init $t = {5 {7 -1}} .init @root = $t .init @cell = 44"); err != nil {
		t.Fatal(err)
	}
	if err := c.Collect(); err != nil {
		t.Fatal(err)
	}
	ref := must[mu.Value](t)(c.RefCast(must[mu.Value](t)(c.Load(mu.NotAtomic, root)), must[mu.Type](t)(c.TypeNamed("@Rtext"))))
	part := must[mu.IRef](t)(c.VarPartIRef(must[mu.IRef](t)(c.IRef(ref.(mu.Ref)))))
	last := must[mu.IRef](t)(c.ShiftIRef(part, 1))
	if v := must[mu.Value](t)(c.Load(mu.NotAtomic, last)).(mu.Int).Int64(); v != -1 {
		t.Errorf("element %d", v)
	}
	if v := cell(t, c); v != 44 {
		t.Errorf("cell %d", v)
	}
	// Stores before an error keep their effect; after a syntax error nothing is stored.
	err := c.LoadHAIL(".init @cell = 45\n.init @cell = 1.5d")
	wantCode(t, err, mu.BadHAIL)
	if v := cell(t, c); v != 45 || !strings.Contains(err.Error(), "2:15: ") {
		t.Errorf("cell %d, error %v", v, err)
	}
	wantCode(t, c.LoadHAIL(".init @cell = 46\n.init @cell = "), mu.ParseFailed)
	if v := cell(t, c); v != 45 {
		t.Errorf("cell %d", v)
	}
	if less := must[bool](t)(c.Less(part, last)); !less {
		t.Error("elements in the wrong order")
	}
	if less := must[bool](t)(c.Less(last, last)); less {
		t.Error("a place is before itself")
	}
	_, err = c.Less(part, root)
	wantCode(t, err, mu.TypeMismatch)
}

// TestCallContext returns early from a call that continues.
func TestCallContext(t *testing.T) {
	c := open(t)
	res := must[[]mu.Value](t)(c.CallContext(context.Background(), fn(t, c, "@gcd"), nums(6, 4)...))
	if res[0].(mu.Int).Int64() != 2 {
		t.Error("gcd")
	}
	ctx, cancel := context.WithCancel(context.Background())
	entered, leave := make(chan bool), make(chan bool)
	c.VM().SetTrapHandler(func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ uint32) mu.TrapResult {
		close(entered)
		<-leave
		return mu.PassValues{s, ints(tc, 4)}
	})
	ask, x := fn(t, c, "@pushed"), c.Int(7, 64)
	go func() {
		<-entered
		cancel()
	}()
	if _, err := c.CallContext(ctx, ask, x); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	_, err := c.Call(ask, x)
	wantCode(t, err, mu.CtxBusy)
	_, err = c.CallContext(ctx, ask, x)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	close(leave)
	for range 1000 {
		if _, err = c.ConstNamed("@half"); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err != nil {
		t.Errorf("the context is not free again: %v", err)
	}
}

// A context may be closed while a call that CallContext has left runs on it: its stack is given back, once, when
// the call ends.
func TestCloseBusy(t *testing.T) {
	vm := open(t).VM()
	c := vm.NewContext()
	ctx, cancel := context.WithCancel(context.Background())
	leave := make(chan bool)
	vm.SetTrapHandler(func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ uint32) mu.TrapResult {
		cancel()
		<-leave
		return mu.PassValues{s, ints(tc, 4)}
	})
	if _, err := c.CallContext(ctx, fn(t, c, "@pushed"), c.Int(7, 64)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if c.Released() {
		t.Error("the stack is given back while something runs on it")
	}
	close(leave)
	for range 1000 {
		if c.Released() {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if !c.Released() {
		t.Error("the stack is not given back")
	}
	wantCode(t, c.Close(), mu.CtxClosed)
}

// childEnv is the variable that names the case of a child process, in which the VM starts and stops only once.
const childEnv = "MU_TEST_CHILD"

func TestMain(m *testing.M) {
	if name := os.Getenv(childEnv); name != "" {
		children[name]()
		return
	}
	os.Exit(m.Run())
}

// child runs one of children and returns its output and its status.
func child(t *testing.T, name string) (string, int) {
	t.Helper()
	cmd := self.Command(timeout(), t)
	cmd.Env = append(cmd.Env, childEnv+"="+name)
	out, err := cmd.CombinedOutput()
	var x *exec.ExitError
	if err != nil && !errors.As(err, &x) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

var children = map[string]func(){
	"heap": func() {
		vm, err := mu.New(mu.Config{HeapLimit: 2 << 20})
		c := vm.NewContext()
		text, e := c.TypeNamed("@text")
		_, oom := c.NewHybrid(text, 1<<20)
		_, twice := mu.New(mu.Config{})
		same, e2 := mu.Open()
		fmt.Println(err, e, code(oom), code(twice), same == vm, e2)
	},
	"stack": func() {
		vm, _ := mu.New(mu.Config{StackLimit: 64 << 10})
		vm.SetTrapHandler(func(tc *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ uint32) mu.TrapResult {
			return mu.PassValues{s, []mu.Value{tc.Int(1, 64)}}
		})
		c := vm.NewContext()
		deep, _ := c.FuncNamed("@deep")
		_, err := c.Call(deep, c.Int(1<<20, 64))
		_, ok := c.Call(deep, c.Int(100, 64))
		fmt.Println(code(err), ok)
	},
	"fatal": func() {
		vm, _ := mu.New(mu.Config{Fatal: func(err error) { fmt.Println("fatal:", code(err)) }})
		c := vm.NewContext()
		divide, _ := c.FuncNamed("@divide")
		s, _ := c.NewStack(divide)
		c.NewThread(s, mu.Ref{}, mu.PassValues{Values: []mu.Value{c.Int(1, 64), c.Int(0, 64)}})
		vm.Wait(context.Background())
		fmt.Println("not reached")
	},
	"close": func() {
		vm, _ := mu.Open()
		c := vm.NewContext()
		id, _ := c.ID("@cell")
		cell, _ := c.Global(id)
		p, _ := c.Pin(cell)
		f, _ := c.FuncNamed("@forever")
		s, _ := c.NewStack(f)
		c.NewThread(s, mu.Ref{}, mu.PassValues{})
		for count(p) == 0 {
			time.Sleep(time.Millisecond)
		}
		err := vm.Close()
		before := count(p)
		time.Sleep(20 * time.Millisecond)
		_, closed := c.Call(f)
		_, closed2 := vm.NewContext().NewStack(f)
		fmt.Println(err, count(p) == before, code(closed), code(closed2), code(vm.Close()))
	},
}

func code(err error) mu.Code {
	var e *mu.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return mu.Code(fmt.Sprint("no code: ", err))
}

// TestVM tests what a process can do only once: start with limits, end, stop.
func TestVM(t *testing.T) {
	for _, test := range []struct {
		name, out string
		status    int
	}{
		{"heap", "<nil> <nil> E_OOM E_CONFLICT true <nil>\n", 0},
		{"stack", "E_STACK_OVERFLOW <nil>\n", 0},
		{"fatal", "fatal: E_DIVZERO\n", 4},
		{"close", "<nil> true E_CTX_CLOSED E_CTX_CLOSED E_CTX_CLOSED\n", 0},
	} {
		if out, status := child(t, test.name); out != test.out || status != test.status {
			t.Errorf("%s: status %d, output %q, want %d, %q", test.name, status, out, test.status, test.out)
		}
	}
}
