// Package lex has the common parts of the texts that translator and runtime read, Mu text bundles
// (docs/language.md, "Text") and HAIL scripts (docs/hail.md): white space, comments, names with a
// sigil, numbers, bare words, and the interned symbols that stand for them.
//
// It knows no grammar: a faulty token comes back as a Bad token with its Fault, and the parser makes
// the message. A Reader, on which the parsers are built, collects the messages. Positions are byte
// offsets into the one source being read.
//
// The packages below internal/lexis need only the standard library. Every program is linked with
// them, because the runtime can load text. So that the linker can leave out unused parts, they have
// no variables that are initialised by code.
package lex

// An Off is a byte offset into the file that a tree was read from.
type Off uint32

// A Sym stands for a spelling in a Symbols table, sigil included: equal
// spellings have equal Syms. The zero Sym stands for no name at all.
type Sym uint32

// Local reports whether the spelling begins with %. The test needs no table.
func (s Sym) Local() bool { return s&1 != 0 }

// Index gives a small dense number, from 1, for use in side tables.
func (s Sym) Index() int { return int(s >> 1) }

// A Name is one occurrence of a name or flag in the source. The zero Name
// stands for one that was left out.
type Name struct {
	Sym Sym
	Off Off
}

// IsZero reports whether there is no name.
func (n Name) IsZero() bool { return n.Sym == 0 }
