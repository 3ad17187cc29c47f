package gogen

import (
	"fmt"
	"sort"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Programs whose frames can be inspected and replaced (mu-runtime 6 and 7).
//
// Every function pushes its frame first of all. Before each instruction at
// which it may rest it stores the number of the place, from 1, in the frame's
// site word, and the keep-alive values in the frame: references in the first
// root words, the rest behind the root words. After each call it looks whether
// frames are being popped and this one is where that ends.

// rests reports whether a frame may be at rest at an instruction.
func rests(op ir.Op) bool {
	switch op {
	case ir.OpCall, ir.OpCCall, ir.OpTrap, ir.OpWatchpoint, ir.OpSwapStack:
		return true
	}
	return false
}

// restingFrame lays out the frame.
func (e *fn) restingFrame() {
	e.keepingFrame(func(in *ir.Inst) bool { return rests(in.Op) })
}

// keepingFrame lays out a frame that has room for the keep-alive values of some instructions.
func (e *fn) keepingFrame(keeps func(*ir.Inst) bool) {
	for _, b := range e.plan.CFG.Order {
		e.plan.EachInst(b, func(_ ir.InstID, in *ir.Inst) {
			if !keeps(in) {
				return
			}
			w, r := e.leafWords(in.Keep)
			e.keepWords, e.keepRoots = max(e.keepWords, w), max(e.keepRoots, r)
		})
	}
	e.framed, e.frameAt = true, 0
	e.frameSize = max(e.frameSize, 8+8*(e.keepRoots+e.plan.NumSlots+e.keepWords))
	if e.frameSize/8 > 0xffff {
		e.fail("the keep-alive variables of an instruction take more than %d bytes", 0xffff*8)
	}
}

// leafWords counts the words that values take in a transfer area.
func (e *fn) leafWords(vals []ir.ValueID) (w, r int) {
	for _, a := range vals {
		dw, dr := e.Words([]ir.TypeID{e.v.Values[a].Type})
		w, r = w+dw, r+dr
	}
	e.maxTransfer = max(e.maxTransfer, w, r+2) // the runtime adds two references
	return w, r
}

// rest says in the frame that it is at an instruction.
func (e *fn) rest(out *code, id ir.InstID, in *ir.Inst) {
	if !e.Introspect {
		return
	}
	out.add("*(*uint32)(unsafe.Add(fp, 4)) = %s", e.frameNo(e.frameSite(in)))
	e.save(out, in.Keep)
}

// save puts values into the words of the frame for keep-alive values.
func (e *fn) save(out *code, vals []ir.ValueID) {
	w, r := 0, 0
	word := func(format string, args ...any) {
		out.add("*(*uint64)(unsafe.Add(fp, %d)) = %s", e.keepWordAt(w), fmt.Sprintf(format, args...))
		w++
	}
	root := func(x string) {
		out.add("*(*uintptr)(unsafe.Add(fp, %d)) = %s", 8+8*r, x)
		r++
	}
	for _, a := range vals {
		ty := e.v.Values[a].Type
		e.eachLeaf(ty, e.temp(out, a), func(x string, t ir.TypeID) {
			switch e.LeafOf(t) {
			case facts.LeafRef:
				root(x)
			case facts.LeafTag:
				root("rt.TagRoot(" + x + ")")
				word("%s", x)
			case facts.LeafWide:
				word("%s.Lo", x)
				word("%s.Hi", x)
			case facts.LeafBool:
				word("rt.B2U(%s)", x)
			case facts.LeafF32:
				word("uint64(math.Float32bits(%s))", x)
			case facts.LeafF64:
				word("math.Float64bits(%s)", x)
			default:
				word("uint64(%s)", x)
			}
		})
	}
}

// keepWordAt is where the frame has untraced word w of the keep-alive values.
func (e *fn) keepWordAt(w int) int { return 8 + 8*(e.keepRoots+e.plan.NumSlots+w) }

// frameSite numbers the place where a frame rests.
func (e *fn) frameSite(in *ir.Inst) int {
	var keep []string
	for _, k := range in.Keep {
		ty := e.v.Values[k].Type
		e.desc(ty)
		keep = append(keep, fmt.Sprintf("{Name: %q, Type: &vtypes[%d]}", strings.TrimLeft(e.v.Values[k].Name, "%@"), e.vtype(ty)))
	}
	results := e.resultTypes(in)
	if in.Op == ir.OpCall {
		results = e.at(in.Sig).Results
	}
	e.info.recorded = true
	return e.addFrameSite(fmt.Sprintf("Func: &%s.Func, Version: %d, Inst: %d", e.info.rec, e.v.ID, in.ID), results, keep)
}

func (g *gen) addFrameSite(fields string, results []ir.TypeID, keep []string) int {
	s := fmt.Sprintf("{%s, Results: %d", fields, g.listOf(results))
	if keep != nil {
		s += ", Keep: []rt.KeepVar{" + strings.Join(keep, ", ") + "}"
	}
	g.frameSites = append(g.frameSites, s+"}")
	return len(g.frameSites)
}

// undefinedSites numbers the places where frames of undefined functions rest.
func (g *gen) undefinedSites() map[*ir.Function]int {
	sites := map[*ir.Function]int{}
	for _, f := range g.p.Funcs {
		if f.Current() == nil && g.Introspect {
			sites[f] = g.undefinedSite(f)
		}
	}
	return sites
}

// undefinedSite is where the frame of an undefined function rests: in its hidden
// trap, whose keep-alive variables are the parameters (mu-runtime 5.2).
func (g *gen) undefinedSite(f *ir.Function) int {
	var keep []string
	for _, ty := range g.at(f.Sig).Fields {
		g.desc(ty)
		keep = append(keep, fmt.Sprintf("{Type: &vtypes[%d]}", g.vtype(ty)))
	}
	return g.addFrameSite(fmt.Sprintf("Func: &%s.Func", g.info[f].rec), nil, keep)
}

// land emits, behind a call, the end of popping frames.
func (e *fn) land(out *code, in *ir.Inst) {
	if !e.Introspect || in.Op != ir.OpCall {
		return
	}
	var body code
	e.results(&body, in)
	*out = append(*out, jen.If(raw("t.Thrown == rt.Popping && rt.Land(t, uintptr(fp))")).Block(body...))
}

// passPopping keeps an exception clause from taking what is no exception.
func (e *fn) passPopping(out *code) {
	if e.Introspect {
		var body code
		e.unwind(&body)
		*out = append(*out, jen.If(raw("t.Thrown == rt.Popping")).Block(body...))
	}
}

// frameTable emits the places where frames rest.
func (g *gen) frameTable() code {
	return code{jen.Line(), raw("var frameSites = [...]rt.FrameSite{\n%s}", strings.Join(append(g.frameSites, ""), ",\n"))}
}

// vtypeLayout is what a value type says about the layout in memory.
func (g *gen) vtypeLayout(id ir.TypeID) string {
	n, l, s := g.at(id), g.lay.Of(id), ""
	if len(n.Fields) > 0 {
		var offs []string
		for _, o := range l.Offsets {
			offs = append(offs, numExpr(o))
		}
		s += ", Offsets: []uintptr{" + strings.Join(offs, ", ") + "}"
	}
	if n.Kind == ir.KArray || n.Kind == ir.KVector || n.Kind == ir.KHybrid {
		s += ", Stride: " + numExpr(l.Stride)
	}
	if n.Kind != ir.KHybrid && n.Kind != ir.KVoid {
		s += ", Size: " + numExpr(l.Size.AlignUp(l.Align))
	}
	return s
}

// An EntityName connects an ID and a name, which may be "".
type EntityName struct {
	ID   uint32
	Name string
	In   []int // later bundles one of which must be loaded, nil for none
}

// predefined are the entities with fixed IDs (mu-runtime 1). The first name of an
// ID is what it is called.
var predefined = []EntityName{
	{ID: 0x260, Name: "@uvm.meta.bytes"}, {ID: 0x261, Name: "@uvm.meta.bytes.r"}, {ID: 0x261, Name: "@uvm.meta.bytes_r"},
	{ID: 0x262, Name: "@uvm.meta.refs"}, {ID: 0x263, Name: "@uvm.meta.refs.r"}, {ID: 0x263, Name: "@uvm.meta.refs_r"},
	{ID: 0x264, Name: "@uvm.meta.trap_handler.sig"},
}

// EntityNames lists the entities of a program as it was loaded, sorted by ID.
// Parameters and results, to which the program gives no IDs, get some behind all
// others, in the order of their names.
func EntityNames(p *ir.Program) []EntityName {
	list := append([]EntityName(nil), predefined...)
	named := map[string]bool{}
	hidden := p.Hidden()
	var in []int // of the body being listed
	add := func(id uint32, name string) {
		if id != 0 {
			e := EntityName{id, name, hidden[name]}
			if in != nil {
				e.In = in
			}
			list = append(list, e)
			named[name] = true
		}
	}
	bundleOf := map[*ir.Function][]int{}
	for i, l := range p.Later {
		for _, f := range l.Impls {
			bundleOf[f] = []int{i}
		}
	}
	for _, e := range predefined {
		named[e.Name] = true
	}
	for _, c := range p.Consts {
		add(c.ID, c.Name)
	}
	for _, c := range p.Globals {
		add(c.ID, c.Name)
	}
	for _, x := range p.Exposes {
		add(x.ID, x.Name)
	}
	for name, id := range p.TypeIDs {
		if !named[name] {
			add(id, name)
		}
	}
	type value struct {
		name string
		in   []int
	}
	var values []value
	for _, f := range p.Funcs {
		in = bundleOf[f]
		add(f.ID, f.Name)
		for _, v := range f.Versions {
			add(v.ID, v.Name)
			for b := range v.Blocks {
				add(v.Blocks[b].ID, v.BlockName(ir.BlockID(b)))
				for _, id := range v.Blocks[b].Insts {
					add(v.Insts[id].ID, v.InstName(id))
				}
			}
			for id := 1; id < len(v.Values); id++ {
				if v.Values[id].Kind != ir.ValueConst && v.Values[id].Name != "" {
					values = append(values, value{v.ValueName(ir.ValueID(id)), in})
				}
			}
		}
	}
	for name := range p.Entities {
		values = append(values, value{name, hidden[name]})
	}
	sort.Slice(values, func(i, j int) bool { return values[i].name < values[j].name })
	next := p.NextID
	for _, v := range values {
		if !named[v.name] {
			in = v.in
			add(next, v.name)
			next++
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].ID < list[j].ID })
	return list
}

func (g *gen) nameTable() code {
	var b strings.Builder
	b.WriteString("var entityNames = [...]rt.EntityName{\n")
	for _, e := range g.opt.Names {
		fmt.Fprintf(&b, "{ID: %d, Name: %q},\n", e.ID, e.Name)
	}
	b.WriteString("}")
	return code{jen.Line(), raw("%s", b.String()), jen.Line()}
}
