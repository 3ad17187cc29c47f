// Package assemble makes a program from IAL text: it groups files into modules, resolves every
// name, and checks the rules that do not depend on control flow or the types of registers (A1
// to A9: docs/ial.md, "Rules of the assembler").
//
// It is not the verifier: it accepts functions without blocks and instructions with registers
// of wrong types.
//
// These are the steps. Each is done for all modules before the next, because all declarations
// are visible everywhere:
//
//  1. Files are parsed (package syntax).
//  2. Names of types, fields, data blocks and functions enter the name spaces of their
//     modules.
//  3. Types of members, fields, parameters and results are resolved; fields that stand for
//     other fields are linked to them.
//  4. Bodies are resolved, entry points entered.
//  5. Structures must not contain themselves.
//
// After an error the rest is still checked. A name is not reported as unknown if a declaration
// that could not be read may have declared it.
package assemble

import (
	"path/filepath"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ial/syntax"
)

// mciName is the module of intrinsics.
const mciName = "mci"

// A Unit is the files of one module. If it has no name, the name of the module is that of its
// first file without folder and ending.
type Unit struct {
	Module  string
	Sources []dialect.Source
}

// name is the name of the unit's module.
func (u *Unit) name() string {
	if u.Module != "" || len(u.Sources) == 0 {
		return u.Module
	}
	return strings.TrimSuffix(filepath.Base(u.Sources[0].Name), ".ial")
}

// Load assembles modules into a program. Errors are added to diags; the program may be used
// only if the second result is true.
func Load(files *diag.Set, units []Unit, diags *diag.List) (*module.Program, bool) {
	a := &assembler{
		prog:  &module.Program{Files: files},
		diags: diags,
		known: map[string]*unit{},
	}
	before := diags.Errors()
	a.load(units)
	return a.prog, diags.Errors() == before
}

// load does the steps.
func (a *assembler) load(units []Unit) {
	a.intrinsics()
	for i := range units {
		a.parse(&units[i])
	}
	for _, u := range a.units {
		a.declare(u)
	}
	for _, u := range a.units {
		a.signatures(u)
	}
	for _, u := range a.units {
		a.forwards(u)
	}
	a.aliases()
	for _, u := range a.units {
		a.bodies(u)
		a.entries(u)
	}
	a.containment()
}

// An assembler builds one program.
type assembler struct {
	prog  *module.Program
	diags *diag.List
	known map[string]*unit // by name of the module
	// earlier are modules that were loaded before, nil if these are a program of their own.
	earlier *Earlier
	units   []*unit // in order
	hints   int     // searches for near misses
	steps   int     // things examined, for tests
}

// A unit is a module on the way from trees to declarations.
type unit struct {
	m      *module.Module
	old    *unit // its parts that were loaded before, nil if there are none
	scopes []*scope
	lost   bool // declarations may be missing

	structs   map[string]*module.Struct
	fields    [module.Thread + 1]map[string]*module.Field // by storage
	data      map[string]*module.Data
	functions map[string]*module.Function

	members map[*module.Struct]map[string]*module.Field
	lostIn  map[*module.Struct]bool // members may be missing
}

// newUnit makes a unit without declarations.
func newUnit(name string) *unit {
	u := &unit{
		m:       &module.Module{Name: name},
		structs: map[string]*module.Struct{}, data: map[string]*module.Data{}, functions: map[string]*module.Function{},
		members: map[*module.Struct]map[string]*module.Field{}, lostIn: map[*module.Struct]bool{},
	}
	u.fields[module.Global], u.fields[module.Thread] = map[string]*module.Field{}, map[string]*module.Field{}
	return u
}

// parse reads the files of a module.
func (a *assembler) parse(src *Unit) {
	name := src.name()
	u := newUnit(name)
	var first diag.Pos
	for i, s := range src.Sources {
		f, err := a.diags.Open(s.Name, s.Text)
		if err != nil {
			a.diags.Errorf(diag.Pos{}, "%v", err)
			continue
		}
		if i == 0 {
			first = f.Pos(0)
		}
		tree := syntax.Parse(f, a.diags)
		u.scopes = append(u.scopes, &scope{assembler: a, u: u, file: tree})
		u.lost = u.lost || tree.Lost
	}
	switch other := a.known[name]; {
	case name == mciName:
		a.diags.Errorf(first, "a module cannot be called mci, which is the module of intrinsics")
	case name == "":
		a.diags.Errorf(first, "the module has no name")
	case other != nil:
		a.diags.Errorf(first, "module %s redefined: each module is given once, with all its files", module.Quote(name))
	default:
		u.old = a.named(name)
		a.known[name] = u
	}
	a.prog.Modules = append(a.prog.Modules, u.m)
	a.units = append(a.units, u)
}

// A scope resolves the names in one file of a module. Its lists have the declarations of the file
// in the order of the tree, including those that are in no name space because their name is taken.
type scope struct {
	*assembler
	u    *unit
	file *syntax.File

	structs   []*module.Struct
	fields    []*module.Field
	functions []*module.Function
}

// pos makes a position of an offset. Intrinsics have none.
func (s *scope) pos(off syntax.Off) diag.Pos {
	if s.u.m == s.prog.MCI {
		return diag.Pos{}
	}
	return diag.Pos{File: s.file.File.ID(), Off: uint32(off)}
}

// errorf reports an error at an offset.
func (s *scope) errorf(off syntax.Off, format string, args ...any) *diag.Diagnostic {
	return s.diags.Errorf(s.pos(off), format, args...)
}
