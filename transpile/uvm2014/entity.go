package uvm2014

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/ssabuild"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/binary"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// An entKind is a kind of global entity.
type entKind uint8

const (
	entType entKind = iota
	entSig
	entConst
	entGlobal
	entFunc
	entOther // of the running program, to which no bundle can refer
)

func (k entKind) String() string {
	return [...]string{"a type", "a signature", "a constant", "a cell", "a function", "part of a function"}[k]
}

// An entity is what a global name denotes.
type entity struct {
	kind   entKind
	pos    diag.Pos
	bundle int // number of the bundle that defined it first, or arrived
	def    syntax.Def
	raw    int32     // number in the graph of the bundle being loaded, or -1
	typ    ir.TypeID // of a type or signature: itself; of a value: its type
	con    *ir.Const // of a constant, cell or function: the value
	fn     *ir.Function
	valued bool // of a constant: it has its value, or had an error
	// defined is the bundle in which a function was defined last, declared the one in
	// which it was declared last; -1 if in none.
	defined, declared int
}

// loader is the state of a load.
type loader struct {
	files *diag.Set
	opt   dialect.Options
	diags *diag.List
	prog  *ir.Program
	types *ir.Types
	syms  *syntax.Symbols

	ents     []*entity // by Sym.Index
	b        *syntax.Bundle
	number   int // of b
	lits     map[litKey]*ir.Const
	externs  map[extern]*ir.Const
	graph    *typeGraph
	nodes    []meaning                // of b, by Node.Num
	inline   map[syntax.Off]*ir.Const // of constants written out in b, if not nil
	given    *textIDs                 // IDs of the text bundle being loaded, if it assigns its own
	moved    map[*ir.Version]uint32   // by how much numberHidden must move the IDs of a body
	byID     map[uint32]binary.Entity
	taken    []syntax.IDs       // by bundle
	next     uint64             // next ID for an entity that a bundle defines
	values   map[ir.TypeID]bool // of structs: a value can have the type
	limits   *layout.Limits
	devs     deviations              // outside of functions
	deviated int                     // number of calls of deviate
	again    map[*syntax.Head]string // warnings about repeated declarations
	later    *laterState             // if b is loaded at run time
	out      *ir.Builder             // of constants for what has arrived
	running  *running                // the program that loads the bundles, nil if they are one of their own
	base     int                     // number of the first later bundle; with later
	room     room
	hints    int // how many names were suggested, or looked for
	// undeclared are the functions that the bundle calls and that no bundle declares.
	undeclared []undeclared
	repeated   []repeated
	i1         ir.TypeID
	word       ir.TypeID
	void       ir.TypeID
	exc        ir.TypeID // ref<void>
	stack      ir.TypeID
	thread     ir.TypeID
	tagged     ir.TypeID
}

func newLoader(files *diag.Set, opt dialect.Options, diags *diag.List) *loader {
	p := ir.NewProgram()
	var to *running
	if opt.Running != nil {
		p, to = opt.Running.Program, beginRunning(opt.Running)
	}
	t := p.Types
	t.Words = map[ir.Kind]string{ir.KStackRef: "stack", ir.KThreadRef: "thread"}
	return &loader{files: files, opt: opt, diags: diags, prog: p, running: to, next: to.first(p), taken: to.earlier(), out: ir.NewBuilder(p), types: t, syms: syntax.NewSymbols(),
		lits: map[litKey]*ir.Const{}, externs: map[extern]*ir.Const{}, values: map[ir.TypeID]bool{}, limits: layout.NewLimits(t), moved: map[*ir.Version]uint32{}, devs: deviations{}, room: room{found: deviations{}, ssa: ssabuild.New(nil, nil)}, again: map[*syntax.Head]string{},
		i1: t.Int(1), word: t.Int(64), void: t.Void(), exc: t.Ref(t.Void()),
		stack: t.Opaque(ir.KStackRef), thread: t.Opaque(ir.KThreadRef), tagged: t.Opaque(ir.KTagRef64)}
}

type undeclared struct {
	name syntax.Name // at the first call
	sig  ir.TypeID
}

