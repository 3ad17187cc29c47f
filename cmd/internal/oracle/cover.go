package oracle

import (
	"fmt"
	"io"
	"sort"

	"github.com/uvm2go/uvm2go/transpile"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A Coverage counts the operations of programs that were run, the pairs of an
// operation and one that uses its result, and the types operated on.
type Coverage struct {
	Programs int
	Ops      map[string]int
	Pairs    map[[2]string]int
	Types    map[string]map[string]int // by operation
	Widths   map[uint32]int
}

// NewCoverage returns an empty coverage.
func NewCoverage() *Coverage {
	return &Coverage{Ops: map[string]int{}, Pairs: map[[2]string]int{}, Types: map[string]map[string]int{}, Widths: map[uint32]int{}}
}

// Add counts a bundle of n programs.
func (c *Coverage) Add(text string, n int) error {
	p, err := load(text, Way{})
	if err != nil {
		return err
	}
	c.Programs += n
	c.addProgram(p)
	return nil
}

func (c *Coverage) addProgram(p *transpile.Program) {
	ts := p.IR.Types
	for _, f := range p.IR.Funcs {
		for _, v := range f.Versions {
			for id := 1; id < len(v.Insts); id++ {
				in := &v.Insts[id]
				op := opName(in)
				c.Ops[op]++
				if in.Ty != ir.NoType {
					m := c.Types[op]
					if m == nil {
						m = map[string]int{}
						c.Types[op] = m
					}
					m[typeName(ts, in.Ty)]++
					if n := ts.At(in.Ty); n.Kind == ir.KInt {
						c.Widths[n.Bits]++
					}
				}
				for _, a := range in.Args {
					if x := &v.Values[a]; x.Kind == ir.ValueResult {
						c.Pairs[[2]string{opName(&v.Insts[x.Def]), op}]++
					}
				}
			}
		}
	}
}

// opName returns the name of the operation with the clauses that change it.
func opName(in *ir.Inst) string {
	s := in.Op.Info().Mnemonic
	if in.Op == ir.OpAtomicRMW {
		s += " " + in.RMW.String()
	}
	if in.Has(ir.FlagPtr) {
		s += " PTR"
	}
	if in.Has(ir.FlagExc) {
		s += " EXC"
	}
	if in.Has(ir.FlagKillOld) {
		s += " KILL_OLD"
	}
	if in.Has(ir.FlagThrowExc) {
		s += " THROW_EXC"
	}
	return s
}

// typeName returns the kind of a type, for an int with its width.
func typeName(ts *ir.Types, id ir.TypeID) string {
	n := ts.At(id)
	switch n.Kind {
	case ir.KInt:
		return fmt.Sprintf("int<%d>", n.Bits)
	case ir.KVector, ir.KArray:
		return n.Kind.String() + " of " + ts.At(n.Elem).Kind.String()
	}
	return n.Kind.String()
}

// Missing lists the operations of the table that no program contained.
func (c *Coverage) Missing() []string {
	seen := map[string]bool{}
	for op := range c.Ops {
		seen[base(op)] = true
	}
	var l []string
	for o := ir.Op(1); o < ir.NumOps; o++ {
		if m := o.Info().Mnemonic; !seen[m] {
			l = append(l, m)
		}
	}
	return l
}

func base(op string) string {
	for i, r := range op {
		if r == ' ' {
			return op[:i]
		}
	}
	return op
}

// Report writes the figures; if all is set, for every operation and pair.
func (c *Coverage) Report(w io.Writer, all bool) {
	bases := map[string]bool{}
	for op := range c.Ops {
		bases[base(op)] = true
	}
	types := 0
	for _, m := range c.Types {
		types += len(m)
	}
	fmt.Fprintf(w, "coverage: %d of %d operations, %d with their clauses, %d pairs, %d of operation and type, %d int widths\n",
		len(bases), len(bases)+len(c.Missing()), len(c.Ops), len(c.Pairs), types, len(c.Widths))
	fmt.Fprintf(w, "never: %v\n", c.Missing())
	if !all {
		return
	}
	var ops []string
	for op := range c.Ops {
		ops = append(ops, op)
	}
	sort.Strings(ops)
	for _, op := range ops {
		fmt.Fprintf(w, "%8d %s\n", c.Ops[op], op)
	}
	var pairs [][2]string
	for p := range c.Pairs {
		pairs = append(pairs, p)
	}
	sort.Slice(pairs, func(i, j int) bool { return pairs[i][0]+" "+pairs[i][1] < pairs[j][0]+" "+pairs[j][1] })
	for _, p := range pairs {
		fmt.Fprintf(w, "%8d %s > %s\n", c.Pairs[p], p[0], p[1])
	}
}
