package gogen

import (
	"cmp"
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// The Go side of calls to C, see cgo.go.

// A shim is the signature of a Go function for a signature of C: the scalars of
// parameters and results, a0, a1 ... and r0, r1 ...
type shim struct {
	csignature
	params, results []gotree.Param
	kinds           []*ctype // of the parameters
	resultKinds     []*ctype
}

func newShim(sig csignature) *shim {
	s := &shim{csignature: sig}
	for _, p := range sig.params {
		p.leaves("", func(_ string, t *ctype) {
			s.params = append(s.params, gotree.Param{Name: fmt.Sprintf("a%d", len(s.params)), T: repr.CTypes[t.kind]})
			s.kinds = append(s.kinds, t)
		})
	}
	if sig.result != nil {
		sig.result.leaves("", func(_ string, t *ctype) {
			s.results = append(s.results, gotree.Param{Name: repr.ResultName(len(s.results)), T: repr.CTypes[t.kind]})
			s.resultKinds = append(s.resultKinds, t)
		})
	}
	return s
}

// args are the parameters as arguments.
func (s *shim) args() []gotree.Expr {
	var l []gotree.Expr
	for _, p := range s.params {
		l = append(l, node.Name(p.Name))
	}
	return l
}

// function is a Go function whose parameters are the context, an address if asked for, and
// the parameters of the signature.
func (s *shim) function(fn string, computed bool, body *gotree.Block) gotree.Decl {
	params := []gotree.Param{node.CtxParam}
	if computed {
		params = append(params, gotree.Param{Name: address, T: gotree.Uintptr})
	}
	return &gotree.Func{Name: fn, Sig: &gotree.Sig{Params: append(params, s.params...), Results: s.results}, Body: body}
}

// give emits the return of the result of a call, if there is one.
func (s *shim) give(out *gotree.Block, call gotree.Expr, returns bool) {
	switch {
	case s.result != nil:
		out.Return(call)
	case returns:
		out.Do(call)
		out.Return()
	default:
		out.Do(call)
	}
}

func c(fn string, args ...gotree.Expr) gotree.Expr { return node.Call(node.Qual("C", fn), args...) }

// A goCall says how a Go function calls C.
type goCall struct {
	cName string // the C function of the preamble
	f     string // the address that it is passed: the parameter f, or the variable of a symbol; "" if it knows the symbol
	// inGo is gocallN, which is called for the addresses for which test, of the runtime, is true; "" if f is known to be a
	// C function.
	inGo, test string
}

// address is the parameter with the address to be called.
const address = "f"

// goCaller is ccallN or ccallN_S with cgo.
func (s *shim) goCaller(fn string, to goCall) gotree.Decl {
	native := node.Dot(node.Ctx, "Native")
	args := []gotree.Expr{c("uintptr_t", node.Conv(gotree.Uintptr, node.AddressOf(native)))}
	var body gotree.Block
	if to.inGo != "" {
		var then gotree.Block
		s.give(&then, node.Call(node.Name(to.inGo), append([]gotree.Expr{node.Ctx, node.Name(to.f)}, s.args()...)...), true)
		body.If(node.RuntimeBool(to.test, node.Name(to.f)), &then, nil)
	}
	if to.f != "" {
		args = append(args, c("uintptr_t", node.Name(to.f)))
	}
	for i, a := range s.args() {
		args = append(args, c(cScalars[s.kinds[i].kind], a))
	}
	racing := func(note string) {
		var told gotree.Block
		told.Do(node.Method(node.Ctx, note))
		body.If(node.Qual("rt", "Racing"), &told, nil)
	}
	racing("ToC")
	x := c(to.cName, args...)
	if s.result != nil && !s.resultInNative() {
		body.DefineAll(node.NamesOf("r"), []*gotree.Type{nil}, []gotree.Expr{x})
	} else {
		body.Do(x)
	}
	racing("FromC")
	switch {
	case s.resultInNative():
		body.Return(fromWord(s.result, node.Dot(native, "Result")))
	case s.result != nil:
		var l []gotree.Expr
		s.result.goLeaves(node.Name("r"), func(x gotree.Expr, t *ctype) { l = append(l, node.Conv(repr.CTypes[t.kind], x)) })
		body.Return(l...)
	}
	return s.function(fn, to.f == address, &body)
}

// lateCaller is the Go function that calls uvm_call_late of the preamble.
func lateCaller() gotree.Expr {
	sig := &gotree.Sig{}
	var args []gotree.Expr
	for _, name := range []string{"native", "f", "callee", "cif", "result", "args"} {
		sig.Params = append(sig.Params, gotree.Param{Name: name, T: gotree.Uintptr})
		args = append(args, c("uintptr_t", node.Name(name)))
	}
	var body gotree.Block
	body.Do(c("uvm_call_late", args...))
	return &gotree.FuncLit{Sig: sig, Body: &body}
}

// goLeaves calls fn with each scalar of a C value x as a Go expression.
func (t *ctype) goLeaves(x gotree.Expr, fn func(x gotree.Expr, t *ctype)) {
	switch t.kind {
	case '{':
		for i, f := range t.fields {
			f.goLeaves(node.Dot(x, fmt.Sprintf("f%d", i)), fn)
		}
	case '[':
		for i := range t.n {
			t.elem.goLeaves(node.Index(x, i), fn)
		}
	default:
		fn(x, t)
	}
}

// fromWord is the Go expression of the scalar in a word.
func fromWord(t *ctype, w gotree.Expr) gotree.Expr {
	switch t.kind {
	case 'f':
		return node.FromBits32(node.Conv(gotree.Uint32, w))
	case 'd':
		return node.FromBits64(w)
	case 'l':
		return w
	}
	return node.Conv(repr.CTypes[t.kind], w)
}

// inGoCaller is gocallN.
func (g *gen) inGoCaller(k int, fn string, s *shim) gotree.Decl {
	var body gotree.Block
	x := node.Name("x")
	if len(s.params)+len(s.results) > 0 {
		repr.TransferVar(&body, "x")
	}
	a := repr.TransferArea(x)
	for i, p := range s.args() {
		switch s.kinds[i].kind {
		case 'f':
			p = node.Bits32(p)
		case 'd':
			p = node.Bits64(p)
		}
		body.Set(a.Word(i), node.Conv(gotree.Uint64, p))
	}
	g.MaxTransfer = max(g.MaxTransfer, len(s.params), len(s.results))
	body.Do(node.Runtime("CCall", node.Ctx, node.Name(address), repr.CSigRow(k), node.Str("")))
	if len(s.results) > 0 {
		body.Set(x, node.Runtime("X", node.Ctx))
		var l []gotree.Expr
		for i, t := range s.resultKinds {
			l = append(l, fromWord(t, a.Word(i)))
		}
		body.Return(l...)
	}
	return s.function(fn, true, &body)
}

// passOn is ccallN without cgo or, if sym is not "", ccallN_S; sym is the variable with the address of the symbol.
func (s *shim) passOn(fn, sym, inGo string) gotree.Decl {
	var body gotree.Block
	s.give(&body, node.Call(node.Name(inGo), append([]gotree.Expr{node.Ctx, node.Name(cmp.Or(sym, address))}, s.args()...)...), false)
	return s.function(fn, sym == "", &body)
}
