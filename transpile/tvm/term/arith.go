package term

import (
	"cmp"
	"math/big"
	"math/bits"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

// Integer terms. A sum has at most maxSums products, a product at most maxSums atoms; a term that
// would have more becomes an atom itself, so that terms stay small.
const maxSums = 64

// u128 is a number modulo 2^128.
type u128 struct{ hi, lo uint64 }

func (a u128) add(b u128) u128 {
	lo, c := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(a.hi, b.hi, c)
	return u128{hi, lo}
}

func (a u128) mul(b u128) u128 {
	hi, lo := bits.Mul64(a.lo, b.lo)
	return u128{hi + a.hi*b.lo + a.lo*b.hi, lo}
}

func (a u128) mask(width uint) u128 {
	switch {
	case width >= 128:
	case width > 64:
		a.hi &= 1<<(width-64) - 1
	case width == 64:
		a.hi = 0
	default:
		a.hi, a.lo = 0, a.lo&(1<<width-1)
	}
	return a
}

func (a u128) isZero() bool { return a.hi|a.lo == 0 }

// Lit is a number.
func (g *Graph) Lit(n syntax.Int) ID { return g.intern(Node{Op: op.Lit, Int: n}) }

// Num is a small number of a type.
func (g *Graph) Num(prim op.Op, v int64) ID {
	return g.Lit(syntax.MakeInt(prim, big.NewInt(v)))
}

// Index is a number of type uiptr.
func (g *Graph) Index(i int) ID { return g.Num(op.UIPtr, int64(i)) }

// LitOf is the number that a term is, if it is one.
func (g *Graph) LitOf(id ID) (syntax.Int, bool) {
	n := &g.nodes[id]
	return n.Int, n.Op == op.Lit
}

// IndexOf is the literal of an index that is not negative and not large.
func (g *Graph) IndexOf(id ID) (int, bool) {
	n, ok := g.LitOf(id)
	if !ok {
		return 0, false
	}
	v := n.Value()
	if v.Sign() < 0 || v.BitLen() > 31 {
		return 0, false
	}
	return int(v.Int64()), true
}

// sums is an integer term as a sum of products.
func (g *Graph) sums(id ID) []Product {
	switch n := &g.nodes[id]; n.Op {
	case op.Lit:
		c := u128{n.Int.Hi, n.Int.Lo}
		if c.isZero() {
			return nil
		}
		return []Product{{c, nil}}
	case op.Poly:
		return n.Sums
	}
	return []Product{{u128{0, 1}, []ID{id}}}
}

func compareAtoms(a, b []ID) int {
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return slices.Compare(a, b)
}

// polynomial is the term of a sum of products, which it sorts. whole is false if products have
// cancelled out.
func (g *Graph) polynomial(prim op.Op, ps []Product) (id ID, whole bool) {
	width := prim.Bits()
	slices.SortFunc(ps, func(a, b Product) int { return compareAtoms(a.Atoms, b.Atoms) })
	out := ps[:0:0]
	for _, p := range ps {
		if n := len(out); n > 0 && compareAtoms(out[n-1].Atoms, p.Atoms) == 0 {
			out[n-1].Coef = out[n-1].Coef.add(p.Coef).mask(width)
			continue
		}
		p.Coef = p.Coef.mask(width)
		out = append(out, p)
	}
	n := len(out)
	out = slices.DeleteFunc(out, func(p Product) bool { return p.Coef.isZero() })
	whole = n == len(out)
	switch {
	case len(out) == 0:
		return g.Num(prim, 0), whole
	case len(out) == 1 && len(out[0].Atoms) == 0:
		c := out[0].Coef
		return g.Lit(syntax.Int{Type: prim, Hi: c.hi, Lo: c.lo}), whole
	case len(out) == 1 && len(out[0].Atoms) == 1 && out[0].Coef == u128{0, 1}:
		return out[0].Atoms[0], whole
	case len(out) > maxSums:
		return 0, false
	}
	return g.intern(Node{Op: op.Poly, Imm: uint64(prim), Sums: out}), whole
}

// written notes how a term was written, if that is not noted yet. Its operands must be older terms:
// otherwise a term and its negative, or its multiple, could be written in terms of each other.
func (g *Graph) written(id ID, o op.Op, a, b ID) ID {
	if n := &g.nodes[id]; n.How == 0 && a < id && b < id && (n.Op == op.Poly || len(n.Args) > 2) {
		n.How, n.From = o, [2]ID{a, b}
	}
	return id
}

// operate applies the operation that a term was written with.
func (g *Graph) operate(o, prim op.Op, a, b ID) ID {
	switch o {
	case op.Add:
		return g.Add(prim, a, b)
	case op.Sub:
		return g.Sub(prim, a, b)
	case op.Mul:
		return g.Mul(prim, a, b)
	case op.Neg:
		return g.Neg(prim, a)
	}
	return g.Bits(o, prim, a, b)
}

// large is an atom for a term that would have too many products.
func (g *Graph) large(o op.Op, prim op.Op, a, b ID) ID {
	if a > b {
		a, b = b, a
	}
	return g.intern(Node{Op: o, Imm: uint64(prim), Args: []ID{a, b}})
}

// Add is the sum of two terms of a type of integers.
func (g *Graph) Add(prim op.Op, a, b ID) ID {
	if a == 0 || b == 0 {
		return 0
	}
	pa, pb := g.sums(a), g.sums(b)
	if len(pa)+len(pb) > maxSums {
		return g.large(op.Add, prim, a, b)
	}
	id, whole := g.polynomial(prim, slices.Concat(pa, pb))
	if whole {
		g.written(id, op.Add, a, b)
	}
	return id
}

// Neg is the negative of a term.
func (g *Graph) Neg(prim op.Op, a ID) ID {
	if a == 0 {
		return 0
	}
	ps := slices.Clone(g.sums(a))
	for i := range ps {
		ps[i].Coef = ps[i].Coef.mul(u128{^uint64(0), ^uint64(0)})
	}
	id, _ := g.polynomial(prim, ps)
	return g.written(id, op.Neg, a, 0)
}

// Sub is the difference of two terms.
func (g *Graph) Sub(prim op.Op, a, b ID) ID {
	if a == 0 || b == 0 {
		return 0
	}
	pa, pb := g.sums(a), slices.Clone(g.sums(b))
	if len(pa)+len(pb) > maxSums {
		return g.Add(prim, a, g.Neg(prim, b))
	}
	for i := range pb {
		pb[i].Coef = pb[i].Coef.mul(u128{^uint64(0), ^uint64(0)})
	}
	id, whole := g.polynomial(prim, slices.Concat(pa, pb))
	if whole {
		g.written(id, op.Sub, a, b)
	}
	return id
}

// Mul is the product of two terms.
func (g *Graph) Mul(prim op.Op, a, b ID) ID {
	if a == 0 || b == 0 {
		return 0
	}
	pa, pb := g.sums(a), g.sums(b)
	if len(pa)*len(pb) > maxSums {
		return g.large(op.Mul, prim, a, b)
	}
	var ps []Product
	for _, x := range pa {
		for _, y := range pb {
			if len(x.Atoms)+len(y.Atoms) > maxSums {
				return g.large(op.Mul, prim, a, b)
			}
			atoms := slices.Concat(x.Atoms, y.Atoms)
			slices.Sort(atoms)
			ps = append(ps, Product{x.Coef.mul(y.Coef), atoms})
		}
	}
	id, whole := g.polynomial(prim, ps)
	if whole && len(pa) > 0 && len(pb) > 0 {
		g.written(id, op.Mul, a, b)
	}
	return id
}

// Div is the quotient of two terms, toward zero.
func (g *Graph) Div(prim op.Op, a, b ID) ID {
	x, okx := g.LitOf(a)
	y, oky := g.LitOf(b)
	switch {
	case oky && y.Value().Cmp(big.NewInt(1)) == 0:
		return a
	case okx && oky && y.Value().Sign() != 0:
		return g.Lit(syntax.MakeInt(x.Type, new(big.Int).Quo(x.Value(), y.Value())))
	}
	return g.intern(Node{Op: op.Div, Imm: uint64(prim), Args: []ID{a, b}})
}

// Bool is true or false.
func (g *Graph) Bool(v bool) ID {
	if v {
		return g.Mk(op.True)
	}
	return g.Mk(op.False)
}

// compared has the results of the comparison operations for literals, by the sign of their comparison.
var compared = map[op.Op][3]bool{
	op.CmpEQ: {false, true, false}, op.CmpNE: {true, false, true}, op.CmpLT: {true, false, false}, op.CmpLE: {true, true, false},
}

// Cmp compares two terms. prim is the operation that makes their type.
func (g *Graph) Cmp(o, prim op.Op, a, b ID) ID {
	switch o {
	case op.CmpGT:
		o, a, b = op.CmpLT, b, a
	case op.CmpGE:
		o, a, b = op.CmpLE, b, a
	}
	x, okx := g.LitOf(a)
	y, oky := g.LitOf(b)
	switch {
	case okx && oky:
		return g.Bool(compared[o][1+x.Value().Cmp(y.Value())])
	case a == b && a != 0 && !prim.IsFloat():
		return g.Bool(compared[o][1])
	case (o == op.CmpEQ || o == op.CmpNE) && a > b:
		a, b = b, a
	}
	return g.intern(Node{Op: o, Imm: uint64(prim), Args: []ID{a, b}})
}

// bitwise are the operations on bits: unit is the literal that does not change the other operand, zero
// the one that determines the result, both as whether all bits are set; decides is false if there is no
// such zero.
var bitwise = map[op.Op]struct {
	unit, zero, decides bool
	fold                func(z, x, y *big.Int) *big.Int
}{
	op.BitAnd: {true, false, true, (*big.Int).And},
	op.BitOr:  {false, true, true, (*big.Int).Or},
	op.BitXor: {false, false, false, (*big.Int).Xor},
}

// ones is the term with all bits set, or none.
func (g *Graph) ones(prim op.Op, set bool) ID {
	switch {
	case prim == op.Bool:
		return g.Bool(set)
	case set:
		return g.Num(prim, -1)
	}
	return g.Num(prim, 0)
}

// Bits is an operation on the bits of integers or bools.
func (g *Graph) Bits(o, prim op.Op, a, b ID) ID {
	if a == 0 || b == 0 {
		return 0
	}
	rule := bitwise[o]
	unit, zero := g.ones(prim, rule.unit), g.ones(prim, rule.zero)
	var list []ID
	lit := unit
	for _, x := range [...]ID{a, b} {
		parts := []ID{x}
		if n := &g.nodes[x]; n.Op == o {
			parts = n.Args
		}
		for _, p := range parts {
			if c, ok := g.LitOf(p); ok {
				d, _ := g.LitOf(lit)
				lit = g.Lit(syntax.MakeInt(c.Type, rule.fold(new(big.Int), c.Bits(), d.Bits())))
			} else if c := g.nodes[p].Op; c == op.True || c == op.False {
				x, y := c == op.True, lit == g.Bool(true)
				lit = g.Bool(map[op.Op]bool{op.BitAnd: x && y, op.BitOr: x || y, op.BitXor: x != y}[o])
			} else {
				list = append(list, p)
			}
		}
	}
	if rule.decides && lit == zero {
		return lit
	}
	if lit != unit {
		list = append(list, lit)
	}
	switch {
	case len(list) == 0:
		return unit
	case len(list) == 1:
		return list[0]
	case len(list) > maxSums:
		list = []ID{a, b}
	}
	slices.Sort(list)
	id := g.intern(Node{Op: o, Imm: uint64(prim), Args: list})
	return g.written(id, o, a, b)
}

// Not is the complement of integers or bools.
func (g *Graph) Not(prim op.Op, a ID) ID {
	n := &g.nodes[a]
	switch n.Op {
	case op.BitNot:
		return n.Args[0]
	case op.True, op.False:
		return g.Bool(n.Op == op.False)
	case op.Lit:
		return g.Lit(syntax.MakeInt(n.Int.Type, new(big.Int).Not(n.Int.Bits())))
	}
	return g.intern(Node{Op: op.BitNot, Imm: uint64(prim), Args: []ID{a}})
}

// Shift is shl or shr.
func (g *Graph) Shift(o, prim op.Op, a, s ID) ID {
	by, ok := g.LitOf(s)
	if !ok {
		return g.intern(Node{Op: o, Imm: uint64(prim), Args: []ID{a, s}})
	}
	if by.Lo == 0 {
		return a
	}
	if x, ok := g.LitOf(a); ok {
		n := uint(min(by.Lo, 200))
		if o == op.Shl {
			return g.Lit(syntax.MakeInt(x.Type, new(big.Int).Lsh(x.Bits(), n)))
		}
		return g.Lit(syntax.MakeInt(x.Type, new(big.Int).Rsh(x.Value(), n)))
	}
	return g.intern(Node{Op: o, Imm: uint64(prim), Args: []ID{a, s}})
}

// Bitcast is a value of a primitive type as a value of another. from is the operation of its type.
func (g *Graph) Bitcast(from op.Op, v, to ID) ID {
	if from != op.Pointer && g.nodes[to].Op == from || g.TypeOf(v) == to && to != 0 {
		return v
	}
	return g.intern(Node{Op: op.Bitcast, Imm: uint64(from), Args: []ID{v, to}})
}

// Select is a if c, else b.
func (g *Graph) Select(c, a, b ID) ID {
	switch {
	case g.nodes[c].Op == op.True || a == b:
		return a
	case g.nodes[c].Op == op.False:
		return b
	}
	return g.Mk(op.Select, c, a, b)
}

// ToUIPtr converts the length of an array from another type of integers to uiptr.
func (g *Graph) ToUIPtr(prim op.Op, a ID) ID {
	if prim == op.UIPtr {
		return a
	}
	if n, ok := g.LitOf(a); ok {
		return g.Lit(syntax.MakeInt(op.UIPtr, n.Value()))
	}
	return g.intern(Node{Op: op.ToUIPtr, Imm: uint64(prim), Args: []ID{a}})
}

// Number is the number of a product, as two words.
func (p Product) Number() (hi, lo uint64) { return p.Coef.hi, p.Coef.lo }
