package uvm2014

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/internal/textform"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// Write writes a program of any dialect as a text bundle of 2014: block parameters become
// PHI nodes, exception parameters become landing pads, types and constants without a name
// are written in place. The error names a construct that the dialect cannot express.
func Write(p *ir.Program) ([]byte, error) {
	w := &writer{p: p, names: map[ir.TypeID]string{}, mnemonics: map[ir.Op]string{}, last: map[string]int{}, out: &strings.Builder{}, placed: diag.NewPlaced(p.Files)}
	textform.PlainNames(p)
	w.err = textform.NoBundle(p)
	for op := syntax.Add; op < syntax.NumOps; op++ {
		if o := opOf[op]; o != ir.OpInvalid && w.mnemonics[o] == "" {
			w.mnemonics[o] = op.String()
		}
	}
	for name, row := range intrinsics {
		w.mnemonics[row.op] = name
	}
	w.mnemonics[ir.OpNewStack] = "NEWSTACK"
	w.program()
	if w.err != nil {
		return nil, w.err
	}
	text, err := Format("converted", []byte(w.out.String()))
	if err != nil {
		return nil, fmt.Errorf("internal error: %w", err)
	}
	return text, nil
}

type writer struct {
	p         *ir.Program
	err       error
	out       *strings.Builder
	names     map[ir.TypeID]string
	mnemonics map[ir.Op]string
	placed    *diag.Placed   // directives
	last      map[string]int // by label, the last number that was appended
	depth     int
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(w.out, format, args...) }

func (w *writer) program() {
	var named []ir.TypeID
	for id := 1; id < w.p.Types.Len(); id++ {
		t := ir.TypeID(id)
		if n := w.p.Types.At(t).Name; n != "" && w.p.Entities[n] == any(t) && !strings.HasPrefix(n, "@uvm.") && w.sayable(t) {
			w.names[t] = n
			named = append(named, t)
		}
	}
	for _, t := range named {
		if w.p.Types.Kind(t) == ir.KSig {
			w.printf(".funcsig %s = %s\n", w.names[t], w.spell(t))
		} else {
			w.printf(".typedef %s = %s\n", w.names[t], w.spell(t))
		}
	}
	for _, c := range w.p.Consts {
		if w.sayable(c.Type) && c.Kind != ir.ConstExtern && w.p.Types.Kind(c.Type) != ir.KArray {
			w.define(c.Pos, ".const %s <%s> = %s\n", c.Name, w.typ(c.Type), w.value(c))
		}
	}
	for _, g := range w.p.Globals {
		w.define(g.Pos, ".global %s <%s>\n", g.Name, w.typ(g.Type))
	}
	if len(w.p.Exposes) > 0 {
		w.fail("%s: functions are not exposed in this dialect", w.p.Exposes[0].Name)
	}
	for _, f := range w.p.Funcs {
		if v := f.Current(); v != nil {
			b := &bodyWriter{writer: w, v: v, sig: f.Sig}
			b.write(f)
		} else {
			w.define(f.Pos, ".funcdecl %s <%s>\n", f.Name, w.typ(f.Sig))
		}
	}
}

// define writes a definition whose name is its second word and comes from pos.
func (w *writer) define(pos diag.Pos, format string, args ...any) {
	def := fmt.Sprintf(format, args...)
	w.printf("%s", w.placed.Text(pos, strings.IndexByte(def, ' ')+1, 0, def))
}

// sayable reports whether the dialect can express a type.
func (w *writer) sayable(id ir.TypeID) bool {
	n := w.p.Types.At(id)
	switch n.Kind {
	case ir.KVector, ir.KUPtr, ir.KUFuncPtr, ir.KFrameCursorRef, ir.KIRNodeRef, ir.KIRBuilderRef:
		return false
	case ir.KSig:
		return len(n.Results) < 2 && !slices.ContainsFunc(n.Fields, func(t ir.TypeID) bool { return !w.sayable(t) })
	case ir.KStruct, ir.KHybrid:
		if w.p.Types.At(id).Name == "" {
			return !slices.ContainsFunc(n.Fields, func(t ir.TypeID) bool { return !w.sayable(t) })
		}
		return !slices.ContainsFunc(n.Fields, func(t ir.TypeID) bool { return w.p.Types.At(t).Name == "" && !w.sayable(t) })
	}
	return true
}

