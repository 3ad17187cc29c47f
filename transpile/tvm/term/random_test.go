package term

import (
	"math/big"
	"math/rand"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

// A valued is a term, and its value for one choice of the symbols.
type valued struct {
	id    ID
	value *big.Int
}

// TestRandom makes random terms of small integers. The values of their normal forms are the results of
// the operations, equal terms have the same value, and sums and products with swapped operands are the
// same term.
func TestRandom(t *testing.T) {
	for seed := range 300 {
		r := rand.New(rand.NewSource(int64(seed)))
		g := New()
		prim := op.Op(r.Intn(2) * int(op.UI8)) // i8 or ui8
		values := map[ID]*big.Int{}
		var pool []valued
		for range 4 {
			s := g.Symbol(Symbol{Kind: Param, Type: g.Prim(prim)})
			values[s.ID] = norm(prim, big.NewInt(int64(r.Intn(256))))
			pool = append(pool, valued{s.ID, values[s.ID]})
		}
		for range 60 {
			a, b := pool[r.Intn(len(pool))], pool[r.Intn(len(pool))]
			var n valued
			switch v := new(big.Int); r.Intn(8) {
			case 0:
				n = valued{g.Num(prim, int64(r.Intn(7)-3)), nil}
				k, _ := g.LitOf(n.id)
				n.value = k.Value()
			case 1, 2:
				n = valued{g.Add(prim, a.id, b.id), v.Add(a.value, b.value)}
				if g.Add(prim, b.id, a.id) != n.id {
					t.Fatalf("seed %d: a sum depends on the order: %s", seed, g.String(n.id))
				}
			case 3:
				n = valued{g.Sub(prim, a.id, b.id), v.Sub(a.value, b.value)}
				if g.Add(prim, a.id, g.Neg(prim, b.id)) != n.id {
					t.Fatalf("seed %d: a difference is no sum with the negative: %s", seed, g.String(n.id))
				}
			case 4:
				n = valued{g.Mul(prim, a.id, b.id), v.Mul(a.value, b.value)}
				if g.Mul(prim, b.id, a.id) != n.id {
					t.Fatalf("seed %d: a product depends on the order: %s", seed, g.String(n.id))
				}
			case 5:
				o := []op.Op{op.BitAnd, op.BitOr, op.BitXor}[r.Intn(3)]
				n = valued{g.Bits(o, prim, a.id, b.id), bitwise[o].fold(v, a.value, b.value)}
			case 6:
				n = valued{g.Neg(prim, a.id), v.Neg(a.value)}
			default:
				n = valued{g.Not(prim, a.id), v.Not(a.value)}
			}
			n.value = norm(prim, n.value)
			if got := evaluate(t, g, n.id, values, prim); got.Cmp(n.value) != 0 {
				t.Fatalf("seed %d: %s is %s, want %s", seed, g.String(n.id), got, n.value)
			}
			pool = append(pool, n)
		}
		for id := range g.nodes {
			if n := &g.nodes[id]; n.How != 0 && max(n.From[0], n.From[1]) >= ID(id) {
				t.Fatalf("seed %d: %s was made of something later", seed, g.String(ID(id)))
			}
		}
		for _, a := range pool {
			for _, b := range pool {
				if a.id == b.id && a.value.Cmp(b.value) != 0 {
					t.Fatalf("seed %d: %s has two values", seed, g.String(a.id))
				}
			}
		}
	}
}

// norm is a number modulo 2^n, with the sign that its type has.
func norm(prim op.Op, v *big.Int) *big.Int { return syntax.MakeInt(prim, v).Value() }

// evaluate computes a term by its normal form, not by how it was written.
func evaluate(t *testing.T, g *Graph, id ID, values map[ID]*big.Int, prim op.Op) *big.Int {
	n := *g.At(id)
	v := new(big.Int)
	arg := func(i int) *big.Int { return evaluate(t, g, n.Args[i], values, prim) }
	switch n.Op {
	case op.Symbol:
		return values[id]
	case op.Lit:
		return n.Int.Value()
	case op.Poly:
		for _, p := range n.Sums {
			hi, lo := p.Number()
			x := new(big.Int).SetUint64(hi)
			x.Or(x.Lsh(x, 64), new(big.Int).SetUint64(lo))
			for _, a := range p.Atoms {
				x.Mul(x, evaluate(t, g, a, values, prim))
			}
			v.Add(v, x)
		}
	case op.Add:
		v.Add(arg(0), arg(1))
	case op.Mul:
		v.Mul(arg(0), arg(1))
	case op.BitAnd, op.BitOr, op.BitXor:
		v = arg(0)
		for i := 1; i < len(n.Args); i++ {
			v = bitwise[n.Op].fold(new(big.Int), v, arg(i))
		}
	case op.BitNot:
		v.Not(arg(0))
	default:
		t.Fatalf("unexpected %s", g.String(id))
	}
	return norm(prim, v)
}
