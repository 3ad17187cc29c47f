package ial

import (
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// hooks are the kinds of entry points that become hooks, all but the entry function.
var hooks = map[module.EntryKind]ir.HookKind{
	module.ModuleEntry: ir.HookStart, module.ThreadEntry: ir.HookThreadStart,
	module.ThreadExit: ir.HookThreadExit, module.ModuleExit: ir.HookExit,
}

// entries notes the entry points, in the order of modules; those at the end are called in
// the reverse order. The first module with an entry function is the main one.
func (t *translator) entries() {
	for _, m := range t.src.Modules {
		for kind, e := range m.Entries {
			if e.Func == nil {
				continue
			}
			f := t.function(e.Func)
			if k, ok := hooks[module.EntryKind(kind)]; ok {
				t.b.Hook(k, f)
			} else if t.b.Prog.Main == nil {
				t.b.Prog.Main = f
			}
		}
	}
}
