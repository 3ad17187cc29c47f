// Package binary reads and writes the binary form of µVM IR of 2014
// (docs/uvm2014.md, "Binary form").
//
// It turns a binary bundle into the tree of package syntax. Entities without a name are called
// by their ID in decimal, @65536 or %65537. It checks the form, mainly IDs; the rules of the
// language are those of the text form, and are checked on the tree.
package binary

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// The codes of top-level definitions.
const (
	defType = 1 + iota
	defSig
	defConst
	defGlobal
	defFuncDecl
	defFuncDef
	defName
)

// The codes of constant constructors.
const (
	conInt = 1 + iota
	conFloat
	conDouble
	conStruct
	conNull
)

// labelCode is the pseudo-instruction that begins a block in some documents.
const labelCode = 0xf9

// firstID is the least ID that bundles may define.
const firstID = 65536

// A Kind says what an ID denotes.
type Kind uint8

// The kinds.
const (
	NoKind Kind = iota
	Type
	Sig
	Const
	Global
	Func
	param
	block
	inst
)

var kindNames = [...]string{"nothing", "a type", "a signature", "a constant", "a cell", "a function", "a parameter", "a block", "an instruction"}

func (k Kind) String() string { return kindNames[k] }

// local reports whether names of the kind are local.
func (k Kind) local() bool { return k >= param }

// An Entity is what an ID denotes outside of functions.
type Entity struct {
	Kind Kind
	Name string
}

// Known finds what earlier bundles have defined, by ID or by name.
type Known interface {
	ByID(id uint32) (Entity, bool)
	HasName(name syntax.Sym) bool
	// Taken gives the IDs that are taken, in functions and outside, by bundle.
	Taken() []syntax.IDs
}

// A Mode selects how much of the tree Read makes.
type Mode uint8

// The modes.
const (
	// Streamed leaves the blocks of functions out: Bundle.Body reads those of one function
	// when they are wanted, in the memory of the one before.
	Streamed Mode = iota
	Whole
)

// Read makes the tree of a bundle. Errors go to errs; one in the form ends the reading, as
// definitions have no length. The result is never nil, and Bad if there were any.
func Read(file *diag.File, syms *syntax.Symbols, known Known, errs *diag.List, mode Mode) *syntax.Bundle {
	r := &reader{file: file, src: file.Content(), syms: syms, known: known, errs: errs, far: map[uint32]entity{}, intrinsics: map[uint32]syntax.Sym{}, taken: known.Taken(),
		b: &syntax.Bundle{File: file, Syms: syms, Binary: true}}
	for _, ids := range r.taken {
		r.last = max(r.last, ids.Last())
	}
	r.bundle()
	if !r.failed {
		r.bindNames()
		r.resolve()
		r.makeRoom(mode)
	}
	if mode == Streamed {
		r.b.Body = r.body
	} else if !r.failed && !r.bad {
		for _, d := range r.b.Defs {
			if d, ok := d.(*syntax.FuncDef); ok {
				r.function(d)
			}
		}
	}
	r.b.IDs = r.defined()
	r.b.Bad = r.failed || r.bad
	r.b.Unread = r.b.Bad
	return r.b
}

// Fits reports whether bytes have the form of a bundle from the first to the last. What IDs denote does not matter.
func Fits(src []byte) bool {
	files := diag.NewSet()
	f, err := files.AddBinary("", src)
	if err != nil {
		return false
	}
	r := &reader{file: f, src: src, syms: syntax.NewSymbols(), errs: diag.NewList(files), far: map[uint32]entity{}, intrinsics: map[uint32]syntax.Sym{}, known: nothing{},
		b: &syntax.Bundle{File: f, Binary: true}}
	r.bundle()
	return !r.bad
}

// nothing is what is known before the first bundle.
type nothing struct{}

func (nothing) ByID(uint32) (Entity, bool) { return Entity{}, false }
func (nothing) HasName(syntax.Sym) bool    { return false }
func (nothing) Taken() []syntax.IDs        { return nil }

