// Package binary reads and writes the binary form of µVM IR of 2014
// (docs/uvm2014.md, "Binary form").
//
// It makes the tree of package syntax of a binary bundle: what has no name there is
// called by its ID in decimal, @65536 or %65537. It checks what concerns the form, IDs
// above all; the rules of the language are those of the text form and checked on the
// tree.
package binary

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

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
	HasName(name string) bool
}

// Read makes the tree of a bundle. Errors go to errs; the first ends the reading, as
// definitions have no length. The result is never nil, and Bad if there were any.
func Read(file *diag.File, syms *syntax.Symbols, known Known, errs *diag.List) *syntax.Bundle {
	r := &reader{file: file, src: file.Content(), syms: syms, known: known, errs: errs, far: map[uint32]*entity{},
		b: &syntax.Bundle{File: file, Syms: syms, Binary: true}}
	r.bundle()
	if !r.failed {
		r.bindNames()
		r.resolve()
	}
	r.b.Bad = r.failed || r.bad
	r.b.Unread = r.b.Bad
	return r.b
}

// entity is what an ID of the bundle denotes.
type entity struct {
	kind Kind
	fn   int32 // number of the function that it is in, or 0
	sym  syntax.Sym
}

type binding struct {
	off  syntax.Off
	id   uint32
	name []byte
}

// reader decodes one bundle. Names hold IDs instead of symbols until resolve.
type reader struct {
	file   *diag.File
	src    []byte
	pos    int
	syms   *syntax.Symbols
	known  Known
	errs   *diag.List
	failed bool // nothing more can be read
	bad    bool // there were errors
	b      *syntax.Bundle
	// ids has the entities by ID, from firstID; far those whose IDs are not dense.
	ids   []entity
	far   map[uint32]*entity
	names []binding
	fn    int32 // number of the function being read, or 0
	fns   int32

	nameSlab  lex.Slab[syntax.Name]
	valueSlab lex.Slab[syntax.Value]
	caseSlab  lex.Slab[syntax.Case]
	typeSlab  lex.Slab[syntax.Type]
	typesSlab lex.Slab[*syntax.Type]
	sigSlab   lex.Slab[syntax.Sig]
	intSlab   lex.Slab[syntax.IntLit]
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
	list := r.nameSlab.Copy(make([]syntax.Name, n))
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
	case e != nil && !(e.kind == Func && kind == Func):
		r.errorf(off, "ID %d is defined twice: it is %s", id, e.kind)
	case int(id-firstID) >= len(r.src): // no dense numbering gets that far
		r.far[id] = &entity{kind: kind, fn: r.fn}
	default:
		if n := int(id - firstID); n >= len(r.ids) {
			r.ids = append(r.ids, make([]entity, n+1-len(r.ids))...)
		}
		r.ids[id-firstID] = entity{kind: kind, fn: r.fn}
	}
}

// find gives what an ID of the bundle denotes, nil if nothing.
func (r *reader) find(id uint32) *entity {
	if n := int64(id) - firstID; n >= 0 && n < int64(len(r.ids)) {
		if e := &r.ids[n]; e.kind != NoKind {
			return e
		}
		return nil
	}
	return r.far[id]
}

// bundle reads all definitions.
func (r *reader) bundle() {
	for r.pos < len(r.src) && !r.failed {
		r.definition()
	}
}

func (r *reader) definition() {
	off := r.off()
	h := syntax.Head{Off: off}
	begin := func(kind Kind, what string) {
		h.Name.Off = r.off()
		h.ID = r.define(kind, what)
		h.Name.Sym = syntax.Sym(h.ID)
	}
	add := func(d syntax.Def) { r.b.Defs = append(r.b.Defs, d) }
	switch code := r.u8("a definition"); code {
	case defType:
		begin(Type, "a type")
		add(&syntax.TypeDef{Head: h, Type: r.typeCtor()})
	case defSig:
		begin(Sig, "a signature")
		s := r.sigSlab.One()
		s.Off, s.Ret, s.Params = r.off(), r.typ(), r.typeList()
		add(&syntax.SigDef{Head: h, Sig: s})
	case defConst:
		begin(Const, "a constant")
		d := &syntax.ConstDef{Head: h, Type: r.typ()}
		d.Value = r.constCtor()
		add(d)
	case defGlobal:
		begin(Global, "a cell")
		add(&syntax.GlobalDef{Head: h, Type: r.typ()})
	case defFuncDecl:
		begin(Func, "a function declaration")
		add(&syntax.FuncDecl{Head: h, Sig: r.sig()})
	case defFuncDef:
		begin(Func, "a function definition")
		d := &syntax.FuncDef{Head: h}
		add(d)
		r.function(d)
	case defName:
		b := binding{off: off, id: r.u32("a name binding")}
		if n := r.u16("a name binding"); r.need(n, "a name binding") {
			b.name = r.src[r.pos : r.pos+n]
			r.pos += n
			r.names = append(r.names, b)
		}
	default:
		r.fail(off, "unknown definition 0x%02x: want 0x01 to 0x07", code)
	}
}

