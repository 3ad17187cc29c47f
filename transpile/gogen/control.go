package gogen

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// branch emits BRANCH, BRANCH2, SWITCH and WPBRANCH.
func (e *fn) branch(out *code, in *ir.Inst, next ir.BlockID) {
	switch in.Op {
	case ir.OpBranch:
		e.jump(out, in.Block, &in.Dests[0], next)
	case ir.OpBranch2:
		e.branch2(out, in, e.expr(in.Args[0]), &in.Dests[0], &in.Dests[1], next)
	case ir.OpWPBranch:
		e.branch2(out, in, e.watched(in.Imm), &in.Dests[1], &in.Dests[0], next)
	case ir.OpSwitch:
		e.switchInst(out, in, next)
	case ir.OpDispatch:
		e.dispatch(out, in, next)
	}
}

// branch2 writes the shorter way into the branch of an if and lets the other
// follow it, so that long chains of decisions do not nest.
func (e *fn) branch2(out *code, in *ir.Inst, cond string, yes, no *ir.Dest, next ir.BlockID) {
	from := in.Block
	switch {
	case e.jumpIsEmpty(from, yes, next) && e.jumpIsEmpty(from, no, next):
		out.add("_ = %s", cond)
		return
	case e.jumpIsEmpty(from, yes, next):
		var body code
		e.jump(&body, from, no, next)
		*out = append(*out, jen.If(raw("%s", negate(cond))).Block(body...))
		return
	case e.jumpIsEmpty(from, no, next):
		var body code
		e.jump(&body, from, yes, next)
		*out = append(*out, jen.If(raw("%s", unparen(cond))).Block(body...))
		return
	}
	if e.plan.InPlace[yes.Block] == from && e.plan.InPlace[no.Block] != from {
		yes, no, cond = no, yes, negate(cond)
	}
	var body code
	e.jump(&body, from, yes, -1)
	*out = append(*out, jen.If(raw("%s", unparen(cond))).Block(body...))
	e.jump(out, from, no, next)
}

var opposite = map[string]string{"==": "!=", "!=": "=="}

// negate is the opposite of a condition.
func negate(c string) string {
	if c == "true" {
		return "false"
	}
	if c == "false" {
		return "true"
	}
	if strings.HasPrefix(c, "!") && !strings.ContainsAny(c, " ") {
		return c[1:]
	}
	for op, no := range opposite {
		if strings.HasPrefix(c, "(") && strings.HasSuffix(c, ")") && strings.Count(c, "(") == 1 &&
			strings.Count(c, " "+op+" ") == 1 && !strings.ContainsAny(c, "&|!") {
			return strings.Replace(c[1:len(c)-1], " "+op+" ", " "+no+" ", 1)
		}
	}
	if strings.HasPrefix(c, "(") {
		return "!" + c
	}
	return "!(" + c + ")"
}

// unparen drops one pair of parentheses around a whole expression.
func unparen(c string) string {
	if !strings.HasPrefix(c, "(") {
		return c
	}
	depth := 0
	for i := 0; i < len(c); i++ {
		switch c[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && i < len(c)-1 {
				return c
			}
		}
	}
	return c[1 : len(c)-1]
}

func (e *fn) switchInst(out *code, in *ir.Inst, next ir.BlockID) {
	from := in.Block
	if len(in.Args) == 1 {
		e.plan.EachUse(in.Args[0], func(x ir.ValueID) { out.add("_ = %s", e.name[x]) })
		e.jump(out, from, &in.Dests[0], next)
		return
	}
	x := e.temp(out, in.Args[0])
	wide := e.kind(in.Ty) == ir.KInt && e.at(in.Ty).Bits > 64
	// Keys that lead to the same are one case: Go tests neighbours together.
	type group struct {
		dest *ir.Dest
		keys []string
	}
	var groups []*group
	first := map[ir.BlockID][]*group{}
	for i, k := range in.Args[1:] {
		key := e.expr(k)
		if wide {
			key = "(" + key + ")"
		}
		d := &in.Dests[1+i]
		same := slices.IndexFunc(first[d.Block], func(g *group) bool { return slices.Equal(g.dest.Args, d.Args) })
		if same < 0 {
			groups = append(groups, &group{dest: d, keys: []string{key}})
			if len(first[d.Block]) < 4 {
				first[d.Block] = append(first[d.Block], groups[len(groups)-1])
			}
			continue
		}
		first[d.Block][same].keys = append(first[d.Block][same].keys, key)
	}
	var cases []jen.Code
	for _, g := range groups {
		var body code
		e.jump(&body, from, g.dest, next)
		cases = append(cases, jen.Case(raw("%s", strings.Join(g.keys, ", "))).Block(body...))
	}
	var body code
	e.jump(&body, from, &in.Dests[0], next)
	cases = append(cases, jen.Default().Block(body...))
	*out = append(*out, raw("switch %s", x).Block(cases...))
}

func (e *fn) ret(out *code, in *ir.Inst) {
	var vals []string
	for _, a := range in.Args {
		if e.resumable {
			out.add("_ = %s", e.expr(a)) // the stack ends: nobody gets it
			continue
		}
		vals = append(vals, e.expr(a))
	}
	if len(vals) == 0 {
		e.leave(out)
		out.add("return")
		return
	}
	e.leave(out)
	out.add("return %s", strings.Join(vals, ", "))
}

func (e *fn) throwInst(out *code, in *ir.Inst) {
	throw := "Throw"
	if in.Op == ir.OpRethrow {
		throw = "Rethrow"
	}
	out.add("rt.%s(t, %s)", throw, e.expr(in.Args[0]))
	e.unwind(out)
}
