// Package lower makes Go functions, as trees (gotree), of the bodies of a program: control flow,
// frames and roots, and the code of each instruction.
//
// Package plan decides first how a body is laid out; package repr knows how values, types and
// names of the program look; package node makes the nodes of the tree. This package has a file
// for each group of instructions. Files and tables are the business of gogen, which calls
// Function and Resumable.
//
// # Conventions of the output
//
//   - Every function of a bundle is a Go function whose first parameter t is the context
//     of the stack it runs on. References are uintptr, never Go pointers.
//   - A function that throws sets t.Thrown and returns zero values; callers
//     test it. No Go panic is on that path.
//   - A function that can recurse, or has references live across a safepoint,
//     pushes a frame on the shadow stack at t.SP: fp is its address.
//   - Nothing depends on the machine that the translator runs on. Offsets that
//     depend on the word size are constant expressions over rt.Is64.
package lower

import (
	"fmt"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/plan"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// fn emits one function.
type fn struct {
	*repr.Program
	info  *repr.Func
	v     *ir.Version
	plan  *plan.Func
	scope repr.Scope
	name  []string        // Go names of variables, by value
	label []*gotree.Label // by block
	// labels has the names that labels have, each with the number that it was last tried with.
	labels map[string]int

	loops      bool      // has loops; only of programs whose frames can be inspected
	resumable  bool      // emits a resumable body
	reloaded   repr.Area // between RELOAD and WOKEN: roots to clear
	frame                // see frame.go
	allocas    bool
	entry      *gotree.Label // of a function that tail-calls itself, nil if it does not
	released   bool          // am is read
	cookieRead bool          // cookie is read
	cookieGone bool          // cookie is set, see tailJump
	read       []bool        // by ValueID: an expression has read the variable
	apart      []bool        // by ValueID: the value passes through a call, see chain.go; nil if none does
	fresh      map[ir.ValueID]*gotree.Reads
	cur        ir.BlockID // being emitted
	file       string
	own        gotree.Pos // of the function itself
	copies     copies
	origins    []*ir.Inlined       // by InstID, see Options
	calls      map[*ir.Inlined]int // see replaced
	err        error
}

// Function makes the Go functions of a function that has a body: that of the body, and if it
// ends in tail calls one that runs these.
func Function(g *repr.Program, f *ir.Function) ([]gotree.Decl, error) {
	v := f.Current()
	e := &fn{Program: g, info: g.Funcs[f], v: v}
	if g.Opt.Origins != nil {
		e.origins = g.Opt.Origins(v)
	}
	if e.pollsAtJumps() {
		e.v = latched(v)
	}
	e.makePlan()
	e.framed = e.info.Guards || e.plan.NumSlots > 0 || e.hasLanding()
	e.frameSize = frameSize(e.Program, e.plan)
	e.findLocals()
	if g.Introspect {
		e.keepingFrame(rests)
		e.loops = slices.Contains(e.plan.CFG.LoopHeaders(), true)
	}
	if e.framed {
		e.frameAt, e.framed = e.plan.FrameBlock(e.needsFrame)
		// A circle of tail calls has a safepoint where a frame is pushed, and nowhere else.
		e.framed = e.framed || e.info.Guards && e.info.Tails
	}
	e.nameSlots()
	e.info.Inlined, e.info.Columns = e.findCopies()
	for _, b := range e.plan.CFG.Order {
		e.plan.EachInst(b, func(_ ir.InstID, in *ir.Inst) {
			e.allocas = e.allocas || in.Op.Is(ir.OnStack)
		})
	}
	return e.emit(), e.err
}

// hasLanding reports whether the body asks whether frames are popped, for which it needs one.
func (e *fn) hasLanding() bool {
	return slices.ContainsFunc(e.plan.CFG.Order, e.v.Lands)
}

// makePlan lays the body out.
func (e *fn) makePlan() {
	g, v := e.Program, e.v
	e.plan = plan.Of(g.Program, v, plan.Options{Layout: g.Layout, Polls: e.pollsAtJumps(), Checked: g.Opt.Sanitize, Debug: g.Opt.Debug, Origins: e.origins})
	e.scope = g.NewScope()
	e.scope.Take("frame")
	e.name = make([]string, len(v.Values))
	e.label = make([]*gotree.Label, len(v.Blocks))
	e.read = make([]bool, len(v.Values))
	e.findChains()
	e.calls = map[*ir.Inlined]int{}
	e.fresh = map[ir.ValueID]*gotree.Reads{}
	if g.IR.Files != nil {
		e.file = g.IR.Files.Position(v.Pos).File
	}
	switch {
	case !g.Opt.Lines || g.IR.Files == nil:
	case e.file != "":
		e.own = e.linePos(v.Pos, nil)
	case withoutPlace(v.Func):
		e.own = nowhere(0)
	}
}

// pollsAtJumps reports whether jumps back are polls. A resumable body has polls of its own.
func (e *fn) pollsAtJumps() bool { return e.Threads && !e.resumable }

// callee is the function a call names, or nil if it is computed.
func (e *fn) callee(in *ir.Inst) *ir.Function { return facts.Callee(e.v, in) }

func (e *fn) emit() []gotree.Decl {
	sig := e.v.Func.Sig
	entry := &e.v.Blocks[0]
	for i := range e.At(sig).Results {
		e.scope.Take(repr.ResultName(i))
	}
	params := make([]string, len(entry.Params))
	for i, p := range entry.Params {
		e.name[p] = e.localName(p)
		params[i] = e.name[p]
	}
	vars, body := e.statements()

	all := &code{At: e.own}
	e.declareFrame(all)
	if e.framed {
		if e.frameAt == 0 {
			all.Define("fp", gotree.Uintptr, word(tVar, "SP"))
			e.prologue(all, 0)
		} else if e.pushed {
			all.Var(gotree.Uintptr, "fp")
		}
	}
	if e.allocas {
		all.Define("am", gotree.Uintptr, method(tVar, "AllocaMark"))
		if e.Opt.Sanitize {
			all.Define("sm", gotree.IntType, rt("SanMark", tVar))
		}
		if !e.released {
			all.Drop(name("am")) // the frame never ends here
			if e.Opt.Sanitize {
				all.Drop(name("sm"))
			}
		}
	}
	if e.info.Cookie {
		if e.cookieRead || e.cookieGone {
			all.Define("cookie", gotree.Uint64, rt("TakeCookie", tVar))
		} else {
			all.Do(rt("TakeCookie", tVar))
		}
		if e.cookieGone && !e.cookieRead {
			all.Drop(name("cookie"))
		}
	}
	all.Add(vars.List...)
	turn := body
	if e.entry != nil {
		turn = all.Sub()
		all.Mark(e.entry)
	}
	if e.framed && e.frameAt == 0 {
		roots := all.Sub()
		for _, p := range entry.Params {
			e.root(roots, p)
		}
		if e.entry != nil {
			turn.Add(roots.List...)
		} else {
			all.Add(roots.List...)
		}
	}
	if e.entry != nil {
		turn.Add(body)
		all.Add(turn)
	} else {
		all.Add(body)
	}
	e.finishUnwind(all)
	gotree.Pool(all, e.scope.Has, func() string { return e.scope.Local("v") })
	gotree.Shape(all)
	f := &gotree.Func{
		At: e.own, Comment: fmt.Sprintf("%s is %s of the bundle.", e.info.Body, e.v.Name),
		Name: e.info.Body, Sig: e.GoSig(sig, params, true), Body: all,
	}
	e.info.Lines = e.lineTable(f)
	if e.v.Func.Attrs&(ir.NoInline|ir.Internal) == ir.NoInline {
		f.Directives = []gotree.Directive{gotree.NoInline}
	}
	out := []gotree.Decl{f}
	if e.info.Tails {
		out = append(out, e.driver(params))
	}
	return out
}

// statements emits the declarations of the variables at the top of the function and its blocks.
func (e *fn) statements() (vars, body *code) {
	e.nameLabels()
	vars, body = &code{At: e.own}, &code{At: e.own}
	e.declare(vars)
	e.node(body, 0, -1)
	e.readAll()
	return vars, body
}

// nameLabels makes the labels, with distinct names; they have a name space of their own.
func (e *fn) nameLabels() {
	e.labels = map[string]int{"unwind": 1, "entry": 1, "_": 1}
	for _, b := range e.plan.CFG.Order {
		e.label[b] = e.newLabel(repr.Clean(e.v.Blocks[b].Name))
	}
}

// newLabel makes a label with a name that no other one has, if possible the one that is wanted.
func (e *fn) newLabel(want string) *gotree.Label {
	l := want
	for e.labels[l] > 0 {
		e.labels[want]++
		l = fmt.Sprintf("%s_%d", want, e.labels[want])
	}
	e.labels[l] = 1
	return &gotree.Label{Name: l}
}

func (e *fn) localName(x ir.ValueID) string {
	n := e.v.Values[x].Name
	if called := e.IR.Called(e.v, x); called != "" {
		return e.scope.Local(repr.Clean(called))
	}
	if n == "" {
		return e.scope.Local("v")
	}
	return e.scope.Local(repr.Clean(ir.LastPart(n)))
}

// declared leaves room after the declaration of a variable. Go wants every
// variable read, but whether this one will be shows later: what would read it
// may turn out not to be emitted.
func (e *fn) declared(out *code, x ir.ValueID) { e.fresh[x] = out.Reads() }

// readAll reads the variables that nothing has read.
func (e *fn) readAll() {
	for x, room := range e.fresh {
		if !e.read[x] {
			room.Name = e.name[x]
		}
	}
}

// declare writes the variables that live at the top of the function.
func (e *fn) declare(out *code) {
	byType := map[goT][]string{}
	var order []goT
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
		ty := e.GoType(val.Type)
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
			out.Var(ty, names[:n]...)
			names = names[n:]
		}
	}
	for _, x := range hoisted {
		e.declared(out, x)
	}
}