// typ spells a type or signature where one is used.
func (w *writer) typ(id ir.TypeID) string {
	if n := w.names[id]; n != "" {
		return n
	}
	return w.spell(id)
}

func (w *writer) list(ids []ir.TypeID) string {
	l := make([]string, len(ids))
	for i, id := range ids {
		l[i] = w.typ(id)
	}
	return strings.Join(l, " ")
}

// spell spells the constructor of a type or signature.
func (w *writer) spell(id ir.TypeID) string {
	n := w.p.Types.At(id)
	if w.depth > 100 {
		w.fail("%s is recursive and has no name", w.p.Types.String(id))
		return "void"
	}
	w.depth++
	defer func() { w.depth-- }()
	switch n.Kind {
	case ir.KInt:
		return fmt.Sprintf("int<%d>", n.Bits)
	case ir.KRef, ir.KIRef, ir.KWeakRef:
		return n.Kind.String() + "<" + w.typ(n.Elem) + ">"
	case ir.KStruct:
		return "struct<" + w.list(n.Fields) + ">"
	case ir.KArray:
		return fmt.Sprintf("array<%s %d>", w.typ(n.Elem), n.Len)
	case ir.KHybrid:
		fixed := "void"
		switch len(n.Fields) {
		case 0:
		case 1:
			fixed = w.typ(n.Fields[0])
		default:
			fixed = "struct<" + w.list(n.Fields) + ">"
		}
		return "hybrid<" + fixed + " " + w.typ(n.Elem) + ">"
	case ir.KFuncRef:
		return "func<" + w.typ(n.Elem) + ">"
	case ir.KThreadRef:
		return "thread"
	case ir.KStackRef:
		return "stack"
	case ir.KSig:
		if len(n.Results) > 1 {
			w.fail("%s has %d results: functions of this dialect have at most one", w.p.Types.String(id), len(n.Results))
		}
		ret := "void"
		if len(n.Results) == 1 {
			ret = w.typ(n.Results[0])
		}
		return ret + " (" + w.list(n.Fields) + ")"
	case ir.KVoid, ir.KFloat, ir.KDouble, ir.KTagRef64:
		return n.Kind.String()
	}
	w.fail("%s: this dialect has no type %s", w.p.Types.String(id), n.Kind)
	return "void"
}

// value spells a constant.
func (w *writer) value(c *ir.Const) string {
	t := w.p.Types.At(c.Type)
	switch c.Kind {
	case ir.ConstInt:
		if t.Kind != ir.KInt {
			w.fail("a constant of type %s: this dialect has no pointers", w.p.Types.String(c.Type))
			return "0"
		}
		return textform.Number(t, c)
	case ir.ConstFP:
		return textform.Number(t, c)
	case ir.ConstAggregate:
		l := make([]string, len(c.Elems))
		for i, e := range c.Elems {
			l[i] = w.con(e)
		}
		return "{" + strings.Join(l, " ") + "}"
	case ir.ConstNull:
		if t.Kind == ir.KTagRef64 {
			w.fail("NULL of type tagref64: this dialect has no constants of that type")
		}
		return "NULL"
	}
	w.fail("%s: this dialect has no such constants", c.Name)
	return "0"
}

// con is a constant as an operand.
func (w *writer) con(c *ir.Const) string {
	if k := w.p.Types.Kind(c.Type); k == ir.KArray || k == ir.KVector {
		w.fail("a constant of type %s: this dialect has no values of that type", w.p.Types.String(c.Type))
	}
	switch c.Kind {
	case ir.ConstFunc:
		return c.Func.Name
	case ir.ConstGlobal:
		return c.Global.Name
	}
	if c.Name != "" && w.p.Entities[c.Name] != nil && c.Kind != ir.ConstExtern {
		return c.Name
	}
	return w.value(c)
}

