package gogen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower"
)

// code is a list of statements being collected.
type code []jen.Code

func (c *code) add(format string, args ...any) { *c = append(*c, raw(format, args...)) }

// fn emits one function.
type fn struct {
	*gen
	info  *funcInfo
	v     *ir.Version
	plan  *lower.Func
	scope scope
	name  []string // Go names of variables, by value
	label []string // Go names of labels, by block
	used  []bool   // label is jumped to

	resumable  bool // emits a resumable body
	framed     bool
	frameAt    ir.BlockID        // where the frame is pushed
	pushed     bool              // that block is emitted
	frameSize  int               // bytes
	locals     map[ir.InstID]int // places in the frame of objects that lie there
	keepRoots  int               // root words for keep-alive values, the first of the frame
	keepWords  int               // untraced words for them, behind the root words
	allocas    bool
	unwindTo   bool                          // the unwind label is used
	selfTail   bool                          // the entry label is used
	released   bool                          // am is read
	cookieRead bool                          // cookie is read
	read       []bool                        // by ValueID: an expression has read the variable
	fresh      map[ir.ValueID]*jen.Statement // room behind declarations, see declared
	cur        ir.BlockID                    // being emitted
	bases      *pointers                     // nil if there are none
	file       string
	copies     copies
	origins    []*ir.Inlined // by InstID, see Options
	err        error
}

// function emits the Go functions of one Mu function.
func (g *gen) function(f *ir.Function, v *ir.Version) ([]jen.Code, error) {
	e := &fn{gen: g, info: g.info[f], v: v}
	if g.opt.Origins != nil {
		e.origins = g.opt.Origins(v)
	}
	e.makePlan()
	e.framed = e.info.Guards || e.plan.NumSlots > 0
	e.frameSize = frameSize(e.plan)
	e.findLocals()
	if g.Introspect {
		e.restingFrame()
	} else if e.framed {
		e.frameAt = e.plan.FrameBlock(e.needsFrame)
	}
	if g.p.Files != nil {
		e.file = g.p.Files.Position(v.Pos).File
	}
	e.info.inlined = e.findCopies()
	for _, b := range e.plan.CFG.Order {
		e.plan.EachInst(b, func(_ ir.InstID, in *ir.Inst) {
			if in.Op == ir.OpAlloca || in.Op == ir.OpAllocaHybrid {
				e.allocas = true
			}
		})
	}
	e.findBases()
	return e.emit(), e.err
}

// makePlan lays the body out.
func (e *fn) makePlan() {
	g, v := e.gen, e.v
	e.plan = lower.Plan(g.Program, v, lower.Options{Layout: g.lay, Polls: e.pollsAtJumps(), Checked: g.opt.Sanitize, Origins: e.origins})
	e.scope = scope{n: &g.names, used: map[string]int{}}
	e.name = make([]string, len(v.Values))
	e.label = make([]string, len(v.Blocks))
	e.used = make([]bool, len(v.Blocks))
	e.read = make([]bool, len(v.Values))
}

// pollsAtJumps reports whether jumps back are polls. A resumable body has polls of its own.
func (e *fn) pollsAtJumps() bool { return e.Threads && !e.resumable }

// frameSize is what a frame takes of the stack budget: its words, and enough
// more that the Go stack stays within a small multiple of the budget.
func frameSize(p *lower.Func) int {
	vars := 0
	for x, u := range p.Used {
		if u && !p.Inline[x] && int(p.Alias[x]) == x {
			vars++
		}
	}
	return max(8+8*p.NumSlots, 48, min(vars*2&^7, 4096))
}

// needsFrame reports whether an instruction must find the frame pushed.
func (e *fn) needsFrame(in *ir.Inst) bool {
	if e.plan.Safepoint(in) || in.Op == ir.OpCall || in.Op == ir.OpAlloca || in.Op == ir.OpAllocaHybrid {
		return true
	}
	return in.Op.Is(ir.MayThrow) && in.Op != ir.OpThrow && in.Op != ir.OpTailCall
}

// inFrame reports whether the frame is pushed where a block's statements run.
func (e *fn) inFrame(b ir.BlockID) bool {
	return e.framed && e.plan.CFG.Dominates(e.frameAt, b)
}

// callee is the function a call names, or nil if it is computed.
func (e *fn) callee(in *ir.Inst) *ir.Function { return facts.Callee(e.v, in) }

