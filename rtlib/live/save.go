package live

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/uvm2go/uvm2go/internal/lexis/symbol"
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/mu"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// An Image says what WriteImage writes.
type Image struct {
	// Entry is the function that the program begins with: it takes nothing or, as (int<32>, uptr), the number and the list
	// of its arguments. Its results are dropped. 0 for a program without an entry function.
	Entry mu.ID
	// Then are functions that are called after it, each with the results of the one before: the frames below it on a stack
	// that has not begun.
	Then []mu.ID
	// ThreadLocal is the thread-local reference of the first thread. The zero Ref is NULL.
	ThreadLocal mu.Ref
	// Only are the IDs of what the image has, beside what that refers to; nil for everything in the VM. IDs of parts of
	// functions, and those under which nothing was defined, have no effect.
	Only []mu.ID
	// Relocs are places of pointers that have the address of a native symbol in the image, whatever they contain now.
	Relocs []Reloc
	// Symbols are native symbols that are places in cells and objects of the image: its EXTERN constants and Relocs with these
	// names have the addresses of the places.
	Symbols []Symbol
}

// A Symbol gives a place in the image to a symbol.
type Symbol struct {
	Place mu.IRef
	Name  string
}

// A Reloc gives a pointer in the image the address of a symbol.
type Reloc struct {
	Field  mu.IRef
	Symbol string
}

// WriteImage writes the state of a VM as a program, in the text of the representation (docs/ir.md), which the command
// runs, builds and checks (docs/client.md, "Images"): its functions with the bodies that they have now, and its cells with
// the objects that they reach. Threads and stacks are not part of it. The error is mu.DynCode if there is something that an
// image cannot have.
func WriteImage(c *mu.Ctx, w io.Writer, im Image) error {
	s := &saving{want: im}
	if err := s.addresses(c); err != nil {
		return err
	}
	vm := core.Engine.VMFor(c)
	if err := core.Engine.LoadFor(c, func(t *core.Ctx) {
		core.Quiet(t, func() { s.take(vm, t) })
	}); err != nil {
		return err
	}
	if s.err != nil {
		return s.err
	}
	if err := verify.Err(verify.Program(s.p)); err != nil {
		return fmt.Errorf("internal error: the image: %w", err)
	}
	return ir.PrintPlaced(w, s.p)
}

// addresses finds the addresses of references that the client has given.
func (s *saving) addresses(c *mu.Ctx) error {
	address := func(v mu.Value) (uintptr, error) {
		p, err := c.Pin(v)
		if err != nil {
			return 0, err
		}
		return p.Addr(), c.Unpin(v)
	}
	var err error
	if s.want.ThreadLocal != (mu.Ref{}) {
		if s.local, err = address(s.want.ThreadLocal); err != nil {
			return err
		}
	}
	s.relocs = map[uintptr]string{}
	for _, r := range s.want.Relocs {
		at, err := s.symbolPlace(address, r.Field, r.Symbol)
		if err != nil {
			return err
		}
		s.relocs[at] = r.Symbol
	}
	s.symbols = map[string]uintptr{}
	for _, y := range s.want.Symbols {
		at, err := s.symbolPlace(address, y.Place, y.Name)
		if err != nil {
			return err
		}
		if was, ok := s.symbols[y.Name]; ok && was != at {
			return &mu.Error{Code: mu.DynCode, Msg: fmt.Sprintf("the symbol %s is given to two places", y.Name)}
		}
		s.symbols[y.Name] = at
	}
	return nil
}

// symbolPlace is the address of a place that has something to do with a symbol.
func (s *saving) symbolPlace(address func(mu.Value) (uintptr, error), place mu.IRef, sym string) (uintptr, error) {
	if why := symbol.Fault(sym); why != "" {
		return 0, &mu.Error{Code: mu.DynCode, Msg: why}
	}
	at, err := address(place)
	if err == nil && at == 0 {
		err = &mu.Error{Code: mu.Null, Msg: fmt.Sprintf("the place for the symbol %s is NULL", sym)}
	}
	return at, err
}

