package live_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// TestRemains redefines a function many times. Names and IDs of versions that nothing can reach are given back: most of
// them, at some time. A version that a stack has not begun yet keeps its own.
func TestRemains(t *testing.T) {
	const versions = 6000
	c := newClient(t)
	c.load(`
		.const $first <@i64> = 1000
		.global $out <@i64>
		.funcsig $set = (@i64) -> ()
		.funcdef $id VERSION %v <@one> { %e(<@i64> %x): RET %x }
		.funcdef $waits VERSION %v0 <$set> {
			%e(<@i64> %x): %y = CALL <@one> $id(%x)  %s = ADD <@i64> %y $first  [%here] TRAP <> KEEPALIVE(%s)  STORE <@i64> $out %s  RET ()
		}`)
	f, err := c.FuncNamed(c.own("$waits"))
	if err != nil {
		t.Fatal(err)
	}
	waiting, err := c.NewStack(f)
	if err != nil {
		t.Fatal(err)
	}
	redefine := func(i int) mu.ID {
		c.load(fmt.Sprintf(`.funcdef $waits VERSION %%v%d <$set> { %%e(<@i64> %%x): %%y = CALL <@one> $id(%%x)  [%%here] TRAP <> KEEPALIVE(%%y)  STORE <@i64> $out %%y  RET () }
			.funcdef $f VERSION %%v%[1]d <@one> { %%e(<@i64> %%x): %%y = CALL <@one> $id(%%x)  [%%here] TRAP <>  %%z = ADD <@i64> %%y @1  RET %%z }`, i))
		id, err := c.vm.ID(c.own(fmt.Sprintf("$f.v%d.e.here", i)))
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	c.vm.SetTrapHandler(func(x *mu.Ctx, th mu.ThreadRef, s mu.StackRef, wpid uint32) mu.TrapResult {
		return mu.PassValues{Stack: s}
	})
	defer c.vm.SetTrapHandler(nil)
	var ids []mu.ID
	for i := range versions {
		ids = append(ids, redefine(i+1))
		if i%500 == 0 {
			c.expect("8", "$f", 7)
			if err := c.vm.GC(); err != nil {
				t.Fatal(err)
			}
			runtime.GC()
		}
	}
	left := 0
	for _, id := range ids {
		if _, err := c.vm.Name(id); err == nil {
			left++
		}
	}
	if left > versions/2 {
		t.Errorf("%d of %d versions still have their names", left, versions)
	}
	if name, err := c.vm.Name(ids[versions-1]); err != nil || name != c.own(fmt.Sprintf("$f.v%d.e.here", versions)) {
		t.Errorf("the newest version has the name %q, error %v", name, err)
	}
	redefine(1) // the name is free
	c.expect("8", "$f", 7)

	// The old version begins. Others have got places since, and it keeps its own.
	here, err := c.vm.ID(c.own("$waits.v0.e.here"))
	if err != nil {
		t.Fatal(err)
	}
	met := make(chan string, 1)
	c.vm.SetTrapHandler(func(x *mu.Ctx, th mu.ThreadRef, s mu.StackRef, wpid uint32) mu.TrapResult {
		cur, err := x.NewCursor(s)
		at, _ := x.CurInst(cur)
		vals, _ := x.DumpKeepalives(cur)
		x.CloseCursor(cur)
		met <- fmt.Sprint(at == here, vals, err)
		return mu.PassValues{Stack: s}
	})
	seven := c.Int(7, 64)
	if _, err := c.NewThread(waiting, mu.Ref{}, mu.PassValues{Values: []mu.Value{seven}}); err != nil {
		t.Fatal(err)
	}
	if got := <-met; got != "true [1007] <nil>" {
		t.Errorf("at the trap of the old version: %s", got)
	}
}
