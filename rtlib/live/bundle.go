package live

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/live/regs"
	"github.com/uvm2go/uvm2go/transpile/archive"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/dialects"
	"github.com/uvm2go/uvm2go/transpile/expand"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
	"github.com/uvm2go/uvm2go/transpile/passes"
	"github.com/uvm2go/uvm2go/transpile/sandbox"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// Bundles that a running program loads, compiled or not: each is a program of its own to the engine, whose
// entities are those of the running one. What its text names and does not define is found there, by name
// (imports.go); what it defines, the runtime makes, and the bundle is bound to it (core.LiveBundle).

func init() {
	core.Engine.Read = func(t *core.Ctx, name, text string) (*core.LiveBundle, string, error) {
		return read(t, textInput{name, text})
	}
}

// An input is what a bundle is read from: a textInput, a treeInput or a programInput.
type input interface {
	read(r *reader) (*core.LiveBundle, error)
}

// A textInput is a text or binary bundle of any dialect, or an archive. Its name is "" if it has none.
type textInput struct{ name, text string }

// A treeInput is a bundle that the IR builder has made.
type treeInput struct{ *nodes.Tree }

// A programInput is a program that a front end has made.
type programInput struct{ *ir.Program }

// read reads a bundle. The results are those of core.Engine.Read.
func read(t *core.Ctx, in input) (b *core.LiveBundle, code string, err error) {
	r := &reader{t: t}
	if b, err = in.read(r); err != nil {
		return nil, r.code, err
	}
	return b, "", nil
}

// reader reads a bundle.
type reader struct {
	t    *core.Ctx
	late bool   // names in functions may be put together when they are asked for
	code string // of the error
}

// check is the code of errors of what a bundle says.
const check = "E_CHECK"

func (in programInput) read(r *reader) (*core.LiveBundle, error) {
	r.code = check
	if err := verify.Err(verify.Program(in.Program)); err != nil {
		return nil, err
	}
	return r.adopt(in.Program)
}

func (in textInput) read(r *reader) (*core.LiveBundle, error) {
	srcs, images, err := in.sources()
	if err != nil {
		r.code = "E_PARSE"
		return nil, err
	}
	b, err := r.load(srcs)
	if err == nil {
		b.Images = images
	}
	return b, err
}

// sources are the bundles and images of the text: itself, or the members of an archive.
func (in textInput) sources() (srcs []dialect.Source, images []core.LiveImage, err error) {
	src := dialect.Source{Name: cmp.Or(in.name, mu.Unnamed), Text: bytesOf(in.text)}
	if !archive.Is(src.Text) {
		return []dialect.Source{src}, nil, nil
	}
	a, err := archive.Open(archive.Of(dialects.All, src), src)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range a.Images {
		images = append(images, core.LiveImage{Name: s.Name, Text: string(s.Text)})
	}
	return a.Bundles, images, nil
}

// bytesOf gives the bytes of a text without copying them: nothing changes the text of a source.
func bytesOf(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }

// dialectOf is the dialect of bundles: the one that the ending of a name says or, for a text whose name does not
// tell, the one that is certain from its content.
func dialectOf(srcs []dialect.Source) (*dialect.Dialect, error) {
	if d := dialects.All.Of(srcs[0]); len(srcs) == 1 && !slices.Contains(dialects.All.Endings(), filepath.Ext(srcs[0].Name)) &&
		(d.Load == nil || d.Recognize == nil || d.Recognize(srcs[0].Text) != dialect.Certain) {
		return mu.Dialect, nil
	}
	return dialects.All.Choose("", srcs)
}

// load makes code of bundles.
func (r *reader) load(srcs []dialect.Source) (*core.LiveBundle, error) {
	d, err := dialectOf(srcs)
	if err != nil {
		r.code = check
		return nil, err
	}
	if d != mu.Dialect {
		return r.loadOther(d, srcs)
	}
	return r.extend(func(p *ir.Program, to mu.Running, diags *diag.List) (mu.Fault, error) {
		_, fault := mu.Extend(p, p.Files, srcs, to, diags)
		return fault, mu.Faults(p.Files, diags)
	})
}

