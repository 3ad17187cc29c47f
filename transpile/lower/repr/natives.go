package repr

import (
	"fmt"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/internal/clib"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// natives collects the native symbols and call signatures of a program.
type natives struct {
	SymbolVars map[string]string // C name -> Go variable
	Symbols    []*ir.Const       // in the order of the variables
	csigs      map[string]int
	CSigTexts  []string   // descriptions of signatures, by their number
	csigUses   []*CSigUse // by signature
}

func (n *natives) init() {
	n.SymbolVars = map[string]string{}
	n.csigs = map[string]int{}
}

// GoOnly reports whether a symbol is of a native of Go that a C library need not have.
func GoOnly(sym string) bool { return clib.Table[sym].Has(clib.Own) }

// ErrnoSymbols are always served in Go: errno belongs to the Mu stack.
var ErrnoSymbols = map[string]bool{"__errno_location": true, "__error": true, "_errno": true}

// CSigUse says what a signature is used for.
type CSigUse struct {
	CallFunc string // the Go function that calls an address with it, "" if nothing does
	Direct   []DirectCall
	Static   int  // functions of .expose
	Expose   bool // exposed at run time
}

// A DirectCall is a symbol of C that is called by name, and the Go function that calls it.
type DirectCall struct{ Sym, Name string }

// CCallName is the Go function that calls an address with signature k.
func (g *Program) CCallName(k int) string {
	u := g.UseOf(k)
	if u.CallFunc == "" {
		u.CallFunc = g.Top(fmt.Sprintf("ccall_%d", k))
	}
	return u.CallFunc
}

// CCallSymbol is the Go function that calls a symbol of C with signature k.
func (g *Program) CCallSymbol(k int, c *ir.Const) string {
	u := g.UseOf(k)
	for _, d := range u.Direct {
		if d.Sym == c.Sym {
			return d.Name
		}
	}
	g.Symbol(c)
	d := DirectCall{c.Sym, g.Top(fmt.Sprintf("ccall_%d_%s", k, Clean(c.Sym)))}
	u.Direct = append(u.Direct, d)
	return d.Name
}

// UseOf says what signature k is used for.
func (g *Program) UseOf(k int) *CSigUse {
	for len(g.csigUses) <= k {
		g.csigUses = append(g.csigUses, &CSigUse{})
	}
	return g.csigUses[k]
}

// GoNative reports whether a client registers the symbol.
func (g *Program) GoNative(name string) bool {
	return slices.Contains(g.Opt.GoNatives, name)
}

// Symbol is the Go variable with the address of a native symbol.
func (g *Program) Symbol(c *ir.Const) string {
	v, ok := g.SymbolVars[c.Sym]
	if !ok {
		v = g.Top("n_" + Clean(c.Sym))
		g.SymbolVars[c.Sym] = v
		g.Symbols = append(g.Symbols, c)
	}
	return v
}

// CSig numbers the description of a native signature: a letter for each
// parameter, then for the result.
func (g *Program) CSig(sig ir.TypeID) int {
	n := g.At(sig)
	s := ""
	for _, p := range n.Fields {
		s += g.CLetter(p)
	}
	s += ">"
	if len(n.Results) == 1 {
		s += g.CLetter(n.Results[0])
	}
	k, ok := g.csigs[s]
	if !ok {
		k = len(g.CSigTexts)
		g.csigs[s] = k
		g.CSigTexts = append(g.CSigTexts, s)
	}
	return k
}

// CLetter describes a type of C: a letter for a scalar.
func (g *Program) CLetter(id ir.TypeID) string {
	n := g.At(id)
	switch n.Kind {
	case ir.KInt:
		return map[uint32]string{8: "b", 16: "h", 32: "i", 64: "l"}[node.Container(n.Bits)]
	case ir.KFloat:
		return "f"
	case ir.KDouble:
		return "d"
	case ir.KStruct:
		s := "{"
		for _, f := range n.Fields {
			s += g.CLetter(f)
		}
		return s + "}"
	case ir.KArray:
		return fmt.Sprintf("[%d%s]", n.Len, g.CLetter(n.Elem))
	}
	return "p"
}

// CSigRow is the address of the description of a native signature.
func CSigRow(k int) gotree.Expr { return node.Addr(node.Index(node.Name("csigs"), k)) }

// CTypes are the Go types of the scalars of C, by their letters.
var CTypes = map[byte]*gotree.Type{'b': gotree.Uint8, 'h': gotree.Uint16, 'i': gotree.Uint32, 'l': gotree.Uint64,
	'f': gotree.Float32, 'd': gotree.Float64, 'p': gotree.Uintptr}
