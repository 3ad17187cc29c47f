package mu

import (
	"cmp"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// Clashes of expanded names (docs/language.md, "Names").
//
// A local name %x of a parent P expands to P.x. Two different definitions can
// only expand to the same name
//
//   - if one of them, or a parent of one, is spelled with '@', and its name begins
//     with the name of the other, or of a parent of it, that is spelled with '@',
//     and a dot (functions always are);
//   - or if they are in one function, and a version or block in it has a dot in
//     its name; otherwise the components of the full names are known, and equal.
//
// So only functions where a clash is possible are examined, and in these all names
// are compared by hash. In other functions names cost nothing.

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
	risky, all := l.riskyFuncs()
	if len(risky) == 0 {
		return
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
			l.diags.Errorf(b.pos, "%s redefined: its full name is %s", l.name(b.name), full).Before(a.pos)
		}
	}
}

// riskyFuncs finds the functions in which clashes are possible, and the names
// spelled with '@' that local names in them could expand to.
func (l *loader) riskyFuncs() (map[syntax.Sym]bool, []expansion) {
	risky := map[syntax.Sym]bool{}
	var all []expansion
	for i, at := range l.entOf {
		if at == 0 {
			continue
		}
		e := &l.ents[at]
		s := syntax.Sym(i << 1)
		name := l.syms.String(s)
		found := false
		for k := strings.IndexByte(name, '.'); k > 0; {
			if p := l.syms.Lookup(name[:k]); p != 0 {
				if parent := l.find(p); parent != nil && parent.owner != 0 {
					risky[parent.owner] = true
					found = true
				}
			}
			n := strings.IndexByte(name[k+1:], '.')
			if n < 0 {
				break
			}
			k += 1 + n
		}
		if found {
			all = append(all, expansion{hash(fnvBasis, name), -1, -1, syntax.Name{Sym: s}, e.pos})
			if e.owner != 0 {
				risky[e.owner] = true
			}
		}
	}
	for i := range l.bodies {
		if b := &l.bodies[i]; b.dotted {
			risky[b.def.Name.Sym] = true
		}
	}
	return risky, all
}

// dotted reports whether a name is local and has a dot.
func (l *loader) dotted(n syntax.Name) bool {
	return n.Sym.Local() && strings.IndexByte(l.syms.String(n.Sym), '.') >= 0
}

// blocks gives the blocks of a body, which may be valid only until those of another are asked for.
func (def *bodyDef) blocks() []syntax.Block {
	if def.from != nil {
		def.from.Read(def.def)
	}
	return def.def.Blocks
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
		if l.nameless(n.Sym) {
			return h // no name expands to it
		}
		all = append(all, expansion{h, int32(body), int32(blk), n, def.bundle.Pos(n.Off)})
		return h
	}
	v := add(hash(fnvBasis, l.name(def.def.Name)), def.def.Version, -1)
	blocks := def.blocks()
	for i := range blocks {
		blk := &blocks[i]
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
	return l.expand(l.expand(def.ver.Name, def.blocks()[x.blk].Name), x.name)
}
