package passes

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/internal/clib"
)

// Every operation stands for a function of the library that needs no C.
func TestSoftFloatsServed(t *testing.T) {
	for name := range softFloats() {
		if !clib.Table[name].Has(clib.Pure | clib.Exact | clib.Own) {
			t.Errorf("%s is not in the library's table", name)
		}
	}
}
