// Package litmus makes litmus tests of programs in any dialect, for uvm2go litmus: each function without
// parameters is a thread, except the entry function and hooks; cells are the locations. It does not judge tests: package
// atomicsmodel does.
//
// A thread is straight-line code with branches on what was loaded: LOAD, STORE, CMPXCHG, ATOMICRMW and FENCE of cells
// of integers or words, and arithmetic whose result does not depend on its operands, or only on constants. It may call
// functions of the same kind. Anything else is an error with its position. The variable %r of function @f is the register
// f_r of the test; values without names are f_1, f_2 and so on.
package litmus

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/atomicsmodel"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/passes"
)

// A Question is what a test of a program asks for, and the verdict that is expected, "" for none, in the notation of package
// atomicsmodel.
type Question struct{ Ask, Expect string }

// FromProgram makes a test of a program as it was read. entry is a function that is no thread, or nil. The lines of the
// statements are those of the file.
func FromProgram(file string, p *ir.Program, entry *ir.Function, q Question) (*atomicsmodel.Test, error) {
	w := &writer{p: p}
	fmt.Fprintf(&w.out, "litmus %s\n", word(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))))
	var names []string
	for _, g := range p.Globals {
		if !w.simple(g.Type) {
			continue
		}
		names = append(names, word(g.Name))
		if g.Init != nil && g.Init.Kind == ir.ConstInt {
			fmt.Fprintf(&w.out, "init %s=%d\n", word(g.Name), w.number(g.Init))
		}
	}
	var lines [][]int
	for _, f := range p.Funcs {
		v := f.Current()
		if v == nil || f == entry || len(p.Types.At(f.Sig).Fields) > 0 || len(v.Blocks) == 0 {
			continue
		}
		w.thread(v)
		lines = append(lines, w.lines)
		names = slices.AppendSeq(names, maps.Keys(w.made))
	}
	if len(lines) == 0 {
		w.errs = append(w.errs, fmt.Errorf("%s: no threads: want functions without parameters beside the entry function", file))
	}
	if err := errors.Join(w.errs...); err != nil {
		return nil, err
	}
	fmt.Fprintf(&w.out, "ask %s\n", q.Ask)
	if q.Expect != "" {
		fmt.Fprintf(&w.out, "expect %s\n", q.Expect)
	}
	t, err := atomicsmodel.Parse(file, w.out.String())
	if err != nil {
		return nil, questionErrors(file, err, names)
	}
	for i := range t.Threads {
		for j := range t.Threads[i].Code {
			t.Threads[i].Code[j].Line = lines[i][j]
		}
	}
	return t, nil
}

// questionErrors tells the errors in a question without positions, which would be those in a text that nobody sees, and what
// it may ask about.
func questionErrors(file string, err error, names []string) error {
	var errs []error
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			var e *atomicsmodel.SyntaxError
			if errors.As(err, &e) {
				err = fmt.Errorf("%s: the question: %s", file, e.Message)
			}
			errs = append(errs, err)
		}
	}
	slices.Sort(names)
	return errors.Join(append(errs, fmt.Errorf("%s: the question may use %s", file, strings.Join(names, ", ")))...)
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

	name    string // of the thread
	made    map[string]bool
	unnamed int // values without names
	text    []string
	lines   []int    // of the text in the file
	outer   *ir.Inst // the call in the thread that is written
	frame            // the function that is written: the thread, or one that it calls
}

// A frame is a function while it is written.
type frame struct {
	v      *ir.Version
	values map[ir.ValueID]value
	edges  []int   // by block: how many branches lead to it
	depth  int     // of calls; 0 for the thread
	result []value // of a call
	over   bool    // it has returned
}

// maxDepth bounds calls within calls.
const maxDepth = 16

// A value is a number, a register, the address of a cell, or a comparison of a register with a number.
type value struct {
	n    int64
	reg  string
	deps []string // registers that it depends on besides
	cond string   // the comparison, without its mark
	not  bool     // the comparison is !=
	cell *ir.Global
}

// number reports whether a value is one.
func (v value) number() bool { return v.reg == "" && v.cond == "" && v.cell == nil && len(v.deps) == 0 }