// A bodyWriter writes one version.
type bodyWriter struct {
	*writer
	v     *ir.Version
	sig   ir.TypeID
	cfg   *analysis.CFG
	name  []string // by value
	label []string // by block
	used  map[string]bool
	last  map[string]int           // by wish, the last number that was appended to a name
	taken map[string]bool          // labels
	phis  map[ir.BlockID][]phiArgs // by block: its parameters for each predecessor
	edges map[flow]int             // index of an edge in phis
	at    ir.BlockID
	here  string // label of the block being written, which may be in the middle of at
	more  []string
}

// A flow is an edge from a label.
type flow struct {
	from string
	to   ir.BlockID
}

// phiArgs are the arguments that come from a block.
type phiArgs struct {
	from string
	args []ir.ValueID
}

func (b *bodyWriter) write(f *ir.Function) {
	b.cfg = analysis.NewCFG(b.v)
	b.used, b.last = map[string]bool{}, map[string]int{}
	b.phis, b.edges = map[ir.BlockID][]phiArgs{}, map[flow]int{}
	b.label = make([]string, len(b.v.Blocks))
	order := slices.Sorted(slices.Values(b.cfg.Order))
	for _, id := range order {
		b.label[id] = b.unique(b.v.Blocks[id].Name, "b"+strconv.Itoa(int(id)))
	}
	b.taken = b.used
	b.used, b.last = map[string]bool{}, map[string]int{} // values have a name space of their own
	b.name = make([]string, len(b.v.Values))
	for i := range b.v.Values {
		if k := b.v.Values[i].Kind; k == ir.ValueParam || k == ir.ValueExcParam || k == ir.ValueResult {
			b.name[i] = b.unique(b.v.Values[i].Name, "v"+strconv.Itoa(i))
		}
	}
	var params []string
	for _, p := range b.v.Blocks[0].Params {
		params = append(params, b.name[p])
	}
	b.printf("\n")
	b.define(textform.HeadPos(b.p, b.v), ".funcdef %s <%s> (%s) {\n", f.Name, b.typ(b.sig), strings.Join(params, " "))
	names := diag.Namings{}
	called := func(ids ...ir.ValueID) {
		b.out.WriteString(b.p.Namings(b.v, ids, func(x ir.ValueID) string { return b.name[x] }, names))
	}
	// PHI nodes name the blocks that edges come from. Some of these are made while
	// instructions are written, so the bodies of blocks are written first.
	bodies := map[ir.BlockID][]string{} // by instruction
	for _, id := range order {
		b.at, b.here = id, b.label[id]
		for _, i := range b.v.Blocks[id].Insts {
			bodies[id] = append(bodies[id], b.text(func() { b.inst(i) }))
		}
	}
	for _, id := range order {
		blk := &b.v.Blocks[id]
		called(append(slices.Clone(blk.Params), blk.Exc)...)
		b.out.WriteString(b.from(blk.Pos, b.text(func() {
			b.printf("%s:\n", b.label[id])
			b.head(id)
		})))
		for n, i := range blk.Insts {
			called(b.v.Insts[i].Results...)
			b.out.WriteString(b.from(b.v.Insts[i].Pos, bodies[id][n]))
		}
	}
	for _, s := range b.more {
		b.out.WriteString(s)
	}
	b.printf("}\n")
}

// unique makes a unique local name from a wish.
func (b *bodyWriter) unique(wish, instead string) string {
	if dot := strings.LastIndexByte(wish, '.'); strings.HasPrefix(wish, "@") && dot >= 0 {
		wish = wish[dot+1:]
	}
	if wish = textform.PlainName(strings.TrimLeft(wish, "%@")); wish == "" {
		wish = instead
	}
	name := "%" + wish
	for b.used[name] {
		b.last[wish] = max(b.last[wish], 1) + 1
		name = "%" + wish + "." + strconv.Itoa(b.last[wish])
	}
	b.used[name] = true
	return name
}

