package nodes

import (
	"fmt"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// kindNames are the kinds of nodes in messages.
var kindNames = [numKinds]string{None: "nothing", Bundle: "a bundle", Type: "a type", Sig: "a signature", Const: "a constant", Global: "a global cell",
	Func: "a function", Version: "a function version", Exposed: "an exposed function", Block: "a block", Param: "a parameter", ExcParam: "an exception parameter",
	Inst: "an instruction", Result: "a result", DestClause: "a destination clause", ExcClause: "an exception clause", KeepClause: "a keep-alive clause",
	CurClause: "a current-stack clause", NewClause: "a new-stack clause"}

// words are the kinds before a number.
var words = [numKinds]string{Type: "type", Sig: "signature", Const: "constant", Global: "global cell", Func: "function", Version: "version",
	Exposed: "exposed function", Block: "block", Param: "parameter", ExcParam: "exception parameter", Inst: "instruction", Result: "result"}

// isName reports whether a text is a global name (docs/language.md, "Names").
func isName(text string) bool { return text != "" && text[0] == '@' && lex.IsName(text) }

// Nameless says which entity of the program is meant that has no name.
func Nameless(id uint32) string { return fmt.Sprintf("the entity with the ID %d", id) }

// nameOf is the name of an entity that existed before.
func (b *Builder) nameOf(id uint32) string {
	if name := b.prog.NameOf(id); name != "" {
		return name
	}
	return Nameless(id)
}

// short says which node is meant inside of the node that it is part of, as in "block 2": its name, if it has one. No
// description is a name.
func (b *Builder) short(n *node) string {
	switch {
	case n.kind == Bundle:
		return "the bundle"
	case n.known:
		return b.nameOf(n.id)
	case n.name != "":
		return n.name
	case n.kind == Result:
		return fmt.Sprintf("result %d of %s", n.place, b.short(n.parent))
	}
	return fmt.Sprintf("%s %d", words[n.kind], n.place)
}

// say says which node is meant, as in "block 2 of version 1 of @f".
func (b *Builder) say(n *node) string {
	switch s := b.short(n); {
	case n.kind == Bundle, n.known, isName(n.name), n.parent == nil:
		return s
	case n.kind == Result && n.parent.name == "":
		return s + " of " + b.say(n.parent.parent)
	case n.kind == Result:
		return s
	default:
		return s + " of " + b.say(n.parent)
	}
}

// where is the position of a node or, if it has none, which node it is.
func (b *Builder) where(n *node) string {
	if n.at != 0 {
		return b.places[n.at].String()
	}
	return b.say(n)
}
