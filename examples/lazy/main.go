// Lazy is the client of a lazy compiler: functions are declared without code. The first call
// of one traps; the handler compiles the function and repeats the call.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"sync"

	_ "github.com/uvm2go/uvm2go/examples/lazy/bundle"
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
	c := &compiler{out: out, defined: map[mu.ID]bool{}}
	vm.SetTrapHandler(func(ctx *mu.Ctx, _ mu.ThreadRef, stack mu.StackRef, _ uint32) mu.TrapResult {
		res, err := c.trapped(ctx, stack)
		if err != nil {
			log.Fatal(err)
		}
		return res
	})
	ctx := vm.NewContext()
	defer ctx.Close()
	program, err := ctx.FuncNamed("@program")
	if err != nil {
		return err
	}
	for range 2 {
		res, err := mu.Call1[int64](ctx, program, 20)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, "result:", res)
	}
	return nil
}

// compiler has the code of functions, here that of @compiled.NAME for @NAME.
type compiler struct {
	out io.Writer

	mu      sync.Mutex // several threads may call a function at once
	defined map[mu.ID]bool
}

func (c *compiler) trapped(ctx *mu.Ctx, stack mu.StackRef) (mu.TrapResult, error) {
	cur, err := ctx.NewCursor(stack)
	if err != nil {
		return nil, err
	}
	f, err := ctx.CurFunc(cur)
	if err != nil {
		return nil, err
	}
	args, err := ctx.DumpKeepalives(cur)
	if err != nil {
		return nil, err
	}
	if err := ctx.CloseCursor(cur); err != nil {
		return nil, err
	}
	name, err := ctx.VM().Name(f)
	if err != nil {
		return nil, err
	}

	c.mu.Lock()
	defer c.mu.Unlock()
	if c.defined[f] {
		return mu.PassValues{Stack: stack}, nil // another thread has compiled it meanwhile
	}
	code, err := ctx.FuncNamed("@compiled." + strings.TrimPrefix(name, "@"))
	if err != nil {
		fmt.Fprintf(c.out, "%s(%d): no such function\n", name, args[0].(mu.Int).Int64())
		bytes, err := ctx.TypeNamed("@uvm.meta.bytes")
		if err != nil {
			return nil, err
		}
		exc, err := ctx.NewHybrid(bytes, 0)
		return mu.ThrowExc{Stack: stack, Exc: exc}, err
	}
	declared, err := ctx.Func(f)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(c.out, "%s(%d): compiled\n", name, args[0].(mu.Int).Int64())
	c.defined[f] = true
	return mu.PassValues{Stack: stack}, ctx.Define(declared, code)
}
