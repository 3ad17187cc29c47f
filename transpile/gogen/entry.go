package gogen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

func constNum(n uint64) layout.Num { return layout.Const(n) }

// findFunc finds a defined function by name, with or without its '@'.
func (g *gen) findFunc(name string) (*ir.Function, error) {
	if !strings.HasPrefix(name, "@") {
		name = "@" + name
	}
	f, ok := g.p.Entities[name].(*ir.Function)
	if !ok && name == "@main" && g.opt.Package == "main" {
		return nil, inputError("no function @main to start with; -entry names another, -call calls one")
	}
	if !ok {
		return nil, inputError("no function %s", name)
	}
	if f.Current() == nil && !(f.Open() && g.opt.Package != "main") {
		return nil, inputError("function %s is declared but not defined", name)
	}
	return f, nil
}

// entryCode emits func start, which calls the entry function as the
// command-line contract says.
func (g *gen) entryCode() (code, error) {
	if g.opt.Call != "" {
		return g.callCode()
	}
	name := g.opt.Entry
	if name == "" {
		name = "@main"
	}
	f, err := g.findFunc(name)
	if err != nil {
		return nil, inputError("entry: %v", err)
	}
	sig := g.at(f.Sig)
	var body code
	args := "t"
	switch {
	case len(sig.Fields) == 0:
	case len(sig.Fields) == 2 && g.isInt(sig.Fields[0], 32) && (g.kind(sig.Fields[1]) == ir.KUPtr || g.kind(sig.Fields[1]) == ir.KIRef):
		body.add("argc, argv := rt.Argv(t)")
		args = "t, argc, argv"
	default:
		return nil, inputError("entry: %s has parameters %s; an entry function has none, or (int<32> uptr<T>)", f.Name, g.p.Types.Structure(f.Sig, 1))
	}
	goName := g.info[f].entry()
	switch {
	case len(sig.Results) == 0:
		body.add("%s(%s)", goName, args)
		body.add("return 0")
	case len(sig.Results) == 1 && g.kind(sig.Results[0]) == ir.KInt:
		body.add("r := %s(%s)", goName, args)
		switch n := g.at(sig.Results[0]).Bits; {
		case n == 1:
			body.add("return int(rt.B2U(r))")
		case n > 64:
			body.add("return int(uint8(r.Lo))")
		default:
			body.add("return int(uint8(r))")
		}
	default:
		return nil, inputError("entry: %s has results %s; an entry function has none, or one int", f.Name, g.p.Types.Structure(f.Sig, 1))
	}
	return code{jen.Line(), raw("func start(t *rt.Ctx) int").Block(body...)}, nil
}

func (g *gen) isInt(id ir.TypeID, bits uint32) bool {
	n := g.at(id)
	return n.Kind == ir.KInt && n.Bits == bits
}

// callCode emits func start for -call: one call with literal arguments, whose
// results are printed one a line.
func (g *gen) callCode() (code, error) {
	f, err := g.findFunc(g.opt.Call)
	if err != nil {
		return nil, inputError("call: %v", err)
	}
	sig := g.at(f.Sig)
	if len(sig.Fields) != len(g.opt.CallArgs) {
		return nil, inputError("call: %s wants %d arguments, got %d", f.Name, len(sig.Fields), len(g.opt.CallArgs))
	}
	args := []string{"t"}
	for _, a := range g.opt.CallArgs {
		args = append(args, g.literal(a))
	}
	var body code
	call := fmt.Sprintf("%s(%s)", g.info[f].entry(), strings.Join(args, ", "))
	if len(sig.Results) == 0 {
		body.add("%s", call)
		body.add("return 0")
	} else {
		var res, vts []string
		for i, ty := range sig.Results {
			res = append(res, fmt.Sprintf("r%d", i))
			vts = append(vts, fmt.Sprintf("&vtypes[%d]", g.vtype(ty)))
		}
		body.add("%s := %s", strings.Join(res, ", "), call)
		body = append(body, jen.If(raw("t.Thrown != 0")).Block(raw("return 0")))
		put := code{raw("x := rt.X(t)")}
		w, r := 0, 0
		for i, ty := range sig.Results {
			g.leavesOut(&put, ty, res[i], &w, &r)
		}
		g.maxTransfer = max(g.maxTransfer, w, r)
		body = append(body, jen.Block(put...))
		body.add("rt.PrintValues(t, []*rt.VType{%s})", strings.Join(vts, ", "))
		body.add("return 0")
	}
	return code{jen.Line(), raw("func start(t *rt.Ctx) int").Block(body...)}, nil
}

// An InputError says why no code can be made of a valid program.
type InputError struct{ msg string }

func (e *InputError) Error() string { return e.msg }

// NewInputError makes one, with a message as fmt.Sprintf makes it.
func NewInputError(format string, args ...any) error { return inputError(format, args...) }

func inputError(format string, args ...any) error {
	return &InputError{fmt.Sprintf(format, args...)}
}
