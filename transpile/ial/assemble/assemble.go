// Package assemble makes a program from IAL text: it groups files into modules, resolves every
// name, and checks the rules that do not depend on control flow or the types of registers (A1
// to A9: docs/ial.md, "Rules of the assembler").
//
// It is not the verifier: a function without blocks and an instruction with registers of
// wrong types assemble.
//
// The steps, each over all modules before the next, as all declarations are visible
// everywhere:
//
//  1. Files are parsed (package syntax).
//  2. Names of types, fields, data blocks and functions enter the name spaces of their
//     modules.
//  3. Types of members, fields, parameters and results are resolved; fields that stand for
//     others get them.
//  4. Bodies are resolved, entry points entered.
//  5. Structures must not contain themselves.
//
// After an error the rest is still checked. A name that an unreadable declaration may have
// declared is not reported as unknown.
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

// A Unit is the files of one module. Without a name it has that of its first file, less
// folder and ending.
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

// Load assembles modules into a program. What is wrong goes to diags; the program is fit
// for use only if the second value is true.
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
	units []*unit          // in order
	hints int              // near misses looked for
	steps int              // things looked at, for tests
}

// A unit is a module on the way from trees to declarations.
type unit struct {
	m      *module.Module
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
		f, err := a.prog.Files.Add(s.Name, s.Text)
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
		a.known[name] = u
	}
	a.prog.Modules = append(a.prog.Modules, u.m)
	a.units = append(a.units, u)
}

// A scope resolves the names in one file of a module. What the file declares is in the
// order of the tree, also what has the name of something else and so is in no name space.
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