// newLabel makes a label for a block that the program does not have.
func (b *bodyWriter) newLabel(wish string) string {
	for {
		b.writer.last[wish]++
		if name := wish + "." + strconv.Itoa(b.writer.last[wish]); !b.taken[name] {
			return name
		}
	}
}

// head writes the PHI nodes and the landing pad of a block.
func (b *bodyWriter) head(id ir.BlockID) {
	blk := &b.v.Blocks[id]
	if id != 0 {
		for i, p := range blk.Params {
			b.printf("%s = PHI <%s> {\n", b.name[p], b.typ(b.v.Values[p].Type))
			for _, a := range b.phis[id] {
				b.printf("%s: %s;\n", a.from, b.val(a.args[i]))
			}
			b.printf("}\n")
		}
	}
	if blk.Exc != 0 {
		b.printf("%s = LANDINGPAD\n", b.name[blk.Exc])
	}
}

// text is what a function writes.
func (b *bodyWriter) text(write func()) string {
	whole := b.out
	defer func() { b.out = whole }()
	b.out = &strings.Builder{}
	write()
	return b.out.String()
}

// from puts directives in front of labels and instructions that come from one place.
func (b *bodyWriter) from(pos diag.Pos, lines string) string {
	if b.placed == nil {
		return lines
	}
	var out strings.Builder
	cases := false // of a SWITCH or PHI
	for line := range strings.Lines(lines) {
		switch {
		case cases:
			out.WriteString(line)
			cases = line != "}\n"
			continue
		case strings.HasSuffix(line, ":\n"):
			line = b.placed.Text(pos, 0, textform.LabelIndent, line)
		default:
			line = b.placed.Text(pos, textform.Lead(line), textform.InstIndent, line)
		}
		out.WriteString(line)
		cases = strings.HasSuffix(line, "{\n")
	}
	return out.String()
}

// dest is the label of a destination, and notes its arguments. Of several edges between
// two blocks with different arguments, all but one go through separate blocks.
func (b *bodyWriter) dest(d *ir.Dest) string {
	edge := flow{b.here, d.Block}
	if i, ok := b.edges[edge]; ok {
		if slices.Equal(b.phis[d.Block][i].args, d.Args) {
			return b.label[d.Block]
		}
		mid := b.newLabel(b.label[d.Block])
		b.more = append(b.more, fmt.Sprintf("%s:\nBRANCH %s\n", mid, b.label[d.Block]))
		edge.from = mid
	}
	b.edges[edge] = len(b.phis[d.Block])
	b.phis[d.Block] = append(b.phis[d.Block], phiArgs{edge.from, d.Args})
	if edge.from != b.here {
		return edge.from
	}
	return b.label[d.Block]
}

func (b *bodyWriter) val(x ir.ValueID) string {
	if v := &b.v.Values[x]; v.Kind == ir.ValueConst {
		return b.con(v.Const)
	}
	return b.name[x]
}

func (b *bodyWriter) vals(l []ir.ValueID) string {
	out := make([]string, len(l))
	for i, x := range l {
		out[i] = b.val(x)
	}
	return strings.Join(out, " ")
}

func (b *bodyWriter) typeOf(x ir.ValueID) ir.TypeID { return b.v.Values[x].Type }

// word is an integer operand as an int<64>.
func (b *bodyWriter) word(x ir.ValueID, signed bool) string {
	n := b.p.Types.At(b.typeOf(x))
	if n.Bits == 64 {
		return b.val(x)
	}
	if c := b.v.Values[x].Const; c != nil && n.Bits < 64 {
		if signed {
			return strconv.FormatInt(int64(c.Lo<<(64-n.Bits))>>(64-n.Bits), 10)
		}
		return strconv.FormatUint(c.Lo, 10)
	}
	name, op := b.unique("", "word"), "ZEXT"
	switch {
	case n.Bits > 64:
		op = "TRUNC"
	case signed:
		op = "SEXT"
	}
	b.printf("%s = %s <%s int<64>> %s\n", name, op, b.typ(b.typeOf(x)), b.val(x))
	return name
}

