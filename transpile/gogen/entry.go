package gogen

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// entryCode emits func start, which calls the entry function as the
// command-line contract says.
func (g *gen) entryCode() (gotree.Decl, error) {
	if g.opt.Call != nil {
		return g.callCode()
	}
	f := g.opt.Entry
	e, err := g.IR.EntryOf(f)
	if err != nil {
		return nil, inputError("entry: %v", err)
	}
	var body gotree.Block
	args := []gotree.Expr{node.Ctx}
	if e.Args != ir.KInvalid {
		body.DefineAll(node.NamesOf("argc", "argv"), []*gotree.Type{gotree.Uint32, gotree.Uintptr}, []gotree.Expr{node.Runtime("Argv", node.Ctx)})
		args = append(args, node.NamesOf("argc", "argv")...)
	}
	x := node.Call(g.Funcs[f].Entry(), args...)
	if e.Status == ir.NoType {
		body.Do(x)
		body.Return(node.Zero)
		return startFunc(&body), nil
	}
	body.Define("r", g.GoType(e.Status), x)
	r := node.Name("r")
	switch n := g.At(e.Status).Bits; {
	case n == 1:
		r = node.Runtime("B2U", r)
	case n > 64:
		r = node.Conv(gotree.Uint8, node.Dot(r, "Lo"))
	default:
		r = node.Conv(gotree.Uint8, r)
	}
	body.Return(node.Conv(gotree.IntType, r))
	return startFunc(&body), nil
}

// startFunc is func start, which returns the exit status.
func startFunc(body *gotree.Block) gotree.Decl {
	return &gotree.Func{Name: "start", Body: body,
		Sig: &gotree.Sig{Params: []gotree.Param{node.CtxParam}, Results: []gotree.Param{{T: gotree.IntType}}}}
}

// callCode emits func start for -call: one call with literal arguments, whose
// results are printed one per line.
func (g *gen) callCode() (gotree.Decl, error) {
	f := g.opt.Call
	sig := g.At(f.Sig)
	if len(sig.Fields) != len(g.opt.CallArgs) {
		return nil, inputError("call: %s wants %d arguments, got %d", f.Called(), len(sig.Fields), len(g.opt.CallArgs))
	}
	args := []gotree.Expr{node.Ctx}
	for _, a := range g.opt.CallArgs {
		args = append(args, g.literal(a))
	}
	var body gotree.Block
	x := node.Call(g.Funcs[f].Entry(), args...)
	if len(sig.Results) == 0 {
		body.Do(x)
		body.Return(node.Zero)
		return startFunc(&body), nil
	}
	res := g.defineResults(&body, sig, x)
	ended := body.Sub()
	ended.Return(node.Zero)
	body.If(node.Thrown(), ended, nil)
	g.putResults(&body, sig, res, false)
	body.Do(node.Runtime("PrintValues", node.Ctx, g.vtypesOf(sig.Results), notations(g.opt.CallResults)))
	body.Return(node.Zero)
	return startFunc(&body), nil
}

// notations is a list of rt.Notation.
func notations(list []ir.Notation) gotree.Expr {
	if len(list) == 0 {
		return gotree.Nil
	}
	var rows []gotree.Expr
	for i := range list {
		var fields []gotree.Elem
		n := &list[i]
		for _, f := range [...]struct {
			name string
			set  bool
		}{{"Unsigned", n.Unsigned}, {"Number", n.Number}, {"Hex", n.Hex}, {"Filler", n.Filler}} {
			if f.set {
				fields = append(fields, node.Field(f.name, gotree.True))
			}
		}
		for _, f := range [...]struct{ name, text string }{{"Prefix", n.Prefix}, {"Open", n.Open}, {"Between", n.Between}, {"Close", n.Close}} {
			if f.text != "" {
				fields = append(fields, node.Field(f.name, node.Str(f.text)))
			}
		}
		if len(n.Words) > 0 {
			var words []gotree.Expr
			for _, w := range n.Words {
				words = append(words, node.Str(w))
			}
			fields = append(fields, node.Field("Words", node.Composite(gotree.SliceOf(gotree.Named("string")), node.Elems(words)...)))
		}
		if len(n.Parts) > 0 {
			fields = append(fields, node.Field("Parts", notations(n.Parts)))
		}
		rows = append(rows, node.Composite(nil, fields...))
	}
	return node.Composite(gotree.SliceOf(node.RuntimeType("Notation")), node.Elems(rows)...)
}

// An InputError says why no code can be made of a valid program.
type InputError struct{ msg string }

func (e *InputError) Error() string { return e.msg }

// NewInputError returns an InputError with a message formatted by fmt.Sprintf.
func NewInputError(format string, args ...any) error { return inputError(format, args...) }

func inputError(format string, args ...any) error {
	return &InputError{fmt.Sprintf(format, args...)}
}
