package core

import (
	"fmt"
	"math/bits"
	"sync"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// The parts of entities of a loaded text.

// declaredMemory keeps memory that was made for a VM at run time alive for Go's collector, which does not
// see the addresses of it.
type declaredMemory struct {
	mu      sync.Mutex
	funcs   []*frozenFunc           // guarded by mu
	cells   [][]uint64              // guarded by mu
	globals map[unsafe.Pointer]bool // addresses of the cells; guarded by mu
}

// keep keeps what a text has made.
func (m *declaredMemory) keep(c *commit) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.funcs = append(m.funcs, c.funcs...)
	m.cells = append(m.cells, c.cells...)
	if m.globals == nil {
		m.globals = map[unsafe.Pointer]bool{}
	}
	for _, g := range c.globals {
		m.globals[g.Addr] = true
	}
}

// drop gives the memory up. The world is stopped, and no code that refers to it runs any more.
func (m *declaredMemory) drop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.globals) > 0 {
		gc.DropGlobals(func(g *Global) bool { return m.globals[g.Addr] })
	}
	m.funcs, m.cells, m.globals = nil, nil, nil
}

// refOf is the funcref of a function.
func refOf(f *Func) uintptr { return uintptr(unsafe.Pointer(f)) }

// commit makes the entities, and makes them visible if that succeeds. The world is stopped.
func (d *declaration) commit(tt *typeTable) *misuse {
	c := &commit{d: d, lists: current.Lists, sites: current.Frames, numbers: map[string]uint32{}}
	for _, step := range []func(){c.makeTypes, c.makeCells, c.makeFuncs, c.makeExposures} {
		step()
		if m := d.result(); m != nil {
			c.undo()
			return m
		}
	}
	for _, x := range d.list {
		if x.def.Kind == defConst && d.live == nil {
			d.value(x)
		}
	}
	if d.live != nil {
		d.live.enter(c)
	}
	for _, v := range d.fresh {
		tt.add(v)
	}
	for n := len(current.Lists); n < len(c.lists); n++ {
		c.lists[n].No = uint32(n)
		linking.lists[c.lists[n].Desc] = uint32(n)
	}
	current.Lists = c.lists
	inspections.Lock()
	current.Frames = c.sites
	inspections.Unlock()
	vm := d.vm()
	if vm.places == nil {
		vm.places = places{}
	}
	for _, r := range c.rooms {
		vm.places[r] = true
	}
	gc.RegisterGlobals(c.globals)
	if current.Sanitize {
		SanGlobals(c.globals)
	}
	vm.memory.keep(c)
	d.show()
	if d.live != nil {
		d.live.become(d)
	}
	return nil
}

// show makes the entities visible.
func (d *declaration) show() {
	dir := d.vm().entities()
	dir.mu.Lock()
	defer dir.mu.Unlock()
	for _, x := range d.list {
		switch {
		case x.again:
		case x.def.Unnamed, d.live != nil && d.live.Defs[x.def.Name.Off].Unnamed:
			dir.enterUnnamed(x.ent)
		default:
			if x.kind == TypeEntity || x.kind == SigEntity {
				d.vm().nameType(x.typ, x.def.Name.Text)
			}
			dir.enter(x.def.Name.Text, x.ent)
		}
	}
	if d.live == nil {
		reserve(NextID() + uint32(len(d.list)))
		return
	}
	for _, n := range d.live.Names {
		if n.Name == "" {
			dir.more.names[n.ID] = ""
			continue
		}
		dir.enterName(n.Name, n.ID)
	}
	late := d.live.Late
	if late == nil { // for IDs without a name
		late = &LateNames{List: func() []EntityName { return nil }}
	}
	dir.late.enter(late, NextID(), d.live.Next)
	d.live.Remains.vm, d.live.Remains.names, d.live.Remains.late = d.vm(), d.live.Names, late
	reserve(d.live.Next)
}

// commit has the data that are made for a text.
type commit struct {
	d         *declaration
	lists     []List            // the new current.Lists: no other code appends to it meanwhile
	numbers   map[string]uint32 // of new lists
	sites     []FrameSite       // likewise
	rooms     []placeRoom       // taken
	globals   []Global
	cells     [][]uint64
	funcs     []*frozenFunc
	exposures []*Exposure
}

// undo removes the additions that others would see.
func (c *commit) undo() {
	for _, r := range c.rooms {
		if int(r.first) <= len(current.Frames) {
			clear(current.Frames[r.first-1:][:1<<r.class])
			freePlaces[r.class] = append(freePlaces[r.class], r)
		}
	}
	for _, x := range c.exposures {
		exposures.mu.Lock()
		delete(exposures.at, x.addr)
		exposures.mu.Unlock()
		x.pool.drop(x.slot)
	}
}

