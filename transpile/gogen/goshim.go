package gogen

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/gotree"
)

// The Go side of calls of C, see cgo.go.

// A shim is a signature of C as Go functions have it: the scalars of parameters and
// results, a0, a1 ... and r0, r1 ...
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
			s.params = append(s.params, gotree.Param{Name: fmt.Sprintf("a%d", len(s.params)), T: cGoTypes[t.kind]})
			s.kinds = append(s.kinds, t)
		})
	}
	if sig.result != nil {
		sig.result.leaves("", func(_ string, t *ctype) {
			s.results = append(s.results, gotree.Param{Name: resultName(len(s.results)), T: cGoTypes[t.kind]})
			s.resultKinds = append(s.resultKinds, t)
		})
	}
	return s
}

// args are the parameters as arguments.
func (s *shim) args() []expr {
	var l []expr
	for _, p := range s.params {
		l = append(l, name(p.Name))
	}
	return l
}

// function is a function with the context, the parameters of the signature and perhaps
// an address in front of them.
func (s *shim) function(fn string, address bool, body *code) gotree.Decl {
	params := []gotree.Param{ctxParam}
	if address {
		params = append(params, gotree.Param{Name: "f", T: gotree.Uintptr})
	}
	return &gotree.Func{Name: fn, Sig: &gotree.Sig{Params: append(params, s.params...), Results: s.results}, Body: body}
}

// give returns the result of a call, if there is one.
func (s *shim) give(out *code, call expr, returns bool) {
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

func c(fn string, args ...expr) expr { return call(qual("C", fn), args...) }

// goCaller is ccallN with cgo, or with inGo "" ccallN_S. cName is the C function that it calls.
func (s *shim) goCaller(fn, cName, inGo string) gotree.Decl {
	native := dot(tVar, "Native")
	args := []expr{c("uintptr_t", conv(gotree.Uintptr, addressOf(native)))}
	var body code
	if inGo != "" {
		var then code
		s.give(&then, call(name(inGo), append([]expr{tVar, name("f")}, s.args()...)...), true)
		body.If(rtBool("InGo", name("f")), &then, nil)
		args = append(args, c("uintptr_t", name("f")))
	}
	for i, a := range s.args() {
		args = append(args, c(cScalars[s.kinds[i].kind], a))
	}
	racing := func(note string) {
		var told code
		told.Do(method(tVar, note))
		body.If(qual("rt", "Racing"), &told, nil)
	}
	racing("ToC")
	x := c(cName, args...)
	if s.result != nil && !s.resultInNative() {
		body.DefineAll(namesOf("r"), []goT{nil}, []expr{x})
	} else {
		body.Do(x)
	}
	racing("FromC")
	switch {
	case s.resultInNative():
		body.Return(fromWord(s.result, dot(native, "Result")))
	case s.result != nil:
		var l []expr
		s.result.goLeaves(name("r"), func(x expr, t *ctype) { l = append(l, conv(cGoTypes[t.kind], x)) })
		body.Return(l...)
	}
	return s.function(fn, inGo != "", &body)
}

// goLeaves calls fn with each scalar of a value of C in Go.
func (t *ctype) goLeaves(x expr, fn func(x expr, t *ctype)) {
	switch t.kind {
	case '{':
		for i, f := range t.fields {
			f.goLeaves(dot(x, fmt.Sprintf("f%d", i)), fn)
		}
	case '[':
		for i := range t.n {
			t.elem.goLeaves(index(x, i), fn)
		}
	default:
		fn(x, t)
	}
}

// fromWord is the Go expression of the scalar in a word.
func fromWord(t *ctype, w expr) expr {
	switch t.kind {
	case 'f':
		return fromBits32(conv(gotree.Uint32, w))
	case 'd':
		return fromBits64(w)
	case 'l':
		return w
	}
	return conv(cGoTypes[t.kind], w)
}

// inGoCaller is gocallN.
func (g *gen) inGoCaller(k int, fn string, s *shim) gotree.Decl {
	var body code
	x := name("x")
	if len(s.params)+len(s.results) > 0 {
		transferVar(&body, "x")
	}
	a := transferArea(x)
	for i, p := range s.args() {
		switch s.kinds[i].kind {
		case 'f':
			p = bits32(p)
		case 'd':
			p = bits64(p)
		}
		body.Set(a.word(i), conv(gotree.Uint64, p))
	}
	g.maxTransfer = max(g.maxTransfer, len(s.params), len(s.results))
	body.Do(rt("CCall", tVar, name("f"), csigRow(k), str("")))
	if len(s.results) > 0 {
		body.Set(x, rt("X", tVar))
		var l []expr
		for i, t := range s.resultKinds {
			l = append(l, fromWord(t, a.word(i)))
		}
		body.Return(l...)
	}
	return s.function(fn, true, &body)
}

// passOn is ccallN without cgo, or with sym, the variable that has its address, ccallN_S.
func (s *shim) passOn(fn, sym, inGo string) gotree.Decl {
	f := sym
	if sym == "" {
		f = "f"
	}
	var body code
	s.give(&body, call(name(inGo), append([]expr{tVar, name(f)}, s.args()...)...), false)
	return s.function(fn, sym == "", &body)
}