// typ reads a reference to a type.
func (r *reader) typ() *syntax.Type {
	t := r.typeSlab.One()
	t.Off = r.off()
	t.Name = r.ref("a type")
	return t
}

func (r *reader) typeList() []*syntax.Type {
	n := r.u16("a list of types")
	if !r.need(4*n, "a list of types") || n == 0 {
		return nil
	}
	list := r.typesSlab.Copy(make([]*syntax.Type, n))
	for i := range list {
		list[i] = r.typ()
	}
	return list
}

func (r *reader) sig() *syntax.Sig {
	s := r.sigSlab.One()
	s.Off = r.off()
	s.Name = r.ref("a signature")
	return s
}

// integer makes a literal of a number that has been read.
func (r *reader) integer(off syntax.Off, v uint64) *syntax.IntLit {
	l := r.intSlab.One()
	*l = syntax.IntLit{Off: off, End: off, Lo: v}
	return l
}

func (r *reader) typeCtor() *syntax.Type {
	t := r.typeSlab.One()
	t.Off = r.off()
	code := r.u8("a type constructor")
	t.Kind = syntax.TypeKind(code)
	one := func() []*syntax.Type { return r.typesSlab.Copy([]*syntax.Type{r.typ()}) }
	switch t.Kind {
	case syntax.TypeInt:
		at := r.off()
		t.Len = r.integer(at, uint64(r.u8("the width of an int")))
	case syntax.TypeFloat, syntax.TypeDouble, syntax.TypeVoid, syntax.TypeThread, syntax.TypeStack, syntax.TypeTagRef64:
	case syntax.TypeRef, syntax.TypeIRef, syntax.TypeWeakRef:
		t.Args = one()
	case syntax.TypeStruct:
		t.Args = r.typeList()
	case syntax.TypeArray:
		t.Args = one()
		at := r.off()
		t.Len = r.integer(at, r.u64("the length of an array"))
	case syntax.TypeHybrid:
		t.Args = r.typesSlab.Copy([]*syntax.Type{r.typ(), r.typ()})
	case syntax.TypeFunc:
		t.Sig = r.sig()
	default:
		r.fail(t.Off, "unknown type constructor 0x%02x", code)
	}
	return t
}

func (r *reader) constCtor() *syntax.Const {
	c := &syntax.Const{Off: r.off()}
	code := r.u8("a constant")
	bits := func(v uint64, double bool) *syntax.FPLit {
		return &syntax.FPLit{Off: c.Off, End: c.Off, Form: lex.FPBits, Double: double, Bits: r.integer(c.Off, v)}
	}
	switch code {
	case conInt:
		c.Kind, c.Int = syntax.ConstInt, r.integer(c.Off, r.u64("an integer"))
		// The low bits count: what is negative as 64 bits is written so.
		if int64(c.Int.Lo) < 0 {
			c.Int.Neg, c.Int.Lo = true, -c.Int.Lo
		}
	case conFloat:
		c.Kind, c.FP = syntax.ConstFP, bits(uint64(r.u32("a float")), false)
	case conDouble:
		c.Kind, c.FP = syntax.ConstFP, bits(r.u64("a double"), true)
	case conStruct:
		c.Kind = syntax.ConstList
		for _, n := range r.refs("a struct constant") {
			c.List = append(c.List, syntax.Value{Off: n.Off, Name: n})
		}
	case conNull:
		c.Kind = syntax.ConstNull
	default:
		r.fail(c.Off, "unknown constant constructor 0x%02x", code)
	}
	return c
}

// The fewest bytes that a block and an instruction take.
const (
	minBlock = 8
	minInst  = 5
)