func (e *fn) emit() []jen.Code {
	sig := e.v.Func.Sig
	entry := &e.v.Blocks[0]
	for i := range e.at(sig).Results {
		e.scope.used[fmt.Sprintf("r%d", i)] = 1
	}
	params := make([]string, len(entry.Params))
	for i, p := range entry.Params {
		e.name[p] = e.localName(p)
		params[i] = e.name[p]
	}
	vars, body := e.statements()

	var all code
	if e.framed {
		if e.frameAt == 0 {
			all.add("fp := unsafe.Pointer(t.SP)")
			e.prologue(&all, 0)
		} else if e.pushed {
			all.add("var fp unsafe.Pointer")
		}
	}
	if e.allocas {
		all.add("am := t.AllocaMark()")
		if e.opt.Sanitize {
			all.add("sm := rt.SanMark(t)")
		}
		if !e.released && !e.unwindTo {
			all.add("_ = am") // the frame never ends here
			if e.opt.Sanitize {
				all.add("_ = sm")
			}
		}
	}
	if e.info.Cookie {
		if e.cookieRead {
			all.add("cookie := rt.TakeCookie(t)")
		} else {
			all.add("rt.TakeCookie(t)")
		}
	}
	all = append(all, vars...)
	if e.selfTail {
		all.add("entry:")
	}
	if e.framed && e.frameAt == 0 {
		for _, p := range entry.Params {
			e.root(&all, p)
		}
	}
	for _, p := range entry.Params {
		e.point(&all, p)
	}
	if e.unwindTo || e.selfTail {
		all = append(all, jen.Block(body...))
	} else {
		all = append(all, body...)
	}
	if e.unwindTo {
		all.add("unwind:")
		if e.allocas {
			e.releaseCells(&all)
		}
		all.add("t.SP = uintptr(fp)")
		all.add("return")
	}
	var out code
	out = append(out, jen.Line(), raw("// %s is %s of the bundle.", e.info.body, e.v.Name))
	e.markOwn(&out)
	out = append(out, raw("func %s%s", e.info.body, e.goSig(sig, params, true)).Block(all...))
	if e.opt.Lines && e.file != "" {
		out = append(out, jen.Comment(resetMark))
	}
	if e.info.Tails {
		out = append(out, e.driver(params)...)
	}
	return out
}

// statements emits the declarations of the variables at the top of the function and its blocks.
func (e *fn) statements() (vars, body code) {
	for _, b := range e.plan.CFG.Order {
		e.label[b] = clean(e.v.Blocks[b].Name)
	}
	uniqueLabels(e.label, e.plan.CFG.Order)
	e.declare(&vars)
	e.declarePointers(&vars)
	e.node(&body, 0, -1)
	e.readAll()
	return vars, body
}

// uniqueLabels makes label names distinct; labels have a name space of their own.
func uniqueLabels(label []string, order []ir.BlockID) {
	seen := map[string]bool{"unwind": true, "entry": true, "_": true}
	for _, b := range order {
		l := label[b]
		for i := 2; seen[l]; i++ {
			l = fmt.Sprintf("%s_%d", label[b], i)
		}
		seen[l] = true
		label[b] = l
	}
}

func (e *fn) localName(x ir.ValueID) string {
	n := e.v.Values[x].Name
	if n == "" {
		return e.scope.local("v")
	}
	if i := strings.LastIndexByte(n, '.'); i > 0 && n[0] == '@' {
		n = n[i+1:]
	}
	return e.scope.local(clean(n))
}

// declared leaves room behind the declaration of a variable. Go wants every
// variable read, but whether this one will be shows later: what would read it
// may turn out not to be emitted.
func (e *fn) declared(out *code, x ir.ValueID) {
	if e.fresh == nil {
		e.fresh = map[ir.ValueID]*jen.Statement{}
	}
	e.fresh[x] = jen.Null()
	*out = append(*out, e.fresh[x])
}

// readAll reads the variables that nothing has read.
func (e *fn) readAll() {
	for x, room := range e.fresh {
		if !e.read[x] {
			room.Add(raw("_ = %s", e.name[x]))
		}
	}
}

