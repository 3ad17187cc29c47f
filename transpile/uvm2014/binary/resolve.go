package binary

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// resolve replaces the IDs in names by symbols, function bodies aside.
func (r *reader) resolve() {
	for _, d := range r.b.Defs {
		h := d.DefHead()
		h.Name.Sym = r.find(h.ID).globalSym()
		switch d := d.(type) {
		case *syntax.TypeDef:
			r.typeRefs(&d.Type)
		case *syntax.SigDef:
			r.sigRefs(&d.Sig)
		case *syntax.ConstDef:
			r.typeRefs(&d.Type)
			for i := range d.Value.Const.List {
				r.global(&d.Value.Const.List[i].Name, "a value", Const, Global, Func)
			}
		case *syntax.GlobalDef:
			r.typeRefs(&d.Type)
		case *syntax.FuncDecl:
			r.sigRefs(&d.Sig)
		case *syntax.FuncDef:
			r.sigRefs(&d.Sig)
		}
	}
}

// global replaces an ID of one of the kinds.
func (r *reader) global(n *syntax.Name, want string, kinds ...Kind) {
	id := uint32(n.Sym)
	e := r.find(id)
	kind, sym := e.kind(), e.globalSym()
	if kind == NoKind {
		if k, ok := r.known.ByID(id); ok {
			kind, sym = k.Kind, r.syms.Intern([]byte(k.Name))
		}
	}
	n.Sym = 0
	if kind == NoKind {
		r.errorf(n.Off, "ID %d is not defined: wanted %s", id, want)
		return
	}
	if !slices.Contains(kinds, kind) {
		r.errorf(n.Off, "ID %d is %s: wanted %s", id, kind, want)
		return
	}
	n.Sym = sym
}

// globalSym is the symbol of an entity, 0 if it is in a function.
func (e entity) globalSym() syntax.Sym {
	if e.kind().local() {
		return 0
	}
	return e.sym()
}

func (r *reader) typeRefs(t *syntax.Type) {
	if t.Kind == syntax.NoType {
		r.global(&t.Name, "a type", Type)
		return
	}
	for i := range t.Args {
		r.typeRefs(&t.Args[i])
	}
	if t.Kind == syntax.TypeFunc {
		r.sigRefs(&t.Sig)
	}
}

func (r *reader) sigRefs(s *syntax.Sig) {
	if s.Ret.TypeCtor == nil {
		r.global(&s.Name, "a signature", Sig)
		return
	}
	r.typeRefs(&s.Ret)
	for i := range s.Params {
		r.typeRefs(&s.Params[i])
	}
}
