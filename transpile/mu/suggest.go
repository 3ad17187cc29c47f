package mu

import (
	"strings"

	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// maxHints is the number of unknown names of one run for which near misses are
// looked for: each search goes through all names.
const maxHints = 30

// unknown reports a name that denotes nothing where an entity of a kind is
// wanted.
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
	}
	return b.hint(n, func(f func(string)) {
		names(b.blk, func(n syntax.Name) { f(b.name(n)) })
		b.eachEntity(entKind.isGlobalVar, f)
	})
}

// hintLabel suggests a block for an unknown destination.
func (b *body) hintLabel(n syntax.Name) string {
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

// hint finds the nearest of the candidates to an unknown name, the first in
// alphabetical order of those that are equally near.
func (l *loader) hint(n syntax.Name, candidates func(func(string))) string {
	if l.hints >= maxHints {
		return ""
	}
	l.hints++
	name := l.name(n)
	best, at := "", 1+min(3, len(name)/3)
	candidates(func(s string) {
		if s == name || len(s) > len(name)+at || len(name) > len(s)+at {
			return
		}
		d := distance(name, s, at)
		if strings.EqualFold(name, s) {
			d = 0
		}
		if d < at || d == at && best != "" && s < best {
			best, at = s, d
		}
	})
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// distance is the number of single-byte edits between two names, or a number
// greater than limit if there are more.
func distance(a, b string, limit int) int {
	const most = 64
	if len(a) > most || len(b) > most {
		return limit + 1
	}
	var row [most + 1]int
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range len(a) {
		diagonal, least := row[0], i+1
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1
		}
	}
	return row[len(b)]
}