// declare writes the variables that live at the top of the function.
func (e *fn) declare(out *code) {
	byType := map[string][]string{}
	var order []string
	var hoisted []ir.ValueID
	for i := range e.v.Values {
		x := ir.ValueID(i)
		val := &e.v.Values[i]
		if val.Kind == ir.ValueNone || val.Kind == ir.ValueConst || e.name[x] != "" {
			continue
		}
		if !e.plan.Used[x] || e.plan.Alias[x] != x || e.plan.Inline[x] || !e.plan.Hoist[x] {
			continue
		}
		e.name[x] = e.localName(x)
		ty := e.goType(val.Type)
		if byType[ty] == nil {
			order = append(order, ty)
		}
		byType[ty] = append(byType[ty], e.name[x])
		hoisted = append(hoisted, x)
	}
	for _, ty := range order {
		names := byType[ty]
		for len(names) > 0 {
			n := min(len(names), 12)
			out.add("var %s %s", strings.Join(names[:n], ", "), ty)
			names = names[n:]
		}
	}
	for _, x := range hoisted {
		e.declared(out, x)
	}
}

// prologue pushes the frame before the statements of block b.
func (e *fn) prologue(out *code, b ir.BlockID) {
	size := e.frameSize
	var refs []string
	live := func(x ir.ValueID) { refs = append(refs, e.rootExprs(e.v.Values[x].Type, e.name[x])...) }
	if b == 0 {
		for _, p := range e.v.Blocks[0].Params {
			if e.plan.Used[p] {
				live(p)
			}
		}
	} else {
		e.plan.LiveIn(b, live)
	}
	grow := fmt.Sprintf("t.Grow(%d)", size)
	if len(refs) > 0 {
		grow = fmt.Sprintf("t.GrowRefs(%d, %s)", size, strings.Join(refs, ", "))
	}
	if e.resumable {
		grow = fmt.Sprintf("rt.GrowStart(t, %d, %d)", size, e.startRefs())
	}
	fail := code{}
	if e.allocas && b != 0 {
		e.releaseCells(&fail)
	}
	fail.add("return")
	*out = append(*out, jen.If(raw("uintptr(fp)+%d > t.Limit", size)).Block(
		jen.If(raw("fp = unsafe.Pointer(%s); fp == nil", grow)).Block(fail...)))
	out.add("t.SP = uintptr(fp) + %d", size)
	out.add("*(*uint32)(fp) = %#x", (e.keepRoots+e.plan.NumSlots)<<16|size/8)
	if e.Introspect {
		out.add("*(*uint32)(unsafe.Add(fp, 4)) = 0")
	}
	set := make([]bool, e.keepRoots+e.plan.NumSlots)
	var early []ir.ValueID // in slots, assigned before the frame
	for i := range e.v.Values {
		x := ir.ValueID(i)
		if s := e.plan.Slot[x]; s >= 0 && e.assignedBefore(x, b) {
			early = append(early, x)
			for k := range e.Traced(e.v.Values[x].Type) {
				set[e.keepRoots+int(s)+k] = true
			}
		}
	}
	for i, ok := range set {
		if !ok {
			out.add("*(*uintptr)(unsafe.Add(fp, %d)) = 0", 8+8*i)
		}
	}
	if b != 0 {
		for _, x := range early {
			e.root(out, x)
		}
	}
}

// assignedBefore reports whether a variable with a slot has its value before
// the statements of the block that pushes the frame.
func (e *fn) assignedBefore(x ir.ValueID, at ir.BlockID) bool {
	def := e.defBlock(x)
	if def == at {
		return e.v.Values[x].Kind != ir.ValueResult
	}
	if !e.plan.CFG.Dominates(def, at) {
		return false
	}
	live := false
	e.plan.LiveIn(at, func(y ir.ValueID) { live = live || x == y })
	return live
}

func (e *fn) defBlock(x ir.ValueID) ir.BlockID {
	d := &e.v.Values[x]
	if d.Kind == ir.ValueResult {
		return e.v.Insts[d.Def].Block
	}
	return ir.BlockID(d.Def)
}

// clearStale clears the slots that ended copies have left behind.
func (e *fn) clearStale(out *code, id ir.InstID) {
	if !e.inFrame(e.cur) {
		return
	}
	for _, w := range e.plan.Stale(id) {
		out.add("*(*uintptr)(unsafe.Add(fp, %d)) = 0", 8+8*(e.keepRoots+int(w)))
	}
}

