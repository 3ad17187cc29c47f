package native_test

import (
	"fmt"

	"github.com/uvm2go/uvm2go/rtlib/libc"
	"github.com/uvm2go/uvm2go/rtlib/native"
)

// A program gives its bundles a function under the name that they declare with
// EXTERN. Generated code finds it by that name.
func ExampleRegister() {
	err := native.Register("scale", func(x uint64, factor float64) uint64 {
		return uint64(float64(x) * factor)
	})
	fmt.Println(err)
	n := libc.Lookup("scale")
	fmt.Println(n.Name + " is " + n.Sig)
	// Output:
	// <nil>
	// scale is l(ld)
}
