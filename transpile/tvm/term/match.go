package term

import "github.com/uvm2go/uvm2go/transpile/tvm/op"

// A Mode says how the place whose type is matched is used.
type Mode uint8

// The modes.
const (
	Read Mode = iota
	Write
	Exact
)

// flip is the mode of parameters of functions.
func (m Mode) flip() Mode {
	switch m {
	case Read:
		return Write
	case Write:
		return Read
	}
	return m
}

type matcher struct {
	g    *Graph
	wild map[ID]int // the symbols that may stand for anything, with their numbers
	got  []ID
	seen map[pair]bool
	// inner has the parameters of the binders around the current place: a parameter of the pattern cannot stand
	// for a term that contains them.
	inner map[ID]bool
}

type pair struct {
	e, a ID
	mode Mode
}

// Match reports whether a term of type a may be used where e is expected.
func (g *Graph) Match(e, a ID, mode Mode) bool {
	if e == a {
		return e != 0
	}
	m := &matcher{g: g, seen: map[pair]bool{}}
	return m.match(e, a, mode)
}

// MatchExists finds what an exists type hides in a type: one term for each parameter, 0 for those
// that are not used. ok is false if the type does not fit.
func (g *Graph) MatchExists(e, a ID) (hidden []ID, ok bool) {
	params, pattern := g.Open(e)
	m := &matcher{g: g, wild: map[ID]int{}, got: make([]ID, len(params)), seen: map[pair]bool{}, inner: map[ID]bool{}}
	for i, p := range params {
		m.wild[p.ID] = i
	}
	return m.got, m.match(pattern, a, Read)
}

func (m *matcher) match(e, a ID, mode Mode) bool {
	if e == 0 || a == 0 {
		return false
	}
	if i, ok := m.wild[e]; ok {
		return m.bind(e, i, a)
	}
	if e == a {
		return true
	}
	k := pair{e, a, mode}
	if r, ok := m.seen[k]; ok {
		return r
	}
	r := m.compare(e, a, mode)
	m.seen[k] = r
	return r
}

// bind lets a parameter of the pattern stand for a term.
func (m *matcher) bind(e ID, i int, a ID) bool {
	if m.got[i] != 0 {
		return m.match(m.got[i], a, Exact)
	}
	if len(m.inner) > 0 && m.g.Mentions(a, m.inner) {
		return false
	}
	want, have := m.g.TypeOf(e), m.g.TypeOf(a)
	if want != have && !m.match(want, have, Exact) {
		return false
	}
	m.got[i] = a
	return true
}

func (m *matcher) compare(e, a ID, mode Mode) bool {
	g := m.g
	ne, na := g.nodes[e], g.nodes[a]
	switch {
	case ne.Op == op.UprefNull:
		return mode == Read
	case na.Op == op.UprefNull:
		return mode == Write
	case ne.Op == op.BaseOff || na.Op == op.BaseOff:
		off := e
		if ne.Op != op.BaseOff {
			off = a
		}
		t := g.TypeOf(off)
		return m.match(g.TypeOf(e), t, Exact) && m.match(g.TypeOf(a), t, Exact)
	case ne.Op != na.Op || len(ne.Args) != len(na.Args) && ne.Op != op.Upref:
		return false
	}
	switch ne.Op {
	case op.Pointer:
		return m.match(ne.Args[0], na.Args[0], Exact) && m.match(ne.Args[1], na.Args[1], mode)
	case op.Array:
		return m.match(ne.Args[0], na.Args[0], mode) && m.match(ne.Args[1], na.Args[1], Exact)
	case op.Struct, op.Union:
		return m.all(ne.Args, na.Args, mode)
	case op.Apply:
		return ne.Args[0] == na.Args[0] && m.all(ne.Args[1:], na.Args[1:], mode)
	case op.Upref:
		if ne.Args[0] != na.Args[0] || !m.match(ne.Args[1], na.Args[1], mode) {
			return false
		}
		return len(ne.Args) == 2 && len(na.Args) == 2 || m.match(g.Outer(e), g.Outer(a), Exact)
	case op.Function:
		return ne.Imm == na.Imm && string(ne.Attr) == string(na.Attr) && m.binder(e, a, mode)
	case op.Exists:
		return m.binder(e, a, mode)
	case op.Symbol, op.Lit, op.Poly, op.Bound:
		return false
	}
	return ne.Imm == na.Imm && m.all(ne.Args, na.Args, Exact)
}

func (m *matcher) all(e, a []ID, mode Mode) bool {
	for i := range e {
		if !m.match(e[i], a[i], mode) {
			return false
		}
	}
	return true
}

// binder compares function types or exists types, with the parameters of the one in both.
func (m *matcher) binder(e, a ID, mode Mode) bool {
	g := m.g
	params, result := g.Open(e)
	ids := IDs(params)
	of := Exact
	if g.Op(e) == op.Function {
		of = mode.flip()
	}
	if m.inner != nil {
		for _, id := range ids {
			m.inner[id] = true
			defer delete(m.inner, id)
		}
	}
	for i, p := range params {
		if !m.match(p.Type, g.ParamType(a, i, ids), of) {
			return false
		}
	}
	return m.match(result, g.ParamType(a, len(ids), ids), mode)
}

// Mentions reports whether one of some terms is in a term.
func (g *Graph) Mentions(id ID, of map[ID]bool) bool {
	first := ID(len(g.nodes)) // nodes older than all of them cannot contain them
	for o := range of {
		first = min(first, o)
	}
	seen := map[ID]bool{}
	var in func(id ID) bool
	in = func(id ID) bool {
		if id < first || of[id] || seen[id] {
			return of[id]
		}
		seen[id] = true
		for a := range g.Parts(id) {
			if in(a) {
				return true
			}
		}
		return false
	}
	return in(id)
}

// maxUpcasts bounds the number of types that an upcast examines.
const maxUpcasts = 1000

// Assignable reports whether a term of type a may be used where e is expected: it matches, it is
// the body of the instance of a schema, or a pointer to a type that begins with the target of e.
func (g *Graph) Assignable(e, a ID) bool {
	if g.Match(e, a, Read) {
		return true
	}
	if body := g.Body(e); body != 0 && g.Match(body, a, Read) {
		return true
	}
	if g.Op(e) != op.Pointer || g.Op(a) != op.Pointer {
		return false
	}
	zero := g.Index(0)
	work := []ID{a}
	for steps := 0; len(work) > 0 && steps < maxUpcasts; steps++ {
		a = work[0]
		work = work[1:]
		if steps > 0 && g.Match(e, a, Read) {
			return true
		}
		t, u, _ := g.Target(a)
		switch n := g.nodes[t]; n.Op {
		case op.Union:
			for i := range n.Args {
				work = append(work, g.Mk(op.Pointer, n.Args[i], g.Upref(g.Index(i), u, t)))
			}
		case op.Struct, op.Apply:
			if p := g.Part(t, zero); p != 0 {
				work = append(work, g.Mk(op.Pointer, p, g.Upref(zero, u, t)))
			}
		}
	}
	return false
}
