// Watch enables a watchpoint while threads run: each thread traps at its next iteration, and continues in
// code that does not need the assumption that the watchpoint guards.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"sync"
	"sync/atomic"

	_ "github.com/uvm2go/uvm2go/examples/watch/bundle"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

const (
	assumption = 7 // the watchpoint
	threads    = 3
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(out io.Writer) error {
	vm, err := mu.Open()
	if err != nil {
		return err
	}
	var broken atomic.Bool // the assumption
	var mutex sync.Mutex
	stopped := 0 // guarded by mutex; handlers of several threads run at once
	vm.SetTrapHandler(func(_ *mu.Ctx, _ mu.ThreadRef, stack mu.StackRef, wpid uint32) mu.TrapResult {
		mutex.Lock()
		defer mutex.Unlock()
		stopped++
		fmt.Fprintf(out, "thread %d of %d stops at watchpoint %d, assumption broken: %t\n", stopped, threads, wpid, broken.Load())
		if stopped == threads {
			vm.DisableWatchpoint(assumption)
		}
		return mu.PassValues{Stack: stack} // continue at the enabled destination, whether or not it is disabled again
	})

	ctx := vm.NewContext()
	defer ctx.Close()
	get := func(name string) (int64, error) {
		f, err := ctx.FuncNamed(name)
		if err != nil {
			return 0, err
		}
		return mu.Call1[int64](ctx, f)
	}
	loop, err := ctx.FuncNamed("@loop")
	if err != nil {
		return err
	}
	for range threads {
		stack, err := ctx.NewStack(loop)
		if err != nil {
			return err
		}
		if _, err := ctx.NewThread(stack, mu.Ref{}, mu.PassValues{}); err != nil {
			return err
		}
	}
	for turns := int64(0); turns < 1000; {
		if turns, err = get("@get_turns"); err != nil {
			return err
		}
	}
	broken.Store(true)
	vm.EnableWatchpoint(assumption) // a thread that traps sees all stores made before
	if err := vm.Wait(context.Background()); err != nil {
		return err
	}
	slow, err := get("@get_slow")
	fmt.Fprintln(out, "threads that left the loop:", slow)
	return err
}