func (in treeInput) read(r *reader) (*core.LiveBundle, error) {
	return r.extend(func(p *ir.Program, to mu.Running, diags *diag.List) (mu.Fault, error) {
		fault := mu.ExtendTree(p, p.Files, in.Tree, to, diags)
		return fault, mu.FaultsAt(diags, func(at diag.Pos) string { return in.Where(int(at.Off)) })
	})
}

// extend makes code of what add adds to a program. If add returns a fault, its error is that of loading.
func (r *reader) extend(add func(p *ir.Program, to mu.Running, diags *diag.List) (mu.Fault, error)) (*core.LiveBundle, error) {
	p := ir.NewProgram()
	p.Files, p.NextID = diag.NewSet(), core.NextID()
	r.late = true
	known := newImports(core.VMOf(r.t), r.t, p)
	to := mu.Running{Find: known.find, ByID: known.byID, Bodies: true}
	if fault, err := add(p, to, diag.NewList(p.Files)); fault != mu.NoFault {
		r.code = fault.Code()
		return nil, err
	}
	r.code = check
	return r.prepare(p, known)
}

// prepare makes code of what was read.
func (r *reader) prepare(p *ir.Program, known *imports) (*core.LiveBundle, error) {
	if allow := core.VMOf(r.t).Sandboxed(); allow != nil {
		diags := diag.NewList(p.Files)
		if sandbox.Check(p, sandbox.Options{Level: sandbox.Unchecked, Allow: allow}, diags); diags.HasErrors() {
			diags.Sort()
			return nil, diags
		}
	}
	for _, f := range p.Funcs {
		if p.Entities[f.Name] == f || known.made[f.Name] == f {
			f.Attrs |= ir.Replaceable
		}
	}
	names := p.NameRows()
	if p.Image != nil && len(p.Image.Objects) > 0 {
		return nil, errors.New("objects of a heap image are made when a program starts, and cannot be loaded: load a HAIL script")
	}
	expand.Program(p) // which makes an image of the initial values of cells
	var origins passes.Origins
	err := passes.Run(p, passes.Options{Level: 1, Alone: !inlines(p), Frames: core.Inspects(), Disable: passes.NotLive, Origins: &origins})
	if err != nil {
		return nil, err
	}
	q, err := newBundle(known.vm, facts.Of(p, facts.Options{Open: true, Introspect: core.Inspects()}), origins.Of)
	if err != nil {
		return nil, err
	}
	return q.tellBundle(names, r.late, known), nil
}

// inlines reports whether a function can be inlined into others. If none can, the passes after the first stage
// only make code run a few percent faster here, and take longer than everything else that loading a bundle takes.
func inlines(p *ir.Program) bool {
	return slices.ContainsFunc(p.Funcs, func(f *ir.Function) bool { return f.Attrs&ir.Replaceable == 0 && f.Current() != nil })
}

// newBundle makes the tables of a bundle for a running program.
func newBundle(vm *core.VM, f *facts.Program, origins func(v *ir.Version) []*ir.Inlined) (*program, error) {
	p := emptyProgram(f, origins)
	p.shared, p.vm = true, vm
	for _, fn := range f.IR.Funcs {
		p.newFunction(fn)
	}
	p.scanAll()
	for _, c := range f.IR.Consts { // also those that no body of the bundle uses
		if c.ID != 0 {
			p.scanConst(c)
		}
	}
	if p.bad != nil {
		return nil, p.bad
	}
	if err := p.resolve(); err != nil {
		return nil, err
	}
	return p, nil
}

