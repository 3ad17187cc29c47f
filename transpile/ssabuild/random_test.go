package ssabuild_test

import (
	"math/rand/v2"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/interp"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/ssabuild"
)

// A machine is a body over registers: each block assigns registers, then goes to
// another block, by the parity of a register. On the way it may copy that register.
type machine struct {
	regs   int
	blocks []machineBlock
}

type machineBlock struct {
	sets   []set
	parity int // register
	next   [2]int
	copies [2][]int // registers
}

// A set is regs[to] = regs[a] + regs[b] + c.
type set struct{ to, a, b, c int }

func randomMachine(r *rand.Rand) *machine {
	m := &machine{regs: 1 + r.IntN(6), blocks: make([]machineBlock, 1+r.IntN(12+48*r.IntN(2)))}
	for i := range m.blocks {
		b := &m.blocks[i]
		for range r.IntN(4) {
			b.sets = append(b.sets, set{r.IntN(m.regs), r.IntN(m.regs), r.IntN(m.regs), r.IntN(100)})
		}
		b.parity = r.IntN(m.regs)
		b.next = [2]int{r.IntN(len(m.blocks)), r.IntN(len(m.blocks))}
		if r.IntN(3) == 0 {
			b.next[1] = b.next[0]
		}
		for k := range b.copies {
			for range max(r.IntN(6)-3, 0) {
				b.copies[k] = append(b.copies[k], r.IntN(m.regs))
			}
		}
	}
	return m
}

// run executes a number of blocks and returns a digest of the registers.
func (m *machine) run(n, fuel int64) int64 {
	regs := make([]int64, m.regs)
	regs[0] = n
	at := 0
	for ; fuel > 0; fuel-- {
		b := &m.blocks[at]
		for _, s := range b.sets {
			regs[s.to] = regs[s.a] + regs[s.b] + int64(s.c)
		}
		way := regs[b.parity] & 1
		for _, to := range b.copies[way] {
			regs[to] = regs[b.parity]
		}
		at = b.next[way]
	}
	sum := int64(0)
	for _, x := range regs {
		sum = sum*31 + x
	}
	return sum
}

// build makes a body of the machine, its blocks in random order, each sealed as soon
// as all edges to it are known, or all at the end. Only blocks that nothing leads to
// read what is undefined.
func (m *machine) build(t *testing.T, r *rand.Rand, fuel int64) *ir.Program {
	f := newMaker()
	s := f.s
	regs := make([]ssabuild.Var, m.regs)
	entry := f.Current()
	for i := range regs {
		regs[i] = s.Var(f.i64, "")
		s.Def(entry, regs[i], f.Int(f.i64, 0))
	}
	s.Def(entry, regs[0], f.Param(entry, 0))
	left := s.Var(f.i64, "%fuel")
	s.Def(entry, left, f.Int(f.i64, fuel))
	heads := make([]ir.BlockID, len(m.blocks))
	bodies := make([]ir.BlockID, len(m.blocks))
	for i := range m.blocks {
		heads[i], bodies[i] = f.Block("%head"), f.Block("%body")
	}
	done := f.Block("%done")
	edges := map[ir.BlockID]int{heads[0]: 1, done: len(m.blocks)}
	for i := range m.blocks {
		edges[bodies[i]]++
		for _, n := range m.blocks[i].next {
			edges[heads[n]]++
		}
	}
	early := r.IntN(2) == 0
	reached := func(to ir.BlockID) {
		if edges[to]--; early && edges[to] == 0 {
			s.Seal(to)
		}
	}
	f.Branch(heads[0])
	s.End(entry)
	reached(heads[0])
	for _, i := range r.Perm(len(m.blocks)) {
		b := &m.blocks[i]
		f.At(heads[i])
		f.Branch2(f.Cmp(ir.OpEQ, s.Use(heads[i], left), f.Int(f.i64, 0)), ir.To(done), ir.To(bodies[i]))
		s.End(heads[i])
		reached(bodies[i])
		reached(done)
		at := bodies[i]
		f.At(at)
		s.Def(at, left, f.Bin(ir.OpSub, s.Use(at, left), f.Int(f.i64, 1)))
		for _, c := range b.sets {
			x := f.Bin(ir.OpAdd, s.Use(at, regs[c.a]), s.Use(at, regs[c.b]))
			s.Def(at, regs[c.to], f.Bin(ir.OpAdd, x, f.Int(f.i64, int64(c.c))))
		}
		parity := s.Use(at, regs[b.parity])
		odd := f.Cmp(ir.OpNE, f.Bin(ir.OpAnd, parity, f.Int(f.i64, 1)), f.Int(f.i64, 0))
		f.Branch2(odd, ir.To(heads[b.next[1]]), ir.To(heads[b.next[0]]))
		s.End(at)
		branch := f.V.Blocks[at].Insts[len(f.V.Blocks[at].Insts)-1]
		for way, l := range b.copies {
			for _, to := range l {
				s.DefOnEdge(branch, 1-way, regs[to], parity)
			}
		}
		reached(heads[b.next[0]])
		reached(heads[b.next[1]])
	}
	f.At(done)
	sum := f.Int(f.i64, 0)
	for _, x := range regs {
		sum = f.Bin(ir.OpAdd, f.Bin(ir.OpMul, sum, f.Int(f.i64, 31)), s.Use(done, x))
	}
	f.Ret(sum)
	s.End(done)
	f.finish(t)
	return f.b.Prog
}

