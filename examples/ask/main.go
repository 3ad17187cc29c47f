// Ask answers the traps of a program: a handler finds out where the program has stopped and the values
// of its variables, and resumes it with a value or with an exception.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"

	_ "github.com/uvm2go/uvm2go/examples/ask/bundle"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

func main() {
	if err := run(os.Stdout, strings.NewReader("3\n12\n-5\nenough\n")); err != nil {
		log.Fatal(err)
	}
}

func run(out io.Writer, in io.Reader) error {
	vm, err := mu.Open()
	if err != nil {
		return err
	}
	client := &client{out, bufio.NewScanner(in)}
	vm.SetTrapHandler(func(ctx *mu.Ctx, _ mu.ThreadRef, stack mu.StackRef, _ uint32) mu.TrapResult {
		res, err := client.trapped(ctx, stack)
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
	sum, err := mu.Call1[int64](ctx, program)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "sum:", sum)
	return nil
}

type client struct {
	out io.Writer
	in  *bufio.Scanner
}

// trapped handles a trap of the program.
func (c *client) trapped(ctx *mu.Ctx, stack mu.StackRef) (mu.TrapResult, error) {
	site, vars, err := where(ctx, stack)
	if err != nil {
		return nil, err
	}
	switch site {
	case "@program.v1.loop.ask":
		fmt.Fprintf(c.out, "so far %d; next? ", vars[0].(mu.Int).Int64())
		c.in.Scan()
		fmt.Fprintln(c.out, c.in.Text())
		n, err := strconv.ParseInt(c.in.Text(), 10, 64)
		if err != nil {
			// The input is not a number: throw an exception, a new object, into the program.
			void, err := ctx.TypeNamed("@void")
			if err != nil {
				return nil, err
			}
			exc, err := ctx.NewFixed(void)
			return mu.ThrowExc{Stack: stack, Exc: exc}, err
		}
		return mu.PassValues{Stack: stack, Values: []mu.Value{ctx.Int(n, 64)}}, nil
	case "@program.v1.ok.show":
		fmt.Fprintf(c.out, "the square of %d is %d\n", vars[0].(mu.Int).Int64(), vars[1].(mu.Int).Int64())
		return mu.PassValues{Stack: stack}, nil
	}
	return nil, fmt.Errorf("a trap at %s", site)
}

// where returns the name of the instruction at which a stack has stopped, and its keep-alive variables.
func where(ctx *mu.Ctx, stack mu.StackRef) (site string, vars []mu.Value, err error) {
	cur, err := ctx.NewCursor(stack)
	if err != nil {
		return "", nil, err
	}
	inst, err := ctx.CurInst(cur)
	if err != nil {
		return "", nil, err
	}
	if site, err = ctx.VM().Name(inst); err != nil {
		return "", nil, err
	}
	if vars, err = ctx.DumpKeepalives(cur); err != nil {
		return "", nil, err
	}
	// An open cursor would prevent the stack from being resumed.
	return site, vars, ctx.CloseCursor(cur)
}
