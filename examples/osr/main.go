// Osr replaces two frames of running code by one of optimised code: a hot loop traps, the
// client loads a bundle compiled for the state that it finds, removes the frames of the loop and
// of its caller, and continues in the new function, whose result becomes that of the call below.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	_ "github.com/uvm2go/uvm2go/examples/osr/bundle"
	"github.com/uvm2go/uvm2go/rtlib/mu"
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
	ctx := vm.NewContext()
	defer ctx.Close()

	vm.SetTrapHandler(func(ctx *mu.Ctx, _ mu.ThreadRef, stack mu.StackRef, _ uint32) mu.TrapResult {
		res, err := optimise(out, ctx, stack)
		if err != nil {
			log.Fatal(err)
		}
		return res
	})
	program, err := ctx.FuncNamed("@program")
	if err != nil {
		return err
	}
	// The first call starts in the slow loop, the second enters the new version of @outer.
	for range 2 {
		sum, err := mu.Call1[int64](ctx, program, 1000)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, "sum:", sum)
	}
	return nil
}

// optimise replaces the frames of @inner and @outer by one of @outer_resume.
func optimise(out io.Writer, ctx *mu.Ctx, stack mu.StackRef) (mu.TrapResult, error) {
	cur, err := ctx.NewCursor(stack)
	if err != nil {
		return nil, err
	}
	in, err := frame(out, ctx, cur) // of @inner: i, acc
	if err != nil {
		return nil, err
	}
	if err := ctx.NextFrame(cur); err != nil {
		return nil, err
	}
	outer, err := frame(out, ctx, cur) // of @outer: n
	if err != nil {
		return nil, err
	}
	if err := ctx.NextFrame(cur); err != nil {
		return nil, err
	}
	if _, err := frame(out, ctx, cur); err != nil { // of @program, which stays
		return nil, err
	}
	if err := ctx.LoadBundle("opt.uir"); err != nil {
		return nil, err
	}
	if err := ctx.PopFramesTo(cur); err != nil {
		return nil, err
	}
	if err := ctx.CloseCursor(cur); err != nil {
		return nil, err
	}
	resume, err := ctx.FuncNamed("@outer_resume")
	if err != nil {
		return nil, err
	}
	if err := ctx.PushFrame(stack, resume); err != nil {
		return nil, err
	}
	return mu.PassValues{Stack: stack, Values: []mu.Value{outer[0], in[0], in[1]}}, nil
}

// frame prints where a frame has stopped, and returns the values that it keeps alive.
func frame(out io.Writer, ctx *mu.Ctx, cur mu.Cursor) ([]mu.Value, error) {
	inst, err := ctx.CurInst(cur)
	if err != nil {
		return nil, err
	}
	name, err := ctx.Name(inst)
	if err != nil {
		return nil, err
	}
	vals, err := ctx.DumpKeepalives(cur)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(out, "at %s:", name)
	for _, v := range vals {
		fmt.Fprintf(out, " %d", v.(mu.Int).Int64())
	}
	fmt.Fprintln(out)
	return vals, nil
}
