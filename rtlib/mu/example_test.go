package mu_test

import (
	"fmt"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

func Example() {
	vm, err := mu.Open()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := vm.NewContext()
	defer ctx.Close()
	gcd, err := ctx.FuncNamed("@gcd")
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := ctx.Call(gcd, ctx.Int(12, 64), ctx.Int(18, 64))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(results[0].(mu.Int).Int64())
	// Output: 6
}
