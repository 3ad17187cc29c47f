package gotree

import (
	"cmp"
	"slices"
	"sort"
)

// Variables of large functions.
//
// Go's compiler inserts phi functions for each variable that is read in another block of machine
// code than it is assigned in. It does not ask where the variable is dead (ssagen/phi.go,
// insertVarPhis). So a variable that is only used in one turn of a loop gets a phi function at the head
// of the loop, with an argument for each jump to it, and a walk through all blocks of the loop. In the
// loop of an interpreter each case has such variables, and a jump. If loops nest, with parameters each, the
// parameters of all have phi functions at the heads of all.
//
// So in a function with many blocks, such variables share others, which are declared at its top.
// After the phi functions are made, Go's compiler has the same values as before. Variables of a type may share one if
// they are not live at the same place (live.go); if one is assigned to the other, that is preferred, and the assignment goes.

// Pool lets variables of a function share others if its body has many, and many blocks. The body has not been
// shaped yet. Only variables that own reports are considered; name makes names of others.
func Pool(b *Block, own func(string) bool, name func() string) { poolMore(b, own, name, crowd*crowd) }

// poolMore lets variables share others if the product of their number and that of the blocks, which is how many phi functions
// there may be, is more than a number.
func poolMore(b *Block, own func(string) bool, name func() string, number int) {
	var c counter
	if c.block(b); c.blocks <= number/max(1, c.vars) {
		return
	}
	p := &pool{live: newLive(b, own), isOther: map[string]bool{}}
	list := p.candidates()
	if c.blocks <= number/max(1, len(list)) {
		return
	}
	p.share(list, name)
	p.replace(b)
	var top []Stmt
	for _, k := range p.kinds {
		for l := range slices.Chunk(k.names(), maxNames) {
			top = append(top, &Var{at: at{b.At}, Names: l, T: k.t})
		}
	}
	b.List = append(top, b.List...)
}

// A pool lets variables share others.
type pool struct {
	*live
	kinds   []*kind
	isOther map[string]bool // variables that are shared
}

// A kind is a type of variables that are shared.
type kind struct {
	t    *Type
	all  []*shared
	free []*shared // perhaps: dead from some place on when they were put there
	next int       // where in all the next search begins
}

// A shared is a variable that others share.
type shared struct {
	name string
	kind *kind
	busy []span // where those are live, the last first; those that the search has passed are left out
}

func (k *kind) names() (list []string) {
	for _, s := range k.all {
		list = append(list, s.name)
	}
	return list
}

// free reports whether nothing that shares the variable is live in spans, which are disjoint and in order.
func (s *shared) free(spans []span) bool {
	for _, l := range spans {
		i := sort.Search(len(s.busy), func(i int) bool { return s.busy[i].first <= l.last })
		if i < len(s.busy) && s.busy[i].last >= l.first {
			return false
		}
	}
	return true
}

// take makes a variable share it. Variables come in the order in which they are first live.
func (s *shared) take(l *local) {
	l.shares = s
	for n := len(s.busy); n > 0 && s.busy[n-1].last < l.spans[0].first; n-- {
		s.busy = s.busy[:n-1]
	}
	for _, sp := range slices.Backward(l.spans) {
		i := len(s.busy)
		for i > 0 && s.busy[i-1].first < sp.first {
			i--
		}
		s.busy = slices.Insert(s.busy, i, sp)
	}
}

// candidates returns the variables that share others: those that are used in another run of statements than they are declared
// in, with those that are declared together with them.
func (p *pool) candidates() (out []*local) {
	p.find()
	for _, l := range p.order {
		d := l.declaration
		d.across = d.across || l.across
		d.keep = d.keep || l.spans == nil
	}
	for _, l := range p.order {
		if !l.declaration.keep && l.declaration.across {
			out = append(out, l)
		}
	}
	return out
}

// maxTries is how many variables are tried that are live again later.
const maxTries = 16

