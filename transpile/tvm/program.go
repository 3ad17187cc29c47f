package tvm

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/tvm/check"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// A translator makes the representation of a program.
type translator struct {
	*term.Graph
	b     *ir.Builder
	types *types
	diags *diag.List

	funcs  map[*check.Global]*ir.Function
	cells  map[*check.Global]*ir.Global
	values map[*term.Schema]*ir.Function // recursive values
	work   []func()
	inits  []*check.Global // variables that get their values when the program starts
	taken  map[string]bool // names

	addressed   []*check.Global // functions whose address is taken
	isAddressed map[*check.Global]bool
	finder      *ir.Function     // of second entries
	mixed       map[term.ID]bool // by function type, see erased
	copies      *copies          // nil if there are to be none

	registered []string // natives that a client has
	linked     bool     // others may be in libraries
	running    *dialect.Running
}

// Load checks and translates modules. Errors are added to diags; the program may be used only if
// the second result is true.
func Load(files *diag.Set, srcs []dialect.Source, opt dialect.Options, diags *diag.List) (*ir.Program, bool) {
	before := diags.Errors()
	for _, src := range opt.Later {
		diags.Errorf(diag.Pos{}, "%s: modules of this dialect are not loaded at run time", src.Name)
	}
	var list []*syntax.Module
	for _, s := range srcs {
		f, err := diags.Open(s.Name, s.Text)
		if err != nil {
			diags.Errorf(diag.Pos{}, "%v", err)
			continue
		}
		list = append(list, syntax.Parse(f, diags))
	}
	var prog *ir.Program
	if diags.Errors() == before {
		run := call(files, opt.Call, diags)
		earlier := earlierOf(opt.Running)
		if p := check.After(earlier, list, run, diags); diags.Errors() == before {
			var t *translator
			if t, prog = translate(p, opt, diags); prog != nil {
				prog.Files = files
			}
			if opt.Running != nil {
				opt.Running.Keep = func() any {
					earlier.Add(p, list, t.entity)
					return earlier
				}
			}
		}
	}
	diags.Sort()
	return prog, diags.Errors() == before
}

func translate(p *check.Program, opt dialect.Options, diags *diag.List) (*translator, *ir.Program) {
	var into *ir.Program
	if opt.Running != nil {
		into = opt.Running.Program
	}
	b := ir.NewBuilder(into)
	b.Prog.Bundles = 1
	t := &translator{Graph: p.Graph, b: b, diags: diags, types: newTypes(b.Types, p.Graph),
		funcs: map[*check.Global]*ir.Function{}, cells: map[*check.Global]*ir.Global{}, values: map[*term.Schema]*ir.Function{}, taken: map[string]bool{}, mixed: map[term.ID]bool{}, isAddressed: map[*check.Global]bool{},
		registered: opt.Natives, linked: opt.Linked, running: opt.Running}
	t.Limit = 0
	if opt.Mono {
		t.copies = &copies{of: map[string]*copied{}, count: map[*check.Global]int{}, room: copySlack}
		for _, g := range p.Globals {
			if g.Func != nil {
				t.copies.room += copyTimes * g.Func.Size()
			}
		}
	}
	if p.Call != nil && !t.caller(p.Call) {
		return t, nil
	}
	for _, g := range p.Globals {
		if g.Symbol.Kind == term.Func {
			t.function(g)
		} else {
			t.cell(g)
		}
	}
	for _, s := range p.Structs {
		if mem := t.types.rep(s.Type).mem; mem != t.types.void && mem != t.types.pair && b.Types.Kind(mem) == ir.KStruct && b.Types.At(mem).Name == "" {
			b.Types.SetName(mem, t.fresh(s.Name))
		}
	}
	for len(t.work) > 0 {
		f := t.work[0]
		t.work = t.work[1:]
		f()
	}
	t.initial()
	for len(t.work) > 0 {
		f := t.work[0]
		t.work = t.work[1:]
		f()
	}
	t.entries()
	prog, err := b.Finish()
	if err != nil && diags.Errors() == 0 {
		panic("tvm: " + err.Error()) // a fault of the translator
	}
	return t, prog
}

// mainName is the function that a program begins with.
const mainName = "%main"

// global is the name of the representation for a name.
func global(name string) string { return ir.GlobalName(strings.TrimPrefix(name, "%")) }

