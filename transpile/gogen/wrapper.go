package gogen

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

func exported(name string) string {
	s := strings.TrimLeft(clean(name), "_")
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return "F" + s
	}
	return string(unicode.ToUpper(rune(s[0]))) + s[1:]
}

// exports lists the functions of an importable package that Go callers get.
func (g *gen) exports() ([]*ir.Function, error) {
	var list []*ir.Function
	if g.opt.Export == nil {
		for _, f := range g.p.Funcs {
			if g.canExport(f) && g.sigExportable(f.Sig) {
				list = append(list, f)
			}
		}
		return list, nil
	}
	for _, name := range g.opt.Export {
		f, err := g.findFunc(name)
		if err != nil {
			return nil, inputError("export: %v", err)
		}
		if !g.sigExportable(f.Sig) {
			return nil, inputError("export: %s has a signature that Go cannot express: %s", f.Name, g.p.Types.Structure(f.Sig, 1))
		}
		list = append(list, f)
	}
	return list, nil
}

// canExport reports whether a function is there for callers, whatever its signature.
func (g *gen) canExport(f *ir.Function) bool {
	return (f.Current() != nil || f.Open()) && f.Of == nil && g.hidden[f.Name] == nil
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
				f.Name, p.Types.Structure(f.Sig, 1))
		}
	}
	return "the bundles define no function"
}

// wrappers emits the exported functions of an importable package.
func (g *gen) wrappers() (code, error) {
	list, err := g.exports()
	if err != nil {
		return nil, err
	}
	names := make([]string, len(list)) // before those of types
	for i, f := range list {
		names[i] = g.top(exported(f.Name))
	}
	var out code
	for i, f := range list {
		out = append(out, g.wrapper(f, names[i])...)
	}
	return append(out, g.hostCode()...), nil
}

func (g *gen) sigExportable(sig ir.TypeID) bool {
	n := g.at(sig)
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
func (g *gen) wrapper(f *ir.Function, name string) code {
	n := g.at(f.Sig)
	callee := g.info[f].entry()
	names := g.callNames(f, callee)
	t := names.other("t", "ctx")
	failure := names.other("err", "failure")
	results := names.numbered(len(n.Results), "r", "result")
	temps := names.numbered(len(n.Results), "v", "value")
	params, args := []string{t + " *rt.Ctx"}, []string{t}
	for i, ty := range n.Fields {
		params = append(params, names.params[i]+" "+g.hostType(ty))
		args = append(args, g.fromHost(ty, names.params[i]))
	}
	var gives, conv []string
	for i, ty := range n.Results {
		gives = append(gives, results[i]+" "+g.hostType(ty))
		conv = append(conv, g.toHost(ty, temps[i]))
	}
	gives = append(gives, failure+" error")
	call := fmt.Sprintf("%s(%s)", callee, strings.Join(args, ", "))
	var inner code
	if len(temps) > 0 {
		inner.add("%s := %s", strings.Join(temps, ", "), call)
		inner.add("%s = %s", strings.Join(results, ", "), strings.Join(conv, ", "))
	} else {
		inner.add("%s", call)
	}
	body := code{raw("%s = rt.Do(%s,", failure, t).Func().Params().Block(inner...).Op(")"), jen.Return()}
	return code{jen.Line(),
		raw("// %s calls %s. The error is a Mu exception or a run-time error.", name, f.Name),
		raw("func %s(%s) (%s)", name, strings.Join(params, ", "), strings.Join(gives, ", ")).Block(body...)}
}

// literal is the Go expression of a literal argument, see dialect.ParseValue.
func (g *gen) literal(c *ir.Const) string {
	tagged := g.kind(c.Type) == ir.KTagRef64
	switch {
	case tagged && c.Kind == ir.ConstInt:
		return fmt.Sprintf("rt.TagFromInt(%#x)", c.Lo)
	case tagged && c.Kind == ir.ConstFP:
		return "rt.TagFromFP(" + floatLit(c.Lo, false) + ")"
	case tagged && c.Kind == ir.ConstAggregate:
		return fmt.Sprintf("rt.TagFromRef(0, %d)", c.Elems[1].Lo)
	case c.Kind == ir.ConstAggregate:
		var elems []string
		for _, e := range c.Elems {
			elems = append(elems, g.literal(e))
		}
		return g.goType(c.Type) + "{" + strings.Join(elems, ", ") + "}"
	}
	return g.constant(c)
}
