package core

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/uvm2go/uvm2go/internal/lexis/decl"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/libc"
)

// A LiveBundle is a bundle with code that the engine has read for a running program. Its definitions become
// entities; the engine then refers to these and to existing ones, and the functions get their bodies. All of this
// happens with the world stopped, so that others see the whole bundle or nothing of it.
type LiveBundle struct {
	// Place is where a definition is, by its index in Defs; "" if it has no place.
	Place func(def int) string
	// Inside says where something that is not in Defs is: in which definition, how reports call it, and its place.
	Inside func(name string) Inside
	Defs   []LiveDef
	Next   uint32       // the ID after those of the bundle
	Names  []EntityName // of things inside its functions, and of their versions; "" for those without a name
	Late   *LateNames   // of all else inside its functions; nil if Names has everything
	Lists  []List       // value lists of its code; they get their numbers
	Frames []FrameSite  // places of its code; the first gets the number that is passed to Bind
	Types  []*Type      // descriptors of its own
	Watch  []*Watch     // flags of its watchpoints
	Images []LiveImage  // scripts that run when it is loaded, before Start
	Start  []Hook       // hooks that run once, when it is loaded

	// Hooks are the other hooks. It is called after Bind.
	Hooks func() Hooks

	// Remains is filled when the bundle is loaded, and passed to Abandon when nothing can reach its code any more.
	Remains *Remains

	// Bind makes the code refer to entities. It is called when no error is possible any more.
	Bind func(find func(name string) *Entity, firstFrame uint32)

	// Ready is called when the bundle is part of the program, before any of its code runs; nil if there is nothing to do.
	Ready func(t *Ctx)
}

// Inside is what reports say about a name of something inside a function, or of a version.
type Inside struct {
	Of    string // the function
	Body  bool   // it is the version itself
	Title string
	Place string // "" if it has none
}

// LiveImage is a HAIL script.
type LiveImage struct{ Name, Text string }

// LiveDef is a definition of a bundle.
type LiveDef struct {
	Name  string
	Title string // in reports
	Again bool   // gives a body to the existing function with the ID
	// Unnamed means that the name is used only inside the bundle.
	Unnamed bool
	Kind    EntityKind
	ID      uint32
	Type    *VType // like Entity.Type
	// Value returns the value of a constant, flattened; its references are NULL or the addresses of cells. It
	// is called after Bind.
	Value func() (w []uint64, r []uintptr)

	Of     string // the function that is exposed
	Cookie uint64 // its cookie

	Body *Func // the new body of a function, nil if it is only declared
}

// arriving is held while a bundle is read and entered, so that a bundle sees all before it.
var arriving sync.Mutex

// NextID is the ID that the next entity will get. It is for the engine, which reads one bundle at a time.
func NextID() uint32 {
	first.entities() // whose IDs come before
	ids.mu.Lock()
	defer ids.mu.Unlock()
	return ids.next
}

// GivenIDs are the names of translated entities that have the IDs that their bundles give them, by ID.
func (vm *VM) GivenIDs() map[uint32]string {
	names := map[uint32]string{}
	linked.mu.Lock()
	some := slices.ContainsFunc(packages, func(p *Program) bool { return p.Given })
	linked.mu.Unlock()
	if !some {
		return names
	}
	d := vm.entities()
	for id, e := range d.ents {
		if name := d.names[id]; name != "" && e.of != nil && e.of.Given && e.local == id && d.visible(id) {
			names[id] = name
		}
	}
	return names
}

// loadText loads a text that was not translated with the program, under a name, "" if it has none.
func loadText(t *Ctx, name, text string) *misuse {
	switch {
	case !describes():
		return &misuse{DynCode, "", "load_bundle: the program was not made to load text"}
	case Engine.Read == nil:
		return declare(t, name, text)
	}
	return loadLive(t, func() (*LiveBundle, string, error) { return Engine.Read(t, name, text) })
}

// LoadLive loads a bundle that read returns. read has the results of Engine.Read.
func LoadLive(t *Ctx, read func() (b *LiveBundle, code string, err error)) {
	must(t, loadLive(t, read))
}

func loadLive(t *Ctx, read func() (*LiveBundle, string, error)) *misuse {
	b, images, m := readLive(t, read)
	if m != nil {
		return m
	}
	if Engine.Loaded != nil {
		Engine.Loaded(t)
	}
	if b.Ready != nil {
		b.Ready(t)
	}
	for _, r := range images {
		if m := r.run(); m != nil {
			return m
		}
	}
	if !forward(t, b.Start) {
		return leftEntry(t)
	}
	h := b.Hooks()
	vmOf(t).hooks.add(h)
	if hooked(t) && !forward(t, h.ThreadStart) {
		return leftEntry(t)
	}
	return nil
}

// leftEntry is the error of loading when a hook has thrown.
func leftEntry(t *Ctx) *misuse {
	Catch(t)
	return &misuse{Check, "", "load_bundle: an exception has left the entry of the bundle, which is loaded"}
}

