package ir

import (
	"errors"
	"fmt"
	"math"

	"github.com/uvm2go/uvm2go/internal/lexis/symbol"
	"github.com/uvm2go/uvm2go/transpile/diag"
)

// A Builder makes a program from Go code: for a reader that has its own syntax tree, or a test. Compilers outside of
// the project use package front. Definitions are made by methods of the Builder, bodies by a
// BodyBuilder, which infers the types of results.
//
// Methods do not fail at once. Errors are collected, errors that only follow from
// others are not reported, and Finish returns all of them. The Builder checks only
// the numbers and types that inference needs; package verify checks everything.
//
// A front end whose definitions refer to later ones declares them first, without types
// (NoType), and sets the fields of the returned definitions when it knows the types. An
// operand must have its type when it is used.
type Builder struct {
	Prog  *Program
	Types *Types

	typer    *Typer
	consts   map[literalKey]*Const
	operands map[any]*Const                                // of cells, functions and exposed functions
	had      struct{ consts, globals, funcs, exposes int } // when the Builder was made
	bodies   []*BodyBuilder
	errs     []error
	wants    []Want   // room for BodyBuilder.Inst
	types    []TypeID // likewise
}

// NewBuilder returns a Builder that adds to a program, or to a new one if p is nil.
func NewBuilder(p *Program) *Builder {
	if p == nil {
		p = NewProgram()
	}
	b := &Builder{Prog: p, Types: p.Types, typer: NewTyper(p.Types, true),
		consts: map[literalKey]*Const{}, operands: map[any]*Const{}}
	b.had.consts, b.had.globals, b.had.funcs, b.had.exposes = len(p.Consts), len(p.Globals), len(p.Funcs), len(p.Exposes)
	return b
}

func (b *Builder) errorf(format string, args ...any) {
	b.errs = append(b.errs, fmt.Errorf(format, args...))
}

// Typer answers questions about the types of the program.
func (b *Builder) Typer() *Typer { return b.typer }

// enter makes a name denote an entity.
func (b *Builder) enter(name string, e any) {
	if name == "" {
		return
	}
	if _, ok := b.Prog.Entities[name]; ok {
		b.errorf("%s redefined", name)
		return
	}
	b.Prog.Entities[name] = e
}

// DeclareType reserves the entity id of a type or signature that Type will define.
func (b *Builder) DeclareType(name string) {
	if b.Prog.TypeIDs[name] == 0 {
		b.Prog.TypeIDs[name] = b.Prog.TakeID()
	}
}

// Type gives a type or signature a global name, which begins with '@', and
// returns the type. In place of a name there may be a description.
func (b *Builder) Type(name string, id TypeID) TypeID {
	b.enter(name, id)
	b.DeclareType(name)
	if b.Types.Valid(id) && !IsDescription(name) {
		b.Types.SetName(id, name)
	}
	return id
}

// intern returns the unique constant without name that is equal to c.
func (b *Builder) intern(c Const) *Const {
	k := literalKey{ConstKey: c.Key(), typ: c.Type}
	if known := b.consts[k]; known != nil {
		return known
	}
	b.consts[k] = &c
	return &c
}

// IntConst is a constant of an int or pointer type, modulo 2^n. A negative n is
// sign-extended.
func (b *Builder) IntConst(t TypeID, n int64) *Const {
	return b.WideConst(t, uint64(n>>63), uint64(n))
}

// WideConst is a constant of an int or pointer type with the bits hi, lo, modulo 2^n.
func (b *Builder) WideConst(t TypeID, hi, lo uint64) *Const {
	width := uint32(64)
	switch n := b.typer.at(t); {
	case n.Kind == KInt:
		width = n.Bits
	case !n.Kind.IsPointer():
		b.errorf("an integer constant wants an int or a pointer, got %s", b.Types.Text(t))
	}
	if width < 128 {
		hi, lo = lowBits(hi, lo, width)
	}
	return b.intern(Const{Kind: ConstInt, Type: t, Hi: hi, Lo: lo})
}

// FloatConst is a constant of type float or double; a float is rounded.
func (b *Builder) FloatConst(t TypeID, x float64) *Const {
	bits := math.Float64bits(x)
	switch k := b.typer.at(t).Kind; {
	case k == KFloat:
		bits = uint64(math.Float32bits(float32(x)))
	case k != KDouble:
		b.errorf("a floating-point constant wants float or double, got %s", b.Types.Text(t))
	}
	return b.intern(Const{Kind: ConstFP, Type: t, Lo: bits})
}

// NullConst is NULL of a reference type.
func (b *Builder) NullConst(t TypeID) *Const {
	if !b.typer.at(t).Kind.IsNullable() {
		b.errorf("NULL wants a reference type, got %s", b.Types.Text(t))
	}
	return b.intern(Const{Kind: ConstNull, Type: t})
}

