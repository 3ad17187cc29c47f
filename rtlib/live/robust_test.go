package live_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/live"
)

// TestReaderPanics has the reader of bundles panic, which is a fault of its own: the error says so, and the program goes
// on and loads other bundles.
func TestReaderPanics(t *testing.T) {
	c := newClient(t)
	read := core.Engine.Read
	defer func() { core.Engine.Read = read }()
	var null *struct{ x int }
	var none []int
	for i, fault := range []func(){
		func() { null.x++ },
		func() { none[len(none)] = 1 },
		func() { panic(errors.New("no runtime.Error")) },
	} {
		core.Engine.Read = func(*core.Ctx, string, string) (*core.LiveBundle, string, error) {
			fault()
			return nil, "", nil
		}
		err := c.LoadBundleText(".typedef @i64 = int<64>")
		var e *core.Error
		if !errors.As(err, &e) || e.Kind != core.Internal {
			t.Errorf("error %v, want an internal error", err)
		}
		core.Engine.Read = read
		c.load(fmt.Sprintf(`.funcdef $f%d VERSION %%v <@one> { %%e(<@i64> %%x): %%y = ADD <@i64> %%x @1  RET %%y }`, i))
		c.expect("8", fmt.Sprintf("$f%d", i), 7)
	}
	if err := c.vm.GC(); err != nil {
		t.Error(err)
	}
}

// TestCollectDuringCalls collects while a loaded function calls another one with a reference. The race detector looks at
// how the collector finds the frames.
func TestCollectDuringCalls(t *testing.T) {
	c := newClient(t)
	c.load(`
		.funcsig $sig = (@i64 @ri) -> (@i64)
		.funcdef $less VERSION %v <$sig> { %e(<@i64> %x <@ri> %o): %y = SUB <@i64> %x @1  RET %y }
		.funcdef $f VERSION %v <@one> {
			%e(<@i64> %x): %o = NEW <@i64>  BRANCH %l(%x %o)
			%l(<@i64> %x <@ri> %o): %y = CALL <$sig> $less(%x %o)  %z = EQ <@i64> %y @0  BRANCH2 %z %d(%y) %l(%y %o)
			%d(<@i64> %y): RET %y
		}`)
	done := make(chan struct{})
	go func() {
		defer close(done)
		o := &client{t, c.vm, c.vm.NewContext()}
		defer o.Close()
		o.expect("0", "$f", 300000)
	}()
	for n := 0; ; n++ {
		select {
		case <-done:
			t.Log(n, "collections")
			return
		default:
			if err := c.vm.GC(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestManyTypes loads bundles of many types, which must take memory in proportion to their number.
func TestManyTypes(t *testing.T) {
	c := newClient(t)
	size := func(name string, n int) uint64 {
		text := strings.ReplaceAll(live.Chain(n), "$", "@"+t.Name()+name+".")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := c.LoadBundleText(text); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	one, eight := size("a", 1000), size("b", 8000)
	t.Log(one/1000, "and", eight/8000, "bytes for a pair of types")
	if eight > 12*one {
		t.Errorf("8000 pairs of types take %d times as many bytes as 1000", eight/one)
	}
}
