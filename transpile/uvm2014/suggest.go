package uvm2014

import (
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// maxHints is the number of unknown names of one run for which others are looked for: each search goes through all
// names.
const maxHints = 30

// hint suggests the candidate that is nearest to an unknown name. Bundles in the binary form have IDs.
func (l *loader) hint(n syntax.Name, candidates func(func(string))) string {
	if !l.mayHint() {
		return ""
	}
	return l.near(n, candidates)
}

// mayHint reports whether a name may be looked for. It counts how often it is asked.
func (l *loader) mayHint() bool {
	l.hints++
	return l.hints <= maxHints && !l.b.Binary
}

func (l *loader) near(n syntax.Name, candidates func(func(string))) string {
	if best := lex.Nearest(l.name(n), candidates); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}

// hintEntity suggests an entity whose kind is accepted.
func (l *loader) hintEntity(n syntax.Name, ok func(*entity) bool) string {
	return l.hint(n, func(f func(string)) { l.eachEntity(ok, f) })
}

func (l *loader) eachEntity(ok func(*entity) bool, f func(string)) {
	for i, e := range l.ents {
		if e != nil && ok(e) {
			f(l.syms.String(syntax.Sym(i << 1)))
		}
	}
}

// skipped reports unknown names in instructions that could not be read, and in the rest of their functions, which are
// not checked.
func (l *loader) skipped() {
	if !l.b.Bad {
		return
	}
	for _, s := range l.b.Skipped {
		if l.look(s.Sym) != nil {
			continue
		}
		want, ok := "value", (*entity).isValue
		if s.TypeArg {
			want, ok = "type", func(e *entity) bool { return e.kind == entType || e.kind == entSig }
		}
		l.unknown(s.Name, want, func(n syntax.Name) string { return l.hintEntity(n, ok) })
	}
	for _, d := range l.b.Defs {
		d, ok := d.(*syntax.FuncDef)
		if !ok || !l.b.Faulty[d] {
			continue
		}
		for i := range d.Blocks {
			for k := range d.Blocks[i].Insts {
				if in := &d.Blocks[i].Insts[k]; in.Op != syntax.FuncCast { // which may have signatures
					l.typ(in.Type)
					l.typ(in.Type2)
					l.sig(in.Sig)
				}
			}
		}
	}
}

// isValue reports whether an entity can be an operand.
func (e *entity) isValue() bool { return e.con != nil }

// hintValue suggests a value for an unknown operand: a local one that a full name means, one with the other sigil, or one
// that is spelled nearly alike.
func (b *body) hintValue(n syntax.Name) string {
	if !b.mayHint() {
		return ""
	}
	name := b.name(n)
	if full := b.fullName(name); full != "" {
		return "; here the variable is " + full
	}
	if other := b.ofOther(name); other != "" {
		return "; variables of " + other + " exist only in that function"
	}
	if n.Sym.Local() {
		if e := b.look(b.syms.InternString("@" + name[1:])); e != nil && e.isValue() {
			return "; did you mean @" + name[1:] + "?"
		}
	} else if b.hasValue("%" + name[1:]) {
		return "; did you mean %" + name[1:] + "?"
	}
	return b.near(n, func(f func(string)) {
		b.eachValue(func(_ int, name syntax.Name) { f(b.name(name)) })
		b.eachEntity((*entity).isValue, f)
	})
}

// eachValue calls f with the names of the values of the function, and the block where they are; that of parameters and
// constants is the first.
func (b *body) eachValue(f func(block int, n syntax.Name)) {
	for _, p := range b.d.Params {
		if !p.Name.IsZero() {
			f(0, p.Name)
		}
	}
	for _, c := range b.d.Consts {
		if !c.Name.IsZero() {
			f(0, c.Name)
		}
	}
	for i := range b.d.Blocks {
		for k := range b.d.Blocks[i].Insts {
			if n := b.d.Blocks[i].Insts[k].Name; !n.IsZero() {
				f(i, n)
			}
		}
	}
}

func (b *body) hasValue(name string) (ok bool) {
	b.eachValue(func(_ int, n syntax.Name) { ok = ok || b.name(n) == name })
	return ok
}

// fullName finds the local name of the value that an unknown name means by its full name, with or without the version, or
// by the end of that, as reports and clients show it; "" if there is none.
func (b *body) fullName(name string) (local string) {
	if !strings.Contains(name, ".") {
		return ""
	}
	version := b.v.Name[1:]
	function := b.name(b.d.Name)[1:]
	b.eachValue(func(i int, n syntax.Name) {
		end := b.blockName(i)[1:] + "." + b.name(n)[1:]
		switch name[1:] {
		case end, function + "." + end, version + "." + end, version[strings.LastIndexByte(version, '.')+1:] + "." + end:
			local = b.name(n)
		}
	})
	return local
}

// ofOther is the other function whose variable a full name means, "" if it means none.
func (b *body) ofOther(name string) string {
	for i := len(name); len(name) < 1000; {
		if i = strings.LastIndexByte(name[:i], '.'); i < 0 {
			break
		}
		if e := b.look(b.syms.InternString(name[:i])); e != nil && e.kind == entFunc && name[:i] != b.name(b.d.Name) {
			return name[:i]
		}
	}
	return ""
}

// unknownLabel reports a destination that is no block.
func (b *body) unknownLabel(n syntax.Name) {
	name := b.name(n)
	if s := b.local(n); s != nil && (s.def != none || s.con != nil) {
		b.errorf(n.Off, "%s is a value, not a label", name)
		return
	}
	b.errorf(n.Off, "unknown label %s%s", name, b.hint(n, func(f func(string)) {
		for i := range b.d.Blocks {
			if i > 0 {
				f(b.blockName(i))
			}
		}
	}))
}

// eachIntrinsic calls f with the names of the intrinsic functions.
func eachIntrinsic(f func(string)) {
	for name := range intrinsics {
		f(name)
	}
}
