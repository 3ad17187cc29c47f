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
// loop of an interpreter each case has such variables, and a jump.
//
// So in a function with many blocks, such variables share others, which are declared at its top.
// After the phi functions are made, Go's compiler has the same values as before. Which may share:
//
//   - The scope of a variable is the braces in which it is declared. If it is declared without a value, it has one
//     definition, or is a parameter of a block, and all paths to a use pass that; then its scope is
//     the innermost braces with all its uses. No jump enters braces, so it is assigned anew each
//     time they are entered, and dead outside.
//   - In its scope, it is used from the first statement that names it to the last, in the order of the text. If
//     a jump back leads from or to one of these, the statements between the jump and its target count too.
//   - Variables of a type that are not used at the same time share one.

// Pool lets variables of a function share others if its body has many blocks and many of them. The body has not been
// shaped yet. Only variables that own reports are considered; name makes names of others.
func Pool(b *Block, own func(string) bool, name func() string) {
	var c counter
	if c.block(b); c.blocks > crowd {
		poolMore(b, own, name, crowd)
	}
}

// poolMore lets variables share others if there are more than a number of them.
func poolMore(b *Block, own func(string) bool, name func() string, number int) {
	p := &pool{own: own, vars: map[string]*local{}, isOther: map[string]bool{}, labels: map[*Label]label{}}
	p.block(b)
	if shared := p.shared(); len(shared) > number {
		p.share(shared, name)
		p.replace(b)
		var top []Stmt
		for _, k := range p.kinds {
			for l := range slices.Chunk(k.names, maxNames) {
				top = append(top, &Var{at: at{b.At}, Names: l, T: k.t})
			}
		}
		b.List = append(top, b.List...)
	}
}

// A pool finds out where the variables of a function are used. Places are numbers of statements in the order of the text, from 1.
type pool struct {
	own     func(string) bool
	at      int // the current place
	joins   int // braces and labels so far
	scope   *scope
	vars    map[string]*local
	order   []*local
	labels  map[*Label]label
	kinds   []*kind
	isOther map[string]bool // variables that are shared
}

// A scope is the content of braces.
type scope struct {
	outer  *scope
	span        // of the statements in it
	closed bool // the span is known
	inner  []*scope
	back   []span // of loops, and from labels in it to jumps back; at the end disjoint and sorted
}

type span struct{ first, last int }

type label struct {
	in *scope
	at int
}

// A local is a variable.
type local struct {
	t           *Type
	in          *scope
	later       bool // declared without a value
	used        span // first is 0 before the first use of one that is declared without a value
	from, to    int  // joins at the declaration, and at the last use
	declaration *declaration
	shares      string // the variable that it shares, "" if it has its own name
}

// A declaration declares variables together.
type declaration struct {
	keep   bool // they have their own names
	across bool // one of them is used in another block
}

// A kind is a type of variables that are shared.
type kind struct {
	t     *Type
	names []string
	free  []string
}

func (p *pool) declare(name string, t *Type, d *declaration, later bool) {
	if l := p.vars[name]; l != nil { // not the only one of the name
		l.declaration.keep, d.keep = true, true
		return
	}
	d.keep = d.keep || t == nil || !p.own(name)
	l := &local{t: t, in: p.scope, later: later, from: p.joins, to: p.joins, declaration: d}
	if !later {
		l.used = span{p.at, p.at}
	}
	p.vars[name] = l
	p.order = append(p.order, l)
}

func (p *pool) use(name string) {
	l := p.vars[name]
	switch {
	case l == nil:
		return
	case l.used.first == 0:
		l.used.first, l.in = p.at, p.scope
	case l.later:
		for l.in.closed {
			l.in = l.in.outer
		}
	}
	l.used.last, l.to = p.at, p.joins
}

func (p *pool) block(b *Block) {
	if b == nil {
		return
	}
	s := &scope{outer: p.scope, span: span{first: p.at + 1}}
	if s.outer != nil {
		s.outer.inner = append(s.outer.inner, s)
	}
	p.scope = s
	p.joins++
	for _, st := range b.List {
		p.at++
		p.stmt(st)
	}
	p.joins++
	s.closed, s.last = true, p.at
	s.join()
	p.scope = s.outer
}

func (p *pool) stmt(s Stmt) {
	p.idents(s)
	switch s := s.(type) {
	case *Assign:
		p.declares(s)
	case *Var:
		for _, n := range s.Names {
			p.declare(n, s.T, &declaration{}, s.X == nil)
		}
	case *If:
		if init, ok := s.Init.(*Assign); ok {
			p.declares(init)
			expressions(&If{Cond: s.Cond}, p.names)
		}
	case *Range:
		p.declare(s.Key, nil, &declaration{}, false)
	case *Reads:
		p.use(s.Name)
	case *Mark:
		p.labels[s.L] = label{p.scope, p.at}
		p.joins++
	case *For:
		if s.Label != nil {
			p.labels[s.Label] = label{p.scope, p.at}
		}
	case *Goto:
		p.jump(s.L)
	case *Continue:
		p.jump(s.L)
	}
	from := p.at
	bodies(s, p.block)
	switch s.(type) {
	case *For, *Range:
		p.scope.back = append(p.scope.back, span{from, p.at})
	}
}

// jump notes a jump back.
func (p *pool) jump(l *Label) {
	if to, ok := p.labels[l]; ok {
		to.in.back = append(to.in.back, span{to.at, p.at})
	}
}