func (r *reader) function(d *syntax.FuncDef) {
	d.Sig = r.sig()
	r.fns++
	r.fn = r.fns
	defer func() { r.fn = 0 }()
	n := r.u16("the parameters")
	if !r.need(4*n, "the parameters") {
		return
	}
	d.Params = make([]syntax.Param, n)
	for i := range d.Params {
		off := r.off()
		id := r.define(param, "a parameter")
		d.Params[i] = syntax.Param{Name: syntax.Name{Sym: syntax.Sym(id), Off: off}, ID: id}
	}
	d.Open = r.off()
	blocks := int64(r.u32("the number of blocks"))
	if !r.need(int(min(blocks*minBlock, math.MaxInt32)), "the blocks") {
		return
	}
	d.Blocks = make([]syntax.Block, 0, blocks)
	for range blocks {
		r.block(d)
	}
	d.Close = r.off()
	r.b.Blocks += len(d.Blocks)
}

func (r *reader) block(d *syntax.FuncDef) {
	start := func(off syntax.Off, id uint32) {
		d.Blocks = append(d.Blocks, syntax.Block{Off: off, ID: id, Name: syntax.Name{Sym: syntax.Sym(id), Off: off}})
	}
	off := r.off()
	start(off, r.define(block, "a block"))
	n := int64(r.u32("the number of instructions"))
	if !r.need(int(min(n*minInst, math.MaxInt32)), "the instructions of a block") {
		return
	}
	insts := make([]syntax.Inst, 0, n)
	flush := func() {
		d.Blocks[len(d.Blocks)-1].Insts = insts
		r.b.Insts += len(insts)
	}
	for range n {
		if r.failed {
			break
		}
		at := r.off()
		id := r.u32("an instruction")
		if r.pos < len(r.src) && r.src[r.pos] == labelCode {
			r.pos++
			r.b.Deviations = append(r.b.Deviations, syntax.Deviation{Off: at, Kind: "label", Text: "a label among the instructions begins a block"})
			r.defineID(at, id, block)
			flush()
			insts = nil
			start(at, id)
			continue
		}
		if r.failed {
			break
		}
		r.defineID(at, id, inst)
		insts = append(insts, syntax.Inst{Off: at, ID: id, Name: syntax.Name{Sym: syntax.Sym(id), Off: at}, Order: syntax.NoOrder, OrderFail: syntax.NoOrder})
		r.inst(&insts[len(insts)-1])
	}
	flush()
}

// inst reads an instruction after its ID: the parts of its text form in order, but for
// arguments and keep-alive variables, which come last.
func (r *reader) inst(in *syntax.Inst) {
	in.OpOff = r.off()
	code := r.u8("an instruction")
	if r.failed {
		return
	}
	if in.Op = syntax.OpOf(code); in.Op == syntax.NoOp {
		r.fail(in.OpOff, "unknown instruction 0x%02x", code)
		return
	}
	what := in.Op.String()
	form := in.Op.Form()
	var args, keep bool
	var vals [4]syntax.Value
	var dests [3]syntax.Name
	nv, nd := 0, 0
	for i := 0; i < len(form) && !r.failed; i++ {
		switch form[i] {
		case 'T', 'E':
			in.Type = r.typ()
		case 'U':
			in.Type = r.typ()
			in.Type2 = r.typ()
		case 'F':
			in.Type = r.typ()
			off := r.off()
			in.Imm = r.integer(off, uint64(r.u16(what)))
		case 'S':
			in.Sig = r.sig()
		case 'v', 'c':
			n := r.ref(what)
			vals[nv] = syntax.Value{Off: n.Off, Name: n}
			nv++
		case 'a':
			args = true
		case 'L':
			dests[nd] = r.ref(what)
			nd++
		case 's', 'p':
			r.cases(in, form[i] == 'p')
		case 'o', 'O':
			o := r.order(what)
			if in.Op == syntax.CmpXchg && in.Order != syntax.NoOrder {
				in.OrderFail = o
			} else {
				in.Order = o
			}
		case 'R':
			off := r.off()
			if op := r.u8(what); op < uint8(syntax.NumRMWs) {
				in.RMW = syntax.RMW(op)
			} else {
				r.fail(off, "unknown operation 0x%02x of ATOMICRMW", op)
			}
		case 'I':
			off := r.off()
			in.Imm = r.integer(off, uint64(r.u32(what)))
		case 'g':
			off := r.off()
			id := r.u32(what)
			name, ok := intrinsicNames[id]
			if !ok && !r.failed {
				r.errorf(off, "unknown intrinsic function 0x%x", id)
				name = "@uvm.unknown"
			}
			in.Intrinsic = syntax.Name{Sym: r.syms.Intern([]byte(name)), Off: off}
		case 'D':
			off := r.off()
			if c := r.u8(what); c != 0 && !r.failed {
				r.fail(off, "unknown calling convention 0x%02x: want 0x00, DEFAULT", c)
			}
		case 'k', 'K':
			keep = in.Op != syntax.CCall
		}
	}
	in.Dests = r.nameSlab.Copy(dests[:nd])
	list := vals[:nv]
	if args {
		for _, n := range r.refs(what) {
			list = append(list, syntax.Value{Off: n.Off, Name: n})
		}
	}
	in.Args = r.valueSlab.Copy(list)
	if keep {
		in.Keep = r.refs(what)
		in.HasKeep = len(in.Keep) > 0 || form[len(form)-1] == 'K'
	}
}

