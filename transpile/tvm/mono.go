package tvm

import (
	"fmt"
	"math"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/tvm/check"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// Copies of functions for the types that they are called with.
//
// If the arguments of a direct call for parameters of type `type` are types of known size, the call
// uses a copy of the function without these parameters. In the copy, a term.Given stands for each:
// types made from it have a known size too, so values are scalars and no sizes are computed.
// Arguments that are functions, such as one that compares two values, are also known in the copy.
// There is one copy for each function and list of arguments, whatever the caller. Calls in a copy
// make further copies, up to the limits below; other calls use the function itself.
//
// A copy behaves like the function: values of given types are copied with all their bytes (see rep),
// the address of the function and calls without such arguments use the function itself, and messages
// call a copy by the name of the function.

const (
	// maxKnown bounds the size in bytes of types that are known in a copy. There is no copy that
	// would have a larger type.
	maxKnown = 1 << 16
	// maxCopies bounds the number of copies of a function.
	maxCopies = 32
	// maxChain bounds the number of copies that lead to a copy, each called by the one before.
	maxChain = 8
	// All copies together have at most copySlack instructions plus copyTimes the number in all functions.
	copySlack = 2000
	copyTimes = 4
)

// A copied is a copy of a function.
type copied struct {
	fn    *ir.Function
	abi   *abi
	known []bool // for each ordinary parameter: whether it is known, so that the copy does not have it
}

// copies are the copies that have been made.
type copies struct {
	of    map[string]*copied // nil where no copy can be made
	count map[*check.Global]int
	room  int // number of instructions that copies may still have
}

// remaining are the arguments for the parameters that a copy has.
func (c *copied) remaining(args []argument) []argument {
	var list []argument
	for i, a := range args {
		if !c.known[i] {
			list = append(list, a)
		}
	}
	return list
}

// knownType reports whether a copy may be made for a type.
func (b *body) knownType(t term.ID) bool {
	l := b.Layout(t)
	return l.Kind == term.Static && l.Size.W8 <= maxKnown && b.types.rep(t).static
}

// copyFor is the copy of a function for the arguments of a call, nil if there is none.
func (b *body) copyFor(callee term.ID, args []argument) *copied {
	if b.copies == nil {
		return nil
	}
	g := b.known(callee)
	if g == nil || g.Func == nil {
		return nil
	}
	known := []term.ID{g.Symbol.ID}
	with := map[term.ID]term.ID{}
	types := false
	for i, p := range g.Func.Params[g.Func.Form.Phantoms:] {
		if p.Type == b.TypeType() && b.knownType(args[i].term) {
			with[p.ID] = b.Given(args[i].term)
			types = true
		} else if s := b.Sym(args[i].term); s != nil && s.Kind == term.Func && !args[i].byVal {
			with[p.ID] = s.ID
		} else {
			continue
		}
		known = append(known, term.ID(i), with[p.ID])
	}
	if !types {
		return nil
	}
	key := fmt.Sprint(known)
	c, ok := b.copies.of[key]
	size := g.Func.Size()
	if ok || b.chain == maxChain || b.copies.count[g] == maxCopies || size > b.copies.room {
		return c
	}
	b.copies.count[g]++
	b.copies.room -= size
	c = b.copyWith(g, with)
	b.copies.of[key] = c
	return c
}

// copyWith makes a copy of a function with terms for some parameters. It returns nil if the copy would have
// types that are too large.
func (b *body) copyWith(g *check.Global, with map[term.ID]term.ID) *copied {
	seen := map[term.ID]bool{}
	fits := true
	var look func(t term.ID)
	look = func(t term.ID) {
		if t == 0 || seen[t] || b.Loose(t) || !b.IsType(t) {
			return
		}
		seen[t] = true
		fits = fits && b.remainsSmall(t)
		for a := range b.Parts(t) {
			look(a)
		}
	}
	f := g.Func.Copy(b.Graph, with, func(id term.ID) {
		look(id)
		if !b.Loose(id) {
			t := b.Graph.TypeOf(id)
			target, _, _ := b.Graph.Target(t)
			look(t)
			look(target)
		}
	})
	if !fits {
		return nil
	}
	c := &copied{abi: b.types.newABI(f.Params[f.Form.Phantoms:], f.Result)}
	for _, p := range g.Func.Params[g.Func.Form.Phantoms:] {
		c.known = append(c.known, with[p.ID] != 0)
	}
	c.fn = b.b.Func(b.fresh(g.Name), c.abi.sig)
	c.fn.Pos, c.fn.CopyOf = g.Pos, b.funcs[g]
	c.fn.Attrs |= ir.Internal
	chain := b.chain + 1
	b.work = append(b.work, func() { b.translator.body(f, c.fn, c.abi, chain) })
	return c
}

// remainsSmall reports whether the size of a type in a copy is below the limit that the function itself
// checks at run time, and small enough for the copy to be better than the function.
func (b *body) remainsSmall(t term.ID) bool {
	l := b.Layout(t)
	if l.Kind != term.Static || !b.types.rep(t).given {
		return true
	}
	if n, ok := b.LitOf(b.Arg(t, 1)); b.Op(t) == op.Array && ok && (n.Hi != 0 || n.Lo > math.MaxInt32) {
		return false
	}
	return l.Size.W8 <= maxKnown
}
