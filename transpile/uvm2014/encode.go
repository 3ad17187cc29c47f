package uvm2014

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/binary"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// How a bundle is written in the binary form, in which types and constants do not nest:
//
//  1. Types, signatures and constants that are written in place get a definition, one for all
//     equal ones; if an equal one with a name exists, that is used.
//  2. IDs are assigned in the order in which definitions are written: types, signatures,
//     constants, cells, functions with their contents. Within each kind those with a name come
//     first, in the order of the bundle, then the others in the order of first use, each after
//     its parts.
//  3. The definitions are written, then the names.

// toBinary converts a bundle to the binary form.
func toBinary(src dialect.Source, opt dialect.Options) ([]byte, *diag.List) {
	l, b, ok := loadWhole(src, opt)
	if !ok {
		return nil, l.diags
	}
	e := &encoder{loader: l, types: map[ir.TypeID]uint32{}, consts: map[string]uint32{}, ids: map[syntax.Sym]uint32{}}
	e.encode()
	out, at, err := e.w.Bytes()
	if err != nil {
		l.diags.Errorf(b.Pos(at), "%v", err)
	}
	return out, l.diags
}

// toText converts a bundle to the text form, with the canonical layout and without its comments.
func toText(src dialect.Source, opt dialect.Options) ([]byte, *diag.List) {
	l, b, ok := loadWhole(src, opt)
	if !ok {
		return nil, l.diags
	}
	out, err := Format(src.Name, syntax.Print(b))
	if err != nil {
		l.diags.Errorf(diag.Pos{}, "internal error: %v", err)
	}
	return out, l.diags
}

// loadWhole loads the bundle to be converted, with its whole tree, after the bundles before it.
// These are converted to the binary form first, so that their IDs are those of that form.
func loadWhole(src dialect.Source, opt dialect.Options) (*loader, *syntax.Bundle, bool) {
	files := diag.NewSet()
	l := newLoader(files, opt, diag.NewList(files))
	l.inline = map[syntax.Off]*ir.Const{}
	before := slices.Clone(opt.Before)
	for i, s := range before {
		if !isBinary(s.Text) {
			opt.Before = before[:i]
			bin, diags := toBinary(s, opt)
			if diags.HasErrors() {
				l.diags = diags
				return l, nil, false
			}
			before[i].Text = bin
		}
	}
	for _, s := range before {
		if b := l.parse(s, binary.Streamed); b != nil && !b.Unread {
			l.bundle(b)
		}
	}
	b := l.parse(src, binary.Whole)
	if b != nil && !b.Unread {
		l.bundle(b)
	}
	l.diags.Sort()
	return l, b, b != nil && !l.diags.HasErrors()
}

// encoder writes one bundle.
type encoder struct {
	*loader
	w      binary.Writer
	first  uint32                // ID of the bundle
	next   uint32                // next ID to be assigned
	ids    map[syntax.Sym]uint32 // of global names
	types  map[ir.TypeID]uint32  // of types and signatures
	consts map[string]uint32     // by constKey

	typeDefs  []syntax.Type
	sigDefs   []syntax.Sig
	conDefs   []*ir.Const
	typeIDs   []uint32 // of typeDefs
	sigIDs    []uint32
	conIDs    []uint32
	conOffs   []syntax.Off
	names     []nameOf
	functions []*encFunc
}

type nameOf struct {
	id   uint32
	name string
	off  syntax.Off
}

// encFunc has the IDs of the things in a function.
type encFunc struct {
	d       *syntax.FuncDef
	id      uint32
	params  []uint32
	blocks  []uint32
	insts   []uint32 // of all blocks
	labels  map[syntax.Sym]uint32
	values  map[syntax.Sym]uint32
	consts  map[syntax.Sym]*syntax.ConstDef
	olds    map[int]bool // numbers of PARAM instructions, which are not written
	counted []int        // instructions of each block that are written
}

func (e *encoder) take() uint32 {
	e.next++
	return e.next - 1
}

// counts reports whether a definition is the valid one of its name.
func (e *encoder) counts(d syntax.Def) bool {
	ent := e.find(d.DefHead().Name.Sym)
	return ent != nil && ent.def == d
}

