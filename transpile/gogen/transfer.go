package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Values in the transfer area of a thread and in the words of a frame: a word that
// the collector does not look at for most scalars, a root for references, both for
// tagged ones, two words for what has more than 64 bits.

// rootOf is the address that the collector must see of a scalar, nil if there is none.
func (g *gen) rootOf(x expr, t ir.TypeID) expr {
	switch g.LeafOf(t) {
	case facts.LeafRef:
		return x
	case facts.LeafTag:
		return rtInt("TagRoot", x)
	}
	return nil
}

// wordOf is a scalar as a word of 64 bits, for those that take one.
func (g *gen) wordOf(x expr, t ir.TypeID) expr {
	switch g.LeafOf(t) {
	case facts.LeafTag:
		return x
	case facts.LeafBool:
		return rtInt("B2U", x)
	case facts.LeafF32:
		return conv(gotree.Uint64, bits32(x))
	case facts.LeafF64:
		return bits64(x)
	}
	return conv(gotree.Uint64, x)
}

// fromWord is the scalar of a word, for those that take one.
func (g *gen) fromWord(w expr, t ir.TypeID) expr {
	switch g.LeafOf(t) {
	case facts.LeafTag:
		return w
	case facts.LeafBool:
		return ne(w, zero)
	case facts.LeafF32:
		return fromBits32(conv(gotree.Uint32, w))
	case facts.LeafF64:
		return fromBits64(w)
	}
	return conv(g.goType(t), w)
}

// wide makes a number of more than 64 bits of two words.
func wide(lo, hi expr) expr { return composite(u128, field("Lo", lo), field("Hi", hi)) }

// An area is words and roots that values are put into and taken out of, one after the other.
type area struct {
	word, root func(i int) expr // the variables
	w, r       int              // so many have been used
}

func (a *area) nextWord() expr { a.w++; return a.word(a.w - 1) }

func (a *area) nextRoot() expr { a.r++; return a.root(a.r - 1) }

// transferArea is the transfer area that a variable points at.
func transferArea(x expr) *area {
	return &area{
		word: func(i int) expr { return &gotree.Index{X: dot(x, "W"), I: lit(i), K: gotree.Int} },
		root: func(i int) expr { return &gotree.Index{X: dot(x, "R"), I: lit(i), K: gotree.Int} },
	}
}

// put stores a value in the area.
func (g *gen) put(out *code, a *area, ty ir.TypeID, x expr) {
	g.eachLeaf(ty, x, func(x expr, t ir.TypeID) {
		if r := g.rootOf(x, t); r != nil {
			out.Set(a.nextRoot(), r)
		}
		switch g.LeafOf(t) {
		case facts.LeafRef:
		case facts.LeafWide:
			out.Set(a.nextWord(), dot(x, "Lo"))
			out.Set(a.nextWord(), dot(x, "Hi"))
		default:
			out.Set(a.nextWord(), g.wordOf(x, t))
		}
	})
	g.maxTransfer = max(g.maxTransfer, a.w, a.r)
}

// take loads a value from the area, into a variable or "_". Roots are cleared: the
// area would keep the objects alive.
func (g *gen) take(out *code, a *area, ty ir.TypeID, to expr) {
	g.eachLeaf(ty, to, func(x expr, t ir.TypeID) {
		if to == gotree.Blank {
			x = to
		}
		switch g.LeafOf(t) {
		case facts.LeafRef:
			r := a.nextRoot()
			out.SetAll([]expr{x, r}, []expr{r, zero})
		case facts.LeafTag:
			r := a.nextRoot()
			out.SetAll([]expr{x, r}, []expr{a.nextWord(), zero})
		case facts.LeafWide:
			lo := a.nextWord()
			out.Set(x, wide(lo, a.nextWord()))
		default:
			out.Set(x, g.fromWord(a.nextWord(), t))
		}
	})
	g.maxTransfer = max(g.maxTransfer, a.w, a.r)
}

// transferVar declares a variable that points at the transfer area.
func transferVar(out *code, x string) *area {
	out.Define(x, gotree.PtrTo(rtType("Transfer")), rt("X", tVar))
	return transferArea(name(x))
}

// pass puts values into the thread's transfer area.
func (e *fn) pass(out *code, vals []ir.ValueID) {
	if len(vals) == 0 {
		return
	}
	a := transferVar(out, e.scope.local("x"))
	for _, v := range vals {
		ty := e.v.Values[v].Type
		e.put(out, a, ty, e.whole(out, ty, v))
	}
}

// whole is an operand of which the scalars are used one by one.
func (e *fn) whole(out *code, ty ir.TypeID, x ir.ValueID) expr {
	switch e.kind(ty) {
	case ir.KStruct, ir.KArray, ir.KVector:
		return e.temp(out, x)
	case ir.KInt:
		if e.at(ty).Bits > 64 {
			return e.temp(out, x)
		}
	}
	return e.expr(x)
}

// results reads the results of an instruction out of the transfer area.
func (e *fn) results(out *code, in *ir.Inst) {
	used := false
	for _, r := range in.Results {
		used = used || e.plan.Used[r]
	}
	if !used {
		return
	}
	to := make([]expr, len(in.Results))
	for i, r := range in.Results {
		to[i] = e.receiver(out, r)
	}
	a := transferVar(out, e.scope.local("x"))
	for i, r := range in.Results {
		e.take(out, a, e.v.Values[r].Type, to[i])
	}
	for _, r := range in.Results {
		if e.plan.Used[r] {
			e.root(out, r)
		}
	}
}

// receiver is the variable of a result that is assigned next, declared if that is
// needed, or "_".
func (e *fn) receiver(out *code, r ir.ValueID) expr {
	if !e.plan.Used[r] {
		return gotree.Blank
	}
	if e.name[r] == "" {
		e.name[r] = e.localName(r)
		out.Var(e.goType(e.v.Values[r].Type), e.name[r])
		e.declared(out, r)
	}
	return e.variable(r)
}