// arrive takes arriving and calls f, both in a safe region. If f panics, the lock is free again.
func arrive(t *Ctx, f func()) {
	t.Th.EnterSafe()
	arriving.Lock()
	done := false
	defer func() {
		if !done {
			arriving.Unlock()
		}
	}()
	func() {
		defer t.Th.LeaveSafe()
		defer func() {
			switch r := recover().(type) {
			case nil:
			case runtime.Error: // must not be taken for a fault of the program
				panic(fmt.Sprintf("%v, while code that arrives was read", r))
			default:
				panic(r)
			}
		}()
		f()
	}()
	done = true
}

// readLive reads a bundle and makes it part of the program, unless its images have syntax errors.
func readLive(t *Ctx, read func() (*LiveBundle, string, error)) (*LiveBundle, []*hailRun, *misuse) {
	var b *LiveBundle
	var code string
	var err error
	arrive(t, func() { b, code, err = read() })
	defer arriving.Unlock()
	if err != nil {
		return nil, nil, &misuse{kindOfLoading(code), code, "load_bundle: " + err.Error()}
	}
	var images []*hailRun
	for _, im := range b.Images {
		r, m := parseHAIL(t, im.Name, im.Text)
		if m != nil {
			return nil, nil, m
		}
		images = append(images, r)
	}
	var m *misuse
	gc.Exclusive(t, func() { m = b.load(&declaration{t: t, own: map[string]*declared{}, live: b}) })
	return b, images, m
}

// kindsOfDefinitions are the kinds of definitions for entities other than exposed functions.
var kindsOfDefinitions = [...]definitionKind{TypeEntity: defType, SigEntity: defSig, ConstEntity: defConst, GlobalEntity: defGlobal, FuncEntity: defDecl,
	ExposeEntity: defExpose}

// load makes the entities and the code visible. The world is stopped.
func (b *LiveBundle) load(d *declaration) *misuse {
	tt := typesOf()
	tt.mu.Lock()
	defer tt.mu.Unlock()
	for i := range b.Defs {
		b.define(d, i)
	}
	names := b.Names
	if b.Late != nil && slices.ContainsFunc(b.Late.Roots, d.vm().entities().clashes) {
		names = append(names, b.putTogether()...)
	}
	b.clashes(d, names)
	for i := range b.Lists {
		l := &b.Lists[i]
		if room := transferRoom(); l.W > room || l.R > room {
			d.fault(NoResource, 0, "a list of %d values, %q, is longer than those that this program passes: %d", max(l.W, l.R), l.Desc, room)
		}
	}
	if m := d.result(); m != nil {
		return m
	}
	return d.commit(tt)
}

// clashes reports names inside functions that exist already. A function that exists, or its version, is one error:
// what is in it has the same names because of it.
func (b *LiveBundle) clashes(d *declaration, names []EntityName) {
	var list []Inside
	again := map[string]bool{}
	for _, f := range d.faults {
		again[b.Defs[f.off].Name] = true
	}
	for _, n := range names {
		if _, ok := d.vm().IDNamed(n.Name); !ok || n.Name == "" {
			continue
		}
		in := b.Inside(n.Name)
		if in.Body && !again[in.Of] {
			again[in.Of] = true
			d.redefined(in)
			continue
		}
		list = append(list, in)
	}
	for _, in := range list {
		if !again[in.Of] {
			d.redefined(in)
		}
	}
}

// redefined reports a name inside a function that exists already.
func (d *declaration) redefined(in Inside) {
	d.faults = append(d.faults, declFault{decl.Off(len(d.live.Defs)), Conflict, in.Title + " redefined", in.Place})
}

// putTogether returns the late names and adds them to Names.
func (b *LiveBundle) putTogether() []EntityName {
	list := b.Late.List()
	b.Late = nil
	b.Names = slices.Concat(b.Names, list)
	return list
}

// define makes the entity of a definition.
func (b *LiveBundle) define(d *declaration, i int) {
	def := &b.Defs[i]
	n := declName{def.Name, decl.Off(i)}
	x := &declared{def: &definition{Kind: kindsOfDefinitions[def.Kind], Name: n, Of: declName{def.Of, n.Off}}, kind: def.Kind, typ: def.Type,
		cookie: def.Cookie, ent: &Entity{ID: def.ID, Kind: def.Kind, Type: def.Type}}
	switch _, old := d.vm().IDNamed(def.Name); {
	case def.Again:
		x.ent, x.again = d.vm().EntityOf(def.ID), true
		if !x.ent.Func.Open {
			d.fault(Conflict, n.Off, "%s redefined: its body was translated with the program, whose calls do not ask for another", def.Title)
		}
	case old && !def.Unnamed:
		d.fault(Conflict, n.Off, "%s redefined", def.Title)
	}
	d.own[def.Name] = x
	d.list = append(d.list, x)
}

