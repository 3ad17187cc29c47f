package core

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/decl"
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	sym "github.com/uvm2go/uvm2go/internal/lexis/symbol"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// Bundles that are loaded as text and were not translated with the program (docs/client.md, "Loading
// text"). In a program without the engine for live code they may contain only declarations. Bundles
// that the engine has read are passed as definitions (livebundle.go), and continue with step 5. The
// rules are those of docs/language.md, "Types" and "Definitions"; forms that the translator accepts
// with a warning are accepted.
//
//  1. The text is parsed; if it has syntax errors, nothing else is checked.
//  2. Names are entered. The world is stopped from here on, so that nothing else is loaded at
//     the same time, and no thread sees half of a bundle.
//  3. Types and signatures become a graph, are checked, and merged with equal ones that exist
//     (typetable.go).
//  4. Constants, cells, functions and exposed functions get their types, constants their values.
//  5. If there were no errors, the parts of the entities are made: descriptors, memory, records
//     of functions, function pointers (declared.go). The parts that can fail are made first.
//  6. The entities become visible.
//
// The translator's reader also resolves such text (mu.Extend), for the engine and the interpreter. One
// implementation cannot serve both: this one is part of every program that loads text, may use only the
// standard library and internal/lexis, and resolves names to entities of the running program; the other
// makes a program of the representation. They share the parts that need no entities, from internal/lexis:
// the grammar, the rules of single definitions, canonical types and cycles.

// LoadText loads a bundle given as text: one that was translated with the program, or
// declarations. Errors and traces show name for the text, if it is not "".
func LoadText(t *Ctx, name, text string) {
	if b := vmOf(t).findBundle(text); b != nil && b.Name != text {
		must(t, loadBundle(t, text))
		return
	}
	must(t, loadText(t, name, text))
}

// declared is an entity of the text.
type declared struct {
	def  *definition
	kind EntityKind
	typ  *VType  // like Entity.Type; for a signature or type, itself; nil after an error
	ent  *Entity // made when the types are known

	again  bool   // a function that exists already
	cookie uint64 // of an exposed function
}

// declaration is a text being loaded.
type declaration struct {
	t      *Ctx
	name   string // of src, "" if it has none
	src    string
	starts []int // offsets of lines, made when a place is first shown
	faults []declFault
	list   []*declared
	own    map[string]*declared
	fresh  []*VType // types to be added to the table
	made   map[typeTo]*VType
	syms   *decl.Symbols
	bare   map[lex.Sym]bool // names that the text has without a sigil
	live   *LiveBundle      // the bundle that the engine has read, nil for a text that only declares
}

// vm is the VM that loads the text.
func (d *declaration) vm() *VM { return vmOf(d.t) }

type declFault struct {
	off  decl.Off
	kind Kind
	msg  string
	at   string // the place, if no offset has it
}

func (d *declaration) fault(kind Kind, off decl.Off, format string, args ...any) {
	d.faults = append(d.faults, declFault{off, kind, lex.Message(format, args...), ""})
}

// message reports an error whose text is complete.
func (d *declaration) message(off decl.Off, msg string) {
	d.faults = append(d.faults, declFault{off, Check, msg, ""})
}

func (d *declaration) errorf(n declName, format string, args ...any) {
	d.fault(Check, n.Off, format, args...)
}

// place is line and column of an offset.
func (d *declaration) place(at decl.Off) string {
	if d.live != nil {
		return d.live.Place(int(at))
	}
	if d.starts == nil {
		d.starts = []int{0}
		for i := range len(d.src) {
			if d.src[i] == '\n' {
				d.starts = append(d.starts, i+1)
			}
		}
	}
	off := int(at)
	line, found := slices.BinarySearch(d.starts, off)
	if !found {
		line--
	}
	place := fmt.Sprintf("%d:%d", line+1, off-d.starts[line]+1)
	if d.name != "" {
		place = d.name + ":" + place
	}
	return place
}

// codesOfLoading are the codes for clients of kinds without a code of their own.
var codesOfLoading = [numKinds]string{ParseError: "E_PARSE", Check: "E_CHECK", Conflict: "E_CONFLICT", DynCode: "E_DYNCODE"}

// result makes one error of all faults, nil if there are none.
func (d *declaration) result() *misuse {
	if len(d.faults) == 0 {
		return nil
	}
	slices.SortStableFunc(d.faults, func(a, b declFault) int { return cmp.Compare(a.off, b.off) })
	var b strings.Builder
	b.WriteString("load_bundle: ")
	for i, f := range d.faults {
		if i > 0 {
			b.WriteString("\n\t")
		}
		at := f.at
		if at == "" {
			at = d.place(f.off)
		}
		if at != "" {
			b.WriteString(at + ": ")
		}
		b.WriteString(lex.AsWritten(f.msg, d.syms, d.bare))
	}
	first, text := d.faults[0].kind, b.String()
	return &misuse{first, codesOfLoading[first], text}
}