// tellBundle makes the description of the bundle for the runtime. late says whether no two of the names are equal.
func (p *program) tellBundle(rows *ir.NameRows, late bool, known *imports) *core.LiveBundle {
	prog := p.facts.IR
	b := &core.LiveBundle{Next: prog.NextID, Lists: p.lists, Frames: p.tell.Frames, Types: p.fresh, Remains: new(core.Remains)}
	p.remains = b.Remains
	b.Bind = func(find func(string) *core.Entity, first uint32) { p.bind(known, find, first) }
	if gc.Tier2 > 0 && openUnit != nil {
		b.Ready = p.compileNow
	}
	for _, f := range prog.Hooks[ir.HookStart] {
		b.Start = append(b.Start, p.functions[f].cell.run)
	}
	b.Hooks = p.laterHooks
	for i := range p.tell.Watchpoints {
		b.Watch = append(b.Watch, &p.tell.Watchpoints[i])
	}
	var places []diag.Pos
	b.Place = func(def int) string {
		if def >= len(places) {
			return ""
		}
		return placeIn(prog, places[def])
	}
	b.Inside = func(name string) core.Inside { return inside(prog, name) }
	own := map[string]bool{}
	add := func(name string, at diag.Pos, d core.LiveDef) {
		_, d.Again = known.made[name]
		if d.Again && d.Body == nil {
			return
		}
		d.Unnamed = ir.IsDescription(name)
		own[name] = true
		d.Name, d.Title = name, cmp.Or(d.Title, name)
		b.Defs, places = append(b.Defs, d), append(places, at)
	}
	for _, name := range p.namedTypes() {
		ty := prog.Entities[name].(ir.TypeID)
		kind := core.TypeEntity
		if p.at(ty).Kind == ir.KSig {
			kind = core.SigEntity
		}
		add(name, diag.Pos{}, core.LiveDef{Kind: kind, ID: prog.TypeIDs[name], Type: p.vtype(ty)})
	}
	for _, c := range prog.Consts {
		if c.ID != 0 {
			add(c.Name, c.Pos, core.LiveDef{Kind: core.ConstEntity, ID: c.ID, Type: p.vtype(c.Type), Value: func() (w []uint64, r []uintptr) {
				k := p.constWords(c)
				for _, x := range k[regs.Root] {
					r = append(r, uintptr(x))
				}
				return k[regs.Plain], r
			}})
		}
	}
	for _, g := range prog.Globals {
		add(g.Name, g.Pos, core.LiveDef{Kind: core.GlobalEntity, ID: g.ID, Type: p.vtype(g.Type)})
	}
	for _, fn := range prog.Funcs {
		if fn.Open() {
			d := core.LiveDef{Title: fn.Title, Kind: core.FuncEntity, ID: fn.ID, Type: p.vtype(prog.Types.Of(ir.KFuncRef, fn.Sig))}
			if fn.Current() != nil {
				d.Body = &p.functions[fn].rec.Func
			}
			add(fn.Name, fn.Pos, d)
		}
	}
	for _, x := range prog.Exposes {
		add(x.Name, x.Pos, core.LiveDef{Kind: core.ExposeEntity, ID: x.ID, Type: p.vtype(x.Type), Of: x.Func.Name, Cookie: cookieOf(x)})
	}
	b.Names = namesFor(p.tellNames(b, rows, late, known), func(name string) bool {
		_, there := known.made[name]
		return !there && !own[name]
	})
	return b
}

// tellNames gives the names that the runtime needs at once, and has it ask for the others. It knows that the IDs from
// that on which the next entity had when the bundle was read are those of things in the bundle.
func (p *program) tellNames(b *core.LiveBundle, rows *ir.NameRows, late bool, known *imports) []ir.EntityName {
	if late {
		if l, ok := rows.Late(); ok {
			b.Next = max(b.Next, l.Next)
			rest := l.Rest
			b.Late = &core.LateNames{Roots: l.Roots, List: func() []core.EntityName {
				return namesFor(rest.List(), func(string) bool { return true })
			}}
			return append(l.Now, rows.Nameless(known.first)...)
		}
	}
	list := rows.List()
	for _, n := range list {
		b.Next = max(b.Next, n.ID+1) // parameters have IDs beyond those that the program counts
	}
	return list
}

