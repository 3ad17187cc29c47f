package verify

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// TestTypings: each operation with registers has a row with the same number of registers, or
// its registers depend on the function or the instructions around it.
func TestTypings(t *testing.T) {
	around := map[module.Op]bool{
		module.Return: true, module.ArgPush: true, module.ArgPop: true, module.Phi: true,
		module.Call: true, module.CallTail: true, module.CallIndirect: true,
		module.Invoke: true, module.InvokeTail: true, module.InvokeIndirect: true,
	}
	for op := range module.NumOps {
		row, y := module.Ops[op], typings[op]
		n := row.Sources
		if row.Target {
			n++
		}
		if around[op] {
			n = 0
		}
		if len(y.alts) == 0 && n > 0 || len(y.alts) > 0 && n == 0 {
			t.Errorf("%s: %d registers, shape %q", op, n, y.shape)
		}
		for _, alt := range y.alts {
			if len(alt) != n {
				t.Errorf("%s: shape %q has %d registers, want %d", op, y.shape, len(alt), n)
			}
			for _, p := range alt {
				if _, ok := classes[p.base]; !ok && !exactLetter(p.base) {
					t.Errorf("%s: shape %q has unknown letter %c", op, y.shape, p.base)
				}
			}
		}
	}
}

func exactLetter(c byte) bool {
	for _, known := range []byte("uklcdfb") {
		if c == known {
			return true
		}
	}
	return false
}
