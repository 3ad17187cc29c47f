package live

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/live/regs"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

func init() { core.Engine.Literals = literals }

// literals is core.Engine.Literals.
func literals(vm *core.VM, e *core.Entity, name, text string) (w [][]uint64, r [][]uintptr, err error) {
	p := ir.NewProgram()
	m := newImports(vm, nil, p) // types and functions need no context
	consts, err := dialect.ParseArgs(p, m.entity(name, e).(*ir.Function), text)
	if err != nil {
		return nil, nil, err
	}
	values := program{types: &types{ir: p.Types}}
	for _, c := range consts {
		k := values.constWords(c)
		w, r = append(w, k[regs.Plain]), append(r, make([]uintptr, len(k[regs.Root])))
	}
	return w, r, nil
}
