package mu

import (
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// entKind says what a global name denotes.
type entKind uint8

const (
	entNone entKind = iota
	entType
	entSig
	entConst
	entGlobal
	entFunc
	entExpose
	entVersion
	entBlock
	entVar
	entInst
)

var entNames = [...]string{
	entNone: "nothing", entType: "a type", entSig: "a signature", entConst: "a constant",
	entGlobal: "a global cell", entFunc: "a function", entExpose: "an exposed function",
	entVersion: "a function version", entBlock: "a block", entVar: "a variable of another block",
	entInst: "an instruction",
}

func (k entKind) String() string { return entNames[k] }

// isGlobalVar reports whether entities of the kind may be used as operands
// everywhere (docs/language.md, "Names").
func (k entKind) isGlobalVar() bool { return entConst <= k && k <= entExpose }

// An entity is what a name spelled with '@' in the sources denotes.
type entity struct {
	kind   entKind
	bundle int32 // number of the bundle, from 1; 0 if predefined
	raw    int32 // entType, entSig: node in the graph of the bundle being loaded
	pos    diag.Pos
	typ    ir.TypeID // entType, entSig
	con    *ir.Const // global variables: the operand
	fn     *ir.Function
	first  int32      // number of the bundle that entered it
	body   bool       // entFunc: defined, not only declared, in bundle
	owner  syntax.Sym // entFunc, entVersion, entBlock: the function
}

// A loader holds the state of one Load.
type loader struct {
	prog   *ir.Program
	out    *ir.Builder // of prog
	types  *ir.Types
	syms   *syntax.Symbols
	diags  *diag.List
	strict bool

	ents  []entity // element 0 is unused
	entOf []int32  // by Sym.Index: element of ents, 0 for none

	info   typeInfo
	limits *layout.Limits

	tree   *nodes.Tree         // that is loaded, nil for text
	inline map[syntax.Sym]bool // symbols of what the bundles have in the place of names; see muc.go
	muc    []*syntax.Bundle    // those in the form of muc
	b      *syntax.Bundle      // being loaded
	from   *syntax.Outline     // that reads its bodies, nil if it has them
	number int32               // its number, from 1
	later  *laterState         // if it is loaded at run time
	base   int32               // number of the last bundle that is not a later bundle; with later
	top    deviations          // of the top level of the bundle
	bodies []bodyDef           // of all bundles
	work   body                // of the function definition being translated
	slots  []slot              // by Sym.Index: locals of the body being checked
	epoch  uint32              // see slot
	hints  int                 // number of suggestions made so far
	bad    bool                // a bundle had syntax errors
	gaps   bool                // a bundle with syntax errors may define names that are not known

	known   func(name string) any // finds names of the running program, nil if there is none
	met     int                   // symbols below this index have been looked for with known
	clashes map[diag.Pos]bool     // places of errors about a name that exists; nil if not needed
}

// A bodyDef is a function definition with the version it makes.
type bodyDef struct {
	bundle *syntax.Bundle
	def    *syntax.FuncDef
	from   *syntax.Outline // reads the blocks of def; nil if def has them all the time
	fn     *ir.Function
	ver    *ir.Version
	base   uint32 // entity id of the first block; the others and the instructions follow
	dotted bool   // the name of the version or of a block is local and has a dot
}

// newLoader returns a loader that adds to a program, or to a new one if p is nil.
func newLoader(p *ir.Program, files *diag.Set, syms *syntax.Symbols, opt Options, diags *diag.List) *loader {
	l := &loader{
		syms:   syms,
		diags:  diags,
		strict: opt.Strict,
		ents:   make([]entity, 1, 256),
	}
	if p == nil {
		p = ir.NewProgram()
		p.Files = files
	}
	l.prog, l.types, l.out = p, p.Types, ir.NewBuilder(p)
	l.limits = layout.NewLimits(l.types)
	l.info = typeInfo{limits: l.limits}
	l.info.init(l.out.Typer())
	l.predefine()
	return l
}

// predefine enters the predefined entities, with both spellings (docs/language.md, "Names").
func (l *loader) predefine() {
	t := l.types
	bytes := t.Hybrid(t.Int(8), t.Int(64))
	refs := t.Hybrid(t.Ref(t.Void()), t.Int(64))
	l.info.bytes, l.info.bytesRef, l.info.refsRef = bytes, t.Ref(bytes), t.Ref(refs)
	l.info.handlerSig = t.Sig([]ir.TypeID{t.Opaque(ir.KStackRef), t.Int(32), t.Ref(t.Void())}, nil)
	for _, p := range []struct {
		name string
		kind entKind
		typ  ir.TypeID
		id   uint32
	}{
		{"@uvm.meta.bytes", entType, bytes, 0x260},
		{"@uvm.meta.bytes.r", entType, l.info.bytesRef, 0x261},
		{"@uvm.meta.bytes_r", entType, l.info.bytesRef, 0x261},
		{"@uvm.meta.refs", entType, refs, 0x262},
		{"@uvm.meta.refs.r", entType, l.info.refsRef, 0x263},
		{"@uvm.meta.refs_r", entType, l.info.refsRef, 0x263},
		{"@uvm.meta.trap_handler.sig", entSig, l.info.handlerSig, 0x264},
	} {
		if l.prog.TypeIDs[p.name] == 0 {
			l.prog.TypeIDs[p.name] = p.id
			l.out.Type(p.name, p.typ)
		}
		l.enter(l.syms.Intern([]byte(p.name)), entity{kind: p.kind, typ: p.typ})
	}
}

// errorf reports an error in the bundle being loaded.
func (l *loader) errorf(off syntax.Off, format string, args ...any) *diag.Diagnostic {
	return l.diags.Errorf(l.b.Pos(off), format, args...)
}

// message reports an error whose text is complete.
func (l *loader) message(off syntax.Off, msg string) {
	l.diags.Add(&diag.Diagnostic{Pos: l.b.Pos(off), Msg: msg})
}

// name spells a name as written.
func (l *loader) name(n syntax.Name) string { return l.syms.String(n.Sym) }

// find returns the entity of a name, nil if there is none.
func (l *loader) find(s syntax.Sym) *entity {
	e := l.look(s)
	if e != nil && l.later != nil {
		l.use(s, e)
	}
	return e
}

// look is like find, but does not count as a use of the entity.
func (l *loader) look(s syntax.Sym) *entity {
	if i := s.Index(); i < len(l.entOf) && l.entOf[i] != 0 {
		return &l.ents[l.entOf[i]]
	}
	return nil
}

// enter lets a name denote e.
func (l *loader) enter(s syntax.Sym, e entity) *entity {
	l.growEnts()
	l.entOf[s.Index()] = int32(len(l.ents))
	l.ents = append(l.ents, e)
	return &l.ents[len(l.ents)-1]
}

func (l *loader) growEnts() {
	if n := l.syms.Len(); n > len(l.entOf) {
		l.entOf = append(l.entOf, make([]int32, n-len(l.entOf))...)
	}
}

// declare enters a name that the bundle defines. It returns nil, after a report,
// if the name is reserved or taken.
func (l *loader) declare(n syntax.Name, kind entKind) *entity {
	if n.IsZero() || n.Sym.Local() {
		return nil
	}
	s := l.name(n)
	if strings.HasPrefix(s, "@uvm.") {
		if l.find(n.Sym) != nil {
			l.errorf(n.Off, "%s redefined: it is predefined", s)
			l.clash(n.Off)
		} else {
			l.errorf(n.Off, "%s: names beginning with @uvm. are reserved", s)
		}
		return nil
	}
	if e := l.look(n.Sym); e != nil {
		l.redefined(n.Off, s, e.pos)
		return nil
	}
	if kind <= entExpose && !l.inline[n.Sym] {
		l.shows(s)
	}
	return l.enter(n.Sym, entity{kind: kind, bundle: l.number, first: l.number, pos: l.b.Pos(n.Off)})
}

func (l *loader) redefined(off syntax.Off, name string, prev diag.Pos) {
	l.errorf(off, "%s redefined", name).Before(prev)
	l.clash(off)
}

// clash notes that an error is about a name that exists.
func (l *loader) clash(off syntax.Off) {
	if l.clashes != nil {
		l.clashes[l.b.Pos(off)] = true
	}
}

// bundle loads one bundle. If there is an outline, it reads one body at a time, and ends with false and l.bad set when
// there has been an error.
func (l *loader) bundle(b *syntax.Bundle, from *syntax.Outline) bool {
	l.addInline(b)
	b = b.Whole()
	l.b, l.from = b, from
	l.number++
	l.prog.Bundles++
	l.top = deviations{}
	l.growEnts()
	l.bad = l.bad || b.Bad
	l.gaps = l.gaps || b.Gaps
	first := len(l.bodies)
	consts := l.declareAll()
	l.b = b.Sound()
	l.defineTypes()
	l.defineVars(consts)
	l.skipped(b)
	l.misspelt(b)
	l.flush(&l.top, "this bundle")
	if b.Muc() { // after all definitions, as if bodies were read one at a time, so that the IDs are those of the other form
		for i := range l.bodies[first:] {
			l.declareBody(&l.bodies[first+i])
		}
	}
	for i := range l.bodies[first:] {
		def := &l.bodies[first+i]
		if from != nil {
			if l.bad = l.diags.HasErrors() || !from.Read(def.def); l.bad {
				return false
			}
			l.enterKnown()
			l.growEnts()
			l.declareBody(def)
		}
		l.body(def)
	}
	return true
}

// declareAll enters the names that the definitions of the bundle define, and
// makes cells, functions, versions and constants, still without types. It returns
// the constants by definition.
func (l *loader) declareAll() map[*syntax.ConstDef]*ir.Const {
	consts := map[*syntax.ConstDef]*ir.Const{}
	for _, d := range l.b.Defs {
		faulty := l.b.Faulty[d]
		if _, name := d.Head(); faulty && name.IsZero() {
			continue
		}
		switch d := d.(type) {
		case *syntax.TypeDef:
			l.declareType(d.Name, entType)
		case *syntax.SigDef:
			l.declareType(d.Name, entSig)
		case *syntax.ConstDef:
			c := &ir.Const{Pos: l.b.Pos(d.Name.Off)}
			if !l.inline[d.Name.Sym] {
				c = l.out.Const(l.name(d.Name), c)
			}
			consts[d] = c
			if e := l.declare(d.Name, entConst); e != nil {
				e.con = c
			}
		case *syntax.GlobalDef:
			g := l.out.Global(l.name(d.Name), ir.NoType)
			g.Pos = l.b.Pos(d.Name.Off)
			if e := l.declare(d.Name, entGlobal); e != nil {
				e.con = l.out.GlobalConst(g)
			}
		case *syntax.FuncDecl:
			l.declareFunc(d.Name, false)
		case *syntax.FuncDef:
			if f := l.declareFunc(d.Name, true); !faulty {
				l.bodies = append(l.bodies, bodyDef{bundle: l.b, def: d, from: l.from, fn: f})
				if l.from == nil && !l.b.Muc() {
					l.declareBody(&l.bodies[len(l.bodies)-1])
				}
			}
		case *syntax.ExposeDef:
			x := l.out.DeclareExpose(l.name(d.Name))
			x.Pos = l.b.Pos(d.Name.Off)
			if e := l.declare(d.Name, entExpose); e != nil {
				e.con = l.out.ExposeConst(x)
			}
		}
	}
	return consts
}

func (l *loader) declareType(n syntax.Name, kind entKind) {
	if e := l.declare(n, kind); e != nil {
		e.raw = -1
		if !l.inline[n.Sym] {
			l.out.DeclareType(l.name(n))
		}
	}
}

// declareFunc enters a declared or defined function, or finds the one that is
// redefined (docs/language.md, "Definitions"). It never returns nil.
func (l *loader) declareFunc(n syntax.Name, body bool) *ir.Function {
	s := l.name(n)
	if e := l.look(n.Sym); e != nil && e.kind == entFunc {
		switch {
		case body && e.bundle != l.number:
			e.bundle, e.pos, e.body = l.number, l.b.Pos(n.Off), true
			if l.later != nil && e.first > l.base {
				l.shows(s)
			}
			return e.fn
		case e.bundle == l.number && e.body != body:
			l.errorf(n.Off, "%s declared and defined in one bundle", s).Before(e.pos)
		default:
			l.redefined(n.Off, s, e.pos)
		}
		return &ir.Function{Name: s}
	}
	e := l.declare(n, entFunc)
	if e == nil {
		return &ir.Function{Name: s}
	}
	f := l.out.Func(s, ir.NoType)
	f.Pos = e.pos
	e.fn, e.body, e.owner = f, body, n.Sym
	e.con = l.out.FuncConst(f)
	return f
}

// versionNamed reports whether a version of a function, or something of the running program, has a full name already, and
// where it is defined, if that is known.
func (l *loader) versionNamed(f *ir.Function, name string) (pos diag.Pos, found bool) {
	for _, v := range f.Versions {
		if v.Name == name {
			return v.Pos, true
		}
	}
	for _, i := range f.Impls {
		for _, v := range i.Versions {
			if v.Name == name {
				return v.Pos, true
			}
		}
	}
	return diag.Pos{}, l.known != nil && l.known(name) != nil
}

// declareBody makes the version of a definition, reserves the entity ids of its
// parts, and enters those of its local names that are spelled with '@'.
func (l *loader) declareBody(def *bodyDef) {
	d, f := def.def, def.fn
	if d.Unversioned {
		l.numberVersion(d, f)
	}
	name, pos := l.expand(l.name(d.Name), d.Version), l.b.Pos(d.Version.Off)
	if old, found := l.versionNamed(f, name); found {
		l.redefined(d.Version.Off, name, old)
	}
	if l.later != nil {
		f = l.implement(f, name, pos)
	}
	def.ver = l.prog.NewVersion(f, name, pos)
	def.base = l.prog.NextID
	def.dotted = l.dotted(d.Version)
	own := func(e *entity) {
		if e != nil {
			e.owner = d.Name.Sym
		}
	}
	own(l.declare(d.Version, entVersion))
	for i := range d.Blocks {
		blk := &d.Blocks[i]
		l.prog.NextID += uint32(1 + len(blk.Insts))
		own(l.declare(blk.Name, entBlock))
		def.dotted = def.dotted || l.dotted(blk.Name)
		for _, p := range blk.Params {
			l.declare(p.Name, entVar)
		}
		l.declare(blk.Exc, entVar)
		for j := range blk.Insts {
			in := &blk.Insts[j]
			if !in.Name.IsZero() {
				l.declare(in.Name, entInst)
			}
			for _, r := range in.Results {
				if !r.Sym.Local() {
					l.declare(r, entVar)
				}
			}
		}
	}
}

// expand spells out a name inside the entity named parent (docs/language.md, "Names").
func (l *loader) expand(parent string, n syntax.Name) string { return ir.FullName(parent, l.name(n)) }

// called says what a name denotes, as in "block %b": without a name it is "block 2".
func (l *loader) called(what string, n syntax.Name) string {
	if l.nameless(n.Sym) {
		return l.name(n)
	}
	return what + " " + l.name(n)
}

// nameless reports whether a symbol is of something without a name. Its spelling says which.
func (l *loader) nameless(s syntax.Sym) bool {
	return l.tree != nil && l.tree.Nameless(s) || l.inline != nil && l.inline[s]
}

// finish does the work that needs all bundles. The builder cannot find errors in a program that
// has been checked, so its errors are internal errors.
func (l *loader) finish(before int) {
	l.later = nil
	l.checkExpanded()
	if l.diags.Errors() == before {
		if _, err := l.out.Finish(); err != nil {
			l.diags.Errorf(diag.Pos{}, "internal error: %v", err)
		}
	}
	for _, f := range l.prog.Funcs {
		if len(f.Versions) == 0 && !f.Open() {
			l.diags.Warnf(f.Pos, "%s is declared but never defined: calling it is a run-time error unless a trap handler defines it", f.Name)
		}
	}
	l.prog.Main, _ = l.prog.Find(mainName).(*ir.Function)
}
