package gogen

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

func exported(name string) string {
	s := strings.TrimLeft(repr.Clean(name), "_")
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return "F" + s
	}
	return string(unicode.ToUpper(rune(s[0]))) + s[1:]
}

// exports lists the functions of an importable package that Go callers can call.
func (g *gen) exports() ([]*ir.Function, error) {
	var list []*ir.Function
	if g.opt.Export == nil {
		for _, f := range g.IR.Funcs {
			if g.canExport(f) && g.sigExportable(f.Sig) {
				list = append(list, f)
			}
		}
		return list, nil
	}
	for _, f := range g.opt.Export {
		if !g.sigExportable(f.Sig) {
			return nil, inputError("export: %s has a signature that Go cannot express: %s", f.Called(), g.IR.Types.Structure(f.Sig, 1))
		}
		list = append(list, f)
	}
	return list, nil
}

// canExport reports whether callers can get a function, whatever its signature.
func (g *gen) canExport(f *ir.Function) bool {
	return (f.Current() != nil || f.Open()) && f.Of == nil && f.Attrs&ir.Internal == 0 && g.hidden[f.Name] == nil
}

// NoExports says why a package has no function for Go callers, "" if it has one.
func NoExports(p *ir.Program, opt Options) string {
	g := newGen(&facts.Program{IR: p}, opt)
	if list, err := g.exports(); err != nil || len(list) > 0 {
		return ""
	}
	for _, f := range p.Funcs {
		if g.canExport(f) {
			return fmt.Sprintf("Go can express the signature of none of its functions, the first of which is %s with %s",
				f.Called(), p.Types.Structure(f.Sig, 1))
		}
	}
	return "the bundles define no function"
}

// wrappers emits the exported functions of an importable package.
func (g *gen) wrappers() ([]gotree.Decl, error) {
	list, err := g.exports()
	if err != nil {
		return nil, err
	}
	names := make([]string, len(list)) // before those of types
	for i, f := range list {
		names[i] = g.Top(exported(f.Name))
	}
	var out []gotree.Decl
	for i, f := range list {
		out = append(out, g.wrapper(f, names[i]))
	}
	return append(out, g.hostCode()...), nil
}

func (g *gen) sigExportable(sig ir.TypeID) bool {
	n := g.At(sig)
	for _, t := range n.Fields {
		if !g.exportable(t) {
			return false
		}
	}
	for _, t := range n.Results {
		if !g.exportable(t) {
			return false
		}
	}
	return true
}

// wrapper emits the exported function of f.
func (g *gen) wrapper(f *ir.Function, fn string) gotree.Decl {
	n := g.At(f.Sig)
	names := g.callNames(f)
	t := names.other("t", "ctx")
	failure := names.other("err", "failure")
	results := node.NamesOf(names.numbered(len(n.Results), "r", "result")...)
	temps := node.NamesOf(names.numbered(len(n.Results), "v", "value")...)
	params, args := []gotree.Param{{Name: t, T: node.CtxType}}, []gotree.Expr{node.Name(t)}
	for i, ty := range n.Fields {
		params = append(params, gotree.Param{Name: names.params[i], T: g.hostType(ty)})
		args = append(args, g.fromHost(ty, node.Name(names.params[i])))
	}
	var gives []gotree.Param
	var converted []gotree.Expr
	var types []*gotree.Type
	for i, ty := range n.Results {
		gives = append(gives, gotree.Param{Name: results[i].(*gotree.Ident).Name, T: g.hostType(ty)})
		converted = append(converted, g.toHost(ty, temps[i]))
		types = append(types, g.GoType(ty))
	}
	gives = append(gives, gotree.Param{Name: failure, T: gotree.ErrorType})
	x := node.Call(g.Funcs[f].Entry(), args...)
	var inner, body gotree.Block
	if len(temps) > 0 {
		inner.DefineAll(temps, types, []gotree.Expr{x})
		inner.SetAll(results, converted)
	} else {
		inner.Do(x)
	}
	body.Set(node.Name(failure), node.Runtime("Do", node.Name(t), &gotree.FuncLit{Sig: &gotree.Sig{}, Body: &inner}))
	body.Return()
	return &gotree.Func{Name: fn, Comment: fmt.Sprintf("%s calls %s. The error is a Mu exception or a run-time error.", fn, f.Name),
		Sig: &gotree.Sig{Params: params, Results: gives}, Body: &body}
}

// literal is the Go expression of a literal argument, see dialect.ParseValue.
func (g *gen) literal(c *ir.Const) gotree.Expr {
	tagged := g.Kind(c.Type) == ir.KTagRef64
	switch {
	case tagged && c.Kind == ir.ConstInt:
		return node.RuntimeInt("TagFromInt", node.Hex(c.Lo))
	case tagged && c.Kind == ir.ConstFP:
		return node.RuntimeInt("TagFromFP", node.Float(c.Lo, false))
	case tagged && c.Kind == ir.ConstAggregate:
		return node.RuntimeInt("TagFromRef", node.Zero, node.Lit(c.Elems[1].Lo))
	case c.Kind == ir.ConstAggregate:
		var l []gotree.Expr
		for _, e := range c.Elems {
			l = append(l, g.literal(e))
		}
		return node.Composite(g.GoType(c.Type), node.Elems(l)...)
	}
	return g.Constant(c)
}
