package live

import (
	"sync"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// program is a program that runs on the engine, and what the runtime is told about it.
type program struct {
	*types
	facts   *facts.Program
	origins func(v *ir.Version) []*ir.Inlined
	tell    core.Program // what the runtime knows

	mu        sync.Mutex // held while a body is compiled, which fills in types
	room      room       // guarded by mu
	functions map[*ir.Function]*function
	cells     map[*ir.Global]uintptr
	memory    [][]uint64 // of the cells
	exposes   map[*ir.Expose]*core.Exposure
	watches   map[uint32]int
	places    map[placeKey]uint32 // numbers of core.FrameSites
	symbols   map[string]*uintptr
	wild      bool // references are made of numbers
	// firstPlace is the difference between the numbers of the program's places and those in places.
	firstPlace uint32
	remains    *core.Remains // of a bundle
	use        use           // of a bundle that was loaded
	heat       heat
	csigs      map[ir.TypeID]*core.CSig
	selectors  []selector // by class
}

// placeKey is an instruction.
type placeKey struct {
	v  *ir.Version
	id ir.InstID
}

// emptyProgram is a program of which the runtime has been told nothing.
func emptyProgram(f *facts.Program, origins func(v *ir.Version) []*ir.Inlined) *program {
	return &program{types: newTypes(f), facts: f, origins: origins, functions: map[*ir.Function]*function{}, cells: map[*ir.Global]uintptr{},
		exposes: map[*ir.Expose]*core.Exposure{}, watches: map[uint32]int{}, places: map[placeKey]uint32{}, symbols: map[string]*uintptr{},
		csigs: map[ir.TypeID]*core.CSig{}, selectors: selectors[:]}
}

// newProgram makes the tables of a program.
func newProgram(f *facts.Program, origins func(v *ir.Version) []*ir.Inlined) *program {
	p := emptyProgram(f, origins)
	for _, fn := range f.IR.Funcs {
		p.function(fn)
	}
	for _, g := range f.IR.Globals {
		p.cell(g)
	}
	p.scanAll()
	if f.IR.Image != nil {
		for _, o := range f.IR.Image.Objects {
			p.desc(o.Type, false)
		}
		for i := range f.IR.Image.Inits {
			if c := f.IR.Image.Inits[i].Const; c != nil {
				p.scanConst(c)
			}
		}
	}
	for _, x := range f.IR.Exposes {
		e := &core.Exposure{Func: p.functions[x.Func].to, Cookie: x.Cookie.Lo, Sig: p.csigOf(x.Func.Sig)}
		p.exposes[x] = e
		p.tell.Exposes = append(p.tell.Exposes, e)
	}
	if f.Introspect {
		p.tell.Frames = append([]core.FrameSite{}, p.tell.Frames...) // not nil: frames can be inspected even if there are no places
		for _, fn := range f.IR.Funcs {
			if fn.Current() == nil {
				p.undefinedSite(fn)
			}
		}
	}
	return p
}

// function makes the record of a function.
func (p *program) function(fn *ir.Function) {
	sig := p.at(fn.Sig)
	f := p.newFunction(fn)
	r := &f.rec.Func
	f.to = r
	r.Title = fn.Root().Title
	r.ID, r.Class, r.Params, r.Results = fn.Root().ID, uint32(p.facts.ClassOf(fn.Sig)), p.list(sig.Fields), p.list(sig.Results)
	r.Open = fn.Open() || fn.Current() == nil && p.facts.Introspect
	if fn.Current() == nil {
		r.Enter = func(t *core.Ctx) {
			if core.Undefined(t, r) {
				r.Enter(t)
			}
		}
	}
	p.tell.Funcs = append(p.tell.Funcs, r)
}

// newFunction makes the engine's description of a function, and fills in the version in its record.
func (p *program) newFunction(fn *ir.Function) *function {
	f := &function{ir: fn, in: p}
	f.cell.fn = f
	f.rec.Func.Name = fn.Root().Name
	if v := fn.Current(); v != nil {
		r := &f.rec.Func
		r.Version, r.VersionID, r.Defined = v.Name, v.ID, true
		r.Cookie = p.facts.Func(fn).Cookie
		r.Live = unsafe.Pointer(&f.cell)
		r.Enter = f.cell.run
	}
	p.functions[fn] = f
	return f
}

// cell makes the memory of a global cell.
//
//go:nocheckptr
func (p *program) cell(g *ir.Global) {
	l := p.layout.Of(g.Type)
	align := max(bytes(l.Align), 8)
	mem := make([]uint64, (bytes(l.Size)+align)/8+1)
	at := (uintptr(unsafe.Pointer(&mem[0])) + align - 1) &^ (align - 1)
	p.memory = append(p.memory, mem)
	p.cells[g] = at
	p.tell.Globals = append(p.tell.Globals, core.Global{Addr: unsafe.Add(nil, at), Type: p.desc(g.Type, false)})
}

// scanAll enters what the bodies refer to in the tables.
func (p *program) scanAll() {
	for _, fn := range p.facts.IR.Funcs {
		if v := fn.Current(); v != nil {
			p.scan(v)
		}
	}
}

// scan enters what a body refers to in the tables.
func (p *program) scan(v *ir.Version) {
	for i := range v.Values {
		if k := v.Values[i].Const; k != nil {
			p.scanConst(k)
		}
	}
	for b := range v.Blocks {
		if v.Blocks[b].Dead {
			continue
		}
		for _, id := range v.Blocks[b].Insts {
			p.scanInst(v, id, &v.Insts[id])
		}
	}
}

func (p *program) scanConst(k *ir.Const) {
	switch k.Kind {
	case ir.ConstExtern:
		if p.symbols[k.Sym] == nil {
			pos := ""
			if p.facts.IR.Files != nil && k.Pos.IsValid() {
				pos = p.facts.IR.Files.Position(k.Pos).String()
			}
			if p.shared {
				pos = placeIn(p.facts.IR, k.Pos) // as all errors of loading
			}
			addr := new(uintptr)
			p.symbols[k.Sym] = addr
			p.tell.Externs = append(p.tell.Externs, core.Extern{Name: k.Sym, Pos: pos, Addr: addr})
		}
	case ir.ConstAggregate:
		for _, e := range k.Elems {
			p.scanConst(e)
		}
	}
}

func (p *program) scanInst(v *ir.Version, id ir.InstID, in *ir.Inst) {
	shape := in.Op.Shape()
	switch {
	case in.Op.Is(ir.Allocates), in.Op == ir.OpHasType: // objects of the type, or what is compared with theirs
		p.desc(in.Ty, in.Has(ir.FlagRoots))
	case in.Op == ir.OpRefAt:
		p.wild = true
	case shape.Imm == ir.ImmID:
		w := uint32(in.Imm)
		if _, ok := p.watches[w]; !ok {
			p.watches[w] = len(p.tell.Watchpoints)
			p.tell.Watchpoints = append(p.tell.Watchpoints, core.Watch{ID: w})
		}
	}
	if in.Sig != ir.NoType {
		p.list(p.at(in.Sig).Fields)
		p.list(p.at(in.Sig).Results)
		p.facts.ClassOf(in.Sig)
	}
	if shape.Types {
		p.list(v.TypesOf(in.Results))
		p.keepVars(v, in.Keep)
	}
	if shape.Passes() {
		vals, _ := in.Passed()
		p.list(v.TypesOf(vals))
		p.list(v.TypesOf(in.Results)) // of NEWTHREAD, too, see siteOf
	}
	if w, r := p.facts.Words(v.TypesOf(in.Keep)); w > p.tell.MaxTransfer || r+2 > p.tell.MaxTransfer {
		p.tell.MaxTransfer = max(w, r+2)
	}
	if p.facts.Introspect && in.Op.Is(ir.MayKeep) {
		results := v.TypesOf(in.Results)
		if in.Op == ir.OpCall {
			results = p.at(in.Sig).Results
		}
		p.places[placeKey{v, id}] = p.frameSite(core.FrameSite{Func: &p.functions[v.Func].rec.Func, Version: v.ID, Inst: in.ID, Results: p.list(results), Keep: p.keepVars(v, in.Keep)})
	}
}

// undefinedSite makes the place where frames of an undefined function rest.
func (p *program) undefinedSite(fn *ir.Function) {
	r := &p.functions[fn].rec.Func
	var keep []core.KeepVar
	for _, ty := range p.at(fn.Sig).Fields {
		keep = append(keep, core.KeepVar{Type: p.vtype(ty)})
	}
	r.Site = p.frameSite(core.FrameSite{Func: r, Keep: keep})
}

// frameSite numbers a place where frames rest.
func (p *program) frameSite(s core.FrameSite) uint32 {
	p.tell.Frames = append(p.tell.Frames, s)
	return uint32(len(p.tell.Frames))
}

// place is the number of the place where a frame rests at an instruction, 0 if frames cannot be inspected.
func (p *program) place(v *ir.Version, id ir.InstID) uint32 {
	if no := p.places[placeKey{v, id}]; no != 0 {
		return p.firstPlace + no
	}
	return 0
}

// class is the number of a signature's class.
func (p *program) class(sig ir.TypeID) uint32 {
	if p.shared {
		n := p.at(sig)
		return core.ClassOf(p.list(n.Fields), p.list(n.Results))
	}
	return uint32(p.facts.ClassOf(sig))
}

// funcref is the funcref of a function.
func (p *program) funcref(f *ir.Function) uintptr {
	return uintptr(unsafe.Pointer(p.functions[f].to))
}

// symbol is the address of a native symbol.
func (p *program) symbol(name string) uintptr { return *p.symbols[name] }

// watch is the flag of a watchpoint.
func (p *program) watch(id uint32) *core.Watch { return &p.tell.Watchpoints[p.watches[id]] }

// csigOf describes a signature to C.
func (p *program) csigOf(sig ir.TypeID) *core.CSig {
	if p.csigs[sig] == nil {
		p.csigs[sig] = core.NewCSig(p.vtype(sig))
	}
	return p.csigs[sig]
}