// encode writes the bundle.
func (e *encoder) encode() {
	e.earlier()
	name := func(h *syntax.Head) uint32 {
		if id := e.ids[h.Name.Sym]; id != 0 { // a function of an earlier bundle
			return id
		}
		id := e.take()
		e.ids[h.Name.Sym] = id
		e.bind(id, h.Name)
		return id
	}
	// Types and signatures with names, then those written in place.
	for _, d := range e.b.Defs {
		if d, ok := d.(*syntax.TypeDef); ok && e.counts(d) {
			id := name(&d.Head)
			if t := e.find(d.Name.Sym).typ; e.types[t] == 0 {
				e.types[t] = id
			}
		}
	}
	e.eachType(func(t syntax.Type) {
		if id := e.typ(t); e.types[id] == 0 {
			e.types[id] = e.take()
			e.typeDefs, e.typeIDs = append(e.typeDefs, t), append(e.typeIDs, e.types[id])
		}
	}, nil)
	for _, d := range e.b.Defs {
		if d, ok := d.(*syntax.SigDef); ok && e.counts(d) {
			id := name(&d.Head)
			if t := e.find(d.Name.Sym).typ; e.types[t] == 0 {
				e.types[t] = id
			}
		}
	}
	e.eachType(nil, func(s syntax.Sig) {
		if id := e.sig(s); e.types[id] == 0 {
			e.types[id] = e.take()
			e.sigDefs, e.sigIDs = append(e.sigDefs, s), append(e.sigIDs, e.types[id])
		}
	})
	for _, d := range e.b.Defs {
		if d, ok := d.(*syntax.ConstDef); ok && e.counts(d) {
			id := name(&d.Head)
			if k := constKey(e.find(d.Name.Sym).con); e.consts[k] == 0 {
				e.consts[k] = id
			}
		}
	}
	e.eachConst(e.inlineConst)
	for _, d := range e.b.Defs {
		if d, ok := d.(*syntax.GlobalDef); ok && e.counts(d) {
			name(&d.Head)
		}
	}
	for _, d := range e.b.Defs {
		ent := e.find(d.DefHead().Name.Sym)
		switch d := d.(type) {
		case *syntax.FuncDecl:
			if ent.defined != e.number && e.ids[d.Name.Sym] == 0 {
				name(&d.Head)
			}
		case *syntax.FuncDef:
			e.numberFunc(d, name(&d.Head))
		}
	}
	for _, u := range e.undeclared {
		e.ids[u.name.Sym] = e.take()
		e.bind(e.ids[u.name.Sym], u.name)
	}
	e.write()
}

// dropNames leaves out names that readers use for other IDs of the bundle: readers make such a name
// for an ID without a name.
func (e *encoder) dropNames() {
	bound := map[uint32]bool{}
	as := map[uint32][]int{} // by ID: the names that are spelled like it
	for i, n := range e.names {
		bound[n.id] = true
		if id, err := strconv.ParseUint(n.name[1:], 10, 32); err == nil && n.name[1] != '0' && uint32(id) != n.id && e.first <= uint32(id) && uint32(id) < e.next {
			as[uint32(id)] = append(as[uint32(id)], i)
		}
	}
	var work []uint32 // IDs that have no names
	for id := range as {
		if !bound[id] {
			work = append(work, id)
		}
	}
	drop := map[int]bool{}
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		for _, i := range as[id] {
			drop[i] = true
			work = append(work, e.names[i].id)
		}
	}
	if len(drop) == 0 {
		return
	}
	kept := e.names[:0]
	for i, n := range e.names {
		if drop[i] {
			e.diags.Warnf(e.b.Pos(n.off), "the name %s is that of another ID in the binary form: it is left out", n.name)
		} else {
			kept = append(kept, n)
		}
	}
	e.names = kept
}

// earlier finds the IDs of the entities that earlier bundles have defined, and the first free ID.
func (e *encoder) earlier() {
	e.next = 65536
	for _, ids := range e.taken[:e.number] {
		for _, r := range ids {
			e.next = max(e.next, r.Last+1)
		}
	}
	e.first = e.next
	known := e.entities()
	for _, id := range slices.Sorted(maps.Keys(known)) {
		sym := e.syms.Lookup(known[id].Name)
		ent := e.look(sym)
		if ent == nil || ent.bundle == e.number || e.ids[sym] != 0 {
			continue
		}
		e.ids[sym] = id
		if (ent.kind == entType || ent.kind == entSig) && e.types[ent.typ] == 0 {
			e.types[ent.typ] = id
		}
	}
}