// ExternConst is the address of a native symbol.
func (b *Builder) ExternConst(t TypeID, native string) *Const {
	if !b.typer.at(t).Kind.IsPointer() {
		b.errorf("%s: a native symbol wants a pointer, got %s", native, b.Types.Text(t))
	}
	if why := symbol.Fault(native); why != "" {
		b.errorf("%s", why)
	}
	return b.intern(Const{Kind: ConstExtern, Type: t, Sym: native})
}

// Bytes is an array of int<8>.
func (b *Builder) Bytes(s string) *Const {
	return b.intern(Const{Kind: ConstBytes, Type: b.Types.Array(b.Types.Int(8), uint64(len(s))), Bytes: s})
}

// ListConst is a struct, array or vector.
func (b *Builder) ListConst(t TypeID, elems ...*Const) *Const {
	n := b.typer.at(t)
	want := n.Len
	switch n.Kind {
	case KStruct:
		want = uint64(len(n.Fields))
	case KArray, KVector:
	default:
		b.errorf("a list wants a struct, array or vector, got %s", b.Types.Text(t))
		want = uint64(len(elems))
	}
	if uint64(len(elems)) != want {
		b.errorf("%s has %d elements, got %d", b.Types.Text(t), want, len(elems))
	}
	for i, e := range elems {
		elem := n.Elem
		if n.Kind == KStruct && i < len(n.Fields) {
			elem = n.Fields[i]
		}
		if e != nil && elem != NoType && e.Type != elem {
			b.errorf("element %d of %s wants %s, got %s", i, b.Types.Text(t), b.Types.Text(elem), b.Types.Text(e.Type))
		}
	}
	return &Const{Kind: ConstAggregate, Type: t, Elems: elems}
}

// Const defines a named constant with the value of c.
func (b *Builder) Const(name string, c *Const) *Const {
	if c == nil {
		b.errorf("%s: no value", name)
		c = &Const{Type: b.Types.Int(64)}
	}
	n := *c
	n.Name, n.ID = name, b.Prog.TakeID()
	b.Prog.Consts = append(b.Prog.Consts, &n)
	b.enter(name, &n)
	return &n
}

// Global defines a cell.
func (b *Builder) Global(name string, t TypeID) *Global {
	g := &Global{Name: name, Type: t, ID: b.Prog.TakeID()}
	b.Prog.Globals = append(b.Prog.Globals, g)
	b.enter(name, g)
	return g
}

// Func declares a function.
func (b *Builder) Func(name string, sig TypeID) *Function {
	if sig != NoType && b.typer.at(sig).Kind != KSig {
		b.errorf("%s: a function wants a signature, got %s", name, b.Types.Text(sig))
	}
	f := &Function{Name: name, Sig: sig, ID: b.Prog.TakeID()}
	b.Prog.Funcs = append(b.Prog.Funcs, f)
	b.enter(name, f)
	return f
}

// DeclareExpose makes a function pointer for native code; the caller sets its function, cookie and type later.
func (b *Builder) DeclareExpose(name string) *Expose {
	e := &Expose{Name: name, ID: b.Prog.TakeID()}
	b.Prog.Exposes = append(b.Prog.Exposes, e)
	b.enter(name, e)
	return e
}

// Implement makes the function that stands for a version of f in a later bundle, see
// Function.
func (b *Builder) Implement(f *Function, version string) *Function {
	i := &Function{Name: version, Sig: f.Sig, Of: f}
	f.Impls = append(f.Impls, i)
	b.Prog.Funcs = append(b.Prog.Funcs, i)
	return i
}

// Expose makes a function pointer for native code.
func (b *Builder) Expose(name string, f *Function, cookie int64) *Expose {
	if f == nil {
		b.errorf("%s: no function", name)
		return nil
	}
	e := b.DeclareExpose(name)
	e.Func, e.Type, e.Cookie = f, b.Types.Of(KUFuncPtr, f.Sig), b.IntConst(b.Types.Int(64), cookie)
	return e
}

// GlobalConst is the address of a cell.
func (b *Builder) GlobalConst(g *Global) *Const {
	if g == nil {
		b.errorf("no cell")
		return nil
	}
	return b.operand(g, Const{Kind: ConstGlobal, Global: g, Type: b.pointing(KIRef, g.Type), Name: g.Name, ID: g.ID, Pos: g.Pos})
}

// FuncConst is a reference to a function.
func (b *Builder) FuncConst(f *Function) *Const {
	if f == nil {
		b.errorf("no function")
		return nil
	}
	return b.operand(f, Const{Kind: ConstFunc, Func: f, Type: b.pointing(KFuncRef, f.Sig), Name: f.Name, ID: f.ID, Pos: f.Pos})
}

