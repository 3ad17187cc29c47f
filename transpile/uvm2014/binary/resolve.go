package binary

import "github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"

// resolve replaces the IDs in names by symbols, function bodies aside.
func (r *reader) resolve() {
	for _, d := range r.b.Defs {
		h := d.DefHead()
		r.defined(&h.Name)
		switch d := d.(type) {
		case *syntax.TypeDef:
			r.typeRefs(d.Type)
		case *syntax.SigDef:
			r.sigRefs(d.Sig)
		case *syntax.ConstDef:
			r.typeRefs(d.Type)
			for i := range d.Value.List {
				r.global(&d.Value.List[i].Name, "a value", Const, Global, Func)
			}
		case *syntax.GlobalDef:
			r.typeRefs(d.Type)
		case *syntax.FuncDecl:
			r.sigRefs(d.Sig)
		case *syntax.FuncDef:
			r.sigRefs(d.Sig)
			for i := range d.Params {
				r.defined(&d.Params[i].Name)
			}
		}
	}
}

// defined replaces the ID of something that the bundle defines.
func (r *reader) defined(n *syntax.Name) { *n = r.own(uint32(n.Sym), n.Off) }

// global replaces an ID of one of the kinds.
func (r *reader) global(n *syntax.Name, want string, kinds ...Kind) {
	id := uint32(n.Sym)
	kind, sym := NoKind, syntax.Sym(0)
	if e := r.find(id); e != nil {
		if kind = e.kind; !kind.local() {
			sym = e.sym
		}
	} else if k, ok := r.known.ByID(id); ok {
		kind, sym = k.Kind, r.syms.Intern([]byte(k.Name))
	}
	n.Sym = 0
	for _, k := range kinds {
		if k == kind {
			n.Sym = sym
			return
		}
	}
	if kind == NoKind {
		r.errorf(n.Off, "ID %d is not defined: wanted %s", id, want)
		return
	}
	r.errorf(n.Off, "ID %d is %s: wanted %s", id, kind, want)
}

func (r *reader) typeRefs(t *syntax.Type) {
	if t.Kind == syntax.NoType {
		r.global(&t.Name, "a type", Type)
		return
	}
	for _, a := range t.Args {
		r.typeRefs(a)
	}
	if t.Sig != nil {
		r.sigRefs(t.Sig)
	}
}

func (r *reader) sigRefs(s *syntax.Sig) {
	if s.Ret == nil {
		r.global(&s.Name, "a signature", Sig)
		return
	}
	r.typeRefs(s.Ret)
	for _, p := range s.Params {
		r.typeRefs(p)
	}
}