// bundle loads one bundle.
func (l *loader) bundle(b *syntax.Bundle) {
	l.b = b
	l.byID = nil
	l.number = l.prog.Bundles
	l.next = max(l.next, uint64(b.IDs.Last())+1)
	first := uint32(l.next) // of a text bundle
	before := l.diags.Errors()
	l.nodes = make([]meaning, b.Nodes+1)
	clear(l.inline)
	l.given = nil
	if !b.Binary && l.inline == nil {
		l.given = &textIDs{first: first, consts: map[*ir.Const]bool{}}
	}
	l.prog.Bundles++
	bodies := l.enter()
	l.defineTypes()
	l.defineValues()
	l.constants()
	l.repeatedValues()
	l.skipped()
	l.repeated = l.repeated[:0]
	l.undeclared = l.undeclared[:0]
	for _, f := range bodies {
		if b.Body == nil || b.Body(f.def) {
			l.body(f)
			if l.inline == nil { // the tree is not needed any more
				f.def.Blocks = nil
			}
		}
	}
	l.oldForms()
	l.flush(l.devs, "")
	if l.given != nil && !b.Bad && l.diags.Errors() == before {
		l.numberInline()
	}
	if !b.Binary && uint32(l.next) > first {
		b.IDs = syntax.IDs{{First: first, Last: uint32(l.next - 1)}}
	}
	l.taken = append(l.taken, b.IDs)
}

func (l *loader) name(n syntax.Name) string { return l.syms.String(n.Sym) }

func (l *loader) errorf(off syntax.Off, format string, args ...any) *diag.Diagnostic {
	return l.diags.Errorf(l.b.Pos(off), format, args...)
}

// find returns what a global name denotes, nil if nothing.
func (l *loader) find(s syntax.Sym) *entity {
	e := l.look(s)
	if l.later != nil && e != nil {
		l.use(l.syms.String(s), e)
	}
	return e
}

// look is like find, but does not count as a use of the entity.
func (l *loader) look(s syntax.Sym) *entity {
	if i := s.Index(); i < len(l.ents) && l.ents[i] != nil {
		return l.ents[i]
	}
	return l.arrived(s)
}

func (l *loader) set(s syntax.Sym, e *entity) {
	for len(l.ents) < l.syms.Len() {
		l.ents = append(l.ents, make([]*entity, l.syms.Len()-len(l.ents))...)
	}
	l.ents[s.Index()] = e
}

// A funcBody is a function definition that is to be translated.
type funcBody struct {
	def *syntax.FuncDef
	e   *entity
}

// enter enters the definitions of the bundle, and returns the valid bodies.
func (l *loader) enter() []funcBody {
	var bodies []funcBody
	for _, d := range l.b.Defs {
		h := d.DefHead()
		if h.Name.IsZero() {
			continue
		}
		if e := l.enterDef(d, h); e != nil {
			if f, ok := d.(*syntax.FuncDef); ok && !l.b.Faulty[d] {
				bodies = append(bodies, funcBody{f, e})
			}
		}
	}
	return bodies
}

// reserved reports whether a global name belongs to the dialect.
func reserved(name string) bool { return strings.HasPrefix(name, "@uvm.") }

// enterDef enters one definition. It returns nil if the definition is not valid.
func (l *loader) enterDef(d syntax.Def, h *syntax.Head) *entity {
	kind := kindOf(d)
	_, defines := d.(*syntax.FuncDef)
	known := l.look(h.Name.Sym)
	if known == nil {
		e := &entity{kind: kind, pos: l.b.Pos(h.Name.Off), bundle: l.number, def: d, raw: -1, defined: -1, declared: -1}
		if defines {
			e.defined = l.number
		} else {
			e.declared = l.number
		}
		l.set(h.Name.Sym, e)
		l.shows(l.name(h.Name), e)
		if reserved(l.name(h.Name)) {
			l.errorf(h.Name.Off, "%s: names that begin with @uvm. are reserved", l.name(h.Name))
		}
		return e
	}
	if kind == entFunc && known.kind == entFunc {
		l.shows(l.name(h.Name), known)
		// The signatures are compared when they are known.
		if defines {
			if known.defined == l.number {
				l.redefined(h, known)
				return nil
			}
			if known.declared == l.number {
				l.again[h] = "%s is declared and defined in one bundle"
			}
			known.defined = l.number
			return known
		}
		if known.bundle == l.number || known.declared == l.number {
			l.again[h] = "%s is declared again"
		} else {
			l.again[h] = "%s is known from an earlier bundle"
		}
		known.declared = l.number
		return known
	}
	if known.kind == kind && (known.bundle == arrived || known.bundle == l.number && kind != entGlobal) {
		l.repeated = append(l.repeated, repeated{d, known})
		return nil
	}
	l.redefined(h, known)
	return nil
}

// A repeated definition of a type, signature or constant is accepted if it has the same
// content; so is one of a cell that the running program has, if it has the same type. The content is known only when
// types are.
type repeated struct {
	def syntax.Def
	of  *entity
}

// repeats reports a repeated definition: an error if it differs, else a deviation.
func (l *loader) repeats(r repeated, same bool) {
	h := r.def.DefHead()
	if !same {
		l.redefined(h, r.of)
		return
	}
	l.deviate(l.devs, "same definition", h.Name.Off, "%s is defined again with the same content", l.name(h.Name))
}