// makeTypes lays out the types, makes their descriptors, and gives all entities their IDs.
func (c *commit) makeTypes() {
	d := c.d
	if err := layTypes(d.fresh); err != nil {
		d.fault(Check, 0, "%v", err)
	}
	if b := d.live; b != nil {
		if err := gc.RegisterTypes(b.Types); err != nil {
			d.fault(Check, 0, "%v", err)
		}
		return // it has IDs
	}
	id := NextID()
	for i, x := range d.list {
		x.ent.ID = id + uint32(i)
	}
}

// layTypes lays out new types and makes their descriptors.
func layTypes(list []*VType) error {
	fresh := map[*VType]bool{}
	for _, v := range list {
		fresh[v] = true
	}
	var lay func(v *VType)
	lay = func(v *VType) {
		if !fresh[v] {
			return
		}
		fresh[v] = false
		v.eachMember(lay)
		v.lay()
	}
	var descs []*Type
	for _, v := range list {
		lay(v)
		if v.Kind != VSig {
			v.GC = v.descriptor()
			descs = append(descs, v.GC)
		}
	}
	return gc.RegisterTypes(descs)
}

// maxCell is the greatest size in bytes of a cell that is made at run time: less than sizes that overflowed.
const maxCell = 1 << min(30, bits.UintSize-4)

//go:norace
//go:nocheckptr
func (c *commit) makeCells() {
	for _, x := range c.d.list {
		if x.def.Kind != defGlobal {
			continue
		}
		if x.typ.Size > maxCell {
			c.d.fault(OutOfMemory, x.def.Name.Off, "%s: no memory for a cell of more than %d bytes", x.def.Name.Text, maxCell)
			return
		}
		align := max(x.typ.align(), 8)
		mem := make([]uint64, (x.typ.Size+align)/8+1)
		x.ent.Addr = alignUp(uintptr(unsafe.Pointer(&mem[0])), align)
		c.cells = append(c.cells, mem)
		g := x.typ.GC
		if x.typ.Kind == VVoid {
			g = VoidType
		}
		c.globals = append(c.globals, Global{Addr: unsafe.Pointer(x.ent.Addr), Type: g})
	}
}

// list returns the number of a value list, which it adds if necessary; false if the transfer areas
// of threads are too small for it.
func (c *commit) list(types []*VType) (uint32, bool) {
	n := List{Desc: string(classes(nil, types))}
	for _, v := range types {
		v.count(&n)
	}
	if room := transferRoom(); n.W > room || n.R > room {
		return 0, false
	}
	return c.listNo(n), true
}

// listNo returns the number of a value list.
func (c *commit) listNo(n List) uint32 {
	if no, ok := linking.lists[n.Desc]; ok {
		return no
	}
	no, ok := c.numbers[n.Desc]
	if !ok {
		no = uint32(len(c.lists))
		c.lists = append(c.lists, n)
		c.numbers[n.Desc] = no
	}
	return no
}

// firstClass is the class of the first signature for which the program has no code.
const firstClass = 1 << 31

// classFor is the class of such signatures with some value lists.
func classFor(params, results uint32) uint32 { return firstClass | params<<15 | results }

// makeFuncs makes the records of functions, which have no version.
//
//go:norace
//go:nocheckptr
func (c *commit) makeFuncs() {
	for _, x := range c.d.list {
		if x.def.Kind != defDecl || x.again {
			continue
		}
		sig := x.typ.Elem
		params, ok := c.list(sig.Fields)
		results, ok2 := c.list(sig.Results)
		if !ok || !ok2 {
			c.d.fault(DynCode, x.def.Of.Off, "%s: nothing in the program passes so many values as %s has", x.def.Name.Text, x.def.Of.Text)
			continue
		}
		name := x.def.Name.Text
		if c.d.live != nil && c.d.live.Defs[x.def.Name.Off].Unnamed {
			name = c.d.live.Defs[x.def.Name.Off].Title
		}
		r := &frozenFunc{Func: Func{Name: name, ID: x.ent.ID, Params: params, Results: results, Open: true}}
		f := &r.Func
		// Two signatures for which there is no code cannot be confused, because no code defines
		// functions of them.
		f.Class = classFor(params, results)
		if th, class := thunkOf(params, results); th != nil {
			f.Class = class
			r.body = th.New(Self{f.Class, f.ID})
			f.Code = *(*uintptr)(r.body)
			if *(*Self)(unsafe.Add(r.body, unsafe.Sizeof(f.Code))) != (Self{f.Class, f.ID}) {
				c.d.fault(DynCode, x.def.Name.Off, "%s: a function of this signature cannot be made by this version of Go", x.def.Name.Text)
			}
		}
		f.Enter = func(t *Ctx) {
			if Undefined(t, f) {
				f.Enter(t)
			}
		}
		if c.sites != nil {
			site := FrameSite{Func: f}
			for _, p := range sig.Fields {
				site.Keep = append(site.Keep, KeepVar{Type: p})
			}
			f.Site = c.takePlaces(1).first
			inspections.Lock()
			c.sites[f.Site-1] = site
			inspections.Unlock()
		}
		x.ent.Func, x.ent.Params, x.ent.Results = f, sig.Fields, sig.Results
		if s := signaturesOfC()[sig]; s != nil && s.expose {
			x.ent.CSig, x.ent.Pointer = s.sig, s.pointer
		}
		c.funcs = append(c.funcs, r)
	}
}

