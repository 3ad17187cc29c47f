package lower

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// pass puts values into the thread's transfer area.
func (e *fn) pass(out *code, vals []ir.ValueID) {
	if len(vals) == 0 {
		return
	}
	a := repr.TransferVar(out, e.scope.Local("x"))
	for _, v := range vals {
		ty := e.v.Values[v].Type
		e.Put(out, a, ty, e.whole(out, ty, v))
	}
}

// whole is an operand whose scalars are used one by one.
func (e *fn) whole(out *code, ty ir.TypeID, x ir.ValueID) expr {
	switch e.Kind(ty) {
	case ir.KStruct, ir.KArray, ir.KVector:
		return e.temp(out, x)
	case ir.KInt:
		if e.At(ty).Bits > 64 {
			return e.temp(out, x)
		}
	}
	return e.expr(x)
}

// results reads the results of an instruction out of the transfer area.
func (e *fn) results(out *code, in *ir.Inst) {
	used := false
	for _, r := range in.Results {
		used = used || e.plan.Used[r]
	}
	if !used {
		return
	}
	to := make([]expr, len(in.Results))
	for i, r := range in.Results {
		to[i] = e.receiver(out, r)
	}
	a := repr.TransferVar(out, e.scope.Local("x"))
	for i, r := range in.Results {
		e.Take(out, a, e.v.Values[r].Type, to[i])
	}
	for _, r := range in.Results {
		if e.plan.Used[r] {
			e.root(out, r)
		}
	}
}

// receiver is the variable of a result that is assigned next, declared if that is
// needed, or "_".
func (e *fn) receiver(out *code, r ir.ValueID) expr {
	if !e.plan.Used[r] {
		return gotree.Blank
	}
	if e.name[r] == "" {
		e.name[r] = e.localName(r)
		out.Var(e.GoType(e.v.Values[r].Type), e.name[r])
		e.declared(out, r)
	}
	return e.variable(r)
}
