package write

import (
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// Muc writes a program as one bundle in the form of muc (docs/language.md, "The form of muc"): types, signatures and
// constants without names are written in place, names have no sigil where they need none, and VERSION is left out for
// %v1. Sigils stay where the text says where its lines are from, so that names keep their columns. A program with nothing that only this form has is written in the form of 2016, which means the same.
func Muc(p *ir.Program) ([]byte, error) { return program(p, true) }

// maxInPlace is the length of the longest text in the place of a name. Longer ones get a definition: types may share their
// parts, so that the text of a type can be much longer than its definitions.
const maxInPlace = 60

// inPlace spells a type or signature without a name, "" if it must have one because it is long, or a part of itself.
func (w *writer) inPlace(id ir.TypeID) string {
	if w.open[id] {
		return ""
	}
	w.open[id] = true
	s := w.constructor(id, "a type")
	delete(w.open, id)
	if n := w.types[id]; n != "" { // a part of itself
		return n
	}
	if len(s) > maxInPlace {
		return ""
	}
	w.types[id] = s
	return s
}

// withoutSigils removes the sigils that names in a bundle do not need. An operand without a sigil is a local variable if
// there is one of that name; so a global name keeps its sigil in functions with such a local one, and as the name of
// an instruction.
func withoutSigils(src []byte) []byte {
	var all []lex.Token
	sc := syntax.NewScanner(src, true)
	for t := sc.Next(); t.Kind != lex.EOF; t = sc.Next() {
		all = append(all, t)
	}
	text := func(i int) string { return string(src[all[i].Off:all[i].End]) }
	local := map[string]bool{} // names in the function that token i is in
	out, done := make([]byte, 0, len(src)), lex.Off(0)
	for i, t := range all {
		if t.Kind == lex.Word && src[t.Off] == '.' {
			clear(local)
			for k := i + 1; k < len(all) && !(all[k].Kind == lex.Word && src[all[k].Off] == '.'); k++ {
				if all[k].Kind == lex.Ident && src[all[k].Off] == '%' {
					local[text(k)[1:]] = true
				}
			}
		}
		if t.Kind != lex.Ident {
			continue
		}
		name := text(i)[1:]
		global := src[t.Off] == '@'
		label := i > 0 && all[i-1].Kind == '[' && i+1 < len(all) && all[i+1].Kind == ']' && all[max(i-2, 0)].Kind != '<'
		if global && (local[name] || label) || !syntax.CanBeBare(name) {
			continue
		}
		out = append(out, src[done:t.Off]...)
		done = t.Off + 1
	}
	return append(out, src[done:]...)
}
