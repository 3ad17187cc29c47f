package mu_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// check ends an example after an error.
func check[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func Example() {
	vm := check(mu.Open())
	ctx := vm.NewContext()
	defer ctx.Close()
	gcd := check(ctx.FuncNamed("@gcd"))
	d, err := mu.Call1[int64](ctx, gcd, 12, 18)
	fmt.Println(d, err)
	results, err := ctx.Call(gcd, ctx.Int(12, 64), 18) // with handles
	fmt.Println(results[0].Type(), results[0].(mu.Int).Int64(), err)
	// Output:
	// 6 <nil>
	// @i64 6 <nil>
}

// Several results, in Go variables.
func ExampleCtx_CallInto() {
	ctx := check(mu.Open()).NewContext()
	defer ctx.Close()
	var next, number int64
	err := ctx.CallInto(check(ctx.FuncNamed("@swapped")), mu.Results{&next, &number}, 41)
	fmt.Println(next, number, err)
	// Output: 42 41 <nil>
}

// Values made in a scope are deleted with it.
func ExampleCtx_OpenScope() {
	ctx := check(mu.Open()).NewContext()
	defer ctx.Close()
	pair := check(ctx.TypeNamed("@pair"))
	last := func() mu.Ref {
		scope := ctx.OpenScope()
		defer scope.Close()
		var object mu.Ref
		for range 1000 {
			object = check(ctx.NewFixed(pair))
		}
		if err := scope.Keep(object); err != nil {
			log.Fatal(err)
		}
		return object
	}()
	fmt.Println(check(ctx.IRef(last)).Type())
	// Output: iref<@pair>
}

// The handler throws an object that the client made before.
func ExampleImport() {
	vm := check(mu.Open())
	ctx := vm.NewContext()
	defer ctx.Close()
	stop := check(ctx.NewFixed(check(ctx.TypeNamed("@pair"))))
	defer vm.SetTrapHandler(nil)
	vm.SetTrapHandler(func(ctx *mu.Ctx, _ mu.ThreadRef, stack mu.StackRef, _ uint32) mu.TrapResult {
		return mu.ThrowExc{Stack: stack, Exc: check(mu.Import(ctx, stop))}
	})
	_, err := ctx.Call(check(ctx.FuncNamed("@traps")))
	fmt.Println(err)
	// Output: exception of type @pair
}

func ExampleCtx_Call_errors() {
	ctx := check(mu.Open()).NewContext()
	defer ctx.Close()

	_, err := ctx.Call(check(ctx.FuncNamed("@divide")), 1, 0)
	fmt.Println(errors.Is(err, mu.DivByZero))

	object := check(ctx.NewFixed(check(ctx.TypeNamed("@i64"))))
	thrown := check(ctx.RefCast(object, check(ctx.TypeNamed("@R"))))
	_, err = ctx.Call(check(ctx.FuncNamed("@throws")), thrown)
	var exc *mu.Exception
	if errors.As(err, &exc) {
		fmt.Println(exc.Type, check(ctx.Same(exc.Exc, thrown)))
	}

	_, err = ctx.Call(check(ctx.FuncNamed("@gcd")), 1.0, 2)
	fmt.Println(errors.Is(err, mu.TypeMismatch))
	// Output:
	// true
	// @i64 true
	// true
}

// The handler finds out where the thread is, and passes values.
func ExampleVM_SetTrapHandler() {
	vm := check(mu.Open())
	defer vm.SetTrapHandler(nil)
	vm.SetTrapHandler(func(ctx *mu.Ctx, _ mu.ThreadRef, stack mu.StackRef, _ uint32) mu.TrapResult {
		cur := check(ctx.NewCursor(stack))
		site := check(ctx.Name(check(ctx.CurInst(cur))))
		keep := check(ctx.DumpKeepalives(cur))
		if err := ctx.CloseCursor(cur); err != nil { // before the stack continues
			log.Fatal(err)
		}
		fmt.Println(site, len(keep))
		switch site {
		case "@ask.v1.entry.ask":
			return mu.PassValues{Stack: stack, Values: []mu.Value{ctx.Int(12, 64)}}
		case "@ask.v1.ok.show":
			fmt.Println(keep[0].(mu.Int).Int64())
		}
		return mu.PassValues{Stack: stack}
	})
	ctx := vm.NewContext()
	defer ctx.Close()
	check(ctx.Call(check(ctx.FuncNamed("@ask"))))
	// Output:
	// @ask.v1.entry.ask 0
	// @ask.v1.ok.show 1
	// 144
}

// A new Mu thread on a new stack.
func ExampleCtx_NewThread() {
	vm := check(mu.Open())
	ctx := vm.NewContext()
	defer ctx.Close()
	stack := check(ctx.NewStack(check(ctx.FuncNamed("@store"))))
	object := check(ctx.NewFixed(check(ctx.TypeNamed("@void"))))
	arg := check(ctx.RefCast(object, check(ctx.TypeNamed("@R"))))
	check(ctx.NewThread(stack, mu.Ref{}, mu.PassValues{Values: []mu.Value{arg}}))
	if err := vm.Wait(context.Background()); err != nil {
		log.Fatal(err)
	}
	root := check(ctx.GlobalNamed("@root"))
	fmt.Println(check(ctx.Same(arg, check(ctx.Load(mu.SeqCst, root)))))
	// Output: true
}

// Objects, their parts, and memory.
func ExampleCtx_NewHybrid() {
	ctx := check(mu.Open()).NewContext()
	defer ctx.Close()
	text := check(ctx.TypeNamed("@text")) // hybrid<int<64> int<32>>
	object := check(ctx.NewHybrid(text, 3))
	all := check(ctx.IRef(object))
	first := check(ctx.VarPartIRef(all))
	for i := range int64(3) {
		if err := ctx.Store(mu.NotAtomic, check(ctx.ShiftIRef(first, i)), ctx.Int(i*i, 32)); err != nil {
			log.Fatal(err)
		}
	}
	last := check(ctx.ShiftIRef(first, 2))
	old := check(ctx.AtomicRMW(mu.SeqCst, mu.Add, last, ctx.Int(38, 32)))
	fmt.Println(old.(mu.Int).Int64(), check(ctx.Load(mu.Acquire, last)).(mu.Int).Int64())
	// Output: 4 42
}

// A watchpoint is off until the client turns it on.
func ExampleVM_EnableWatchpoint() {
	vm := check(mu.Open())
	ctx := vm.NewContext()
	defer ctx.Close()
	vm.SetTrapHandler(func(ctx *mu.Ctx, _ mu.ThreadRef, stack mu.StackRef, wpid uint32) mu.TrapResult {
		fmt.Println("watchpoint", wpid)
		return mu.PassValues{Stack: stack}
	})
	defer vm.SetTrapHandler(nil)
	watched := check(ctx.FuncNamed("@watched"))
	for _, on := range []bool{false, true} {
		if on {
			vm.EnableWatchpoint(7)
		}
		fmt.Println(check(mu.Call1[int64](ctx, watched, 5)))
	}
	vm.DisableWatchpoint(7)
	// Output:
	// 5
	// watchpoint 7
	// 50
}

// A frame is popped, and another function is pushed to replace it.
func ExampleCtx_PushFrame() {
	vm := check(mu.Open())
	ctx := vm.NewContext()
	defer ctx.Close()
	vm.SetTrapHandler(func(ctx *mu.Ctx, _ mu.ThreadRef, stack mu.StackRef, _ uint32) mu.TrapResult {
		cur := check(ctx.NewCursor(stack))
		for range 2 { // from @inner by @outer to @osr
			if err := ctx.NextFrame(cur); err != nil {
				log.Fatal(err)
			}
		}
		err := errors.Join(ctx.PopFramesTo(cur), ctx.CloseCursor(cur),
			ctx.PushFrame(stack, check(ctx.FuncNamed("@gcd"))))
		if err != nil {
			log.Fatal(err)
		}
		return mu.PassValues{Stack: stack, Values: []mu.Value{ctx.Int(21, 64), ctx.Int(14, 64)}}
	})
	defer vm.SetTrapHandler(nil)
	// @osr adds 200 to the result of @outer, or of the function that replaced it.
	fmt.Println(check(mu.Call1[int64](ctx, check(ctx.FuncNamed("@osr")), 2)))
	// Output: 207
}
