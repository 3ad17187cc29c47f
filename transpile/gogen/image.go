package gogen

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// The heap image is built before the entry function runs. Objects are made from
// one table; each row of another is an initialiser: a location, a kind of value,
// and the value. Rows are text that the runtime decodes, because the Go compiler
// would need long for a composite literal of a hundred thousand rows. Offsets are
// given for both word sizes.
//
//	object row:      DESC LEN
//	initialiser row: BASE OFF4 OFF8 OP ...
//	  BASE   o<object number> or g<cell number>
//	  OP     w1 w2 w4 w8 BITS      store an integer of 1, 2, 4 or 8 bytes
//	         p BITS                store a word
//	         r OBJECT              store a reference to an object
//	         a BASE OFF4 OFF8      store an address
//	         c BASE OFF4 OFF8 SIZE4 SIZE8   copy bytes
//	         f FUNC                store a funcref
//	         s SYMBOL, x EXPOSED   store the address of a native or exposed function
//	         t OBJECT TAG          store a tagged reference; OBJECT -1 is NULL
//	         ti BITS, td BITS      store a tagged int or double

// imageCode emits the tables of the heap image, nil without one.
func (g *gen) imageCode() []gotree.Decl {
	img := g.IR.Image
	if img == nil || len(img.Objects)+len(img.Inits) == 0 {
		return nil
	}
	globals := map[*ir.Global]int{}
	for i, c := range g.IR.Globals {
		globals[c] = i
	}
	funcs := map[*ir.Function]int{}
	for i, f := range g.IR.Funcs {
		funcs[f] = i
	}
	w := &imageWriter{g: g, globals: globals, funcs: funcs, syms: map[string]int{}, exps: map[*ir.Expose]int{}}
	var objs strings.Builder
	for _, o := range img.Objects {
		fmt.Fprintf(&objs, "%d %d\n", g.Desc(o.Type), o.Len)
	}
	for i := range img.Inits {
		if !g.staticInC(i) {
			w.init(&img.Inits[i])
		}
	}
	var body gotree.Block
	body.Do(node.Runtime("BuildImage", node.Ctx, &gotree.Whole{X: node.Name("types")}, node.Name("imageObjects"), node.Name("imageInits"),
		node.Composite(gotree.SliceOf(gotree.Uintptr), node.Elems(w.symVars)...), node.Composite(gotree.SliceOf(gotree.Uintptr), node.Elems(w.expVars)...)))
	return []gotree.Decl{
		&gotree.ConstDecl{Names: []string{"imageObjects"}, X: &gotree.Str{V: objs.String(), Raw: true}},
		&gotree.ConstDecl{Names: []string{"imageInits"}, X: &gotree.Str{V: w.b.String(), Raw: true}},
		&gotree.Func{Name: "image", Sig: &gotree.Sig{Params: []gotree.Param{node.CtxParam}}, Body: &body},
	}
}

type imageWriter struct {
	g       *gen
	b       strings.Builder
	globals map[*ir.Global]int
	funcs   map[*ir.Function]int
	syms    map[string]int
	symVars []gotree.Expr
	exps    map[*ir.Expose]int
	expVars []gotree.Expr
}

func (w *imageWriter) base(l *ir.ImageLoc) string {
	if l.Global != nil {
		return fmt.Sprintf("g%d", w.globals[l.Global])
	}
	return fmt.Sprintf("o%d", l.Object)
}

// rootType is the type of the cell or object that a location is in.
func (w *imageWriter) rootType(l *ir.ImageLoc) ir.TypeID {
	if l.Global != nil {
		return l.Global.Type
	}
	return w.g.IR.Image.Objects[l.Object].Type
}

// offset is the offset of a location in its cell or object.
func (w *imageWriter) offset(l *ir.ImageLoc) layout.Num {
	g := w.g
	off := layout.Num{}
	ty := w.rootType(l)
	for i := 0; i < len(l.Path); i++ {
		n, lay := g.At(ty), g.Layout.Of(ty)
		k := l.Path[i]
		switch n.Kind {
		case ir.KStruct:
			off = off.Add(lay.Offsets[k])
			ty = n.Fields[k]
		case ir.KHybrid:
			if int(k) < len(n.Fields) {
				off = off.Add(lay.Offsets[k])
				ty = n.Fields[k]
				continue
			}
			off = off.Add(lay.Size)
			if i++; i < len(l.Path) {
				off = off.Add(lay.Stride.Mul(l.Path[i]))
			}
			ty = n.Elem
		default:
			off = off.Add(lay.Stride.Mul(k))
			ty = n.Elem
		}
	}
	return off
}