var ordersBack = map[ir.Order]string{
	ir.Relaxed: "MONOTONIC", ir.Consume: "ACQUIRE", ir.Acquire: "ACQUIRE", ir.Release: "RELEASE", ir.AcqRel: "ACQ_REL", ir.SeqCst: "SEQ_CST",
}

// unsayable reports an instruction that the dialect cannot express.
func (b *bodyWriter) unsayable(in *ir.Inst, what string) {
	b.fail("%s: this dialect has no %s%s", b.v.Name, in.Op, what)
}

func (b *bodyWriter) inst(id ir.InstID) {
	in := &b.v.Insts[id]
	for _, x := range in.Results {
		if k := b.p.Types.Kind(b.typeOf(x)); k == ir.KArray || k == ir.KVector {
			b.unsayable(in, " with a result of type "+b.p.Types.String(b.typeOf(x)))
			return
		}
	}
	if in.Has(ir.FlagPtr) || in.Has(ir.FlagThreadLocal) || in.Has(ir.FlagThrowExc) {
		b.unsayable(in, " of this form")
		return
	}
	if in.Has(ir.FlagExc) && in.Op != ir.OpCall && in.Op != ir.OpTrap && in.Op != ir.OpSwapStack {
		b.unsayable(in, " with an exception clause")
		return
	}
	res := ""
	if len(in.Results) > 0 {
		res = b.name[in.Results[0]] + " = "
	} else if n := in.Name; n != "" && !in.Placed {
		if _, local, ok := strings.Cut(n, b.v.BlockName(in.Block)+"."); ok {
			n = local
		}
		res = b.unique(n, "inst") + " = "
	}
	ty := func(t ir.TypeID) string { return "<" + b.typ(t) + ">" }
	m := b.mnemonics[in.Op]
	switch in.Op {
	case ir.OpRefCast:
		switch b.p.Types.Kind(in.Ty) {
		case ir.KIRef:
			m = "IREFCAST"
		case ir.KFuncRef:
			m = "FUNCCAST"
		}
		b.printf("%s%s <%s %s> %s\n", res, m, b.typ(in.Ty), b.typ(in.Ty2), b.val(in.Args[0]))
	case ir.OpSelect:
		if in.Ty != b.p.Types.Int(1) {
			b.unsayable(in, " of vectors")
			return
		}
		b.printf("%sSELECT %s %s\n", res, ty(in.Ty2), b.vals(in.Args))
	case ir.OpBranch:
		b.printf("BRANCH %s\n", b.dest(&in.Dests[0]))
	case ir.OpBranch2:
		b.printf("BRANCH2 %s %s %s\n", b.val(in.Args[0]), b.dest(&in.Dests[0]), b.dest(&in.Dests[1]))
	case ir.OpSwitch:
		if b.p.Types.Kind(in.Ty) != ir.KInt {
			b.unsayable(in, " on "+b.typ(in.Ty))
			return
		}
		b.printf("SWITCH %s %s %s {\n", ty(in.Ty), b.val(in.Args[0]), b.dest(&in.Dests[0]))
		for i, a := range in.Args[1:] {
			b.printf("%s: %s;\n", b.val(a), b.dest(&in.Dests[1+i]))
		}
		b.printf("}\n")
	case ir.OpCall:
		m := "CALL"
		if in.Has(ir.FlagExc) {
			m = "INVOKE"
		}
		b.printf("%s%s %s %s (%s)", res, m, ty(in.Sig), b.val(in.Args[0]), b.vals(in.Args[1:]))
		b.clauses(in)
	case ir.OpTailCall:
		b.printf("TAILCALL %s %s (%s)\n", ty(in.Sig), b.val(in.Args[0]), b.vals(in.Args[1:]))
	case ir.OpRet:
		switch len(in.Args) {
		case 0:
			b.printf("RETVOID\n")
		case 1:
			b.printf("RET %s %s\n", ty(b.typeOf(in.Args[0])), b.val(in.Args[0]))
		default:
			b.unsayable(in, " of several values")
		}
	case ir.OpThrow:
		b.printf("THROW %s\n", b.val(in.Args[0]))
	case ir.OpExtractValue, ir.OpInsertValue:
		b.printf("%s%s <%s %d> %s\n", res, m, b.typ(in.Ty), in.Imm, b.vals(in.Args))
	case ir.OpNewHybrid, ir.OpAllocaHybrid:
		n := b.word(in.Args[0], false)
		b.printf("%s%s %s %s\n", res, m, ty(in.Ty), n)
	case ir.OpGetElemIRef, ir.OpShiftIRef:
		if b.p.Types.Kind(in.Ty) == ir.KVector {
			b.unsayable(in, " of vectors")
			return
		}
		n := b.word(in.Args[1], true)
		b.printf("%s%s %s %s %s\n", res, m, ty(in.Ty), b.val(in.Args[0]), n)
	case ir.OpGetFieldIRef:
		b.field(in, res)
	case ir.OpLoad, ir.OpStore:
		order := ""
		if in.Ord != ir.NotAtomic {
			order = " " + ordersBack[in.Ord]
		}
		b.printf("%s%s%s %s %s\n", res, m, order, ty(in.Ty), b.vals(in.Args))
	case ir.OpCmpXchg:
		b.printf("%sCMPXCHG %s %s %s %s\n", res, ordersBack[in.Ord], ordersBack[in.OrdFail], ty(in.Ty), b.vals(in.Args))
		b.printf("%s = EQ %s %s %s\n", b.name[in.Results[1]], ty(b.p.Types.Strong(in.Ty)), b.name[in.Results[0]], b.val(in.Args[1]))
	case ir.OpAtomicRMW:
		b.printf("%sATOMICRMW %s %s %s %s\n", res, ordersBack[in.Ord], in.RMW, ty(in.Ty), b.vals(in.Args))
	case ir.OpFence:
		b.printf("FENCE %s\n", ordersBack[in.Ord])
	case ir.OpTrap, ir.OpWatchpoint:
		b.trap(in, res)
	case ir.OpNewThread:
		if len(in.Args) > 1 {
			b.unsayable(in, " with values")
			return
		}
		b.printf("%sICALL @uvm.new_thread (%s)\n", res, b.val(in.Args[0]))
	case ir.OpSwapStack:
		b.swap(in, res)
	case ir.OpNewStack:
		if len(b.p.Types.At(in.Sig).Fields) > 0 {
			b.unsayable(in, " without its arguments")
			return
		}
		b.printf("%sNEWSTACK %s %s ()\n", res, ty(in.Sig), b.val(in.Args[0]))
	case ir.OpNewStackWith:
		b.printf("%sNEWSTACK %s %s (%s)\n", res, ty(in.Sig), b.val(in.Args[0]), b.vals(in.Args[1:]))
	case ir.OpThreadExit:
		b.printf("ICALL @uvm.thread_exit ()\nTHROW NULL\n")
	default:
		b.plain(in, m, res)
	}
}