// ExposeConst is the pointer to an exposed function.
func (b *Builder) ExposeConst(e *Expose) *Const {
	if e == nil {
		b.errorf("no exposed function")
		return nil
	}
	return b.operand(e, Const{Kind: ConstExpose, Expose: e, Type: e.Type, Name: e.Name, ID: e.ID, Pos: e.Pos})
}

// pointing is Types.Of, NoType for a type that is not known yet.
func (b *Builder) pointing(k Kind, elem TypeID) TypeID {
	if elem == NoType {
		return NoType
	}
	return b.Types.Of(k, elem)
}

// operand returns the unique constant of an entity, with the type that is known by now.
func (b *Builder) operand(e any, c Const) *Const {
	if known := b.operands[e]; known != nil {
		known.Type = c.Type
		return known
	}
	b.operands[e] = &c
	return &c
}

// Finish checks that every declaration has got its type, ends the bodies, and returns the program
// and all errors, joined.
func (b *Builder) Finish() (*Program, error) {
	typed := func(name string, t TypeID) {
		if t == NoType {
			b.errorf("%s has no type", name)
		}
	}
	for _, c := range b.Prog.Consts[b.had.consts:] {
		typed(c.Name, c.Type)
	}
	for _, g := range b.Prog.Globals[b.had.globals:] {
		typed(g.Name, g.Type)
	}
	for _, f := range b.Prog.Funcs[b.had.funcs:] {
		typed(f.Name, f.Sig)
	}
	for _, e := range b.Prog.Exposes[b.had.exposes:] {
		typed(e.Name, e.Type)
	}
	for _, f := range b.bodies {
		f.End()
	}
	b.bodies = nil
	return b.Prog, errors.Join(b.errs...)
}

// A BodyBuilder makes one version of a function, instruction by instruction, at
// the end of a current block. Operands are values: parameters, results, and those
// that Const, Int, Float, Null, FuncRef and GlobalRef make of constants.
type BodyBuilder struct {
	*Builder
	V   *Version
	Pos diag.Pos // of the next block or instruction

	cur  BlockID
	last InstID // the instruction that clauses are added to
}

// Body begins a version, whose name is the name of the function, a dot and name. Its
// entry block, which becomes current, has the parameters of the signature. Its position, and Pos at first, is that of the
// function (Function.Pos).
func (b *Builder) Body(f *Function, name string) *BodyBuilder {
	v := &Version{Func: f, Name: f.Name + "." + name, Insts: make([]Inst, 1), Values: make([]Value, 1)}
	f.Versions = append(f.Versions, v)
	fb := b.Fill(v)
	v.Pos, fb.Pos = f.Pos, f.Pos
	b.bodies = append(b.bodies, fb)
	fb.At(fb.Block("%entry", b.typer.at(f.Sig).Fields...))
	return fb
}

// Fill begins the body of a version that has no blocks; the caller must call End. The first block
// made is the entry and must have the parameters of the signature.
func (b *Builder) Fill(v *Version) *BodyBuilder { return &BodyBuilder{Builder: b, V: v} }

// End checks the body, and gives entity ids to it, its blocks and instructions if it has none.
// Finish calls End for bodies that Body began.
func (f *BodyBuilder) End() {
	f.check()
	if f.V.ID == 0 {
		f.V.giveIDs(f.Prog)
	}
}

// Reserve makes room for the least number of blocks, instructions and values that a body will have.
func (f *BodyBuilder) Reserve(blocks, insts, values int) {
	f.V.Reserve(blocks, insts, values, insts)
}

// errorAt reports an error of what is made, at its position if that is known, in the current block.
func (f *BodyBuilder) errorAt(format string, args ...any) { f.errorIn(nil, format, args...) }

// errorIn is errorAt for an instruction, if it is not nil, which may have a position of its own.
func (f *BodyBuilder) errorIn(in *Inst, format string, args ...any) {
	pos := f.Pos
	if in != nil && in.Pos.IsValid() {
		pos = in.Pos
	}
	place := ""
	if p := f.Prog.Files.Position(pos); p.IsValid() {
		place = p.String() + ": "
	}
	f.errorf("%s%s: %s", place, f.V.BlockName(f.cur), fmt.Sprintf(format, args...))
}

// Block makes a block with parameters. It does not become current.
func (f *BodyBuilder) Block(name string, params ...TypeID) BlockID {
	id := f.V.NewBlock(name, f.Pos)
	for _, t := range params {
		f.AddParam(id, t)
	}
	return id
}

// AddParam gives a block one more parameter.
func (f *BodyBuilder) AddParam(b BlockID, t TypeID) ValueID { return f.V.AddParam(b, t, "") }

