package write

import (
	"fmt"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"slices"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/internal/textform"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// A body writes one version.
//
// Values of package ir may be used wherever their definition dominates; variables of Mu text
// belong to a block. So a block gets a parameter for each value that is alive at its
// beginning, and each edge to it passes the value. A value has the same name in all its
// blocks.
type body struct {
	*writer
	v      *ir.Version
	cfg    *analysis.CFG
	name   []string       // by value
	label  []string       // by block
	global []string       // by block: label as a global name
	liveIn [][]ir.ValueID // by block, in order of definition
	names  diag.Namings   // what the author's own source calls the values of these names, so far
}

func (b *body) write(fn, version, sig string) {
	b.cfg, b.names = analysis.NewCFG(b.v), diag.Namings{}
	if !b.spelled() {
		return
	}
	b.nameBlocks(version)
	b.live()
	b.nameValues()
	version, local := strings.CutPrefix(version, fn+".")
	if local {
		version = "%" + version
	}
	if version = "VERSION " + version + " "; b.muc && version == "VERSION %v1 " {
		version = ""
	}
	head := fmt.Sprintf(".funcdef %s %s<%s> {\n", fn, version, sig)
	b.funcs.WriteString("\n" + b.placed.funcs.Text(textform.HeadPos(b.p, b.v), len(".funcdef "), 0, head))
	for _, id := range b.order() {
		b.block(id)
	}
	b.funcs.WriteString("}\n")
}

// spelled reports whether Mu text has all instructions. The text may be longer than the body by far, as blocks pass on
// values: a program that it cannot express shall not cost that.
func (b *body) spelled() bool {
	for _, id := range b.cfg.Order {
		for _, i := range b.v.Blocks[id].Insts {
			if op := b.v.Insts[i].Op; !spelled[op] {
				b.fail("%s: Mu text has no %s", b.v.Name, op)
				return false
			}
		}
	}
	return true
}

// order has the reachable blocks in their original order, the entry first.
func (b *body) order() []ir.BlockID {
	l := slices.Clone(b.cfg.Order)
	slices.Sort(l)
	return l
}

// defined is the block of a value's definition, -1 for a constant.
func (b *body) defined(x ir.ValueID) ir.BlockID {
	v := &b.v.Values[x]
	switch v.Kind {
	case ir.ValueParam, ir.ValueExcParam:
		return ir.BlockID(v.Def)
	case ir.ValueResult:
		return b.v.Insts[v.Def].Block
	}
	return -1
}

// live finds the values that are alive at the beginning of blocks: from each use back to
// the definition.
func (b *body) live() {
	b.liveIn = make([][]ir.ValueID, len(b.v.Blocks))
	at := make([]ir.ValueID, len(b.v.Blocks)) // the last value found alive at a block
	// terminal reports whether a value exists only on an edge out of its block.
	terminal := func(x ir.ValueID) bool {
		v := &b.v.Values[x]
		return v.Kind == ir.ValueResult && b.v.Insts[v.Def].IsTerminator()
	}
	uses := make([][]ir.BlockID, len(b.v.Values)) // blocks that use a value of another
	for _, id := range b.cfg.Order {
		use := func(x ir.ValueID, edge bool) {
			d := b.defined(x)
			if d < 0 || d == id && (edge || !terminal(x)) {
				return
			}
			if l := uses[x]; len(l) == 0 || l[len(l)-1] != id {
				uses[x] = append(l, id)
			}
		}
		for _, i := range b.v.Blocks[id].Insts {
			in := &b.v.Insts[i]
			for _, a := range in.Args {
				use(a, false)
			}
			for _, a := range in.Keep {
				use(a, false)
			}
			for k := range in.Dests {
				for _, a := range in.Dests[k].Args {
					use(a, true)
				}
			}
		}
	}
	for x := range uses {
		val := ir.ValueID(x)
		work := slices.Clone(uses[x])
		for len(work) > 0 {
			id := work[len(work)-1]
			work = work[:len(work)-1]
			if at[id] == val {
				continue
			}
			at[id] = val
			b.liveIn[id] = append(b.liveIn[id], val)
			for _, p := range b.cfg.Preds[id] {
				if p != b.defined(val) && at[p] != val {
					work = append(work, p)
				}
			}
		}
	}
}

func (b *body) block(id ir.BlockID) {
	blk := &b.v.Blocks[id]
	var params []string
	for _, p := range blk.Params {
		params = append(params, fmt.Sprintf("<%s> %s", b.typ(b.v.Values[p].Type), b.name[p]))
	}
	for _, p := range b.liveIn[id] {
		params = append(params, fmt.Sprintf("<%s> %s", b.typ(b.v.Values[p].Type), b.name[p]))
	}
	exc := ""
	if blk.Exc != 0 {
		exc = " [" + b.name[blk.Exc] + "]"
	}
	head := fmt.Sprintf("%s(%s)%s:\n", b.label[id], strings.Join(params, " "), exc)
	b.called(blk.Params...)
	if blk.Exc != 0 {
		b.called(blk.Exc)
	}
	b.funcs.WriteString(b.placed.funcs.Text(blk.Pos, 0, textform.LabelIndent, head))
	for _, i := range blk.Insts {
		b.inst(i)
	}
}

// called says what the author's own source calls values that are defined next.
func (b *body) called(ids ...ir.ValueID) {
	b.funcs.WriteString(b.p.Namings(b.v, ids, func(x ir.ValueID) string { return b.name[x] }, b.names))
}

// val is an operand.
func (b *body) val(x ir.ValueID) string {
	if v := &b.v.Values[x]; v.Kind == ir.ValueConst {
		return b.con(v.Const)
	}
	return b.name[x]
}

func (b *body) vals(l []ir.ValueID) string {
	out := make([]string, len(l))
	for i, x := range l {
		out[i] = b.val(x)
	}
	return strings.Join(out, " ")
}

// keeps are keep-alive variables. Constants that have replaced a variable are left out.
func (b *body) keeps(l []ir.ValueID) string {
	var out []string
	for _, x := range l {
		if b.v.Values[x].Kind != ir.ValueConst || b.v.Values[x].Const.Name != "" {
			out = append(out, b.val(x))
		}
	}
	return strings.Join(out, " ")
}

func (b *body) dest(d *ir.Dest) string {
	return fmt.Sprintf("%s(%s)", b.label[d.Block], b.vals(append(d.Args[:len(d.Args):len(d.Args)], b.liveIn[d.Block]...)))
}

// spelled has the operations that Mu text can name.
var spelled = func() map[ir.Op]bool {
	m := map[ir.Op]bool{}
	for _, s := range ir.Spellings("mu") {
		m[s.Op] = true
	}
	return m
}()

func (b *body) inst(id ir.InstID) {
	in := &b.v.Insts[id]
	var s strings.Builder
	switch len(in.Results) {
	case 0:
	case 1:
		s.WriteString(b.name[in.Results[0]] + " = ")
	default:
		s.WriteString("(" + b.vals(in.Results) + ") = ")
	}
	if b.shows(in) {
		fmt.Fprintf(&s, "[%s] ", b.instName(in))
	}
	switch m := in.Op.Info().Mnemonic; {
	case in.Op == ir.OpIRBuilder:
		s.WriteString("COMMINST " + m + "." + nodes.Rows[in.Imm-nodes.First].Name)
	case m[0] == '@':
		s.WriteString("COMMINST " + m)
	default:
		s.WriteString(m)
	}
	b.operands(&s, in)
	b.clauses(&s, in)
	s.WriteByte('\n')
	b.called(in.Results...)
	b.funcs.WriteString(b.placed.funcs.Text(in.Pos, textform.Lead(s.String()), textform.InstIndent, s.String()))
}

// typeArgs are the type arguments in angle brackets, "" without any.
func (b *body) typeArgs(in *ir.Inst) string {
	var l []string
	for _, t := range [...]ir.TypeID{in.Ty, in.Ty2} {
		if t != ir.NoType {
			l = append(l, b.typ(t))
		}
	}
	if in.Op.Shape().Imm != ir.ImmNone && in.Ty != ir.NoType {
		l = append(l, strconv.FormatUint(in.Imm, 10))
	}
	if len(l) == 0 {
		return ""
	}
	return " <" + strings.Join(l, " ") + ">"
}

// noTagged refuses a comparison of the bits of tagged references, which Mu does not have.
func (b *body) noTagged(in *ir.Inst) {
	if b.p.Types.Kind(in.Ty) == ir.KTagRef64 {
		b.fail("%s: Mu text has no %s of tagref64", b.v.Name, in.Op.Info().Mnemonic)
	}
}

func (b *body) operands(s *strings.Builder, in *ir.Inst) {
	if in.Has(ir.FlagPtr) {
		s.WriteString(" PTR")
	}
	if in.Has(ir.FlagWeak) {
		s.WriteString(" WEAK")
	}
	switch in.Op {
	case ir.OpLoad, ir.OpStore, ir.OpFence:
		if in.Ord != ir.NotAtomic || in.Op == ir.OpFence {
			s.WriteString(" " + in.Ord.String())
		}
	case ir.OpEQ, ir.OpNE:
		b.noTagged(in)
	case ir.OpCmpXchg:
		b.noTagged(in)
		s.WriteString(" " + in.Ord.String() + " " + in.OrdFail.String())
	case ir.OpAtomicRMW:
		s.WriteString(" " + in.Ord.String() + " " + in.RMW.String())
	}
	args := func(l []ir.ValueID) { s.WriteString(" (" + b.vals(l) + ")") }
	switch in.Op {
	case ir.OpSwitch:
		fmt.Fprintf(s, "%s %s %s {", b.typeArgs(in), b.val(in.Args[0]), b.dest(&in.Dests[0]))
		for i, a := range in.Args[1:] {
			fmt.Fprintf(s, "\n%s %s", b.val(a), b.dest(&in.Dests[1+i]))
		}
		s.WriteString("\n}")
	case ir.OpCall, ir.OpTailCall:
		fmt.Fprintf(s, " <%s> %s", b.typ(in.Sig), b.val(in.Args[0]))
		args(in.Args[1:])
	case ir.OpCCall:
		fmt.Fprintf(s, " #DEFAULT <%s %s> %s", b.typ(in.Ty), b.typ(in.Sig), b.val(in.Args[0]))
		args(in.Args[1:])
	case ir.OpRet:
		args(in.Args)
	case ir.OpTrap:
		fmt.Fprintf(s, " <%s>", b.writer.names(in.Types))
	case ir.OpWatchpoint, ir.OpWPBranch:
		if in.Imm == 0 {
			b.fail("%s: watchpoint 0: those of Mu have numbers from 1", b.v.Name)
		}
		fmt.Fprintf(s, " %d", in.Imm)
		if in.Op == ir.OpWatchpoint {
			fmt.Fprintf(s, " <%s>", b.writer.names(in.Types))
		}
	case ir.OpNewThread, ir.OpSwapStack:
		b.stack(s, in)
	default:
		if in.Op.Info().Class != ir.ClassComm {
			s.WriteString(b.typeArgs(in))
			if len(in.Args) > 0 {
				s.WriteString(" " + b.vals(in.Args))
			}
			return
		}
		if in.Op.Is(ir.HasConv) {
			s.WriteString(" [#DEFAULT]")
		}
		s.WriteString(b.typeArgs(in))
		if in.Sig != ir.NoType {
			fmt.Fprintf(s, " <[%s]>", b.typ(in.Sig))
		}
		args(in.Args)
	}
}

// stack writes the clauses of NEWTHREAD and SWAPSTACK.
func (b *body) stack(s *strings.Builder, in *ir.Inst) {
	rest := in.Args[1:]
	s.WriteString(" " + b.val(in.Args[0]))
	if in.Has(ir.FlagThreadLocal) {
		fmt.Fprintf(s, " THREADLOCAL(%s)", b.val(rest[0]))
		rest = rest[1:]
	}
	if in.Op == ir.OpSwapStack {
		if in.Has(ir.FlagKillOld) {
			s.WriteString(" KILL_OLD")
		} else {
			fmt.Fprintf(s, " RET_WITH <%s>", b.writer.names(in.Types))
		}
	}
	if in.Has(ir.FlagThrowExc) {
		s.WriteString(" THROW_EXC " + b.val(rest[0]))
		return
	}
	var types []ir.TypeID
	for _, a := range rest {
		types = append(types, b.v.Values[a].Type)
	}
	fmt.Fprintf(s, " PASS_VALUES <%s> (%s)", b.writer.names(types), b.vals(rest))
}

// clauses writes destinations and keep-alive clause.
func (b *body) clauses(s *strings.Builder, in *ir.Inst) {
	switch {
	case in.Op == ir.OpSwitch:
	case in.Has(ir.FlagExc):
		fmt.Fprintf(s, " EXC(%s %s)", b.dest(&in.Dests[0]), b.dest(&in.Dests[1]))
	default:
		for k := range in.Dests {
			if in.Has(ir.FlagWPExc) && k == 2 {
				fmt.Fprintf(s, " WPEXC(%s)", b.dest(&in.Dests[k]))
			} else {
				s.WriteString(" " + b.dest(&in.Dests[k]))
			}
		}
	}
	if in.HasKeep {
		fmt.Fprintf(s, " KEEPALIVE(%s)", b.keeps(in.Keep))
	}
}