// rootExprs lists the addresses that the collector must see of a value.
func (e *fn) rootExprs(ty ir.TypeID, name string) []string {
	var out []string
	if e.Traced(ty) == 0 {
		return nil
	}
	e.eachLeaf(ty, name, func(path string, t ir.TypeID) {
		switch e.LeafOf(t) {
		case facts.LeafRef:
			out = append(out, path)
		case facts.LeafTag:
			out = append(out, "rt.TagRoot("+path+")")
		}
	})
	return out
}

// root stores a variable in its slot, if it has one.
func (e *fn) root(out *code, x ir.ValueID) {
	s := e.plan.Slot[x]
	if s < 0 || !e.inFrame(e.cur) {
		return
	}
	for i, r := range e.rootExprs(e.v.Values[x].Type, e.name[x]) {
		out.add("*(*uintptr)(unsafe.Add(fp, %d)) = %s", 8+8*(e.keepRoots+int(s)+i), r)
	}
}

// releaseCells ends the stack cells of the frame.
func (e *fn) releaseCells(out *code) {
	e.released = true
	out.add("t.AllocaRelease(am)")
	if e.opt.Sanitize {
		out.add("rt.SanRelease(t, sm)")
	}
}

// leave pops what the prologue pushed.
func (e *fn) leave(out *code) {
	if e.allocas {
		e.releaseCells(out)
	}
	if e.inFrame(e.cur) {
		out.add("t.SP = uintptr(fp)")
	}
}

// unwind returns with the exception that is set.
func (e *fn) unwind(out *code) {
	if !e.inFrame(e.cur) {
		if e.allocas {
			e.releaseCells(out)
		}
		out.add("return")
		return
	}
	e.unwindTo = true
	out.add("goto unwind")
}

// node emits a block with what nests in it and the labelled blocks after it.
// next is the label that follows in the text, or -1.
func (e *fn) node(out *code, b ir.BlockID, next ir.BlockID) {
	kids := e.plan.Labels[b]
	if len(kids) == 0 {
		e.block(out, b, next) // no code of its own, which the next outer block would copy
		return
	}
	var body code
	e.block(&body, b, kids[0])
	*out = append(*out, jen.Block(body...))
	rooms := make([]*jen.Statement, len(kids)) // for labels, which any of the blocks may turn out to need
	for i, k := range kids {
		rooms[i] = jen.Null()
		*out = append(*out, rooms[i])
		if i+1 == len(kids) && e.plan.Open[b] {
			e.node(out, k, next)
			break
		}
		after := next
		if i+1 < len(kids) {
			after = kids[i+1]
		}
		var c code
		e.node(&c, k, after)
		*out = append(*out, jen.Block(c...))
	}
	for i, k := range kids {
		if e.used[k] {
			rooms[i].Add(raw("%s:", e.label[k]))
		}
	}
}

// block emits the statements of a block.
func (e *fn) block(out *code, b ir.BlockID, next ir.BlockID) {
	outer := e.cur
	e.cur = b
	defer func() { e.cur = outer }()
	blk := &e.v.Blocks[b]
	if e.framed && e.frameAt == b && b != 0 {
		e.pushed = true
		e.markOwn(out)
		out.add("fp = unsafe.Pointer(t.SP)")
		e.prologue(out, b)
	}
	if e.plan.InPlace[b] < 0 && b != 0 {
		for _, p := range blk.Params {
			if e.plan.Used[p] {
				e.root(out, p)
				e.point(out, p)
			}
		}
	}
	if x := blk.Exc; x != 0 && e.plan.Used[x] && e.name[x] != "" {
		e.root(out, x)
	}
	for ids := e.plan.Emitted(b); len(ids) > 0; {
		id, in, n := ids[0], &e.v.Insts[ids[0]], e.sameChoice(ids)
		e.markLine(out, id, in)
		e.faultSite(id, in)
		e.clearStale(out, id)
		e.keepalives(out, in)
		if n > 1 {
			e.choose(out, ids[:n])
		} else {
			e.inst(out, id, in, next)
		}
		for _, id := range ids[:n] {
			for _, r := range e.v.Insts[id].Results {
				e.point(out, r)
			}
		}
		ids = ids[n:]
	}
}

// keepalives reads the variables that a call keeps alive, which Go may see read
// nowhere else. Traps show theirs, SUSPEND stores them.
func (e *fn) keepalives(out *code, in *ir.Inst) {
	if in.Op.Info().Class == ir.ClassTrap || in.Op == ir.OpSuspend {
		return
	}
	for _, k := range in.Keep {
		e.plan.EachUse(k, func(x ir.ValueID) { out.add("_ = %s", e.name[x]) })
	}
}