// declare loads declarations.
func declare(t *Ctx, name, text string) *misuse {
	if !describes() {
		return &misuse{DynCode, "", "load_bundle: the program was not made to load text"}
	}
	d := &declaration{t: t, name: name, src: text, own: map[string]*declared{}}
	p := decl.Parse([]byte(text), decl.NewSymbols())
	d.syms, d.bare = p.Syms, p.Bare()
	for _, r := range p.Reports {
		d.faults = append(d.faults, declFault{r.Off, ParseError, r.Msg, ""})
	}
	if m := d.result(); m != nil {
		return m
	}
	var m *misuse
	gc.Exclusive(t, func() { m = d.load(definitions(p)) })
	return m
}

// load does steps 2 to 6.
func (d *declaration) load(defs []*definition) *misuse {
	tt := typesOf()
	tt.mu.Lock()
	defer tt.mu.Unlock()
	for _, def := range defs {
		d.enter(def)
	}
	d.types(tt)
	d.variables(tt)
	d.values(tt)
	if m := d.result(); m != nil {
		return m
	}
	return d.commit(tt)
}

var entityKinds = [...]EntityKind{
	defType: TypeEntity, defSig: SigEntity, defConst: ConstEntity, defGlobal: GlobalEntity,
	defDecl: FuncEntity, defFunc: FuncEntity, defExpose: ExposeEntity,
}

// enter enters the name of a definition.
func (d *declaration) enter(def *definition) {
	n := def.Name
	x := &declared{def: def, kind: entityKinds[def.Kind]}
	d.list = append(d.list, x)
	if def.Kind == defFunc {
		d.fault(DynCode, n.Off, "%s has a body, and code cannot be made at run time: translate the bundle with the program (-later)", n.Text)
	}
	first := d.own[n.Text]
	if def.Unnamed {
		if first == nil { // otherwise it means the same
			d.own[n.Text] = x
		}
		return
	}
	_, old := d.vm().IDNamed(n.Text)
	switch {
	case strings.HasPrefix(n.Text, "@uvm.") && old:
		d.fault(Conflict, n.Off, "%s redefined: it is predefined", n.Text)
	case strings.HasPrefix(n.Text, "@uvm."):
		d.errorf(n, "%s: names beginning with @uvm. are reserved", n.Text)
	case first != nil:
		d.fault(Conflict, n.Off, "%s redefined (previous definition at %s)", n.Text, d.place(first.def.Name.Off))
	case old && def.Kind != defFunc:
		d.fault(Conflict, n.Off, "%s redefined", n.Text)
	}
	if first == nil {
		d.own[n.Text] = x
	}
}

// look finds what a name denotes: a definition of the text, or an existing entity.
func (d *declaration) look(n declName) (*declared, *Entity) {
	if x := d.own[n.Text]; x != nil {
		return x, nil
	}
	if id, ok := d.vm().IDNamed(n.Text); ok {
		if e := d.vm().EntityOf(id); e != nil {
			return nil, e
		}
		return nil, &Entity{Kind: numEntityKinds}
	}
	return nil, nil
}

var entityWords = [...]string{TypeEntity: "a type", ConstEntity: "a constant", GlobalEntity: "a global cell", FuncEntity: "a function",
	ExposeEntity: "an exposed function", SigEntity: "a signature", numEntityKinds: "part of a function"}

// resolve finds the type or signature of a name, nil after a report or if the type has errors.
func (d *declaration) resolve(n declName, want EntityKind) *VType {
	x, e := d.look(n)
	word := map[EntityKind]string{TypeEntity: "type", SigEntity: "signature"}[want]
	switch {
	case x == nil && e == nil:
		d.errorf(n, "unknown %s %s", word, n.Text)
	case x != nil && x.kind == want:
		return x.typ
	case e != nil && e.Kind == want:
		return e.Type
	case x != nil:
		d.errorf(n, "%s is %s, not %s", n.Text, entityWords[x.kind], entityWords[want])
	default:
		d.errorf(n, "%s is %s, not %s", n.Text, entityWords[e.Kind], entityWords[want])
	}
	return nil
}

// variables sets the types of constants, cells, functions and exposed functions.
func (d *declaration) variables(tt *typeTable) {
	for _, x := range d.list {
		def := x.def
		switch def.Kind {
		case defConst:
			switch t := d.resolve(def.Of, TypeEntity); {
			case t != nil && !t.isValue():
				d.errorf(def.Of, "%s: invalid type %s of a constant: %s is not a type of values", def.Name.Text, def.Of.Text, t.notValue())
			case t != nil && (extents{}).of(t).scalars > decl.MaxScalars:
				d.errorf(def.Of, "%s: invalid type %s of a constant: %s of more than %d scalars is not a type of values", def.Name.Text, def.Of.Text, decl.Article(kindWords[t.Kind]), decl.MaxScalars)
			default:
				x.typ = t
			}
		case defGlobal:
			if t := d.resolve(def.Of, TypeEntity); t != nil && t.Kind == VHybrid {
				d.errorf(def.Of, "%s: invalid type %s of a global cell: it may not be a hybrid", def.Name.Text, def.Of.Text)
			} else {
				x.typ = t
			}
		case defDecl, defFunc:
			if s := d.resolve(def.Of, SigEntity); s != nil {
				x.typ = d.derived(tt, VFuncRef, s)
			}
		}
		switch def.Kind {
		case defConst, defGlobal, defDecl:
			x.ent = &Entity{Kind: x.kind, Type: x.typ}
		}
	}
	for _, x := range d.list {
		if x.def.Kind == defExpose {
			d.exposeType(tt, x)
		}
	}
}

