package binary

import "github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"

// resolve replaces the IDs in names by symbols.
func (r *reader) resolve() {
	fn := int32(0)
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
				r.value(0, &d.Value.List[i])
			}
		case *syntax.GlobalDef:
			r.typeRefs(d.Type)
		case *syntax.FuncDecl:
			r.sigRefs(d.Sig)
		case *syntax.FuncDef:
			r.sigRefs(d.Sig)
			fn++
			r.body(d, fn)
		}
	}
}

// defined replaces the ID of something that the bundle defines.
func (r *reader) defined(n *syntax.Name) {
	if e := r.find(uint32(n.Sym)); e != nil {
		n.Sym = r.symbol(uint32(n.Sym), e)
	} else {
		n.Sym = 0
	}
}

// global replaces an ID of one of the kinds.
func (r *reader) global(n *syntax.Name, want string, kinds ...Kind) {
	id := uint32(n.Sym)
	kind, sym := NoKind, syntax.Sym(0)
	if e := r.find(id); e != nil {
		if kind = e.kind; !kind.local() {
			sym = r.symbol(id, e)
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

// value replaces an ID that denotes a value, in a function if fn is not 0.
func (r *reader) value(fn int32, v *syntax.Value) {
	r.valueName(fn, &v.Name)
}

func (r *reader) valueName(fn int32, n *syntax.Name) {
	if e := r.find(uint32(n.Sym)); e != nil && fn != 0 && e.fn == fn && (e.kind == param || e.kind == inst) {
		n.Sym = r.symbol(uint32(n.Sym), e)
		return
	}
	r.global(n, "a value", Const, Global, Func)
}

// local replaces an ID of one of two kinds of the function.
func (r *reader) local(fn int32, n *syntax.Name, want string, a, b Kind) {
	e := r.find(uint32(n.Sym))
	if e == nil || e.fn != fn || e.kind != a && e.kind != b {
		found := "not defined"
		if e != nil {
			if found = e.kind.String(); e.fn != fn {
				found += " of another function"
			}
		}
		r.errorf(n.Off, "ID %d is %s: wanted %s", uint32(n.Sym), found, want)
		n.Sym = 0
		return
	}
	n.Sym = r.symbol(uint32(n.Sym), e)
}

func (r *reader) body(d *syntax.FuncDef, fn int32) {
	for i := range d.Params {
		r.defined(&d.Params[i].Name)
	}
	for i := range d.Blocks {
		b := &d.Blocks[i]
		r.defined(&b.Name)
		for k := range b.Insts {
			r.instRefs(fn, &b.Insts[k])
		}
	}
}

func (r *reader) instRefs(d int32, in *syntax.Inst) {
	r.defined(&in.Name)
	if in.Type != nil {
		r.typeRefs(in.Type)
	}
	if in.Type2 != nil {
		r.typeRefs(in.Type2)
	}
	if in.Sig != nil {
		r.sigRefs(in.Sig)
	}
	for i := range in.Args {
		r.value(d, &in.Args[i])
	}
	for i := range in.Dests {
		r.local(d, &in.Dests[i], "a block", block, block)
	}
	for i := range in.Cases {
		r.local(d, &in.Cases[i].Label, "a block", block, block)
		r.value(d, &in.Cases[i].Value)
	}
	for i := range in.Keep {
		r.local(d, &in.Keep[i], "a local value", param, inst)
	}
}
