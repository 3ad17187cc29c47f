package mu

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// Text of declarations that a running program loads (docs/client.md, "Loading text"), for the
// interpreter. The runtime of translated programs checks such text itself.

// A Fault says what kind of error the first one of a text is.
type Fault uint8

// The faults, one for each error code (docs/language.md, "Run-time errors").
const (
	NoFault  Fault = iota
	BadText        // E_PARSE
	BadCheck       // E_CHECK
	Clash          // E_CONFLICT
	HasCode        // E_DYNCODE
)

// Visible tells Declare which names can be found now.
type Visible func(name string) bool

// Declare reads a bundle that may use all visible names of a program, and adds what it declares
// to the program. It gives the names that were declared. With a fault the program is as it was,
// and diags has all errors, sorted.
func Declare(p *ir.Program, files *diag.Set, src Source, visible Visible, diags *diag.List) ([]string, Fault) {
	f, err := files.Add(src.Name, src.Text)
	if err != nil {
		diags.Errorf(diag.Pos{}, "%v", err)
		return nil, BadText
	}
	l := newLoader(p, files, Options{}, diags)
	l.hints = maxHints
	l.clashes = map[diag.Pos]bool{}
	b := syntax.Parse(f, l.syms, diags, 0)
	if b.Bad {
		diags.Sort()
		return nil, BadText
	}
	l.enterVisible(visible)

	// A function with a body counts as declared, so that it is one error.
	code := map[diag.Pos]bool{}
	var names []string
	for i, d := range b.Defs {
		_, n := d.Head()
		names = append(names, l.name(n))
		if d, ok := d.(*syntax.FuncDef); ok {
			l.b = b
			l.errorf(n.Off, "%s has a body, and code cannot be made at run time: translate the bundle with the program (-later)", l.name(n))
			code[b.Pos(n.Off)] = true
			b.Defs[i] = &syntax.FuncDecl{Name: d.Name, Sig: d.Sig}
		}
	}
	undo := l.snapshot(names)
	l.bundle(b)
	if !diags.HasErrors() {
		return names, NoFault
	}
	undo()
	diags.Sort()
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

// enterVisible enters what the names in the text denote.
func (l *loader) enterVisible(visible Visible) {
	l.growEnts()
	for i := 1; i < l.syms.Len(); i++ {
		s := syntax.Sym(i << 1)
		name := l.syms.String(s)
		if l.entOf[i] != 0 || name == "" || name[0] != '@' || !visible(name) {
			continue
		}
		e := entity{kind: entVersion}
		switch x := l.prog.Entities[name].(type) {
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
}

// snapshot makes room for what the text adds to the program under some names, which others that
// are not visible may have, and gives a function that takes back what is added.
// Types stay in the table, where nothing refers to them.
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
