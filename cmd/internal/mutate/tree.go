package mutate

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/decl"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// A grove is the tree of a bundle of Mu text, with the type names of the values that functions can use.
// The types are guesses: check decides whether the result is valid.
type grove struct {
	r      *rand.Rand
	b      *syntax.Bundle
	sigs   map[syntax.Sym]*syntax.SigDef
	consts map[syntax.Sym][]syntax.Name // by type
	funcs  []*syntax.FuncDef
	types  []syntax.Name
	bit    syntax.Sym // the type of comparisons, 0 if no name for it is known
}

// tree makes one change to the tree of a bundle in Mu text. what is "" if the text is not Mu text or has no
// place for the change.
func tree(r *rand.Rand, text []byte) (out []byte, what string) {
	files := diag.NewSet()
	f, err := files.Add("a.uir", text)
	if err != nil {
		return nil, ""
	}
	g := &grove{r: r, b: syntax.Parse(f, syntax.NewSymbols(), diag.NewList(files), 0), sigs: map[syntax.Sym]*syntax.SigDef{}, consts: map[syntax.Sym][]syntax.Name{}}
	if g.b.Bad {
		return nil, ""
	}
	for _, d := range g.b.Defs {
		switch d := d.(type) {
		case *syntax.SigDef:
			g.sigs[d.Name.Sym] = d
		case *syntax.ConstDef:
			g.consts[d.Type.Sym] = append(g.consts[d.Type.Sym], d.Name)
		case *syntax.FuncDef:
			g.funcs = append(g.funcs, d)
		case *syntax.TypeDef:
			g.types = append(g.types, d.Name)
			if d.Kind == decl.TypeInt && d.Len.Lo == 1 {
				g.bit = d.Name.Sym
			}
		}
	}
	if len(g.funcs) == 0 {
		return nil, ""
	}
	fn := g.funcs[r.IntN(len(g.funcs))]
	bi := r.IntN(len(fn.Blocks))
	c := changes[r.IntN(len(changes))]
	if !c.do(g, fn, &fn.Blocks[bi]) {
		return nil, ""
	}
	var s strings.Builder
	if syntax.Fprint(&s, g.b) != nil {
		return nil, ""
	}
	return []byte(s.String()), c.name
}

// A change changes something in a block of a function. It reports false if there is nothing to change.
type change struct {
	name string
	do   func(g *grove, fn *syntax.FuncDef, b *syntax.Block) bool
}

var changes = []change{
	{"operation", operation}, {"operand", operand}, {"operand", operand}, {"type", typeArgument}, {"destination", destination},
	{"destination", destination}, {"terminator", terminator}, {"terminator", terminator}, {"drop", dropInst}, {"swap", swapInsts}, {"repeat", repeatInst}, {"keepalive", keepalive},
	{"clause", clause}, {"clause", clause}, {"bodies", swapBodies}, {"split", splitBlock}, {"block order", swapBlocks}, {"block again", blockAgain}, {"block again", blockAgain},
	{"order", order},
}

func pick[T any](r *rand.Rand, list []T) (x T, ok bool) {
	if len(list) == 0 {
		return x, false
	}
	return list[r.IntN(len(list))], true
}

// inst picks an instruction.
func (g *grove) inst(b *syntax.Block) *syntax.Inst { return &b.Insts[g.r.IntN(len(b.Insts))] }

// typed is a variable with its type; the type is 0 if it is not known.
type typed struct {
	name syntax.Name
	typ  syntax.Sym
}

// scope lists what instruction n of a block can use.
func (g *grove) scope(b *syntax.Block, n int) []typed {
	var list []typed
	for _, p := range b.Params {
		list = append(list, typed{p.Name, p.Type.Sym})
	}
	for i := range b.Insts[:n] {
		in := &b.Insts[i]
		for k, res := range in.Results {
			t := typed{name: res}
			switch in.Op.Form() {
			case syntax.FormBin, syntax.FormRMW:
				t.typ = in.Types[0].Sym
			case syntax.FormCmp:
				t.typ = g.bit
			case syntax.FormConv:
				t.typ = in.Types[1].Sym
			case syntax.FormAccess:
				t.typ = in.Types[0].Sym
			case syntax.FormCall, syntax.FormCCall:
				if s := g.sigs[in.Sig.Sym]; s != nil && k < len(s.Results) {
					t.typ = s.Results[k].Sym
				}
			}
			list = append(list, t)
		}
	}
	return list
}

