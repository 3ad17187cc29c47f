package repr

import (
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// Values in the transfer area of a thread and in the words of a frame: most scalars take
// a word that the collector does not look at, references a root, tagged references both,
// and scalars of more than 64 bits two words.

// RootOf is the address that the collector must see of a scalar, nil if there is none.
func (g *Program) RootOf(x gotree.Expr, t ir.TypeID) gotree.Expr {
	switch g.LeafOf(t) {
	case facts.LeafRef:
		return x
	case facts.LeafTag:
		return node.RuntimeInt("TagRoot", x)
	}
	return nil
}

// wordOf is a scalar as a word of 64 bits, for those that take one.
func (g *Program) wordOf(x gotree.Expr, t ir.TypeID) gotree.Expr {
	switch g.LeafOf(t) {
	case facts.LeafTag:
		return x
	case facts.LeafBool:
		return node.RuntimeInt("B2U", x)
	case facts.LeafF32:
		return node.Conv(gotree.Uint64, node.Bits32(x))
	case facts.LeafF64:
		return node.Bits64(x)
	}
	return node.Conv(gotree.Uint64, x)
}

// fromWord is the scalar of a word, for those that take one.
func (g *Program) fromWord(w gotree.Expr, t ir.TypeID) gotree.Expr {
	switch g.LeafOf(t) {
	case facts.LeafTag:
		return w
	case facts.LeafBool:
		return node.Ne(w, node.Zero)
	case facts.LeafF32:
		return node.FromBits32(node.Conv(gotree.Uint32, w))
	case facts.LeafF64:
		return node.FromBits64(w)
	}
	return node.Conv(g.GoType(t), w)
}

// wide makes a number of more than 64 bits from two words.
func wide(lo, hi gotree.Expr) gotree.Expr {
	return node.Composite(node.U128, node.Field("Lo", lo), node.Field("Hi", hi))
}

// An Area is words and roots that values are put into and taken out of, one after the other.
type Area struct {
	Word, Root func(i int) gotree.Expr // the variables
	Stays      bool                    // what Take loads stays in its root, until Clear
	w, r       int                     // how many have been used
}

func (a *Area) nextWord() gotree.Expr { a.w++; return a.Word(a.w - 1) }

func (a *Area) nextRoot() gotree.Expr { a.r++; return a.Root(a.r - 1) }

// TransferArea is the transfer area that a variable points at.
func TransferArea(x gotree.Expr) *Area {
	return &Area{
		Word: func(i int) gotree.Expr { return &gotree.Index{X: node.Dot(x, "W"), I: node.Lit(i), K: gotree.Int} },
		Root: func(i int) gotree.Expr { return &gotree.Index{X: node.Dot(x, "R"), I: node.Lit(i), K: gotree.Int} },
	}
}

// Put stores a value in the area.
func (g *Program) Put(out *gotree.Block, a *Area, ty ir.TypeID, x gotree.Expr) {
	g.EachLeaf(ty, x, func(x gotree.Expr, t ir.TypeID) {
		if r := g.RootOf(x, t); r != nil {
			out.Set(a.nextRoot(), r)
		}
		switch g.LeafOf(t) {
		case facts.LeafRef:
		case facts.LeafWide:
			out.Set(a.nextWord(), node.Dot(x, "Lo"))
			out.Set(a.nextWord(), node.Dot(x, "Hi"))
		default:
			out.Set(a.nextWord(), g.wordOf(x, t))
		}
	})
	g.MaxTransfer = max(g.MaxTransfer, a.w, a.r)
}

// Take loads a value from the area, into a variable or "_". Its roots are cleared, unless they are
// to stay: the area would keep the objects alive.
func (g *Program) Take(out *gotree.Block, a *Area, ty ir.TypeID, to gotree.Expr) {
	g.EachLeaf(ty, to, func(x gotree.Expr, t ir.TypeID) {
		if to == gotree.Blank {
			x = to
		}
		switch g.LeafOf(t) {
		case facts.LeafRef:
			a.take(out, x, nil)
		case facts.LeafTag:
			a.take(out, x, a.nextWord())
		case facts.LeafWide:
			lo := a.nextWord()
			out.Set(x, wide(lo, a.nextWord()))
		default:
			out.Set(x, g.fromWord(a.nextWord(), t))
		}
	})
	g.MaxTransfer = max(g.MaxTransfer, a.w, a.r)
}

// take sets x to a word, or to the next root itself if the word is nil, and clears the root.
func (a *Area) take(out *gotree.Block, x, word gotree.Expr) {
	root := a.nextRoot()
	if word == nil {
		word = root
	}
	if a.Stays {
		out.Set(x, word)
	} else {
		out.SetAll([]gotree.Expr{x, root}, []gotree.Expr{word, node.Zero})
	}
}

// Clear clears the roots that have stayed.
func (a *Area) Clear(out *gotree.Block) {
	for i := range a.r {
		out.Set(a.Root(i), node.Zero)
	}
}

// TransferVar declares a variable that points at the transfer area.
func TransferVar(out *gotree.Block, x string) *Area {
	out.Define(x, gotree.PtrTo(node.RuntimeType("Transfer")), node.Runtime("X", node.Ctx))
	return TransferArea(node.Name(x))
}