// saving makes a program of the state of a VM. Entities are made as for a bundle that names them (imports), their
// bodies and constants are copied from the programs of the bundles that have defined them.
type saving struct {
	*imports
	want   Image
	local  uintptr
	relocs map[uintptr]string // symbols, by address of the field
	err    error

	symbols  map[string]uintptr // addresses of the places that are symbols
	pointers map[pointerCell]*ir.Global

	programs []*program // the bundles of the VM, in the order of loading
	defined  map[uint32]named
	bodies   map[*core.Func]*function
	exposed  map[uintptr]*core.Entity // by function pointer
	inner    map[*ir.Function]*ir.Function
	from     map[*ir.Function]*function // where the bodies of functions are
	versions map[uint32]bool            // IDs of those that are taken
	ids      map[string]uint32          // of entities
	known    map[typeIn]ir.TypeID
	copied   int // functions whose bodies were copied

	snap    *snapshot
	objects map[*piece]int // numbers in the image
	filled  int            // cells whose content is in the image

	file   *diag.File
	places []diag.Position
	placed map[diag.Position]diag.Pos
}

// typeIn is a type of a bundle.
type typeIn struct {
	in *program
	id ir.TypeID
}

// named is a constant or cell and the program that defines it.
type named struct {
	in *program
	x  any
}

func (s *saving) fail(format string, args ...any) {
	if s.err == nil {
		s.err = &mu.Error{Code: mu.DynCode, Msg: fmt.Sprintf(format, args...)}
	}
}

// take makes the program.
func (s *saving) take(vm *core.VM, t *core.Ctx) {
	s.imports = newImports(vm, t, ir.NewProgram())
	s.p.Bundles, s.p.Files, s.p.NextID = 1, diag.NewSet(), core.NextID()
	s.placed = map[diag.Position]diag.Pos{}
	s.file = s.p.Files.AddMade(func(off int) diag.Position { return s.places[off] }, nil)
	s.p.Image = &ir.Image{}
	s.objects = map[*piece]int{}
	s.pointers = map[pointerCell]*ir.Global{}
	s.inner, s.from, s.versions = map[*ir.Function]*ir.Function{}, map[*ir.Function]*function{}, map[uint32]bool{}
	s.ids, s.known = map[string]uint32{}, map[typeIn]ir.TypeID{}
	all := vm.Entities()
	s.index(all)
	var cells []*core.Entity
	for _, e := range all {
		if e.Kind == core.GlobalEntity {
			cells = append(cells, e)
		}
	}
	s.snap = takeSnapshot(vm, cells, append(slices.Collect(maps.Values(s.symbols)), s.local)...)
	if s.want.Only == nil {
		for _, e := range all {
			s.byID(e.ID)
		}
	}
	for _, id := range s.want.Only {
		switch {
		case s.vm.EntityOf(uint32(id)) != nil:
			s.byID(uint32(id))
		case id < firstID || uint32(id) >= core.NextID():
			s.fail("%d is not the ID of an entity", id)
		} // else a part of a function, or nothing has been defined under it
	}
	s.hooks()
	s.entry()
	s.complete()
	s.names()
}

// index finds the bundles of the VM and what they define.
func (s *saving) index(all []*core.Entity) {
	loaded.mu.Lock()
	for _, p := range loaded.list {
		if p.vm == s.vm {
			s.programs = append(s.programs, p)
		}
	}
	loaded.mu.Unlock()
	s.defined, s.bodies, s.exposed = map[uint32]named{}, map[*core.Func]*function{}, map[uintptr]*core.Entity{}
	for _, p := range s.programs {
		for _, c := range p.facts.IR.Consts {
			if _, ok := s.defined[c.ID]; !ok && c.ID != 0 {
				s.defined[c.ID] = named{p, c}
			}
		}
		for _, g := range p.facts.IR.Globals {
			if _, ok := s.defined[g.ID]; !ok {
				s.defined[g.ID] = named{p, g}
			}
		}
		for fn, f := range p.functions {
			if fn.Current() != nil && f.to != nil {
				s.bodies[f.to] = f
			}
		}
		for k, word := range p.facts.IR.Types.Words {
			if s.p.Types.Words == nil {
				s.p.Types.Words = map[ir.Kind]string{}
			}
			s.p.Types.Words[k] = word
		}
	}
	for _, e := range all {
		if e.Kind == core.ExposeEntity {
			s.exposed[core.ExposedAddr(e.Exposure)] = e
		}
	}
}

