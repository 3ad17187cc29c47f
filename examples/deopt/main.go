// Deopt undoes a speculative optimisation of running code: a watchpoint stops the loop
// that was compiled under an assumption, and on-stack replacement continues at the same
// place in a loop that does not need the assumption.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	_ "github.com/uvm2go/uvm2go/examples/deopt/bundle"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// assumption is the watchpoint that guards the assumption.
const assumption = 1

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
	ctx := vm.NewContext()
	defer ctx.Close()

	program, err := ctx.FuncNamed("@program")
	if err != nil {
		return err
	}
	sum := func() error {
		n, err := mu.Call1[int64](ctx, program, 10)
		if err == nil {
			fmt.Fprintln(out, "sum:", n)
		}
		return err
	}

	vm.SetTrapHandler(func(ctx *mu.Ctx, _ mu.ThreadRef, stack mu.StackRef, _ uint32) mu.TrapResult {
		res, err := replace(out, ctx, stack)
		if err != nil {
			log.Fatal(err)
		}
		return res
	})
	if err := sum(); err != nil {
		return err
	}
	// f was redefined. Every thread that runs the optimised loop, now or later, leaves it at
	// the next iteration.
	vm.EnableWatchpoint(assumption)
	return sum()
}

// replace replaces the frame of @sum by one of @sum_generic with the same state.
func replace(out io.Writer, ctx *mu.Ctx, stack mu.StackRef) (mu.TrapResult, error) {
	cur, err := ctx.NewCursor(stack)
	if err != nil {
		return nil, err
	}
	inst, err := ctx.CurInst(cur)
	if err != nil {
		return nil, err
	}
	name, err := ctx.VM().Name(inst)
	if err != nil {
		return nil, err
	}
	state, err := ctx.DumpKeepalives(cur)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(out, "at %s: i=%d acc=%d\n", name, state[0].(mu.Int).Int64(), state[1].(mu.Int).Int64())
	if err := ctx.NextFrame(cur); err != nil {
		return nil, err
	}
	if err := ctx.PopFramesTo(cur); err != nil {
		return nil, err
	}
	if err := ctx.CloseCursor(cur); err != nil {
		return nil, err
	}
	generic, err := ctx.FuncNamed("@sum_generic")
	if err != nil {
		return nil, err
	}
	if err := ctx.PushFrame(stack, generic); err != nil {
		return nil, err
	}
	return mu.PassValues{Stack: stack, Values: state}, nil
}
