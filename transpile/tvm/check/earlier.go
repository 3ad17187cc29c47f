package check

import (
	"iter"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

// Modules that a running program loads are linked with those that it has loaded before. These are not checked again:
// a global of one becomes part of the program being checked when a name leads to it, and then has no body. So
// loading a module takes time for the module and for what it uses.

// Earlier are the modules that were loaded. It is empty at first.
type Earlier struct {
	byName map[string][]*earlier // in the order of modules
	count  int                   // of modules
}

// earlier is a global of such a module.
type earlier struct {
	*syntax.Global // without its body
	module         *earlierModule
	defined        bool
	entity         string // see Global.Entity
}

type earlierModule struct {
	number int
	text   string
	words  bool // some modules that were loaded together have linkage words
	names  map[string]*earlier
}

// visible reports whether later modules may see the global. Which modules come later is not known when a module is
// loaded, so the words that they have do not count.
func (e *earlier) visible() bool {
	return !e.module.words || e.Linkage == syntax.Export || e.Linkage == syntax.ODR
}

// Add adds the modules of a program that has been loaded. entity gives the names of variables and functions in the running
// program.
func (x *Earlier) Add(p *Program, list []*syntax.Module, entity func(g *Global) string) {
	if x.byName == nil {
		x.byName = map[string][]*earlier{}
	}
	entities := map[*syntax.Global]string{}
	for _, g := range p.Globals {
		entities[g.Syntax] = entity(g)
	}
	words := hasWords(list)
	for _, m := range list {
		x.count++
		mod := &earlierModule{number: x.count, text: m.Text.Src, words: words, names: map[string]*earlier{}}
		for _, s := range m.Globals {
			g := *s
			e := &earlier{Global: &g, module: mod, defined: !declares(s), entity: entities[s]}
			if s.Kind == syntax.Function {
				g.Body = nil
			}
			mod.names[s.Name.Text] = e
			x.byName[s.Name.Text] = append(x.byName[s.Name.Text], e)
		}
	}
}

// hasWords reports whether a module has a linkage word.
func hasWords(list []*syntax.Module) bool {
	for _, m := range list {
		for _, s := range m.Globals {
			if s.Linkage != syntax.NoLinkage || s.Extern {
				return true
			}
		}
	}
	return false
}

// loaded is a global of a module that was loaded.
func (c *checker) loaded(e *earlier) *global {
	m := c.old[e.module]
	if m == nil {
		m = &module{index: e.module.number - c.earlier.count - 1, names: map[string]*global{}, text: e.module.text, old: e.module}
		c.old[e.module] = m
	}
	g := m.names[e.Name.Text]
	if g == nil {
		g = &global{Global: e.Global, c: c, module: m, old: e}
		m.names[e.Name.Text] = g
	}
	return g
}

// named finds a global of a module.
func (c *checker) named(m *module, name string) *global {
	if g := m.names[name]; g != nil || m.old == nil {
		return g
	}
	if e := m.old.names[name]; e != nil {
		return c.loaded(e)
	}
	return nil
}

// all are the globals with a name in all modules, in their order.
func (c *checker) all(name string) iter.Seq[*global] {
	return func(yield func(*global) bool) {
		for _, e := range c.earlier.byName[name] {
			if !yield(c.loaded(e)) {
				return
			}
		}
		for _, m := range c.modules {
			if g := m.names[name]; g != nil && !yield(g) {
				return
			}
		}
	}
}

// meet looks for what a new definition is to modules that were loaded. It may define what they declare. It may not
// define what they define, because a function of TVM is what it is for good.
func (c *checker) meet(g *global) {
	if g.old != nil || g.declaration() || !g.visible() {
		return
	}
	for _, e := range c.earlier.byName[g.Name.Text] {
		switch {
		case !e.visible() && e.defined || e.Kind != g.Kind:
		case e.defined:
			c.errorf(g.Name.Pos, "%s redefined: a module that was loaded before defines it, and nothing is defined again; give this one another name, or make it private", g.Name.Text).Before(diag.Pos{})
			return
		case e.entity != "":
			g.out.Entity = e.entity
			c.resolve(c.loaded(e), g.Name.Pos) // compares the types
		}
	}
}
