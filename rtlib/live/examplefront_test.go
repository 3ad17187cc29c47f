package live_test

import (
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/uvm2go/uvm2go/rtlib"
	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/transpile/front"
)

// newContext makes a context of a new VM.
func newContext() *mu.Ctx {
	vm, err := live.New(mu.Config{})
	if err != nil {
		log.Fatal(err)
	}
	return vm.NewContext()
}

// Text that is loaded and called at once, and a run-time error in it.
func ExampleNew() {
	ctx := newContext()
	defer ctx.Close()
	err := ctx.LoadBundleNamed("div.uir", `.typedef @exl.i64 = int<64>
.funcsig @exl.div.sig = (@exl.i64 @exl.i64) -> (@exl.i64)
.funcdef @exl.div VERSION %v1 <@exl.div.sig> { %entry(<@exl.i64> %x <@exl.i64> %y): %q = SDIV <@exl.i64> %x %y  RET %q }`)
	if err != nil {
		log.Fatal(err)
	}
	div, err := ctx.FuncNamed("@exl.div")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mu.Call1[int64](ctx, div, 42, 2))
	_, err = mu.Call1[int64](ctx, div, 42, 0)
	var failed *rtlib.Error
	if errors.As(err, &failed) {
		fmt.Print(failed.Report())
	}
	// Output:
	// 21 <nil>
	// run-time error: DIV_BY_ZERO at @exl.div.v1.entry+0 (div.uir:3)
	// 	@exl.div (div.uir:3)
}

// A program that a front end has made (package front). A later one gives the function another body, for all callers.
func ExampleLoad() {
	ctx := newContext()
	defer ctx.Close()
	for n, op := range []front.BinOp{front.Add, front.Mul} {
		p := front.New()
		i64 := p.Make("@exf.i64", front.Int(64))
		f := p.Func("@exf.f", p.Sig([]front.Type{i64}, []front.Type{i64}))
		f.Version(fmt.Sprint("v", n+1))
		b := f.Body(front.Pos{File: "prog.lang", Line: n + 1})
		b.Entry.Ret(b.Entry.Bin(op, i64, b.Args[0], b.Args[0]))
		q, err := p.IR()
		if err != nil {
			log.Fatal(err)
		}
		if err := live.Load(ctx, q); err != nil {
			log.Fatal(err)
		}
		made, err := ctx.FuncNamed("@exf.f")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(mu.Call1[int64](ctx, made, 10))
	}
	// Output:
	// 20 <nil>
	// 100 <nil>
}

// The state of a VM as a program, which "uvm2go run" and "uvm2go build" read.
func ExampleWriteImage() {
	ctx := newContext()
	defer ctx.Close()
	err := ctx.LoadBundleText(`.funcsig @exi.v_v = () -> ()
.funcdef @exi.main VERSION %v1 <@exi.v_v> { %entry(): RET () }`)
	if err != nil {
		log.Fatal(err)
	}
	id, err := ctx.ID("@exi.main")
	if err != nil {
		log.Fatal(err)
	}
	f, err := os.CreateTemp("", "image*.ir")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	fmt.Println(live.WriteImage(ctx, f, live.Image{Entry: id}))
	// Output:
	// <nil>
}
