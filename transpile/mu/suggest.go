package mu

import (
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/ir"
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

// skipped reports unknown names in instructions that could not be read, and in the rest of their functions, which are
// not checked.
func (l *loader) skipped(b *syntax.Bundle) {
	if !b.Bad {
		return
	}
	defined := map[syntax.Sym]bool{} // in bodies
	each := func(f func(*syntax.Block)) {
		for _, d := range b.Defs {
			if d, ok := d.(*syntax.FuncDef); ok && b.Faulty[d] {
				for i := range d.Blocks {
					f(&d.Blocks[i])
				}
			}
		}
	}
	each(func(blk *syntax.Block) {
		defined[blk.Name.Sym] = true
		names(blk, func(n syntax.Name) { defined[n.Sym] = true })
	})
	for _, s := range b.Skipped {
		if s.Role == syntax.Defined {
			defined[s.Sym] = true
		}
	}
	use := func(n syntax.Name, role syntax.Role) {
		switch {
		case n.IsZero() || n.Sym.Local() || defined[n.Sym] || l.look(n.Sym) != nil || l.gaps:
		case role == syntax.TypeArg:
			l.errorf(n.Off, "unknown type %s%s", l.name(n), l.hint(n, func(f func(string)) {
				l.eachEntity(func(k entKind) bool { return k == entType || k == entSig }, f)
			}))
		case !strings.Contains(l.name(n), "."): // else it may be the full name of a local variable, or a common instruction
			l.errorf(n.Off, "unknown name %s%s", l.name(n), l.hint(n, func(f func(string)) {
				l.eachEntity(func(entKind) bool { return true }, f)
			}))
		}
	}
	for _, s := range b.Skipped {
		if s.Role != syntax.Defined {
			use(s.Name, s.Role)
		}
	}
	each(func(blk *syntax.Block) {
		for _, p := range blk.Params {
			use(p.Type, syntax.TypeArg)
		}
		for i := range blk.Insts {
			in := &blk.Insts[i]
			for _, t := range in.Types {
				use(t, syntax.TypeArg)
			}
			use(in.Sig, syntax.TypeArg)
			for _, a := range in.Args {
				use(a, syntax.Operand)
			}
		}
	})
}

// misspelt changes suggestions for unknown instructions so that they fit the type argument: FADD instead of ADD for
// a double, ULT instead of SLT for a pointer.
func (l *loader) misspelt(b *syntax.Bundle) {
	for _, m := range b.Misspelt {
		e := l.look(m.Type.Sym)
		if e == nil || e.kind != entType {
			continue
		}
		kind := l.info.laneKind(e.typ)
		op, ok := twin(m.Op)
		switch {
		case isFP(kind):
			ok = ok && !isFPOp(m.Op)
		case kind == ir.KInt:
			ok = ok && isFPOp(m.Op)
		case isULT(kind):
			op, ok = unsigned[m.Op]
		default:
			ok = false
		}
		if ok {
			m.Diag.Msg = strings.Replace(m.Diag.Msg, "mean "+m.Op.String()+"?", "mean "+op.String()+"?", 1)
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