// plain writes an instruction of one type argument or two and operands, or the call of an
// intrinsic function.
func (b *bodyWriter) plain(in *ir.Inst, m, res string) {
	switch {
	case m == "" || len(in.Results) > 1 || b.p.Types.Kind(in.Ty) == ir.KVector:
		b.unsayable(in, "")
	case m[0] == '@':
		b.printf("%sICALL %s (%s)\n", res, m, b.vals(in.Args))
	case in.Ty2 != ir.NoType:
		b.printf("%s%s <%s %s> %s\n", res, m, b.typ(in.Ty), b.typ(in.Ty2), b.vals(in.Args))
	default:
		b.printf("%s%s <%s> %s\n", res, m, b.typ(in.Ty), b.vals(in.Args))
	}
}

// field writes a GETFIELDIREF. If a hybrid has several fixed fields, they are in a struct.
func (b *bodyWriter) field(in *ir.Inst, res string) {
	n := b.p.Types.At(in.Ty)
	switch {
	case n.Kind != ir.KHybrid:
		b.printf("%sGETFIELDIREF <%s %d> %s\n", res, b.typ(in.Ty), in.Imm, b.val(in.Args[0]))
	case len(n.Fields) == 1:
		b.printf("%sGETFIXEDPARTIREF <%s> %s\n", res, b.typ(in.Ty), b.val(in.Args[0]))
	default:
		part := b.unique("", "fixed")
		b.printf("%s = GETFIXEDPARTIREF <%s> %s\n", part, b.typ(in.Ty), b.val(in.Args[0]))
		b.printf("%sGETFIELDIREF <struct<%s> %d> %s\n", res, b.list(n.Fields), in.Imm, part)
	}
}

