package tvm

import (
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/tvm/check"
)

// Modules that a running program loads use what it has: variables and functions of modules that were loaded before, and
// those of other dialects that they declare.

// earlierOf are the modules that a running program has loaded.
func earlierOf(r *dialect.Running) *check.Earlier {
	if r != nil {
		if e, ok := r.Kept.(*check.Earlier); ok {
			return e
		}
	}
	return &check.Earlier{}
}

// entity is the name of a variable or function in the running program, "" of those of libraries.
func (t *translator) entity(g *check.Global) string {
	if fn := t.funcs[g]; fn != nil {
		return fn.Name
	}
	if c := t.cells[g]; c != nil {
		return c.Name
	}
	return ""
}

// find is what the running program has for a global, nil if nothing. Modules see what other dialects define only under
// its own name.
func (t *translator) find(g *check.Global) any {
	switch {
	case t.running == nil:
		return nil
	case g.Entity != "":
		return t.running.Find(g.Entity)
	case g.External || g.Shown:
		return t.running.Find(global(g.Name))
	}
	return nil
}

// loaded is the function of the running program for a function that the modules declare, or define for it.
func (t *translator) loaded(g *check.Global, sig ir.TypeID) *ir.Function {
	x := t.find(g)
	if x == nil {
		return nil
	}
	fn, ok := x.(*ir.Function)
	if !ok || fn.Sig != sig {
		t.other(g, "a function with the types of "+t.String(g.Type))
		return nil
	}
	return fn
}

// loadedCell is the cell of the running program for a variable.
func (t *translator) loadedCell(g *check.Global, mem ir.TypeID) *ir.Global {
	x := t.find(g)
	if x == nil {
		return nil
	}
	c, ok := x.(*ir.Global)
	if !ok || c.Type != mem {
		t.other(g, "a variable with the layout of "+t.String(g.Type))
		return nil
	}
	return c
}

// other reports that the running program has something else.
func (t *translator) other(g *check.Global, want string) {
	t.diags.Errorf(g.Pos, "%s redefined: what the running program calls %s is not %s", g.Name, global(g.Name), want).Before(diag.Pos{})
}

// version is the name of the next version of a function.
func (t *translator) version(fn *ir.Function) string {
	if !t.running.Has(fn.Name + ".v") {
		return "v"
	}
	return strings.TrimPrefix(t.running.Numbered(fn.Name+".v", 2), fn.Name+".")
}
