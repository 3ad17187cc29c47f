package regs_test

import (
	"math/rand/v2"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/live/regs"
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// body makes a random body of ints: each block has a parameter, adds values that dominate it, and goes
// on to any others.
func body(r *rand.Rand, blocks int) *ir.Version {
	p := ir.NewProgram()
	i64 := p.Types.Int(64)
	f := &ir.Function{Name: "@f", Sig: p.Types.Sig([]ir.TypeID{i64}, nil)}
	v := p.NewVersion(f, "@f.v", diag.Pos{})
	for range blocks {
		b := v.NewBlock("", diag.Pos{})
		v.AddParam(b, i64, "")
	}
	bool1 := p.Types.Int(1)
	dests := make([][]ir.BlockID, blocks)
	for b := range blocks {
		n := r.IntN(3)
		if b+1 < blocks && n == 0 {
			n = 1
		}
		for range n {
			dests[b] = append(dests[b], ir.BlockID(1+r.IntN(max(blocks-1, 1))%max(blocks-1, 1)))
		}
		if b+1 < blocks && n > 0 {
			dests[b][0] = ir.BlockID(b + 1) // all are reachable
		}
		if b > 1 && n > 0 && r.IntN(2) == 0 { // a loop, which is left from its head
			head := 1 + r.IntN(b-1)
			dests[b] = []ir.BlockID{ir.BlockID(head)}
			if b+1 < blocks {
				dests[head] = []ir.BlockID{ir.BlockID(head + 1), ir.BlockID(b + 1)}
			}
		}
		if blocks == 1 {
			dests[b] = nil
		}
	}
	graph := make([][]ir.Dest, blocks)
	for b, l := range dests {
		for _, d := range l {
			graph[b] = append(graph[b], ir.Dest{Block: d})
		}
	}
	c := analysis.NewGraph(graph)
	// Values by block; those of dominators can be used.
	made := make([][]ir.ValueID, blocks)
	for _, b := range c.Order {
		pick := func() ir.ValueID {
			for range 50 {
				d := ir.BlockID(r.IntN(blocks))
				if c.Reachable(d) && c.Dominates(d, b) {
					list := append([]ir.ValueID{v.Blocks[d].Params[0]}, made[d]...)
					return list[r.IntN(len(list))]
				}
			}
			return v.Blocks[b].Params[0]
		}
		for range r.IntN(4) {
			id := v.Append(b, ir.Inst{Op: ir.OpAdd, Ty: i64, Args: []ir.ValueID{pick(), pick()}}, []ir.TypeID{i64}, nil)
			made[b] = append(made[b], v.Insts[id].Results[0])
		}
		var to []ir.Dest
		for _, d := range dests[b] {
			to = append(to, ir.Dest{Block: d, Args: []ir.ValueID{pick()}})
		}
		switch len(to) {
		case 0:
			v.Append(b, ir.Inst{Op: ir.OpRet}, nil, nil)
		case 1:
			v.Append(b, ir.Inst{Op: ir.OpBranch, Dests: to}, nil, nil)
		default:
			id := v.Append(b, ir.Inst{Op: ir.OpEQ, Ty: i64, Args: []ir.ValueID{pick(), pick()}}, []ir.TypeID{bool1}, nil)
			v.Append(b, ir.Inst{Op: ir.OpBranch2, Args: []ir.ValueID{v.Insts[id].Results[0]}, Dests: to}, nil, nil)
		}
	}
	return v
}

// TestAssign runs random bodies with their values in words: each read must find the value that was
// written last under its name, whatever way control takes.
func TestAssign(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		v := body(r, 1+r.IntN(9))
		c := analysis.NewCFG(v)
		loops := analysis.InnerLoops(v, c)
		order := regs.Order(c, loops)
		w := regs.Assign(&regs.Body{Room: new(regs.Room),
			V: v, CFG: c, Order: order, Loops: loops,
			Size:     func(ir.ValueID) regs.Size { return regs.Size{0, 1} },
			Reads:    func(id ir.InstID, f func(ir.ValueID)) { each(v.Insts[id].Args, f) },
			Argument: func(x ir.ValueID) ir.ValueID { return x },
		})
		checkOrder(t, seed, c, loops, order)
		run(t, seed, 60, r.IntN, v, w)
	}
}

// TestNest: the same with many loops in each other, each of which reads a value from before it.
func TestNest(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		v := nest(100)
		c := analysis.NewCFG(v)
		loops := analysis.InnerLoops(v, c)
		if !loops.Partial {
			t.Fatal("no loops are missing")
		}
		order := regs.Order(c, loops)
		w := regs.Assign(&regs.Body{Room: new(regs.Room),
			V: v, CFG: c, Order: order, Loops: loops,
			Size:     func(ir.ValueID) regs.Size { return regs.Size{0, 1} },
			Reads:    func(id ir.InstID, f func(ir.ValueID)) { each(v.Insts[id].Args, f) },
			Argument: func(x ir.ValueID) ir.ValueID { return x },
		})
		checkOrder(t, seed, c, loops, order)
		run(t, seed, 3000, func(n int) int { // mostly out of a loop
			if r.IntN(20) == 0 {
				return r.IntN(n)
			}
			return n - 1
		}, v, w)
	}
}

