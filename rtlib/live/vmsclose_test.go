package live_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/race"
	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// lavish is a bundle that has some of everything that a VM must free: code, cells, objects that stay alive, a stack that
// rests, an exposed function, a watchpoint, names inside functions, a declared function.
const lavish = `
	.typedef @void = void  .typedef @i32 = int<32>  .typedef @i64 = int<64>  .const @0 <@i64> = 0  .const @1 <@i64> = 1  .const @100 <@i64> = 100
	.typedef @cells = hybrid<@i64 @i64>  .typedef @rcells = ref<@cells>
	.typedef @stack = stackref
	.global @kept <@rcells>  .global @rests <@stack>
	.funcsig @get = () -> (@i64)  .funcsig @one = (@i64) -> (@i64)  .funcsig @gives = (@stack) -> ()  .typedef @fone = funcref<@one> 
	.funcdecl @undefined <@one>
	.funcdef @twice VERSION %v1 <@one> { %e(<@i64> %x): %y = ADD <@i64> %x %x  RET %y }
	.expose @c_twice = @twice #DEFAULT @0
	.funcdef @sleeper VERSION %v1 <@gives> {
		%e(<@stack> %back): SWAPSTACK %back RET_WITH <> PASS_VALUES <> ()  RET ()
	}
	.funcdef @run VERSION %v1 <@get> {
		%e(): [%here] WATCHPOINT 5 <> %off() %on()
		%on(): RET @0
		%off():
			%me = COMMINST @uvm.current_stack
			%s = COMMINST @uvm.new_stack <[@gives]> (@sleeper)
			SWAPSTACK %s RET_WITH <> PASS_VALUES <@stack> (%me)
			STORE <@stack> @rests %s
			BRANCH %head(@0)
		%head(<@i64> %i):
			%h = NEWHYBRID <@cells @i64> @100
			STORE <@rcells> @kept %h
			%j = ADD <@i64> %i @1
			%more = ULT <@i64> %j @100
			BRANCH2 %more %head(%j) %end(%j)
		%end(<@i64> %n): %r = CALL <@one> @twice (%n)  RET %r
	}`

// figures are what memory holds.
type figures struct {
	objects, goHeap uint64
	goroutines      int
}

