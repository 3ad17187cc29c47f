package mu

import (
	"github.com/uvm2go/uvm2go/internal/lexis/decl"
	"github.com/uvm2go/uvm2go/internal/lexis/hail"
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/internal/lexdiag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// LoadHAIL checks a HAIL script (docs/hail.md) against a loaded program and
// appends its objects and stores to the program's heap image. It reports whether
// the script has no errors; if it has, they are added to diags and the image is
// unchanged.
//
// An image is a list of stores. Lists are taken apart into stores of scalars.
// The right side of an .init is evaluated before its first store: where a list
// copies from the object or cell that it initialises, the copies go through
// temporary objects.
func LoadHAIL(p *ir.Program, files *diag.Set, src Source, diags *diag.List) bool {
	before := diags.Errors()
	f, err := diags.Open(src.Name, src.Text)
	if err != nil {
		diags.Errorf(diag.Pos{}, "%v", err)
		return false
	}
	s := hail.Parse(src.Text, hail.NewSymbols())
	lexdiag.Add(diags, f, s.Reports)
	if len(s.Reports) == 0 {
		im := p.Image
		if im == nil {
			im = &ir.Image{}
		}
		h := &imager{Script: s, file: f, p: p, hidden: p.Hidden(), t: p.Types, diags: diags, consts: map[imageConst]*ir.Const{},
			global: make([]any, s.Syms.Len()), object: make([]int32, s.Syms.Len())}
		h.info.init(ir.NewTyper(p.Types, true))
		objects, inits := h.count()
		h.im.Objects = append(make([]ir.ImageObject, 0, len(im.Objects)+objects), im.Objects...)
		h.im.Inits = append(make([]ir.ImageInit, 0, len(im.Inits)+inits), im.Inits...)
		h.script()
		if diags.Errors() == before {
			p.Image = &h.im
		}
	}
	diags.Sort()
	return diags.Errors() == before
}

// An imager turns one script into stores.
type imager struct {
	*hail.Script
	file   *diag.File
	p      *ir.Program
	hidden map[string][]int // of p
	t      *ir.Types
	info   typeInfo
	diags  *diag.List
	im     ir.Image
	global []any   // by Sym.Index: what a global name denotes; unknownName after a report
	object []int32 // by Sym.Index: one more than the number of the object, 0 if none
	consts map[imageConst]*ir.Const
	paths  []uint64                 // slab for paths
	temps  map[hail.Off]ir.ImageLoc // copies made ahead, by place in the source
}

type imageConst struct {
	typ    ir.TypeID
	kind   ir.ConstKind
	hi, lo uint64
}

type unknownName struct{}

// A place is a location of a script: an ir.ImageLoc, or the whole variable part
// of a hybrid, which is not a location of the representation.
type place struct {
	ir.ImageLoc
	part bool   // the variable part of a hybrid: Type is its element type
	n    uint64 // its length, of a hybrid or its variable part
}

func (h *imager) pos(off hail.Off) diag.Pos { return diag.Pos{File: h.file.ID(), Off: uint32(off)} }

func (h *imager) errorf(off hail.Off, format string, args ...any) *diag.Diagnostic {
	return h.diags.Errorf(h.pos(off), format, args...)
}

// count returns the number of objects, and roughly the number of stores, of the script.
func (h *imager) count() (objects, stores int) {
	var scalars func(v hail.Value) int
	scalars = func(v hail.Value) int {
		n := 1
		if v.Kind == hail.List {
			n = 0
			for _, x := range h.List(v) {
				n += scalars(x)
			}
		}
		return n
	}
	for i := range h.Defs {
		if d := &h.Defs[i]; d.Kind == hail.Init {
			stores += scalars(d.Right)
		} else {
			objects++
		}
	}
	return objects, stores
}

func (h *imager) script() {
	for i := range h.Defs {
		if d := &h.Defs[i]; d.Kind != hail.Init {
			h.allocate(d)
		}
	}
	for i := range h.Defs {
		if d := &h.Defs[i]; d.Kind == hail.Init {
			h.init(d)
		}
	}
}

// lookup finds what a global name denotes, and reports one that is unknown.
func (h *imager) lookup(n hail.Name) any {
	e := &h.global[n.Sym.Index()]
	if *e == nil {
		name := h.Spelling(n)
		known, ok := h.p.Entities[name]
		if !ok || h.hidden[name] != nil {
			h.errorf(n.Off, "unknown name %s", name)
			known = unknownName{}
		}
		*e = known
	}
	return *e
}

// describe says what kind of thing a name denotes.
func (h *imager) describe(e any) string {
	switch e := e.(type) {
	case ir.TypeID:
		if h.t.Kind(e) == ir.KSig {
			return entSig.String()
		}
		return entType.String()
	case *ir.Const:
		return entConst.String()
	case *ir.Global:
		return entGlobal.String()
	case *ir.Function:
		return entFunc.String()
	case *ir.Expose:
		return entExpose.String()
	}
	return entNone.String()
}

// allocate checks a .new or .newhybrid.
func (h *imager) allocate(d *hail.Def) {
	name := h.Spelling(d.Name)
	obj := ir.ImageObject{Name: name, Pos: h.pos(d.Name.Off)}
	switch e := h.lookup(d.Type).(type) {
	case unknownName:
	case ir.TypeID:
		k := h.t.Kind(e)
		switch {
		case k == ir.KSig:
			h.errorf(d.Type.Off, "%s is a signature, not a type", h.Spelling(d.Type))
		case d.Kind == hail.New && k == ir.KHybrid:
			h.errorf(d.Type.Off, "%s: .new wants a type that is not a hybrid, got %s; use .newhybrid", name, h.Spelling(d.Type))
		case d.Kind == hail.NewHybrid && k != ir.KHybrid:
			h.errorf(d.Type.Off, "%s: .newhybrid wants a hybrid, got %s", name, h.Spelling(d.Type))
		default:
			obj.Type = e
		}
	default:
		h.errorf(d.Type.Off, "%s is %s, not a type", h.Spelling(d.Type), h.describe(e))
	}
	if d.Kind == hail.NewHybrid {
		obj.Len, _ = h.number(d.Len, "length")
	}
	at := &h.object[d.Name.Sym.Index()]
	if *at != 0 {
		h.errorf(d.Name.Off, "%s redefined", name).Before(h.im.Objects[*at-1].Pos)
		return
	}
	h.im.Objects = append(h.im.Objects, obj)
	*at = int32(len(h.im.Objects))
}

// number evaluates a length or an index: a literal or a constant of any int
// type, unsigned.
func (h *imager) number(v hail.Value, what string) (uint64, bool) {
	if n := h.Int(v); n != nil {
		if !n.IsUint64() {
			h.errorf(v.Off, "invalid %s %s", what, h.Text(n.Off, n.End))
			return 0, false
		}
		return n.Lo, true
	}
	n := h.Name(v)
	e := h.lookup(n)
	c, ok := e.(*ir.Const)
	switch {
	case e == unknownName{}:
	case !ok:
		h.errorf(v.Off, "%s is %s: %s wants an integer constant", h.Spelling(n), h.describe(e), decl.Article(what))
	case h.t.Kind(c.Type) != ir.KInt:
		h.errorf(v.Off, "%s: %s wants an int, got %s", h.Spelling(n), decl.Article(what), h.t.String(c.Type))
	case c.Hi != 0:
		h.errorf(v.Off, "%s: %s is too large", h.Spelling(n), decl.Article(what))
	default:
		return c.Lo, true
	}
	return 0, false
}

// path makes the path of a part.
func (h *imager) path(parent []uint64, i uint64) []uint64 {
	n := len(parent) + 1
	if n > len(h.paths) {
		h.paths = make([]uint64, max(n, 4096))
	}
	p := h.paths[:n:n]
	h.paths = h.paths[n:]
	copy(p, parent)
	p[n-1] = i
	return p
}

// base resolves the first name of a location.
func (h *imager) base(n hail.Name) (place, bool) {
	name := h.Spelling(n)
	if name[0] == '$' {
		i := h.object[n.Sym.Index()]
		if i == 0 {
			h.errorf(n.Off, "unknown object %s", name)
			return place{}, false
		}
		obj := &h.im.Objects[i-1]
		return place{ImageLoc: ir.ImageLoc{Object: int(i - 1), Type: obj.Type}, n: obj.Len}, obj.Type != ir.NoType
	}
	switch e := h.lookup(n).(type) {
	case unknownName:
	case *ir.Global:
		return place{ImageLoc: ir.ImageLoc{Global: e, Type: e.Type}}, true
	default:
		h.errorf(n.Off, "%s is %s, not a global cell", name, h.describe(e))
	}
	return place{}, false
}

// locate resolves a location.
func (h *imager) locate(l hail.Location) (place, bool) {
	p, ok := h.base(l.Base)
	if !ok {
		for _, v := range h.Index(l) {
			h.number(v, "index")
		}
		return p, false
	}
	for _, v := range h.Index(l) {
		i, ok := h.number(v, "index")
		if !ok {
			return p, false
		}
		n, what := h.parts(p)
		switch {
		case what == "":
			h.errorf(v.Off, "invalid index: %s (%s) has no parts", h.Spelling(l.Base), h.t.Structure(p.Type, 2))
			return p, false
		case i >= n:
			h.errorf(v.Off, "invalid index %d: %s has %d, numbered from 0", i, what, n)
			return p, false
		}
		p = h.part(p, i)
	}
	return p, true
}

// parts returns the number of parts of a place, and the word for what has them; "" if it
// has none. The variable part of a hybrid is one part.
func (h *imager) parts(p place) (uint64, string) {
	if p.part {
		return p.n, "the variable part"
	}
	switch n := h.t.At(p.Type); n.Kind {
	case ir.KStruct:
		return uint64(len(n.Fields)), "the struct"
	case ir.KHybrid:
		return uint64(len(n.Fields)) + 1, "the hybrid, with its variable part,"
	case ir.KArray, ir.KVector:
		return n.Len, "the " + n.Kind.String()
	}
	return 0, ""
}

// part is part i of a place.
func (h *imager) part(p place, i uint64) place {
	n := h.t.At(p.Type)
	q := p
	q.Path = h.path(p.Path, i)
	switch {
	case p.part:
		q.part = false
	case n.Kind == ir.KStruct:
		q.Type = n.Fields[i]
	case n.Kind == ir.KHybrid && i < uint64(len(n.Fields)):
		q.Type = n.Fields[i]
	case n.Kind == ir.KHybrid:
		q.Type, q.part = n.Elem, true
	default:
		q.Type = n.Elem
	}
	return q
}

// init checks an .init.
func (h *imager) init(d *hail.Def) {
	to, ok := h.locate(d.Left)
	if !ok {
		return
	}
	h.temps = nil
	if d.Right.Kind == hail.List && h.overlaps(d.Left.Base, d.Right) {
		h.temps = map[hail.Off]ir.ImageLoc{}
		h.copyAhead(d.Right)
	}
	h.store(to, d.Right)
}

// overlaps reports whether a value copies from the object or cell base.
func (h *imager) overlaps(base hail.Name, v hail.Value) bool {
	switch v.Kind {
	case hail.Copy:
		return h.Loc(v).Base.Sym == base.Sym
	case hail.List:
		for _, x := range h.List(v) {
			if h.overlaps(base, x) {
				return true
			}
		}
	}
	return false
}

// copyAhead copies the sources of the copies in a list to temporary objects.
func (h *imager) copyAhead(v hail.Value) {
	switch v.Kind {
	case hail.Copy:
		from, ok := h.locate(*h.Loc(v))
		if !ok || from.part || h.t.Kind(from.Type) == ir.KHybrid {
			return // store reports the error
		}
		pos := h.pos(v.Off)
		temp := ir.ImageLoc{Object: len(h.im.Objects), Type: from.Type}
		h.im.Objects = append(h.im.Objects, ir.ImageObject{Type: from.Type, Pos: pos})
		h.im.Inits = append(h.im.Inits, ir.ImageInit{To: temp, Kind: ir.ImageCopy, From: from.ImageLoc, Pos: pos})
		h.temps[v.Off] = temp
	case hail.List:
		for _, x := range h.List(v) {
			h.copyAhead(x)
		}
	}
}

// add appends a store.
func (h *imager) add(to place, v hail.Value, in ir.ImageInit) {
	in.To, in.Pos = to.ImageLoc, h.pos(v.Off)
	h.im.Inits = append(h.im.Inits, in)
}

// constant returns an unnamed constant.
func (h *imager) constant(k ir.ConstKind, t ir.TypeID, hi, lo uint64) *ir.Const {
	key := imageConst{t, k, hi, lo}
	c := h.consts[key]
	if c == nil {
		c = &ir.Const{Kind: k, Type: t, Hi: hi, Lo: lo}
		h.consts[key] = c
	}
	return c
}

// typeText names the type of a place.
func (h *imager) typeText(p place) string {
	if p.part {
		return "the variable part of a hybrid"
	}
	return h.t.String(p.Type)
}

// bad reports that a value cannot be stored in a place.
func (h *imager) bad(to place, v hail.Value) {
	what := ""
	switch v.Kind {
	case hail.Global:
		n := h.Name(v)
		switch e := h.lookup(n).(type) {
		case unknownName:
			return
		case *ir.Const:
			what = h.Spelling(n) + " of type " + h.t.String(e.Type)
		default:
			what = h.Spelling(n) + ", " + h.describe(e)
		}
	case hail.Object:
		what = h.Spelling(h.Name(v))
	case hail.Int:
		what = "an integer"
	case hail.FP:
		what = "a float"
		if h.FP(v).Double {
			what = "a double"
		}
	case hail.Null:
		what = "NULL"
	case hail.Addr:
		what = "an address"
	case hail.Copy:
		what = "the value of a location"
	case hail.List:
		what = "a list"
	}
	h.errorf(v.Off, "%s cannot be set to %s", h.typeText(to), what)
}

// store initialises a place with a value.
func (h *imager) store(to place, v hail.Value) {
	switch {
	case v.Kind == hail.Copy:
		h.copyValue(to, v)
		return
	case v.Kind == hail.Global:
		if _, ok := h.lookup(h.Name(v)).(unknownName); ok {
			return
		}
	}
	k := h.t.Kind(to.Type)
	if to.part || isComposite(k) {
		h.storeParts(to, v)
		return
	}
	ok := false
	switch k {
	case ir.KInt, ir.KUPtr, ir.KUFuncPtr:
		ok = h.storeInt(to, v)
	case ir.KFloat, ir.KDouble:
		ok = h.storeFP(to, v)
	case ir.KRef, ir.KWeakRef:
		ok = h.storeRef(to, v, ir.ImageInit{Kind: ir.ImageObjRef}, ir.ImageConst)
	case ir.KIRef:
		ok = h.storeIRef(to, v)
	case ir.KFuncRef:
		ok = h.storeFuncRef(to, v)
	case ir.KTagRef64:
		ok = h.storeTag(to, v)
	case ir.KStackRef, ir.KThreadRef, ir.KFrameCursorRef, ir.KIRNodeRef, ir.KIRBuilderRef:
		ok = h.storeNull(to, v)
	}
	if !ok {
		h.bad(to, v)
	}
}

// namedConst returns the constant that a value names, nil if it names none.
func (h *imager) namedConst(v hail.Value) *ir.Const {
	if v.Kind != hail.Global {
		return nil
	}
	c, _ := h.lookup(h.Name(v)).(*ir.Const)
	return c
}

// storeParts initialises a composite, or a variable part, from a list.
func (h *imager) storeParts(to place, v hail.Value) {
	if c := h.namedConst(v); c != nil && !to.part && c.Type == to.Type {
		h.add(to, v, ir.ImageInit{Kind: ir.ImageConst, Const: c})
		return
	}
	if v.Kind != hail.List {
		h.bad(to, v)
		return
	}
	n, what := h.parts(to)
	list := h.List(v)
	if uint64(len(list)) > n {
		h.errorf(list[n].Off, "list of %d values: %s has %d", len(list), what, n)
		return
	}
	for i, x := range list {
		h.store(h.part(to, uint64(i)), x)
	}
}

func (h *imager) storeInt(to place, v hail.Value) bool {
	n := h.t.At(to.Type)
	bits := uint32(64)
	if n.Kind == ir.KInt {
		bits = n.Bits
	}
	if i := h.Int(v); i != nil {
		if !i.Fits(bits) {
			h.errorf(v.Off, "%s does not fit in %d bits", h.Text(i.Off, i.End), bits)
			return true
		}
		hi, lo := i.Bits()
		hi, lo = lex.Mask(hi, lo, bits)
		h.add(to, v, ir.ImageInit{Kind: ir.ImageConst, Const: h.constant(ir.ConstInt, to.Type, hi, lo)})
		return true
	}
	if v.Kind != hail.Global {
		return false
	}
	switch e := h.lookup(h.Name(v)).(type) {
	case *ir.Const:
		switch {
		case e.Type == to.Type:
		case n.Kind != ir.KInt && h.t.Kind(e.Type) == n.Kind:
			e = retyped(e, to.Type)
		default:
			return false
		}
		h.add(to, v, ir.ImageInit{Kind: ir.ImageConst, Const: e})
		return true
	case *ir.Expose:
		if n.Kind != ir.KUFuncPtr {
			return false
		}
		h.add(to, v, ir.ImageInit{Kind: ir.ImageConst, Const: &ir.Const{Kind: ir.ConstExpose, Type: to.Type, Expose: e}})
		return true
	}
	return false
}

// fpLiteral returns the bits of a literal, and reports an invalid literal.
func (h *imager) fpLiteral(f *hail.FPLit) uint64 {
	bits, status := f.Pattern(h.Text(f.Off, f.End), f.Double)
	switch status {
	case lex.FPTooLong:
		h.errorf(f.Bits.Off, "%s does not fit in %d bits", h.Text(f.Bits.Off, f.Bits.End), f.Width())
	case lex.FPOverflow:
		h.diags.Warnf(h.pos(f.Off), "%s is too large, it becomes infinity", h.Text(f.Off, f.End))
	}
	return bits
}

func (h *imager) storeFP(to place, v hail.Value) bool {
	double := h.t.Kind(to.Type) == ir.KDouble
	if f := h.FP(v); f != nil {
		if f.Double != double {
			return false
		}
		h.add(to, v, ir.ImageInit{Kind: ir.ImageConst, Const: h.constant(ir.ConstFP, to.Type, 0, h.fpLiteral(f))})
		return true
	}
	c := h.namedConst(v)
	if c == nil || c.Type != to.Type {
		return false
	}
	h.add(to, v, ir.ImageInit{Kind: ir.ImageConst, Const: c})
	return true
}

func (h *imager) storeNull(to place, v hail.Value) bool {
	if v.Kind != hail.Null {
		return false
	}
	h.add(to, v, ir.ImageInit{Kind: ir.ImageConst, Const: h.constant(ir.ConstNull, h.t.Strong(to.Type), 0, 0)})
	return true
}

// storeRef stores a reference to an object, as in describes, or NULL: if null is
// ImageConst, as a constant, else as in with object -1.
func (h *imager) storeRef(to place, v hail.Value, in ir.ImageInit, null ir.ImageKind) bool {
	isNull := v.Kind == hail.Null
	if c := h.namedConst(v); c != nil && h.t.Kind(c.Type) == ir.KRef {
		isNull = true // there are no other constants of the type
	}
	switch {
	case isNull && null == ir.ImageConst:
		in = ir.ImageInit{Kind: null, Const: h.constant(ir.ConstNull, h.t.Strong(to.Type), 0, 0)}
	case isNull:
		in.From.Object = -1
	case v.Kind == hail.Object:
		p, ok := h.base(h.Name(v))
		if !ok {
			return true
		}
		in.From = p.ImageLoc
	default:
		return false
	}
	h.add(to, v, in)
	return true
}

func (h *imager) storeIRef(to place, v hail.Value) bool {
	switch v.Kind {
	case hail.Null:
		return h.storeNull(to, v)
	case hail.Addr:
		p, ok := h.locate(*h.Loc(v))
		if !ok {
			return true
		}
		if p.part { // its first element begins where it does
			p = h.part(p, 0)
		}
		h.add(to, v, ir.ImageInit{Kind: ir.ImageAddr, From: p.ImageLoc})
		return true
	case hail.Global:
		switch e := h.lookup(h.Name(v)).(type) {
		case *ir.Global:
			h.add(to, v, ir.ImageInit{Kind: ir.ImageAddr, From: ir.ImageLoc{Global: e, Type: e.Type}})
			return true
		case *ir.Const:
			if h.t.Kind(e.Type) == ir.KIRef {
				h.add(to, v, ir.ImageInit{Kind: ir.ImageConst, Const: retyped(e, to.Type)})
				return true
			}
		}
	}
	return false
}

func (h *imager) storeFuncRef(to place, v hail.Value) bool {
	if v.Kind != hail.Global {
		return h.storeNull(to, v)
	}
	switch e := h.lookup(h.Name(v)).(type) {
	case *ir.Function:
		h.add(to, v, ir.ImageInit{Kind: ir.ImageConst, Const: &ir.Const{Kind: ir.ConstFunc, Type: to.Type, Func: e}})
		return true
	case *ir.Const:
		if h.t.Kind(e.Type) == ir.KFuncRef {
			h.add(to, v, ir.ImageInit{Kind: ir.ImageConst, Const: retyped(e, to.Type)})
			return true
		}
	}
	return false
}

func (h *imager) storeTag(to place, v hail.Value) bool {
	const intBits, tagBits = 52, 6
	switch v.Kind {
	case hail.FP:
		f := h.FP(v)
		if !f.Double {
			return false
		}
		h.add(to, v, ir.ImageInit{Kind: ir.ImageTagFP, Bits: h.fpLiteral(f)})
	case hail.Int:
		if bits, ok := h.small(v, intBits); ok {
			h.add(to, v, ir.ImageInit{Kind: ir.ImageTagInt, Bits: bits})
		}
	case hail.Global:
		c := h.namedConst(v)
		switch {
		case c != nil && h.t.Kind(c.Type) == ir.KDouble:
			h.add(to, v, ir.ImageInit{Kind: ir.ImageTagFP, Bits: c.Lo})
		case c != nil && c.Type == h.info.i52:
			h.add(to, v, ir.ImageInit{Kind: ir.ImageTagInt, Bits: c.Lo})
		default:
			return false
		}
	case hail.List:
		list := h.List(v)
		if len(list) != 2 {
			h.errorf(v.Off, "list of %d values: a tagref64 wants a reference and a tag", len(list))
			return true
		}
		in := ir.ImageInit{Kind: ir.ImageTagRef}
		switch c := h.namedConst(list[1]); {
		case list[1].Kind == hail.Int:
			bits, ok := h.small(list[1], tagBits)
			if !ok {
				return true
			}
			in.Tag = uint8(bits)
		case c != nil && c.Type == h.info.i6:
			in.Tag = uint8(c.Lo)
		default:
			h.bad(place{ImageLoc: ir.ImageLoc{Type: h.info.i6}}, list[1])
			return true
		}
		if !h.storeRef(to, list[0], in, ir.ImageTagRef) {
			h.bad(place{ImageLoc: ir.ImageLoc{Type: h.info.refVoid}}, list[0])
		}
	default:
		return false
	}
	return true
}

// small returns a literal modulo 2^bits if it fits.
func (h *imager) small(v hail.Value, bits uint32) (uint64, bool) {
	n := h.Int(v)
	if !n.Fits(bits) {
		h.errorf(v.Off, "%s does not fit in %d bits", h.Text(n.Off, n.End), bits)
		return 0, false
	}
	_, lo := lex.Mask(0, n.Low(), bits)
	return lo, true
}

// copyValue stores the value of another location.
func (h *imager) copyValue(to place, v hail.Value) {
	from, ok := h.locate(*h.Loc(v))
	switch {
	case !ok:
		return
	case from.part || h.t.Kind(from.Type) == ir.KHybrid:
		h.errorf(v.Off, "the value of a location of variable length cannot be copied")
		return
	case to.part || from.Type != to.Type && !h.copyable(to.Type, from.Type):
		h.errorf(v.Off, "%s cannot be set to the value of a location of type %s", h.typeText(to), h.t.String(from.Type))
		return
	}
	if temp, ok := h.temps[v.Off]; ok {
		from.ImageLoc = temp
	}
	h.add(to, v, ir.ImageInit{Kind: ir.ImageCopy, From: from.ImageLoc})
}

// copyable reports whether two types differ only in the parameter of a
// reference or pointer, or as ref and weakref do.
func (h *imager) copyable(to, from ir.TypeID) bool {
	a, b := h.t.Kind(h.t.Strong(to)), h.t.Kind(h.t.Strong(from))
	return a == b && (a == ir.KRef || a == ir.KIRef || isPointer(a) || a == ir.KFuncRef)
}
