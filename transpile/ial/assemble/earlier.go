package assemble

import (
	"maps"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ial/syntax"
)

// Earlier are the modules that a running program has loaded. It is empty at first. Modules that are loaded later
// refer to them, and a file of a module that was loaded is a further part of it.
type Earlier struct {
	types module.Types
	units map[string]*unit // by name of the module
}

// After is Load for modules that a running program loads after others. keep is called if it does load them.
func After(earlier *Earlier, files *diag.Set, list []Unit, diags *diag.List) (p *module.Program, keep func(), ok bool) {
	a := &assembler{prog: &module.Program{Files: files, Types: earlier.types}, diags: diags, known: map[string]*unit{}, earlier: earlier}
	before := diags.Errors()
	a.load(list)
	return a.prog, a.keep, diags.Errors() == before
}

// keep adds the modules to the earlier ones. Bodies of functions are not needed any more, except those that tell what
// the function stands for.
func (a *assembler) keep() {
	e := a.earlier
	e.types = a.prog.Types
	if e.units == nil {
		e.units = map[string]*unit{}
	}
	for name, u := range a.known {
		for _, f := range u.m.Functions {
			if f.Body() == module.Nop {
				f.Blocks, f.Registers = nil, nil
			}
		}
		old := e.units[name]
		if old == nil {
			u.scopes, e.units[name] = nil, u
			continue
		}
		maps.Copy(old.structs, u.structs)
		maps.Copy(old.data, u.data)
		maps.Copy(old.functions, u.functions)
		for i := range old.fields {
			maps.Copy(old.fields[i], u.fields[i])
		}
		maps.Copy(old.members, u.members)
	}
}

// named is the module with a name, nil if there is none.
func (a *assembler) named(name string) *unit {
	if u := a.known[name]; u != nil || a.earlier == nil {
		return u
	}
	return a.earlier.units[name]
}

// get finds a name in a name space of a module, in its parts that were loaded before as well.
func get[T any](u *unit, name string, space func(*unit) map[string]T) (T, bool) {
	x, ok := space(u)[name]
	if !ok && u.old != nil {
		x, ok = space(u.old)[name]
	}
	return x, ok
}

// membersOf are the members of a structure of the module by name. lost says that some may be missing.
func (u *unit) membersOf(t *module.Struct) (members map[string]*module.Field, lost bool) {
	if m, ok := u.members[t]; ok || u.old == nil {
		return m, u.lostIn[t]
	}
	return u.old.members[t], false
}

// enterNew is enter for a name space of the module.
func enterNew[T any](s *scope, space func(*unit) map[string]T, n syntax.Name, x T, what string, first func(T) diag.Pos) bool {
	if s.u.old != nil && n.Text != "" {
		if _, ok := space(s.u.old)[n.Text]; ok {
			s.errorf(n.Off, "%s %s redefined: it was loaded before, and nothing is declared again; give this one another name, or put it into another module",
				what, quote(what, n.Text)).Before(diag.Pos{})
			return false
		}
	}
	return enter(s, space(s.u), n, x, what, first)
}
