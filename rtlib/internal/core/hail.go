package core

import (
	"fmt"
	"math"
	"sync"
	"unsafe"

	"github.com/uvm2go/uvm2go/internal/lexis/hail"
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// HAIL scripts that are loaded at run time (docs/hail.md), in programs that describe their
// entities. All objects are made first, then the stores are made in order, each after its
// right side is evaluated. Only the first part can collect.

// hailRun is a script being run.
type hailRun struct {
	*hail.Script
	name    string // "" if it has none
	t       *Ctx
	objects map[hail.Sym]hailObject
	asking  *Program // the program whose code loads the script, nil for a client

	mu   sync.Mutex
	refs []uintptr // of objects; guarded by mu
}

type hailObject struct {
	ref uintptr
	ty  *VType
	n   uint64
}

// hailPlace is a location: part, the variable part of a hybrid as a whole, of n elements.
type hailPlace struct {
	addr uintptr
	ty   *VType // of the location, of the elements with part
	part bool
	n    uint64 // number of elements of the variable part, for a hybrid or with part
}

// hailRuns keeps the objects of scripts alive.
var hailRuns struct {
	once sync.Once
	mu   sync.Mutex
	runs map[*hailRun]bool // guarded by mu
}

// MetaLoadHAIL is @uvm.meta.load_hail.
func MetaLoadHAIL(t *Ctx, text uintptr) {
	src, m := readBytes(text)
	must(t, m)
	LoadHAIL(t, src)
}

// LoadHAIL runs a HAIL script.
func LoadHAIL(t *Ctx, src string) {
	r, m := parseHAIL(t, "", src)
	must(t, m)
	must(t, r.run())
}

// parseHAIL makes a script ready to run.
func parseHAIL(t *Ctx, name, src string) (*hailRun, *misuse) {
	r := &hailRun{Script: hail.Parse([]byte(src), hail.NewSymbols()), name: name, t: t, asking: asking(), objects: map[hail.Sym]hailObject{}}
	if e := lex.First(r.Reports); e != nil {
		return nil, &misuse{ParseError, "E_PARSE", r.at(e.Off, e.Msg)}
	}
	return r, nil
}

func visitHAIL(visit func(addr uintptr)) {
	hailRuns.mu.Lock()
	defer hailRuns.mu.Unlock()
	for r := range hailRuns.runs {
		r.mu.Lock()
		for _, o := range r.refs {
			visit(o)
		}
		r.mu.Unlock()
	}
}

// hailFault is the panic that stops a script.
type hailFault struct{ *misuse }

func (r *hailRun) fail(off hail.Off, format string, args ...any) {
	panic(hailFault{&misuse{HAILError, "E_HAIL", r.at(off, lex.Message(format, args...))}})
}

// at adds the place of an error before its message.
func (r *hailRun) at(off hail.Off, msg string) string {
	line, col := lex.Position(r.Src, off)
	place := fmt.Sprintf("%d:%d", line, col)
	if r.name != "" {
		place = r.name + ":" + place
	}
	return "load_hail: " + place + ": " + msg
}

func (r *hailRun) run() (m *misuse) {
	hailRuns.once.Do(func() {
		hailRuns.runs = map[*hailRun]bool{}
		gc.RegisterRoots(visitHAIL)
	})
	hailRuns.mu.Lock()
	hailRuns.runs[r] = true
	hailRuns.mu.Unlock()
	defer func() {
		hailRuns.mu.Lock()
		delete(hailRuns.runs, r)
		hailRuns.mu.Unlock()
		if e := recover(); e != nil {
			f, ok := e.(hailFault)
			if !ok {
				panic(e)
			}
			m = f.misuse
		}
	}()
	for i := range r.Defs {
		if d := &r.Defs[i]; d.Kind != hail.Init {
			r.allocate(d)
		}
	}
	for i := range r.Defs {
		if d := &r.Defs[i]; d.Kind == hail.Init {
			var stores []func()
			r.assign(r.place(d.Left), d.Right, &stores)
			for _, s := range stores {
				s()
			}
		}
	}
	return nil
}

// entity finds what a name denotes.
func (r *hailRun) entity(n hail.Name, off hail.Off) *Entity {
	name := r.Spelling(n)
	id, ok := vmOf(r.t).idNamed(r.asking, name)
	if !ok {
		r.fail(off, "unknown name %s", name)
	}
	e := vmOf(r.t).EntityOf(id)
	if e == nil || e.Kind == SigEntity {
		r.fail(off, "%s is neither a type nor a value", name)
	}
	return e
}

func (r *hailRun) allocate(d *hail.Def) {
	if _, ok := r.objects[d.Name.Sym]; ok {
		r.fail(d.Off, "%s redefined", r.Spelling(d.Name))
	}
	e := r.entity(d.Type, d.Off)
	ty := e.Type
	n := uint64(0)
	switch {
	case e.Kind != TypeEntity:
		r.fail(d.Off, "%s is no type", r.Spelling(d.Type))
	case (ty.Kind == VHybrid) != (d.Kind == hail.NewHybrid):
		r.fail(d.Off, "%s: .new makes what is not hybrid, .newhybrid what is", r.Spelling(d.Type))
	case d.Kind == hail.NewHybrid:
		n = r.number(d.Len)
	}
	g := ty.GC
	if ty.Kind == VVoid {
		g = VoidType
	}
	if g == nil {
		r.fail(d.Off, "no object of %s can be made", r.Spelling(d.Type))
	}
	var p uintptr
	if d.Kind == hail.NewHybrid {
		p = r.t.NewHybrid(g, n)
	} else {
		p = r.t.New(g)
	}
	if made(p, g, n) == 0 {
		panic(hailFault{&misuse{OutOfMemory, "", "load_hail: the heap is exhausted"}})
	}
	r.mu.Lock()
	r.refs = append(r.refs, p)
	r.mu.Unlock()
	r.objects[d.Name.Sym] = hailObject{p, ty, n}
}

// number is the value of an index or a length.
func (r *hailRun) number(v hail.Value) uint64 {
	n := r.Int(v)
	if n == nil {
		name := r.Name(v)
		e := r.entity(name, v.Off)
		if e.Kind != ConstEntity || e.Type.Kind != VInt {
			r.fail(v.Off, "%s is no integer constant", r.Spelling(name))
		}
		w, _ := r.constant(e)
		n = &hail.IntLit{Lo: w[0]}
		if len(w) > 1 {
			n.Hi = w[1]
		}
	}
	switch {
	case n.IsUint64():
		return n.Lo
	case n.Neg:
		r.fail(v.Off, "a negative index or length")
	}
	return 1<<64 - 1
}

// constant is the value of a constant, flattened.
func (r *hailRun) constant(e *Entity) (w []uint64, refs []uintptr) {
	return ConstantOf(r.t, e)
}

// place finds a location.
func (r *hailRun) place(l hail.Location) hailPlace {
	var p hailPlace
	off := l.Base.Off
	if name := r.Spelling(l.Base); name[0] == '$' {
		o, ok := r.objects[l.Base.Sym]
		if !ok {
			r.fail(off, "unknown object %s", name)
		}
		p = hailPlace{addr: o.ref, ty: o.ty, n: o.n}
	} else {
		e := r.entity(l.Base, off)
		if e.Kind != GlobalEntity {
			r.fail(off, "%s is no global cell", name)
		}
		p = hailPlace{addr: e.Addr, ty: e.Type}
	}
	for _, x := range r.Index(l) {
		i := r.number(x)
		n, ok := p.parts()
		switch {
		case !ok:
			r.fail(x.Off, "%s has no parts", p.describe())
		case i >= n:
			r.fail(x.Off, "index %d of %d", i, n)
		}
		p = p.at(i)
	}
	return p
}

// parts is the number of parts of a place; false if it has none.
func (p hailPlace) parts() (uint64, bool) {
	if p.part {
		return p.n, true
	}
	switch p.ty.Kind {
	case VStruct:
		return uint64(len(p.ty.Fields)), true
	case VHybrid:
		return uint64(len(p.ty.Fields)) + 1, true
	case VArray, VVector:
		return p.ty.Len, true
	}
	return 0, false
}

// at is part i.
func (p hailPlace) at(i uint64) hailPlace {
	t := p.ty
	switch {
	case p.part:
		return hailPlace{addr: p.addr + uintptr(i)*t.Size, ty: t}
	case t.Kind == VStruct, t.Kind == VHybrid && i < uint64(len(t.Fields)):
		return hailPlace{addr: p.addr + t.Offsets[i], ty: t.Fields[i]}
	case t.Kind == VHybrid:
		return hailPlace{addr: p.addr + t.GC.Size, ty: t.Elem, part: true, n: p.n}
	}
	return hailPlace{addr: p.addr + uintptr(i)*t.Stride, ty: t.Elem}
}

func (p hailPlace) describe() string {
	if p.part {
		return "the variable part of a hybrid"
	}
	return p.ty.String()
}

// assign evaluates v for a place and appends the stores.
func (r *hailRun) assign(p hailPlace, v hail.Value, stores *[]func()) {
	n, composite := p.parts()
	switch {
	case v.Kind == hail.Copy:
		from := r.place(*r.Loc(v))
		if from.part || p.part || p.ty.Kind == VHybrid || p.ty.Kind == VVoid || !alike(p.ty, from.ty) {
			r.fail(v.Off, "%s cannot be set to the value of %s", p.describe(), from.describe())
		}
		w, refs := LoadValue(from.ty, from.addr, nil, nil)
		*stores = append(*stores, func() { StoreValue(p.ty, p.addr, w, refs) })
	case composite:
		if v.Kind != hail.List {
			r.fail(v.Off, "%s wants a list", p.describe())
		}
		list := r.List(v)
		if uint64(len(list)) > n {
			r.fail(list[n].Off, "%s has %d parts, the list %d", p.describe(), n, len(list))
		}
		for i, e := range list {
			r.assign(p.at(uint64(i)), e, stores)
		}
	default:
		w, refs, ok := r.scalar(p.ty, v)
		if !ok {
			r.fail(v.Off, "%s cannot be set to %s", p.describe(), r.what(v))
		}
		*stores = append(*stores, func() { StoreValue(p.ty, p.addr, w, refs) })
	}
}

// what describes a value that does not fit.
func (r *hailRun) what(v hail.Value) string {
	switch v.Kind {
	case hail.Global:
		n := r.Name(v)
		e := r.entity(n, v.Off)
		if e.Kind == ConstEntity {
			return r.Spelling(n) + " of type " + e.Type.String()
		}
		return r.Spelling(n) + ", " + entityWords[e.Kind]
	case hail.Object:
		return r.Spelling(r.Name(v))
	case hail.FP:
		if r.FP(v).Double {
			return "a double"
		}
	}
	return valueWords[v.Kind]
}

// valueWords are what values of the kinds are called.
var valueWords = map[hail.ValueKind]string{hail.Int: "an integer", hail.FP: "a float", hail.Null: "NULL", hail.Addr: "an address", hail.List: "a list"}

// alike reports whether a location can be copied to another: their types are equal, except
// for referents and weakness.
func alike(a, b *VType) bool {
	weak := func(k VKind) VKind {
		if k == VWeakRef {
			return VRef
		}
		return k
	}
	if a == b {
		return true
	}
	if weak(a.Kind) != weak(b.Kind) || a.Bits != b.Bits || a.Len != b.Len || len(a.Fields) != len(b.Fields) {
		return false
	}
	switch a.Kind {
	case VArray, VVector:
		return alike(a.Elem, b.Elem)
	case VStruct:
		for i := range a.Fields {
			if !alike(a.Fields[i], b.Fields[i]) {
				return false
			}
		}
	}
	return true
}

// scalar is a value for a location of a scalar type, flattened.
func (r *hailRun) scalar(ty *VType, v hail.Value) (w []uint64, refs []uintptr, ok bool) {
	if v.Kind == hail.Global {
		return r.global(ty, v)
	}
	switch ty.Kind {
	case VInt:
		if v.Kind != hail.Int {
			return nil, nil, false
		}
		return r.integer(v, ty.Bits), nil, true
	case VUPtr, VUFuncPtr:
		if v.Kind != hail.Int {
			return nil, nil, false
		}
		return r.integer(v, uint32(8*mem.WordSize)), nil, true
	case VFloat, VDouble:
		f := r.FP(v)
		if f == nil || f.Double != (ty.Kind == VDouble) {
			return nil, nil, false
		}
		return []uint64{r.float(f)}, nil, true
	case VRef, VWeakRef:
		o, ok := r.object(v)
		return nil, []uintptr{o}, ok
	case VIRef:
		if v.Kind != hail.Addr {
			return nil, []uintptr{0}, v.Kind == hail.Null
		}
		p := r.place(*r.Loc(v))
		if p.part && p.n == 0 {
			r.fail(v.Off, "the address of an empty variable part")
		}
		return nil, []uintptr{p.addr}, true
	case VFuncRef:
		return []uint64{0}, nil, v.Kind == hail.Null
	case VStackRef, VThreadRef, VCursorRef, VNodeRef, VBuilderRef:
		return nil, []uintptr{0}, v.Kind == hail.Null
	case VTagRef64:
		switch v.Kind {
		case hail.FP:
			if f := r.FP(v); f.Double {
				return tagged(gc.TagFromFP(math.Float64frombits(r.float(f))))
			}
		case hail.Int:
			return tagged(gc.TagFromInt(r.integer(v, 52)[0]))
		case hail.List:
			return r.tagList(v)
		}
	}
	return nil, nil, false
}

func tagged(w uint64) ([]uint64, []uintptr, bool) { return []uint64{w}, []uintptr{gc.TagRoot(w)}, true }

// tagList is {REF TAG}.
func (r *hailRun) tagList(v hail.Value) ([]uint64, []uintptr, bool) {
	list := r.List(v)
	if len(list) != 2 {
		return nil, nil, false
	}
	ref, tag := list[0], list[1]
	o, ok := r.object(ref)
	if ref.Kind == hail.Global {
		e := r.entity(r.Name(ref), ref.Off)
		ok = e.Kind == ConstEntity && e.Type.Kind == VRef
	}
	if !ok {
		return nil, nil, false
	}
	var n uint64
	if tag.Kind == hail.Global {
		e := r.entity(r.Name(tag), tag.Off)
		if e.Kind != ConstEntity || e.Type.Kind != VInt || e.Type.Bits != 6 {
			return nil, nil, false
		}
		w, _ := r.constant(e)
		n = w[0]
	} else if tag.Kind == hail.Int {
		n = r.integer(tag, 6)[0]
	} else {
		return nil, nil, false
	}
	return tagged(gc.TagFromRef(o, uint8(n)))
}

// object is the object that $x or NULL refers to.
func (r *hailRun) object(v hail.Value) (uintptr, bool) {
	if v.Kind != hail.Object {
		return 0, v.Kind == hail.Null
	}
	n := r.Name(v)
	o, ok := r.objects[n.Sym]
	if !ok {
		r.fail(v.Off, "unknown object %s", r.Spelling(n))
	}
	return o.ref, true
}

// integer is a literal as bits, which it must fit signed or unsigned.
func (r *hailRun) integer(v hail.Value, bits uint32) []uint64 {
	n := r.Int(v)
	if !n.Fits(bits) {
		r.fail(v.Off, "the integer does not fit %d bits", bits)
	}
	hi, lo := n.Bits()
	if hi, lo = lex.Mask(hi, lo, bits); bits <= 64 {
		return []uint64{lo}
	}
	return []uint64{lo, hi}
}

// float is a literal as bits. A literal that is too large becomes infinite.
func (r *hailRun) float(f *hail.FPLit) uint64 {
	bits, status := f.Pattern(r.Text(f.Off, f.End), f.Double)
	if status == lex.FPTooLong {
		r.fail(f.Bits.Off, "%s does not fit in %d bits", r.Text(f.Bits.Off, f.Bits.End), f.Width())
	}
	return bits
}

// global is the value that a name stands for, for a location of a type.
func (r *hailRun) global(ty *VType, v hail.Value) (w []uint64, refs []uintptr, ok bool) {
	e := r.entity(r.Name(v), v.Off)
	switch e.Kind {
	case ConstEntity:
		w, refs = r.constant(e)
		switch k := e.Type.Kind; {
		case ty.Kind == VTagRef64 && k == VDouble:
			return tagged(gc.TagFromFP(math.Float64frombits(w[0])))
		case ty.Kind == VTagRef64 && k == VInt && e.Type.Bits == 52:
			return tagged(gc.TagFromInt(w[0]))
		}
		return w, refs, alike(ty, e.Type)
	case GlobalEntity:
		return nil, []uintptr{e.Addr}, ty.Kind == VIRef
	case FuncEntity:
		return []uint64{uint64(uintptr(unsafe.Pointer(e.Func)))}, nil, ty.Kind == VFuncRef
	case ExposeEntity:
		return []uint64{uint64(e.Exposure.addr)}, nil, ty.Kind == VUFuncPtr || ty.Kind == VUPtr
	}
	return nil, nil, false
}
