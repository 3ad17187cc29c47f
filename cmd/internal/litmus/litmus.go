// Package litmus makes litmus tests of programs in any dialect, for uvm2go litmus: each function without
// parameters is a thread, except the entry function and hooks; cells are the locations. It does not judge tests: package
// atomicsmodel does.
//
// A thread is straight-line code with branches on what was loaded: LOAD, STORE, CMPXCHG, ATOMICRMW and FENCE of cells
// of integers, and arithmetic whose result does not depend on its operands. Anything else is an error
// with its position. The variable %r of function @f is the register f_r of the test.
package litmus

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/atomicsmodel"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// FromProgram makes a test of a program as it was read. entry is a function that is no thread, or nil; ask is the
// question, in the notation of package atomicsmodel.
func FromProgram(name string, p *ir.Program, entry *ir.Function, ask string) (*atomicsmodel.Test, error) {
	w := &writer{p: p}
	fmt.Fprintf(&w.out, "litmus %s\n", word(name))
	for _, g := range p.Globals {
		if g.Init != nil && g.Init.Kind == ir.ConstInt {
			fmt.Fprintf(&w.out, "init %s=%d\n", word(g.Name), w.number(g.Init))
		}
	}
	threads := 0
	for _, f := range p.Funcs {
		v := f.Current()
		if v == nil || f == entry || len(p.Types.At(f.Sig).Fields) > 0 || len(v.Blocks) == 0 {
			continue
		}
		threads++
		w.thread(v)
	}
	if threads == 0 {
		w.errs = append(w.errs, fmt.Errorf("%s: no threads: want functions without parameters beside the entry function", name))
	}
	if err := errors.Join(w.errs...); err != nil {
		return nil, err
	}
	fmt.Fprintf(&w.out, "ask %s\n", ask)
	return atomicsmodel.Parse(name, w.out.String())
}

// word is a name as tests have it: letters, digits and underscores.
func word(name string) string {
	s := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' {
			return r
		}
		return '_'
	}, strings.TrimLeft(name, "@%"))
	if s == "" || s[0] == '_' || s[0] <= '9' {
		s = "n" + s
	}
	return s
}

type writer struct {
	p    *ir.Program
	out  strings.Builder
	errs []error

	v      *ir.Version
	name   string
	values map[ir.ValueID]value
	edges  []int // by block: how many branches lead to it
	made   map[string]bool
	text   []string
}

// A value is a number or a register, or a comparison of a register with a number.
type value struct {
	n    int64
	reg  string
	deps []string // registers that it depends on besides
	cond string   // the comparison, without its mark
	not  bool     // the comparison is !=
}

// fail reports an error at an instruction.
func (w *writer) fail(in *ir.Inst, format string, args ...any) {
	w.errs = append(w.errs, fmt.Errorf("%s: %s", w.p.Files.Position(in.Pos), fmt.Sprintf(format, args...)))
}

func (w *writer) number(c *ir.Const) int64 {
	if bits := w.p.Types.At(c.Type).Len; bits > 0 && bits < 64 {
		return int64(c.Lo<<(64-bits)) >> (64 - bits)
	}
	return int64(c.Lo)
}

// thread writes a function.
func (w *writer) thread(v *ir.Version) {
	w.v, w.name, w.values, w.made, w.text = v, word(v.Func.Name), map[ir.ValueID]value{}, map[string]bool{}, nil
	w.edges = make([]int, len(v.Blocks))
	for b := range v.Blocks {
		if t := v.Term(ir.BlockID(b)); t != nil {
			for _, d := range t.Dests {
				w.edges[d.Block]++
			}
		}
	}
	w.block(0, nil)
	fmt.Fprintf(&w.out, "%s: %s\n", w.name, strings.Join(w.text, "; "))
}

// block writes a block and those after it; conds are the conditions under which it runs.
func (w *writer) block(b ir.BlockID, conds []string) {
	for _, id := range w.v.Blocks[b].Insts {
		in := &w.v.Insts[id]
		if in.IsTerminator() {
			w.terminator(in, conds)
			return
		}
		w.inst(in, conds)
	}
}

func (w *writer) terminator(in *ir.Inst, conds []string) {
	switch in.Op {
	case ir.OpRet, ir.OpThreadExit:
	case ir.OpBranch:
		w.jump(in, 0, conds)
	case ir.OpBranch2:
		c := w.value(in, in.Args[0])
		if c.cond == "" {
			w.fail(in, "%s is not supported here: want a branch on the comparison of a loaded value with a number", in.Op.Info().Mnemonic)
			return
		}
		for k := range 2 {
			mark := "="
			if c.not != (k == 1) {
				mark = "!="
			}
			w.jump(in, k, append(slices.Clone(conds), " if "+strings.Replace(c.cond, "?", mark, 1)))
		}
	default:
		w.fail(in, "%s is not supported in a litmus test", in.Op.Info().Mnemonic)
	}
}

