package ir

import (
	"errors"
	"fmt"
	"math"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// A Builder makes a program from Go code: a front end that has its own syntax
// tree, or a test. Definitions are made by methods of the Builder, bodies by a
// BodyBuilder, which infers the types of results.
//
// Methods do not fail at once. What is wrong is collected, and what depends on it
// is not reported again; Finish returns it all. The checks are those of number
// and type that inference needs; package verify has all of them.
type Builder struct {
	Prog  *Program
	Types *Types

	typer    *Typer
	consts   map[literalKey]*Const
	operands map[any]*Const // of cells, functions and exposed functions
	bodies   []*BodyBuilder
	errs     []error
}

// NewBuilder returns a Builder that adds to a program, or to a new one if p is nil.
func NewBuilder(p *Program) *Builder {
	if p == nil {
		p = NewProgram()
	}
	return &Builder{Prog: p, Types: p.Types, typer: NewTyper(p.Types, true),
		consts: map[literalKey]*Const{}, operands: map[any]*Const{}}
}

func (b *Builder) errorf(format string, args ...any) {
	b.errs = append(b.errs, fmt.Errorf(format, args...))
}

// enter makes a name denote a thing.
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

// Type gives a type or signature a global name, which begins with '@', and
// returns the type.
func (b *Builder) Type(name string, id TypeID) TypeID {
	b.enter(name, id)
	b.Prog.TypeIDs[name] = b.Prog.TakeID()
	if b.Types.Valid(id) {
		b.Types.SetName(id, name)
	}
	return id
}

// intern gives the one constant without name that is equal to c.
func (b *Builder) intern(c Const) *Const {
	k := literalKey{kind: c.Kind, typ: c.Type, lo: c.Lo, hi: c.Hi, sym: c.Sym + c.Bytes}
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
func (b *Builder) ExternConst(t TypeID, symbol string) *Const {
	if !b.typer.at(t).Kind.IsPointer() {
		b.errorf("%s: a native symbol wants a pointer, got %s", symbol, b.Types.Text(t))
	}
	return b.intern(Const{Kind: ConstExtern, Type: t, Sym: symbol})
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
	if b.typer.at(sig).Kind != KSig {
		b.errorf("%s: a function wants a signature, got %s", name, b.Types.Text(sig))
	}
	f := &Function{Name: name, Sig: sig, ID: b.Prog.TakeID()}
	b.Prog.Funcs = append(b.Prog.Funcs, f)
	b.enter(name, f)
	return f
}

// Expose makes a function pointer for native code.
func (b *Builder) Expose(name string, f *Function, cookie int64) *Expose {
	if f == nil {
		b.errorf("%s: no function", name)
		return nil
	}
	e := &Expose{Name: name, Func: f, ID: b.Prog.TakeID(),
		Cookie: b.IntConst(b.Types.Int(64), cookie), Type: b.Types.Of(KUFuncPtr, f.Sig)}
	b.Prog.Exposes = append(b.Prog.Exposes, e)
	b.enter(name, e)
	return e
}

// GlobalConst is the address of a cell.
func (b *Builder) GlobalConst(g *Global) *Const {
	if g == nil {
		b.errorf("no cell")
		return nil
	}
	return b.operand(g, Const{Kind: ConstGlobal, Global: g, Type: b.Types.IRef(g.Type), Name: g.Name, ID: g.ID})
}

// FuncConst is a reference to a function.
func (b *Builder) FuncConst(f *Function) *Const {
	if f == nil {
		b.errorf("no function")
		return nil
	}
	return b.operand(f, Const{Kind: ConstFunc, Func: f, Type: b.Types.Of(KFuncRef, f.Sig), Name: f.Name, ID: f.ID})
}

// ExposeConst is the pointer to an exposed function.
func (b *Builder) ExposeConst(e *Expose) *Const {
	if e == nil {
		b.errorf("no exposed function")
		return nil
	}
	return b.operand(e, Const{Kind: ConstExpose, Expose: e, Type: e.Type, Name: e.Name, ID: e.ID})
}

func (b *Builder) operand(e any, c Const) *Const {
	if known := b.operands[e]; known != nil {
		return known
	}
	b.operands[e] = &c
	return &c
}

// Finish checks the bodies, gives them and what is in them entity ids, and
// returns the program, with all that was wrong.
func (b *Builder) Finish() (*Program, error) {
	for _, f := range b.bodies {
		f.check()
		f.V.giveIDs(f.Prog)
	}
	b.bodies = nil
	return b.Prog, errors.Join(b.errs...)
}

// A BodyBuilder makes one version of a function, instruction by instruction, at
// the end of a current block. Operands are values: parameters, results, and what
// Const and its relatives make of constants.
type BodyBuilder struct {
	*Builder
	V   *Version
	Pos diag.Pos // of what is made next

	cur  BlockID
	last InstID // the instruction that clauses are added to
}

// Body begins a version, whose name is that of the function, a dot and name. Its
// entry block, which is current, has the parameters of the signature.
func (b *Builder) Body(f *Function, name string) *BodyBuilder {
	v := &Version{Func: f, Name: f.Name + "." + name, Insts: make([]Inst, 1), Values: make([]Value, 1)}
	f.Versions = append(f.Versions, v)
	fb := &BodyBuilder{Builder: b, V: v}
	b.bodies = append(b.bodies, fb)
	fb.At(fb.Block("%entry", b.typer.at(f.Sig).Fields...))
	return fb
}

// errorAt reports an error at the current block.
func (f *BodyBuilder) errorAt(format string, args ...any) {
	f.errorf("%s: %s", f.V.BlockName(f.cur), fmt.Sprintf(format, args...))
}

// Block makes a block with parameters. It does not become current.
func (f *BodyBuilder) Block(name string, params ...TypeID) BlockID {
	id := f.V.NewBlock(name, f.Pos)
	for _, t := range params {
		f.V.AddParam(id, t, "")
	}
	return id
}

// ExcBlock makes a block with parameters and an exception parameter.
func (f *BodyBuilder) ExcBlock(name string, params ...TypeID) BlockID {
	id := f.Block(name, params...)
	f.V.SetExcParam(id, f.Types.Ref(f.Types.Void()), "")
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
		f.errorAt("%s: destination %d is the entry block, or none", t.Op, k)
		return
	}
	to, name := &f.V.Blocks[d.Block], f.V.BlockName(d.Block)
	if e := t.ExcDest(); to.Exc != 0 && e != d {
		f.errorAt("%s: %s has an exception parameter, but is a normal destination", t.Op, name)
	}
	if len(d.Args) != len(to.Params) {
		f.errorAt("%s: %s wants %d arguments, got %d", t.Op, name, len(to.Params), len(d.Args))
		return
	}
	for i, a := range d.Args {
		have, want := f.TypeOf(a), f.TypeOf(to.Params[i])
		if have != want && have != NoType && want != NoType {
			f.errorAt("%s: argument %d of %s wants %s, got %s", t.Op, i+1, name, f.Types.Text(want), f.Types.Text(have))
		}
	}
}
