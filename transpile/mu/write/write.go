// Package write writes a loaded program as a Mu text bundle, in the form of 2016 or of muc, whatever
// dialect it was read from.
//
// Types, signatures and constants without a name get readable names; values that are used
// in other blocks are passed there as block parameters. If Mu text cannot express
// something, the error names it. The package is not the formatter, which lays out text
// that people wrote, nor the text form of the representation (ir.Print).
package write

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/internal/textform"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/format"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// Program writes a program as one bundle, in canonical layout.
func Program(p *ir.Program) ([]byte, error) { return program(p, false) }

func program(p *ir.Program, muc bool) ([]byte, error) {
	textform.PlainNames(p)
	w := &writer{p: p, muc: muc, open: map[ir.TypeID]bool{}, used: map[string]bool{}, last: map[string]int{}, given: map[any]string{}, types: map[ir.TypeID]string{}, consts: map[*ir.Const]string{}, literals: map[string]string{}}
	w.placed.cons, w.placed.rest, w.placed.funcs = diag.NewPlaced(p.Files), diag.NewPlaced(p.Files), diag.NewPlaced(p.Files)
	for name := range p.Entities {
		w.used[name] = true
	}
	w.err = textform.NoBundle(p)
	w.nameVersions()
	w.named()
	for _, f := range p.Funcs {
		if w.err != nil {
			return nil, w.err
		}
		w.function(f)
	}
	if w.err != nil {
		return nil, w.err
	}
	var all bytes.Buffer
	for _, part := range [...]*bytes.Buffer{&w.typeDefs, &w.sigDefs, &w.conDefs, &w.rest, &w.funcs} {
		all.Write(part.Bytes())
	}
	out := all.Bytes()
	if muc {
		if w.placed.funcs == nil { // otherwise names must stay in their columns
			out = withoutSigils(out)
		}
		if !syntax.IsMuc(out) { // see Muc
			return program(p, false)
		}
	}
	text, err := format.Source("converted", out)
	if err != nil {
		return nil, fmt.Errorf("internal error: %w", err)
	}
	return text, nil
}

