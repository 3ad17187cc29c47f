package mu

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// Text that a running program loads (docs/client.md, "Loading text"): only declarations for the interpreter,
// also bodies for the engine for live code. In programs without that engine the runtime checks declarations
// itself; rtlib/internal/core/declare.go says why.

// A Fault is the kind of the first error in a text.
type Fault uint8

// The faults, one for each error code (docs/language.md, "Run-time errors").
const (
	NoFault  Fault = iota
	BadText        // E_PARSE
	BadCheck       // E_CHECK
	Clash          // E_CONFLICT
	HasCode        // E_DYNCODE
)

// Code is the code of the error (docs/language.md, "Run-time errors"), "" for NoFault.
func (f Fault) Code() string {
	return [...]string{BadText: "E_PARSE", BadCheck: "E_CHECK", Clash: "E_CONFLICT", HasCode: "E_DYNCODE"}[f]
}

// Unnamed is the name for a text without a name.
const Unnamed = "text"

// Place spells a place for errors of loading: with the name of the text, if it has one.
func Place(files *diag.Set, p diag.Pos) string {
	at := files.Position(p)
	place := fmt.Sprintf("%d:%d", at.Line, at.Col)
	if at.File != Unnamed {
		place = at.File + ":" + place
	}
	return place
}

// Faults makes one error of all faults in a text that a program loads, one per line.
func Faults(files *diag.Set, diags *diag.List) error {
	return FaultsAt(diags, func(p diag.Pos) string { return Place(files, p) })
}

// FaultsAt is Faults with places spelled by a function. A message that begins with its place is not preceded by it.
func FaultsAt(diags *diag.List, place func(p diag.Pos) string) error {
	var lines []string
	for _, d := range diags.All() {
		if d.Severity != diag.Error {
			continue
		}
		line := d.Msg
		if at := place(d.Pos); at != "" && !strings.HasPrefix(line, at+" ") && !strings.HasPrefix(line, at+":") {
			line = at + ": " + line
		}
		for _, r := range d.Related {
			if r.Pos.IsValid() && r.Previous {
				line += fmt.Sprintf(" (%s at %s)", r.Msg, place(r.Pos))
			}
		}
		line += diags.Beside(d.Pos)
		lines = append(lines, line)
	}
	return errors.New(strings.Join(lines, "\n\t"))
}

// Running describes the program that a text is loaded into.
type Running struct {
	// Find returns the entity that a name denotes now, in the form of Program.Entities, nil if there is
	// none. For entities of other kinds, such as blocks, it returns Other.
	Find func(name string) any
	// Bodies means that functions may have bodies.
	Bodies bool
	// ByID returns the entity with an ID, in the form of Find. Only trees have IDs.
	ByID func(id uint32) any
}

// Other is an entity with a name to which no text can refer.
type Other = dialect.Other

// Extend reads bundles and adds their definitions to the program. They may use all names that to finds, and the
// names of earlier bundles. It returns the names that were defined. After a fault the program is unchanged, and
// diags has all errors, sorted.
func Extend(p *ir.Program, files *diag.Set, srcs []Source, to Running, diags *diag.List) ([]string, Fault) {
	read, err := add(srcs, diags)
	if err != nil {
		diags.Errorf(diag.Pos{}, "%v", err)
		return nil, BadText
	}
	if to.Bodies {
		if names, ok := extendEachBody(p, files, read, to, diags); ok {
			return names, NoFault
		}
	}
	l := newExtender(p, files, syntax.NewSymbols(), to, diags)
	bundles := l.parse(read)
	if slices.ContainsFunc(bundles, func(b *syntax.Bundle) bool { return b.Bad }) {
		diags.Sort()
		return nil, BadText
	}
	return l.extend(bundles, to)
}

// extend adds the definitions of bundles, as Extend does.
func (l *loader) extend(bundles []*syntax.Bundle, to Running) ([]string, Fault) {
	diags := l.diags
	l.enterKnown()

	// A function with a body is entered as a declaration, so that there is only one error.
	code := map[diag.Pos]bool{}
	var names []string
	for _, b := range bundles {
		names = append(names, l.defined(b)...)
		for i, d := range b.Defs {
			_, n := d.Head()
			if d, ok := d.(*syntax.FuncDef); ok && !to.Bodies {
				l.b = b
				l.errorf(n.Off, "%s has a body, and code cannot be made at run time: translate the bundle with the program (-later)", l.name(n))
				code[b.Pos(n.Off)] = true
				b.Defs[i] = &syntax.FuncDecl{Name: d.Name, Sig: d.Sig}
			}
		}
	}
	undo := l.snapshot(names)
	for _, b := range bundles {
		l.bundle(b, nil)
	}
	defer l.asWritten()
	if to.Bodies {
		l.checkExpanded()
		if l.tree == nil && len(l.muc) == 0 && !diags.HasErrors() { // the program may not have all entities that the first attempt has asked for
			diags.Errorf(diag.Pos{}, "internal error: a bundle was refused and has no errors")
		}
	}
	diags.Sort()
	if !diags.HasErrors() {
		return names, NoFault
	}
	undo()
	for _, d := range diags.All() {
		switch {
		case d.Severity != diag.Error:
			continue
		case code[d.Pos]:
			return nil, HasCode
		case l.clashes[d.Pos]:
			return nil, Clash
		}
		break
	}
	return nil, BadCheck
}