// An entity is what an ID of the bundle denotes: in the lowest bits its kind, and above them the
// number of the function that it is in, from 1, or else the Index of its symbol, 0 until it has one.
// Both fit: a function takes more than 16 bytes, and so do two names.
type entity uint32

const kindBits = 4

func inFunction(k Kind, fn int) entity      { return entity(fn)<<kindBits | entity(k) }
func outside(k Kind, sym syntax.Sym) entity { return entity(sym.Index())<<kindBits | entity(k) }

func (e entity) kind() Kind { return Kind(e & (1<<kindBits - 1)) }

// fn is the number of the function that a local entity is in.
func (e entity) fn() int { return int(e >> kindBits) }

// sym is the symbol of a global entity.
func (e entity) sym() syntax.Sym { return syntax.Sym(e>>kindBits) << 1 }

// reader decodes one bundle, in this order:
//
//  1. All definitions are read, with IDs in the place of symbols; function bodies, and the
//     names of entities in them, are only skipped. Then all IDs are known.
//  2. Entities outside functions get their names.
//  3. The IDs in definitions become symbols.
//  4. Functions are read: names, parameters and blocks. In mode Streamed they are read one by
//     one, when the client asks for them, and all functions use the same symbols, spelled again
//     for each, and only if the client asks for the spelling.
type reader struct {
	file   *diag.File
	src    []byte
	pos    int
	syms   *syntax.Symbols
	known  Known
	taken  []syntax.IDs // of known
	last   uint32       // of taken, the greatest
	errs   *diag.List
	failed bool // nothing more can be read
	bad    bool // there were errors
	b      *syntax.Bundle
	// ids has the entities by ID, from firstID; far those whose IDs are not dense.
	ids   []entity
	far   map[uint32]entity
	names []binding       // of what is not in functions
	runs  []run           // of names in functions
	low   syntax.Off      // runs cover what is from here
	high  syntax.Off      // to here,
	text  string          // which is this text, if it was asked for
	bound map[uint32]bool // see isOther
	fns   []function
	late  bool       // what is in functions is spelled when the spelling is asked for
	first syntax.Sym // of what is in functions

	intrinsics map[uint32]syntax.Sym // that occur

	labels bool // there are labels among instructions

	// Of the function being read.
	cur  *function
	fn   int
	base syntax.Sym // of ordinal 0
	// What instructions, parameters and blocks in it are in ids.
	instHere, paramHere, blockHere entity

	named []syntax.Off // by ordinal: where the name that is bound to it begins, 0 if there is none
	table nameTable
	// sparse has the ordinals of entities if IDs are not dense, and sparseIDs their IDs; else sparse is
	// nil, and an ordinal is what an ID is above the least of the function.
	sparse    map[uint32]uint32
	sparseIDs []uint32
	digits    []byte
	list      []syntax.Block

	defs slabs // of definitions
	room slabs // of the function being read
}

// A function is what is known of one before it is read.
type function struct {
	at      syntax.Off // of its parameters
	lo, hi  uint32     // the least and the greatest ID in it
	count   int        // of IDs
	names   []run
	ordinal int // of the first entity in it; 0 in mode Streamed
}

// slabs have the memory of a tree.
type slabs struct {
	name    lex.Slab[syntax.Name]
	param   lex.Slab[syntax.Param]
	value   lex.Slab[syntax.Value]
	cases   lex.Slab[syntax.Case]
	typ     lex.Slab[syntax.TypeCtor]
	types   lex.Slab[syntax.Type]
	sig     lex.Slab[syntax.SigCtor]
	con     lex.Slab[syntax.Const]
	num     lex.Slab[syntax.IntLit]
	inst    lex.Slab[syntax.Inst]
	ext     lex.Slab[syntax.InstExt]
	block   lex.Slab[syntax.Block]
	typeDef lex.Slab[syntax.TypeDef]
	sigDef  lex.Slab[syntax.SigDef]
	funcDef lex.Slab[syntax.FuncDef]
	conDef  lex.Slab[syntax.ConstDef]
	cellDef lex.Slab[syntax.GlobalDef]
}

