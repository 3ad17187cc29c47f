package verify

import (
	"slices"
	"sort"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// collect returns everything that a constant may refer to.
func collect(p *ir.Program) map[any]bool {
	m := map[any]bool{}
	for _, c := range p.Consts {
		m[c] = true
	}
	for _, g := range p.Globals {
		m[g] = true
	}
	for _, f := range p.Funcs {
		m[f] = true
	}
	for _, e := range p.Exposes {
		m[e] = true
	}
	return m
}

// member checks that a thing is in its list, while all of a program is checked.
func (x *Verifier) member(e any, name string) {
	if x.members != nil && !x.members[e] {
		x.faultf("%s is not of this program", name)
	}
}

// definitions checks everything with a name except types and bodies.
func (x *Verifier) definitions() {
	ids := map[uint32]string{}
	begin := func(name string, pos diag.Pos, id uint32) {
		x.where, x.pos = name, pos
		if id == 0 {
			return
		}
		if other, ok := ids[id]; ok {
			x.faultf("has entity id %d, which %s has", id, other)
		}
		if id >= x.p.NextID {
			x.faultf("has entity id %d, which is still to be given", id)
		}
		ids[id] = name
	}
	missing := func(what string) {
		x.where, x.pos = "program", diag.Pos{}
		x.faultf("%s is nil", what)
	}
	for _, c := range x.p.Consts {
		if c == nil {
			missing("a constant")
			continue
		}
		begin(c.Name, c.Pos, c.ID)
		x.checkConst(c)
	}
	for _, g := range x.p.Globals {
		if g == nil {
			missing("a cell")
			continue
		}
		begin(g.Name, g.Pos, g.ID)
		if !x.y.Allows(ir.ArgNotHybrid, g.Type) {
			x.faultf("a cell wants a type that is not a hybrid, got %s", x.t.Text(g.Type))
		}
		if g.Init != nil {
			x.checkConst(g.Init)
			if g.Init.Type != g.Type {
				x.faultf("holds %s, got %s", x.t.Text(g.Type), x.t.Text(g.Init.Type))
			}
		}
	}
	for _, f := range x.p.Funcs {
		if f == nil {
			missing("a function")
			continue
		}
		begin(f.Name, f.Pos, f.ID)
		x.signature(f)
		x.implementations(f)
		for _, v := range f.Versions {
			if v == nil {
				continue
			}
			begin(v.Name, v.Pos, v.ID)
			if v.Func != f {
				x.faultf("is a version of %s, but says otherwise", f.Name)
			}
		}
	}
	for _, e := range x.p.Exposes {
		if e == nil {
			missing("an exposed function")
			continue
		}
		begin(e.Name, e.Pos, e.ID)
		x.expose(e)
	}
	x.hooks()
	x.where, x.pos = "", diag.Pos{}
}

// implementations checks the implementations for the versions of later bundles.
func (x *Verifier) implementations(f *ir.Function) {
	for _, i := range f.Impls {
		if i == nil || i.Of != f {
			x.faultf("has an implementation that is of another function")
		}
	}
	if f.CopyOf != nil {
		x.member(f.CopyOf, f.CopyOf.Name)
		if f.CopyOf.CopyOf != nil || f.Of != nil {
			x.faultf("is a copy of %s, which is a copy, or an implementation", f.CopyOf.Name)
		}
	}
	if f.Of == nil {
		return
	}
	x.member(f.Of, f.Of.Name)
	of := 0
	for _, l := range x.p.Later {
		if slices.Contains(l.Impls, f) {
			of++
		}
	}
	switch {
	case !slices.Contains(f.Of.Impls, f):
		x.faultf("is not among the implementations of %s", f.Of.Name)
	case f.Of.Of != nil:
		x.faultf("implements %s, which is an implementation", f.Of.Name)
	case f.Sig != f.Of.Sig:
		x.faultf("implements %s of another signature", f.Of.Name)
	case len(f.Versions) != 1 || len(f.Impls) != 0:
		x.faultf("an implementation has one version, got %d", len(f.Versions))
	case of != 1:
		x.faultf("an implementation is of one later bundle, got %d", of)
	}
}

func (x *Verifier) signature(f *ir.Function) bool {
	if !x.t.Valid(f.Sig) || x.t.Kind(f.Sig) != ir.KSig {
		x.faultf("a function wants a signature, got %s", x.t.Text(f.Sig))
		return false
	}
	return true
}

func (x *Verifier) expose(e *ir.Expose) {
	if e.Func == nil {
		x.faultf("exposes no function")
		return
	}
	x.member(e.Func, e.Func.Name)
	if !x.t.Valid(e.Type) || x.t.Kind(e.Type) != ir.KUFuncPtr || x.t.At(e.Type).Elem != e.Func.Sig {
		x.faultf("an exposed function wants ufuncptr<%s>, got %s", x.t.Text(e.Func.Sig), x.t.Text(e.Type))
	} else if n := len(x.t.At(e.Func.Sig).Results); x.t.Kind(e.Func.Sig) == ir.KSig && n > 1 {
		x.faultf("an exposed function has at most one result, got %d", n)
	}
	if e.Cookie == nil {
		x.faultf("has no cookie")
		return
	}
	x.checkConst(e.Cookie)
	if t := e.Cookie.Type; !x.t.Valid(t) || x.t.Kind(t) != ir.KInt || x.t.At(t).Bits != 64 {
		x.faultf("a cookie wants int<64>, got %s", x.t.Text(t))
	}
}

// hooks checks the functions that run in addition to the entry function.
func (x *Verifier) hooks() {
	if f := x.p.Main; f != nil {
		x.where, x.pos = f.Name, f.Pos
		x.member(f, f.Name)
	}
	x.p.Hooks.Each(func(k ir.HookKind, f *ir.Function) {
		if f == nil {
			x.where, x.pos = "program", diag.Pos{}
			x.faultf("a hook is nil")
			return
		}
		x.where, x.pos = f.Name, f.Pos
		x.member(f, f.Name)
		if sig := x.t.At(f.Sig); x.t.Valid(f.Sig) && len(sig.Fields)+len(sig.Results) > 0 {
			x.faultf("a hook has no parameters and no results, got %s", x.t.Text(f.Sig))
		}
		if f.Of != nil || f.Current() == nil || f.Open() {
			x.faultf("a hook is a function that is defined, and not anew by a later bundle")
		}
	})
}

// entities checks the index of names.
func (x *Verifier) entities() {
	names := make([]string, 0, len(x.p.Entities))
	for n := range x.p.Entities {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		x.where = n
		var own string
		switch e := x.p.Entities[n].(type) {
		case ir.TypeID:
			if !x.t.Valid(e) {
				x.faultf("is type %d, which does not exist", e)
			}
			continue
		case *ir.Const:
			if e != nil {
				own = e.Name
			}
		case *ir.Global:
			if e != nil {
				own = e.Name
			}
		case *ir.Function:
			if e != nil {
				own = e.Name
			}
		case *ir.Expose:
			if e != nil {
				own = e.Name
			}
		default:
			x.faultf("is a %T, which is no entity", e)
			continue
		}
		if own != n {
			x.faultf("is found by this name, but is called %q", own)
			continue
		}
		x.member(x.p.Entities[n], n)
	}
	names = names[:0]
	for n := range x.p.TypeIDs {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		if _, ok := x.p.Entities[n].(ir.TypeID); !ok {
			x.where = n
			x.faultf("has the entity id of a type, but is none")
		}
	}
	x.where = ""
}

// image checks the heap image (docs/hail.md).
func (x *Verifier) image() {
	im := x.p.Image
	if im == nil {
		return
	}
	for i := range im.Objects {
		o := &im.Objects[i]
		x.where, x.pos = o.Name, o.Pos
		if o.Name == "" {
			x.where = "object of the image"
		}
		switch {
		case !x.y.IsType(o.Type):
			x.faultf("wants a type, got %s", x.t.Text(o.Type))
		case o.Len != 0 && x.t.Kind(o.Type) != ir.KHybrid:
			x.faultf("has a variable part of %d elements, but is no hybrid", o.Len)
		}
	}
	for i := range im.Inits {
		in := &im.Inits[i]
		x.where, x.pos = "store of the image", in.Pos
		if x.location(&in.To) {
			x.imageStore(in)
		}
	}
	x.where, x.pos = "", diag.Pos{}
}

// location checks that a location exists and has its type.
func (x *Verifier) location(l *ir.ImageLoc) bool {
	var t ir.TypeID
	var length uint64
	if l.Global != nil {
		x.member(l.Global, l.Global.Name)
		t = l.Global.Type
	} else {
		if l.Object < 0 || l.Object >= len(x.p.Image.Objects) {
			x.faultf("object %d does not exist", l.Object)
			return false
		}
		o := &x.p.Image.Objects[l.Object]
		t, length = o.Type, o.Len
	}
	for k := 0; k < len(l.Path); k++ {
		if !x.t.Valid(t) {
			return false
		}
		i, n := l.Path[k], x.t.At(t)
		fields := uint64(len(n.Fields))
		switch {
		case (n.Kind == ir.KStruct || n.Kind == ir.KHybrid) && i < fields:
			t = n.Fields[i]
		case n.Kind == ir.KHybrid && i == fields && k+1 < len(l.Path) && l.Path[k+1] < max(length, 1):
			k++
			t = n.Elem
		case (n.Kind == ir.KArray || n.Kind == ir.KVector) && i < n.Len:
			t = n.Elem
		default:
			x.faultf("%s has no part %d", x.t.Text(t), i)
			return false
		}
	}
	if t != l.Type {
		x.faultf("location is of type %s, but says %s", x.t.Text(t), x.t.Text(l.Type))
		return false
	}
	return x.t.Valid(t)
}

func (x *Verifier) imageStore(in *ir.ImageInit) {
	k := x.t.Kind(in.To.Type)
	object := k == ir.KRef || k == ir.KWeakRef
	ok := true
	switch in.Kind {
	case ir.ImageConst:
		if in.Const == nil {
			x.faultf("stores no constant")
			return
		}
		x.checkConst(in.Const)
		if w := x.t.At(in.To.Type); in.Const.Type != in.To.Type {
			ok = w.Kind == ir.KWeakRef && x.t.Valid(in.Const.Type) && x.t.Kind(in.Const.Type) == ir.KRef
		}
	case ir.ImageObjRef:
		ok = object && in.From.Global == nil && len(in.From.Path) == 0 && x.location(&in.From)
	case ir.ImageAddr:
		ok = (k == ir.KIRef || k == ir.KUPtr || k == ir.KUFuncPtr) && x.location(&in.From)
	case ir.ImageCopy:
		ok = x.location(&in.From)
	case ir.ImageTagFP, ir.ImageTagInt:
		ok = k == ir.KTagRef64
	case ir.ImageTagRef:
		ok = k == ir.KTagRef64 && (in.From.Object < 0 || x.location(&in.From))
	default:
		x.faultf("%d is no kind of store", in.Kind)
		return
	}
	if !ok {
		x.faultf("invalid value for a location of type %s", x.t.Text(in.To.Type))
	}
}