// complete copies bodies and memory until everything is there that they refer to.
func (s *saving) complete() {
	for s.err == nil && (s.copied < len(s.p.Funcs) || s.filled < len(s.p.Globals)) {
		for ; s.copied < len(s.p.Funcs); s.copied++ {
			s.copyBody(s.p.Funcs[s.copied])
		}
		for ; s.filled < len(s.p.Globals); s.filled++ {
			s.cell(s.p.Globals[s.filled])
		}
		s.fillObjects()
	}
}

// hooks adds the hooks, except those of the start, which have run.
func (s *saving) hooks() {
	for _, p := range s.programs {
		p.facts.IR.Hooks.Each(func(k ir.HookKind, f *ir.Function) {
			if k != ir.HookStart {
				s.p.Hooks[k] = append(s.p.Hooks[k], s.funcOf(p, f))
			}
		})
	}
}

// byID is the entity with an ID, "" aside.
func (s *saving) byID(id uint32) any {
	name := s.nameOf(id)
	if x, ok := s.made[name]; ok {
		return x
	}
	s.ids[name] = id
	if d := s.defined[id]; d.in != nil {
		switch x := d.x.(type) {
		case *ir.Const:
			c := s.copyConst(d.in, x)
			c.Name, c.ID = name, id
			s.p.Consts = append(s.p.Consts, c)
			s.made[name] = c
			return c
		case *ir.Global:
			if g, ok := s.have(name, id).(*ir.Global); ok {
				g.ThreadLocal = x.ThreadLocal
				return g
			}
		}
	}
	n := len(s.p.Consts)
	x := s.have(name, id)
	if c, ok := x.(*ir.Const); ok && n == len(s.p.Consts) {
		s.p.Consts = append(s.p.Consts, c)
	}
	return x
}

// copyBody copies the body that a function has now.
func (s *saving) copyBody(f *ir.Function) {
	of := s.from[f]
	if of == nil { // an entity
		e := s.vm.EntityOf(f.ID)
		if e == nil || e.Func == nil || !e.Func.Defined {
			return
		}
		if e.Func.Live != nil {
			of = (*cell)(e.Func.Live).fn
		} else if of = s.bodies[e.Func]; of == nil {
			s.fail("%s was compiled into this program: its body cannot be written", f.Name)
			return
		}
		f.Title, f.Notation = of.ir.Title, of.ir.Notation
		f.Attrs = of.ir.Attrs &^ ir.Replaceable
	}
	q := of.in
	q.mu.Lock()
	v := of.ir.Current().Clone()
	q.mu.Unlock()
	v.Func, v.Pos = f, s.pos(q, v.Pos)
	f.Pos = v.Pos
	f.Versions = []*ir.Version{v}
	s.nameVersion(f, v)
	for i := range v.Values {
		x := &v.Values[i]
		x.Type = s.typ(q, x.Type)
		if x.Const != nil {
			x.Const = s.constant(q, x.Const)
		}
	}
	for i := range v.Insts {
		in := &v.Insts[i]
		in.Ty, in.Ty2, in.Sig = s.typ(q, in.Ty), s.typ(q, in.Ty2), s.typ(q, in.Sig)
		in.Types = s.types(q, in.Types)
		in.Pos = s.pos(q, in.Pos)
	}
	for i := range v.Blocks {
		v.Blocks[i].Pos = s.pos(q, v.Blocks[i].Pos)
	}
	s.loadSymbols(v)
}

// nameVersion gives a version a name that no other has.
func (s *saving) nameVersion(f *ir.Function, v *ir.Version) {
	switch {
	case s.versions[v.ID] || v.ID == 0: // a body that several functions have
		v.ID = s.p.TakeID()
		v.Name = s.fresh(ir.FullName(f.Name, "%v"))
	case ir.IsDescription(v.Name):
		v.Name = s.nameOf(v.ID)
	}
	s.versions[v.ID] = true
}