// reset makes room of what functions are made of.
func (s *slabs) reset() {
	s.name.Reset()
	s.param.Reset()
	s.value.Reset()
	s.cases.Reset()
	s.num.Reset()
	s.inst.Reset()
	s.ext.Reset()
	s.block.Reset()
}

func (r *reader) off() syntax.Off { return syntax.Off(r.pos) }

func (r *reader) errorf(off syntax.Off, format string, args ...any) {
	r.bad = true
	r.errs.Errorf(diag.Pos{File: r.file.ID(), Off: uint32(off)}, format, args...)
}

// fail reports an error after which nothing can be read.
func (r *reader) fail(off syntax.Off, format string, args ...any) {
	if !r.failed {
		r.failed = true
		r.errorf(off, format, args...)
	}
}

// need reports whether there are n bytes more.
func (r *reader) need(n int, what string) bool {
	if r.failed {
		return false
	}
	if len(r.src)-r.pos < n {
		r.fail(r.off(), "the bundle ends in the middle of %s", what)
		return false
	}
	return true
}

func (r *reader) u8(what string) uint8 {
	if !r.need(1, what) {
		return 0
	}
	r.pos++
	return r.src[r.pos-1]
}

func (r *reader) u16(what string) int {
	if !r.need(2, what) {
		return 0
	}
	r.pos += 2
	return int(binary.LittleEndian.Uint16(r.src[r.pos-2:]))
}

func (r *reader) u32(what string) uint32 {
	if !r.need(4, what) {
		return 0
	}
	r.pos += 4
	return binary.LittleEndian.Uint32(r.src[r.pos-4:])
}

func (r *reader) u64(what string) uint64 {
	if !r.need(8, what) {
		return 0
	}
	r.pos += 8
	return binary.LittleEndian.Uint64(r.src[r.pos-8:])
}

// ref reads an ID that refers to something.
func (r *reader) ref(what string) syntax.Name {
	off := r.off()
	return syntax.Name{Sym: syntax.Sym(r.u32(what)), Off: off}
}

// refs reads a list of IDs.
func (r *reader) refs(what string) []syntax.Name {
	n := r.u16(what)
	if !r.need(4*n, what) || n == 0 {
		return nil
	}
	list := r.defs.name.Make(n)
	for i := range list {
		list[i] = r.ref(what)
	}
	return list
}

// define reads the ID of something that is defined.
func (r *reader) define(kind Kind, what string) uint32 {
	off := r.off()
	id := r.u32(what)
	if r.failed {
		return 0
	}
	r.defineID(off, id, kind)
	return id
}

func (r *reader) defineID(off syntax.Off, id uint32, kind Kind) {
	switch e := r.find(id); {
	case id == 0:
		r.errorf(off, "ID 0 is none")
	case id < firstID:
		r.errorf(off, "ID %d is reserved: those of bundles begin at %d", id, firstID)
	case e != 0 && !(e.kind() == Func && kind == Func):
		r.errorf(off, "ID %d is defined twice: it is %s", id, e.kind())
	case e == 0 && r.isTaken(id) && !r.redefines(id, kind):
		r.errorf(off, "ID %d is defined in an earlier bundle", id)
	case kind.local():
		r.enter(id, inFunction(kind, r.fn))
		r.count(id)
	default:
		r.enter(id, outside(kind, 0))
	}
}

// next enters an ID of what is in a function if it is the next one, which nothing can have.
func (r *reader) next(id uint32, kind Kind) bool {
	if id != r.nextID() || id == 0 {
		return false
	}
	r.ids = append(r.ids, inFunction(kind, r.fn))
	r.count(id)
	return true
}

// nextID is the ID after all that are entered, 0 if something can have it.
func (r *reader) nextID() uint32 {
	id := uint32(firstID + len(r.ids))
	if id <= r.last || len(r.far) != 0 {
		return 0
	}
	return id
}

