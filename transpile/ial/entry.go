package ial

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// main makes the function @main, which a program begins with, if a module has an entry
// function: it calls the entry points in the order of docs/ial.md, "Running". A module
// without one makes a package.
func (t *translator) main() {
	var entry *module.Function
	for _, m := range t.src.Modules {
		if e := m.Entries[module.Main]; e.Func != nil && entry == nil {
			entry = e.Func
		}
	}
	if entry == nil {
		return
	}
	i32 := t.b.Types.Int(32)
	fn := t.b.Func("@main", t.b.Types.Sig(nil, []ir.TypeID{i32}))
	fn.Pos = entry.Pos
	b := t.b.Body(fn, "v")
	b.V.Pos, b.Pos = entry.Pos, entry.Pos
	calls := func(k module.EntryKind, modules []*module.Module) {
		for _, m := range modules {
			if e := m.Entries[k]; e.Func != nil {
				b.Call(b.FuncRef(t.function(e.Func)))
			}
		}
	}
	reverse := slices.Clone(t.src.Modules)
	slices.Reverse(reverse)
	calls(module.ModuleEntry, t.src.Modules)
	calls(module.ThreadEntry, t.src.Modules)
	r := b.Call(b.FuncRef(t.function(entry)))
	calls(module.ThreadExit, reverse)
	calls(module.ModuleExit, reverse)
	b.Ret(r...)
}
