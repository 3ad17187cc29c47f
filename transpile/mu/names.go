package mu

import (
	"cmp"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// Clashes of expanded names (mu-language 3).
//
// A local name %x of a parent P expands to P.x. Two different definitions can
// only expand to one name if one of them is spelled with '@', or if one of the
// local names holds a dot; otherwise the local names are the same and the
// parents clash already, or the parent is the same and has reported it. So only
// functions are looked at
//
//   - whose name and a dot begin a name spelled with '@',
//   - whose own name begins with another function's name and a dot, or
//   - that have a local name with a dot.
//
// In those, all names are compared by hash. Others cost nothing a name.

// An expansion is the full name of something, hashed.
type expansion struct {
	hash uint64
	body int32 // element of loader.bodies; -1 for a name spelled with '@'
	blk  int32 // block of a variable or instruction; else -1
	name syntax.Name
	pos  diag.Pos
}

const fnvBasis, fnvPrime = 14695981039346656037, 1099511628211

func hash(h uint64, s string) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return h
}

// checkExpanded reports clashes of expanded names.
func (l *loader) checkExpanded() {
	risky := l.riskyFuncs()
	if len(risky) == 0 {
		return
	}
	var all []expansion
	for i, at := range l.entOf {
		if at == 0 {
			continue
		}
		s := syntax.Sym(i << 1)
		name := l.syms.String(s)
		if l.hasRiskyPrefix(name, risky) {
			all = append(all, expansion{hash(fnvBasis, name), -1, -1, syntax.Name{Sym: s}, l.ents[at].pos})
		}
	}
	for i := range l.bodies {
		if risky[l.bodies[i].def.Name.Sym] {
			all = l.expansions(all, i)
		}
	}
	slices.SortFunc(all, func(a, b expansion) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), a.pos.Compare(b.pos))
	})
	for i := 1; i < len(all); i++ {
		a, b := &all[i-1], &all[i]
		if a.hash != b.hash || a.name.Sym == b.name.Sym {
			continue
		}
		if full := l.fullName(b); full == l.fullName(a) {
			l.diags.Errorf(b.pos, "%s redefined: its full name is %s", l.name(b.name), full).Also(a.pos, "previous definition")
		}
	}
}

// riskyFuncs finds the functions in which clashes are possible.
func (l *loader) riskyFuncs() map[syntax.Sym]bool {
	risky := map[syntax.Sym]bool{}
	for i, at := range l.entOf {
		if at == 0 {
			continue
		}
		s := syntax.Sym(i << 1)
		name := l.syms.String(s)
		for k := 1; k < len(name); k++ {
			if name[k] != '.' {
				continue
			}
			p := l.syms.Lookup(name[:k])
			if p == 0 {
				continue
			}
			if e := l.find(p); e != nil && e.kind == entFunc {
				risky[p] = true
				if l.ents[at].kind == entFunc {
					risky[s] = true
				}
			}
		}
	}
	dotted := make([]bool, l.syms.Len())
	some := false
	for i := 1; i < len(dotted); i++ {
		name := l.syms.String(syntax.Sym(i << 1))
		dotted[i] = name[0] == '%' && strings.IndexByte(name, '.') >= 0
		some = some || dotted[i]
	}
	if !some {
		return risky
	}
	for i := range l.bodies {
		d := l.bodies[i].def
		found := dotted[d.Version.Sym.Index()]
		for k := range d.Blocks {
			found = found || dotted[d.Blocks[k].Name.Sym.Index()]
			names(&d.Blocks[k], func(n syntax.Name) { found = found || dotted[n.Sym.Index()] })
		}
		if found {
			risky[d.Name.Sym] = true
		}
	}
	return risky
}

func (l *loader) hasRiskyPrefix(name string, risky map[syntax.Sym]bool) bool {
	for k := 1; k < len(name); k++ {
		if name[k] == '.' && risky[l.syms.Lookup(name[:k])] {
			return true
		}
	}
	return false
}

// expansions appends the names that local names of a body expand to.
func (l *loader) expansions(all []expansion, body int) []expansion {
	def := &l.bodies[body]
	add := func(parent uint64, n syntax.Name, blk int) uint64 {
		s := l.name(n)
		if !n.Sym.Local() {
			return hash(fnvBasis, s)
		}
		h := hash((parent^'.')*fnvPrime, s[1:])
		all = append(all, expansion{h, int32(body), int32(blk), n, def.bundle.Pos(n.Off)})
		return h
	}
	v := add(hash(fnvBasis, l.name(def.def.Name)), def.def.Version, -1)
	for i := range def.def.Blocks {
		blk := &def.def.Blocks[i]
		h := add(v, blk.Name, -1)
		names(blk, func(n syntax.Name) { add(h, n, i) })
	}
	return all
}

func (l *loader) fullName(x *expansion) string {
	if x.body < 0 {
		return l.name(x.name)
	}
	def := &l.bodies[x.body]
	if x.name == def.def.Version {
		return def.ver.Name
	}
	if x.blk < 0 {
		return l.expand(def.ver.Name, x.name)
	}
	return l.expand(l.expand(def.ver.Name, def.def.Blocks[x.blk].Name), x.name)
}