// bind notes a name, unless it is the one that readers make for the ID.
func (e *encoder) bind(id uint32, n syntax.Name) {
	if name := e.name(n); name[1:] != strconv.FormatUint(uint64(id), 10) {
		e.names = append(e.names, nameOf{id, name, n.Off})
	}
}

// numberFunc assigns IDs to the things in a function.
func (e *encoder) numberFunc(d *syntax.FuncDef, id uint32) {
	f := &encFunc{d: d, id: id, labels: map[syntax.Sym]uint32{}, values: map[syntax.Sym]uint32{}, consts: map[syntax.Sym]*syntax.ConstDef{}}
	e.functions = append(e.functions, f)
	named := func(to map[syntax.Sym]uint32, n syntax.Name) uint32 {
		id := e.take()
		if _, again := to[n.Sym]; !n.IsZero() && !again { // unused names may be defined more than once
			to[n.Sym] = id
			e.bind(id, n)
		}
		return id
	}
	old := make([]syntax.Name, len(d.Params)) // names of the first PARAM instructions
	for i := range d.Blocks {
		for k := range d.Blocks[i].Insts {
			if in := &d.Blocks[i].Insts[k]; in.Op == syntax.OldParam && in.Imm.Lo < uint64(len(old)) && old[in.Imm.Lo].IsZero() {
				old[in.Imm.Lo] = in.Name
			}
		}
	}
	for i, p := range d.Params {
		name := p.Name
		if d.NoParams {
			name = old[i]
		}
		f.params = append(f.params, named(f.values, name))
	}
	for _, c := range d.Consts {
		f.consts[c.Name.Sym] = c
	}
	for i := range d.Blocks {
		blk := &d.Blocks[i]
		name := blk.Name
		if i == 0 && name.IsZero() { // the entry block needs a name
			name.Sym = e.syms.Intern([]byte((&body{loader: e.loader, d: d}).entryName()))
		}
		f.blocks = append(f.blocks, named(f.labels, name))
		n := 0
		for k := range blk.Insts {
			in := &blk.Insts[k]
			if in.Op == syntax.OldParam { // the parameter itself
				f.insts = append(f.insts, 0)
				if in.Imm.Lo < uint64(len(f.params)) && !in.Name.IsZero() {
					f.values[in.Name.Sym] = f.params[in.Imm.Lo]
				}
				continue
			}
			f.insts = append(f.insts, named(f.values, in.Name))
			n++
		}
		f.counted = append(f.counted, n)
	}
}

// eachType calls a function for each type or signature that is written in place, for its
// parts first.
func (e *encoder) eachType(typ func(syntax.Type), sig func(syntax.Sig)) {
	var inType func(t syntax.Type, own bool)
	var inSig func(s syntax.Sig, own bool)
	inType = func(t syntax.Type, own bool) {
		if t.TypeCtor == nil || !t.IsZero() {
			return
		}
		for _, a := range t.Args {
			inType(a, true)
		}
		inSig(t.Sig, true)
		if own && typ != nil {
			typ(t)
		}
	}
	inSig = func(s syntax.Sig, own bool) {
		if s.SigCtor == nil || !s.IsZero() {
			return
		}
		inType(s.Ret, true)
		for _, p := range s.Params {
			inType(p, true)
		}
		if own && sig != nil {
			sig(s)
		}
	}
	for _, d := range e.b.Defs {
		switch d := d.(type) {
		case *syntax.TypeDef:
			inType(d.Type, false)
		case *syntax.SigDef:
			inSig(d.Sig, false)
		case *syntax.ConstDef:
			inType(d.Type, true)
		case *syntax.GlobalDef:
			inType(d.Type, true)
		case *syntax.FuncDecl:
			inSig(d.Sig, true)
		case *syntax.FuncDef:
			inSig(d.Sig, true)
			for _, c := range d.Consts {
				inType(c.Type, true)
			}
			for i := range d.Blocks {
				for k := range d.Blocks[i].Insts {
					in := &d.Blocks[i].Insts[k]
					if in.Op == syntax.FuncCast && typ != nil {
						e.funcCastType(in.Type)
						e.funcCastType(in.Type2)
					}
					inType(in.Type, true)
					inType(in.Type2, true)
					inSig(in.Sig, true)
				}
			}
		}
	}
	if typ == nil {
		return
	}
	// The types of constants that are written in place follow from the instructions.
	e.eachConst(func(c *ir.Const, _ syntax.Off) { e.constTypes(c) })
}

