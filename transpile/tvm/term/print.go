package term

import (
	"slices"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

// maxText is roughly the greatest length of the text of a term in a message.
const maxText = 400

type printer struct {
	g *Graph
	strings.Builder
	names [][]string // of the parameters of the binders around
}

// String writes a term as text for messages. Long text is cut.
func (g *Graph) String(id ID) string {
	p := &printer{g: g}
	p.term(id, false)
	return p.Builder.String()
}

// term writes a term; inner says that it is an operand, with parentheses if it has operands.
func (p *printer) term(id ID, inner bool) {
	if p.Len() > maxText {
		if !strings.HasSuffix(p.Builder.String(), "...") {
			p.WriteString("...")
		}
		return
	}
	n := p.g.nodes[id]
	switch n.Op {
	case op.NumOps:
		p.WriteString("?")
		return
	case op.Lit:
		p.WriteString(n.Int.String())
		return
	case op.Symbol:
		p.WriteString(n.Sym.text())
		return
	case op.Bound:
		p.WriteString(p.bound(n.Imm))
		return
	}
	args := n.Args
	switch {
	case n.Op == op.Pointer && p.g.Op(args[1]) == op.UprefNull, n.Op == op.PointerCast && p.g.Op(args[2]) == op.UprefNull:
		args = args[:len(args)-1]
	case n.Op == op.ToUIPtr:
		p.term(args[0], inner)
		return
	}
	if inner && (len(args) > 0 || n.Op == op.Poly) {
		p.WriteString("(")
		defer p.WriteString(")")
	}
	switch n.Op {
	case op.Function, op.Exists:
		p.binder(id, n)
		return
	case op.Poly:
		p.polynomial(n)
		return
	case op.BaseOff:
		p.operation("base_offset of", args)
		return
	case op.UnwrapParam:
		p.operation("unwrap_param", args)
		p.WriteString(" #up" + strconv.FormatUint(n.Imm, 10))
		return
	case op.Upref:
		p.upref(id)
		return
	}
	p.operation(n.Op.String(), args)
}

func (s *Symbol) text() string {
	if s.Name == "" {
		return "_"
	}
	return s.Name
}

func (p *printer) operation(word string, args []ID) {
	p.WriteString(word)
	for _, a := range args {
		p.WriteString(" ")
		p.term(a, true)
	}
}

// upref writes an upward reference in its first form.
func (p *printer) upref(id ID) {
	n := p.g.nodes[id]
	p.operation("upref", []ID{p.g.Outer(id), n.Args[0], n.Args[1]})
}

// bound names a parameter of a type around.
func (p *printer) bound(imm uint64) string {
	depth, i := int(imm>>32), int(uint32(imm))
	if k := len(p.names) - 1 - depth; k >= 0 && i < len(p.names[k]) && p.names[k][i] != "" {
		return p.names[k][i]
	}
	return "%" + strconv.Itoa(i)
}

// naming are names for the parameters of a type: their first names, or another name where the first means
// something else in the type.
func (p *printer) naming(id ID) []string {
	names := p.g.names[id]
	taken := map[string]bool{}
	p.outside(id, 0, map[spot]bool{}, taken)
	for i, n := range names {
		if n == "" || !taken[n] {
			taken[n] = true
			continue
		}
		k := 1
		for taken[n+"."+strconv.Itoa(k)] {
			k++
		}
		names = slices.Clone(names)
		names[i] = n + "." + strconv.Itoa(k)
		taken[names[i]] = true
	}
	return names
}

// outside collects the names in a term that have their meaning outside of depth binders.
func (p *printer) outside(id ID, depth int, seen map[spot]bool, taken map[string]bool) {
	n := p.g.nodes[id]
	if seen[spot{id, depth}] || len(seen) > maxText { // the rest will be cut
		return
	}
	seen[spot{id, depth}] = true
	switch n.Op {
	case op.Symbol:
		taken[n.Sym.Name] = true
	case op.Bound:
		if d := int(n.Imm>>32) - depth; d >= 0 && d < len(p.names) {
			taken[p.bound(uint64(d)<<32|uint64(uint32(n.Imm)))] = true
		}
	case op.Function, op.Exists:
		depth++
	}
	for a := range p.g.Parts(id) {
		p.outside(a, depth, seen, taken)
	}
}

func (p *printer) binder(id ID, n Node) {
	names := p.naming(id)
	p.names = append(p.names, names)
	last := len(n.Args) - 1
	form := Form{Phantoms: -1}
	if n.Op == op.Exists {
		p.WriteString("exists ")
	} else {
		form = p.g.FormOf(id)
		p.WriteString("function ")
		if form.Conv != syntax.NoConv {
			p.WriteString(form.Conv.String() + " ")
		}
		if form.SRet {
			p.WriteString("sret ")
		}
	}
	p.WriteString("(")
	for i, a := range n.Args[:last] {
		switch {
		case i == form.Phantoms && i > 0:
			p.WriteString(" | ")
		case i > 0:
			p.WriteString(", ")
		}
		attrs := form.attrs(i)
		switch {
		case i < len(names) && names[i] != "":
			p.WriteString(names[i] + " : ")
		case attrs != "":
			p.WriteString(": ")
		}
		p.WriteString(attrs)
		p.term(a, false)
	}
	if form.Phantoms == last && last > 0 {
		p.WriteString(" |")
	}
	p.WriteString(") > " + form.attrs(last))
	p.term(n.Args[last], true)
	p.names = p.names[:len(p.names)-1]
}

// attrs are the attributes of a parameter, or of the result, with a space after them.
func (f Form) attrs(i int) string {
	if i >= len(f.Attrs) || f.Attrs[i] == 0 {
		return ""
	}
	return f.Attrs[i].String() + " "
}

// polynomial writes a sum of products with the operations add, mul and neg.
func (p *printer) polynomial(n Node) {
	for i, s := range n.Sums {
		if i < len(n.Sums)-1 {
			p.WriteString("add ")
		}
		lit := syntax.Int{Type: op.Op(n.Imm), Hi: s.Coef.hi, Lo: s.Coef.lo}
		one := s.Coef == u128{0, 1} && len(s.Atoms) > 0
		factors := len(s.Atoms)
		if !one {
			factors++
		}
		bare := len(n.Sums) == 1
		if factors > 1 && !bare {
			p.WriteString("(")
		}
		for k := 0; k < factors-1; k++ {
			if k > 0 {
				p.WriteString("(")
			}
			p.WriteString("mul ")
			p.factor(lit, one, s.Atoms, k)
			p.WriteString(" ")
		}
		p.factor(lit, one, s.Atoms, factors-1)
		p.WriteString(strings.Repeat(")", max(factors-2, 0)))
		if factors > 1 && !bare {
			p.WriteString(")")
		}
		if i < len(n.Sums)-1 {
			p.WriteString(" ")
			if i < len(n.Sums)-2 {
				p.WriteString("(")
			}
		}
	}
	p.WriteString(strings.Repeat(")", max(len(n.Sums)-2, 0)))
}

// factor writes factor k of a product; the number comes last, unless it is 1.
func (p *printer) factor(lit syntax.Int, one bool, atoms []ID, k int) {
	if k < len(atoms) {
		p.term(atoms[k], true)
		return
	}
	p.WriteString(lit.String())
}

// Ordinal names a parameter without a name by its place.
func Ordinal(i int) string { return "#" + strconv.Itoa(i+1) }