func measure(vm *mu.VM) figures {
	for range 4 { // bundles go when Go's collector has found that nothing has them
		vm.GC()
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return figures{gc.Stats().Live, m.HeapAlloc, runtime.NumGoroutine()}
}

// TestVMsGoAway opens, uses and closes a thousand VMs. Memory does not grow.
func TestVMsGoAway(t *testing.T) {
	vms := 1000
	if race.Enabled {
		vms = 200
	}
	main, err := machine()
	if err != nil {
		t.Fatal(err)
	}
	use := func() {
		vm, err := live.New(mu.Config{})
		if err != nil {
			t.Fatal(err)
		}
		c := &client{t, vm, vm.NewContext()}
		c.must(lavish)
		if n := c.number("@run"); n != 200 {
			t.Fatalf("got %d", n)
		}
		f, _ := c.FuncNamed("@sleeper")
		if _, err := c.NewStack(f); err != nil {
			t.Fatal(err)
		}
		if err := vm.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for range 50 {
		use()
	}
	before := measure(main)
	for range vms {
		use()
	}
	after := measure(main)
	t.Logf("before: %+v, after: %+v", before, after)
	if grown := int64(after.objects) - int64(before.objects); grown > 1<<20 {
		t.Errorf("the objects take %d bytes more", grown)
	}
	// A VM that is kept takes about 75 KB.
	if grown := int64(after.goHeap) - int64(before.goHeap); grown > int64(vms)*10<<10 {
		t.Errorf("Go's heap has %d bytes more", grown)
	}
	if after.goroutines > before.goroutines+150 {
		t.Errorf("there are %d goroutines, %d before", after.goroutines, before.goroutines)
	}
}

// underWay are functions that do not return, each preceded by what sets @flag. Close ends them.
const underWay = common + `
	.typedef @stack = stackref  .typedef @big = hybrid<@i64 @i64>
	.global @flag <@i64>  .global @word <@i32>  .const @i0 <@i32> = 0
	.funcsig @gives = (@stack) -> ()
	.funcdef @ready VERSION %v <@none> { %e(): STORE SEQ_CST <@i64> @flag @1  RET () }
	.funcdef @is_ready VERSION %v <@get> { %e(): %x = LOAD SEQ_CST <@i64> @flag  RET %x }
	.funcdef @loops VERSION %v <@none> { %e(): CALL <@none> @ready ()  BRANCH %l()  %l(): BRANCH %l() }
	.funcdef @allocates VERSION %v <@none> { %e(): CALL <@none> @ready ()  BRANCH %l()  %l(): %o = NEWHYBRID <@big @i64> @7  BRANCH %l() }
	.funcdef @sleeps VERSION %v <@none> {
		%e(): CALL <@none> @ready ()  BRANCH %l()
		%l(): %w = COMMINST @uvm.futex.wait <@i32> (@word @i0)  BRANCH %l()
	}
	.funcdef @traps VERSION %v <@none> { %e(): CALL <@none> @ready ()  BRANCH %l()  %l(): [%t] TRAP <>  BRANCH %l() }
	.funcdef @bounces VERSION %v <@gives> { %e(<@stack> %s): BRANCH %l(%s)  %l(<@stack> %s): SWAPSTACK %s RET_WITH <> PASS_VALUES <> ()  BRANCH %l(%s) }
	.funcdef @swaps VERSION %v <@none> {
		%e():
			CALL <@none> @ready ()
			%me = COMMINST @uvm.current_stack
			%s = COMMINST @uvm.new_stack <[@gives]> (@bounces)
			SWAPSTACK %s RET_WITH <> PASS_VALUES <@stack> (%me)
			BRANCH %l(%s)
		%l(<@stack> %s): SWAPSTACK %s RET_WITH <> PASS_VALUES <> ()  BRANCH %l(%s)
	}
	.funcdef @leaves VERSION %v <@gives> { %e(<@stack> %s): CALL <@none> @loops ()  RET () }
	.funcdef @on_another VERSION %v <@none> {
		%e():
			%me = COMMINST @uvm.current_stack
			%s = COMMINST @uvm.new_stack <[@gives]> (@leaves)
			SWAPSTACK %s RET_WITH <> PASS_VALUES <@stack> (%me)
			RET ()
	}
	.funcdef @recurses VERSION %v <@none> { %e(): CALL <@none> @ready ()  BRANCH %l()  %l(): CALL <@none> @deep ()  BRANCH %l() }
	.funcdef @deep VERSION %v <@none> { %e(): TAILCALL <@none> @deep () }
	.funcdef @loads VERSION %v <@none> { %e(): CALL <@none> @ready ()  BRANCH %l()  %l(): %b = COMMINST @uvm.irbuilder.new_bundle  BRANCH %l() }`

// TestVMsCloseUnderWay closes a VM while a Go caller and a thread execute something. Calls end with an error, Wait returns,
// and all that the VM has goes. Another VM runs all the time.
func TestVMsCloseUnderWay(t *testing.T) {
	other := other(t, mu.Config{ThreadFailed: func(err error) { t.Errorf("a thread of the other VM failed: %v", err) }})
	other.must(counter(1))
	calls := int64(0)
	for _, name := range []string{"@loops", "@allocates", "@sleeps", "@traps", "@swaps", "@on_another", "@recurses", "@loads"} {
		t.Run(name, func(t *testing.T) {
			vm, err := live.New(mu.Config{ThreadFailed: func(err error) { t.Errorf("a thread of the VM failed: %v", err) }})
			if err != nil {
				t.Fatal(err)
			}
			gone := make(chan bool)
			runtime.AddCleanup(vm, func(c chan bool) { close(c) }, gone)
			closeUnderWay(t, vm, name)
			vm = nil
			for deadline := time.Now().Add(20 * time.Second); ; {
				runtime.GC()
				select {
				case <-gone:
					return
				case <-time.After(10 * time.Millisecond):
				}
				if calls++; other.number("@test_fnc") != calls {
					t.Error("the other VM is disturbed")
				}
				if time.Now().After(deadline) {
					t.Fatal("something keeps the closed VM")
				}
			}
		})
	}
}

func closeUnderWay(t *testing.T, vm *mu.VM, name string) {
	c, d := &client{t, vm, vm.NewContext()}, &client{t, vm, vm.NewContext()}
	c.must(underWay)
	vm.SetTrapHandler(func(_ *mu.Ctx, _ mu.ThreadRef, s mu.StackRef, _ uint32) mu.TrapResult { return mu.PassValues{Stack: s} })
	ended, waited := make(chan error, 1), make(chan error, 1)
	g, _ := d.FuncNamed(name)
	go func() {
		_, err := d.Ctx.Call(g)
		ended <- err
	}()
	f, _ := c.FuncNamed(name)
	s, err := c.NewStack(f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.NewThread(s, mu.Ref{}, mu.PassValues{}); err != nil {
		t.Fatal(err)
	}
	go func() { waited <- vm.Wait(context.Background()) }()
	for c.number("@is_ready") == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(2 * time.Millisecond)
	if err := vm.Close(); err != nil {
		t.Fatal(err)
	}
	for what, ch := range map[string]chan error{"the call": ended, "Wait": waited} {
		select {
		case err := <-ch:
			if !errors.Is(err, mu.CtxClosed) {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s has not ended", what)
		}
	}
	if _, err := c.Ctx.Call(f); !errors.Is(err, mu.CtxClosed) {
		t.Errorf("a call afterwards: %v", err)
	}
	if _, err := vm.ID("@ready"); !errors.Is(err, mu.CtxClosed) {
		t.Errorf("a look-up afterwards: %v", err)
	}
	if err := vm.NewContext().Collect(); !errors.Is(err, mu.CtxClosed) {
		t.Errorf("a new context: %v", err)
	}
	if err := vm.Close(); !errors.Is(err, mu.CtxClosed) {
		t.Errorf("closed again: %v", err)
	}
}