// fail reports an error at an instruction.
func (w *writer) fail(in *ir.Inst, format string, args ...any) {
	err := fmt.Errorf("%s: %s", w.p.Files.Position(w.place(in)), fmt.Sprintf(format, args...))
	if n := len(w.errs); n == 0 || w.errs[n-1].Error() != err.Error() { // the same in several functions that a call leads to
		w.errs = append(w.errs, err)
	}
}

// place is the position of an instruction in a thread: that of the call where it is in another function.
func (w *writer) place(in *ir.Inst) diag.Pos {
	if w.depth > 0 {
		return w.outer.Pos
	}
	return in.Pos
}

func (w *writer) number(c *ir.Const) int64 {
	return w.fit(int64(c.Lo), c.Type)
}

// fit is a number as a value of a type, with its sign.
func (w *writer) fit(n int64, t ir.TypeID) int64 {
	if t := w.p.Types.At(t); t.Kind == ir.KInt && t.Bits < 64 {
		return n << (64 - t.Bits) >> (64 - t.Bits)
	}
	return n
}

// thread writes a function.
func (w *writer) thread(v *ir.Version) {
	w.name, w.made, w.unnamed, w.text, w.lines = word(v.Func.Name), map[string]bool{}, 0, nil, nil
	w.enter(v, 0)
	w.block(0, nil)
	fmt.Fprintf(&w.out, "%s: %s\n", w.name, strings.Join(w.text, "; "))
}

// enter makes a version the one that is written.
func (w *writer) enter(v *ir.Version, depth int) {
	w.frame = frame{v: v, values: map[ir.ValueID]value{}, edges: make([]int, len(v.Blocks)), depth: depth}
	for b := range v.Blocks {
		if t := v.Term(ir.BlockID(b)); t != nil {
			for _, d := range t.Dests {
				w.edges[d.Block]++
			}
		}
	}
}

