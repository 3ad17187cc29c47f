package live

import (
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Loaded is how many bundles are loaded.
func Loaded() int {
	loaded.mu.Lock()
	defer loaded.mu.Unlock()
	return len(loaded.list)
}

// TenThousand is the bundle of BenchmarkLoad.
var TenThousand = tenThousand

// Chain is a bundle of types.
var Chain = chain

// ParseUnit reads the text from which a unit would be made of the bundle that was loaded last.
func ParseUnit() error {
	loaded.mu.Lock()
	defer loaded.mu.Unlock()
	var b strings.Builder
	if err := ir.PrintPlaced(&b, loaded.list[len(loaded.list)-1].facts.IR); err != nil {
		return err
	}
	_, err := ir.Parse(&diag.Set{}, "unit.ir", []byte(b.String()))
	return err
}
