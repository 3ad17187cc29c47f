package ial

import (
	"maps"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ial/layout"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// facts are true of the whole program, whatever the order of execution.
type facts struct {
	files      []string // files of support that the program needs
	callbacks  bool     // allocations can have callbacks
	finalizers bool     // objects can have finalizers
	userSlots  bool     // objects have user slots
	peeks      bool     // references are looked at as numbers
	looks      looks    // instructions that look at references without making peeks true
	recast     bool     // memory of numbers may be written as pointers or references

	*graph
}

// factsOf collects the facts of a program. If it is open, there are other modules: anything may come from them, such as
// objects.
func factsOf(p *module.Program, layouts *layout.Table, open bool, objects []*module.Type) *facts {
	f := &facts{graph: newGraph(p, layouts), looks: looks{}}
	f.userSlots = open || !runs(p)
	if open {
		f.lost, f.peeks, f.recast, f.finalizers, f.callbacks = true, true, true, true, true
		f.made = slices.Clone(objects)
	}
	need := map[string]bool{}
	for _, m := range p.Modules {
		for _, fn := range m.Functions {
			f.function(fn)
			maps.Copy(f.looks, looksOf(fn))
			for _, k := range fn.Blocks {
				for _, in := range k.Instrs {
					if s := supportOf(in); s != "" {
						need[s] = true
					}
					f.instr(in)
				}
			}
		}
	}
	if f.finalizers {
		need["finals"] = true
	}
	if f.callbacks {
		need["callbacks"] = true
		for _, t := range f.made {
			f.flow(t, p.Types.To(module.Reference, p.Types.Of(p.MCI.Structs[0])))
		}
	}
	for s := range need {
		f.files = append(f.files, s)
	}
	slices.Sort(f.files)
	f.spread()
	return f
}

// runs reports whether there is an entry function. A program without one is used by a Go
// program, which may pass its objects to functions of other packages.
func runs(p *module.Program) bool {
	return slices.ContainsFunc(p.Modules, func(m *module.Module) bool { return m.Entries[module.Main].Func != nil })
}

// function notes the values that native code may pass to a function, or return from it.
func (f *facts) function(fn *module.Function) {
	if fn.Conv == module.Standard {
		return
	}
	f.unknown(fn.Result)
	f.anywhere(fn.Result)
	for i := range fn.Params {
		f.unknown(fn.Params[i].Type)
		f.anywhere(fn.Params[i].Type)
	}
}

// instr notes the facts that follow from an instruction.
func (f *facts) instr(in *module.Instr) {
	src := func(i int) *module.Type { return in.Src[i].Type }
	switch in.Op {
	case module.Conv:
		if f.looks[in] == nil {
			f.convert(src(0), in.Target.Type)
		}
	case module.ArrayConv:
		f.convert(src(0).Elem, src(1).Elem)
	case module.EHThrow:
		f.flow(src(0), f.exceptions)
	case module.EHCatch:
		f.flow(f.exceptions, in.Target.Type)
		f.inside(in.Target.Type.Elem)
	case module.FieldUserSet:
		f.flow(src(1), f.users)
		f.userSlots = true
	case module.FieldUserGet:
		f.flow(f.users, in.Target.Type)
		f.inside(in.Target.Type.Elem)
		f.userSlots = true
	case module.FieldUserAddr:
		f.flow(f.users, in.Target.Type.Elem)
		f.flow(in.Target.Type.Elem, f.users)
		f.userSlots = true
	case module.CallIndirect:
		if src(0).Conv != module.Standard {
			f.unknown(in.Target.Type)
		}
	case module.MemNew, module.MemAlloc:
		f.allocate(in.Target.Type)
	case module.LoadI8a, module.LoadUi8a, module.LoadI16a, module.LoadUi16a, module.LoadI32a, module.LoadUi32a,
		module.LoadI64a, module.LoadUi64a, module.LoadF32a, module.LoadF64a:
		f.allocate(in.Target.Type)
	case module.Call, module.Invoke, module.CallTail, module.InvokeTail, module.LoadFunc:
		if in.Func.Module.Name == intrinsics {
			f.finalizers = f.finalizers || in.Func.Name == "gc_set_free_callback"
			f.callbacks = f.callbacks || in.Func.Name == "gc_add_allocate_callback"
		}
	}
}

// convert notes a conversion.
func (f *facts) convert(from, to *module.Type) {
	switch {
	case from == to:
	case from.IsManaged():
		f.flow(from, to)
		f.inside(to.Elem)
	case from.Kind == module.Pointer && to.Kind == module.Pointer:
		f.mix(from.Elem, to.Elem)
		f.overlaid(from.Elem, to.Elem)
		f.peeks = f.peeks || f.layouts.Of(from.Elem).Managed && !f.layouts.Of(to.Elem).Managed
	case from.Kind == module.FuncType && to.Kind == module.FuncType:
		f.flow(from, to)
		f.signatures(from, to)
	case to.Kind == module.FuncType:
		f.setAny(f.node(to))
		f.unknown(to)
		f.lost = f.lost || to.Conv == module.Standard // any function may be called with any references
	case to.Kind == module.Pointer:
		f.contents(to.Elem, f.unknown)
		f.anywhere(to)
	case from.Kind == module.Pointer:
		f.peeks = f.peeks || f.layouts.Of(from.Elem).Managed
	}
}

// signatures notes that functions of one type may be called as those of another.
func (f *facts) signatures(a, b *module.Type) {
	if len(a.Params) != len(b.Params) {
		return // which fails
	}
	for i := range a.Params {
		f.mix(a.Params[i], b.Params[i])
		f.anywhere(a.Params[i])
		f.anywhere(b.Params[i])
	}
	f.mix(a.Elem, b.Elem)
	f.anywhere(a.Elem)
	f.anywhere(b.Elem)
}

// holds reports whether memory of a type has pointers or references.
func (f *facts) holds(t *module.Type) bool {
	l := f.layouts.Of(t)
	return l.Pointers || l.Managed
}

// overlaid notes that memory of one type may be written as another.
func (f *facts) overlaid(from, to *module.Type) {
	for from.Kind == module.Pointer && to.Kind == module.Pointer && from != to {
		from, to = from.Elem, to.Elem // the memory that they point to may be accessed as either type
		if f.holds(from) && !f.holds(to) {
			from, to = to, from
		}
	}
	f.recast = f.recast || from != to && f.holds(to)
}

// anywhere notes that a value of a type may come from anywhere: a pointer may point to
// memory of any other type.
func (f *facts) anywhere(t *module.Type) {
	if t.Kind == module.Pointer {
		f.recast = f.recast || f.holds(t.Elem)
		return
	}
	f.inside(t)
}

// inside notes that any pointer in memory of a type may come from anywhere.
func (f *facts) inside(t *module.Type) {
	switch t.Kind {
	case module.Pointer:
		f.anywhere(t)
	case module.Static:
		f.inside(t.Elem)
	case module.StructType:
		if !f.layouts.Of(t).Pointers {
			return
		}
		for _, m := range f.layouts.Struct(t.Struct).Members {
			f.inside(m.Field.Type)
		}
	}
}
