package tvm

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/tvm/check"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// Calls through a pointer whose function type has parameters or a result of a type that is known
// only at run time, while the function itself may be defined for a type of known size. In such
// programs each function whose address is taken has a second entry, which takes the addresses of all
// arguments and of the result; the caller finds it by the address of the first entry.

// erased reports whether functions of a type may pass some value in another way than the type says:
// either the size of the value is not known here, and not because of the parameters of the function
// type, or it is known here only because the current function is a copy.
func (b *body) erased(f term.ID) bool {
	if known, ok := b.mixed[f]; ok {
		return known
	}
	params, result := b.Open(f)
	own := map[term.ID]bool{}
	for _, p := range params {
		own[p.ID] = true
	}
	list := []term.ID{result}
	for _, p := range params[b.FormOf(f).Phantoms:] {
		list = append(list, p.Type)
	}
	r := false
	for _, t := range list {
		rep := b.types.rep(t)
		r = r || rep.opaque || !rep.static && !b.Mentions(t, own)
	}
	b.mixed[f] = r
	return r
}

// entrySig is the signature of second entries of functions with params parameters.
func (t *translator) entrySig(params int) ir.TypeID {
	words := make([]ir.TypeID, params+1)
	for i := range words {
		words[i] = t.types.word
	}
	return t.b.Types.Sig(words, nil)
}

// throughEntry calls a function of a type by its second entry.
func (b *body) throughEntry(in *check.Inst, given []argument) value {
	addr := b.term(in.Args[0])[0]
	b.require(b.Cmp(ir.OpNE, addr, b.Int(b.types.word, 0)), ir.FailNullFunc, "call of a null function pointer")
	if b.finder == nil {
		b.finder = b.b.Func(b.fresh("tvm.entry"), b.Types.Sig([]ir.TypeID{b.types.word}, []ir.TypeID{b.types.word}))
		b.finder.Attrs |= ir.Internal
	}
	entry := b.BodyBuilder.Call(b.FuncRef(b.finder), addr)[0]
	var args []ir.ValueID
	for _, x := range given {
		args = append(args, b.spill(b.argument(x), x.typ))
	}
	result := in.Sym.Type
	room := b.room(result)
	b.BodyBuilder.Call(b.FuncAt(b.entrySig(len(args)), entry, ""), append(args, room)...)
	if b.types.rep(result).flat {
		return b.load(room, result)
	}
	return value{room}
}

// entries makes the second entries of the functions whose addresses are taken, and the function that
// finds them. Functions with the same signature have second entries with the same signature. The second
// entry of any other function is at the next address: so it is for functions that Go code registers.
func (t *translator) entries() {
	if t.finder == nil {
		return
	}
	b := t.newBody(t.finder, "%tvm.entry")
	for _, g := range t.addressed {
		entry := t.b.Func(t.fresh(g.Name+".entry"), t.entrySig(len(t.types.abi(g.Type).params)))
		entry.Attrs |= ir.Internal | ir.Hidden
		t.entry(g, entry)
		name := b.V.Blocks[b.Current()].Name
		is, not := b.Block(name), b.Block(name)
		b.Branch2(b.Cmp(ir.OpEQ, b.Param(0, 0), b.FuncAddr(b.FuncRef(t.funcs[g]))), ir.To(is), ir.To(not))
		b.At(is)
		b.Ret(b.FuncAddr(b.FuncRef(entry)))
		b.At(not)
	}
	b.Ret(b.further(b.Param(0, 0), b.i64(1)))
}

// entry makes the body of a second entry.
func (t *translator) entry(g *check.Global, fn *ir.Function) {
	b := t.newBody(fn, g.Name)
	a := t.types.abi(g.Type)
	params, _ := b.Open(g.Type)
	var args []ir.ValueID
	for i, p := range params[b.FormOf(g.Type).Phantoms:] {
		v, r, byAddress := value{b.Param(0, i)}, b.types.rep(p.Type), b.types.byAddress(p.Type)
		if r.flat || byAddress {
			v = b.load(v[0], p.Type)
		}
		b.memo[p.ID] = v // types of other parameters may depend on it
		if !byAddress && b.types.whole(r) {
			v = value{b.whole(v, p.Type)}
		}
		args = append(args, v...)
	}
	to := b.Param(0, len(a.params))
	if a.indirect {
		args = append(args, to)
	}
	r := b.BodyBuilder.Call(b.FuncRef(t.funcs[g]), args...)
	if rep := b.types.rep(a.result); !a.indirect && b.Op(a.result) != op.Empty {
		if len(r) == 1 && (b.types.whole(rep) || rep.mem == b.types.pair) {
			b.Store(b.pointer(to, rep.mem), r[0], ir.NotAtomic)
		} else {
			b.put(to, a.result, r)
		}
	}
	b.Ret()
}