// call writes the code of a function that the thread calls.
func (w *writer) call(in *ir.Inst, conds []string) {
	callee := &w.v.Values[in.Args[0]]
	var v *ir.Version
	if callee.Kind == ir.ValueConst && callee.Const.Kind == ir.ConstFunc {
		v = callee.Const.Func.Current()
	}
	args := in.Args[1:]
	switch {
	case v == nil || len(v.Blocks) == 0:
		w.fail(in, "only functions with a known body can be called in a litmus test")
		return
	case w.depth == maxDepth:
		w.fail(in, "calls in a litmus test are at most %d deep", maxDepth)
		return
	case len(args) != len(v.Blocks[0].Params):
		w.fail(in, "a call with another signature is not supported in a litmus test")
		return
	}
	caller := w.frame
	if caller.depth == 0 {
		w.outer = in
	}
	w.enter(v, caller.depth+1)
	for i, p := range v.Blocks[0].Params {
		w.values[p] = caller.value(w, in, args[i])
	}
	errs := len(w.errs)
	w.block(0, conds)
	result, over := w.result, w.over
	w.frame = caller
	if !over && len(w.errs) == errs {
		w.fail(in, "the call does not return in all executions of the litmus test")
	}
	for i, r := range in.Results {
		if i < len(result) {
			w.values[r] = result[i]
		}
	}
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
	case ir.OpRet:
		for _, a := range in.Args {
			w.frame.result = append(w.frame.result, w.value(in, a))
		}
		w.over = true
	case ir.OpThreadExit:
	case ir.OpBranch:
		w.jump(in, 0, conds)
	case ir.OpBranch2:
		c := w.value(in, in.Args[0])
		if c.number() {
			taken := 0
			if c.n == 0 {
				taken = 1
			}
			w.edges[in.Dests[1-taken].Block]--
			w.jump(in, taken, conds)
			return
		}
		if w.depth > 0 {
			w.fail(in, "a function that a thread of a litmus test calls cannot branch on loaded values")
			return
		}
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
func (w *writer) value(in *ir.Inst, id ir.ValueID) value { return w.frame.value(w, in, id) }

func (f *frame) value(w *writer, in *ir.Inst, id ir.ValueID) value {
	v := &f.v.Values[id]
	if v.Kind != ir.ValueConst {
		return f.values[id]
	}
	switch v.Const.Kind {
	case ir.ConstInt:
		return value{n: w.number(v.Const)}
	case ir.ConstNull:
		return value{}
	case ir.ConstGlobal:
		return value{cell: v.Const.Global}
	}
	w.fail(in, "only integers can be stored and compared")
	return value{}
}

// cell is the name of the cell that an instruction accesses.
func (w *writer) cell(in *ir.Inst) string {
	v := w.value(in, in.Args[0])
	if v.cell == nil || !w.simple(v.cell.Type) || len(v.deps) > 0 {
		w.fail(in, "only cells of integers can be accessed in a litmus test")
		return "x"
	}
	if cell, access := w.p.Types.At(v.cell.Type), w.p.Types.At(in.Ty); cell.Kind == ir.KInt && access.Kind == ir.KInt && cell.Bits != access.Bits {
		w.fail(in, "cell %s of %d bits is accessed with %d bits: the memory model says nothing about accesses of mixed sizes", v.cell.Name, cell.Bits, access.Bits)
	}
	return word(v.cell.Name)
}

// simple reports whether a type is that of integers or of machine words.
func (w *writer) simple(t ir.TypeID) bool {
	k := w.p.Types.At(t).Kind
	return k == ir.KInt || k == ir.KUPtr
}

var orders = [...]string{ir.NotAtomic: "na", ir.Relaxed: "rlx", ir.Consume: "con", ir.Acquire: "acq", ir.Release: "rel", ir.AcqRel: "ar", ir.SeqCst: "sc"}

// inst writes an instruction that is no terminator.
func (w *writer) inst(in *ir.Inst, conds []string) {
	var text string
	var deps []string
	operand := func(i int) string {
		v := w.value(in, in.Args[i])
		switch {
		case v.cond != "":
			w.fail(in, "the result of a comparison can only be branched on")
		case v.cell != nil:
			w.fail(in, "only integers can be stored and compared")
		}
		deps = append(deps, v.deps...)
		if v.reg != "" {
			return v.reg
		}
		return fmt.Sprint(v.n)
	}
	switch in.Op {
	case ir.OpLoad:
		text = fmt.Sprintf("%s = ld.%s %s", w.register(in), orders[in.Ord], w.cell(in))
	case ir.OpStore:
		text = fmt.Sprintf("st.%s %s %s", orders[in.Ord], w.cell(in), operand(1))
	case ir.OpAtomicRMW:
		text = fmt.Sprintf("%s = %s.%s %s %s", w.register(in), strings.ToLower(in.RMW.String()), orders[in.Ord], w.cell(in), operand(1))
	case ir.OpCmpXchg:
		text = fmt.Sprintf("%s = cas.%s.%s %s %s %s", w.register(in), orders[in.Ord], orders[in.OrdFail], w.cell(in), operand(1), operand(2))
		if expected := w.value(in, in.Args[1]); expected.reg == "" {
			w.values[in.Results[1]] = value{cond: fmt.Sprintf("%s?%d", w.values[in.Results[0]].reg, expected.n)}
		}
	case ir.OpFence:
		text = "fence." + orders[in.Ord]
	case ir.OpCall:
		w.call(in, conds)
		return
	default:
		w.pure(in)
		return
	}
	slices.Sort(deps)
	if deps = slices.Compact(deps); len(deps) > 0 {
		text += " dep " + strings.Join(deps, ",")
	}
	w.text = append(w.text, text+strings.Join(conds, ""))
	w.lines = append(w.lines, w.p.Files.Position(w.place(in)).Line)
}

// register makes a register for the first result of an instruction.
func (w *writer) register(in *ir.Inst) string {
	id := in.Results[0]
	var base string
	if name := w.v.Values[id].Name; name != "" && w.depth == 0 {
		base = w.name + "_" + word(name)
	} else {
		w.unnamed++
		base = fmt.Sprintf("%s_%d", w.name, w.unnamed)
	}
	reg := base
	for n := 2; w.made[reg]; n++ {
		reg = fmt.Sprintf("%s_%d", base, n)
	}
	w.made[reg] = true
	w.values[id] = value{reg: reg}
	return reg
}

// converts has the operations whose result is their operand, as far as litmus tests go.
var converts = []ir.Op{ir.OpZExt, ir.OpSExt, ir.OpTrunc, ir.OpZExtWord, ir.OpSExtWord, ir.OpPtrCast, ir.OpRefAddr, ir.OpRefCast, ir.OpPin}

// pure notes the result of an operation without effect.
func (w *writer) pure(in *ir.Inst) {
	if len(in.Args) == 1 && len(in.Results) == 1 && slices.Contains(converts, in.Op) {
		v := w.value(in, in.Args[0])
		switch {
		case !v.number():
		case in.Op == ir.OpZExt:
			v.n &= 1<<min(w.p.Types.At(in.Ty).Bits, 63) - 1
		default:
			v.n = w.fit(v.n, w.v.Values[in.Results[0]].Type)
		}
		w.values[in.Results[0]] = v
		return
	}
	if len(in.Args) != 2 || len(in.Results) != 1 {
		w.fail(in, "%s is not supported in a litmus test", in.Op.Info().Mnemonic)
		return
	}
	a, b := w.value(in, in.Args[0]), w.value(in, in.Args[1])
	if a.number() && b.number() {
		w.fold(in, a.n, b.n)
		return
	}
	if a.number() {
		a, b = b, a
	}
	r := value{deps: slices.Concat(a.deps, b.deps)}
	zero := b.number() && b.n == 0
	depends := func() {
		if r.deps = append(r.deps, a.reg); b.reg != "" {
			r.deps = append(r.deps, b.reg)
		}
	}
	equality := in.Op == ir.OpEQ || in.Op == ir.OpNE
	switch {
	case equality && a.reg != "" && b.number():
		r = value{cond: fmt.Sprintf("%s?%d", a.reg, b.n), not: in.Op == ir.OpNE}
	case equality && a.cond != "" && b.number() && (b.n == 0 || b.n == 1): // a truth value that is tested
		r = a
		r.not = a.not != ((in.Op == ir.OpNE) == (b.n == 1))
	case equality && a.cell != nil && zero: // no cell is at NULL
		r.n = truth(in.Op == ir.OpNE)
	case in.Op == ir.OpAnd && a.cell != nil && b.number() && 0 <= b.n && b.n < 8: // cells are aligned
	case (in.Op == ir.OpXor || in.Op == ir.OpSub) && a.reg != "" && a.reg == b.reg, (in.Op == ir.OpAnd || in.Op == ir.OpMul) && a.reg != "" && zero:
		depends()
	case (in.Op == ir.OpAdd || in.Op == ir.OpOr || in.Op == ir.OpXor) && zero && a.cond == "":
		r.reg, r.n, r.cell = a.reg, a.n, a.cell
	default:
		w.fail(in, "%s is not supported in a litmus test, unless its result does not depend on its operands, as that of r^r and r&0", in.Op.Info().Mnemonic)
	}
	w.values[in.Results[0]] = r
}

// fold notes the result of an operation of numbers.
func (w *writer) fold(in *ir.Inst, a, b int64) {
	var n int64
	switch t := w.p.Types.At(in.Ty); {
	case in.Op == ir.OpEQ:
		n = truth(a == b)
	case in.Op == ir.OpNE:
		n = truth(a != b)
	default:
		bits := func(n int64) uint64 { return uint64(n) << (64 - t.Bits) >> (64 - t.Bits) }
		x, ok := uint64(0), t.Kind == ir.KInt && t.Bits <= 64
		if ok {
			x, ok = passes.EvalInt(in.Op, t.Bits, bits(a), bits(b))
		}
		if !ok {
			w.fail(in, "%s is not supported in a litmus test", in.Op.Info().Mnemonic)
			return
		}
		n = int64(x)
	}
	w.values[in.Results[0]] = value{n: w.fit(n, w.v.Values[in.Results[0]].Type)}
}

// truth is a truth value: any number but 0 is true, so the sign of int<1> does not matter.
func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
