package live_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// Several VMs in the process: tests of what each has for itself.

// newVM starts a further VM, which is closed at the end of the test.
func newVM(t *testing.T, cfg mu.Config) *mu.VM {
	t.Helper()
	if _, err := machine(); err != nil { // the first is that of the other tests
		t.Fatal(err)
	}
	vm, err := live.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { vm.Close() })
	return vm
}

// other is a client of a further VM.
func other(t *testing.T, cfg mu.Config) *client {
	vm := newVM(t, cfg)
	return &client{t, vm, vm.NewContext()}
}

// must loads a bundle as it is.
func (c *client) must(text string) {
	c.Helper()
	if err := c.LoadBundleText(text); err != nil {
		c.Fatal(err)
	}
}

// number is what a function without parameters returns.
func (c *client) number(name string) int64 {
	c.Helper()
	f, err := c.FuncNamed(name)
	if err != nil {
		c.Fatal(err)
	}
	n, err := mu.Call1[int64](c.Ctx, f)
	if err != nil {
		c.Fatal(err)
	}
	return n
}

// counter has the names that the suites of Mu clients use in each of their VMs: a function returns how often it was
// called in its VM, times a factor.
func counter(factor int) string {
	return fmt.Sprintf(`
		.typedef @i8 = int<8>  .typedef @i64 = int<64>  .const @1 <@i64> = 1  .const @factor <@i64> = %d
		.typedef @box = struct<@i64 @i64>  .typedef @rbox = ref<@box>
		.global @count <@i64>  .global @kept <@rbox>
		.funcsig @sig = () -> (@i64)
		.funcdef @test_fnc VERSION %%v1 <@sig> {
			%%e(): %%n = LOAD <@i64> @count  %%m = ADD <@i64> %%n @1  STORE <@i64> @count %%m
			%%b = NEW <@box>  STORE <@rbox> @kept %%b
			%%r = MUL <@i64> %%m @factor  RET %%r
		}`, factor)
}

// TestVMsHaveNames: each of many VMs, none of which is closed, has the same names with a meaning of its own.
func TestVMsHaveNames(t *testing.T) {
	const vms = 120
	var all []*client
	for i := range vms {
		c := other(t, mu.Config{})
		c.must(counter(i + 1))
		all = append(all, c)
	}
	for round := range int64(3) {
		for i, c := range all {
			if got, want := c.number("@test_fnc"), (round+1)*int64(i+1); got != want {
				t.Fatalf("VM %d, call %d: got %d, want %d", i, round+1, got, want)
			}
		}
	}
	a, b := all[0], all[1]
	ida, err := a.vm.ID("@test_fnc")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.vm.Name(ida); !errors.Is(err, mu.NoID) {
		t.Errorf("the ID of another VM has a name: %v", err)
	}
	if _, err := b.Func(ida); !errors.Is(err, mu.NoID) || !strings.Contains(err.Error(), "is not the ID of a function") {
		t.Errorf("the ID of another VM is a function: %v", err)
	}
	if _, err := b.vm.Lookup(ida); !errors.Is(err, mu.NoID) {
		t.Errorf("the ID of another VM can be looked up: %v", err)
	}
	a.must(`.funcdecl @only_here <@sig>`)
	if _, err := b.vm.ID("@only_here"); !errors.Is(err, mu.NoName) {
		t.Errorf("a name of another VM is known: %v", err)
	}
	if l := b.vm.Names("@only"); len(l) > 0 {
		t.Errorf("names of another VM: %q", l)
	}
	if l := a.vm.Names("@only"); fmt.Sprint(l) != "[@only_here]" {
		t.Errorf("names of the VM itself: %q", l)
	}
	if err := a.LoadBundleText(counter(1)); !errors.Is(err, mu.Conflict) {
		t.Errorf("loaded twice: %v", err)
	}
	if err := b.LoadBundleText(`.funcdecl @uses_first <@two>`); !errors.Is(err, mu.BadBundle) || !strings.Contains(err.Error(), "@two") {
		t.Errorf("a name of the first VM is known to a bundle: %v", err)
	}
}

// TestVMsRunAtOnce: many VMs load, run, allocate and collect at the same time.
func TestVMsRunAtOnce(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 8 {
		vm := newVM(t, mu.Config{})
		wg.Go(func() {
			c := &client{t, vm, vm.NewContext()}
			if err := c.LoadBundleText(counter(i + 1)); err != nil {
				t.Error(err)
				return
			}
			f, _ := c.FuncNamed("@test_fnc")
			for n := range int64(200) {
				got, err := mu.Call1[int64](c.Ctx, f)
				if err != nil || got != (n+1)*int64(i+1) {
					t.Errorf("VM %d, call %d: %d, %v", i, n+1, got, err)
					return
				}
				if n%50 == 0 {
					if err := vm.GC(); err != nil {
						t.Error(err)
					}
				}
			}
			if err := vm.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// TestVMsWait: Wait waits for the threads of its VM.
func TestVMsWait(t *testing.T) {
	const text = `
		.typedef @i32 = int<32>  .const @0 <@i32> = 0  .const @1 <@i32> = 1
		.global @flag <@i32>
		.funcsig @none = () -> ()
		.funcdef @waits VERSION %v1 <@none> {
			%e(): BRANCH %head()
			%head(): %x = LOAD SEQ_CST <@i32> @flag  %z = EQ <@i32> %x @0  BRANCH2 %z %wait() %end()
			%wait(): %w = COMMINST @uvm.futex.wait <@i32> (@flag @0)  BRANCH %head()
			%end(): RET ()
		}
		.funcdef @wakes VERSION %v1 <@none> {
			%e(): STORE SEQ_CST <@i32> @flag @1  %n = COMMINST @uvm.futex.wake <@i32> (@flag @1)  RET ()
		}`
	a, b := other(t, mu.Config{}), other(t, mu.Config{})
	a.must(text)
	b.must(text)
	start := func(c *client) {
		f, _ := c.FuncNamed("@waits")
		s, err := c.NewStack(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.NewThread(s, mu.Ref{}, mu.PassValues{}); err != nil {
			t.Fatal(err)
		}
	}
	start(a)
	if err := b.vm.Wait(context.Background()); err != nil {
		t.Error(err)
	}
	short, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if err := a.vm.Wait(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Wait does not wait for a thread: %v", err)
	}
	f, _ := a.FuncNamed("@wakes")
	if _, err := a.Call(f); err != nil {
		t.Fatal(err)
	}
	if err := a.vm.Wait(context.Background()); err != nil {
		t.Error(err)
	}
}