// AddException gives a block an exception parameter.
func (f *BodyBuilder) AddException(b BlockID) ValueID {
	return f.V.SetExcParam(b, f.Types.Ref(f.Types.Void()), "")
}

// ExcBlock makes a block with parameters and an exception parameter.
func (f *BodyBuilder) ExcBlock(name string, params ...TypeID) BlockID {
	id := f.Block(name, params...)
	f.AddException(id)
	return id
}

// At makes a block current.
func (f *BodyBuilder) At(b BlockID) {
	if f.isBlock(b) {
		f.cur, f.last = b, 0
	}
}

func (f *BodyBuilder) isBlock(b BlockID) bool {
	ok := b >= 0 && int(b) < len(f.V.Blocks)
	if !ok {
		f.errorf("%s has no block %d", f.V.Name, b)
	}
	return ok
}

// Current is the block where instructions are added.
func (f *BodyBuilder) Current() BlockID { return f.cur }

// Param is parameter i of a block.
func (f *BodyBuilder) Param(b BlockID, i int) ValueID {
	if !f.isBlock(b) {
		return 0
	}
	if p := f.V.Blocks[b].Params; i >= 0 && i < len(p) {
		return p[i]
	}
	f.errorf("%s has no parameter %d", f.V.BlockName(b), i)
	return 0
}

// Exception is the exception parameter of a block.
func (f *BodyBuilder) Exception(b BlockID) ValueID {
	if !f.isBlock(b) {
		return 0
	}
	if f.V.Blocks[b].Exc == 0 {
		f.errorf("%s has no exception parameter", f.V.BlockName(b))
	}
	return f.V.Blocks[b].Exc
}

// Name gives a value a local name, which begins with '%', and returns the value.
func (f *BodyBuilder) Name(v ValueID, name string) ValueID {
	if v > 0 && int(v) < len(f.V.Values) {
		f.V.Values[v].Name = name
	}
	return v
}

// TypeOf is the type of a value, NoType if it has none after an error.
func (f *BodyBuilder) TypeOf(v ValueID) TypeID {
	if v > 0 && int(v) < len(f.V.Values) {
		return f.V.Values[v].Type
	}
	return NoType
}

// Const is a constant as a value.
func (f *BodyBuilder) Const(c *Const) ValueID {
	if c == nil {
		f.errorAt("no constant")
		return 0
	}
	return f.V.ConstValue(c)
}

// Int is IntConst as a value.
func (f *BodyBuilder) Int(t TypeID, n int64) ValueID { return f.Const(f.IntConst(t, n)) }

// Float is FloatConst as a value.
func (f *BodyBuilder) Float(t TypeID, x float64) ValueID { return f.Const(f.FloatConst(t, x)) }

// Null is NullConst as a value.
func (f *BodyBuilder) Null(t TypeID) ValueID { return f.Const(f.NullConst(t)) }

// FuncRef is FuncConst as a value.
func (f *BodyBuilder) FuncRef(fn *Function) ValueID { return f.Const(f.FuncConst(fn)) }

// GlobalRef is GlobalConst as a value.
func (f *BodyBuilder) GlobalRef(g *Global) ValueID { return f.Const(f.GlobalConst(g)) }

// check reports blocks without terminator and wrong destinations.
func (f *BodyBuilder) check() {
	for b := range f.V.Blocks {
		f.cur = BlockID(b)
		if t := f.V.Term(f.cur); t == nil || !t.IsTerminator() {
			f.errorAt("has no terminator")
			continue
		}
		t := f.V.Term(f.cur)
		for k := range t.Dests {
			f.checkDest(t, k)
		}
	}
}

func (f *BodyBuilder) checkDest(t *Inst, k int) {
	d := &t.Dests[k]
	if d.Block <= 0 || int(d.Block) >= len(f.V.Blocks) {
		f.errorIn(t, "%s: destination %d is the entry block, or none", t.Op, k)
		return
	}
	to := &f.V.Blocks[d.Block]
	if e := t.ExcDest(); to.Exc != 0 && e != d {
		f.errorIn(t, "%s: %s has an exception parameter, but is a normal destination", t.Op, f.V.BlockName(d.Block))
	}
	if len(d.Args) != len(to.Params) {
		f.errorIn(t, "%s: %s wants %d arguments, got %d", t.Op, f.V.BlockName(d.Block), len(to.Params), len(d.Args))
		return
	}
	for i, a := range d.Args {
		have, want := f.TypeOf(a), f.TypeOf(to.Params[i])
		if have != want && have != NoType && want != NoType {
			f.errorIn(t, "%s: argument %d of %s wants %s, got %s", t.Op, i+1, f.V.BlockName(d.Block), f.Types.Text(want), f.Types.Text(have))
		}
	}
}
