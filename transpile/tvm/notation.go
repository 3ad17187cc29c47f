package tvm

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// notations say how the results of a function are printed: in the syntax of TVM.
func (ts *types) notations(a *abi) []ir.Notation {
	if len(ts.At(a.sig).Results) == 0 { // an empty value, or one that is stored
		return nil
	}
	return []ir.Notation{ts.notation(a.result)}
}

// called says how the result of a call is printed, see check.Call: one line for the value, and one for
// each memory.
func (ts *types) called(t term.ID) ir.Notation {
	list := ts.g.Args(t)
	n := ir.Notation{Between: "\n", Parts: []ir.Notation{ts.notation(list[0])}}
	for range list[1:] {
		n.Parts = append(n.Parts, ir.Notation{Open: "mem(", Between: ",", Close: ")", Parts: []ir.Notation{{Unsigned: true}}})
	}
	return n
}

func (ts *types) notation(t term.ID) ir.Notation {
	g := ts.g
	var parts []ir.Notation
	list := func(open string) ir.Notation {
		if g.Layout(t).Size.W8 > 0 {
			open += " "
		}
		return ir.Notation{Open: "(" + open, Between: " ", Close: ")", Parts: parts}
	}
	switch o := g.Op(t); {
	case o.IsInt():
		return ir.Notation{Unsigned: !o.Signed(), Number: true, Prefix: "#" + o.Letters()}
	case o == op.Bool:
		return ir.Notation{Words: []string{"false", "true"}}
	case o == op.Byte:
		return ir.Notation{Unsigned: true, Prefix: "#ub"}
	case o == op.Member:
		return ir.Notation{Number: true, Prefix: "#p"}
	case o == op.TypeType:
		word := ir.Notation{Unsigned: true, Number: true}
		return ir.Notation{Open: "type(", Between: ",", Close: ")", Parts: []ir.Notation{word, word}}
	case o == op.Struct:
		for _, m := range g.Args(t) {
			parts = append(parts, ts.notation(m))
		}
		return list("struct_v")
	case o == op.Array:
		elem := g.Arg(t, 0)
		parts = []ir.Notation{ts.notation(elem)}
		word := g.String(elem)
		if len(g.Args(elem)) > 0 {
			word = "(" + word + ")"
		}
		return list("array_v " + word)
	case o == op.Union, o == op.TypeV, o == op.FP128, o == op.FPX8680, o == op.FPPPC128:
		bytes := ir.Notation{Between: " ", Parts: []ir.Notation{{Hex: true}}}
		return ir.Notation{Open: "(bytes ", Between: " ", Close: ")", Parts: []ir.Notation{bytes}}
	case o == op.Apply:
		return ts.notation(g.Body(t))
	case o == op.Exists:
		_, result := g.Open(t)
		return ts.notation(result)
	case o == op.Constant:
		return ts.notation(g.TypeOf(g.Arg(t, 0)))
	case o == op.Empty:
		return ir.Notation{Open: "empty_v"}
	}
	return ir.Notation{}
}