// nest is a body of n loops, each in the one before. Their ends read what their heads were given and have added.
func nest(n int) *ir.Version {
	p := ir.NewProgram()
	i64, bool1 := p.Types.Int(64), p.Types.Int(1)
	f := &ir.Function{Name: "@f", Sig: p.Types.Sig([]ir.TypeID{i64}, nil)}
	v := p.NewVersion(f, "@f.v", diag.Pos{})
	add := func(b ir.BlockID, op ir.Op, t ir.TypeID, x, y ir.ValueID) ir.ValueID {
		id := v.Append(b, ir.Inst{Op: op, Ty: i64, Args: []ir.ValueID{x, y}}, []ir.TypeID{t}, nil)
		return v.Insts[id].Results[0]
	}
	entry := v.NewBlock("", diag.Pos{})
	x := v.AddParam(entry, i64, "")
	var heads []ir.BlockID
	var given, sums []ir.ValueID
	at := entry
	for range n {
		h := v.NewBlock("", diag.Pos{})
		v.Append(at, ir.Inst{Op: ir.OpBranch, Dests: []ir.Dest{{Block: h, Args: []ir.ValueID{x}}}}, nil, nil)
		given = append(given, v.AddParam(h, i64, ""))
		x = add(h, ir.OpAdd, i64, given[len(given)-1], v.Blocks[entry].Params[0])
		heads, sums, at = append(heads, h), append(sums, x), h
	}
	var kept []ir.ValueID // take all words that are free
	for i := n - 1; i >= 0; i-- {
		for range 10 {
			kept = append(kept, add(at, ir.OpAdd, i64, given[i], given[i]))
		}
		sum := add(at, ir.OpAdd, i64, given[i], sums[i])
		less := add(at, ir.OpULT, bool1, sum, given[0])
		out := v.NewBlock("", diag.Pos{})
		v.Append(at, ir.Inst{Op: ir.OpBranch2, Args: []ir.ValueID{less}, Dests: []ir.Dest{{Block: heads[i], Args: []ir.ValueID{sum}}, {Block: out}}}, nil, nil)
		at = out
	}
	for _, k := range kept {
		add(at, ir.OpAdd, i64, k, k)
	}
	v.Append(at, ir.Inst{Op: ir.OpRet}, nil, nil)
	return v
}

func each(l []ir.ValueID, f func(ir.ValueID)) {
	for _, x := range l {
		f(x)
	}
}

// checkOrder checks that dominators come first and that loops are in a row.
func checkOrder(t *testing.T, seed uint64, c *analysis.CFG, loops *analysis.Loops, order []ir.BlockID) {
	t.Helper()
	at := map[ir.BlockID]int{}
	for i, b := range order {
		at[b] = i
	}
	if len(at) != len(c.Order) {
		t.Fatalf("seed %d: %d blocks of %d", seed, len(at), len(c.Order))
	}
	for _, b := range c.Order {
		if at[c.Idom[b]] > at[b] {
			t.Fatalf("seed %d: block %d comes before its dominator", seed, b)
		}
	}
	for _, l := range loops.List {
		low, high := len(order), -1
		for _, b := range l.Blocks {
			low, high = min(low, at[b]), max(high, at[b])
		}
		if high-low+1 != len(l.Blocks) {
			t.Fatalf("seed %d: the loop of block %d is not in a row: %v", seed, l.Header, order)
		}
	}
}

// run takes a way through a body, of so many blocks at most: choose says which of n destinations is next. holds says which definition of which value a word has.
func run(t *testing.T, seed uint64, steps int, choose func(n int) int, v *ir.Version, w *regs.Words) {
	t.Helper()
	type def struct {
		x ir.ValueID
		n int
	}
	holds := make([]def, w.Count[regs.Plain])
	now := map[ir.ValueID]int{}
	n := 0
	write := func(x ir.ValueID) {
		n++
		now[x] = n
		holds[w.First[regs.Plain][x]] = def{x, n}
	}
	read := func(x ir.ValueID, what string) {
		if h := holds[w.First[regs.Plain][x]]; h != (def{x, now[x]}) {
			t.Fatalf("seed %d: %s: the word of value %d has value %d", seed, what, x, h.x)
		}
	}
	b := ir.BlockID(0)
	write(v.Blocks[0].Params[0])
	for range steps {
		for _, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			each(in.Args, func(x ir.ValueID) { read(x, in.Op.String()) })
			each(in.Results, write)
		}
		d := v.Term(b).Dests
		if len(d) == 0 {
			return
		}
		to := d[choose(len(d))]
		each(to.Args, func(x ir.ValueID) { read(x, "argument") })
		each(v.Blocks[to.Block].Params, write)
		b = to.Block
	}
}
