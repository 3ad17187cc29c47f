package check

import (
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// A solidity decides which terms can be computed at run time at some place
// (docs/tvm.md, "Terms and types").
type solidity struct {
	c     *checker
	known trail   // terms that can be computed
	bad   term.ID // the last term found that cannot be computed
	// within has the terms that are being computed. A type that has itself as a part by value is an error, which others report;
	// nothing more is needed of it here.
	within map[term.ID]bool
}

// A trail is a set of terms whose additions can be undone.
type trail struct {
	in  map[term.ID]bool
	log []term.ID // in the order in which they were added
}

func (t *trail) has(id term.ID) bool { return t.in[id] }

func (t *trail) add(id term.ID) {
	if !t.in[id] {
		if t.in == nil {
			t.in = map[term.ID]bool{}
		}
		t.in[id] = true
		t.log = append(t.log, id)
	}
}

// undo removes the terms that were added after the log had length n.
func (t *trail) undo(n int) {
	for _, id := range t.log[n:] {
		delete(t.in, id)
	}
	t.log = t.log[:n]
}

// complaint says why a term cannot be computed, after solid has returned false for it.
func (s *solidity) complaint(id term.ID) string {
	what, within := "phantom value", ""
	if s.unsized() {
		what = "type without a size"
	}
	if s.bad != id {
		within = " of " + s.c.String(id)
	}
	return what + " required at run time: " + s.c.String(s.bad) + within
}

// unsized reports whether the last term found is a type without values in memory.
func (s *solidity) unsized() bool {
	o := s.c.Op(s.bad)
	return o == op.Function || o == op.UprefType
}

// solid reports whether a term can be computed.
func (s *solidity) solid(id term.ID) bool {
	n := *s.c.At(id)
	if t := s.c.TypeOf(id); t != 0 && s.c.Layout(t).Kind == term.NoData {
		s.bad = id
		return false
	}
	if id == 0 || !n.Phantom && !n.Unsized || s.known.has(id) || s.within[id] {
		return true
	}
	if s.within == nil {
		s.within = map[term.ID]bool{}
	}
	s.within[id] = true
	ok := s.compute(id, n)
	delete(s.within, id)
	if !ok {
		return false
	}
	s.known.add(id)
	return true
}

func (s *solidity) all(ids []term.ID) bool {
	for _, id := range ids {
		if !s.solid(id) {
			return false
		}
	}
	return true
}

func (s *solidity) compute(id term.ID, n term.Node) bool {
	c := s.c
	switch n.Op {
	case op.Pointer, op.Member, op.MemberPtr, op.BasePtr:
		return true
	case op.Function, op.UprefType:
		s.bad = id
		return false
	case op.Apply:
		if schema := c.Schema(id); schema != nil && schema.Value {
			return s.all(n.Args[1+min(schema.Phantoms, len(n.Args)-1):])
		}
		return s.solid(c.Body(id))
	case op.Exists:
		params, result := c.Open(id)
		for _, p := range params {
			p.Phantom = true
		}
		return s.solid(result)
	case op.Constant:
		return s.solid(c.TypeOf(n.Args[0]))
	case op.PointerCast, op.Specialize, op.Unwrap, op.Unapply, op.Unbase, op.MemberInner:
		return s.solid(n.Args[0])
	case op.IntroduceExists:
		return s.solid(n.Args[1])
	case op.PointerOffset:
		t, _, _ := c.Target(c.TypeOf(n.Args[0]))
		return s.all(n.Args) && (c.Layout(t).Kind == term.NoData || s.solid(t)) // NoData was reported
	case op.Gep:
		t, _, _ := c.Target(c.TypeOf(n.Args[0]))
		return s.solid(n.Args[0]) && s.upTo(t, n.Args[1])
	case op.OuterPtr:
		_, u, _ := c.Target(c.TypeOf(n.Args[0]))
		return s.solid(n.Args[0]) && s.upTo(c.Outer(u), c.Arg(u, 0))
	case op.MemberOuter:
		return s.solid(n.Args[0]) && s.solid(c.Arg(c.TypeOf(n.Args[0]), 0))
	case op.StructM, op.ArrayM, op.UnionM, op.StructEo:
		return s.upTo(c.Unfolded(n.Args[0]), n.Args[1])
	case op.StructV, op.ArrayV, op.UnionV:
		return s.all(n.Args) && s.solid(c.TypeOf(id))
	case op.Element:
		t := c.TypeOf(n.Args[0])
		if c.Op(t) == op.Array && !s.solid(c.Arg(t, 1)) { // the index is compared with the length
			return false
		}
		return s.solid(n.Args[0]) && s.upTo(t, n.Args[1])
	case op.Zero:
		return s.solid(n.Args[0]) && s.constants(n.Args[0], map[term.ID]bool{})
	case op.Symbol:
		if n.Sym.Phantom {
			s.bad = id
		}
		return !n.Sym.Phantom
	case op.UnwrapParam, op.Derived, op.BaseOffset, op.BaseOff, op.UprefNull, op.Upref, op.Bound:
		s.bad = id
		return false
	case op.Poly:
		for a := range c.Parts(id) {
			if !s.solid(a) {
				return false
			}
		}
		return true
	}
	return s.all(n.Args)
}

// constants reports whether the zero of a type can be computed: the values of its parts whose types are
// constant. The types in seen are done.
func (s *solidity) constants(t term.ID, seen map[term.ID]bool) bool {
	c := s.c
	if seen[t] || c.ZeroBytes(t) {
		return true
	}
	seen[t] = true
	switch args := c.Args(t); c.Op(t) {
	case op.Constant:
		return s.solid(args[0])
	case op.Struct:
		for _, m := range args {
			if !s.constants(m, seen) {
				return false
			}
		}
		return true
	case op.Array:
		return s.constants(args[0], seen)
	}
	return s.constants(c.Body(t), seen)
}

// upTo reports whether the offset of a part can be computed.
func (s *solidity) upTo(t, i term.ID) bool {
	switch args := s.c.Args(t); s.c.Op(t) {
	case op.Struct:
		k, _ := s.c.IndexOf(i)
		return s.all(args[:min(k+1, len(args))])
	case op.Array:
		return s.solid(i) && s.solid(args[0])
	}
	return true
}
