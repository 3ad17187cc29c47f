package ial

import (
	"fmt"
	"strconv"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial/layout"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// intrinsics is the name of the module of intrinsic functions.
const intrinsics = "mci"

// A translator makes the representation of a program.
type translator struct {
	src   *module.Program
	diags *diag.List
	b     *ir.Builder
	types *types
	facts *facts

	funcs   map[*module.Function]*ir.Function
	exposed map[*module.Function]*ir.Const // address for native code
	cells   map[*module.Field]*ir.Global
	data    map[*module.Data]*ir.Global
	layouts *layout.Table
	pending []*module.Function // functions without a body yet

	images    map[string]*ir.Global         // constant arrays
	tests     map[string]*ir.Function       // of types of objects, see oneOf
	passed    map[*module.Type]bool         // types of functions that byValue has seen
	entrances map[*module.Type]*ir.Function // of trampolines
	made      int                           // names made by fresh
	reached   map[*module.Function]bool     // see raw
	passing   []*ir.Global                  // see passOn
	pointers  map[*module.Type][]path       // see pointersIn

	running *dialect.Running // the program that loads the modules, nil if they are one of their own
	numbers map[string]int   // by name: the last number that fresh has given for the running program
}

// Translate makes the representation of a verified program. It reports to diags what it cannot
// translate; the program may be used only if the second result is true.
func Translate(p *module.Program, diags *diag.List) (*ir.Program, bool) {
	return translate(p, nil, nil, diags)
}

// translate is Translate for a running program, if it is not nil. keep is called when that has loaded the modules.
func translate(p *module.Program, to *dialect.Running, keep func(), diags *diag.List) (*ir.Program, bool) {
	before := diags.Errors()
	layouts := layout.New()
	f := factsOf(p, layouts, to != nil, objectsOf(to))
	b := ir.NewBuilder(newProgram(f.files, to))
	t := &translator{
		src: p, diags: diags, b: b, types: newTypes(b.Types, &p.Types, f), facts: f,
		funcs: map[*module.Function]*ir.Function{}, exposed: map[*module.Function]*ir.Const{}, cells: map[*module.Field]*ir.Global{},
		data: map[*module.Data]*ir.Global{}, layouts: layouts, tests: map[string]*ir.Function{}, passed: map[*module.Type]bool{}, images: map[string]*ir.Global{}, entrances: map[*module.Type]*ir.Function{},
		running: to, numbers: map[string]int{},
	}
	if to != nil {
		to.Keep = func() any { return keepModules(to, keep, f.made) }
	}
	t.b.Prog.Bundles = 1
	for _, m := range p.Modules {
		for _, f := range m.Functions {
			t.function(f)
		}
	}
	t.entries()
	for len(t.pending) > 0 {
		f := t.pending[0]
		t.pending = t.pending[1:]
		t.define(f)
	}
	t.types.nameObjects()
	prog, err := t.b.Finish()
	if err != nil {
		panic("ial: " + err.Error()) // a fault of the translator
	}
	return prog, diags.Errors() == before
}

// fresh makes a name that is not in use.
func (t *translator) fresh(name string) string {
	t.made++
	if t.running == nil {
		return fmt.Sprintf("%s.%d", name, t.made)
	}
	free := t.running.Numbered(name+".", max(t.made, t.numbers[name]+1))
	t.numbers[name], _ = strconv.Atoi(free[len(name)+1:])
	return free
}

// qualified is the name of a declaration with the name of its module.
func qualified(m *module.Module, name string) string { return m.Name + "/" + name }

// function is the translation of a function. Its body is made later.
func (t *translator) function(f *module.Function) *ir.Function {
	if fn := t.funcs[f]; fn != nil {
		return fn
	}
	fn := t.b.Func("@"+qualified(f.Module, f.Name), t.types.signature(f.Type(&t.src.Types)))
	fn.Pos, fn.Title = f.Pos, qualified(f.Module, f.Name)
	for _, a := range [...]struct {
		from module.Attrs
		to   ir.Attrs
	}{{module.NoReturn, ir.NoReturn}, {module.NoThrow, ir.NoThrow}, {module.NoInline, ir.NoInline}} {
		if f.Has(a.from) {
			fn.Attrs |= a.to
		}
	}
	if f.Module == t.src.MCI {
		fn.Attrs |= ir.Internal
	}
	if f.Result.Kind != module.Void {
		fn.Notation = []ir.Notation{t.types.notation(f.Result)}
	}
	t.funcs[f] = fn
	if !t.loaded(f, fn.Name) {
		t.pending = append(t.pending, f)
	}
	t.byValue(f.Pos, f.Module, f.Type(&t.src.Types))
	return fn
}

// define makes the body of a function.
func (t *translator) define(f *module.Function) {
	switch {
	case f.Module == t.src.MCI:
		t.intrinsic(f)
	case f.Body() == module.FFI:
		t.foreign(f)
	case f.Body() == module.Forward:
		t.forward(f)
	case f.Body() == module.Raw:
		t.raw(f)
	default:
		t.body(f)
	}
}

// raw makes the body of a function of machine code, which fails. It reports an error if the
// program can call the function.
func (t *translator) raw(f *module.Function) {
	text := "raw machine code is not portable: " + qualified(f.Module, f.Name)
	if t.reached == nil {
		t.reached = reachable(t.src)
	}
	if t.reached[f] {
		t.diags.Errorf(f.Blocks[0].Instrs[0].Pos, "%s", text)
	}
	b := t.newBody(f, t.funcs[f])
	b.Pos = f.Blocks[0].Instrs[0].Pos
	b.Fail(ir.FailTrap, text)
	b.end()
	b.finish()
}

// reachable are the functions that the entry points call or take the address of, directly or through
// others; all functions of a program without entry points.
func reachable(p *module.Program) map[*module.Function]bool {
	reached := map[*module.Function]bool{}
	var work []*module.Function
	add := func(f *module.Function) {
		if f != nil && !reached[f] {
			reached[f] = true
			work = append(work, f)
		}
	}
	for _, m := range p.Modules {
		for _, e := range m.Entries {
			add(e.Func)
		}
	}
	if len(work) == 0 {
		for _, m := range p.Modules {
			for _, f := range m.Functions {
				add(f)
			}
		}
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		add(f.Forward)
		for _, k := range f.Blocks {
			for _, in := range k.Instrs {
				add(in.Func)
			}
		}
	}
	return reached
}

// cell is the memory of a global or thread field.
func (t *translator) cell(f *module.Field) *ir.Global {
	f = f.Root()
	if g := t.cells[f]; g != nil {
		return g
	}
	name := f.Name
	if f.Struct != nil {
		name = f.Struct.Name + ":" + name
	}
	g := t.b.Global("@"+qualified(f.Module, name)+".field", t.types.memory(f.Type))
	g.Pos, g.ThreadLocal = f.Pos, f.Storage == module.Thread
	t.cells[f] = g
	return g
}

// bytes is the memory of a block of data. An empty one has an address too.
func (t *translator) bytes(d *module.Data) *ir.Global {
	if g := t.data[d]; g != nil {
		return g
	}
	text := string(d.Bytes)
	if text == "" {
		text = "\x00"
	}
	c := t.b.Bytes(text)
	g := t.b.Global("@"+qualified(d.Module, d.Name)+".data", c.Type)
	if g.Pos = d.Pos; !t.running.Has(g.Name) {
		g.Init, g.ReadOnly = c, true
	}
	t.data[d] = g
	return g
}