// share gives variables others.
func (p *pool) share(list []*local, name func() string) {
	kinds := map[string]*kind{}
	kindOf := func(t *Type) *kind {
		key := String(t)
		k := kinds[key]
		if k == nil {
			k = &kind{t: t}
			kinds[key] = k
			p.kinds = append(p.kinds, k)
		}
		return k
	}
	slices.SortStableFunc(list, func(a, b *local) int { return cmp.Compare(a.spans[0].first, b.spans[0].first) })
	ends := slices.Clone(list)
	slices.SortStableFunc(ends, func(a, b *local) int { return cmp.Compare(a.end(), b.end()) })
	for _, l := range list {
		for len(ends) > 0 && ends[0].end() < l.spans[0].first {
			s := ends[0].shares
			s.kind.free = append(s.kind.free, s)
			ends = ends[1:]
		}
		k := kindOf(l.t)
		s := k.choose(l)
		if s == nil {
			s = &shared{name: name(), kind: k}
			k.next = len(k.all)
			k.all = append(k.all, s)
			p.isOther[s.name] = true
		}
		s.take(l)
	}
}

// choose returns the variable that a variable shares: one that it is assigned to or from; one that is not used any more;
// one that is used again only after it; nil if none is found.
func (k *kind) choose(l *local) *shared {
	for _, o := range l.copies {
		if s := o.shares; s != nil && s.kind == k && s.free(l.spans) {
			return s
		}
	}
	for n := len(k.free); n > 0; n = len(k.free) {
		s := k.free[n-1]
		k.free = k.free[:n-1]
		if s.free(l.spans) {
			return s
		}
	}
	for range min(len(k.all), maxTries) {
		if k.next++; k.next >= len(k.all) {
			k.next = 0
		}
		if s := k.all[k.next]; s.free(l.spans) {
			return s
		}
	}
	return nil
}

// replace puts the shared variables into a block.
func (p *pool) replace(b *Block) {
	out := make([]Stmt, 0, len(b.List))
	for _, s := range b.List {
		expressions(s, p.rename)
		switch s := s.(type) {
		case *Assign:
			if p.assigns(s); len(s.L) == 0 {
				continue
			}
		case *Var:
			if s.X != nil && p.other(s.Names[0]) != "" {
				out = append(out, &Assign{at: s.at, L: []Expr{&Ident{Name: p.other(s.Names[0])}}, R: []Expr{s.X}})
				continue
			}
			if s.Names = slices.DeleteFunc(slices.Clone(s.Names), func(n string) bool { return p.other(n) != "" }); len(s.Names) == 0 {
				continue
			}
		case *If:
			if init, ok := s.Init.(*Assign); ok {
				if p.assigns(init); len(init.L) == 0 {
					s.Init = nil
				}
			}
		case *Reads:
			if o := p.other(s.Name); o != "" {
				s.Name = o
			}
		}
		bodies(s, p.replace)
		out = append(out, s)
	}
	b.List = out
}

// assigns makes an assignment of a declaration, and leaves out what is assigned to itself.
func (p *pool) assigns(s *Assign) {
	if s.Define {
		if !slices.ContainsFunc(s.L, func(x Expr) bool { id, ok := x.(*Ident); return ok && p.isOther[id.Name] }) {
			return
		}
		s.Define, s.Types = false, nil
	}
	if len(s.L) != len(s.R) {
		return
	}
	var l, r []Expr
	for i, x := range s.L {
		to, ok := x.(*Ident)
		if from, too := s.R[i].(*Ident); ok && too && to.Name == from.Name && p.isOther[to.Name] {
			continue
		}
		l, r = append(l, x), append(r, s.R[i])
	}
	s.L, s.R = l, r
}

// other is the variable that a variable shares, "" if it has its own name.
func (p *pool) other(name string) string {
	if l := p.vars[name]; l != nil && l.shares != nil {
		return l.shares.name
	}
	return ""
}

func (p *pool) rename(x Expr) {
	if id, ok := x.(*Ident); ok {
		if o := p.other(id.Name); o != "" {
			id.Name = o
		}
	}
	parts(x, p.rename)
}