// fresh is a name of the representation for a name, with a number if it is taken.
func (t *translator) fresh(name string) string {
	name = global(name)
	if t.running.Has(name) {
		name = t.running.Numbered(name+".", 1)
	}
	for n := 1; t.taken[name] || t.running.Has(name); n++ {
		name = fmt.Sprintf("%s.%d", strings.TrimRight(name, "0123456789"), n)
	}
	t.taken[name] = true
	return name
}

// caller makes the function that makes a call. Its result is one aggregate, however large.
func (t *translator) caller(g *check.Global) bool {
	r := t.types.rep(g.Func.Result)
	if !r.static {
		t.diags.Errorf(diag.Pos{}, "call: the result has type %s, whose size depends on the target or is no multiple of its alignment", t.String(t.Args(g.Func.Result)[0]))
		return false
	}
	t.taken[dialect.Caller] = true
	fn := t.b.Func(dialect.Caller, t.types.Sig(nil, []ir.TypeID{r.mem}))
	a := &abi{sig: fn.Sig, result: g.Func.Result, aggregate: true}
	fn.Attrs |= ir.Hidden // it is not a function of the program
	fn.Notation = []ir.Notation{t.types.called(a.result)}
	t.work = append(t.work, func() { t.body(g.Func, fn, a, 0) })
	return true
}

// function declares a function. Its body is made later.
func (t *translator) function(g *check.Global) *ir.Function {
	a := t.types.abi(g.Type)
	if fn := t.loaded(g, a.sig); fn != nil && g.Func == nil {
		t.funcs[g] = fn
		return fn
	} else if fn != nil {
		return t.declared(g, fn, a)
	}
	fn := t.b.Func(t.fresh(g.Name), a.sig)
	return t.declared(g, fn, a)
}

// declared takes a function that has no body yet.
func (t *translator) declared(g *check.Global, fn *ir.Function, a *abi) *ir.Function {
	fn.Pos, fn.Title = g.Pos, g.Name
	fn.Notation = t.types.notations(a)
	t.funcs[g] = fn
	if g.Name == mainName {
		t.b.Prog.Main = fn
	}
	t.work = append(t.work, func() {
		if g.Func == nil {
			t.external(g, fn, a)
			return
		}
		t.body(g.Func, fn, a, 0)
	})
	return fn
}

// cell makes the memory of a global variable, unless a library has it.
func (t *translator) cell(g *check.Global) {
	if g.External && t.inLibrary(g) {
		return
	}
	r := t.types.rep(g.Type)
	mem := r.mem
	if !r.static { // as large as on any target
		l := t.Layout(g.Type)
		mem = t.types.bytes(max(l.Size.W4, l.Size.W8), max(l.Align.W4, l.Align.W8))
	}
	c := t.loadedCell(g, mem)
	if c == nil {
		c = t.b.Global(t.fresh(g.Name), mem)
	} else if g.Init == 0 {
		t.cells[g] = c
		return
	}
	c.Pos = g.Pos
	t.cells[g] = c
	if g.External {
		t.diags.Warnf(g.Pos, "%s is defined nowhere: it is zero", g.Name)
	}
	if g.Init == 0 {
		return
	}
	if r.static && t.listed(g.Init) {
		if c.Init = t.constant(g.Init, g.Type); c.Init != nil {
			c.ReadOnly = g.Syntax.Const
			return
		}
	}
	if o := t.Op(g.Init); o == op.Undef || o == op.Zero && t.ZeroBytes(g.Type) {
		return // as all memory is
	}
	c.Settled = g.Syntax.Const
	t.inits = append(t.inits, g)
}

// maxListed bounds by how much the number of scalars of a constant initial value may exceed its number of
// operands.
const maxListed = 1 << 16

// listed reports whether an initial value is small enough to be a constant: values that the text
// has once may be in it many times.
func (t *translator) listed(v term.ID) bool {
	sizes := map[term.ID]uint64{}
	operands := uint64(0)
	var size func(v term.ID) uint64
	size = func(v term.ID) uint64 {
		if known, ok := sizes[v]; ok {
			return known
		}
		n := *t.At(v)
		total := uint64(1)
		switch n.Op {
		case op.Zero, op.Undef:
			total = min(t.Layout(n.Args[0]).Size.W8, 1<<32)
		case op.StructV, op.ArrayV, op.ApplyV, op.IntroduceExists:
			operands += uint64(len(n.Args))
			for _, a := range n.Args {
				total = min(total+size(a), 1<<32)
			}
		}
		sizes[v] = total
		return total
	}
	return size(v) <= maxListed+operands
}