// jump goes to a destination: parameters are assigned in parallel, then control
// goes there, in place if the block nests here.
func (e *fn) jump(out *code, from ir.BlockID, d *ir.Dest, next ir.BlockID) {
	if e.plan.InPlace[d.Block] == from {
		e.node(out, d.Block, next)
		return
	}
	if e.pollsAtJumps() && e.plan.CFG.Index[d.Block] <= e.plan.CFG.Index[from] {
		*out = append(*out, jen.If(raw("t.Poll != 0")).Block(raw("t.Safepoint()")))
	}
	e.enterLoop(out, from, d.Block)
	e.assignParams(out, d)
	if d.Block != next {
		e.used[d.Block] = true
		out.add("goto %s", e.label[d.Block])
	}
}

// assignParams gives a labelled block its parameters.
func (e *fn) assignParams(out *code, d *ir.Dest) {
	var to []ir.ValueID
	var from []ir.ValueID
	for i, p := range e.v.Blocks[d.Block].Params {
		if e.plan.Used[p] && e.plan.Alias[d.Args[i]] != p {
			to = append(to, p)
			from = append(from, d.Args[i])
		}
	}
	e.assignAll(out, to, from)
}

func (e *fn) assignAll(out *code, to, from []ir.ValueID) {
	set := map[ir.ValueID]bool{}
	parallel := false
	for i, a := range from {
		e.plan.EachUse(a, func(x ir.ValueID) {
			if set[x] {
				parallel = true
			}
		})
		set[to[i]] = true
	}
	if !parallel {
		for i, a := range from {
			out.add("%s = %s", e.name[to[i]], e.expr(a))
		}
		return
	}
	var l, r []string
	for i, a := range from {
		l = append(l, e.name[to[i]])
		r = append(r, e.expr(a))
	}
	out.add("%s = %s", strings.Join(l, ", "), strings.Join(r, ", "))
}

// jumps reports whether going to d emits anything when next follows.
func (e *fn) jumpIsEmpty(from ir.BlockID, d *ir.Dest, next ir.BlockID) bool {
	if d.Block != next || e.plan.InPlace[d.Block] == from || len(e.entered(from, d.Block)) > 0 || e.pollsAtJumps() && e.plan.CFG.Index[d.Block] <= e.plan.CFG.Index[from] {
		return false
	}
	for i, p := range e.v.Blocks[d.Block].Params {
		if e.plan.Used[p] && e.plan.Alias[d.Args[i]] != p {
			return false
		}
	}
	return true
}

// exceptional goes to an exceptional destination. exc is the Go expression of
// the exception, evaluated once, or "" for NULL.
func (e *fn) exceptional(out *code, from ir.BlockID, d *ir.Dest, exc string) {
	if x := e.v.Blocks[d.Block].Exc; x != 0 && e.plan.Used[x] {
		op := "="
		if e.name[x] == "" {
			e.name[x] = e.localName(x)
			op = ":="
		}
		switch {
		case exc != "":
			out.add("%s %s %s", e.name[x], op, exc)
		case op == ":=":
			out.add("var %s uintptr", e.name[x])
		default:
			out.add("%s = 0", e.name[x])
		}
		if op == ":=" {
			e.declared(out, x)
		}
	} else if exc != "" {
		out.add("%s", exc)
	}
	e.jump(out, from, d, -1)
}

// set assigns an expression to a result and roots it.
func (e *fn) set(out *code, x ir.ValueID, expr string) {
	if !e.plan.Used[x] {
		out.add("_ = %s", expr)
		return
	}
	ty := e.goType(e.v.Values[x].Type)
	if e.name[x] == "" {
		e.name[x] = e.localName(x)
		if needsType(expr) {
			out.add("var %s %s = %s", e.name[x], ty, expr)
		} else {
			out.add("%s := %s", e.name[x], expr)
		}
		e.declared(out, x)
	} else {
		out.add("%s = %s", e.name[x], expr)
	}
	e.root(out, x)
}

// needsType reports whether an expression might be an untyped constant or
// comparison, so that := would give it another type.
func needsType(expr string) bool {
	if expr == "" {
		return false
	}
	c := expr[0]
	return c >= '0' && c <= '9' || c == '-'
}

func (e *fn) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf("internal error: gogen, %s: %s", e.v.Name, fmt.Sprintf(format, args...))
	}
}