// namesFor are names for the runtime, "" for things without one. Of the other names it gives those for which ok is.
func namesFor(list []ir.EntityName, ok func(name string) bool) (names []core.EntityName) {
	for _, n := range list {
		if n.ID >= firstID && (n.Name == "" || ok(n.Name)) {
			names = append(names, core.EntityName{ID: n.ID, Name: n.Name})
		}
	}
	return names
}

// firstID is the ID of the first entity that a bundle defines.
const firstID = 65536

// cookieOf is the cookie of an exposed function that the bundle defines.
func cookieOf(x *ir.Expose) uint64 {
	if x.Cookie == nil {
		return 0
	}
	return x.Cookie.Lo
}

// namedTypes are the names of types and signatures, in the order of their IDs, except the predefined ones.
func (p *program) namedTypes() (l []string) {
	prog := p.facts.IR
	for name, id := range prog.TypeIDs {
		if _, ok := prog.Entities[name].(ir.TypeID); ok && id >= firstID {
			l = append(l, name)
		}
	}
	slices.SortFunc(l, func(a, b string) int { return cmp.Compare(prog.TypeIDs[a], prog.TypeIDs[b]) })
	return l
}

// bind makes the code refer to the entities of the running program. The world is stopped.
func (p *program) bind(known *imports, define func(name string) *core.Entity, firstPlace uint32) {
	find := func(name string, id uint32) *core.Entity {
		if _, there := known.made[name]; there {
			return known.vm.EntityOf(id)
		}
		return define(name)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bound, p.firstPlace = true, firstPlace-1
	prog := p.facts.IR
	byRecord := map[*core.Func]*function{}
	for fn, f := range p.functions {
		byRecord[&f.rec.Func] = f
		r := &f.rec.Func
		if fn.Open() {
			f.to = find(fn.Name, fn.ID).Func
		} else {
			f.to = r
			r.Class, r.Params, r.Results = p.class(fn.Sig), p.list(p.at(fn.Sig).Fields), p.list(p.at(fn.Sig).Results)
		}
	}
	for _, g := range prog.Globals {
		p.cells[g] = find(g.Name, g.ID).Addr
	}
	for _, x := range prog.Exposes {
		p.exposes[x] = find(x.Name, x.ID).Exposure
	}
	p.fillCells()
	for i := range p.tell.Frames {
		f := &p.tell.Frames[i]
		f.Func, f.Results = byRecord[f.Func].to, p.lists[f.Results].No
	}
	keep(p)
}

// intern finds the type of the running program that a type of the bundle is, or makes it.
func (y *types) intern(id ir.TypeID) {
	fresh := map[ir.TypeID]*core.VType{}
	var ids []ir.TypeID
	var list []*core.VType
	var make func(id ir.TypeID) *core.VType
	all := func(ids []ir.TypeID) (l []*core.VType) {
		for _, id := range ids {
			l = append(l, make(id))
		}
		return l
	}
	make = func(id ir.TypeID) *core.VType {
		if v := y.vtypes[id]; v != nil || id == ir.NoType {
			return v
		}
		if v := fresh[id]; v != nil {
			return v
		}
		n := y.at(id)
		v := &core.VType{Name: n.Name, Kind: vkinds[n.Kind], Bits: n.Bits, Len: n.Len}
		fresh[id] = v
		ids, list = append(ids, id), append(list, v)
		v.Elem, v.Fields, v.Results = make(n.Elem), all(n.Fields), all(n.Results)
		return v
	}
	make(id)
	reps, err := y.vm.InternTypes(list)
	if err != nil {
		y.bad, reps = err, list
	}
	for i, v := range reps {
		y.vtypes[ids[i]] = v
	}
}

// sharedDesc is the descriptor of a type in the running program.
func (y *types) sharedDesc(ty ir.TypeID) *core.Type {
	if d := y.vtype(ty).GC; d != nil && y.at(ty).Kind != ir.KVoid {
		return d
	}
	return core.VoidType
}