func kindOf(d syntax.Def) entKind {
	switch d.(type) {
	case *syntax.TypeDef:
		return entType
	case *syntax.SigDef:
		return entSig
	case *syntax.ConstDef:
		return entConst
	case *syntax.GlobalDef:
		return entGlobal
	}
	return entFunc
}

func (l *loader) redefined(h *syntax.Head, known *entity) {
	l.errorf(h.Name.Off, "%s redefined", l.name(h.Name)).Before(known.pos)
}

func sameInt(a, b *syntax.IntLit) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Hi == b.Hi && a.Lo == b.Lo && a.Neg == b.Neg && !a.TooBig && !b.TooBig
}

// sameConst compares two constants of one type by their text.
func (l *loader) sameConst(a, b *syntax.Const) bool {
	if a == nil || b == nil || a.Kind != b.Kind || len(a.List) != len(b.List) {
		return false
	}
	switch a.Kind {
	case syntax.ConstInt:
		return sameInt(a.Int, b.Int)
	case syntax.ConstFP:
		x, _ := a.FP.Pattern(l.b.Text(a.FP.Off, a.FP.End), true)
		y, _ := b.FP.Pattern(l.b.Text(b.FP.Off, b.FP.End), true)
		return x == y && a.FP.Form == b.FP.Form && a.FP.Bare == b.FP.Bare && a.FP.Double == b.FP.Double
	}
	for i := range a.List {
		x, y := a.List[i], b.List[i]
		if x.Name.Sym != y.Name.Sym || x.Const != nil && !l.sameConst(x.Const, y.Const) {
			return false
		}
	}
	return true
}

// defineValues sets the types of constants, cells and functions, and assigns IDs in text
// bundles: types and signatures have theirs already; now constants, cells and functions
// follow, each function with its contents.
func (l *loader) defineValues() {
	for _, d := range l.b.Defs {
		if d, ok := d.(*syntax.ConstDef); ok {
			if e := l.find(d.Name.Sym); e != nil && e.def == d {
				l.defineConst(d, e)
			}
		}
	}
	for _, d := range l.b.Defs {
		if d, ok := d.(*syntax.GlobalDef); ok {
			if e := l.find(d.Name.Sym); e != nil && e.def == d {
				l.defineGlobal(d, e)
			}
		}
	}
	for _, d := range l.b.Defs {
		e := l.find(d.DefHead().Name.Sym)
		if e == nil || e.kind != entFunc {
			continue
		}
		switch d := d.(type) {
		case *syntax.FuncDecl:
			l.defineFunc(l.sigOf(d, d.Sig), &d.Head, e, false)
		case *syntax.FuncDef:
			s := l.sigOf(d, d.Sig)
			l.defineFunc(s, &d.Head, e, true)
			if d.NoParams {
				d.Params = make([]syntax.Param, len(l.types.At(s).Fields))
			}
			if !l.b.Binary {
				l.numberLocals(d)
			}
		}
	}
}

// numberLocals assigns IDs to the things in a function. The IDs of instructions follow the ID of
// their block; enter assigns them.
func (l *loader) numberLocals(d *syntax.FuncDef) {
	for i := range d.Params {
		d.Params[i].ID = l.takeID(0)
	}
	for i := range d.Blocks {
		blk := &d.Blocks[i]
		blk.ID = l.takeID(0)
		l.next += uint64(len(blk.Insts))
		for k := 0; d.OldParams && k < len(blk.Insts); k++ {
			if blk.Insts[k].Op == syntax.OldParam { // the parameter itself
				l.next--
			}
		}
	}
}

func (l *loader) defineGlobal(d *syntax.GlobalDef, e *entity) {
	t := ir.NoType
	if !l.b.Faulty[d] {
		t = l.typ(d.Type)
	}
	if t != ir.NoType && !l.fixed(t) {
		l.errorf(d.Type.Off, "%s: a cell has a type of fixed length, not %s", l.name(d.Name), l.text(t))
		t = ir.NoType
	}
	if t != ir.NoType && l.limits.Cell(t) {
		l.errorf(d.Name.Off, "%s: the global cells of the program take more than 2^30 bytes", l.name(d.Name))
	}
	g := &ir.Global{Name: l.name(d.Name), Type: t, ID: l.id(&d.Head, entGlobal), Pos: l.b.Pos(d.Name.Off)}
	l.prog.Globals = append(l.prog.Globals, g)
	l.prog.Entities[g.Name] = g
	e.con = &ir.Const{Kind: ir.ConstGlobal, Global: g, Name: g.Name, ID: g.ID, Pos: g.Pos}
	if t != ir.NoType {
		e.typ = l.types.IRef(t)
		e.con.Type = e.typ
	}
}