// newExtender returns a loader that adds text to a running program.
func newExtender(p *ir.Program, files *diag.Set, syms *syntax.Symbols, to Running, diags *diag.List) *loader {
	l := newLoader(p, files, syms, Options{}, diags)
	l.hints = maxHints
	l.clashes, l.known = map[diag.Pos]bool{}, to.Find
	return l
}

// extendEachBody is Extend with one body read at a time, if there are no errors; otherwise it changes nothing.
func extendEachBody(p *ir.Program, files *diag.Set, read []*diag.File, to Running, diags *diag.List) ([]string, bool) {
	l := newExtender(p, files, syntax.NewSymbols(), to, diag.NewList(files))
	list, ok := l.outlines(read)
	if !ok {
		return nil, false
	}
	l.enterKnown()
	var names []string
	for _, o := range list {
		names = append(names, l.defined(o.Bundle)...)
	}
	undo := l.snapshot(names)
	for _, o := range list {
		if !l.bundle(o.Bundle, o) {
			break
		}
	}
	if !l.bad && !l.diags.HasErrors() {
		l.checkExpanded()
	}
	if l.bad || l.diags.HasErrors() {
		undo()
		return nil, false
	}
	diags.Merge(l.diags)
	diags.Sort()
	return names, true
}

// defined are the names that a bundle defines outside of bodies.
func (l *loader) defined(b *syntax.Bundle) (names []string) {
	for _, d := range b.Defs {
		_, n := d.Head()
		names = append(names, l.name(n))
	}
	return names
}

// enterKnown enters the entities of the running program, if there is one, that names in the text denote. It looks at
// names that were read since it was last called.
func (l *loader) enterKnown() {
	if l.known == nil {
		return
	}
	l.growEnts()
	for ; l.met < l.syms.Len(); l.met++ {
		i := l.met
		s := syntax.Sym(i << 1)
		if l.entOf[i] != 0 || l.nameless(s) {
			continue
		}
		if name := l.syms.String(s); name != "" && name[0] == '@' {
			l.enterEntity(s, l.known(name))
		}
	}
}

// enterEntity lets a name denote an entity of the running program, if it is not nil.
func (l *loader) enterEntity(s syntax.Sym, of any) {
	e := entity{kind: entVersion}
	switch x := of.(type) {
	case nil:
		return
	case ir.TypeID:
		e = entity{kind: entType, typ: x}
		if l.types.Kind(x) == ir.KSig {
			e.kind = entSig
		}
	case *ir.Const:
		e = entity{kind: entConst, con: x}
	case *ir.Global:
		e = entity{kind: entGlobal, con: l.out.GlobalConst(x)}
	case *ir.Function:
		e = entity{kind: entFunc, fn: x, owner: s, con: l.out.FuncConst(x)}
	case *ir.Expose:
		e = entity{kind: entExpose, con: l.out.ExposeConst(x)}
	}
	l.enter(s, e)
}

// snapshot frees the names that the text may define, which entities that are not visible may have,
// and returns a function that undoes all additions to the program. Types stay in the table, where
// nothing refers to them.
func (l *loader) snapshot(names []string) func() {
	p := l.prog
	was := *p
	ents, ids := map[string]any{}, map[string]uint32{}
	for _, n := range names {
		if e, ok := p.Entities[n]; ok {
			ents[n] = e
		}
		if id, ok := p.TypeIDs[n]; ok {
			ids[n] = id
		}
	}
	for _, n := range names {
		if s := l.syms.Lookup(n); s != 0 && l.look(s) == nil { // not visible
			delete(p.Entities, n)
			delete(p.TypeIDs, n)
		}
	}
	return func() {
		for i := range l.bodies { // of functions that the program had, too
			b := &l.bodies[i]
			b.fn.Versions = slices.DeleteFunc(b.fn.Versions, func(v *ir.Version) bool { return v == b.ver })
		}
		was.Entities, was.TypeIDs = p.Entities, p.TypeIDs
		*p = was
		for _, n := range names {
			delete(p.Entities, n)
			delete(p.TypeIDs, n)
			if e, ok := ents[n]; ok {
				p.Entities[n] = e
			}
			if id, ok := ids[n]; ok {
				p.TypeIDs[n] = id
			}
		}
	}
}