// value finds a value of a type, or any value if the type is 0.
func (g *grove) value(scope []typed, typ syntax.Sym) (syntax.Name, bool) {
	var fit []syntax.Name
	for _, t := range scope {
		if t.typ == typ || typ == 0 {
			fit = append(fit, t.name)
		}
	}
	if len(fit) == 0 || g.r.IntN(4) == 0 {
		fit = append(fit, g.consts[typ]...)
	}
	return pick(g.r, fit)
}

// dest makes a destination in a function, exceptional ones among those if exc is set.
func (g *grove) dest(fn *syntax.FuncDef, scope []typed) (d syntax.Dest, ok bool) {
	to := &fn.Blocks[g.r.IntN(len(fn.Blocks))]
	if to == &fn.Blocks[0] {
		return d, false
	}
	d.Block = to.Name
	for _, p := range to.Params {
		v, ok := g.value(scope, p.Type.Sym)
		if !ok {
			return d, false
		}
		d.Args = append(d.Args, v)
	}
	return d, true
}

func operation(g *grove, fn *syntax.FuncDef, b *syntax.Block) bool {
	in := g.inst(b)
	var same []syntax.Op
	for op := syntax.NoOp + 1; op < syntax.NumOps; op++ {
		if op != in.Op && op.Form() == in.Op.Form() && in.Op.Form() != syntax.FormPlain {
			same = append(same, op)
		}
	}
	op, ok := pick(g.r, same)
	in.Op = op
	return ok
}

func operand(g *grove, fn *syntax.FuncDef, b *syntax.Block) bool {
	n := g.r.IntN(len(b.Insts))
	in := &b.Insts[n]
	lists := [][]syntax.Name{in.Args, in.Keep}
	for _, d := range in.Dests {
		lists = append(lists, d.Args)
	}
	if in.Ext != nil {
		lists = append(lists, in.Ext.PassArgs)
	}
	lists = slices.DeleteFunc(lists, func(l []syntax.Name) bool { return len(l) == 0 })
	list, ok := pick(g.r, lists)
	if !ok {
		return false
	}
	i := g.r.IntN(len(list))
	scope := g.scope(b, n)
	var typ syntax.Sym
	for _, t := range scope {
		if t.name.Sym == list[i].Sym {
			typ = t.typ
		}
	}
	for t, l := range g.consts {
		for _, c := range l {
			if c.Sym == list[i].Sym {
				typ = t
			}
		}
	}
	v, ok := g.value(scope, typ)
	list[i] = v
	return ok
}

func typeArgument(g *grove, fn *syntax.FuncDef, b *syntax.Block) bool {
	in := g.inst(b)
	list := in.Types
	if len(g.types) == 0 {
		return false
	}
	if g.r.IntN(3) == 0 && len(b.Params) > 0 {
		b.Params[g.r.IntN(len(b.Params))].Type = g.types[g.r.IntN(len(g.types))]
		return true
	}
	if len(list) == 0 {
		return false
	}
	list[g.r.IntN(len(list))] = g.types[g.r.IntN(len(g.types))]
	return true
}

func destination(g *grove, fn *syntax.FuncDef, b *syntax.Block) bool {
	in := &b.Insts[len(b.Insts)-1]
	if len(in.Dests) == 0 {
		return false
	}
	d, ok := g.dest(fn, g.scope(b, len(b.Insts)))
	in.Dests[g.r.IntN(len(in.Dests))] = d
	return ok
}