// writer collects the definitions. Definitions of one kind are together; their order has no meaning.
type writer struct {
	p        *ir.Program
	muc      bool               // in the form of muc
	open     map[ir.TypeID]bool // types that are being written in the place of their names
	err      error
	used     map[string]bool // global names, those of local things written out
	last     map[string]int  // by wish, the last number that was appended to a name
	given    map[any]string  // global names of versions and instructions
	types    map[ir.TypeID]string
	consts   map[*ir.Const]string
	literals map[string]string // names of constants without one, by type and value

	typeDefs, sigDefs, conDefs, rest, funcs bytes.Buffer

	placed struct{ cons, rest, funcs *diag.Placed } // directives in these buffers
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// fresh makes a unique global name from a wish.
func (w *writer) fresh(wish string) string {
	wish = clean(wish)
	name := "@" + wish
	for w.used[name] {
		w.last[wish] = max(w.last[wish], 1) + 1
		name = "@" + wish + "." + strconv.Itoa(w.last[wish])
	}
	w.used[name] = true
	return name
}

// maxName is the length beyond which names made from names are cut.
const maxName = 60

// clean makes a short string with only characters that names can have.
func clean(s string) string {
	s = textform.PlainName(s)
	return s[:min(len(s), maxName)]
}

// named writes the definitions that have names.
func (w *writer) named() {
	// Each type is known by one name, however many the bundle gave it.
	var named []ir.TypeID
	for id := 1; id < w.p.Types.Len(); id++ {
		t := ir.TypeID(id)
		if n := w.p.Types.At(t).Name; n != "" && w.p.Entities[n] == any(t) {
			w.types[t] = n
			named = append(named, t)
		}
	}
	for _, t := range named {
		if n := w.types[t]; !strings.HasPrefix(n, "@uvm.") { // those are predefined
			w.typeDef(t, n)
		}
	}
	for _, c := range w.p.Consts {
		w.consts[c] = c.Name
		w.constDef(c.Name, c)
	}
	for _, g := range w.p.Globals {
		w.define(g.Pos, ".global %s <%s>\n", g.Name, w.typ(g.Type))
	}
	for _, e := range w.p.Exposes {
		w.define(e.Pos, ".expose %s = %s #DEFAULT %s\n", e.Name, e.Func.Name, w.con(e.Cookie))
	}
}

// define writes a definition of the rest, whose name is its second word and comes from pos.
func (w *writer) define(pos diag.Pos, format string, args ...any) {
	def := fmt.Sprintf(format, args...)
	w.rest.WriteString(w.placed.rest.Text(pos, strings.IndexByte(def, ' ')+1, 0, def))
}

// typ is the name of a type or signature, which gets a definition if it has none.
func (w *writer) typ(id ir.TypeID) string {
	if n := w.types[id]; n != "" {
		return n
	}
	if w.muc {
		if s := w.inPlace(id); s != "" {
			return s
		}
	}
	n := w.fresh(w.wish(id, 2))
	w.types[id] = n
	w.typeDef(id, n)
	return n
}

// wish is a readable name for a type, which need not be unique.
func (w *writer) wish(id ir.TypeID, depth int) string {
	t := w.p.Types.At(id)
	sub := func(id ir.TypeID) string {
		if n := w.types[id]; ir.IsGlobal(n) {
			return n[1:]
		}
		if depth == 0 {
			return "x"
		}
		return w.wish(id, depth-1)
	}
	list := func(word string, ids []ir.TypeID) string {
		for _, id := range ids {
			word += "." + sub(id)
		}
		return word
	}
	switch t.Kind {
	case ir.KInt:
		return "i" + strconv.Itoa(int(t.Bits))
	case ir.KRef, ir.KIRef, ir.KWeakRef, ir.KUPtr, ir.KFuncRef, ir.KUFuncPtr:
		return t.Kind.String() + "." + sub(t.Elem)
	case ir.KArray, ir.KVector:
		return fmt.Sprintf("%s%d.%s", t.Kind, t.Len, sub(t.Elem))
	case ir.KStruct:
		return list("struct", t.Fields)
	case ir.KHybrid:
		return list("hybrid", append(t.Fields[:len(t.Fields):len(t.Fields)], t.Elem))
	case ir.KSig:
		return list(list("sig", t.Fields)+".to", t.Results)
	}
	return t.Kind.String()
}

func (w *writer) names(ids []ir.TypeID) string {
	l := make([]string, len(ids))
	for i, id := range ids {
		l[i] = w.typ(id)
	}
	return strings.Join(l, " ")
}

func (w *writer) typeDef(id ir.TypeID, name string) {
	def := w.constructor(id, name)
	if w.p.Types.Kind(id) == ir.KSig {
		fmt.Fprintf(&w.sigDefs, ".funcsig %s = %s\n", name, def)
	} else {
		fmt.Fprintf(&w.typeDefs, ".typedef %s = %s\n", name, def)
	}
}

// constructor spells a type or signature. The name is for messages.
func (w *writer) constructor(id ir.TypeID, name string) string {
	t := w.p.Types.At(id)
	def := t.Kind.String()
	switch t.Kind {
	case ir.KSig:
		def = fmt.Sprintf("(%s) -> (%s)", w.names(t.Fields), w.names(t.Results))
	case ir.KInt:
		def = fmt.Sprintf("int<%d>", t.Bits)
	case ir.KRef, ir.KIRef, ir.KWeakRef, ir.KUPtr, ir.KFuncRef, ir.KUFuncPtr:
		def += "<" + w.typ(t.Elem) + ">"
	case ir.KStruct:
		if len(t.Fields) == 0 {
			w.fail("%s is a struct without fields, which Mu text does not have", name)
		}
		def += "<" + w.names(t.Fields) + ">"
	case ir.KHybrid:
		def += "<" + w.names(append(t.Fields[:len(t.Fields):len(t.Fields)], t.Elem)) + ">"
	case ir.KArray, ir.KVector:
		if t.Len == 0 {
			w.fail("%s is an array without elements, which Mu text does not have", name)
		}
		def += fmt.Sprintf("<%s %d>", w.typ(t.Elem), t.Len)
	}
	return def
}

// con is the name of a constant, which gets a definition if it has none.
func (w *writer) con(c *ir.Const) string {
	switch c.Kind {
	case ir.ConstGlobal:
		return c.Global.Name
	case ir.ConstFunc:
		return c.Func.Name
	case ir.ConstExpose:
		return c.Expose.Name
	}
	if n := w.consts[c]; n != "" {
		return n
	}
	ty := w.typ(c.Type)
	value := w.value(c)
	if s := "<" + ty + "> " + value; w.muc && len(s) <= maxInPlace {
		w.consts[c] = s
		return s
	}
	key := ty + " " + value
	if w.literals[key] == "" {
		w.literals[key] = w.fresh(w.constWish(c, ty))
		fmt.Fprintf(&w.conDefs, ".const %s <%s> = %s\n", w.literals[key], ty, value)
	}
	w.consts[c] = w.literals[key]
	return w.consts[c]
}

func (w *writer) constDef(name string, c *ir.Const) {
	def := fmt.Sprintf(".const %s <%s> = %s\n", name, w.typ(c.Type), w.value(c))
	w.conDefs.WriteString(w.placed.cons.Text(c.Pos, len(".const "), 0, def))
}

func (w *writer) constWish(c *ir.Const, ty string) string {
	if !ir.IsGlobal(ty) {
		ty = "@" + w.wish(c.Type, 2)
	}
	switch c.Kind {
	case ir.ConstInt:
		return strings.ReplaceAll(ty[1:]+"_"+w.value(c), "-", "m")
	case ir.ConstNull:
		return "null." + ty[1:]
	case ir.ConstExtern:
		return c.Sym
	}
	return ty[1:] + ".const"
}

// value spells a constant.
func (w *writer) value(c *ir.Const) string {
	t := w.p.Types.At(c.Type)
	switch c.Kind {
	case ir.ConstInt:
		if t.Kind != ir.KInt {
			return fmt.Sprintf("%#x", c.Lo)
		}
		return textform.Number(t, c)
	case ir.ConstFP:
		return textform.Number(t, c)
	case ir.ConstAggregate:
		l := make([]string, len(c.Elems))
		for i, e := range c.Elems {
			l[i] = w.con(e)
		}
		return "{" + strings.Join(l, " ") + "}"
	case ir.ConstExtern:
		return `EXTERN "` + c.Sym + `"`
	}
	return "NULL"
}

func (w *writer) function(f *ir.Function) {
	sig := w.typ(f.Sig)
	v := f.Current()
	if v == nil {
		w.define(f.Pos, ".funcdecl %s <%s>\n", f.Name, sig)
		return
	}
	b := &body{writer: w, v: v}
	b.write(f.Name, w.given[v], sig)
}
