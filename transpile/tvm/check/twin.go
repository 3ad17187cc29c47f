package check

import (
	"maps"
	"sort"

	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

// Schemas that several modules define with the same tokens are the same if the names in them mean the same:
// types made from either are equal.

// A pair is two globals that may mean the same.
type pair struct{ a, b *global }

// twin finds a schema of an earlier module that is the same.
func (c *checker) twin(g *global) *global {
	if g.Kind != syntax.Recursive && g.Kind != syntax.Base {
		return nil
	}
	for d := range c.all(g.Name.Text) {
		if d.module.index >= g.module.index {
			break
		}
		seen := map[pair]bool{}
		if c.alike(pair{d, g}, seen) {
			maps.Copy(c.twins, seen)
			return d
		}
	}
	return nil
}

// alike reports whether two globals mean the same, on the assumption that the pairs in seen do. It adds the
// pairs that it has compared to seen.
func (c *checker) alike(p pair, seen map[pair]bool) bool {
	if p.a == p.b || seen[p] || c.twins[p] {
		return true
	}
	if p.a == nil || p.b == nil || p.a.Kind != p.b.Kind {
		return false
	}
	seen[p] = true
	if p.a.Kind == syntax.Function || p.a.Kind == syntax.Variable {
		a, b := c.definition(p.a), c.definition(p.b)
		return a == p.b || b == p.a || a != nil && a == b
	}
	a, b := p.a.written(), p.b.written()
	if len(a) != len(b) {
		return false
	}
	bound := map[string]bool{p.a.Derived.Text: true, p.a.Offset.Text: true}
	for i, w := range a {
		if w != b[i] {
			return false
		}
		if i+1 < len(a) && a[i+1] == ":" {
			bound[w] = true
		}
	}
	for _, w := range a {
		if w[0] == '%' && !bound[w] && !c.alike(pair{c.find(p.a.module, w), c.find(p.b.module, w)}, seen) {
			return false
		}
	}
	return true
}

// written are the tokens of a global.
func (g *global) written() []string {
	m := g.module
	if m.tokens == nil {
		m.tokens = syntax.Scan(m.text).Tokens
	}
	var out []string
	first := sort.Search(len(m.tokens), func(i int) bool { return uint32(m.tokens[i].Off) >= g.Pos.Off })
	for _, t := range m.tokens[first:] {
		if t.Kind == ';' || t.Kind == syntax.EOF {
			break
		}
		out = append(out, m.text[t.Off:t.End])
	}
	return out
}