// Random bodies, irreducible loops and unreachable blocks among them, do what the
// registers do.
func TestRandom(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := randomMachine(r)
		fuel := r.Int64N(60)
		p := m.build(t, r, fuel)
		for _, n := range []int64{0, 1, -7, r.Int64()} {
			got, _, err := interp.Call(p, "@f", []interp.Value{interp.Int64(n, 64)}, interp.Config{})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if want := m.run(n, fuel); int64(got[0].Lo) != want {
				t.Fatalf("seed %d: @f(%d) is %d, want %d", seed, n, int64(got[0].Lo), want)
			}
		}
	}
}

// A long chain takes parameters, arguments and instructions in proportion to its blocks: in
// a chain of branches, of which one side sets a variable, each join has one parameter
// and not one for each variable that is read at the end.
func TestChain(t *testing.T) {
	size := func(n int) int {
		f := newMaker()
		s := f.s
		at := f.Current()
		x, y := s.Var(f.i64, "%x"), s.Var(f.i64, "%y")
		s.Def(at, x, f.Param(at, 0))
		s.Def(at, y, f.Param(at, 0))
		for range n {
			side, join := f.Block("%side"), f.Block("%join")
			f.Branch2(f.Cmp(ir.OpEQ, s.Use(at, x), f.Int(f.i64, 9)), ir.To(side), ir.To(join))
			s.End(at)
			s.Seal(side)
			f.At(side)
			s.Def(side, x, f.Bin(ir.OpAdd, s.Use(side, x), f.Int(f.i64, 1)))
			f.Branch(join)
			s.End(side)
			s.Seal(join)
			f.At(join)
			at = join
		}
		f.Ret(f.Bin(ir.OpAdd, s.Use(at, x), s.Use(at, y)))
		s.End(at)
		if err := s.Finish(); err != nil {
			t.Fatal(err)
		}
		sum := len(f.V.Insts)
		for b := range f.V.Blocks {
			sum += len(f.V.Blocks[b].Params)
			if len(f.V.Blocks[b].Params) > 1 {
				t.Fatalf("block %d has %d parameters, want 1 at the most", b, len(f.V.Blocks[b].Params))
			}
		}
		return sum
	}
	// 100,000 blocks in a row: the walk to the definition of y is no recursion.
	if small, large := size(5000), size(50000); large > 11*small {
		t.Errorf("10 times the blocks take %d instead of %d instructions and parameters", large, small)
	}
}