func (w *imageWriter) init(in *ir.ImageInit) {
	base, off := w.base(&in.To), w.offset(&in.To)
	at := func(n layout.Num) string { return fmt.Sprintf("%s %d %d", base, n.W4, n.W8) }
	switch in.Kind {
	case ir.ImageConst:
		w.constant(in.Const, at, off)
	case ir.ImageObjRef:
		fmt.Fprintf(&w.b, "%s r %d\n", at(off), in.From.Object)
	case ir.ImageAddr:
		f := w.offset(&in.From)
		fmt.Fprintf(&w.b, "%s a %s %d %d\n", at(off), w.base(&in.From), f.W4, f.W8)
	case ir.ImageCopy:
		f := w.offset(&in.From)
		s := w.g.Layout.Of(in.To.Type).Size
		fmt.Fprintf(&w.b, "%s c %s %d %d %d %d\n", at(off), w.base(&in.From), f.W4, f.W8, s.W4, s.W8)
	case ir.ImageTagFP:
		fmt.Fprintf(&w.b, "%s td %d\n", at(off), in.Bits)
	case ir.ImageTagInt:
		fmt.Fprintf(&w.b, "%s ti %d\n", at(off), in.Bits)
	case ir.ImageTagRef:
		fmt.Fprintf(&w.b, "%s t %d %d\n", at(off), in.From.Object, in.Tag)
	default:
		panic(fmt.Sprintf("internal error: image initialiser of kind %d", in.Kind))
	}
}

func (w *imageWriter) constant(c *ir.Const, at func(layout.Num) string, off layout.Num) {
	g := w.g
	switch c.Kind {
	case ir.ConstInt, ir.ConstFP:
		switch n := g.At(c.Type); {
		case n.Kind == ir.KInt && n.Bits > 64:
			fmt.Fprintf(&w.b, "%s w16 %d %d\n", at(off), c.Lo, c.Hi)
		case n.Kind == ir.KUPtr || n.Kind == ir.KUFuncPtr:
			fmt.Fprintf(&w.b, "%s p %d\n", at(off), c.Lo)
		default:
			fmt.Fprintf(&w.b, "%s w%d %d\n", at(off), g.Layout.Of(c.Type).Size.W8, c.Lo)
		}
	case ir.ConstNull:
		op := "p"
		if g.Layout.Of(c.Type).Size == layout.Const(8) {
			op = "w8" // a tagged reference, of 8 bytes everywhere
		}
		fmt.Fprintf(&w.b, "%s %s 0\n", at(off), op)
	case ir.ConstAggregate:
		l := g.Layout.Of(c.Type)
		for i, el := range c.Elems {
			o := off
			if g.Kind(c.Type) == ir.KStruct {
				o = o.Add(l.Offsets[i])
			} else {
				o = o.Add(l.Stride.Mul(uint64(i)))
			}
			w.constant(el, at, o)
		}
	case ir.ConstGlobal:
		fmt.Fprintf(&w.b, "%s a g%d 0 0\n", at(off), w.globals[c.Global])
	case ir.ConstFunc:
		fmt.Fprintf(&w.b, "%s f %d\n", at(off), w.funcs[c.Func])
	case ir.ConstExtern:
		k, ok := w.syms[c.Sym]
		if !ok {
			k = len(w.symVars)
			w.syms[c.Sym] = k
			w.symVars = append(w.symVars, node.Name(g.Symbol(c)))
		}
		fmt.Fprintf(&w.b, "%s s %d\n", at(off), k)
	case ir.ConstExpose:
		k, ok := w.exps[c.Expose]
		if !ok {
			k = len(w.expVars)
			w.exps[c.Expose] = k
			w.expVars = append(w.expVars, g.Constant(c))
		}
		fmt.Fprintf(&w.b, "%s x %d\n", at(off), k)
	default:
		panic(fmt.Sprintf("internal error: constant of kind %d in the image", c.Kind))
	}
}