// sigOf is the signature of a function. The signature in a faulty head is unknown.
func (l *loader) sigOf(d syntax.Def, s syntax.Sig) ir.TypeID {
	if l.b.Faulty[d] && s.IsZero() {
		return ir.NoType
	}
	return l.sig(s)
}

// defineFunc declares a function. defines says that this is its definition: there a function gets its ID,
// even if the bundle also declares it.
func (l *loader) defineFunc(s ir.TypeID, h *syntax.Head, e *entity, defines bool) {
	if defines && e.fn != nil && e.fn.ID == 0 {
		e.fn.ID = l.id(h, entFunc)
		e.con.ID = e.fn.ID
	}
	if e.fn == nil {
		e.fn = &ir.Function{Name: l.name(h.Name), Sig: s, Pos: l.b.Pos(h.Name.Off)}
		if defines || e.defined != l.number || h.ID != 0 {
			e.fn.ID = l.id(h, entFunc)
		}
		l.prog.Funcs = append(l.prog.Funcs, e.fn)
		l.prog.Entities[e.fn.Name] = e.fn
		e.con = &ir.Const{Kind: ir.ConstFunc, Func: e.fn, Name: e.fn.Name, ID: e.fn.ID, Pos: e.fn.Pos}
		if s != ir.NoType {
			e.typ = l.types.Of(ir.KFuncRef, s)
			e.con.Type = e.typ
		}
		return
	}
	if s != ir.NoType && e.fn.Sig != ir.NoType && s != e.fn.Sig {
		l.errorf(h.Name.Off, "%s has signature %s here, but %s", l.name(h.Name), l.sigText(s), l.sigText(e.fn.Sig)).Contradicts(e.pos, "first declared")
	} else if text := l.again[h]; text != "" {
		l.deviate(l.devs, text, h.Name.Off, text, l.name(h.Name))
	}
}

// id is the entity id of a definition: the one in the bundle, or the next. Later binary
// bundles may refer to it.
func (l *loader) id(h *syntax.Head, kind entKind) uint32 {
	id := l.takeID(h.ID)
	if l.given != nil && l.given.kinds[kind] == 0 {
		l.given.kinds[kind] = id
	}
	return id
}

var binaryKinds = [...]binary.Kind{entType: binary.Type, entSig: binary.Sig, entConst: binary.Const, entGlobal: binary.Global, entFunc: binary.Func}

// Binary bundles ask the loader about earlier bundles with ByID, Taken and HasName.

func (l *loader) ByID(id uint32) (binary.Entity, bool) {
	e, ok := l.entities()[id]
	if !ok {
		return l.ofID(id)
	}
	return e, true
}

// entities are the entities that bundles have defined, by ID. The map is rarely needed, so it is made at the
// first call.
func (l *loader) entities() map[uint32]binary.Entity {
	if l.byID != nil {
		return l.byID
	}
	l.byID = map[uint32]binary.Entity{}
	for i, e := range l.ents {
		if e == nil || e.bundle == arrived {
			continue
		}
		name := l.syms.String(syntax.Sym(i << 1))
		id := l.prog.TypeIDs[name]
		if e.con != nil {
			id = e.con.ID
		}
		if id != 0 {
			l.byID[id] = binary.Entity{Kind: binaryKinds[e.kind], Name: name}
		}
	}
	return l.byID
}

func (l *loader) Taken() []syntax.IDs { return l.taken }

// A name that only bundles of other dialects have does not count: who defines the same means the same.
func (l *loader) HasName(name syntax.Sym) bool {
	e := l.look(name)
	return e != nil && (e.bundle != arrived || l.running.names[l.syms.String(name)])
}

// takeID is the ID of something in a bundle: the given one, or the next.
func (l *loader) takeID(given uint32) uint32 {
	if given != 0 {
		return given
	}
	l.next++
	return uint32(l.next - 1)
}

// unknown reports a name that denotes nothing. hint suggests another.
func (l *loader) unknown(n syntax.Name, want string, hint func(syntax.Name) string) {
	if l.b.Gaps { // its definition may be among those that could not be read
		return
	}
	l.errorf(n.Off, "unknown name %s: no such %s%s", l.name(n), want, hint(n))
}

// wrongKind reports a name that denotes an entity of the wrong kind.
func (l *loader) wrongKind(n syntax.Name, e *entity, want string) {
	l.errorf(n.Off, "%s is %s, not %s", l.name(n), e.kind, want).Also(e.pos, "defined")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