// constant is the value of a term in memory, nil if it must be computed when the program starts.
func (t *translator) constant(v, typ term.ID) *ir.Const {
	n := t.At(v)
	r := t.types.rep(typ)
	args := n.Args
	switch n.Op {
	case op.Lit:
		return t.b.WideConst(r.mem, n.Int.Hi, n.Int.Lo)
	case op.True, op.False:
		return t.b.IntConst(r.mem, int64(op.False-n.Op))
	case op.EmptyV:
		return t.b.ListConst(r.mem)
	case op.Zero, op.Undef:
		if n.Op == op.Zero && !t.ZeroBytes(typ) {
			return nil
		}
		return t.zero(r.mem)
	case op.ApplyV, op.IntroduceExists:
		return t.constant(args[1], t.TypeOf(args[1]))
	case op.StructV, op.ArrayV:
		var list []*ir.Const
		for _, a := range args[int(n.Op-op.StructV):] {
			c := t.constant(a, t.TypeOf(a))
			if c == nil {
				return nil
			}
			list = append(list, c)
		}
		if t.b.Types.Kind(r.mem) == ir.KArray || n.Op == op.StructV {
			return t.b.ListConst(r.mem, list...)
		}
		return t.b.ListConst(r.mem)
	}
	if l := t.Layout(v); t.IsType(v) && l.Kind == term.Static && l.Size.Fixed() && l.Align.Fixed() {
		return t.b.ListConst(t.types.pair, t.b.IntConst(t.types.word, int64(l.Size.W8)), t.b.IntConst(t.types.word, int64(l.Align.W8)))
	}
	return nil
}

// zero is the zero of a type in memory.
func (t *translator) zero(id ir.TypeID) *ir.Const {
	n := *t.b.Types.At(id)
	switch n.Kind {
	case ir.KFloat, ir.KDouble:
		return t.b.FloatConst(id, 0)
	case ir.KStruct:
		var list []*ir.Const
		for _, f := range n.Fields {
			list = append(list, t.zero(f))
		}
		return t.b.ListConst(id, list...)
	case ir.KArray:
		list := make([]*ir.Const, n.Len)
		for i := range list {
			list[i] = t.zero(n.Elem)
		}
		return t.b.ListConst(id, list...)
	}
	return t.b.IntConst(id, 0)
}

// initial makes a hook that gives variables the values that are addresses.
func (t *translator) initial() {
	if len(t.inits) == 0 {
		return
	}
	fn := t.b.Func(t.fresh("tvm.init"), t.b.Types.Sig(nil, nil))
	fn.Attrs |= ir.Internal
	b := t.newBody(fn, "%tvm.init")
	for _, g := range t.inits {
		b.Pos = g.Pos
		parts := 0
		if t.Layout(g.Type).Size.W8 <= maxTable {
			parts = maxTable / 4
		}
		b.fill(b.address(g.Symbol.ID), g.Type, g.Init, &parts)
	}
	b.Ret()
	t.b.Hook(ir.HookStart, fn)
}

// maxTable is the size in bytes of the largest variable of which the parts are stored one by one.
const maxTable = 4096

// fill stores the value of a term part by part, so that passes see the values in tables. parts bounds the
// number of further parts: terms may share parts, whose values are computed once.
func (b *body) fill(addr ir.ValueID, t, v term.ID, parts *int) {
	n := *b.Graph.At(v)
	body := b.Unfolded(t)
	switch {
	case n.Op == op.ApplyV, n.Op == op.IntroduceExists && b.Op(t) == op.Exists:
		b.fill(addr, b.Graph.TypeOf(n.Args[1]), n.Args[1], parts)
	case n.Op == op.StructV && b.Op(body) == op.Struct && !b.types.rep(t).flat && len(n.Args) <= *parts:
		*parts -= len(n.Args)
		for i, m := range b.Graph.Args(body) {
			b.fill(b.part(addr, body, b.Index(i)), m, n.Args[i], parts)
		}
	default:
		b.put(addr, t, b.value(v, t))
	}
}

// external makes the body of a function that is defined elsewhere: it calls the native symbol of
// its name.
func (t *translator) external(g *check.Global, fn *ir.Function, a *abi) {
	fn.Attrs |= ir.Internal // packages need not export functions that they do not define
	b := t.newBody(fn, g.Name)
	b.Pos = g.Pos
	b.native(g, a)
}
