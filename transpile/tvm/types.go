package tvm

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// Types. A type of TVM has up to two types of the representation.
//
//	                    in registers       in memory
//	intN, uintN         int<N>             int<N>
//	iptr, uiptr         int<64>, extended  uptr<void>, the target's word
//	bool                int<1>             int<8>
//	fp32, fp64          float, double      float, double
//	pointers            uptr<void>         uptr<void>
//	member...           int<64>            uptr<void>
//	type                two int<64>        struct of two words
//	fp128 and its like  bytes              bytes, aligned to 16
//	struct, array       their members'     struct, array
//	union               bytes              bytes, aligned; a word if it has one
type types struct {
	*ir.Types
	g *term.Graph

	void, i1, i8, i64, word, pair ir.TypeID
	reps                          map[term.ID]*rep
	abis                          map[term.ID]*abi
}

// A rep says how values of a type are represented.
type rep struct {
	typ    term.ID
	static bool
	mem    ir.TypeID // in memory, if static
	flat   bool
	leaves []leaf // if flat
	// given means that the type contains a term.Given; opaque says that values are represented
	// in another way than those of the type that the Given stands for.
	given, opaque bool
}

// A leaf is a scalar of a flat value.
type leaf struct {
	reg, mem ir.TypeID
	prim     op.Op // the type that it is of
}

// maxLeaves bounds the number of scalars of a flat value.
const maxLeaves = 16

func newTypes(t *ir.Types, g *term.Graph) *types {
	ts := &types{Types: t, g: g, void: t.Void(), i1: t.Int(1), i8: t.Int(8), i64: t.Int(64), reps: map[term.ID]*rep{}, abis: map[term.ID]*abi{}}
	ts.word = t.Of(ir.KUPtr, ts.void)
	ts.pair = t.Struct(ts.word, ts.word)
	return ts
}

// rep is the representation of a type. It is found once.
func (ts *types) rep(t term.ID) *rep {
	if r := ts.reps[t]; r != nil {
		return r
	}
	r := &rep{}
	ts.reps[t] = r
	*r = ts.make(t)
	r.typ = t
	return r
}

// scalar is the representation of a type with one scalar.
func scalar(prim op.Op, reg, mem ir.TypeID) rep {
	return rep{static: true, mem: mem, flat: true, leaves: []leaf{{reg, mem, prim}}}
}

func (ts *types) make(t term.ID) rep {
	g, o := ts.g, ts.g.Op(t)
	switch o {
	case op.IPtr, op.UIPtr:
		return scalar(o, ts.i64, ts.word)
	case op.Bool:
		return scalar(o, ts.i1, ts.i8)
	case op.Byte:
		return scalar(o, ts.i8, ts.i8)
	case op.FP32:
		return scalar(o, ts.Float(), ts.Float())
	case op.FP64:
		return scalar(o, ts.Double(), ts.Double())
	case op.Pointer, op.MemberPtr, op.BasePtr:
		return scalar(op.Pointer, ts.word, ts.word)
	case op.Member:
		return scalar(op.IPtr, ts.i64, ts.word)
	case op.FP128, op.FPX8680, op.FPPPC128:
		return rep{static: true, mem: ts.bytes(16, 16)}
	case op.Empty:
		return rep{static: true, flat: true, mem: ts.StructOf(0, 1)}
	case op.TypeType:
		return rep{static: true, flat: true, mem: ts.pair, leaves: []leaf{{ts.i64, ts.word, op.UIPtr}, {ts.i64, ts.word, op.UIPtr}}}
	case op.Given:
		r := *ts.rep(g.Arg(t, 0))
		r.given, r.opaque = true, g.IsGivenBool(t)
		return ts.exact(r, t)
	case op.Constant:
		return *ts.rep(g.TypeOf(g.Arg(t, 0)))
	case op.Exists:
		_, result := g.Open(t)
		return *ts.rep(result)
	case op.Apply:
		if body := g.Body(t); body != 0 {
			return *ts.rep(body)
		}
	case op.Struct:
		return ts.structure(t)
	case op.Array:
		return ts.array(t)
	case op.Union:
		return ts.union(t)
	case op.TypeV:
		if l := g.Layout(t); l.Kind == term.Static && l.Size.W8%l.Align.W8 == 0 {
			return rep{static: true, mem: ts.bytes(l.Size.W8, l.Align.W8)}
		}
	}
	if o.IsInt() {
		id := ts.Int(uint32(o.Bits()))
		return scalar(o, id, id)
	}
	return rep{} // known at run time
}

// exact is the representation of a type that a function does not know, or of which it does not know a
// part: copying a value must copy all its bytes.
func (ts *types) exact(r rep, t term.ID) rep {
	scalar := len(r.leaves) == 1 && r.mem == r.leaves[0].mem
	if r.static && r.given && !scalar && (r.opaque || ts.g.Padded(t)) {
		r.opaque, r.flat, r.leaves = true, false, nil
	}
	return r
}

// bytes is a type of size bytes.
func (ts *types) bytes(size, align uint64) ir.TypeID {
	if size == 0 {
		return ts.StructOf(0, uint32(align))
	}
	return ts.StructOf(0, uint32(align), ts.Array(ts.i8, size))
}