// TakeID reserves the ID that the next entity would get. It waits while a bundle is read, so the caller must be safe.
func TakeID() uint32 {
	arriving.Lock()
	defer arriving.Unlock()
	id := NextID()
	reserve(id + 1)
	return id
}

// kindOfLoading is the kind of error for a code of loading or of the IR builder.
func kindOfLoading(code string) Kind {
	if code == kindNames[NodeError] {
		return NodeError
	}
	for k, c := range codesOfLoading {
		if c == code {
			return Kind(k)
		}
	}
	return Check
}

// enter makes the bundle part of the program. The world is stopped, and its entities exist.
//
//go:norace
//go:nocheckptr
func (b *LiveBundle) enter(c *commit) {
	d := c.d
	for i := range b.Lists {
		b.Lists[i].No = c.listNo(b.Lists[i])
	}
	find := func(name string) *Entity {
		own, e := d.look(declName{Text: name})
		if own != nil {
			e = own.ent
		}
		return e
	}
	c.clearAway()
	first := uint32(1)
	if c.sites != nil {
		first = c.enterPlaces(b.Frames, b.Remains)
	}
	b.Bind(find, first)
	if c.sites != nil {
		inspections.Lock()
		for i, f := range b.Frames {
			f.No = first + uint32(i)
			c.sites[f.No-1] = f
		}
		inspections.Unlock()
	}
	for i := range b.Defs {
		def := &b.Defs[i]
		if def.Value != nil {
			w, r := def.Value()
			d.own[def.Name].ent.value = &constValue{w, r}
		}
		impl := def.Body
		if impl == nil {
			continue
		}
		f := d.own[def.Name].ent.Func
		impl.Class = f.Class
		if th, class := thunkOf(f.Params, f.Results); th != nil {
			code := th.New(Self{class, f.ID})
			impl.Code = *(*uintptr)(code)
			*impl.body() = code
		}
	}
	for _, w := range b.Watch {
		d.vm().watches.add(w)
	}
}

// become gives the functions their bodies, when the entities are visible.
func (b *LiveBundle) become(d *declaration) {
	for i := range b.Defs {
		if def := &b.Defs[i]; def.Body != nil {
			d.own[def.Name].ent.Func.become(def.Body)
		}
	}
}

// ListNo is the number of an existing value list. The engine calls it for lists that its bundles have named.
func ListNo(desc string) uint32 {
	if no, ok := linking.lists[desc]; ok {
		return no
	}
	panic(disagree("the value list %q is not known", desc))
}

// ClassOf is the class of the signatures with some value lists.
func ClassOf(params, results uint32) uint32 {
	if th, class := thunkOf(params, results); th != nil {
		return class
	}
	return classFor(params, results)
}

// InternTypes returns, for each type in list, the equal type of the table. Types that the table does not have
// become part of it, with their names if the first VM loads them.
func (vm *VM) InternTypes(list []*VType) ([]*VType, error) {
	if vm != first {
		for _, v := range list {
			v.Name = vm.tableName(v)
		}
	}
	tt := typesOf()
	tt.mu.Lock()
	defer tt.mu.Unlock()
	reps, fresh := tt.merge(list)
	if err := layTypes(fresh); err != nil {
		return nil, err
	}
	for _, v := range fresh {
		tt.add(v)
	}
	return reps, nil
}

// EntityAt is the function at the address in a constant, nil if there is none.
func (vm *VM) EntityAt(addr uintptr) *Entity { return vm.entityAt(addr) }

// Inspects reports whether frames can be inspected.
func Inspects() bool { return current.Frames != nil }

// Symbol is the address of a native symbol.
func Symbol(name string) (uintptr, bool) {
	addr, ok := symbol(name)
	if ok {
		symbolNames.Store(addr, name)
	}
	return addr, ok
}

// MissingSymbol makes the address of a native symbol that Symbol does not find. Calling it is the error NATIVE with the
// text why. It is 0 if there is no address left.
func MissingSymbol(name, why string) uintptr {
	addr := libc.Missing(name, why)
	if addr != 0 {
		symbolNames.Store(addr, name)
	}
	return addr
}

// symbolNames are names of the symbols to which bundles for the engine refer, by address.
var symbolNames sync.Map

// SymbolAt is the name of a native symbol at an address, if the program or a bundle for the engine refers to it.
func SymbolAt(addr uintptr) (string, bool) {
	for _, p := range packages {
		for _, e := range p.Externs {
			if *e.Addr == addr && addr != 0 {
				return e.Name, true
			}
		}
	}
	name, ok := symbolNames.Load(addr)
	if !ok {
		return "", false
	}
	return name.(string), true
}

// HasPackages reports whether a program is linked.
func HasPackages() bool {
	linked.mu.Lock()
	defer linked.mu.Unlock()
	return len(packages) > 0
}
