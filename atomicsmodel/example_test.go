package atomicsmodel_test

import (
	"fmt"

	"github.com/uvm2go/uvm2go/atomicsmodel"
)

func ExampleCheck() {
	test, err := atomicsmodel.Parse("sb.litmus", `
litmus SB+rel+acq
P0: st.rel x 1; r0 = ld.acq y
P1: st.rel y 1; r1 = ld.acq x
ask r0=0 r1=0`)
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := atomicsmodel.Check(test, atomicsmodel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.Result)
	fmt.Print(v.Example)
	// Output:
	// Sometimes
	//   0  initial x=0
	//   1  initial y=0
	//   2  P0: st.rel x 1  stored 1
	//   3  P0: r0 = ld.acq y  read 0
	//   4  P1: st.rel y 1  stored 1
	//   5  P1: r1 = ld.acq x  read 0
	// reads  3<-1, 5<-0
	// mo     0 2
	// mo     1 4
	// final  r0=0 r1=0 x=1 y=1
}