func (r *reader) cases(in *syntax.Inst, phi bool) {
	n := r.u16(in.Op.String())
	if !r.need(8*n, in.Op.String()) {
		return
	}
	in.Cases = r.caseSlab.Copy(make([]syntax.Case, n))
	for i := range in.Cases {
		a, b := r.ref("a case"), r.ref("a case")
		if !phi {
			a, b = b, a
		}
		in.Cases[i] = syntax.Case{Label: a, Value: syntax.Value{Off: b.Off, Name: b}}
	}
}

func (r *reader) order(what string) syntax.Order {
	off := r.off()
	o := r.u8(what)
	if o > uint8(syntax.SeqCst) {
		r.fail(off, "unknown memory order 0x%02x", o)
	}
	return syntax.Order(o)
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

// bindNames gives entities the names that the bundle binds. One that is ill-formed or
// taken is dropped. Others get the name of their ID when they are referred to.
func (r *reader) bindNames() {
	// Names are bound function by function, so that a name need only remember where it was
	// bound last.
	byFn := make([][]binding, r.fns+1)
	for _, n := range r.names {
		if e := r.find(n.id); e != nil {
			byFn[e.fn] = append(byFn[e.fn], n)
		} else if _, ok := r.known.ByID(n.id); !ok {
			r.drop(n, "the name %s is bound to ID %d, which is not defined: it is dropped", lex.Quote(n.name), n.id)
		}
	}
	var values, labels []int32 // by symbol: one more than the function where it was bound last
	for fn, l := range byFn {
		for _, n := range l {
			e := r.find(n.id)
			if !wellFormed(n.name, e.kind.local()) {
				r.drop(n, "the name %s of %s is ill-formed: it is dropped", lex.Quote(n.name), e.kind)
				continue
			}
			sym := r.syms.Intern(n.name)
			last := &values
			if e.kind == block {
				last = &labels
			}
			for len(*last) < r.syms.Len() {
				*last = append(*last, make([]int32, r.syms.Len()-len(*last))...)
			}
			if (*last)[sym.Index()] == int32(fn)+1 || !e.kind.local() && r.known.HasName(r.syms.String(sym)) || r.isOther(n.name, n.id) {
				r.drop(n, "the name %s is taken: it is dropped", lex.Quote(n.name))
				continue
			}
			(*last)[sym.Index()] = int32(fn) + 1
			e.sym = sym
		}
	}
}

func (r *reader) drop(n binding, format string, args ...any) {
	r.b.Deviations = append(r.b.Deviations, syntax.Deviation{Off: n.off, Kind: "name", Text: fmt.Sprintf(format, args...)})
}

// symbol is the name of an entity, made of its ID if none was bound to it.
func (r *reader) symbol(id uint32, e *entity) syntax.Sym {
	if e.sym == 0 {
		sigil := byte('@')
		if e.kind.local() {
			sigil = '%'
		}
		var room [12]byte
		e.sym = r.syms.Intern(strconv.AppendUint(append(room[:0], sigil), uint64(id), 10))
	}
	return e.sym
}

// isOther reports whether a name is the one that another ID has when it has none.
func (r *reader) isOther(name []byte, id uint32) bool {
	if name[1] < '1' || name[1] > '9' {
		return false
	}
	n, err := strconv.ParseUint(string(name[1:]), 10, 32)
	return err == nil && uint32(n) != id && r.find(uint32(n)) != nil
}

// wellFormed reports whether a name is one that text can have.
func wellFormed(name []byte, local bool) bool {
	sigil := byte('@')
	if local {
		sigil = '%'
	}
	if len(name) < 2 || name[0] != sigil {
		return false
	}
	for _, c := range name[1:] {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '_', c == '-', c == '.':
		default:
			return false
		}
	}
	return true
}
