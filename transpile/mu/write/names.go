package write

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/internal/textform"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Names. In a bundle every name is unique, those of local things written out: @f.v.b.x is %x in block
// %b of version %v of @f. In the representation names are only for people: passes copy instructions with
// their names, and a text or a builder may give two things one name. So the writer keeps all global names that
// it has written, and gives another one to what would have a name that is taken.

// nameVersions gives versions their names, and instructions those that are global by themselves, so that
// nothing else takes them.
func (w *writer) nameVersions() {
	for _, f := range w.p.Funcs {
		if v := f.Current(); v != nil {
			name := v.Name
			if local, ok := strings.CutPrefix(name, f.Name+"."); ok {
				name = f.Name + "." + w.below(f.Name, "%"+local, "v")[1:]
			} else {
				name = w.own(name)
			}
			w.given[v] = name
		}
	}
	for _, f := range w.p.Funcs {
		v := f.Current()
		if v == nil {
			continue
		}
		for i := range v.Insts {
			if in := &v.Insts[i]; w.shows(in) && ir.IsGlobal(in.Name) && !strings.HasPrefix(in.Name, v.Name+".") {
				w.given[in] = w.own(in.Name)
			}
		}
	}
}

// own takes a global name, or one that resembles it.
func (w *writer) own(name string) string {
	bare := textform.PlainName(ir.Bare(name))
	if name = "@" + bare; bare == "" || w.used[name] {
		return w.fresh(cmp.Or(bare, "x"))
	}
	w.used[name] = true
	return name
}

// below takes a local name below a thing with a global name, or one that resembles it: that instead if it has no
// characters.
func (w *writer) below(parent, name, instead string) string {
	name = "%" + textform.PlainName(ir.Bare(name))
	if global := parent + "." + name[1:]; name != "%" && !w.used[global] {
		w.used[global] = true
		return name
	}
	return w.unique(name, instead, parent)
}

// unique takes a short local name, made from a wish or from instead if the wish is empty, that is free below all of
// some things.
func (w *writer) unique(wish, instead string, parents ...string) string {
	if dot := strings.LastIndexByte(wish, '.'); ir.IsGlobal(wish) && dot >= 0 {
		wish = wish[dot+1:] // the global name of a local thing
	}
	if wish = clean(strings.TrimLeft(wish, "%@")); wish == "" {
		wish = instead
	}
	name, key := wish, parents[0]+"."+wish
	for slices.ContainsFunc(parents, func(p string) bool { return w.used[p+"."+name] }) {
		w.last[key] = max(w.last[key], 1) + 1
		name = wish + "." + strconv.Itoa(w.last[key])
	}
	for _, p := range parents {
		w.used[p+"."+name] = true
	}
	return "%" + name
}

// nameBlocks gives each block a name.
func (b *body) nameBlocks(version string) {
	b.label, b.global = make([]string, len(b.v.Blocks)), make([]string, len(b.v.Blocks))
	for _, id := range b.order() {
		b.label[id] = b.unique(b.v.Blocks[id].Name, "b"+strconv.Itoa(int(id)), version)
		b.global[id] = version + "." + b.label[id][1:]
	}
}

// nameValues gives each value a name that is free in the blocks where it is alive. Values
// with names in the program are named first, so that they keep them.
func (b *body) nameValues() {
	in := make([][]ir.BlockID, len(b.v.Values))
	for id, l := range b.liveIn {
		for _, x := range l {
			in[x] = append(in[x], ir.BlockID(id))
		}
	}
	b.name = make([]string, len(b.v.Values))
	var parents []string
	for _, named := range []bool{true, false} {
		for i := range b.v.Values {
			d := b.defined(ir.ValueID(i))
			if (b.v.Values[i].Name != "") != named || d < 0 {
				continue
			}
			parents = parents[:0]
			for _, id := range append(in[i], d) {
				parents = append(parents, b.global[id])
			}
			b.name[i] = b.unique(b.v.Values[i].Name, "v"+strconv.Itoa(i), parents...)
		}
	}
}

// shows reports whether the text has the name of an instruction, because messages do.
func (w *writer) shows(in *ir.Inst) bool {
	return in.Name != "" && !in.Placed && (len(in.Results) == 0 || in.Op.Is(ir.MayKeep) || in.Op.Info().Class == ir.ClassTrap)
}

// instName is the name of an instruction.
func (b *body) instName(in *ir.Inst) string {
	if n := b.given[in]; n != "" {
		return n
	}
	n := in.Name
	if local, ok := strings.CutPrefix(n, b.v.Name+"."+b.label[in.Block][1:]+"."); ok { // written out by package expand
		n = "%" + local
	} else if ir.IsGlobal(n) {
		return b.own(n)
	}
	if len(in.Results) > 0 && !strings.HasSuffix(n, ".i") && n == b.v.Values[in.Results[0]].Name {
		n += ".i" // the result has the name
	}
	return b.below(b.global[in.Block], n, "inst")
}