// count notes an ID in the function that is being walked over.
func (r *reader) count(id uint32) {
	f := r.cur
	f.lo, f.hi = min(f.lo, id), max(f.hi, id)
	f.count++
}

// isTaken reports whether an earlier bundle has an ID.
func (r *reader) isTaken(id uint32) bool {
	return id <= r.last && slices.ContainsFunc(r.taken, func(s syntax.IDs) bool { return s.Has(id) })
}

// redefines reports whether an ID of a function is that of one of an earlier bundle.
func (r *reader) redefines(id uint32, kind Kind) bool {
	e, ok := r.known.ByID(id)
	return ok && kind == Func && e.Kind == Func
}

// enter says what an ID denotes.
func (r *reader) enter(id uint32, e entity) {
	n := int(id - firstID)
	if n >= len(r.src) { // no dense numbering gets that far
		r.far[id] = e
		return
	}
	if r.ids == nil {
		r.ids = make([]entity, 0, len(r.src)/20+1)
	}
	if n >= len(r.ids) {
		r.ids = append(r.ids, make([]entity, n+1-len(r.ids))...)
	}
	r.ids[n] = e
}

// find gives what an ID of the bundle denotes, 0 if nothing.
func (r *reader) find(id uint32) entity {
	if n := id - firstID; uint64(n) < uint64(len(r.ids)) {
		return r.ids[n]
	}
	if len(r.far) > 0 {
		return r.far[id]
	}
	return 0
}

// defined gives the IDs of the bundle.
func (r *reader) defined() (ids syntax.IDs) {
	for i := 0; i < len(r.ids); i++ {
		if r.ids[i] == 0 {
			continue
		}
		first := i
		for i+1 < len(r.ids) && r.ids[i+1] != 0 {
			i++
		}
		ids = append(ids, syntax.IDRange{First: firstID + uint32(first), Last: firstID + uint32(i)})
	}
	for _, id := range slices.Sorted(maps.Keys(r.far)) {
		ids = ids.Add(id)
	}
	return ids
}

// bundle reads all definitions.
func (r *reader) bundle() {
	for r.pos < len(r.src) && !r.failed {
		if r.src[r.pos] == defName {
			r.bindings()
		} else {
			r.definition()
		}
	}
}

func (r *reader) definition() {
	h := syntax.Head{Off: r.off()}
	begin := func(kind Kind, what string) {
		h.Name.Off = r.off()
		h.ID = r.define(kind, what)
		h.Name.Sym = syntax.Sym(h.ID)
	}
	add := func(d syntax.Def) { r.b.Defs = append(double(r.b.Defs), d) }
	switch code := r.u8("a definition"); code {
	case defType:
		begin(Type, "a type")
		d := r.defs.typeDef.One()
		d.Head, d.Type = h, r.typeCtor()
		add(d)
	case defSig:
		begin(Sig, "a signature")
		s := syntax.Sig{Name: syntax.Name{Off: r.off()}, SigCtor: r.defs.sig.One()}
		s.Ret = r.typ()
		s.Params = r.typeList()
		d := r.defs.sigDef.One()
		d.Head, d.Sig = h, s
		add(d)
	case defConst:
		begin(Const, "a constant")
		d := r.defs.conDef.One()
		d.Head, d.Type = h, r.typ()
		d.Value = r.constCtor()
		add(d)
	case defGlobal:
		begin(Global, "a cell")
		d := r.defs.cellDef.One()
		d.Head, d.Type = h, r.typ()
		add(d)
	case defFuncDecl:
		begin(Func, "a function declaration")
		add(&syntax.FuncDecl{Head: h, Sig: r.sig()})
	case defFuncDef:
		begin(Func, "a function definition")
		d := r.defs.funcDef.One()
		d.Head = h
		add(d)
		r.walk(d)
	default:
		r.fail(h.Off, "unknown definition 0x%02x: want 0x01 to 0x07", code)
	}
}

// typ reads a reference to a type.
func (r *reader) typ() syntax.Type { return syntax.TypeNamed(r.ref("a type")) }