// fresh makes a name that nothing in the VM or the image has.
func (s *saving) fresh(wish string) string {
	name := wish
	for n := 2; ; n++ {
		if _, taken := s.vm.IDNamed(name); !taken && s.made[name] == nil {
			return name
		}
		name = fmt.Sprintf("%s.%d", wish, n)
	}
}

// typ is the type for that of a bundle. Other threads may be making code of the bundle.
func (s *saving) typ(q *program, id ir.TypeID) ir.TypeID {
	key := typeIn{q, id}
	if t, ok := s.known[key]; ok || id == ir.NoType {
		return t
	}
	q.mu.Lock()
	v := q.vtype(id)
	q.mu.Unlock()
	s.known[key] = s.typeOf(v)
	return s.known[key]
}

func (s *saving) types(q *program, ids []ir.TypeID) (list []ir.TypeID) {
	for _, id := range ids {
		list = append(list, s.typ(q, id))
	}
	return list
}

// constant is the constant for that of a bundle.
func (s *saving) constant(q *program, c *ir.Const) *ir.Const {
	if c.ID != 0 {
		if k, ok := s.byID(c.ID).(*ir.Const); ok {
			return k
		}
	}
	return s.copyConst(q, c)
}

func (s *saving) copyConst(q *program, c *ir.Const) *ir.Const {
	k := *c
	k.Type, k.Name, k.ID, k.Pos, k.Elems = s.typ(q, c.Type), "", 0, s.pos(q, c.Pos), nil
	for _, e := range c.Elems {
		k.Elems = append(k.Elems, s.constant(q, e))
	}
	switch {
	case c.Global != nil:
		k.Global, _ = s.byID(c.Global.ID).(*ir.Global)
	case c.Func != nil:
		k.Func = s.funcOf(q, c.Func)
	case c.Expose != nil:
		k.Expose, _ = s.byID(c.Expose.ID).(*ir.Expose)
	}
	return &k
}

// funcOf is the function for that of a bundle, which need not be an entity.
func (s *saving) funcOf(q *program, f *ir.Function) *ir.Function {
	of := q.functions[f]
	if e := s.vm.EntityOfFunc(of.to); e != nil {
		return s.function(e)
	}
	if k := s.inner[f]; k != nil {
		return k
	}
	k := &ir.Function{Name: s.fresh(f.Name), Title: f.Called(), Sig: s.typ(q, f.Sig), Attrs: f.Attrs &^ ir.Replaceable, Notation: f.Notation, ID: s.p.TakeID()}
	if k.Title == k.Name {
		k.Title = ""
	}
	s.inner[f], s.from[k], s.made[k.Name] = k, of, k
	s.p.Funcs = append(s.p.Funcs, k)
	return k
}

// pos is the position for that of a bundle.
func (s *saving) pos(q *program, at diag.Pos) diag.Pos {
	if !at.IsValid() || q.facts.IR.Files == nil {
		return diag.Pos{}
	}
	p := q.facts.IR.Files.Traced(at)
	if !p.IsValid() {
		return diag.Pos{}
	}
	known, ok := s.placed[p]
	if !ok {
		known = diag.Pos{File: s.file.Pos(0).File, Off: uint32(len(s.places))}
		s.places, s.placed[p] = append(s.places, p), known
	}
	return known
}

// names enters everything under its name.
func (s *saving) names() {
	for name, x := range s.made {
		if _, other := x.(dialect.Other); !other {
			s.p.Entities[name] = x
		}
	}
	for name, x := range s.p.Entities {
		if ty, ok := x.(ir.TypeID); ok {
			s.p.TypeIDs[name] = s.ids[name]
			if s.p.Types.At(ty).Name == "" {
				s.p.Types.SetName(ty, name)
			}
		}
	}
	byID := func(a, b uint32) int { return cmp.Compare(a, b) }
	slices.SortStableFunc(s.p.Consts, func(a, b *ir.Const) int { return byID(a.ID, b.ID) })
	slices.SortStableFunc(s.p.Globals, func(a, b *ir.Global) int { return byID(a.ID, b.ID) })
	slices.SortStableFunc(s.p.Funcs, func(a, b *ir.Function) int { return byID(a.ID, b.ID) })
}