func (ts *types) structure(t term.ID) rep {
	r := rep{static: true, flat: true}
	var fields []ir.TypeID
	for _, m := range ts.g.Args(t) {
		x := ts.rep(m)
		if !x.static {
			return rep{}
		}
		fields = append(fields, x.mem)
		r.given, r.opaque = r.given || x.given, r.opaque || x.opaque
		r.flat = r.flat && x.flat && len(r.leaves)+len(x.leaves) <= maxLeaves
		if r.flat {
			r.leaves = append(r.leaves, x.leaves...)
		}
	}
	r.mem = ts.Struct(fields...)
	return ts.exact(r, t)
}

func (ts *types) array(t term.ID) rep {
	x := ts.rep(ts.g.Arg(t, 0))
	n, ok := ts.g.LitOf(ts.g.Arg(t, 1))
	if !ok || !x.static {
		return rep{}
	}
	r := rep{static: true, flat: x.flat && n.Lo <= maxLeaves && int(n.Lo)*len(x.leaves) <= maxLeaves, given: x.given, opaque: x.opaque}
	if r.flat {
		for range n.Lo {
			r.leaves = append(r.leaves, x.leaves...)
		}
	}
	if n.Lo > 0 {
		r.mem = ts.Array(x.mem, n.Lo)
		return ts.exact(r, t)
	}
	l := ts.g.Layout(t)
	if r.mem = ts.Array(x.mem, 0); l.Align.Fixed() {
		r.mem = ts.StructOf(0, uint32(l.Align.W8))
	}
	return r
}

// union is represented as bytes. If their number depends on the word of the target, a member that is
// as large as the union is used instead; if there is none, the size is computed at run time.
func (ts *types) union(t term.ID) rep {
	l := ts.g.Layout(t)
	switch {
	case l.Kind != term.Static:
		return rep{}
	case l.Size.Fixed() && l.Align.Fixed():
		given := false
		for _, m := range ts.g.Args(t) {
			x := ts.rep(m)
			if !x.static {
				return rep{}
			}
			given = given || x.given
		}
		return rep{static: true, mem: ts.bytes(l.Size.W8, l.Align.W8), given: given}
	}
	r := rep{}
	for _, m := range ts.g.Args(t) {
		x, lm := ts.rep(m), ts.g.Layout(m)
		if !r.static && x.static && lm.Size == l.Size && lm.Align == l.Align {
			r.static, r.mem = true, x.mem
		}
		r.given = r.given || x.given
	}
	return ts.exact(r, t)
}

// An abi says how functions of a type are called: their parameters and results in the representation.
type abi struct {
	sig    ir.TypeID
	params []term.ID // types of the parameters that are not phantom
	result term.ID
	// indirect means that the caller passes the address for the result, as the last argument.
	indirect bool
	// aggregate means that the result is one aggregate even where other results are not.
	aggregate bool
}

// passed are the types of the values as which a value of a type is passed.
func (ts *types) passed(t term.ID) []ir.TypeID {
	r := ts.rep(t)
	switch {
	case !r.static:
		return []ir.TypeID{ts.word}
	case !ts.whole(r):
		var regs []ir.TypeID
		for _, l := range r.leaves {
			regs = append(regs, l.reg)
		}
		return regs
	}
	return []ir.TypeID{r.mem}
}

// whole reports whether values are passed as one aggregate: structs, arrays and unions are, but not
// scalars, values of type `type` and empty values.
func (ts *types) whole(r *rep) bool {
	return !r.flat || len(r.leaves) > 1 && r.mem != ts.pair || len(r.leaves) == 1 && r.mem != r.leaves[0].mem
}

// maxPassed is the size in bytes above which static values are passed by address.
const maxPassed = 256

// byAddress reports whether a value of a type is passed as its address.
func (ts *types) byAddress(t term.ID) bool {
	r := ts.rep(t)
	return !r.static || !r.flat && (r.opaque || ts.g.Layout(t).Size.W8 > maxPassed)
}

// abi returns the abi of functions of type f.
func (ts *types) abi(f term.ID) *abi {
	if a := ts.abis[f]; a != nil {
		return a
	}
	params, result := ts.g.Open(f)
	a := ts.newABI(params[ts.g.FormOf(f).Phantoms:], result)
	ts.abis[f] = a
	return a
}

// newABI is the abi of functions with these parameters, none of them phantom.
func (ts *types) newABI(params []*term.Symbol, result term.ID) *abi {
	a := &abi{result: result}
	var in, out []ir.TypeID
	for _, p := range params {
		a.params = append(a.params, p.Type)
		if ts.byAddress(p.Type) {
			in = append(in, ts.word)
		} else {
			in = append(in, ts.passed(p.Type)...)
		}
	}
	if a.indirect = ts.byAddress(result); a.indirect {
		in = append(in, ts.word)
	} else {
		out = ts.passed(result)
	}
	if r := ts.rep(result); r.flat && r.mem == ts.pair { // type, and structs of two words
		out = []ir.TypeID{ts.pair}
	}
	a.sig = ts.Sig(in, out)
	return a
}
