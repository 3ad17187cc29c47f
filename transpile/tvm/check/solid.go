package check

import (
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// A solidity knows which terms can be computed at run time at some place (section 6).
type solidity struct {
	c     *checker
	known map[term.ID]bool // that can
	log   []term.ID        // in the order in which they were found
	bad   term.ID          // the phantom that was found last
}

// undo forgets what was found after the log had a length.
func (s *solidity) undo(n int) {
	for _, id := range s.log[n:] {
		delete(s.known, id)
	}
	s.log = s.log[:n]
}

// learn says that a term can be computed.
func (s *solidity) learn(id term.ID) {
	if !s.known[id] {
		s.known[id] = true
		s.log = append(s.log, id)
	}
}

// text names the phantom that was found last.
func (s *solidity) text() string { return s.c.String(s.bad) }

// solid reports whether a term can be computed.
func (s *solidity) solid(id term.ID) bool {
	n := *s.c.At(id)
	if n.Op == op.UprefNull {
		s.bad = id
		return false
	}
	if id == 0 || !n.Phantom || s.known[id] {
		return true
	}
	if !s.compute(id, n) {
		return false
	}
	s.learn(id)
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
	case op.Pointer, op.Function, op.Member, op.MemberPtr, op.BasePtr, op.UprefType:
		return true
	case op.Apply:
		if schema := c.Schema(id); schema != nil && schema.Value {
			return s.all(n.Args[1+min(schema.Phantoms, len(n.Args)-1):])
		}
		return s.solid(c.Body(id))
	case op.Exists:
		_, result := c.Open(id)
		params, _ := c.Open(id)
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
		return s.all(n.Args) && s.solid(t)
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
	case op.Zero, op.Undef:
		return s.solid(n.Args[0])
	case op.Symbol:
		if n.Sym.Phantom {
			s.bad = id
		}
		return !n.Sym.Phantom
	case op.UnwrapParam, op.Derived, op.BaseOffset, op.BaseOff, op.UprefNull, op.Upref, op.Bound:
		s.bad = id
		return false
	case op.Poly:
		for _, p := range n.Sums {
			if !s.all(p.Atoms) {
				return false
			}
		}
		return true
	}
	return s.all(n.Args)
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