// funcCastType assigns an ID to the type that a signature stands for in an old FUNCCAST.
func (e *encoder) funcCastType(t syntax.Type) {
	if ent := e.find(t.Name.Sym); ent != nil && ent.kind == entSig {
		e.typeID(e.loader.types.Of(ir.KFuncRef, ent.typ))
	}
}

// constTypes assigns IDs to the types of a constant and its elements.
func (e *encoder) constTypes(c *ir.Const) {
	if e.types[c.Type] != 0 {
		return
	}
	for _, x := range c.Elems {
		if x.Name == "" {
			e.constTypes(x)
		}
	}
	t := e.typeTree(c.Type)
	e.types[c.Type] = e.take()
	e.typeDefs, e.typeIDs = append(e.typeDefs, t), append(e.typeIDs, e.types[c.Type])
}

// typeTree is the tree of a type that is not in the text. Only constants of ints, floats
// and references to entities with a name have such types.
func (e *encoder) typeTree(id ir.TypeID) syntax.Type {
	n := e.loader.types.At(id)
	t := syntax.Type{TypeCtor: &syntax.TypeCtor{}}
	for k, kind := range typeKinds {
		if kind == n.Kind && kind != ir.KInvalid {
			t.Kind = syntax.TypeKind(k)
		}
	}
	switch n.Kind {
	case ir.KInt:
		t.Len = &syntax.IntLit{Lo: uint64(n.Bits)}
	case ir.KRef, ir.KIRef:
		t.Args = []syntax.Type{canonicalType(e.typeID(n.Elem))}
	case ir.KFuncRef:
		t.Sig.SigCtor = &syntax.SigCtor{Ret: canonicalType(uint32(n.Elem))}
	case ir.KStruct:
		for _, f := range n.Fields {
			t.Args = append(t.Args, canonicalType(e.typeID(f)))
		}
	}
	return t
}

// canonical marks a part of a type that is given by its ID, in Len.
const canonical syntax.TypeKind = 0xff

func canonicalType(id uint32) syntax.Type {
	return syntax.Type{TypeCtor: &syntax.TypeCtor{Kind: canonical, Len: &syntax.IntLit{Lo: uint64(id)}}}
}

// typeID is the ID of a type; if the type has no definition, it gets one.
func (e *encoder) typeID(id ir.TypeID) uint32 {
	if e.types[id] == 0 {
		t := e.typeTree(id)
		e.types[id] = e.take()
		e.typeDefs, e.typeIDs = append(e.typeDefs, t), append(e.typeIDs, e.types[id])
	}
	return e.types[id]
}

// eachConst calls f for each constant that is written in place, in order.
func (e *encoder) eachConst(f func(*ir.Const, syntax.Off)) {
	value := func(v *syntax.Value) {
		if v.Const != nil {
			if c := e.inline[v.Off]; c != nil {
				f(c, v.Off)
			}
		}
	}
	for _, d := range e.b.Defs {
		switch d := d.(type) {
		case *syntax.ConstDef:
			for i := range d.Value.Const.List {
				value(&d.Value.Const.List[i])
			}
		case *syntax.FuncDef:
			for _, c := range d.Consts {
				if k := e.inline[c.Value.Off]; k != nil {
					f(k, c.Off)
				}
			}
			for i := range d.Blocks {
				for k := range d.Blocks[i].Insts {
					in := &d.Blocks[i].Insts[k]
					for j := range in.Args {
						value(&in.Args[j])
					}
					for j := range in.Cases {
						value(&in.Cases[j].Value)
					}
				}
			}
		}
	}
}

// inlineConst adds a definition for a constant that is written in place, after those of its elements.
func (e *encoder) inlineConst(c *ir.Const, off syntax.Off) {
	k := constKey(c)
	if e.consts[k] != 0 || c.Kind == ir.ConstGlobal || c.Kind == ir.ConstFunc {
		return
	}
	for _, x := range c.Elems {
		if x.Name == "" {
			e.inlineConst(x, off)
		}
	}
	e.consts[k] = e.take()
	e.conDefs, e.conIDs, e.conOffs = append(e.conDefs, c), append(e.conIDs, e.consts[k]), append(e.conOffs, off)
}

