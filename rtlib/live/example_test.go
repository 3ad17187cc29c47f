package live_test

import (
	"context"
	"fmt"
	"log"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// Several VMs in one process: each gives the same names its own meaning, and has a native in Go of its own. Closing one
// leaves the others alone.
func ExampleNew_several() {
	const text = `
		.typedef @i64 = int<64>  .funcsig @get = () -> (@i64)  .typedef @fp = ufuncptr<@get>
		.const @number <@fp> = EXTERN "number"
		.const @one <@i64> = %d
		.funcdef @answer VERSION %%v1 <@get> {
			%%entry():
				%%n = CCALL #DEFAULT <@fp @get> @number ()
				%%a = ADD <@i64> %%n @one
				RET %%a
		}`
	open := func(one int, number int64) *mu.VM {
		vm, err := live.New(mu.Config{Natives: map[string]any{"number": func() int64 { return number }}})
		if err != nil {
			log.Fatal(err)
		}
		ctx := vm.NewContext()
		defer ctx.Close()
		if err := ctx.LoadBundleText(fmt.Sprintf(text, one)); err != nil {
			log.Fatal(err)
		}
		return vm
	}
	show := func(name string, vm *mu.VM) {
		ctx := vm.NewContext()
		defer ctx.Close()
		f, err := ctx.FuncNamed("@answer")
		if err != nil {
			fmt.Println(name, err)
			return
		}
		n, err := mu.Call1[int64](ctx, f)
		fmt.Println(name, n, err)
	}
	a, b := open(1, 10), open(2, 40)
	show("a", a)
	show("b", b)
	if err := a.Close(); err != nil {
		log.Fatal(err)
	}
	show("a", a)
	show("b", b)
	fmt.Println(b.Wait(context.Background()), b.Close())
	// Output:
	// a 11 <nil>
	// b 42 <nil>
	// a E_CTX_CLOSED: the context is closed
	// b 42 <nil>
	// <nil> <nil>
}
