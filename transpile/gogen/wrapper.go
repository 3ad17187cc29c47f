package gogen

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// exportable reports whether Go callers can express the values of a type.
func (g *gen) exportable(id ir.TypeID) bool {
	n := g.at(id)
	switch n.Kind {
	case ir.KInt:
		return n.Bits <= 64
	case ir.KFloat, ir.KDouble, ir.KUPtr, ir.KUFuncPtr:
		return true
	}
	return false
}

// hostType is the Go type of a value in an exported function: integers are signed.
func (g *gen) hostType(id ir.TypeID) string {
	s := g.goType(id)
	if strings.HasPrefix(s, "uint") && s != "uintptr" {
		return s[1:]
	}
	return s
}

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
	var out code
	for _, f := range list {
		out = append(out, g.wrapper(f)...)
	}
	return out, nil
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

func (g *gen) wrapper(f *ir.Function) code {
	n := g.at(f.Sig)
	fi := g.info[f]
	name := g.top(exported(f.Name))
	v := f.Current()
	params := []string{"t *rt.Ctx"}
	args := []string{"t"}
	sc := scope{n: &g.names, used: map[string]int{"err": 1}}
	for i, ty := range n.Fields {
		a := "a"
		if v != nil && i < len(v.Blocks[0].Params) {
			if pn := v.Values[v.Blocks[0].Params[i]].Name; pn != "" {
				a = clean(pn)
			}
		}
		a = sc.local(a)
		params = append(params, a+" "+g.hostType(ty))
		if g.at(ty).Kind == ir.KInt && g.at(ty).Bits > 1 {
			b := g.at(ty).Bits
			args = append(args, masked(fmt.Sprintf("uint%d(%s)", container(b), a), b))
		} else {
			args = append(args, a)
		}
	}
	var results, names, temps, conv []string
	for i, ty := range n.Results {
		r := fmt.Sprintf("r%d", i)
		names = append(names, r)
		temps = append(temps, "v"+strconv.Itoa(i))
		results = append(results, r+" "+g.hostType(ty))
		c := "v" + strconv.Itoa(i)
		if g.at(ty).Kind == ir.KInt && g.at(ty).Bits > 1 {
			c = signedOf(c, g.at(ty).Bits)
		}
		conv = append(conv, c)
	}
	results = append(results, "err error")
	call := fmt.Sprintf("%s(%s)", fi.entry(), strings.Join(args, ", "))
	var inner code
	if len(temps) > 0 {
		inner.add("%s := %s", strings.Join(temps, ", "), call)
		inner.add("%s = %s", strings.Join(names, ", "), strings.Join(conv, ", "))
	} else {
		inner.add("%s", call)
	}
	body := code{raw("err = rt.Do(t,").Func().Params().Block(inner...).Op(")"), jen.Return()}
	return code{jen.Line(),
		raw("// %s calls %s. The error is a Mu exception or a run-time error.", name, f.Name),
		raw("func %s(%s) (%s)", name, strings.Join(params, ", "), strings.Join(results, ", ")).Block(body...)}
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