// constKey is the same for equal constants.
func constKey(c *ir.Const) string {
	var b strings.Builder
	var add func(c *ir.Const)
	add = func(c *ir.Const) {
		fmt.Fprintf(&b, "%d:%d:", c.Kind, c.Type)
		switch c.Kind {
		case ir.ConstGlobal, ir.ConstFunc:
			b.WriteString(c.Name)
		case ir.ConstAggregate:
			for _, x := range c.Elems {
				add(x)
			}
		default:
			fmt.Fprintf(&b, "%x:%x", c.Hi, c.Lo)
		}
		b.WriteByte(';')
	}
	add(c)
	return b.String()
}

// typeRef is the ID of a type as it is written.
func (e *encoder) typeRef(t syntax.Type) uint32 {
	switch {
	case t.TypeCtor == nil:
		return e.typeID(e.void)
	case t.Kind == canonical:
		return uint32(t.Len.Lo)
	case !t.Name.IsZero():
		if ent := e.find(t.Name.Sym); ent.kind == entSig { // of an old FUNCCAST
			return e.typeID(e.loader.types.Of(ir.KFuncRef, ent.typ))
		}
		return e.ids[t.Name.Sym]
	}
	return e.types[e.typ(t)]
}

func (e *encoder) sigRef(s syntax.Sig) uint32 {
	switch {
	case s.SigCtor == nil:
		return 0
	case !s.IsZero():
		return e.ids[s.Sym]
	case s.Ret.TypeCtor != nil && s.Ret.Kind == canonical:
		return e.types[ir.TypeID(s.Ret.Len.Lo)]
	}
	return e.types[e.sig(s)]
}

// constRef is the ID of a constant.
func (e *encoder) constRef(c *ir.Const) uint32 {
	if c.Name != "" {
		if s := e.syms.Lookup(c.Name); s != 0 {
			return e.ids[s]
		}
	}
	return e.consts[constKey(c)]
}

// write writes the definitions and names.
func (e *encoder) write() {
	for _, d := range e.b.Defs {
		if d, ok := d.(*syntax.TypeDef); ok && e.counts(d) {
			e.w.At = d.Off
			e.writeType(e.ids[d.Name.Sym], d.Type)
		}
	}
	for i, t := range e.typeDefs {
		e.w.At = t.Off
		e.writeType(e.typeIDs[i], t)
	}
	for _, d := range e.b.Defs {
		if d, ok := d.(*syntax.SigDef); ok && e.counts(d) {
			e.w.At = d.Off
			e.writeSig(e.ids[d.Name.Sym], d.Sig)
		}
	}
	for i, s := range e.sigDefs {
		e.w.At = s.Off
		e.writeSig(e.sigIDs[i], s)
	}
	for _, d := range e.b.Defs {
		if d, ok := d.(*syntax.ConstDef); ok && e.counts(d) {
			e.w.At = d.Off
			e.writeConst(e.ids[d.Name.Sym], e.typeRef(d.Type), e.find(d.Name.Sym).con)
		}
	}
	for i, c := range e.conDefs {
		e.w.At = e.conOffs[i]
		e.writeConst(e.conIDs[i], e.types[c.Type], c)
	}
	for _, d := range e.b.Defs {
		if d, ok := d.(*syntax.GlobalDef); ok && e.counts(d) {
			e.w.Global(e.ids[d.Name.Sym], e.typeRef(d.Type))
		}
	}
	declared := map[uint32]bool{}
	next := 0
	for _, d := range e.b.Defs {
		switch d := d.(type) {
		case *syntax.FuncDecl:
			if id := e.ids[d.Name.Sym]; e.find(d.Name.Sym).defined != e.number && !declared[id] {
				declared[id] = true
				e.w.FuncDecl(id, e.sigRef(d.Sig))
			}
		case *syntax.FuncDef:
			e.writeFunc(e.functions[next])
			next++
		}
	}
	for _, u := range e.undeclared {
		e.w.FuncDecl(e.ids[u.name.Sym], e.types[u.sig])
	}
	e.dropNames()
	for _, n := range e.names {
		e.w.At = n.off
		e.w.Name(n.id, n.name)
	}
}

func (e *encoder) writeType(id uint32, t syntax.Type) {
	if !t.Name.IsZero() { // an alias of an old bundle: the type again
		ent := e.find(t.Name.Sym)
		if d, ok := ent.def.(*syntax.TypeDef); ok {
			e.writeType(id, d.Type)
		}
		return
	}
	e.w.Type(id, t.Kind)
	switch t.Kind {
	case syntax.TypeInt:
		e.w.Width(t.Len.Lo)
	case syntax.TypeFunc:
		e.w.ID(e.sigRef(t.Sig))
	case syntax.TypeStruct:
		fields := make([]uint32, len(t.Args))
		for i, a := range t.Args {
			fields[i] = e.typeRef(a)
		}
		e.w.IDs("a list of fields", fields)
	default:
		for _, a := range t.Args {
			e.w.ID(e.typeRef(a))
		}
		if t.Kind == syntax.TypeArray {
			e.w.Len(t.Len.Lo)
		}
	}
}