// jump continues with a destination.
func (w *writer) jump(in *ir.Inst, k int, conds []string) {
	d := in.Dests[k]
	blk := &w.v.Blocks[d.Block]
	if w.edges[d.Block] > 1 {
		if len(blk.Insts) == 1 {
			if t := &w.v.Insts[blk.Insts[0]]; t.Op == ir.OpRet || t.Op == ir.OpThreadExit {
				return
			}
		}
		w.fail(in, "several branches lead to %s: a litmus test has no loops, and its branches do not meet again before the end", blk.Name)
		return
	}
	for i, a := range d.Args {
		w.values[blk.Params[i]] = w.value(in, a)
	}
	w.block(d.Block, conds)
}

// value is what is known of an operand.
func (w *writer) value(in *ir.Inst, id ir.ValueID) value {
	if v := &w.v.Values[id]; v.Kind == ir.ValueConst {
		if v.Const.Kind != ir.ConstInt {
			w.fail(in, "only integers can be stored and compared")
		} else {
			return value{n: w.number(v.Const)}
		}
	}
	return w.values[id]
}

// cell is the name of the cell that an instruction accesses.
func (w *writer) cell(in *ir.Inst) string {
	v := &w.v.Values[in.Args[0]]
	if v.Kind != ir.ValueConst || v.Const.Kind != ir.ConstGlobal || w.p.Types.At(v.Const.Global.Type).Kind != ir.KInt {
		w.fail(in, "only cells of integers can be accessed in a litmus test")
		return "x"
	}
	return word(v.Const.Global.Name)
}

var orders = [...]string{ir.NotAtomic: "na", ir.Relaxed: "rlx", ir.Consume: "con", ir.Acquire: "acq", ir.Release: "rel", ir.AcqRel: "ar", ir.SeqCst: "sc"}

// inst writes an instruction that is no terminator.
func (w *writer) inst(in *ir.Inst, conds []string) {
	var text string
	var deps []string
	operand := func(i int) string {
		v := w.value(in, in.Args[i])
		if v.cond != "" {
			w.fail(in, "the result of a comparison can only be branched on")
		}
		deps = append(deps, v.deps...)
		if v.reg != "" {
			return v.reg
		}
		return fmt.Sprint(v.n)
	}
	switch in.Op {
	case ir.OpLoad:
		text = fmt.Sprintf("%s = ld.%s %s", w.result(in), orders[in.Ord], w.cell(in))
	case ir.OpStore:
		text = fmt.Sprintf("st.%s %s %s", orders[in.Ord], w.cell(in), operand(1))
	case ir.OpAtomicRMW:
		text = fmt.Sprintf("%s = %s.%s %s %s", w.result(in), strings.ToLower(in.RMW.String()), orders[in.Ord], w.cell(in), operand(1))
	case ir.OpCmpXchg:
		text = fmt.Sprintf("%s = cas.%s.%s %s %s %s", w.result(in), orders[in.Ord], orders[in.OrdFail], w.cell(in), operand(1), operand(2))
		if expected := w.value(in, in.Args[1]); expected.reg == "" {
			w.values[in.Results[1]] = value{cond: fmt.Sprintf("%s?%d", w.values[in.Results[0]].reg, expected.n)}
		}
	case ir.OpFence:
		text = "fence." + orders[in.Ord]
	default:
		w.pure(in)
		return
	}
	slices.Sort(deps)
	if deps = slices.Compact(deps); len(deps) > 0 {
		text += " dep " + strings.Join(deps, ",")
	}
	w.text = append(w.text, text+strings.Join(conds, ""))
}

// result makes a register for the first result of an instruction.
func (w *writer) result(in *ir.Inst) string {
	id := in.Results[0]
	base := w.name + "_" + word(w.v.Values[id].Name)
	reg := base
	for n := 2; w.made[reg]; n++ {
		reg = fmt.Sprintf("%s_%d", base, n)
	}
	w.made[reg] = true
	w.values[id] = value{reg: reg}
	return reg
}

// pure notes the result of an operation without effect.
func (w *writer) pure(in *ir.Inst) {
	if len(in.Args) != 2 || len(in.Results) != 1 {
		w.fail(in, "%s is not supported in a litmus test", in.Op.Info().Mnemonic)
		return
	}
	a, b := w.value(in, in.Args[0]), w.value(in, in.Args[1])
	if a.reg == "" && b.reg != "" {
		a, b = b, a
	}
	r := value{deps: slices.Concat(a.deps, b.deps)}
	zero := b.reg == "" && b.n == 0
	depends := func() {
		if r.deps = append(r.deps, a.reg); b.reg != "" {
			r.deps = append(r.deps, b.reg)
		}
	}
	switch {
	case (in.Op == ir.OpEQ || in.Op == ir.OpNE) && a.reg != "" && b.reg == "":
		r = value{cond: fmt.Sprintf("%s?%d", a.reg, b.n), not: in.Op == ir.OpNE}
	case (in.Op == ir.OpXor || in.Op == ir.OpSub) && a.reg != "" && a.reg == b.reg, (in.Op == ir.OpAnd || in.Op == ir.OpMul) && a.reg != "" && zero:
		depends()
	case (in.Op == ir.OpAdd || in.Op == ir.OpOr || in.Op == ir.OpXor) && zero:
		r.reg, r.n = a.reg, a.n
	default:
		w.fail(in, "%s is not supported in a litmus test, unless its result does not depend on its operands, as that of r^r and r&0", in.Op.Info().Mnemonic)
	}
	w.values[in.Results[0]] = r
}