// end makes an instruction that ends a block.
func (g *grove) end(fn *syntax.FuncDef, scope []typed) (in syntax.Inst, ok bool) {
	n := 1
	switch g.r.IntN(6) {
	case 0:
		in.Op = syntax.OpRet
		s := g.sigs[fn.Sig.Sym]
		if s == nil {
			return in, false
		}
		for _, t := range s.Results {
			v, ok := g.value(scope, t.Sym)
			if !ok {
				return in, false
			}
			in.Args = append(in.Args, v)
		}
		return in, true
	case 1:
		in.Op = syntax.OpBranch
	case 2, 3, 4:
		in.Op, n = syntax.OpBranch2, 2
		c, ok := g.value(scope, g.bit)
		if !ok {
			return in, false
		}
		in.Args = []syntax.Name{c}
	case 5:
		var on []typed // the values for whose types there are constants
		for _, t := range scope {
			if len(g.consts[t.typ]) > 0 {
				on = append(on, t)
			}
		}
		t, ok := pick(g.r, on)
		if !ok {
			return in, false
		}
		cases := g.consts[t.typ][:1+g.r.IntN(len(g.consts[t.typ]))]
		in.Op, n = syntax.OpSwitch, 1+len(cases)
		in.Types = []syntax.Name{{Sym: t.typ}}
		in.Args = append([]syntax.Name{t.name}, cases...)
	}
	for range n {
		d, ok := g.dest(fn, scope)
		if !ok {
			return in, false
		}
		in.Dests = append(in.Dests, d)
	}
	return in, true
}

func terminator(g *grove, fn *syntax.FuncDef, b *syntax.Block) bool {
	in, ok := g.end(fn, g.scope(b, len(b.Insts)-1))
	b.Insts[len(b.Insts)-1] = in
	return ok
}

func dropInst(g *grove, fn *syntax.FuncDef, b *syntax.Block) bool {
	i := g.r.IntN(len(b.Insts))
	b.Insts = slices.Delete(slices.Clone(b.Insts), i, i+1)
	return len(b.Insts) > 0
}

func swapInsts(g *grove, fn *syntax.FuncDef, b *syntax.Block) bool {
	i, j := g.r.IntN(len(b.Insts)), g.r.IntN(len(b.Insts))
	b.Insts[i], b.Insts[j] = b.Insts[j], b.Insts[i]
	return i != j
}

// local makes a name that the bundle did not have.
func (g *grove) local() syntax.Name {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	name := []byte("%zz")
	for range 5 {
		name = append(name, letters[g.r.IntN(len(letters))])
	}
	return syntax.Name{Sym: g.b.Syms.Intern(name)}
}

func repeatInst(g *grove, fn *syntax.FuncDef, b *syntax.Block) bool {
	from := fn.Blocks[g.r.IntN(len(fn.Blocks))]
	if g.r.IntN(2) == 0 {
		from = *b
	}
	in := *g.inst(&from)
	if in.Flags&syntax.HasExc != 0 {
		return false
	}
	in.Name = syntax.Name{}
	in.Results = slices.Clone(in.Results)
	for i := range in.Results {
		in.Results[i] = g.local()
	}
	in.Args = slices.Clone(in.Args)
	b.Insts = slices.Insert(slices.Clone(b.Insts), g.r.IntN(len(b.Insts)), in)
	return true
}

func keepalive(g *grove, fn *syntax.FuncDef, b *syntax.Block) bool {
	n := g.r.IntN(len(b.Insts))
	in := &b.Insts[n]
	switch in.Op.Form() {
	case syntax.FormCall, syntax.FormTrap, syntax.FormWatch, syntax.FormCCall, syntax.FormSwap:
	default:
		return false
	}
	in.Flags |= syntax.HasKeep
	in.Keep = nil
	for _, t := range g.scope(b, n) {
		if g.r.IntN(2) == 0 {
			in.Keep = append(in.Keep, t.name)
		}
	}
	return true
}

