package mu

import (
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// maxHints is the number of unknown names of one run for which near misses are
// looked for: each search goes through all names.
const maxHints = 30

// unknown reports an unknown name where an entity of a kind is expected.
func (l *loader) unknown(n syntax.Name, want entKind) {
	if l.gaps {
		return
	}
	what := map[entKind]string{entType: "type", entSig: "signature", entFunc: "function"}[want]
	if what == "" {
		what = "name"
	}
	ok := func(k entKind) bool { return k == want }
	if want == entConst {
		ok = entKind.isGlobalVar
	}
	l.errorf(n.Off, "unknown %s %s%s", what, l.name(n), l.hint(n, func(f func(string)) { l.eachEntity(ok, f) }))
}

// skipped reports unknown names in parts of bodies that could not be read.
func (l *loader) skipped(b *syntax.Bundle) {
	for _, n := range b.Skipped {
		if l.look(n.Sym) == nil {
			l.unknown(n, entType)
		}
	}
}

// eachEntity calls f with the names of all entities of certain kinds.
func (l *loader) eachEntity(ok func(entKind) bool, f func(string)) {
	for i, at := range l.entOf {
		if at != 0 && ok(l.ents[at].kind) {
			f(l.syms.String(syntax.Sym(i << 1)))
		}
	}
}

// hintValue suggests a name for an unknown operand.
func (b *body) hintValue(n syntax.Name) string {
	name := b.name(n)
	if n.Sym.Local() {
		if e := b.find(b.syms.Lookup("@" + name[1:])); e != nil && e.kind.isGlobalVar() {
			return "; did you mean @" + name[1:] + "?"
		}
	} else if commRows[name] != nil {
		return ": it is a common instruction"
	} else if other := b.ofOther(name, "variables"); other != "" {
		return other
	}
	return b.hint(n, func(f func(string)) {
		names(b.blk, func(n syntax.Name) { f(b.name(n)) })
		b.eachEntity(entKind.isGlobalVar, f)
	})
}

// hintLabel suggests a block for an unknown destination.
func (b *body) hintLabel(n syntax.Name) string {
	if full := b.blockElsewhere(b.name(n)); full != "" {
		return ": the block is " + full
	}
	if other := b.ofOther(b.name(n), "blocks"); other != "" {
		return other
	}
	return b.hint(n, func(f func(string)) {
		for i := range b.d.Blocks {
			if i > 0 {
				f(b.name(b.d.Blocks[i].Name))
			}
		}
	})
}

// hintCommon suggests a common instruction.
func (b *body) hintCommon(n syntax.Name) string {
	return b.hint(n, func(f func(string)) {
		for name := range commRows {
			f(name)
		}
	})
}

// hint finds the candidate nearest to an unknown name; of equally near ones, the
// first in alphabetical order.
func (l *loader) hint(n syntax.Name, candidates func(func(string))) string {
	if l.hints >= maxHints {
		return ""
	}
	l.hints++
	best := lex.Nearest(l.name(n), candidates)
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}
