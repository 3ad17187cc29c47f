package gogen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// natives collects the native symbols and call signatures of a program.
type natives struct {
	symbols map[string]string // C name -> Go variable
	symList []*ir.Const
	csigs   map[string]int
	csigTxt []string
}

func (n *natives) init() {
	n.symbols = map[string]string{}
	n.csigs = map[string]int{}
}

func (g *gen) nativeUsed() bool { return len(g.symList) > 0 || len(g.csigTxt) > 0 }

// symbol is the address of a native symbol.
func (g *gen) symbol(c *ir.Const) string {
	v, ok := g.symbols[c.Sym]
	if !ok {
		v = g.top("n_" + clean(c.Sym))
		g.symbols[c.Sym] = v
		g.symList = append(g.symList, c)
	}
	return v
}

// csig numbers the description of a native signature: a letter for each
// parameter, then for the result (mu-language 11.3).
func (g *gen) csig(sig ir.TypeID) int {
	n := g.at(sig)
	s := ""
	for _, p := range n.Fields {
		s += g.cLetter(p)
	}
	s += ">"
	if len(n.Results) == 1 {
		s += g.cLetter(n.Results[0])
	}
	k, ok := g.csigs[s]
	if !ok {
		k = len(g.csigTxt)
		g.csigs[s] = k
		g.csigTxt = append(g.csigTxt, s)
	}
	return k
}

func (g *gen) cLetter(id ir.TypeID) string {
	n := g.at(id)
	switch n.Kind {
	case ir.KInt:
		return map[uint32]string{8: "b", 16: "h", 32: "i", 64: "l"}[container(n.Bits)]
	case ir.KFloat:
		return "f"
	case ir.KDouble:
		return "d"
	case ir.KStruct:
		s := "{"
		for _, f := range n.Fields {
			s += g.cLetter(f)
		}
		return s + "}"
	case ir.KArray:
		return fmt.Sprintf("[%d%s]", n.Len, g.cLetter(n.Elem))
	}
	return "p"
}

// ccall emits CCALL (mu-language 8.10).
func (e *fn) ccall(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	e.pass(out, in.Args[1:])
	out.add("rt.CCall(t, %s, &csigs[%d], %q)", e.expr(in.Args[0]), e.csig(in.Sig), e.siteName(id))
	e.resumed(out, in, in.ExcDest())
	e.normal(out, in, next)
}

// nativeCode emits the variables of symbols and the table of signatures.
func (g *gen) nativeCode() code {
	var out, init code
	for _, c := range g.symList {
		out.add("var %s uintptr", g.symbols[c.Sym])
		where := ""
		if g.p.Files != nil && c.Pos.IsValid() {
			where = g.p.Files.Position(c.Pos).String()
		}
		init.add("%s = rt.Symbol(%q, %q)", g.symbols[c.Sym], c.Sym, where)
	}
	if init != nil {
		out = append(out, jen.Line(), raw("func init()").Block(init...))
	}
	if len(g.csigTxt) > 0 {
		txt := "var csigs = [...]rt.CSig{\n"
		for _, s := range g.csigTxt {
			txt += fmt.Sprintf("{Desc: %q},\n", s)
		}
		out = append(out, jen.Line(), raw("%s", txt+"}"), jen.Line())
	}
	return out
}
