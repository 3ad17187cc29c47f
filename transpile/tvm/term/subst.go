package term

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/tvm/op"
)

// A walk replaces parts of terms.
type walk struct {
	g    *Graph
	seen map[spot]ID
	// touches reports whether a node may contain something to replace; leaf returns the
	// replacement of a Bound or Symbol, or the term itself.
	touches func(n *Node, depth int) bool
	leaf    func(id ID, n Node, depth int) ID
	made    func(id ID) // if not nil, called with the replacements of parts
}

type spot struct {
	id    ID
	depth int
}

// term is a term with its parts replaced. depth is the number of binders around it.
func (w *walk) term(id ID, depth int) ID {
	n := w.g.nodes[id]
	if id == 0 || !w.touches(&n, depth) {
		return id
	}
	if n.Op == op.Bound || n.Op == op.Symbol {
		return w.leaf(id, n, depth)
	}
	if known, ok := w.seen[spot{id, depth}]; ok {
		return known
	}
	var out ID
	if n.How != 0 {
		out = w.g.operate(n.How, op.Op(n.Imm), w.term(n.From[0], depth), w.term(n.From[1], depth))
	} else if n.Op == op.Poly {
		out = w.polynomial(n, depth)
	} else {
		inner := depth
		if n.Op == op.Function || n.Op == op.Exists {
			inner++
		}
		args := make([]ID, len(n.Args))
		for i, a := range n.Args {
			args[i] = w.term(a, inner)
		}
		out = w.g.rebuild(n, args)
		if names := w.g.names[id]; names != nil && w.g.names[out] == nil && out != 0 {
			w.g.names[out] = names
		}
	}
	w.seen[spot{id, depth}] = out
	if w.made != nil {
		w.made(out)
	}
	return out
}

// polynomial recomputes a polynomial with replaced atoms.
func (w *walk) polynomial(n Node, depth int) ID {
	g, prim := w.g, op.Op(n.Imm)
	sum := g.Num(prim, 0)
	for _, s := range n.Sums {
		id, _ := g.polynomial(prim, []Product{{Coef: s.Coef}})
		for _, a := range s.Atoms {
			id = g.Mul(prim, id, w.term(a, depth))
		}
		sum = g.Add(prim, sum, id)
	}
	return sum
}

// close replaces symbols by bound parameters, in the types of the symbols and in the result, and returns
// these types and the result.
func (g *Graph) close(params []*Symbol, result ID) []ID {
	place := map[ID]int{}
	w := &walk{g: g, seen: map[spot]ID{}}
	w.touches = func(n *Node, _ int) bool { return n.open }
	w.leaf = func(id ID, n Node, depth int) ID {
		if i, ok := place[id]; ok {
			return g.bound(depth, i)
		}
		return id
	}
	var out []ID
	for i, p := range params {
		out = append(out, w.term(p.Type, 0))
		place[p.ID] = i
		clear(w.seen)
	}
	return append(out, w.term(result, 0))
}

// bound is a parameter of a binder that is depth binders away.
func (g *Graph) bound(depth, i int) ID {
	return g.intern(Node{Op: op.Bound, Imm: uint64(depth)<<32 | uint64(i)})
}

// instance is a part of a function or exists type with arguments for its parameters.
func (g *Graph) instance(part ID, args []ID) ID {
	w := &walk{g: g, seen: map[spot]ID{}}
	w.touches = func(n *Node, depth int) bool { return int(n.loose) > depth }
	w.leaf = func(id ID, n Node, depth int) ID {
		if d, i := int(n.Imm>>32), int(uint32(n.Imm)); n.Op == op.Bound && d == depth && i < len(args) {
			return args[i]
		}
		return id
	}
	return w.term(part, 0)
}

// ParamType is the type of parameter i of a function or exists type, with arguments for the parameters
// before it; for the result, i is the number of parameters.
func (g *Graph) ParamType(id ID, i int, args []ID) ID {
	return g.instance(g.nodes[id].Args[i], args[:min(i, len(args))])
}

// Open returns symbols for the parameters of a function or exists type, always the same ones, and
// the result with them.
func (g *Graph) Open(id ID) (params []*Symbol, result ID) {
	n := g.NumParams(id)
	params, ok := g.opened[id]
	if !ok {
		phantoms := n
		if g.Op(id) == op.Function {
			phantoms = g.FormOf(id).Phantoms
		}
		params = make([]*Symbol, n)
		var ids []ID
		for i := range params {
			name := ""
			if names := g.names[id]; i < len(names) {
				name = names[i]
			}
			params[i] = g.Symbol(Symbol{Kind: Param, Name: name, Type: g.ParamType(id, i, ids), Index: i, Phantom: i < phantoms})
			ids = append(ids, params[i].ID)
		}
		g.opened[id] = params
	}
	return params, g.ParamType(id, n, IDs(params))
}

// IDs are the terms of symbols.
func IDs(list []*Symbol) []ID {
	ids := make([]ID, len(list))
	for i, s := range list {
		ids[i] = s.ID
	}
	return ids
}

// Replace replaces parameters and results by other terms.
func (g *Graph) Replace(id ID, with map[ID]ID) ID {
	if len(with) == 0 {
		return id
	}
	return g.Replacer(with, nil)(id)
}

// Replacer returns a function that replaces in several terms, computing each shared part once. The map may
// grow later, but not by terms that were in a term already replaced. made, if not nil, is called with all
// replacements of parts, even if they vanish in a larger part.
func (g *Graph) Replacer(with map[ID]ID, made func(ID)) func(ID) ID {
	w := &walk{g: g, seen: map[spot]ID{}, made: made}
	w.touches = func(n *Node, _ int) bool { return n.open }
	w.leaf = func(id ID, _ Node, _ int) ID {
		if r, ok := with[id]; ok {
			return r
		}
		return id
	}
	return func(id ID) ID { return w.term(id, 0) }
}

// Body is the body of an instance of a schema; 0 if there is none. It is found once.
func (g *Graph) Body(apply ID) ID {
	n := g.nodes[apply]
	if n.Op != op.Apply {
		return 0
	}
	if n.unfold != 0 || g.unfolding[apply] {
		return n.unfold
	}
	s := g.Schema(apply)
	if s == nil || s.Value {
		return 0
	}
	g.unfolding[apply] = true
	body := s.Body()
	with := g.arguments(s, n.Args[1:])
	if s.IsBase {
		with[s.Params[1].ID] = g.Mk(op.BaseOff, n.Args[0], n.Args[1])
	}
	body = g.Replace(body, with)
	delete(g.unfolding, apply)
	g.nodes[apply].unfold = body
	return body
}

// arguments pairs the parameters of a schema with arguments.
func (g *Graph) arguments(s *Schema, args []ID) map[ID]ID {
	with := map[ID]ID{}
	for i, p := range s.Params {
		if i < len(args) {
			with[p.ID] = args[i]
		}
	}
	return with
}

// ArgType is the type that argument i of an instance of a schema must have.
func (g *Graph) ArgType(s *Schema, i int, args []ID) ID {
	return g.Replace(s.Params[i].Type, g.arguments(s, slices.Clone(args[:i])))
}

// Schema is the schema of an instance, nil if it has none.
func (g *Graph) Schema(apply ID) *Schema {
	if s := g.Sym(g.Arg(apply, 0)); g.Op(apply) == op.Apply && s != nil {
		return s.Schema
	}
	return nil
}
