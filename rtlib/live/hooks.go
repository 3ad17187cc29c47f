package live

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// hooks are the functions that run beside the entry function of a program.
func (p *program) hooks() (h core.Hooks) {
	p.eachHook(&h, func(f *function) core.Hook { return f.cell.run })
	return h
}

// laterHooks are the hooks of a bundle that was loaded, except those that run when it is. They enter the current
// versions of their functions: a bundle whose functions have other bodies may be unloaded, see over.
func (p *program) laterHooks() (h core.Hooks) {
	p.eachHook(&h, func(f *function) core.Hook {
		to := f.to
		return func(t *core.Ctx) { to.Enter(t) }
	})
	h.Start = nil
	return h
}

// eachHook appends a hook for each function that is one.
func (p *program) eachHook(h *core.Hooks, hook func(f *function) core.Hook) {
	for k, to := range [ir.NumHooks]*[]core.Hook{ir.HookStart: &h.Start, ir.HookThreadStart: &h.ThreadStart, ir.HookThreadExit: &h.ThreadExit, ir.HookExit: &h.Exit} {
		for _, f := range p.facts.IR.Hooks[k] {
			*to = append(*to, hook(p.functions[f]))
		}
	}
}

// keepsHooks reports whether a hook that may still run is a function which cannot get another body.
func (p *program) keepsHooks() bool {
	keeps := false
	p.facts.IR.Hooks.Each(func(k ir.HookKind, f *ir.Function) { keeps = keeps || k != ir.HookStart && !f.Open() })
	return keeps
}