func (e *fn) defBlock(x ir.ValueID) ir.BlockID {
	d := &e.v.Values[x]
	if d.Kind == ir.ValueResult {
		return e.v.Insts[d.Def].Block
	}
	return ir.BlockID(d.Def)
}

// node emits a block with what nests in it and the labelled blocks after it.
// next is the label that follows in the text, or -1.
func (e *fn) node(out *code, b ir.BlockID, next ir.BlockID) {
	kids := e.plan.Labels[b]
	if len(kids) == 0 {
		e.block(out, b, next)
		return
	}
	body := out.Sub()
	e.block(body, b, kids[0])
	out.Add(body)
	for i, k := range kids {
		after := next
		if i+1 < len(kids) {
			after = kids[i+1]
		}
		at := out.At
		if ids := e.plan.Emitted(k); len(ids) > 0 {
			e.goTo(out, ids[0], &e.v.Insts[ids[0]])
		}
		out.Mark(e.label[k])
		out.At = at
		if i+1 == len(kids) && e.plan.Open[b] {
			e.node(out, k, next)
			break
		}
		body := out.Sub()
		e.node(body, k, after)
		out.Add(body)
	}
}

// block emits the statements of a block.
func (e *fn) block(out *code, b ir.BlockID, next ir.BlockID) {
	outer, at := e.cur, out.At
	e.cur = b
	defer func() { e.cur, out.At = outer, at }()
	blk := &e.v.Blocks[b]
	if e.framed && e.frameAt == b && b != 0 {
		e.pushed = true
		out.At = e.own
		out.Set(fpVar, word(tVar, "SP"))
		e.prologue(out, b)
	}
	if e.plan.InPlace[b] < 0 && b != 0 {
		for _, p := range blk.Params {
			if e.plan.Used[p] {
				e.root(out, p)
			}
		}
	}
	if x := blk.Exc; x != 0 && e.plan.Used[x] && e.name[x] != "" {
		e.root(out, x)
	}
	for ids := e.plan.Emitted(b); len(ids) > 0; {
		id, in, n := ids[0], &e.v.Insts[ids[0]], e.sameChoice(ids)
		e.goTo(out, id, in)
		e.faultSite(id, in)
		e.clearStale(out, id)
		e.keepalives(out, in)
		switch {
		case n > 1:
			e.choose(out, ids[:n])
		case e.callsFound(ids):
			n = 2
			e.callFound(out, ids, next)
		default:
			e.inst(out, id, in, next)
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
		e.plan.EachUse(k, func(x ir.ValueID) { out.Drop(e.variable(x)) })
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
		poll := out.Sub()
		poll.Do(method(tVar, "Safepoint"))
		out.If(ne(word(tVar, "Poll"), zero), poll, nil)
	}
	e.assignParams(out, d)
	if d.Block != next {
		out.Goto(e.label[d.Block])
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

// assignAll assigns in parallel. An expression that is written here has the position
// of its instruction.
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
		at := out.At
		for i, a := range from {
			if a = e.plan.Alias[a]; e.plan.Inline[a] {
				id := ir.InstID(e.v.Values[a].Def)
				e.goTo(out, id, &e.v.Insts[id])
			}
			out.Set(e.variable(to[i]), e.passed(a))
			out.At = at
		}
		return
	}
	var l, r []expr
	for i, a := range from {
		l = append(l, e.variable(to[i]))
		r = append(r, e.passed(a))
	}
	out.SetAll(l, r)
}

// passed is an operand that is passed to a block. An address at a distance, such as one that
// moves through an array in a loop, is computed as a pointer, see addressInst.
func (e *fn) passed(a ir.ValueID) expr {
	if a = e.plan.Alias[a]; e.plan.Inline[a] {
		id := ir.InstID(e.v.Values[a].Def)
		if in := &e.v.Insts[id]; in.Op.Info().Class == ir.ClassAddr {
			if p := e.placeOf(in); p.Ix == nil && p.Cell == nil {
				return e.placed(id, conv(gotree.Uintptr, p.Pointer()))
			}
		}
	}
	return e.expr(a)
}

// jumpIsEmpty reports whether going to d emits nothing when next follows.
func (e *fn) jumpIsEmpty(from ir.BlockID, d *ir.Dest, next ir.BlockID) bool {
	if d.Block != next || e.plan.InPlace[d.Block] == from || e.pollsAtJumps() && e.plan.CFG.Index[d.Block] <= e.plan.CFG.Index[from] {
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
// the exception, evaluated once, or nil for NULL.
func (e *fn) exceptional(out *code, from ir.BlockID, d *ir.Dest, exc expr) {
	x := e.v.Blocks[d.Block].Exc
	switch {
	case x == 0 || !e.plan.Used[x]:
		if exc != nil {
			out.Do(exc)
		}
	default:
		if exc == nil {
			exc = zero
		}
		if e.name[x] == "" {
			e.name[x] = e.localName(x)
			out.Define(e.name[x], gotree.Uintptr, exc)
			e.declared(out, x)
		} else {
			out.Set(e.variable(x), exc)
		}
	}
	e.jump(out, from, d, -1)
}

// set assigns an expression to a result and roots it.
func (e *fn) set(out *code, x ir.ValueID, val expr) {
	if !e.plan.Used[x] {
		out.Drop(val)
		return
	}
	if e.apart != nil && e.apart[x] {
		val = rt("Apart", val)
	}
	if e.name[x] == "" {
		e.name[x] = e.localName(x)
		out.Define(e.name[x], e.GoType(e.v.Values[x].Type), val)
		e.declared(out, x)
	} else {
		out.Set(e.variable(x), val)
	}
	e.root(out, x)
}

func (e *fn) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf("internal error: lower, %s: %s", e.v.Name, fmt.Sprintf(format, args...))
	}
}
