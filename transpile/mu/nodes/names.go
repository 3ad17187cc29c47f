package nodes

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// isName reports whether a text is a global name (docs/language.md, "Names").
func isName(text string) bool { return lex.IsName(text) && text[0] == '@' }

// In the text, nodes without a name have names that begin with Mark after the sigil, which says what the node is and
// which of its kind: %!block2 is the second block of a version. So no name that a client can set, and no name in a
// text that a program loads, is one of them: only the reader of built bundles accepts the mark (lex.Dialect.Marked).
// Entities that existed before have, for their kinds and signatures, names with their IDs.
const (
	Mark      = string(lex.Mark)
	knownMark = "@" + Mark + "known"
	sigMark   = "@" + Mark + "sigof" // the signature of the function with the ID
)

// marks are the words of the names for kinds.
var marks = [numKinds]string{Type: "type", Sig: "signature", Const: "constant", Global: "cell", Func: "function", Version: "version", Exposed: "exposed",
	Block: "block", Param: "parameter", ExcParam: "exception", Inst: "instruction", Result: "result"}

// IsUnnamed reports whether the name of an entity, or of the entity that it is part of, was made here. It is about
// names of bundles that were built.
func IsUnnamed(name string) bool { return strings.Contains(name, Mark) }

// KnownName is the name for an existing entity with an ID.
func KnownName(id uint32) string { return fmt.Sprintf("%s%d", knownMark, id) }

// Known is the ID in the name for an existing entity; false for other names.
func Known(name string) (id uint32, ok bool) { return idIn(name, knownMark) }

// SigOf is the ID of the function in the name for its signature; false for other names.
func SigOf(name string) (id uint32, ok bool) { return idIn(name, sigMark) }

func idIn(name, prefix string) (uint32, bool) {
	text, ok := strings.CutPrefix(name, prefix)
	n, err := strconv.ParseUint(text, 10, 32)
	return uint32(n), ok && err == nil
}

// ref is the name of a node in the text.
func (b *Builder) ref(n *node) string {
	switch {
	case n.known:
		return KnownName(n.id)
	case n.name != "":
		return n.name
	case n.kind == Result:
		return fmt.Sprintf("%%%s%s%d-%s%d", Mark, marks[Inst], n.parent.place, marks[Result], n.place)
	case n.parent != nil:
		return fmt.Sprintf("%%%s%s%d", Mark, marks[n.kind], n.place)
	}
	return fmt.Sprintf("@%s%s%d", Mark, marks[n.kind], n.place)
}

func (b *Builder) refs(l []int) string {
	var out []string
	for _, n := range l {
		out = append(out, b.ref(b.node(n)))
	}
	return strings.Join(out, " ")
}

// full is the global name of a node in the text.
func (b *Builder) full(n *node) string {
	name := b.ref(n)
	if name[0] == '@' {
		return name
	}
	of := n.parent
	if of.kind == Inst { // names of results are in the block
		of = of.parent
	}
	return b.full(of) + "." + name[1:]
}

// ids notes the reserved IDs of the nodes that have one.
func (w *writer) ids() {
	out := w.out
	out.IDs, out.Locals = map[string]uint32{}, map[string][]LocalID{}
	for _, n := range w.nodes {
		if n.known || n.id == 0 {
			continue
		}
		switch n.kind {
		case Param, ExcParam:
			block := w.full(n.parent)
			out.Locals[block] = append(out.Locals[block], LocalID{w.ref(n), n.id})
		case Result:
			block := w.full(n.parent.parent)
			out.Locals[block] = append(out.Locals[block], LocalID{w.ref(n), n.id})
		default:
			out.IDs[w.full(n)] = n.id
		}
	}
}
