// Package lex has what the texts that translator and runtime read have in common, Mu text bundles
// (docs/language.md, "Text") and HAIL scripts (docs/hail.md): white space, comments, names with a sigil, numbers, bare words,
// and the interned symbols that stand for them.
//
// It knows no grammar: a faulty token comes back as a Bad token with its Fault, and the parser makes
// the message. A Reader, on which the parsers are built, collects the messages. Positions are byte
// offsets into the one source being read.
//
// The packages below internal/lexis need the standard library alone. A program has them because the
// runtime can load text, whether it does or not: so they have no variable that code initialises,
// which the linker would keep.
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

// Symbols is a table of interned spellings. It may be shared by all the
// bundles and scripts of one run, but not by goroutines.
type Symbols struct {
	index map[string]Sym
	names []string // by Sym.Index
}

// NewSymbols makes an empty table.
func NewSymbols() *Symbols {
	return &Symbols{index: make(map[string]Sym, 1024), names: make([]string, 1, 1024)}
}

// Len gives one more than the greatest Index in use.
func (t *Symbols) Len() int { return len(t.names) }

// Intern gives the Sym of a spelling, which must not be empty.
func (t *Symbols) Intern(spelling []byte) Sym {
	if s, ok := t.index[string(spelling)]; ok {
		return s
	}
	str := string(spelling)
	s := t.Next(str[0] == '%')
	t.names = append(t.names, str)
	t.index[str] = s
	return s
}

// Add makes n Syms that Intern and Lookup do not find, for names that numbers tell apart.
// The first is the one that Next gives before; the others follow it, 2 apart. The result
// is for their spellings, to be filled in before the next call of Intern or Add.
func (t *Symbols) Add(n int) []string {
	at := len(t.names)
	t.names = append(t.names, make([]string, n)...)
	return t.names[at:]
}

// Next gives the Sym that the next new spelling will have.
func (t *Symbols) Next(local bool) Sym {
	s := Sym(len(t.names) << 1)
	if local {
		s |= 1
	}
	return s
}

// Lookup gives the Sym of a spelling, 0 if it does not occur.
func (t *Symbols) Lookup(spelling string) Sym { return t.index[spelling] }

// String gives the spelling of s, sigil included.
func (t *Symbols) String(s Sym) string { return t.names[s.Index()] }