func (r *reader) typeList() []syntax.Type {
	n := r.u16("a list of types")
	if !r.need(4*n, "a list of types") || n == 0 {
		return nil
	}
	list := r.defs.types.Make(n)
	for i := range list {
		list[i] = r.typ()
	}
	return list
}

func (r *reader) sig() syntax.Sig { return syntax.SigNamed(r.ref("a signature")) }

// integer makes a literal of a number that has been read.
func (r *reader) integer(off syntax.Off, v uint64) *syntax.IntLit {
	l := r.defs.num.One()
	*l = syntax.IntLit{Off: off, End: off, Lo: v}
	return l
}

func (r *reader) typeCtor() syntax.Type {
	t := syntax.Type{Name: syntax.Name{Off: r.off()}, TypeCtor: r.defs.typ.One()}
	code := r.u8("a type constructor")
	t.Kind = syntax.TypeKind(code)
	list := func(n int) []syntax.Type {
		l := r.defs.types.Make(n)
		for i := range l {
			l[i] = r.typ()
		}
		return l
	}
	switch t.Kind {
	case syntax.TypeInt:
		at := r.off()
		t.Len = r.integer(at, uint64(r.u8("the width of an int")))
	case syntax.TypeFloat, syntax.TypeDouble, syntax.TypeVoid, syntax.TypeThread, syntax.TypeStack, syntax.TypeTagRef64:
	case syntax.TypeRef, syntax.TypeIRef, syntax.TypeWeakRef:
		t.Args = list(1)
	case syntax.TypeStruct:
		t.Args = r.typeList()
	case syntax.TypeArray:
		t.Args = list(1)
		at := r.off()
		t.Len = r.integer(at, r.u64("the length of an array"))
	case syntax.TypeHybrid:
		t.Args = list(2)
	case syntax.TypeFunc:
		t.Sig = r.sig()
	default:
		r.fail(t.Off, "unknown type constructor 0x%02x", code)
	}
	return t
}

func (r *reader) constCtor() syntax.Value {
	c := syntax.Value{Name: syntax.Name{Off: r.off()}, Const: r.defs.con.One()}
	code := r.u8("a constant")
	bits := func(v uint64, double bool) *syntax.FPLit {
		return &syntax.FPLit{Off: c.Off, End: c.Off, Form: lex.FPBits, Double: double, Bits: r.integer(c.Off, v)}
	}
	switch code {
	case conInt:
		c.Const.Kind, c.Const.Int = syntax.ConstInt, r.integer(c.Off, r.u64("an integer"))
		// The low bits count: what is negative as 64 bits is written so.
		if int64(c.Const.Int.Lo) < 0 {
			c.Const.Int.Neg, c.Const.Int.Lo = true, -c.Const.Int.Lo
		}
	case conFloat:
		c.Const.Kind, c.Const.FP = syntax.ConstFP, bits(uint64(r.u32("a float")), false)
	case conDouble:
		c.Const.Kind, c.Const.FP = syntax.ConstFP, bits(r.u64("a double"), true)
	case conStruct:
		c.Const.Kind = syntax.ConstList
		for _, n := range r.refs("a struct constant") {
			c.Const.List = append(c.Const.List, syntax.Value{Name: n})
		}
	case conNull:
		c.Const.Kind = syntax.ConstNull
	default:
		r.fail(c.Off, "unknown constant constructor 0x%02x", code)
	}
	return c
}

// intrinsicNames and intrinsicIDs are the intrinsic functions by their IDs.
var intrinsicNames, intrinsicIDs = func() (map[uint32]string, map[string]uint32) {
	names, ids := map[uint32]string{}, map[string]uint32{}
	for _, s := range ir.Spellings("uvm2014") {
		if s.Name[0] == '@' {
			names[s.Code], ids[s.Name] = s.Name, s.Code
		}
	}
	return names, ids
}()

// double makes room in a list that is full for as much again; append makes less in a long one, and so
// copies it more often.
func double[T any](list []T) []T {
	if len(list) == cap(list) {
		return slices.Grow(list, max(len(list), 256))
	}
	return list
}