func (e *encoder) writeSig(id uint32, s syntax.Sig) {
	params := make([]uint32, len(s.Params))
	for i, p := range s.Params {
		params[i] = e.typeRef(p)
	}
	e.w.Sig(id, e.typeRef(s.Ret), params)
}

func (e *encoder) writeConst(id, typ uint32, c *ir.Const) {
	n := e.loader.types.At(c.Type)
	switch c.Kind {
	case ir.ConstInt:
		if c.Hi != 0 {
			e.w.Fail("an integer constant of more than 64 bits has no binary form")
		}
		v := c.Lo
		if n.Bits < 64 { // sign-extended, so that text shows small numbers
			v = uint64(int64(v<<(64-n.Bits)) >> (64 - n.Bits))
		}
		e.w.Int(id, typ, v)
	case ir.ConstFP:
		e.w.FP(id, typ, c.Lo, n.Kind == ir.KDouble)
	case ir.ConstAggregate:
		elems := make([]uint32, len(c.Elems))
		for i, x := range c.Elems {
			elems[i] = e.constRef(x)
		}
		e.w.Struct(id, typ, elems)
	default:
		e.w.Null(id, typ)
	}
}

func (e *encoder) writeFunc(f *encFunc) {
	d := f.d
	e.w.FuncDef(f.id, e.sigRef(d.Sig), f.params, len(d.Blocks))
	number := 0
	for i := range d.Blocks {
		blk := &d.Blocks[i]
		e.w.Block(f.blocks[i], f.counted[i])
		for k := range blk.Insts {
			if in := &blk.Insts[k]; in.Op != syntax.OldParam {
				e.writeInst(f, f.insts[number], in)
			}
			number++
		}
	}
}

func (e *encoder) writeInst(f *encFunc, id uint32, in *syntax.Inst) {
	e.w.At = in.OpOff
	out := binary.Inst{ID: id, Op: in.Op, Sig: e.sigRef(in.Sig), Order: in.Order, OrderFail: in.OrderFail, RMW: in.RMW, Intrinsic: e.name(in.Intrinsic)}
	if in.Op == syntax.TrapCall {
		e.w.Fail("a trap that is no terminator has no binary form")
	}
	if (in.Op == syntax.GetElemIRef || in.Op == syntax.ShiftIRef) && (in.Imm != nil || in.Type2.TypeCtor != nil) {
		e.w.Fail("an index with a type has no binary form")
	}
	if in.Type.TypeCtor != nil {
		out.Type = e.typeRef(in.Type)
	}
	if in.Type2.TypeCtor != nil {
		out.Type2 = e.typeRef(in.Type2)
	}
	if in.Imm != nil {
		out.Imm = in.Imm.Lo
	}
	for i := range in.Args {
		out.Args = append(out.Args, e.valueRef(f, &in.Args[i]))
	}
	for _, n := range in.Dests {
		out.Dests = append(out.Dests, f.labels[n.Sym])
	}
	for i := range in.Cases {
		out.CaseLabels = append(out.CaseLabels, f.labels[in.Cases[i].Label.Sym])
		out.CaseValue = append(out.CaseValue, e.valueRef(f, &in.Cases[i].Value))
	}
	for _, n := range in.Keep {
		out.Keep = append(out.Keep, f.values[n.Sym])
	}
	e.w.Inst(&out)
}

func (e *encoder) valueRef(f *encFunc, v *syntax.Value) uint32 {
	if v.Const != nil {
		if c := e.inline[v.Off]; c != nil {
			return e.constRef(c)
		}
		return 0
	}
	if v.Name.Sym.Local() {
		if c := f.consts[v.Name.Sym]; c != nil {
			if k := e.inline[c.Value.Off]; k != nil {
				return e.constRef(k)
			}
		}
		return f.values[v.Name.Sym]
	}
	id := e.ids[v.Name.Sym]
	if id == 0 {
		e.w.Fail("%s is defined nowhere: it has no ID", e.name(v.Name))
	}
	return id
}