// declares notes the variables that an assignment declares.
func (p *pool) declares(s *Assign) {
	if !s.Define {
		return
	}
	d := &declaration{}
	for i, x := range s.L {
		if id, ok := x.(*Ident); ok && id.Name != "_" {
			p.declare(id.Name, s.Types[i], d, false)
		}
	}
}

// idents notes the variables that the expressions of a statement use.
func (p *pool) idents(s Stmt) { expressions(s, p.names) }

func (p *pool) names(x Expr) {
	switch x := x.(type) {
	case *Ident:
		p.use(x.Name)
	case *Unary:
		if x.Op == '&' {
			p.pointed(x.X)
		}
	case *Whole:
		p.pointed(x.X)
	}
	parts(x, p.names)
}

// pointed keeps the name of a variable to which there is a pointer.
func (p *pool) pointed(x Expr) {
	if id, ok := x.(*Ident); ok && p.vars[id.Name] != nil {
		p.vars[id.Name].declaration.keep = true
	}
}

// shared returns the variables that share others: those that are used in another block than they are declared
// in, with those that are declared together with them.
func (p *pool) shared() (out []*local) {
	for _, l := range p.order {
		l.declaration.across = l.declaration.across || l.to > l.from
	}
	for _, l := range p.order {
		if !l.declaration.keep && l.declaration.across && l.used.first > 0 {
			l.in.widen(&l.used)
			out = append(out, l)
		}
	}
	return out
}

// widen makes a span of places in a scope as long as a variable is used whose first and last use are there.
func (s *scope) widen(u *span) {
	if in := s.at(u.first); in != nil {
		u.first = in.before(u.first)
	}
	if in := s.at(u.last); in != nil {
		u.last = in.after(u.last)
	}
	if i := s.backFrom(u.first); i < len(s.back) && s.back[i].first <= u.last {
		u.first = min(u.first, s.back[i].first)
	}
	if i := s.backTo(u.last); i >= 0 && s.back[i].last >= u.first {
		u.last = max(u.last, s.back[i].last)
	}
}

// at is the scope directly in s that a place is in, nil if there is none.
func (s *scope) at(place int) *scope {
	i := sort.Search(len(s.inner), func(i int) bool { return s.inner[i].last >= place })
	if i < len(s.inner) && s.inner[i].first <= place {
		return s.inner[i]
	}
	return nil
}

// backFrom is the number of the first jump back whose span ends at a place or later.
func (s *scope) backFrom(place int) int {
	return sort.Search(len(s.back), func(i int) bool { return s.back[i].last >= place })
}

// backTo is the number of the last jump back whose span begins at a place or earlier, -1 if there is none.
func (s *scope) backTo(place int) int {
	return sort.Search(len(s.back), func(i int) bool { return s.back[i].first > place }) - 1
}

// before is the first place where a variable is used whose first use in the scope is at a place, if it is used to the end.
func (s *scope) before(place int) int {
	if in := s.at(place); in != nil {
		place = in.before(place)
	}
	if i := s.backFrom(place); i < len(s.back) {
		place = min(place, s.back[i].first)
	}
	return place
}

// after is the last place where a variable is used whose last use in the scope is at a place, if it is used from the beginning.
func (s *scope) after(place int) int {
	if in := s.at(place); in != nil {
		place = in.after(place)
	}
	if i := s.backTo(place); i >= 0 {
		place = max(place, s.back[i].last)
	}
	return place
}

// join sorts the spans of jumps back and joins those that overlap.
func (s *scope) join() {
	for i := range s.back {
		if b := &s.back[i]; s.at(b.last) != nil {
			b.last = s.at(b.last).after(b.last)
		}
	}
	slices.SortFunc(s.back, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	out := s.back[:0]
	for _, b := range s.back {
		if n := len(out); n > 0 && b.first <= out[n-1].last {
			out[n-1].last = max(out[n-1].last, b.last)
		} else {
			out = append(out, b)
		}
	}
	s.back = out
}

// share gives variables others, the first that is free.
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
	slices.SortStableFunc(list, func(a, b *local) int { return cmp.Compare(a.used.first, b.used.first) })
	ends := slices.Clone(list)
	slices.SortStableFunc(ends, func(a, b *local) int { return cmp.Compare(a.used.last, b.used.last) })
	for _, l := range list {
		for len(ends) > 0 && ends[0].used.last < l.used.first {
			k := kindOf(ends[0].t)
			k.free = append(k.free, ends[0].shares)
			ends = ends[1:]
		}
		k := kindOf(l.t)
		if n := len(k.free); n > 0 {
			l.shares, k.free = k.free[n-1], k.free[:n-1]
			continue
		}
		l.shares = name()
		k.names = append(k.names, l.shares)
		p.isOther[l.shares] = true
	}
}

// replace puts the shared variables into a block.
func (p *pool) replace(b *Block) {
	out := make([]Stmt, 0, len(b.List))
	for _, s := range b.List {
		expressions(s, p.rename)
		switch s := s.(type) {
		case *Assign:
			p.assigns(s)
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
				p.assigns(init)
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

// assigns makes an assignment of a declaration.
func (p *pool) assigns(s *Assign) {
	if s.Define && slices.ContainsFunc(s.L, func(x Expr) bool { id, ok := x.(*Ident); return ok && p.isOther[id.Name] }) {
		s.Define, s.Types = false, nil
	}
}

// other is the variable that a variable shares, "" if it has its own name.
func (p *pool) other(name string) string {
	if l := p.vars[name]; l != nil {
		return l.shares
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