// clause adds an exception clause to the last instruction but one, or removes that of the last one.
func clause(g *grove, fn *syntax.FuncDef, b *syntax.Block) bool {
	n := len(b.Insts)
	last := &b.Insts[n-1]
	if last.Flags&syntax.HasExc != 0 && g.r.IntN(2) == 0 {
		d := last.Dests[0]
		last.Flags &^= syntax.HasExc
		last.Dests = nil
		b.Insts = append(slices.Clone(b.Insts), syntax.Inst{Op: syntax.OpBranch, Dests: []syntax.Dest{d}})
		return true
	}
	if n < 2 || last.Op != syntax.OpBranch {
		return false
	}
	exc, ok := g.dest(fn, g.scope(b, n-2))
	if !ok {
		return false
	}
	in := b.Insts[n-2]
	in.Flags |= syntax.HasExc
	in.Dests = []syntax.Dest{last.Dests[0], exc}
	b.Insts = append(slices.Clone(b.Insts[:n-2]), in)
	for i := range fn.Blocks { // prefer blocks with an exception parameter
		if to := &fn.Blocks[i]; to.Name.Sym == exc.Block.Sym && to.Exc.IsZero() && g.r.IntN(2) == 0 {
			to.Exc = g.local()
		}
	}
	return true
}

func swapBodies(g *grove, fn *syntax.FuncDef, b *syntax.Block) bool {
	o, _ := pick(g.r, g.funcs)
	if o == fn || o.Sig.Sym != fn.Sig.Sym {
		return false
	}
	o.Blocks, fn.Blocks = fn.Blocks, o.Blocks
	return true
}

// splitBlock splits a block into two. The values that the second one uses become parameters.
func splitBlock(g *grove, fn *syntax.FuncDef, b *syntax.Block) bool {
	n := g.r.IntN(len(b.Insts))
	scope := g.scope(b, n)
	to := syntax.Block{Name: g.local(), Insts: slices.Clone(b.Insts[n:])}
	d := syntax.Dest{Block: to.Name}
	for _, t := range scope {
		if t.typ != 0 {
			to.Params = append(to.Params, syntax.Param{Type: syntax.Name{Sym: t.typ}, Name: t.name})
			d.Args = append(d.Args, t.name)
		}
	}
	b.Insts = append(slices.Clone(b.Insts[:n]), syntax.Inst{Op: syntax.OpBranch, Dests: []syntax.Dest{d}})
	fn.Blocks = append(slices.Clone(fn.Blocks), to)
	return true
}

func swapBlocks(g *grove, fn *syntax.FuncDef, b *syntax.Block) bool {
	if len(fn.Blocks) < 3 {
		return false
	}
	i, j := 1+g.r.IntN(len(fn.Blocks)-1), 1+g.r.IntN(len(fn.Blocks)-1)
	fn.Blocks[i], fn.Blocks[j] = fn.Blocks[j], fn.Blocks[i]
	return i != j
}

// blockAgain copies a block and lets one branch lead to the copy, so that loops get more entries.
func blockAgain(g *grove, fn *syntax.FuncDef, b *syntax.Block) bool {
	if b == &fn.Blocks[0] {
		return false
	}
	to := *b
	to.Name = g.local()
	to.Insts = slices.Clone(b.Insts)
	var ways []*syntax.Dest
	for i := range fn.Blocks {
		for k := range fn.Blocks[i].Insts {
			in := &fn.Blocks[i].Insts[k]
			for j := range in.Dests {
				if in.Dests[j].Block.Sym == b.Name.Sym {
					ways = append(ways, &in.Dests[j])
				}
			}
		}
	}
	way, ok := pick(g.r, ways)
	if !ok {
		return false
	}
	way.Block = to.Name
	fn.Blocks = append(slices.Clone(fn.Blocks), to)
	return true
}

func order(g *grove, fn *syntax.FuncDef, b *syntax.Block) bool {
	in := g.inst(b)
	switch in.Op.Form() {
	case syntax.FormAccess, syntax.FormRMW, syntax.FormFence, syntax.FormCmpXchg:
		in.Order = syntax.Order(g.r.IntN(int(syntax.SeqCst) + 1))
	default:
		return false
	}
	if in.Op.HasPtr() && g.r.IntN(3) == 0 {
		in.Flags ^= syntax.Ptr
	}
	if in.Op.Form() == syntax.FormRMW {
		in.RMW = syntax.RMW(1 + g.r.IntN(11))
	}
	return true
}