// thunkOf finds the Thunk for the class of some value lists, nil if there is none.
func thunkOf(params, results uint32) (th *Thunk, class uint32) {
	thunks.mu.Lock()
	defer thunks.mu.Unlock()
	takeThunks()
	x := thunks.at[[2]uint32{params, results}]
	return x.thunk, x.class
}

// thunkOfClass finds the Thunk for a class, nil if there is none.
func thunkOfClass(class uint32) *Thunk {
	thunks.mu.Lock()
	defer thunks.mu.Unlock()
	takeThunks()
	return thunks.of[class]
}

// takeThunks enters the thunks of packages that were linked since the last call. The lock is held.
func takeThunks() {
	if thunks.at == nil {
		thunks.at, thunks.of = map[[2]uint32]classThunk{}, map[uint32]*Thunk{}
	}
	for ; thunks.taken < len(packages); thunks.taken++ {
		p := packages[thunks.taken]
		for i := range p.Thunks {
			th := &p.Thunks[i]
			key, class := [2]uint32{th.Params, th.Results}, uint32(i)
			if p.Classes != nil {
				class = p.Classes[i].No
			}
			if _, ok := thunks.at[key]; !ok {
				thunks.at[key], thunks.of[class] = classThunk{th, class}, th
			}
		}
	}
}

// thunks are the thunks of the packages, by value lists.
var thunks struct {
	mu    sync.Mutex
	taken int                      // packages that are in it; guarded by mu
	at    map[[2]uint32]classThunk // guarded by mu
	of    map[uint32]*Thunk        // by class; guarded by mu
}

type classThunk struct {
	thunk *Thunk
	class uint32
}

// sigOfC is how functions of a signature are exposed.
type sigOfC struct {
	sig     *CSig
	pointer *VType
	expose  bool // there are function pointers for functions that a client exposes
}

var cSignatures struct {
	once sync.Once
	m    map[*VType]*sigOfC
}

// signaturesOfC finds them by signature.
func signaturesOfC() map[*VType]*sigOfC {
	cSignatures.once.Do(func() { cSignatures.m = findSignaturesOfC() })
	return cSignatures.m
}

func findSignaturesOfC() map[*VType]*sigOfC {
	m := map[*VType]*sigOfC{}
	eachEntity(func(e *Entity) {
		switch {
		case e.Kind == FuncEntity && e.CSig != nil:
			m[e.Type.Elem] = &sigOfC{e.CSig, e.Pointer, true}
		case e.Kind == ExposeEntity && m[e.Type.Elem] == nil:
			m[e.Type.Elem] = &sigOfC{e.Exposure.Sig, e.Type, false}
		}
	})
	return m
}

func (c *commit) makeExposures() {
	for _, x := range c.d.list {
		if x.def.Kind != defExpose {
			continue
		}
		own, e := c.d.look(x.def.Of)
		if own != nil {
			e = own.ent
		}
		sig := NewCSig(x.typ.Elem)
		if s := signaturesOfC()[x.typ.Elem]; s != nil && sig.late == nil {
			sig = s.sig
		}
		if cLibrary.setup != nil && sig.Pool == nil && sig.late == nil {
			c.d.fault(DynCode, x.def.Of.Off, "%s: the program has no function pointers of the signature of %s, which need C code: "+
				"expose a function of that signature, or name the type of pointers to it, in a bundle that is translated", x.def.Name.Text, x.def.Of.Text)
			continue
		}
		cookie := x.cookie
		if c.d.live == nil {
			w, _ := c.d.variableValue(x.def.Cookie)
			cookie = w[0]
		}
		p := &Exposure{Func: e.Func, Cookie: cookie, Sig: sig, static: true}
		if err := c.d.vm().expose(p); err != nil {
			kind := NoResource
			if err.Kind == Native {
				kind = DynCode
			}
			c.d.fault(kind, x.def.Name.Off, "%s: %s", x.def.Name.Text, err.Detail)
			continue
		}
		x.ent.Exposure = p
		c.exposures = append(c.exposures, p)
	}
}

// conflicts returns an error if an entity that the bundle would make visible was declared at run time.
func (b *LaterBundle) conflicts() *misuse {
	i := uint32(0)
	for &b.of.Later[i] != b {
		i++
	}
	d := first.entities()
	for _, h := range b.of.Hidden {
		for _, in := range h.In {
			if n := d.names[h.ID]; in == i && n != "" && d.declared(n) {
				return &misuse{Conflict, "E_CONFLICT", fmt.Sprintf("load_bundle: %s defines %s, which was declared at run time", b.Name, n)}
			}
		}
	}
	return nil
}