// derived is the type of references to a type of the table or the text.
func (d *declaration) derived(tt *typeTable, kind VKind, elem *VType) *VType {
	k := typeTo{kind, elem}
	if v := tt.to[k]; v != nil {
		return v
	}
	if d.made == nil {
		d.made = map[typeTo]*VType{}
		for _, f := range d.fresh {
			if len(f.Fields) == 0 && f.Len == 0 && f.Elem != nil {
				d.made[typeTo{f.Kind, f.Elem}] = f
			}
		}
	}
	v := d.made[k]
	if v == nil {
		v = &VType{Kind: kind, Elem: elem}
		d.made[k] = v
		d.fresh = append(d.fresh, v)
	}
	return v
}

// nativeSafe reports whether native code can call functions of a signature, and why not: the rules and words of
// the translator's reader (transpile/mu, checkNative). n is the name of the function.
func (d *declaration) nativeSafe(n declName, sig *VType) bool {
	if len(sig.Results) > 1 {
		d.errorf(n, "%s: a native function has at most one result, got %d", n.Text, len(sig.Results))
		return false
	}
	for i, p := range slices.Concat(sig.Fields, sig.Results) {
		role := fmt.Sprintf("parameter %d", i+1)
		if i == len(sig.Fields) {
			role = "result"
		}
		switch {
		case p.ofC(false):
			continue
		case p.ofC(true):
			d.errorf(n, "%s: %s of an exposed function has type %s, which is not native-safe; pass a pointer, for example of @uvm.native.pin", n.Text, role, p)
		default:
			d.errorf(n, "%s: %s of a native function has type %s (%s), which C does not have", n.Text, role, p, d.vm().Structure(p))
		}
		return false
	}
	return true
}

// ofC reports whether a type of values is one of C as parameter or result; if references is set, whether it would
// be if references were pointers.
func (v *VType) ofC(references bool) bool {
	switch v.Kind {
	case VInt:
		return v.Bits == 8 || v.Bits == 16 || v.Bits == 32 || v.Bits == 64
	case VFloat, VDouble, VUPtr, VUFuncPtr:
		return true
	case VStruct:
		return !slices.ContainsFunc(v.Fields, func(f *VType) bool {
			for f.Kind == VArray {
				f = f.Elem
			}
			return !f.ofC(references)
		})
	case VArray, VVector, VVoid, VHybrid:
		return false
	}
	return references
}

func (d *declaration) exposeType(tt *typeTable, x *declared) {
	def := x.def
	if def.Flag.Text != "#DEFAULT" {
		d.errorf(def.Flag, "%s: unknown calling convention %s, want #DEFAULT", def.Name.Text, def.Flag.Text)
	}
	if why := sym.Fault(def.Name.Text[1:]); why != "" {
		d.errorf(def.Name, "%s: %s", def.Name.Text, why)
	}
	f, e := d.look(def.Of)
	var sig *VType
	switch {
	case f == nil && e == nil:
		d.errorf(def.Of, "unknown function %s", def.Of.Text)
	case f != nil && f.kind != FuncEntity:
		d.errorf(def.Of, "%s is %s, not a function", def.Of.Text, entityWords[f.kind])
	case e != nil && e.Kind != FuncEntity:
		d.errorf(def.Of, "%s is %s, not a function", def.Of.Text, entityWords[e.Kind])
	case f != nil && f.typ != nil:
		sig = f.typ.Elem
	case e != nil:
		sig = e.Type.Elem
	}
	if sig != nil && d.nativeSafe(def.Of, sig) {
		x.typ = d.derived(tt, VUFuncPtr, sig)
		x.ent = &Entity{Kind: ExposeEntity, Type: x.typ}
	}
	c, e := d.look(def.Cookie)
	var cookie *VType
	switch {
	case c == nil && e == nil:
		d.errorf(def.Cookie, "unknown name %s", def.Cookie.Text)
	case c != nil && c.kind != ConstEntity:
		d.errorf(def.Cookie, "%s is %s, not a constant", def.Cookie.Text, entityWords[c.kind])
	case e != nil && e.Kind != ConstEntity:
		d.errorf(def.Cookie, "%s is %s, not a constant", def.Cookie.Text, entityWords[e.Kind])
	case c != nil:
		cookie = c.typ
	default:
		cookie = e.Type
	}
	if cookie != nil && (cookie.Kind != VInt || cookie.Bits != 64) {
		d.errorf(def.Cookie, "%s: the cookie of %s wants type int<64>, got %s", def.Cookie.Text, def.Name.Text, cookie.String())
	}
}