// trap writes a TRAP or WATCHPOINT, which must have destinations: a trap without any continues
// in a new block, and an exception at the trap is thrown on.
func (b *bodyWriter) trap(in *ir.Inst, res string) {
	if len(in.Types) > 1 {
		b.unsayable(in, " with several results")
		return
	}
	t := "void"
	if len(in.Types) == 1 {
		t = b.typ(in.Types[0])
	}
	keep := " KEEPALIVE" + b.keep(in)
	switch {
	case in.Op == ir.OpWatchpoint:
		dis, nor := b.dest(&in.Dests[0]), b.dest(&in.Dests[1])
		exc := ""
		if in.Has(ir.FlagWPExc) {
			exc = b.dest(&in.Dests[2])
		} else {
			exc = b.rethrow()
		}
		b.printf("%sWATCHPOINT %d <%s> %s %s %s%s\n", res, in.Imm, t, dis, nor, exc, keep)
	case in.Has(ir.FlagExc):
		b.printf("%sTRAP <%s> %s %s%s\n", res, t, b.dest(&in.Dests[0]), b.dest(&in.Dests[1]), keep)
	default:
		next, exc := b.newLabel(b.label[b.at]), b.rethrow()
		b.printf("%sTRAP <%s> %s %s%s\n%s:\n", res, t, next, exc, keep, next)
		b.here = next
	}
}

// rethrow makes a block that catches an exception and throws it again.
func (b *bodyWriter) rethrow() string {
	label, name := b.newLabel("%rethrow"), b.unique("", "thrown")
	b.more = append(b.more, fmt.Sprintf("%s:\n%s = LANDINGPAD\nTHROW %s\n", label, name, name))
	return label
}

func (b *bodyWriter) swap(in *ir.Inst, res string) {
	if len(in.Args) > 1 || len(in.Types) > 0 {
		b.unsayable(in, " with values")
		return
	}
	switch {
	case in.Has(ir.FlagKillOld):
		b.printf("ICALL @uvm.swap_and_kill (%s)\nTHROW NULL\n", b.val(in.Args[0]))
	case in.Has(ir.FlagExc):
		b.printf("%sIINVOKE @uvm.swap_stack (%s)", res, b.val(in.Args[0]))
		b.clauses(in)
	default:
		b.printf("%sICALL @uvm.swap_stack (%s)", res, b.val(in.Args[0]))
		b.clauses(in)
	}
}

func (b *bodyWriter) keep(in *ir.Inst) string {
	var l []string
	for _, x := range in.Keep {
		if b.v.Values[x].Kind != ir.ValueConst {
			l = append(l, b.name[x])
		}
	}
	return "(" + strings.Join(l, " ") + ")"
}

func (b *bodyWriter) clauses(in *ir.Inst) {
	if in.Has(ir.FlagExc) {
		b.printf(" %s %s", b.dest(&in.Dests[0]), b.dest(&in.Dests[1]))
	}
	if in.HasKeep {
		b.printf(" KEEPALIVE%s", b.keep(in))
	}
	b.printf("\n")
}
