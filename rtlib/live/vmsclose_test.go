package live_test

import (
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
	if testing.Short() || race.Enabled {
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
	// A VM that is kept takes more than 100 KB.
	if grown := int64(after.goHeap) - int64(before.goHeap); grown > int64(vms)*10<<10 {
		t.Errorf("Go's heap has %d bytes more", grown)
	}
	if after.goroutines > before.goroutines+150 {
		t.Errorf("there are %d goroutines, %d before", after.goroutines, before.goroutines)
	}
}
