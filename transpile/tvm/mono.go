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
// A direct call whose arguments for parameters of type `type` have a size that is known calls a copy
// of the function, which does not have these parameters. In the copy, a term.Given stands for each:
// types made from it have a known size, too, so values are scalars and no sizes are computed.
// Arguments that are functions, such as one that compares two values, are known in the copy as well.
// There is one copy for each function and list of arguments, whatever the caller. Calls in a copy
// make further copies, up to the limits below; other calls call the function itself.
//
// A copy does what the function does: values of given types are copied with all their bytes (see rep),
// taking the address of the function, and calling it without such arguments, uses the function itself;
// and messages give a copy the name of the function.

const (
	// maxKnown is the size in bytes of the largest type that is known in a copy. A function whose
	// copy would have a larger one has none.
	maxKnown = 1 << 16
	// maxCopies is how many copies a function has at most.
	maxCopies = 32
	// maxChain is how many copies lead to a copy, each called by the one before.
	maxChain = 8
	// Copies have no more instructions than copySlack, and copyTimes as many as all functions.
	copySlack = 2000
	copyTimes = 4
)

// A copied is a copy of a function.
type copied struct {
	fn    *ir.Function
	abi   *abi
	known []bool // of the ordinary parameters: which the copy does not have
}

// copies are the copies that have been made.
type copies struct {
	of    map[string]*copied // nil if there can be none
	count map[*check.Global]int
	room  int // instructions that there may still be
}

// remaining are the arguments that a copy takes.
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

// copyWith makes a copy of a function with terms for some parameters, nil if it would have too large
// types.
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

// remainsSmall reports whether a type in a copy has no size that the function itself would find too
// large when it computes it, or that makes copying worse than the function is.
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
