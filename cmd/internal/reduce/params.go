package reduce

import (
	"fmt"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// dropFuncParams drops parameters of functions that are only called directly, in the calls, too. The signature becomes
// another one.
func dropFuncParams(e *edit, chosen func(int) bool) int {
	n := 0
	for _, f := range e.funcs {
		calls, ok := e.calls(f)
		sig := e.p.Types.At(f.v.Func.Sig)
		entry := &f.def.Blocks[0]
		if !ok || len(entry.Params) != len(sig.Fields) {
			continue
		}
		var keep []int
		for k := range entry.Params {
			drop := chosen(n)
			n++
			if drop && slices.ContainsFunc(f.def.Blocks, func(b syntax.Block) bool { return uses(b.Insts, entry.Params[k].Name) }) {
				c, ok := e.constant(sig.Fields[k])
				if drop = ok; ok {
					e.replace(entry.Insts, entry.Params[k].Name, c)
				}
			}
			if !drop {
				keep = append(keep, k)
			}
		}
		if len(keep) == len(entry.Params) {
			continue
		}
		name, ok := e.signature(entry.Params, keep, sig.Results)
		if !ok {
			continue
		}
		f.def.Sig = name
		entry.Params = chosenOf(entry.Params, keep)
		for _, c := range calls {
			c.Sig = name
			c.Args = append(c.Args[:1:1], chosenOf(c.Args[1:], keep)...)
		}
	}
	return n
}

// calls finds the calls of a function in the bundle; ok is false if it is used in another way, or cannot be called with
// fewer arguments.
func (e *edit) calls(f editFunc) (calls []*syntax.Inst, ok bool) {
	name := f.def.Name.Sym
	others := false
	for _, d := range e.b.Defs {
		def, isFunc := d.(*syntax.FuncDef)
		if !isFunc {
			continue
		}
		for i := range def.Blocks {
			for k := range def.Blocks[i].Insts {
				in := &def.Blocks[i].Insts[k]
				if (in.Op == syntax.OpCall || in.Op == syntax.OpTailCall) && in.Args[0].Sym == name {
					if len(in.Args)-1 != len(f.def.Blocks[0].Params) {
						return nil, false
					}
					calls = append(calls, in)
					eachUse(&syntax.Inst{Args: in.Args[1:], Dests: in.Dests, Keep: in.Keep}, func(n *syntax.Name) { others = others || n.Sym == name })
					continue
				}
				eachUse(in, func(n *syntax.Name) { others = others || n.Sym == name })
			}
		}
	}
	return calls, !others
}

// signature makes a signature of some of the parameters of a block.
func (e *edit) signature(params []syntax.Param, keep []int, results []ir.TypeID) (syntax.Name, bool) {
	var types, ends []string
	for _, p := range chosenOf(params, keep) {
		types = append(types, e.b.Spelling(p.Type))
	}
	for _, t := range results {
		n := e.p.Types.At(t)
		if n.Name == "" {
			return syntax.Name{}, false
		}
		ends = append(ends, n.Name)
	}
	e.n++
	name := fmt.Sprintf("@zz%d", e.n)
	fmt.Fprintf(&e.extra, ".funcsig %s = (%s) -> (%s)\n", name, strings.Join(types, " "), strings.Join(ends, " "))
	return e.name(name), true
}

// chosenOf lists some of the elements.
func chosenOf[T any](list []T, keep []int) []T {
	var out []T
	for _, k := range keep {
		out = append(out, list[k])
	}
	return out
}
